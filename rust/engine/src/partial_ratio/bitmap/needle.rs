//! The needle's side of the bitmaps: its partitions, the bigrams of each that are counted, and counting them in a tile.
//!
//! The rarest bigrams of the text are counted, in the number that makes the search cheapest.

use super::tile::{BitmapLayout, BitmapTile, LOOK_AHEAD, MAX_LEAD, RequiredRows};
use super::{BigramFrequencies, BlockSize, MAX_RANK, bigram_in};
use crate::arch::bit_counter::{self, MAX_THRESHOLD, ROWS_PER_GROUP, RowGroup};
use crate::partial_ratio::cost::share_above;
use crate::text::CodeUnit;

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
    fn blocks_of(&self, offset: usize) -> (usize, usize) {
        let first = self.block.of(offset);
        (first, self.block.of(offset + self.block.chars() - 1 + self.left + self.right) - first + 1)
    }

    /// Returns the number of bits or-ed for each bigram. Each bit represents two blocks.
    fn places(&self) -> usize {
        let block = self.block.chars();
        let most = (2 * (block - 1) + self.left + self.right) / block + 1;
        most.div_ceil(2)
    }

    /// Returns whether the partition fits the counters and the lookahead of a tile.
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

/// The needle's bigrams with their ranks in a text.
#[derive(Debug)]
pub(in crate::partial_ratio) struct Bigrams<'a> {
    texts: &'a BigramFrequencies,
    ranked: Vec<RankedBigram>,
}

#[derive(Clone, Copy, Debug)]
struct RankedBigram {
    number: u16,
    /// The rank plus one, or 0 for a bigram that is not in the text, whose `number` is meaningless.
    rank: u8,
}

/// The end of each rank among the bigrams of a partition, sorted from rare to frequent. Bigrams that are not in the
/// text come first.
type Ends = [usize; MAX_RANK + 1];

/// Step between the numbers of rows that are tried.
const STEP: usize = 2 * ROWS_PER_GROUP;

/// The costs of counting, in cycles.
#[derive(Clone, Copy, Debug)]
pub(in crate::partial_ratio) struct Cycles {
    /// Cost of scoring a block.
    pub(in crate::partial_ratio) score: f32,
    /// Cost of inserting a bigram of the text, or this needle's share of that.
    pub(in crate::partial_ratio) insert: f32,
}

/// The bigrams of a partition to count, and the costs per block in cycles.
#[derive(Clone, Copy, Debug)]
pub(in crate::partial_ratio) struct RowChoice {
    /// How many of the rarest bigrams to count.
    pub(in crate::partial_ratio) rows: usize,
    /// Cost of adding their rows.
    pub(in crate::partial_ratio) counting: f32,
    /// Cost of scoring the block if its count is high by chance.
    pub(in crate::partial_ratio) scoring: f32,
}

impl<'a> Bigrams<'a> {
    pub(in crate::partial_ratio) fn new<T: CodeUnit>(needle: &[u32], texts: &'a BigramFrequencies) -> Self {
        let ranks = &texts.ranked().ranks;
        let ranked = needle.windows(2).map(|pair| match bigram_in::<T>(pair) {
            // Fits, because there are 1,024 bigrams.
            Some(number) => RankedBigram { number: number as u16, rank: ranks[number] + 1 },
            None => RankedBigram { number: 0, rank: 0 },
        });
        Self { texts, ranked: ranked.collect() }
    }

    fn of(&self, partition: Partition) -> &[RankedBigram] {
        &self.ranked[partition.offset..partition.offset + partition.len - 1]
    }

    fn ends(&self, partition: Partition) -> Ends {
        let mut ends = [0; MAX_RANK + 1];
        self.of(partition).iter().for_each(|bigram| ends[usize::from(bigram.rank)] += 1);
        (1..ends.len()).for_each(|rank| ends[rank] += ends[rank - 1]);
        ends
    }

    /// Returns how many of the rarest bigrams of `partition` to count, or `None` if no number of bigrams excludes
    /// anything.
    pub(in crate::partial_ratio) fn cheapest_rows(&self, partition: Partition, cycles: Cycles) -> Option<RowChoice> {
        let ends = self.ends(partition);
        let chars = partition.block.chars();
        // The number of blocks of a bigram depends on its position in a block; the middle is typical.
        let chances = self.texts.chances(partition.blocks_of(chars / 2).1 * chars);
        let shares = &self.texts.ranked().shares;
        let all = ends[MAX_RANK].min(partition.broken + MAX_THRESHOLD);
        let (mut rank, mut rows) = (0, 0);
        let (mut mean, mut variance, mut inserted) = (0.0, 0.0, 0.0);
        let (mut best, mut least) = (None, f32::INFINITY);
        while rows < all && rows as f32 * cycles_per_row() < least {
            let taken = (rows + STEP).min(all);
            while rows < taken {
                let some = ends[rank].min(taken) - rows;
                mean += some as f32 * chances[rank];
                variance += some as f32 * chances[rank] * (1.0 - chances[rank]);
                inserted += some as f32 * shares[rank];
                rows += some;
                rank += usize::from(rows < taken);
            }
            if rows <= partition.broken {
                continue;
            }
            let share = share_above((rows - partition.broken) as f32, mean, variance);
            let counting = inserted * chars as f32 * cycles.insert + rows as f32 * cycles_per_row();
            let scoring = share * cycles.score;
            if counting + scoring < least {
                (best, least) = (Some(RowChoice { rows, counting, scoring }), counting + scoring);
            }
        }
        best
    }
}

/// A bigram of a partition, with its offset.
#[derive(Clone, Copy, Debug, Default)]
struct Bigram {
    offset: u16,
    /// The number of the bigram; `None` if it is not in the text.
    number: Option<u16>,
}

/// The selected bigrams of a partition.
#[derive(Clone, Debug)]
pub(in crate::partial_ratio) struct BigramSelection {
    pub(in crate::partial_ratio) partition: Partition,
    bigrams: Vec<Bigram>,
}

impl BigramSelection {
    /// Selects the `rows` rarest bigrams of a partition, or all if it has fewer. Returns `None` if they exclude
    /// nothing.
    pub(in crate::partial_ratio) fn new(partition: Partition, needle: &Bigrams<'_>, rows: usize) -> Option<Self> {
        let ends = needle.ends(partition);
        let rows = Some(rows.min(ends[MAX_RANK])).filter(|&rows| rows > partition.broken)?;
        let mut slots = [0; MAX_RANK + 1];
        slots[1..].copy_from_slice(&ends[..MAX_RANK]);
        let mut bigrams = vec![Bigram::default(); rows];
        for (offset, &RankedBigram { number, rank }) in needle.of(partition).iter().enumerate() {
            let slot = &mut slots[usize::from(rank)];
            if let Some(bigram) = bigrams.get_mut(*slot) {
                // Fits, because a partition has few blocks.
                *bigram = Bigram { offset: offset as u16, number: (rank > 0).then_some(number) };
            }
            *slot += 1;
        }
        Some(Self { partition, bigrams })
    }

    /// Adds the selected bigrams to the required rows.
    pub(in crate::partial_ratio) fn require(&self, required: &mut RequiredRows) {
        self.bigrams.iter().filter_map(|bigram| bigram.number).for_each(|number| required.add(number.into()));
    }

    /// Prepares counting in tiles of `layout`.
    pub(in crate::partial_ratio) fn probe(&self, layout: &BitmapLayout) -> BitmapQuery {
        let rows = match self.partition.places() {
            0..=2 => Rows::Two(self.groups(layout)),
            _ => Rows::Three(self.groups(layout)),
        };
        BitmapQuery {
            rows,
            bigrams: self.bigrams.len() as u32,
            broken: self.partition.broken as u32,
            left: self.partition.left,
        }
    }

    fn groups<const R: usize>(&self, layout: &BitmapLayout) -> Vec<RowGroup<R>> {
        let mut groups = vec![[[0; R]; ROWS_PER_GROUP]; self.bigrams.len().div_ceil(ROWS_PER_GROUP)];
        let slots = groups.as_flattened_mut().iter_mut();
        for (slot, bigram) in slots.zip(&self.bigrams) {
            let Some(number) = bigram.number else { continue };
            let (first, blocks) = self.partition.blocks_of(bigram.offset.into());
            debug_assert!(blocks <= 2 * R);
            // Fits, because a layout has fewer bytes and a partition has few blocks.
            *slot = std::array::from_fn(|place| {
                layout.row_of(number.into()) + (first + (2 * place).min(blocks.max(2) - 2)) as u32
            });
        }
        // Bigrams that are not in the text keep the empty row, like the slots after the last bigram.
        groups
    }
}

/// The bigrams of a partition, as offsets of bitmap rows in a tile.
#[derive(Debug)]
pub(in crate::partial_ratio) struct BitmapQuery {
    rows: Rows,
    bigrams: u32,
    broken: u32,
    left: usize,
}

/// The groups, by the number of bits or-ed for each bigram.
#[derive(Debug)]
enum Rows {
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
