//! Counts the bigrams of a needle in a bitmap tile.

use super::BlockSize;
use super::tile::{BitmapLayout, BitmapTile, LOOK_AHEAD, MAX_LEAD};
use crate::arch::bit_counter::{self, RowGroup};

/// A partition of the needle, with the limits for a good window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::partial_ratio) struct Partition {
    /// The start of the partition in the needle.
    pub(in crate::partial_ratio) offset: usize,
    /// The length of the partition, in characters.
    pub(in crate::partial_ratio) len: usize,
    /// The maximum number of its bigrams missing from a good window.
    pub(in crate::partial_ratio) broken: usize,
    /// The maximum shift of its end to the left, in characters.
    pub(in crate::partial_ratio) left: usize,
    /// The maximum shift of its end to the right, in characters.
    pub(in crate::partial_ratio) right: usize,
    /// The size of the blocks of positions.
    pub(in crate::partial_ratio) block: BlockSize,
}

impl Partition {
    /// Returns partition `index` of `partitions` for a needle of `needle` characters. At most `out` of these are
    /// outside the LCS with a good window.
    pub(in crate::partial_ratio) fn new(
        needle: usize,
        out: usize,
        partitions: usize,
        index: usize,
        block: BlockSize,
    ) -> Self {
        let (offset, end) = (index * needle / partitions, (index + 1) * needle / partitions);
        let broken = 3 * out / partitions;
        // A whole needle gains as many characters as it loses.
        let (left, right) = if partitions == 1 { (out, out) } else { ((broken / 2).min(out), broken.min(out)) };
        Self { offset, len: end - offset, broken, left, right, block }
    }

    /// Returns the first block that may contain the bigram at `offset` of the partition, and the number of such blocks.
    /// Block 0 is the block of the window (or of the beginning of the partition), minus `left` characters.
    pub(super) fn blocks_of(&self, offset: usize) -> (usize, usize) {
        let first = self.block.of(offset);
        (first, self.block.of(offset + self.block.chars() - 1 + self.left + self.right) - first + 1)
    }

    /// Returns the number of bits or-ed for each bigram. Each bit represents two blocks.
    pub(super) fn places(&self) -> usize {
        let block = self.block.chars();
        let most = (2 * (block - 1) + self.left + self.right) / block + 1;
        most.div_ceil(2)
    }

    /// Returns whether the partition fits the counters and the look-ahead of a tile.
    pub(in crate::partial_ratio) fn fits(&self) -> bool {
        let block = self.block.chars();
        let reach = (self.len + block + self.left + self.right) / block + 2;
        let is_near = self.left <= MAX_LEAD && reach < LOOK_AHEAD && self.places() <= 3;
        is_near && self.len >= 2 && self.broken <= bit_counter::MAX_ABOVE
    }
}

/// Returns the measured cost of adding a row, in cycles per block. With the widest vectors, the processor waits for
/// memory.
pub(in crate::partial_ratio) fn cycles_per_row() -> f32 {
    match bit_counter::vector_bytes() {
        64 => 4.6 / 512.0,
        bytes => 3.2 / (8 * bytes) as f32,
    }
}

/// The bigrams of a partition, as offsets of bitmap rows in a tile.
#[derive(Debug)]
pub(in crate::partial_ratio) struct BitmapQuery {
    pub(super) rows: Rows,
    pub(super) bigrams: u32,
    pub(super) broken: u32,
    pub(super) left: usize,
}

/// The groups, by the number of bits or-ed for each bigram.
#[derive(Debug)]
pub(super) enum Rows {
    Two(Vec<RowGroup<2>>),
    Three(Vec<RowGroup<3>>),
}

impl BitmapQuery {
    /// Calls `found` for each block of `tile` that is not excluded, with the first position at which a good window (or
    /// the partition in it) may begin, and the number of missing bigrams.
    pub(in crate::partial_ratio) fn count(
        &self,
        layout: &BitmapLayout,
        tile: &BitmapTile,
        mut found: impl FnMut(isize, u32),
    ) {
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

    /// Returns the cost of counting in one tile, in cycles.
    pub(in crate::partial_ratio) fn cycles(&self, layout: &BitmapLayout) -> f32 {
        self.bigrams as f32 * cycles_per_row() * (8 * layout.columns()) as f32
    }

    /// Returns the work for one tile, in characters for the meter.
    pub(in crate::partial_ratio) fn work_chars(&self, layout: &BitmapLayout) -> usize {
        self.bigrams as usize * layout.columns() / 8
    }
}
