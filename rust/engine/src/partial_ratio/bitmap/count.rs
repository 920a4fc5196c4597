//! What a count of bigrams says.

use super::Block;
use super::tile::{LOOK_AHEAD, Layout, MAX_LEAD, Tile};
use crate::arch::bit_counter::{self, Group};

/// A part of the needle, and how much of it a good window may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::partial_ratio) struct Piece {
    /// Where it starts in the needle.
    pub(in crate::partial_ratio) offset: usize,
    /// Its characters.
    pub(in crate::partial_ratio) len: usize,
    /// Bigrams of it that some good window has not.
    pub(in crate::partial_ratio) broken: usize,
    /// Characters that its end may be shifted to the left.
    pub(in crate::partial_ratio) left: usize,
    /// Characters that its end may be shifted to the right.
    pub(in crate::partial_ratio) right: usize,
    /// Places that are judged together.
    pub(in crate::partial_ratio) block: Block,
}

impl Piece {
    /// Piece number `index` of `pieces` of a needle of `needle` characters, of which a good window
    /// leaves out `out` at most.
    pub(in crate::partial_ratio) fn new(needle: usize, out: usize, pieces: usize, index: usize, block: Block) -> Self {
        let (offset, end) = (index * needle / pieces, (index + 1) * needle / pieces);
        let broken = 3 * out / pieces;
        // A whole needle has as many characters more as it has less.
        let (left, right) = if pieces == 1 { (out, out) } else { ((broken / 2).min(out), broken.min(out)) };
        Self { offset, len: end - offset, broken, left, right, block }
    }

    /// Blocks in which a bigram at `offset` of the piece may stand: the first, and how many. The
    /// block of the window (or of the piece's beginning) is number 0, less `left` characters.
    pub(super) fn blocks_of(&self, offset: usize) -> (usize, usize) {
        let first = self.block.of(offset);
        (first, self.block.of(offset + self.block.chars() - 1 + self.left + self.right) - first + 1)
    }

    /// Places that are or-ed together for each bigram; each stands for two blocks.
    pub(super) fn places(&self) -> usize {
        let block = self.block.chars();
        let most = (2 * (block - 1) + self.left + self.right) / block + 1;
        most.div_ceil(2)
    }

    /// Whether tiles reach far enough for it.
    pub(in crate::partial_ratio) fn fits(&self) -> bool {
        let block = self.block.chars();
        let reach = (self.len + block + self.left + self.right) / block + 2;
        let is_near = self.left <= MAX_LEAD && reach < LOOK_AHEAD && self.places() <= 3;
        is_near && self.len >= 2 && self.broken <= bit_counter::MAX_ABOVE
    }
}

/// Adding a row up, for each block, in cycles: measured. The widest vectors wait for memory.
pub(in crate::partial_ratio) fn cycles_per_row() -> f32 {
    match bit_counter::vector_bytes() {
        64 => 4.6 / 512.0,
        bytes => 3.2 / (8 * bytes) as f32,
    }
}

/// Bigrams of a piece as places in the rows of tiles.
#[derive(Debug)]
pub(in crate::partial_ratio) struct Probe {
    pub(super) rows: Rows,
    pub(super) bigrams: u32,
    pub(super) broken: u32,
    pub(super) left: usize,
}

/// By the number of places for each bigram.
#[derive(Debug)]
pub(super) enum Rows {
    Two(Vec<Group<2>>),
    Three(Vec<Group<3>>),
}

impl Probe {
    /// Calls `found` with every block of `tile` that is not excluded: the first of the
    /// places where a good window (or the piece in it) may begin, and how many bigrams are
    /// missing.
    pub(in crate::partial_ratio) fn count(&self, layout: &Layout, tile: &Tile, mut found: impl FnMut(isize, u32)) {
        let threshold = self.bigrams - self.broken;
        let columns = layout.columns();
        let mut report = |byte: usize, bit: usize, count: u32| {
            found(tile.place_of(layout, bit * columns + byte) + self.left as isize, self.bigrams - count);
        };
        match &self.rows {
            Rows::Two(groups) => bit_counter::count(tile.rows(), columns, groups, threshold, &mut report),
            Rows::Three(groups) => bit_counter::count(tile.rows(), columns, groups, threshold, &mut report),
        }
    }

    /// Counting in one tile.
    pub(in crate::partial_ratio) fn cycles(&self, layout: &Layout) -> f32 {
        self.bigrams as f32 * cycles_per_row() * (8 * layout.columns()) as f32
    }

    /// Vectors added up for one tile, as characters of work.
    pub(in crate::partial_ratio) fn work_chars(&self, layout: &Layout) -> usize {
        self.bigrams as usize * layout.columns() / 8
    }
}
