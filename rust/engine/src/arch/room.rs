//! ASCII characters written where the caller wants to have them, without clearing that first.

use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};

use crate::normalize::output::Output;

/// Room for as many ASCII characters as the caller expects at most. More are a bug, and a panic.
#[derive(Debug)]
pub(crate) struct AsciiRoom<'a> {
    room: &'a mut [MaybeUninit<u8>],
    /// So many at the beginning of `room` are written: set after they are, and never beyond.
    len: usize,
}

impl<'a> AsciiRoom<'a> {
    pub(crate) fn new(room: &'a mut [MaybeUninit<u8>]) -> Self {
        Self { room, len: 0 }
    }

    /// What has been written.
    pub(crate) fn written(self) -> &'a [u8] {
        let Self { room, len } = self;
        let written: &'a [MaybeUninit<u8>] = &room[..len];
        // SAFETY: the first `len` characters are written, and borrowed for as long as the room.
        unsafe { std::slice::from_raw_parts(written.as_ptr().cast(), written.len()) }
    }
}

impl Deref for AsciiRoom<'_> {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        let written = &self.room[..self.len];
        // SAFETY: the first `len` characters are written, and borrowed for as long as `self`.
        unsafe { std::slice::from_raw_parts(written.as_ptr().cast(), written.len()) }
    }
}

impl DerefMut for AsciiRoom<'_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        let written = &mut self.room[..self.len];
        // SAFETY: the first `len` characters are written, and borrowed alone for as long as `self`.
        unsafe { std::slice::from_raw_parts_mut(written.as_mut_ptr().cast(), written.len()) }
    }
}

impl Output for AsciiRoom<'_> {
    type Unit = u8;

    const MAX: u32 = 0x7F;

    #[inline(always)]
    fn append<const N: usize>(&mut self, units: &[u8; N], kept: usize) {
        let units = units.map(MaybeUninit::new);
        let rest = &mut self.room[self.len..];
        match rest.first_chunk_mut() {
            Some(all) => *all = units,
            None => rest[..kept].copy_from_slice(&units[..kept]),
        }
        self.len += kept.min(N);
    }

    #[inline(always)]
    fn push(&mut self, unit: u8) {
        self.room[self.len].write(unit);
        self.len += 1;
    }

    #[inline(always)]
    fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }
}
