//! Excludes blocks of windows by counting bigrams.
//!
//! A window with an LCS of at least `floor` lacks at most `k = m - floor` of the needle's characters, and has as many
//! additional ones. A missing character breaks at most two of the needle's `m - 1` bigrams, an additional one breaks at
//! most one. So the window has at least `|S| - 3k` of any set `S` of the needle's bigrams. And because each character
//! is shifted by at most `k`, the bigram at offset `i` is at most `k` characters from position `i` of the window.
//! Therefore:
//!
//! - the text is cut into blocks of 8 or 16 characters, and a row of bits for each bigram shows the blocks in which it starts
//!   ([`tile`]);
//! - for the windows that start in a block, the blocks that may contain bigram `i` are known, and their bits are or-ed
//!   ([`count`]);
//! - the sum of these bits over all bigrams of `S` ([`crate::arch::bit_counter`]), for hundreds of blocks side by side, is
//!   an upper bound of the number of bigrams in any of the windows. Where it is below `|S| - 3k`, no window is good enough.
//!
//! Bigrams are distinguished by five bits of each character. Different bigrams with the same bits only increase the
//! count, so no good window is ever excluded.
//!
//! A long needle is cut into pieces `j = 1..p`. If the window lacks `d_j` characters of piece `j` and has `e_j`
//! additional ones there, then `2·Σd_j + Σe_j = 3k`. So for some piece, `2·d_j + e_j` is at most `w = 3k / p`, rounded
//! down. That piece has at least `|S_j| - w` of its bigrams left, shifted by at most `w / 2` to the left and `w` to the
//! right relative to the beginning of the piece, which itself is shifted by at most `k`.
//!
//! Source: the q-gram lemma, Ukkonen 1992, "Approximate string-matching with q-grams and maximal
//! matches"; counting in columns of bits, Harley and Seal in Warren, "Hacker's Delight".

pub(super) mod count;
pub(super) mod select;
pub(super) mod tile;

use std::sync::OnceLock;

use crate::alphabet::ABSENT;
use crate::text::CodeUnit;

/// Number of characters in a block, and of windows judged together. Small blocks exclude more and cost more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// For short needles, of which few bigrams could be required in a large block.
    Small = 8,
    Large = 16,
}

/// Maximum length of a short needle, in characters.
const MAX_SHORT_CHARS: usize = 32;

impl Block {
    /// Returns the block for needles of this length.
    pub(super) fn for_needle(chars: usize) -> Self {
        if chars <= MAX_SHORT_CHARS { Self::Small } else { Self::Large }
    }

    pub(super) fn chars(self) -> usize {
        self as usize
    }

    /// Returns the number of the block with the character at `place`, by a shift, which is much faster than a division.
    fn of(self, place: usize) -> usize {
        place >> (self as usize).trailing_zeros()
    }
}

/// Number of bigrams that are distinguished.
const BIGRAMS: usize = 1 << (2 * CLASS_BITS);

/// Number of bits of a character's class.
const CLASS_BITS: u32 = 5;

/// Returns the class of a character. Neighbours in an alphabet differ.
#[inline(always)]
fn class(code: u32) -> usize {
    (code & ((1 << CLASS_BITS) - 1)) as usize
}

/// Returns the number of a bigram.
#[inline(always)]
fn bigram(first: u32, second: u32) -> usize {
    class(first) << CLASS_BITS | class(second)
}

/// Returns the classes of a bigram's characters.
pub(super) fn classes(bigram: usize) -> (usize, usize) {
    (bigram >> CLASS_BITS, bigram & ((1 << CLASS_BITS) - 1))
}

/// The frequencies of bigrams in a sample of a text.
#[derive(Debug)]
pub(super) struct Frequencies {
    counts: Vec<u32>,
    /// The share of all bigrams that one bigram of the sample represents.
    share: f32,
    /// The ranks, which only counting needs.
    ranked: OnceLock<Ranked>,
    /// The results of [`chances`](Self::chances) for multiples of eight.
    chances: [OnceLock<ByRank>; MAX_PLACES / EIGHT + 1],
}

/// The ranks of bigrams by their frequency.
#[derive(Debug)]
struct Ranked {
    /// The rank of each bigram, below [`MAX_RANK`]: twice the logarithm of its count, so that rarer ones have lower
    /// ranks.
    ranks: Vec<u8>,
    /// The share of all bigrams for a bigram of each rank.
    shares: ByRank,
}

/// An estimate for a bigram of each rank, counted from 1. No bigram has rank 0.
type ByRank = [f32; MAX_RANK + 1];

/// Maximum number of positions of a bigram: three pairs of blocks.
const MAX_PLACES: usize = 6 * Block::Large as usize;
const EIGHT: usize = Block::Small as usize;

/// Number of parts of the text in the sample. Together they have a quarter of the text, but no more characters in each
/// than needed to find rare bigrams.
const SAMPLES: usize = 16;
const MAX_SAMPLE_CHARS: usize = 512;

/// Minimum length of a text that is sampled; a shorter one is counted as a whole.
const MIN_SAMPLED_CHARS: usize = 2048;

/// Ranks are below this, because counts of a sample have at most half as many bits.
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

    /// Returns the share of a bigram among all; not 0 for one that is not in the sample, since it may be in the text.
    pub(super) fn get(&self, bigram: usize) -> f32 {
        (self.counts[bigram] as f32 + 0.5) * self.share
    }

    /// Returns the ranks and their shares.
    fn ranked(&self) -> &Ranked {
        self.ranked.get_or_init(|| Ranked {
            // The squares fit, because counts are below 2¹⁶.
            ranks: self.counts.iter().map(|&count| (count * count + 1).ilog2() as u8).collect(),
            shares: std::array::from_fn(|rank| match rank {
                0 => 0.0,
                rank => (count_of(rank - 1) + 0.5) * self.share,
            }),
        })
    }

    /// Returns the probability that one of `places` positions, a multiple of eight, has a bigram of each rank. It is
    /// computed once, because every bigram of every needle needs it.
    fn chances(&self, places: usize) -> &ByRank {
        self.chances[places.min(MAX_PLACES) / EIGHT].get_or_init(|| {
            self.ranked().shares.map(|share| {
                let expected = share * places as f32;
                // The first terms of the exponential function.
                1.0 - 1.0 / (1.0 + expected * (1.0 + expected * (0.5 + expected / 6.0)))
            })
        })
    }
}

/// Returns the count of a bigram of this rank in a sample; exact while each count has its own rank.
fn count_of(rank: usize) -> f32 {
    if rank < 4 { rank as f32 } else { (0.5 * (rank as f32 + 0.5)).exp2() }
}

/// Returns the number of a bigram if the text may contain it: not if one of its characters does not fit the width of
/// the text or is known to be absent.
pub(super) fn bigram_in<T: CodeUnit>(pair: &[u32]) -> Option<usize> {
    let fits = |code: u32| code <= T::MAX && code != ABSENT;
    (fits(pair[0]) && fits(pair[1])).then(|| bigram(pair[0], pair[1]))
}
