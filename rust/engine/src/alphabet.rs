//! SymbolMap symbols: renumbers the characters of a text to store it in fewer bytes.
//!
//! A text with at most 256 distinct characters (nearly every text in an alphabetic script) takes one byte per
//! character, and one with more takes two. Scoring and searching only compare characters for equality, so they work on
//! symbols.

use std::borrow::Cow;

use crate::code_point_map::CodePointMap;
use crate::text::{CodeUnit, TextBuf, TextRef, dispatch};

/// The number of code points in a block of the map.
const BLOCK_CHARS: usize = 256;

/// The mapping between symbols and code points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// The symbols are the code points.
    Identity,
    /// The symbols number the code points of the text in ascending order.
    Dense(SymbolMap),
}

/// A renumbering of code points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SymbolMap {
    /// The code point of each symbol, ascending.
    codes: Vec<u32>,
}

impl SymbolMap {
    fn symbol(&self, code: u32) -> Option<u32> {
        self.codes.binary_search(&code).ok().map(|symbol| symbol as u32)
    }
}

/// Renumbers the characters of `text` if that takes fewer bytes per character.
pub(crate) fn remap(text: TextBuf) -> (TextBuf, Alphabet) {
    let codes = match &text {
        TextBuf::Ucs1(_) => return (text, Alphabet::Identity),
        TextBuf::Ucs2(units) => distinct(units),
        TextBuf::Ucs4(units) => distinct(units),
    };
    let last = codes.last().copied().unwrap_or(0);
    let max_symbol = codes.len().saturating_sub(1) as u32;
    if width(max_symbol) < width(last) {
        let mut symbol_of = CodePointMap::<u32, BLOCK_CHARS>::with_capacity(codes.len(), last as usize);
        (0..).zip(&codes).for_each(|(symbol, &code)| symbol_of.set(code, symbol));
        let symbols = dispatch!(text.units(), units => shrink(units, max_symbol, symbol_of.reader()));
        return (symbols, Alphabet::new(codes));
    }
    let is_narrow = matches!((&text, width(last)), (TextBuf::Ucs2(_), 2) | (TextBuf::Ucs4(_), 4));
    let text = if is_narrow { text } else { dispatch!(text.units(), units => shrink(units, last, |code| code)) };
    (text, Alphabet::Identity)
}

/// Returns the number of bytes for symbols up to `max`.
fn width(max: u32) -> usize {
    match max {
        0..=0xFF => 1,
        0x100..=0xFFFF => 2,
        _ => 4,
    }
}

/// Returns the distinct code points of a text, ascending. If the text has a block of ASCII, all of ASCII is included,
/// unless only that would require a second byte.
fn distinct<T: CodeUnit>(units: &[T]) -> Vec<u32> {
    let mut present = CodePointMap::<bool, BLOCK_CHARS>::with_capacity(BLOCK_CHARS, 0xFFFF);
    let (blocks, rest) = units.as_chunks::<BLOCK>();
    present.set_all(rest, true);
    // An English text with a few dashes consists mostly of ASCII blocks, which need no lookup of each character.
    let mut is_all = true;
    for (is_ascii, run) in runs(blocks) {
        match is_ascii {
            true => is_all = false,
            false => present.set_all(run, true),
        }
    }
    let codes = |present: &CodePointMap<bool, BLOCK_CHARS>| -> Vec<u32> {
        present.iter().filter(|&(_, is_present)| is_present).map(|(code, _)| code).collect()
    };
    let foreign = codes(&present);
    if is_all {
        return foreign;
    }
    let beyond = &foreign[foreign.partition_point(|&code| code < ASCII)..];
    if beyond.len() + ASCII as usize <= MAX_SMALL || beyond.len() > MAX_SMALL {
        return (0..ASCII).chain(beyond.iter().copied()).collect();
    }
    present.set_all(blocks.as_flattened(), true);
    codes(&present)
}

/// The number of characters in a block of text.
const BLOCK: usize = 16;

/// The first code point that is not ASCII.
const ASCII: u32 = 0x80;

/// The number of symbols that fit in one byte.
const MAX_SMALL: usize = 256;

/// Splits blocks into runs of ASCII blocks and runs of other blocks, each with a flag for ASCII.
fn runs<T: CodeUnit>(blocks: &[[T; BLOCK]]) -> impl Iterator<Item = (bool, &[T])> {
    let runs = blocks.chunk_by(|left, right| is_ascii(left) == is_ascii(right));
    runs.map(|run| (run.first().is_some_and(is_ascii), run.as_flattened()))
}

/// Returns whether a block is ASCII. Tests eight bytes at a time, without branches.
#[inline(always)]
fn is_ascii<T: CodeUnit>(block: &[T; BLOCK]) -> bool {
    let beyond = match size_of::<T>() {
        1 => 0x8080_8080_8080_8080,
        2 => 0xFF80_FF80_FF80_FF80,
        _ => 0xFFFF_FF80_FFFF_FF80,
    };
    let (words, _) = bytemuck::bytes_of(block).as_chunks::<8>();
    words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word)) & beyond == 0
}

/// Replaces each code unit by its symbol, in the narrowest width for `max`.
fn shrink<T: CodeUnit>(units: &[T], max: u32, symbol: impl Fn(u32) -> u32) -> TextBuf {
    // The casts lose no bits, because no symbol is above `max`.
    if max <= u32::from(u8::MAX) {
        // Symbols ascend, so all of ASCII is unchanged if its last character is.
        let keeps_ascii = symbol(ASCII - 1) == ASCII - 1;
        TextBuf::Ucs1(small(units, keeps_ascii, |code| symbol(code) as u8))
    } else if max <= u32::from(u16::MAX) {
        TextBuf::Ucs2(units.iter().map(|unit| symbol(unit.code_point()) as u16).collect())
    } else {
        TextBuf::Ucs4(units.iter().map(|unit| symbol(unit.code_point())).collect())
    }
}

/// Replaces each code unit by a symbol of one byte. Copies ASCII by blocks if its symbols are its code points.
fn small<T: CodeUnit>(units: &[T], keeps_ascii: bool, symbol: impl Fn(u32) -> u8) -> Vec<u8> {
    let mut symbols = Vec::with_capacity(units.len());
    let (blocks, rest) = units.as_chunks::<BLOCK>();
    for (is_ascii, run) in runs(blocks) {
        match keeps_ascii && is_ascii {
            true => symbols.extend(run.iter().map(|unit| unit.code_point() as u8)),
            false => symbols.extend(run.iter().map(|unit| symbol(unit.code_point()))),
        }
    }
    symbols.extend(rest.iter().map(|unit| symbol(unit.code_point())));
    symbols
}

/// The symbol of a character that does not occur in the text.
pub(crate) const ABSENT: u32 = u32::MAX;

impl Alphabet {
    /// Creates an alphabet of `codes`, which must ascend.
    pub(crate) fn new(codes: Vec<u32>) -> Self {
        Self::Dense(SymbolMap { codes })
    }

    /// Encodes `needle` in symbols of width `T`; `None` if one of its characters does not occur in the text. Borrows if
    /// the symbols are the needle's own characters.
    #[inline]
    pub(crate) fn encode<'a, T: CodeUnit>(&self, needle: TextRef<'a>) -> Option<Cow<'a, [T]>> {
        if let (Self::Identity, Some(symbols)) = (self, T::downcast(needle)) {
            return Some(Cow::Borrowed(symbols));
        }
        dispatch!(needle, units => units.iter().map(|unit| T::from_code(self.symbol(unit.code_point())?)).collect())
    }

    /// Encodes `needle` in symbols, with [`ABSENT`] for characters that do not occur in the text.
    pub(crate) fn encode_or_absent(&self, needle: TextRef<'_>) -> Vec<u32> {
        dispatch!(needle, units => units.iter().map(|unit| self.symbol(unit.code_point()).unwrap_or(ABSENT)).collect())
    }

    /// Returns the code point of a symbol.
    pub(crate) fn code(&self, symbol: u32) -> u32 {
        match self {
            Self::Identity => symbol,
            Self::Dense(map) => map.codes[symbol as usize],
        }
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        match self {
            Self::Identity => 0,
            Self::Dense(map) => map.codes.capacity() * size_of::<u32>(),
        }
    }

    fn symbol(&self, code: u32) -> Option<u32> {
        match self {
            Self::Identity => Some(code),
            Self::Dense(map) => map.symbol(code),
        }
    }
}
