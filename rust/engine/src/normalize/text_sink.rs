//! Where normalised text is written: a vector that grows, or room that the caller has.

use std::ops::{Deref, DerefMut};

use super::ascii_chunk::{self, AsciiUnit};

/// Receives characters at its end; reads as what has been written.
pub(crate) trait Output: DerefMut<Target = [Self::Unit]> {
    /// What a character is written as.
    type Unit: AsciiUnit;

    /// Largest code point that may be written, but for dashes.
    const MAX: u32;

    /// Whether the dashes U+2012 to U+2015 may be written.
    const HOLDS_DASHES: bool;

    /// The unit of a code point; [`holds`](Self::holds) says whether it has one.
    fn unit(code: u32) -> Self::Unit;

    /// The unit of a [form](ascii_chunk::Chunk::forms).
    fn unit_of_form(form: u8) -> Self::Unit;

    /// The code point of a unit.
    fn code(unit: Self::Unit) -> u32;

    /// Appends the first `kept` of `units`. There has to be room for all of them, which are written.
    fn append<const N: usize>(&mut self, units: &[Self::Unit; N], kept: usize);

    /// Appends one character.
    fn push(&mut self, unit: Self::Unit);

    /// Takes back all but the first `len` characters.
    fn truncate(&mut self, len: usize);

    /// Whether so many more characters may be appended.
    fn has_room(&self, chars: usize) -> bool;

    /// Whether `code` may be written.
    #[inline(always)]
    fn holds(code: u32) -> bool {
        code <= Self::MAX || (Self::HOLDS_DASHES && ascii_chunk::is_dash(code))
    }
}

impl<O: AsciiUnit> Output for Vec<O> {
    type Unit = O;

    const MAX: u32 = O::MAX;
    const HOLDS_DASHES: bool = O::MAX > 0xFF;

    #[inline(always)]
    fn unit(code: u32) -> O {
        O::low(code)
    }

    #[inline(always)]
    fn unit_of_form(form: u8) -> O {
        if Self::HOLDS_DASHES { O::low(ascii_chunk::code_of_form(form)) } else { O::ascii(form) }
    }

    #[inline(always)]
    fn code(unit: O) -> u32 {
        unit.code()
    }

    #[inline(always)]
    fn append<const N: usize>(&mut self, units: &[O; N], kept: usize) {
        self.extend_from_slice(units);
        self.truncate(self.len() - (N - kept));
    }

    #[inline(always)]
    fn push(&mut self, unit: O) {
        self.push(unit);
    }

    #[inline(always)]
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }

    #[inline(always)]
    fn has_room(&self, _: usize) -> bool {
        true
    }
}

/// ASCII and the four dashes, one byte each: a character is written as its form.
#[derive(Debug)]
pub(super) struct Symbols(pub(super) Vec<u8>);

impl Deref for Symbols {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Symbols {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl Output for Symbols {
    type Unit = u8;

    const MAX: u32 = 0x7F;
    const HOLDS_DASHES: bool = true;

    #[inline(always)]
    fn unit(code: u32) -> u8 {
        ascii_chunk::form_of_code(code)
    }

    #[inline(always)]
    fn unit_of_form(form: u8) -> u8 {
        form
    }

    #[inline(always)]
    fn code(unit: u8) -> u32 {
        ascii_chunk::code_of_form(unit)
    }

    #[inline(always)]
    fn append<const N: usize>(&mut self, units: &[u8; N], kept: usize) {
        Output::append(&mut self.0, units, kept);
    }

    #[inline(always)]
    fn push(&mut self, unit: u8) {
        self.0.push(unit);
    }

    #[inline(always)]
    fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    #[inline(always)]
    fn has_room(&self, _: usize) -> bool {
        true
    }
}
