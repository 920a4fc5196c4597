//! What of a needle is counted, and what the count says.

use super::tile::{LOOK_AHEAD, Layout, MAX_LEAD, Tile, Wanted};
use super::{Block, Chances, Frequencies, MAX_RANK, bigram_in};
use crate::arch::count::{self, GROUP, Group, MAX_ROWS};
use crate::fuzzy::plan::share_above;
use crate::text::Unit;

/// A part of the needle, and how much of it a good window may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fuzzy) struct Piece {
    /// Where it starts in the needle.
    pub(in crate::fuzzy) offset: usize,
    /// Its characters.
    pub(in crate::fuzzy) len: usize,
    /// Bigrams of it that some good window has not.
    pub(in crate::fuzzy) broken: usize,
    /// Characters that its end may be shifted to the left.
    pub(in crate::fuzzy) left: usize,
    /// Characters that its end may be shifted to the right.
    pub(in crate::fuzzy) right: usize,
    /// Places that are judged together.
    pub(in crate::fuzzy) block: Block,
}

impl Piece {
    /// Piece number `index` of `pieces` of a needle of `needle` characters, of which a good window
    /// leaves out `out` at most.
    pub(in crate::fuzzy) fn new(needle: usize, out: usize, pieces: usize, index: usize, block: Block) -> Self {
        let (offset, end) = (index * needle / pieces, (index + 1) * needle / pieces);
        let broken = 3 * out / pieces;
        // A whole needle has as many characters more as it has less.
        let (left, right) = if pieces == 1 { (out, out) } else { ((broken / 2).min(out), broken.min(out)) };
        Self { offset, len: end - offset, broken, left, right, block }
    }

    /// Blocks in which a bigram at `offset` of the piece may stand: the first, and how many. The
    /// block of the window (or of the piece's beginning) is number 0, less `left` characters.
    fn blocks_of(&self, offset: usize) -> (usize, usize) {
        let first = self.block.of(offset);
        (first, self.block.of(offset + self.block.chars() - 1 + self.left + self.right) - first + 1)
    }

    /// Places that are or-ed together for each bigram; each stands for two blocks.
    fn places(&self) -> usize {
        let block = self.block.chars();
        let most = (2 * (block - 1) + self.left + self.right) / block + 1;
        most.div_ceil(2)
    }

    /// Whether tiles reach far enough for it.
    pub(in crate::fuzzy) fn fits(&self) -> bool {
        let block = self.block.chars();
        let reach = (self.len + block + self.left + self.right) / block + 2;
        self.len >= 2 && self.left <= MAX_LEAD && reach < LOOK_AHEAD && self.places() <= 3
    }
}

/// A bigram of a piece.
#[derive(Clone, Copy, Debug)]
struct Bigram {
    offset: u16,
    /// `None`: the text has no such bigram.
    number: Option<u16>,
    /// One more than its rank; 0 for one that the text has not: those come first.
    rank: u8,
}

/// Some bigrams of a piece, the rarest ones, and what counting them costs.
#[derive(Clone, Debug)]
pub(in crate::fuzzy) struct Choice {
    pub(in crate::fuzzy) piece: Piece,
    bigrams: Vec<Bigram>,
    /// For each block, in cycles: counting, and looking at it if the count is too high by chance.
    pub(in crate::fuzzy) cycles_per_block: f32,
}

/// Adding a row up, for each block, in cycles: measured. The widest vectors wait for memory.
pub(in crate::fuzzy) fn cycles_per_row() -> f32 {
    match count::vector_bytes() {
        64 => 4.6 / 512.0,
        bytes => 3.2 / (8 * bytes) as f32,
    }
}

/// What things cost.
#[derive(Clone, Copy, Debug)]
pub(in crate::fuzzy) struct Cycles {
    /// Looking at a block.
    pub(in crate::fuzzy) look: f32,
    /// Filing a bigram of the text, or this needle's share of it.
    pub(in crate::fuzzy) file: f32,
}

impl Choice {
    /// The bigrams that make filing, counting and looking cheapest. `None` if no choice of bigrams
    /// tells anything.
    pub(in crate::fuzzy) fn new<T: Unit>(
        needle: &[u32],
        piece: Piece,
        texts: &Frequencies,
        cycles: Cycles,
    ) -> Option<Self> {
        let mut bigrams = rarest_first::<T>(&needle[piece.offset..piece.offset + piece.len], texts);
        bigrams.truncate(MAX_ROWS);
        // In how many blocks a bigram may stand depends on where in a block it begins.
        let chars = piece.block.chars();
        let chances: [&Chances; Block::Large as usize] =
            std::array::from_fn(|place| texts.chances(piece.blocks_of(place % chars).1 * chars));
        let (mut mean, mut variance, mut filed) = (0.0, 0.0, 0.0);
        let (mut best, mut rows) = (f32::INFINITY, 0);
        for (index, bigram) in bigrams.iter().enumerate() {
            let chance = chances[usize::from(bigram.offset) % chars][usize::from(bigram.rank)];
            mean += chance;
            variance += chance * (1.0 - chance);
            filed += bigram.number.map_or(0.0, |number| texts.get(number.into())) * chars as f32;
            let taken = index + 1;
            if taken <= piece.broken || !(taken % GROUP == 0 || taken == bigrams.len()) {
                continue;
            }
            let share = share_above((taken - piece.broken) as f32, mean, variance);
            let total = filed * cycles.file + taken as f32 * cycles_per_row() + share * cycles.look;
            if total < best {
                (best, rows) = (total, taken);
            }
        }
        bigrams.truncate(rows);
        (rows > 0).then_some(Self { piece, bigrams, cycles_per_block: best })
    }

    /// Adds its bigrams to those that tiles need rows for.
    pub(in crate::fuzzy) fn want(&self, wanted: &mut Wanted) {
        self.bigrams.iter().filter_map(|bigram| bigram.number).for_each(|number| wanted.add(number.into()));
    }

    /// Ready for tiles of a layout.
    pub(in crate::fuzzy) fn probe(&self, layout: &Layout) -> Probe {
        let rows = match self.piece.places() {
            0..=2 => Rows::Two(self.groups(layout)),
            _ => Rows::Three(self.groups(layout)),
        };
        Probe { rows, bigrams: self.bigrams.len() as u32, broken: self.piece.broken as u32, left: self.piece.left }
    }

    fn groups<const R: usize>(&self, layout: &Layout) -> Vec<Group<R>> {
        let mut groups = vec![[[0; R]; GROUP]; self.bigrams.len().div_ceil(GROUP)];
        let slots = groups.as_flattened_mut().iter_mut();
        for (slot, bigram) in slots.zip(&self.bigrams) {
            let Some(number) = bigram.number else { continue };
            let (first, blocks) = self.piece.blocks_of(bigram.offset.into());
            debug_assert!(blocks <= 2 * R);
            // Fits: a layout has fewer bytes, and a piece reaches a few blocks.
            *slot = std::array::from_fn(|place| {
                layout.row_of(number.into()) + (first + (2 * place).min(blocks.max(2) - 2)) as u32
            });
        }
        // The slots that are left are those of bigrams that the text has not: the empty row.
        groups
    }
}

/// The bigrams of a piece, which [`fits`](Piece::fits), by their ranks: counted, then dealt out.
fn rarest_first<T: Unit>(needle: &[u32], texts: &Frequencies) -> Vec<Bigram> {
    let mut starts = [0_usize; MAX_RANK + 2];
    let mut in_turn = Vec::with_capacity(needle.len());
    for (offset, pair) in needle.windows(2).enumerate() {
        let number = bigram_in::<T>(pair);
        let rank = number.map_or(0, |number| texts.rank(number) + 1);
        starts[rank + 1] += 1;
        // They fit: a piece reaches a few blocks, and there are a thousand bigrams.
        in_turn.push(Bigram { offset: offset as u16, number: number.map(|number| number as u16), rank: rank as u8 });
    }
    (1..starts.len()).for_each(|rank| starts[rank] += starts[rank - 1]);
    let mut bigrams = vec![Bigram { offset: 0, number: None, rank: 0 }; in_turn.len()];
    for bigram in in_turn {
        let slot = &mut starts[usize::from(bigram.rank)];
        bigrams[*slot] = bigram;
        *slot += 1;
    }
    bigrams
}

/// Bigrams of a piece as places in the rows of tiles.
#[derive(Debug)]
pub(in crate::fuzzy) struct Probe {
    rows: Rows,
    bigrams: u32,
    broken: u32,
    left: usize,
}

/// By the number of places for each bigram.
#[derive(Debug)]
enum Rows {
    Two(Vec<Group<2>>),
    Three(Vec<Group<3>>),
}

impl Probe {
    /// Calls `found` with every block of `tile` that is not excluded: the first of the
    /// places where a good window (or the piece in it) may begin, and how many bigrams are
    /// missing.
    pub(in crate::fuzzy) fn count(&self, layout: &Layout, tile: &Tile, mut found: impl FnMut(isize, u32)) {
        let threshold = self.bigrams - self.broken;
        let columns = layout.columns();
        let mut report = |byte: usize, bit: usize, count: u32| {
            found(tile.place_of(layout, bit * columns + byte) + self.left as isize, self.bigrams - count);
        };
        match &self.rows {
            Rows::Two(groups) => count::count(tile.rows(), columns, groups, threshold, &mut report),
            Rows::Three(groups) => count::count(tile.rows(), columns, groups, threshold, &mut report),
        }
    }

    /// Counting in one tile.
    pub(in crate::fuzzy) fn cycles(&self, layout: &Layout) -> f32 {
        self.bigrams as f32 * cycles_per_row() * (8 * layout.columns()) as f32
    }

    /// Vectors added up for one tile, as characters of work.
    pub(in crate::fuzzy) fn work_chars(&self, layout: &Layout) -> usize {
        self.bigrams as usize * layout.columns() / 8
    }
}
