//! Characters written where the caller wants to have them, without clearing that first.

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

use crate::normalize::ascii_chunk::{self, AsciiUnit};
use crate::normalize::text_sink::Output;

/// Room for as many characters as the caller expects at most. More are a bug, and a panic. One byte
/// a character holds ASCII, two bytes the basic plane.
#[derive(Debug)]
pub(crate) struct UninitBuffer<'a, T> {
    room: &'a mut [MaybeUninit<T>],
    /// So many at the beginning of `room` are written: set after they are, and never beyond.
    len: usize,
}

impl<'a, T: AsciiUnit> UninitBuffer<'a, T> {
    pub(crate) fn new(room: &'a mut [MaybeUninit<T>]) -> Self {
        Self { room, len: 0 }
    }

    /// What has been written.
    pub(crate) fn written(self) -> &'a [T] {
        let Self { room, len } = self;
        let written: &'a [MaybeUninit<T>] = &room[..len];
        // SAFETY: the first `len` characters are written, and borrowed for as long as the room.
        unsafe { std::slice::from_raw_parts(written.as_ptr().cast(), written.len()) }
    }
}

impl<T: AsciiUnit> Deref for UninitBuffer<'_, T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        let written = &self.room[..self.len];
        // SAFETY: the first `len` characters are written, and borrowed for as long as `self`.
        unsafe { std::slice::from_raw_parts(written.as_ptr().cast(), written.len()) }
    }
}

impl<T: AsciiUnit> DerefMut for UninitBuffer<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        let written = &mut self.room[..self.len];
        // SAFETY: the first `len` characters are written, and borrowed alone for as long as `self`.
        unsafe { std::slice::from_raw_parts_mut(written.as_mut_ptr().cast(), written.len()) }
    }
}

impl<T: AsciiUnit> Output for UninitBuffer<'_, T> {
    type Unit = T;

    const MAX: u32 = if T::MAX == 0xFF { 0x7F } else { T::MAX };
    const HOLDS_DASHES: bool = T::MAX > 0xFF;

    #[inline(always)]
    fn unit(code: u32) -> T {
        T::low(code)
    }

    #[inline(always)]
    fn unit_of_form(form: u8) -> T {
        if Self::HOLDS_DASHES { T::low(ascii_chunk::code_of_form(form)) } else { T::ascii(form) }
    }

    #[inline(always)]
    fn code(unit: T) -> u32 {
        unit.code()
    }

    #[inline(always)]
    fn append<const N: usize>(&mut self, units: &[T; N], kept: usize) {
        let rest = self.room[self.len..].first_chunk_mut();
        *rest.expect("there is room for what is left of the text") = units.map(MaybeUninit::new);
        self.len += kept.min(N);
    }

    #[inline(always)]
    fn push(&mut self, unit: T) {
        self.room[self.len].write(unit);
        self.len += 1;
    }

    #[inline(always)]
    fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    #[inline(always)]
    fn has_room(&self, chars: usize) -> bool {
        self.room.len() - self.len >= chars
    }
}
