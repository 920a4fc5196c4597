//! For each character of a text: at which places of the needle it stands, as bits.

use crate::alphabet::ABSENT;
use crate::text::Unit;

const PAGE_CHARS: usize = 256;

/// A needle prepared for bit-parallel kernels whose text has units of type `T`.
#[derive(Debug)]
pub(crate) struct Masks<T: Symbol> {
    row_of: T::Rows,
    /// One row of `words` words for each different character of the needle; row 0 is empty.
    rows: Vec<u64>,
    words: usize,
}

/// A unit that knows how to find a character's row.
pub(crate) trait Symbol: Unit {
    /// The table.
    type Rows: Rows<Self>;
}

/// Row numbers by character; row 0 for all that were not set.
pub(crate) trait Rows<T>: Default {
    fn get(&self, unit: T) -> usize;
    fn set(&mut self, unit: T, row: usize);
}

impl<T: Symbol> Masks<T> {
    /// Prepares `needle`; characters that do not fit into a `T` match nothing.
    pub(crate) fn new(needle: impl ExactSizeIterator<Item = u32>) -> Self {
        let words = needle.len().div_ceil(64);
        let mut masks = Self { row_of: T::Rows::default(), rows: vec![0; words], words };
        for (position, code) in needle.enumerate() {
            let Some(unit) = T::from_code(code).filter(|_| code != ABSENT) else { continue };
            let mut row = masks.row_of.get(unit);
            if row == 0 {
                row = masks.rows.len() / words;
                masks.row_of.set(unit, row);
                masks.rows.resize(masks.rows.len() + words, 0);
            }
            masks.rows[row * words + position / 64] |= 1 << (position % 64);
        }
        masks
    }

    /// Words in a row.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The places of `unit`.
    #[inline(always)]
    pub(crate) fn row(&self, unit: T) -> &[u64] {
        let start = self.row_of.get(unit) * self.words;
        &self.rows[start..start + self.words]
    }

    /// The places of `unit`, for a needle of at most `64 · W` characters that was prepared with
    /// exactly `W` words.
    #[inline(always)]
    pub(crate) fn row_fixed<const W: usize>(&self, unit: T) -> &[u64; W] {
        &self.rows.as_chunks::<W>().0[self.row_of.get(unit)]
    }
}

/// One table for all 256 characters.
#[derive(Debug)]
pub(crate) struct FlatRows([u16; 256]);

impl Default for FlatRows {
    fn default() -> Self {
        Self([0; 256])
    }
}

impl Rows<u8> for FlatRows {
    #[inline(always)]
    fn get(&self, unit: u8) -> usize {
        usize::from(self.0[usize::from(unit)])
    }

    fn set(&mut self, unit: u8, row: usize) {
        // Fits: there are at most 256 different characters.
        self.0[usize::from(unit)] = row as u16;
    }
}

/// Pages of 256 characters, only those that the needle touches.
#[derive(Debug)]
pub(crate) struct PagedRows {
    page_of: Vec<u16>,
    pages: Vec<[u32; PAGE_CHARS]>,
}

impl Default for PagedRows {
    fn default() -> Self {
        Self { page_of: Vec::new(), pages: vec![[0; PAGE_CHARS]] }
    }
}

impl<T: Unit> Rows<T> for PagedRows {
    #[inline(always)]
    fn get(&self, unit: T) -> usize {
        let code = unit.code() as usize;
        let page = self.page_of.get(code / PAGE_CHARS).copied().unwrap_or(0);
        self.pages[usize::from(page)][code % PAGE_CHARS] as usize
    }

    fn set(&mut self, unit: T, row: usize) {
        let code = unit.code() as usize;
        let index = code / PAGE_CHARS;
        if self.page_of.len() <= index {
            self.page_of.resize(index + 1, 0);
        }
        if self.page_of[index] == 0 {
            self.page_of[index] = self.pages.len() as u16;
            self.pages.push([0; PAGE_CHARS]);
        }
        // Fits: there is at most one row for each character of the needle.
        self.pages[usize::from(self.page_of[index])][code % PAGE_CHARS] = row as u32;
    }
}

impl Symbol for u8 {
    type Rows = FlatRows;
}

impl Symbol for u16 {
    type Rows = PagedRows;
}

impl Symbol for u32 {
    type Rows = PagedRows;
}
