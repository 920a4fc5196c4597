//! Sinks that characters are appended to: a vector, a caller's buffer, or a vector with one byte per symbol.

use std::ops::{Deref, DerefMut};

use super::CodeUnit;

/// A destination for characters, which dereferences to the characters appended so far.
pub(crate) trait TextSink: DerefMut<Target = [Self::Unit]> {
    /// The code unit that stores a character.
    type Unit: CodeUnit;

    /// The largest code point that can be stored, apart from dashes.
    const MAX: u32;

    /// Whether the dashes U+2012 to U+2015 can be stored.
    const ENCODES_DASHES: bool;

    /// Encodes a code point for which [`can_encode`](Self::can_encode) is true.
    #[inline(always)]
    fn encode(code: u32) -> Self::Unit {
        Self::Unit::truncated(code)
    }

    /// Encodes a [symbol](code_of_symbol): an ASCII character or a dash, given as one byte.
    #[inline(always)]
    fn encode_symbol(symbol: u8) -> Self::Unit {
        if Self::ENCODES_DASHES { Self::encode(code_of_symbol(symbol)) } else { Self::Unit::from(symbol) }
    }

    /// Returns the code point of a code unit.
    #[inline(always)]
    fn decode(unit: Self::Unit) -> u32 {
        unit.code_point()
    }

    /// Appends the first `kept` of `units`. Requires capacity for all of them, because all are written.
    fn append<const N: usize>(&mut self, units: &[Self::Unit; N], kept: usize);

    /// Appends one character.
    fn push(&mut self, unit: Self::Unit);

    /// Shortens the text to its first `len` characters.
    fn truncate(&mut self, len: usize);

    /// Returns whether `chars` more characters fit.
    #[inline(always)]
    fn has_capacity(&self, _chars: usize) -> bool {
        true
    }

    /// Returns whether `code` can be stored.
    #[inline(always)]
    fn can_encode(code: u32) -> bool {
        code <= Self::MAX || (Self::ENCODES_DASHES && is_dash(code))
    }
}

/// The first of the four dashes that have a symbol (U+2012 to U+2015).
pub(crate) const FIRST_DASH: u32 = 0x2012;

/// Returns whether `code` is one of the four dashes.
#[inline(always)]
pub(crate) fn is_dash(code: u32) -> bool {
    code.wrapping_sub(FIRST_DASH) < 4
}

/// Encodes an ASCII character or a dash as a symbol of one byte: ASCII unchanged, the dashes as 0x80 to 0x83.
#[inline(always)]
fn symbol_of_code(code: u32) -> u8 {
    if code < 0x80 { code as u8 } else { code.wrapping_sub(FIRST_DASH) as u8 | 0x80 }
}

/// Returns the code point of a symbol.
#[inline(always)]
pub(crate) fn code_of_symbol(symbol: u8) -> u32 {
    u32::from(symbol) + if symbol < 0x80 { 0 } else { FIRST_DASH - 0x80 }
}

impl<U: CodeUnit> TextSink for Vec<U> {
    type Unit = U;

    const MAX: u32 = U::MAX;
    const ENCODES_DASHES: bool = U::MAX > 0xFF;

    #[inline(always)]
    fn append<const N: usize>(&mut self, units: &[U; N], kept: usize) {
        self.extend_from_slice(units);
        self.truncate(self.len() - (N - kept));
    }

    #[inline(always)]
    fn push(&mut self, unit: U) {
        self.push(unit);
    }

    #[inline(always)]
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
}

/// A vector of symbols: ASCII and the four dashes, one byte each.
#[derive(Debug)]
pub(crate) struct SymbolSink(pub(crate) Vec<u8>);

impl SymbolSink {
    /// Returns the code points of all symbols, in the order of the symbols.
    pub(crate) fn alphabet() -> impl Iterator<Item = u32> {
        (0..0x84).map(code_of_symbol)
    }
}

impl Deref for SymbolSink {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for SymbolSink {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl TextSink for SymbolSink {
    type Unit = u8;

    const MAX: u32 = 0x7F;
    const ENCODES_DASHES: bool = true;

    #[inline(always)]
    fn encode(code: u32) -> u8 {
        symbol_of_code(code)
    }

    #[inline(always)]
    fn encode_symbol(symbol: u8) -> u8 {
        symbol
    }

    #[inline(always)]
    fn decode(unit: u8) -> u32 {
        code_of_symbol(unit)
    }

    #[inline(always)]
    fn append<const N: usize>(&mut self, units: &[u8; N], kept: usize) {
        TextSink::append(&mut self.0, units, kept);
    }

    #[inline(always)]
    fn push(&mut self, unit: u8) {
        self.0.push(unit);
    }

    #[inline(always)]
    fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}
