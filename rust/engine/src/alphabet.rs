//! Dense symbols: a text's characters renumbered so that they fit into one byte where possible.
//!
//! A text that has at most 256 different characters (nearly every text in an alphabetic script)
//! takes one byte a character, one with more takes two. Scores and searches count characters, so
//! they can work on the symbols and never see the code points.

use crate::text::{Text, Unit, Units, with_units};

/// Code points by page of 256.
const PAGE_CHARS: usize = 256;

/// Which symbol stands for which code point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// Symbols are the code points.
    Identity,
    /// Symbols count the code points that occur, in their order.
    Dense(Dense),
}

/// A renumbering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dense {
    /// Code point of each symbol, ascending.
    codes: Vec<u32>,
}

impl Dense {
    fn symbol(&self, code: u32) -> Option<u32> {
        self.codes.binary_search(&code).ok().map(|symbol| symbol as u32)
    }
}

/// Renumbers `text` if that makes it narrower.
pub(crate) fn densify(text: Text) -> (Text, Alphabet) {
    let codes = match text {
        Text::U8(_) => return (text, Alphabet::Identity),
        Text::U16(ref units) => distinct(units),
        Text::U32(ref units) => distinct(units),
    };
    let last = codes.last().copied().unwrap_or(0);
    let max_symbol = if last <= u32::from(u8::MAX) || codes.len() > usize::from(u16::MAX) + 1 { last } else { codes.len() as u32 - 1 };
    let is_identity = max_symbol == last || (max_symbol > u32::from(u8::MAX) && last <= u32::from(u16::MAX));
    if is_identity {
        return (with_units!(text.units(), units => narrowed(units, last, |code| code)), Alphabet::Identity);
    }
    let renumber = Renumber::new(&codes);
    let symbols = with_units!(text.units(), units => narrowed(units, max_symbol, |code| renumber.symbol(code)));
    (symbols, Alphabet::Dense(Dense { codes }))
}

/// The different code points of a text, ascending.
fn distinct<T: Unit>(units: &[T]) -> Vec<u32> {
    let mut seen = vec![0_u64; (T::MAX.min(0x10_FFFF) as usize + 64) / 64];
    for unit in units {
        let code = unit.code() as usize;
        seen[code / 64] |= 1 << (code % 64);
    }
    let bits = |(index, &word): (usize, &u64)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| (index * 64 + bit) as u32)
    };
    seen.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(bits).collect()
}

/// Each unit replaced, in the narrowest width that holds `max`.
fn narrowed<T: Unit>(units: &[T], max: u32, symbol: impl Fn(u32) -> u32) -> Text {
    // The casts keep every bit: no symbol is above `max`.
    if max <= u32::from(u8::MAX) {
        Text::U8(units.iter().map(|unit| symbol(unit.code()) as u8).collect())
    } else if max <= u32::from(u16::MAX) {
        Text::U16(units.iter().map(|unit| symbol(unit.code()) as u16).collect())
    } else {
        Text::U32(units.iter().map(|unit| symbol(unit.code())).collect())
    }
}

/// Symbols by code point in two loads, for whole texts.
struct Renumber {
    page_of: Vec<u16>,
    pages: Vec<[u32; PAGE_CHARS]>,
}

impl Renumber {
    fn new(codes: &[u32]) -> Self {
        let last = codes.last().copied().unwrap_or(0) as usize;
        let mut renumber = Self { page_of: vec![0; last / PAGE_CHARS + 1], pages: vec![[0; PAGE_CHARS]] };
        for (symbol, &code) in codes.iter().enumerate() {
            let page = &mut renumber.page_of[code as usize / PAGE_CHARS];
            if *page == 0 {
                *page = renumber.pages.len() as u16;
                renumber.pages.push([0; PAGE_CHARS]);
            }
            renumber.pages[usize::from(*page)][code as usize % PAGE_CHARS] = symbol as u32;
        }
        renumber
    }

    #[inline(always)]
    fn symbol(&self, code: u32) -> u32 {
        self.pages[usize::from(self.page_of[code as usize / PAGE_CHARS])][code as usize % PAGE_CHARS]
    }
}

/// Stands for a character that the text does not have.
pub(crate) const ABSENT: u32 = u32::MAX;

impl Alphabet {
    /// `needle` in symbols of width `T`, or `None` if the text does not have one of its
    /// characters.
    pub(crate) fn encode<T: Unit>(&self, needle: Units<'_>) -> Option<Vec<T>> {
        with_units!(needle, units => units.iter().map(|unit| T::from_code(self.symbol(unit.code())?)).collect())
    }

    /// `needle` in symbols, [`ABSENT`] where the text does not have the character.
    pub(crate) fn encode_lossy(&self, needle: Units<'_>) -> Vec<u32> {
        with_units!(needle, units => units.iter().map(|unit| self.symbol(unit.code()).unwrap_or(ABSENT)).collect())
    }

    /// Code point of a symbol of the text.
    pub(crate) fn code(&self, symbol: u32) -> u32 {
        match self {
            Self::Identity => symbol,
            Self::Dense(dense) => dense.codes[symbol as usize],
        }
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        match self {
            Self::Identity => 0,
            Self::Dense(dense) => dense.codes.capacity() * size_of::<u32>(),
        }
    }

    fn symbol(&self, code: u32) -> Option<u32> {
        match self {
            Self::Identity => Some(code),
            Self::Dense(dense) => dense.symbol(code),
        }
    }
}
