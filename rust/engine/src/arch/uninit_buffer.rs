//! A sink over uninitialised memory of the caller.

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

use crate::text::CodeUnit;
use crate::text::sink::TextSink;

/// A text buffer of fixed capacity, over uninitialised memory. Exceeding the capacity is a bug and panics.
///
/// One-byte code units hold ASCII only; two-byte code units hold the Basic Multilingual Plane.
#[derive(Debug)]
pub(crate) struct UninitBuffer<'a, T> {
    buffer: &'a mut [MaybeUninit<T>],
    /// Number of initialised code units at the beginning of `buffer`; increased only after they are written.
    len: usize,
}

impl<'a, T: CodeUnit> UninitBuffer<'a, T> {
    pub(crate) fn new(buffer: &'a mut [MaybeUninit<T>]) -> Self {
        Self { buffer, len: 0 }
    }

    /// Returns the initialised part of the buffer.
    pub(crate) fn written(self) -> &'a [T] {
        let Self { buffer, len } = self;
        let written: &'a [MaybeUninit<T>] = &buffer[..len];
        // SAFETY: the first `len` code units are initialised, and borrowed for as long as the buffer.
        unsafe { std::slice::from_raw_parts(written.as_ptr().cast(), written.len()) }
    }
}

impl<T: CodeUnit> Deref for UninitBuffer<'_, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        let written = &self.buffer[..self.len];
        // SAFETY: the first `len` code units are initialised, and borrowed for as long as `self`.
        unsafe { std::slice::from_raw_parts(written.as_ptr().cast(), written.len()) }
    }
}

impl<T: CodeUnit> DerefMut for UninitBuffer<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        let written = &mut self.buffer[..self.len];
        // SAFETY: the first `len` code units are initialised, and borrowed exclusively for as long as `self`.
        unsafe { std::slice::from_raw_parts_mut(written.as_mut_ptr().cast(), written.len()) }
    }
}

impl<T: CodeUnit> TextSink for UninitBuffer<'_, T> {
    type Unit = T;

    const MAX: u32 = if T::MAX == 0xFF { 0x7F } else { T::MAX };
    const ENCODES_DASHES: bool = T::MAX > 0xFF;

    #[inline(always)]
    fn append<const N: usize>(&mut self, units: &[T; N], kept: usize) {
        let rest = self.buffer[self.len..].first_chunk_mut();
        *rest.expect("the buffer has capacity for the rest of the text") = units.map(MaybeUninit::new);
        self.len += kept.min(N);
    }

    #[inline(always)]
    fn push(&mut self, unit: T) {
        self.buffer[self.len].write(unit);
        self.len += 1;
    }

    #[inline(always)]
    fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    #[inline(always)]
    fn has_capacity(&self, chars: usize) -> bool {
        self.buffer.len() - self.len >= chars
    }
}

#[cfg(test)]
#[path = "../../tests/unit/uninit_buffer.rs"]
mod tests;
