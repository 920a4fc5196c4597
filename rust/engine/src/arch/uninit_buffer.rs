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
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Copy, Debug)]
    enum Step {
        Append([u8; 4], usize),
        Push(u8),
        Truncate(usize),
        Change(prop::sample::Index, u8),
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            (any::<[u8; 4]>(), 0..=4_usize).prop_map(|(units, kept)| Step::Append(units, kept)),
            any::<u8>().prop_map(Step::Push),
            (0..20_usize).prop_map(Step::Truncate),
            (any::<prop::sample::Index>(), any::<u8>()).prop_map(|(place, unit)| Step::Change(place, unit)),
        ];
        vec(step, 0..20)
    }

    proptest! {
        #[test]
        fn a_buffer_holds_what_a_vector_holds(steps in steps()) {
            const CAPACITY: usize = 20;
            let mut memory = [MaybeUninit::<u8>::uninit(); CAPACITY];
            let (mut buffer, mut expected) = (UninitBuffer::new(&mut memory), Vec::<u8>::new());
            for step in steps {
                match step {
                    Step::Append(units, kept) if buffer.has_capacity(4) => {
                        buffer.append(&units, kept);
                        expected.extend(&units[..kept]);
                    }
                    Step::Push(unit) if buffer.has_capacity(1) => {
                        TextSink::push(&mut buffer, unit);
                        expected.push(unit);
                    }
                    Step::Append(..) | Step::Push(_) => {}
                    Step::Truncate(len) => {
                        TextSink::truncate(&mut buffer, len);
                        expected.truncate(len);
                    }
                    Step::Change(place, unit) if !expected.is_empty() => {
                        let place = place.index(expected.len());
                        buffer[place] = unit;
                        expected[place] = unit;
                    }
                    Step::Change(..) => {}
                }
                prop_assert_eq!(&expected[..], &buffer[..]);
                for chars in 0..=CAPACITY + 1 {
                    prop_assert_eq!(expected.len() + chars <= CAPACITY, buffer.has_capacity(chars));
                }
            }
            prop_assert_eq!(&expected[..], buffer.written());
        }
    }

    #[test]
    fn one_byte_holds_ascii_only() {
        assert_eq!((0x7F, false), (UninitBuffer::<u8>::MAX, UninitBuffer::<u8>::ENCODES_DASHES));
        assert_eq!((0xFFFF, true), (UninitBuffer::<u16>::MAX, UninitBuffer::<u16>::ENCODES_DASHES));
        assert_eq!((u32::MAX, true), (UninitBuffer::<u32>::MAX, UninitBuffer::<u32>::ENCODES_DASHES));
    }
}
