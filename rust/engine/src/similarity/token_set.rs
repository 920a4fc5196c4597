//! Sets of numbered tokens, and their signatures: bitmaps that give a lower bound of the difference between two sets.
//!
//! In a signature, each token sets one bit. A bit that is set in only one of two signatures proves that a token is in
//! only one of the sets. The low bits hold the size of the set. Each posting-list entry has a signature of 32 bits; if
//! many tokens may differ, signatures of 64 bits filter the remaining sets.
//!
//! Source: Sandes, Teodoro, Melo 2020, "Bitmap filter: speeding up exact set similarity joins with bitwise operations".

use super::threshold::Threshold;
use crate::arch::set_signatures::{SIZE_BITS, SIZES};

/// The flag of a stop token, in the lowest bit, below the number.
const STOP: u32 = 1;

/// A token of a set: its number, and a flag that says whether it is a stop token in this text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenRef(u32);

impl TokenRef {
    pub(super) fn new(number: u32, is_stop: bool) -> Self {
        Self(number << 1 | if is_stop { STOP } else { 0 })
    }

    pub(super) fn number(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn is_stop(self) -> bool {
        self.0 & STOP != 0
    }
}

/// Sorts tokens by descending number, the rarest first, and removes duplicates. A token is a stop token if any of its
/// duplicates is.
pub(super) fn sort_and_dedup(members: &mut Vec<TokenRef>) {
    members.sort_unstable_by(|a, b| b.cmp(a));
    members.dedup_by_key(|member| member.number());
}

/// Returns the number of tokens in both sets: of all, and of those that are stop tokens in neither.
pub(super) fn shared(set: &[TokenRef], other: &[TokenRef]) -> (usize, usize) {
    let (mut all, mut stop_free) = (0, 0);
    let (mut at, mut other_at) = (0, 0);
    while at < set.len() && other_at < other.len() {
        let (member, other_member) = (set[at], other[other_at]);
        if member.number() == other_member.number() {
            all += 1;
            stop_free += usize::from(!member.is_stop() && !other_member.is_stop());
        }
        at += usize::from(member.number() >= other_member.number());
        other_at += usize::from(member.number() <= other_member.number());
    }
    (all, stop_free)
}

/// Returns the signatures of a set of tokens in 32 and in 64 bits.
pub(super) fn signature(numbers: impl Iterator<Item = u32>) -> (u32, u64) {
    let (mut narrow, mut wide, mut size) = (0_u32, 0_u64, 0_u32);
    for number in numbers {
        let hash = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let bit = |bits: u32| SIZE_BITS + ((hash * u64::from(bits - SIZE_BITS)) >> 32) as u32;
        narrow |= 1 << bit(u32::BITS);
        wide |= 1 << bit(u64::BITS);
        size += 1;
    }
    let size = size.min(SIZES as u32 - 1);
    (narrow | size, wide | u64::from(size))
}

/// Returns a lower bound of the number of tokens in only one of two sets, from their wide signatures.
pub(super) fn min_symmetric_difference(own: u64, other: u64) -> usize {
    ((own ^ other) >> SIZE_BITS).count_ones() as usize
}

/// Returns for each size the maximum number of bits by which the signature of a set of that size can differ, if its
/// similarity to a set of `len` tokens is at least `threshold`; -1 if no set of this size can be that similar.
/// `unknown` of the `len` tokens are not in the signature.
pub(super) fn max_symmetric_difference(len: usize, unknown: usize, threshold: Threshold) -> [i32; SIZES] {
    let mut most = [-1; SIZES];
    let sizes = threshold.sizes(len);
    let first = (*sizes.start()).min(SIZES - 1);
    let end = sizes.end().saturating_add(1).clamp(first, SIZES - 1);
    for (size, most) in (first..end).zip(&mut most[first..end]) {
        let left = threshold.max_symmetric_difference(len, size).and_then(|different| different.checked_sub(unknown));
        *most = left.map_or(-1, |left| left.min(i32::MAX as usize) as i32);
    }
    // The last size represents all larger ones.
    if *sizes.end() >= SIZES - 1 {
        most[SIZES - 1] = i32::MAX;
    }
    most
}
