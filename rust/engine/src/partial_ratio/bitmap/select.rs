//! Selects which bigrams of a needle to count: the rarest in the text, as many as make the search cheapest.

use super::count::{Piece, Probe, Rows, cycles_per_row};
use super::tile::{Layout, Wanted};
use super::{Frequencies, MAX_RANK, bigram_in};
use crate::arch::bit_counter::{GROUP, Group, MAX_THRESHOLD};
use crate::partial_ratio::cost::share_above;
use crate::text::CodeUnit;

/// The needle's bigrams with their ranks in a text.
#[derive(Debug)]
pub(in crate::partial_ratio) struct Bigrams<'a> {
    texts: &'a Frequencies,
    ranked: Vec<Ranked>,
}

/// A bigram with its rank.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    number: u16,
    /// The rank plus one, or 0 for a bigram that is not in the text, whose `number` is meaningless.
    rank: u8,
}

/// The end of each rank among the bigrams of a partition, sorted from rare to frequent. Bigrams that are not in the
/// text come first.
type Ends = [usize; MAX_RANK + 1];

/// Step between the numbers of rows that are tried.
const STEP: usize = 2 * GROUP;

/// The costs of counting, in cycles.
#[derive(Clone, Copy, Debug)]
pub(in crate::partial_ratio) struct Cycles {
    /// Cost of scoring a block.
    pub(in crate::partial_ratio) look: f32,
    /// Cost of inserting a bigram of the text, or this needle's share of that.
    pub(in crate::partial_ratio) file: f32,
}

impl<'a> Bigrams<'a> {
    pub(in crate::partial_ratio) fn new<T: CodeUnit>(needle: &[u32], texts: &'a Frequencies) -> Self {
        let ranks = &texts.ranked().ranks;
        let ranked = needle.windows(2).map(|pair| match bigram_in::<T>(pair) {
            // Fits, because there are 1,024 bigrams.
            Some(number) => Ranked { number: number as u16, rank: ranks[number] + 1 },
            None => Ranked { number: 0, rank: 0 },
        });
        Self { texts, ranked: ranked.collect() }
    }

    fn of(&self, piece: Piece) -> &[Ranked] {
        &self.ranked[piece.offset..piece.offset + piece.len - 1]
    }

    fn ends(&self, piece: Piece) -> Ends {
        let mut ends = [0; MAX_RANK + 1];
        self.of(piece).iter().for_each(|bigram| ends[usize::from(bigram.rank)] += 1);
        (1..ends.len()).for_each(|rank| ends[rank] += ends[rank - 1]);
        ends
    }

    /// Returns how many of the rarest bigrams of `piece` to count, and the cost per block in cycles, or `None` if no
    /// number of bigrams excludes anything.
    ///
    /// The cost is that of adding the rows, and of scoring the block if its count is high by chance.
    pub(in crate::partial_ratio) fn cheapest_rows(&self, piece: Piece, cycles: Cycles) -> Option<(usize, f32)> {
        let ends = self.ends(piece);
        let chars = piece.block.chars();
        // The number of blocks of a bigram depends on its position in a block; the middle is typical.
        let chances = self.texts.chances(piece.blocks_of(chars / 2).1 * chars);
        let shares = &self.texts.ranked().shares;
        let all = ends[MAX_RANK].min(piece.broken + MAX_THRESHOLD);
        let (mut rank, mut rows) = (0, 0);
        let (mut mean, mut variance, mut filed) = (0.0, 0.0, 0.0);
        let (mut best, mut least) = (None, f32::INFINITY);
        while rows < all && rows as f32 * cycles_per_row() < least {
            let taken = (rows + STEP).min(all);
            while rows < taken {
                let some = ends[rank].min(taken) - rows;
                mean += some as f32 * chances[rank];
                variance += some as f32 * chances[rank] * (1.0 - chances[rank]);
                filed += some as f32 * shares[rank];
                rows += some;
                rank += usize::from(rows < taken);
            }
            if rows <= piece.broken {
                continue;
            }
            let share = share_above((rows - piece.broken) as f32, mean, variance);
            let total = filed * chars as f32 * cycles.file + rows as f32 * cycles_per_row() + share * cycles.look;
            if total < least {
                (best, least) = (Some((rows, total)), total);
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
pub(in crate::partial_ratio) struct Choice {
    pub(in crate::partial_ratio) piece: Piece,
    bigrams: Vec<Bigram>,
}

impl Choice {
    /// Selects the `rows` rarest bigrams of a partition, or all if it has fewer. Returns `None` if they exclude
    /// nothing.
    pub(in crate::partial_ratio) fn new(piece: Piece, needle: &Bigrams<'_>, rows: usize) -> Option<Self> {
        let ends = needle.ends(piece);
        let rows = Some(rows.min(ends[MAX_RANK])).filter(|&rows| rows > piece.broken)?;
        let mut slots = [0; MAX_RANK + 1];
        slots[1..].copy_from_slice(&ends[..MAX_RANK]);
        let mut bigrams = vec![Bigram::default(); rows];
        for (offset, &Ranked { number, rank }) in needle.of(piece).iter().enumerate() {
            let slot = &mut slots[usize::from(rank)];
            if let Some(bigram) = bigrams.get_mut(*slot) {
                // Fits, because a partition has few blocks.
                *bigram = Bigram { offset: offset as u16, number: (rank > 0).then_some(number) };
            }
            *slot += 1;
        }
        Some(Self { piece, bigrams })
    }

    /// Adds the selected bigrams to the required rows.
    pub(in crate::partial_ratio) fn want(&self, wanted: &mut Wanted) {
        self.bigrams.iter().filter_map(|bigram| bigram.number).for_each(|number| wanted.add(number.into()));
    }

    /// Prepares counting in tiles of `layout`.
    pub(in crate::partial_ratio) fn probe(&self, layout: &Layout) -> Probe {
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
            // Fits, because a layout has fewer bytes and a partition has few blocks.
            *slot = std::array::from_fn(|place| {
                layout.row_of(number.into()) + (first + (2 * place).min(blocks.max(2) - 2)) as u32
            });
        }
        // Bigrams that are not in the text keep the empty row, like the slots after the last bigram.
        groups
    }
}
