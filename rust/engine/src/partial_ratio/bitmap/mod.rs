//! Excludes blocks of windows by counting bigrams in bitmaps.
//!
//! `ALGORITHMS.md` explains the bound ("The counting bound") and the rows of bits ("Count").
//!
//! Bigrams are distinguished by five bits of each character. Different bigrams with the same bits only increase the
//! count, so no good window is ever excluded.
//!
//! A long needle is divided into partitions `j = 1..p`. If the window lacks `d_j` characters of partition `j` and has
//! `e_j` additional ones there, then `2·Σd_j + Σe_j = 3k`. So for some partition, `2·d_j + e_j` is at most `w = 3k /
//! p`, rounded down. That partition retains at least `|S_j| - w` of its bigrams, shifted by at most `w / 2` to the left
//! and `w` to the right relative to the beginning of the partition, which is itself shifted by at most `k`.
//!
//! Source: the q-gram lemma, Ukkonen 1992, "Approximate string-matching with q-grams and maximal
//! matches"; counting in columns of bits, Harley and Seal in Warren, "Hacker's Delight".

pub(super) mod needle;
pub(super) mod tile;

use std::sync::OnceLock;

use super::cost::{FREQUENCIES_CYCLES, FREQUENCIES_CYCLES_PER_CHAR};
use crate::alphabet::ABSENT;
use crate::text::CodeUnit;

/// Number of characters per block. One bound covers all windows that start in a block. Small blocks exclude more and
/// cost more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockSize {
    /// For short needles: in a large block, too few of their bigrams would be required.
    Small = 8,
    Large = 16,
}

/// Maximum length of a short needle, in characters.
const MAX_SHORT_CHARS: usize = 32;

impl BlockSize {
    /// Returns the block size for needles of `chars` characters.
    pub(super) fn for_needle(chars: usize) -> Self {
        if chars <= MAX_SHORT_CHARS { Self::Small } else { Self::Large }
    }

    pub(super) fn chars(self) -> usize {
        self as usize
    }

    /// Returns the number of the block with the character at `place`. A shift is much faster than a division.
    fn of(self, place: usize) -> usize {
        place >> (self as usize).trailing_zeros()
    }
}

/// Number of distinguishable bigrams.
const BIGRAMS: usize = 1 << (2 * CLASS_BITS);

/// Number of bits in the hash class of a character.
const CLASS_BITS: u32 = 5;

/// Returns the hash class of a character. Neighbours in an alphabet have different classes.
#[inline(always)]
fn class(code: u32) -> usize {
    (code & ((1 << CLASS_BITS) - 1)) as usize
}

/// Returns the number of a bigram, below [`BIGRAMS`].
#[inline(always)]
fn bigram(first: u32, second: u32) -> usize {
    class(first) << CLASS_BITS | class(second)
}

/// Returns the hash classes of both characters of a bigram.
pub(super) fn classes(bigram: usize) -> (usize, usize) {
    (bigram >> CLASS_BITS, bigram & ((1 << CLASS_BITS) - 1))
}

/// The low bytes of a part of a text, which contain the hash classes of its characters. Reuses its memory.
#[derive(Debug, Default)]
pub(super) struct LowBytes(Vec<u8>);

impl LowBytes {
    /// Returns the low bytes of the `len` characters from position `first` on, which may be before the text.
    ///
    /// Before and after the text, the class is 0, whose bigrams exclude nothing. Borrows from a text with one byte per
    /// character.
    pub(super) fn read<'a, T: CodeUnit>(&'a mut self, text: &'a [T], first: isize, len: usize) -> &'a [u8] {
        let before = usize::try_from(-first).unwrap_or(0);
        let units = &text[usize::try_from(first).unwrap_or(0).min(text.len())..];
        if size_of::<T>() == 1 && before == 0 && units.len() >= len {
            return bytemuck::cast_slice(&units[..len]);
        }
        self.0.clear();
        self.0.resize(len, 0);
        self.0[before..].iter_mut().zip(units).for_each(|(byte, unit)| *byte = unit.code_point() as u8);
        &self.0
    }
}

/// The frequencies of bigrams in a sample of a text.
#[derive(Debug)]
pub(super) struct BigramFrequencies {
    counts: Box<[u16; BIGRAMS]>,
    /// The share of all bigrams that one bigram of the sample represents.
    share: f32,
    /// The ranks, needed only for counting in bitmaps.
    ranked: OnceLock<BigramRanks>,
    /// The results of [`chances`](Self::chances) for multiples of eight positions.
    chances: [OnceLock<ByRank>; MAX_PLACES / EIGHT + 1],
}

/// The ranks of bigrams by frequency.
#[derive(Debug)]
struct BigramRanks {
    /// The rank of each bigram, below [`MAX_RANK`]: twice the binary logarithm of its count, so that rarer bigrams have
    /// lower ranks.
    ranks: Vec<u8>,
    /// The share of all bigrams that a bigram of each rank has.
    shares: ByRank,
}

/// An estimate for a bigram of each rank, counted from 1. No bigram has rank 0.
type ByRank = [f32; MAX_RANK + 1];

/// Maximum number of possible positions of a bigram: three pairs of blocks.
const MAX_PLACES: usize = 6 * BlockSize::Large as usize;
const EIGHT: usize = BlockSize::Small as usize;

/// Number of parts of the text in the sample, and limits of the length of a part in characters. Between the limits, the
/// parts cover an eighth of the text. A text that is not longer than the shortest parts together is counted completely.
const SAMPLES: usize = 16;
const MIN_SAMPLE_CHARS: usize = 32;
const MAX_SAMPLE_CHARS: usize = 512;
const MAX_COUNTED_CHARS: usize = SAMPLES * MIN_SAMPLE_CHARS;

/// Exclusive maximum of ranks. Counts are below 2¹⁶, and a rank is twice their logarithm.
const MAX_RANK: usize = 32;

impl BigramFrequencies {
    /// Returns the number of parts in the sample of a text of `len` characters, and the length of each.
    fn samples(len: usize) -> (usize, usize) {
        match len {
            ..=MAX_COUNTED_CHARS => (1, len),
            _ => (SAMPLES, (len / (8 * SAMPLES)).clamp(MIN_SAMPLE_CHARS, MAX_SAMPLE_CHARS)),
        }
    }

    /// Returns the cost of sampling a text of `len` characters, in cycles.
    pub(super) fn cycles(len: usize) -> f32 {
        let (samples, chars) = Self::samples(len);
        FREQUENCIES_CYCLES + FREQUENCIES_CYCLES_PER_CHAR * (samples * chars) as f32
    }

    pub(super) fn of<T: CodeUnit>(text: &[T]) -> Self {
        let (samples, chars) = Self::samples(text.len());
        let stride = (text.len() - chars) / (samples - 1).max(1);
        let mut counts = Box::new([0; BIGRAMS]);
        for sample in 0..samples {
            for pair in text[sample * stride..][..chars].windows(2) {
                counts[bigram(pair[0].code_point(), pair[1].code_point())] += 1;
            }
        }
        let total = samples * chars.saturating_sub(1);
        let share = 1.0 / (total + 1) as f32;
        Self { counts, share, ranked: OnceLock::new(), chances: Default::default() }
    }

    /// Returns the share of a bigram among all. It is never 0, because a bigram that is not in the sample may still be
    /// in the text.
    pub(super) fn get(&self, bigram: usize) -> f32 {
        (f32::from(self.counts[bigram]) + 0.5) * self.share
    }

    /// Returns the ranks and their shares.
    fn ranked(&self) -> &BigramRanks {
        self.ranked.get_or_init(|| BigramRanks {
            // The squares fit, because a sample has fewer than 2¹⁶ bigrams.
            ranks: self.counts.iter().map(|&count| (u32::from(count).pow(2) + 1).ilog2() as u8).collect(),
            shares: std::array::from_fn(|rank| match rank {
                0 => 0.0,
                rank => (count_of(rank - 1) + 0.5) * self.share,
            }),
        })
    }

    /// Returns the probability that one of `places` positions, a multiple of eight, has a bigram of each rank. It is
    /// cached, because every bigram of every needle needs it.
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

/// Returns the count of a bigram of this rank in a sample; exact for small counts, each of which has its own rank.
fn count_of(rank: usize) -> f32 {
    if rank < 4 { rank as f32 } else { (0.5 * (rank as f32 + 0.5)).exp2() }
}

/// Returns the number of a bigram, or `None` if the text cannot contain it: one of its characters does not fit the
/// width of the text or is known to be absent.
pub(super) fn bigram_in<T: CodeUnit>(pair: &[u32]) -> Option<usize> {
    let fits = |code: u32| code <= T::MAX && code != ABSENT;
    (fits(pair[0]) && fits(pair[1])).then(|| bigram(pair[0], pair[1]))
}
