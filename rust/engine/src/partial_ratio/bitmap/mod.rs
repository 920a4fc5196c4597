//! Blocks of windows that cannot hold a good one, found by counting bigrams.
//!
//! A window with at least `floor` characters in common with the needle leaves at most
//! `k = m - floor` of the needle's characters out, and has as many characters of its own that the
//! needle does not have. Leaving one out breaks at most two of the needle's `m - 1` bigrams, one
//! more breaks at most one. So of any set `S` of the needle's bigrams at least `|S| - 3k` stand in
//! the window; and because everything before a character is shifted by at most `k`, the bigram
//! at offset `i` stands at most `k` characters from place `i` of the window. So
//!
//! - the text is cut into blocks of 8 or 16 characters, and a row of bits for each bigram says
//!   in which blocks it starts ([`tile`]);
//! - for the windows that start in a block, the blocks in which bigram `i` may stand are
//!   known, and the bits of those are or-ed together ([`count`]);
//! - adding these bits up for all bigrams of `S` ([`crate::arch::bit_counter`]), hundreds of blocks side
//!   by side, gives a number that is at least the number of bigrams that survive in any of the
//!   windows. Where it is below `|S| - 3k`, no window is any good.
//!
//! Bigrams are told apart by five bits of each character: equal ones stay equal, and different
//! ones that look alike only make the count larger. So no good window is ever lost.
//!
//! A long needle is cut into pieces, `j = 1..p`. If the window leaves out `d_j` characters of
//! piece `j` and has `e_j` more there, then `2·Σd_j + Σe_j = 3k`, so for some piece `2·d_j + e_j`
//! is at most `w = 3k / p`, rounded down. That piece has at least `|S_j| - w` of its bigrams left,
//! shifted to the left by at most `w / 2` and to the right by at most `w`, against the place where
//! the piece begins; and that place is at most `k` away from where it would be without any edit.
//!
//! Source: the q-gram lemma, Ukkonen 1992, "Approximate string-matching with q-grams and maximal
//! matches"; counting in columns of bits, Harley and Seal in Warren, "Hacker's Delight".

pub(super) mod count;
pub(super) mod select;
pub(super) mod tile;

use std::sync::OnceLock;

use crate::alphabet::ABSENT;
use crate::text::CodeUnit;

/// Characters in a block, and windows that are judged together: small ones tell more and cost more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// For short needles: little is left of those in the windows of a large block.
    Small = 8,
    Large = 16,
}

/// Needles up to this length are short.
const MAX_SHORT_CHARS: usize = 32;

impl Block {
    /// For needles of this length.
    pub(super) fn for_needle(chars: usize) -> Self {
        if chars <= MAX_SHORT_CHARS { Self::Small } else { Self::Large }
    }

    pub(super) fn chars(self) -> usize {
        self as usize
    }

    /// Number of the block that has the character at `place`: by a shift, which is many times as
    /// fast as to divide by a number known at run time.
    fn of(self, place: usize) -> usize {
        place >> (self as usize).trailing_zeros()
    }
}

/// Different bigrams that are told apart.
const BIGRAMS: usize = 1 << (2 * CLASS_BITS);

/// Bits of a character that tell it from others.
const CLASS_BITS: u32 = 5;

/// What a character counts as. Neighbours in an alphabet differ.
#[inline(always)]
fn class(code: u32) -> usize {
    (code & ((1 << CLASS_BITS) - 1)) as usize
}

/// Number of a bigram.
#[inline(always)]
fn bigram(first: u32, second: u32) -> usize {
    class(first) << CLASS_BITS | class(second)
}

/// The classes of a bigram's characters.
pub(super) fn classes(bigram: usize) -> (usize, usize) {
    (bigram >> CLASS_BITS, bigram & ((1 << CLASS_BITS) - 1))
}

/// How often each bigram occurs in a text, by a sample.
#[derive(Debug)]
pub(super) struct Frequencies {
    counts: Vec<u32>,
    /// Share of all bigrams that one of the sample stands for.
    share: f32,
    /// What only counting asks for.
    ranked: OnceLock<Ranked>,
    /// By eights of places: [`chances`](Self::chances).
    chances: [OnceLock<ByRank>; MAX_PLACES / EIGHT + 1],
}

/// Bigrams by how rare they are.
#[derive(Debug)]
struct Ranked {
    /// Of each bigram: rarer ones have lower ranks, below [`MAX_RANK`], twice the logarithm of the count.
    ranks: Vec<u8>,
    /// Share of all bigrams that one of each rank has.
    shares: ByRank,
}

/// For a bigram of each rank, counted from 1, roughly. None has rank 0.
type ByRank = [f32; MAX_RANK + 1];

/// Places that a bigram may stand at: three pairs of blocks.
const MAX_PLACES: usize = 6 * Block::Large as usize;
const EIGHT: usize = Block::Small as usize;

/// Stretches of the text that the sample takes: together a quarter of the text, but not more
/// characters in each than tell rare bigrams from others.
const SAMPLES: usize = 16;
const MAX_SAMPLE_CHARS: usize = 512;

/// Shorter texts are looked at as a whole.
const MIN_SAMPLED_CHARS: usize = 2048;

/// Ranks are below this: counts of a sample have fewer bits than half of it.
const MAX_RANK: usize = 32;

impl Frequencies {
    pub(super) fn of<T: CodeUnit>(text: &[T]) -> Self {
        let (samples, chars) = match text.len() {
            ..MIN_SAMPLED_CHARS => (1, text.len()),
            len => (SAMPLES, (len / (4 * SAMPLES)).min(MAX_SAMPLE_CHARS)),
        };
        let stride = (text.len() - chars) / (samples - 1).max(1);
        let mut counts = vec![0_u32; BIGRAMS];
        for sample in 0..samples {
            for pair in text[sample * stride..][..chars].windows(2) {
                counts[bigram(pair[0].code(), pair[1].code())] += 1;
            }
        }
        let total = samples * chars.saturating_sub(1);
        let share = 1.0 / (total + 1) as f32;
        Self { counts, share, ranked: OnceLock::new(), chances: Default::default() }
    }

    /// Share of all bigrams: what the sample does not have may still be in the text.
    pub(super) fn get(&self, bigram: usize) -> f32 {
        (self.counts[bigram] as f32 + 0.5) * self.share
    }

    /// Bigrams and their shares by rank.
    fn ranked(&self) -> &Ranked {
        self.ranked.get_or_init(|| Ranked {
            // Counts are below 2¹⁶, so their squares fit.
            ranks: self.counts.iter().map(|&count| (count * count + 1).ilog2() as u8).collect(),
            shares: std::array::from_fn(|rank| match rank {
                0 => 0.0,
                rank => (count_of(rank - 1) + 0.5) * self.share,
            }),
        })
    }

    /// Probability that one of so many places, a multiple of eight, has a bigram of each rank: found out once, for they are asked for by each
    /// bigram of each needle.
    fn chances(&self, places: usize) -> &ByRank {
        self.chances[places.min(MAX_PLACES) / EIGHT].get_or_init(|| {
            self.ranked().shares.map(|share| {
                let expected = share * places as f32;
                // The exponential function's first terms.
                1.0 - 1.0 / (1.0 + expected * (1.0 + expected * (0.5 + expected / 6.0)))
            })
        })
    }
}

/// How often a bigram of this rank occurs in a sample: exactly as long as each count has its own rank.
fn count_of(rank: usize) -> f32 {
    if rank < 4 { rank as f32 } else { (0.5 * (rank as f32 + 0.5)).exp2() }
}

/// Number of the bigram, if the text may have it: characters of the needle that do not fit into
/// the text's width or that the text is known not to have make none.
pub(super) fn bigram_in<T: CodeUnit>(pair: &[u32]) -> Option<usize> {
    let fits = |code: u32| code <= T::MAX && code != ABSENT;
    (fits(pair[0]) && fits(pair[1])).then(|| bigram(pair[0], pair[1]))
}
