//! Pattern masks: the positions of each character in the needle, as bits.

use crate::alphabet::ABSENT;
use crate::code_point_map::CodePointMap;
use crate::text::{CodeUnit, TextRef, dispatch};

/// The masks of a needle for bit-parallel kernels on texts with code units of type `T`.
#[derive(Clone, Debug)]
pub(crate) struct PatternMask<T: MaskUnit> {
    row_of: T::Rows,
    /// One row of `words` words for each distinct character of the needle; row 0 is empty.
    rows: Vec<u64>,
    words: usize,
}

/// Number of words per block of a long needle.
pub(crate) const BLOCK_WORDS: usize = 4;

/// Number of rows reserved in advance; enough for most sentences.
const MAX_RESERVED_ROWS: usize = 40;

/// Returns the number of words per row: as few as the needle needs, up to one block, then whole blocks.
fn words_for(len: usize) -> usize {
    let words = len.div_ceil(64);
    if words <= BLOCK_WORDS { words } else { words.next_multiple_of(BLOCK_WORDS) }
}

/// Returns whether the masks of any needle of `len` characters take at most 64 MiB.
pub(crate) fn are_small<T: CodeUnit>(len: usize) -> bool {
    let rows = len.min(if size_of::<T>() == 1 { 256 } else { usize::MAX });
    rows.saturating_mul(words_for(len)) <= MAX_WORDS
}

/// Maximum number of words of masks: 64 MiB.
const MAX_WORDS: usize = 1 << 23;

/// A code unit of a text, with its table of rows.
pub(crate) trait MaskUnit: CodeUnit {
    /// The table of rows.
    type Rows: Rows<Self>;
}

/// A map from characters to rows. Characters that are not set map to row 0.
pub(crate) trait Rows<T>: Clone + Default + Send + Sync {
    fn get(&self, unit: T) -> usize;
    fn set(&mut self, unit: T, row: usize);
}

impl<T: MaskUnit> PatternMask<T> {
    /// Builds the masks of `needle`. Characters that do not fit `T` match nothing.
    pub(crate) fn new(needle: TextRef<'_>) -> Self {
        Self::with_words(needle, words_for(needle.len()))
    }

    /// Builds the masks with `words` words per row, which must be enough for `needle`.
    pub(crate) fn with_words(needle: TextRef<'_>, words: usize) -> Self {
        dispatch!(needle, units => Self::of_codes(units.iter().map(|unit| unit.code_point()), words))
    }

    fn of_codes(needle: impl ExactSizeIterator<Item = u32>, words: usize) -> Self {
        let rows = vec![0; words * (1 + needle.len().min(MAX_RESERVED_ROWS))];
        let mut masks = Self { row_of: T::Rows::default(), rows, words };
        let mut used = 1;
        for (position, code) in needle.enumerate() {
            let Some(unit) = T::from_code(code).filter(|_| code != ABSENT) else { continue };
            let mut row = masks.row_of.get(unit);
            if row == 0 {
                row = used;
                used += 1;
                masks.row_of.set(unit, row);
                if masks.rows.len() < used * words {
                    masks.rows.resize(2 * masks.rows.len(), 0);
                }
            }
            masks.rows[row * words + position / 64] |= 1 << (position % 64);
        }
        masks.rows.truncate(used * words);
        masks
    }

    /// Returns the masks of the reversed needle, whose length is `len`.
    pub(crate) fn reversed(mut self, len: usize) -> Self {
        let padding = self.words * 64 - len;
        let (skipped, shift) = (padding / 64, padding % 64);
        for row in self.rows.chunks_exact_mut(self.words) {
            row.reverse();
            row.iter_mut().for_each(|word| *word = word.reverse_bits());
            // The padding is now at the low end.
            row.rotate_left(skipped);
            for index in 0..row.len() {
                let above = row.get(index + 1).map_or(0, |&word| word.checked_shl(64 - shift as u32).unwrap_or(0));
                row[index] = row[index] >> shift | above;
            }
        }
        self
    }

    /// Returns the number of words per row.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    #[inline(always)]
    pub(crate) fn row_of(&self, unit: T) -> usize {
        self.row_of.get(unit)
    }

    /// Returns all rows, divided into chunks of `W` words.
    #[inline(always)]
    pub(crate) fn rows_of<const W: usize>(&self) -> &[[u64; W]] {
        self.rows.as_chunks().0
    }
}

/// A direct table for all 256 characters.
#[derive(Clone, Debug)]
pub(crate) struct DirectRows([u16; 256]);

impl Default for DirectRows {
    fn default() -> Self {
        Self([0; 256])
    }
}

impl Rows<u8> for DirectRows {
    #[inline(always)]
    fn get(&self, unit: u8) -> usize {
        usize::from(self.0[usize::from(unit)])
    }

    fn set(&mut self, unit: u8, row: usize) {
        // Fits, because there are at most 256 distinct characters.
        self.0[usize::from(unit)] = row as u16;
    }
}

/// A sparse table with blocks of 64 characters, allocated only for the characters of the needle.
#[derive(Clone, Debug)]
pub(crate) struct SparseRows(CodePointMap<u32, 64>);

/// Number of blocks reserved in advance; enough for most needles.
const RESERVED_PAGES: usize = 32;

/// The last code point for which block numbers are reserved; it includes most Han characters.
const RESERVED_CODE: usize = 0x9FFF;

impl Default for SparseRows {
    fn default() -> Self {
        Self(CodePointMap::with_capacity(RESERVED_PAGES, RESERVED_CODE))
    }
}

impl<T: CodeUnit> Rows<T> for SparseRows {
    #[inline(always)]
    fn get(&self, unit: T) -> usize {
        self.0.get(unit.code_point()) as usize
    }

    fn set(&mut self, unit: T, row: usize) {
        // Fits, because there is at most one row for each character of the needle.
        self.0.set(unit.code_point(), row as u32);
    }
}

impl MaskUnit for u8 {
    type Rows = DirectRows;
}

impl MaskUnit for u16 {
    type Rows = SparseRows;
}

impl MaskUnit for u32 {
    type Rows = SparseRows;
}
