//! A set in a few bits, from which one can see how much two sets differ at least.
//!
//! Each token sets one bit. A bit that one of two sets has and the other has not is a token that
//! only one of them has. The size of the set stands beside them. 32 bits stand with each entry of a
//! list; wider signatures are for what passes, where many tokens may differ.
//!
//! Source: Sandes, Teodoro, Melo 2020, "Bitmap filter: speeding up exact set similarity joins with
//! bitwise operations".

use super::threshold::Threshold;
use crate::arch::set_signatures::{SIZE_BITS, SIZES};

/// The signature of a set of tokens, in 32 bits and in 64.
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

/// How many tokens at least are in only one of two sets, by their wide signatures.
pub(super) fn fewest_different(own: u64, other: u64) -> usize {
    ((own ^ other) >> SIZE_BITS).count_ones() as usize
}

/// For each size, in how many bits the signature of a set that is as similar as `threshold` to one
/// of `len` tokens can differ from the signature of those in the dictionary, which is all but
/// `unknown`; -1 if no such set has this size.
pub(super) fn most_different(len: usize, unknown: usize, threshold: Threshold) -> [i32; SIZES] {
    let mut most = [-1; SIZES];
    let sizes = threshold.sizes(len);
    let first = (*sizes.start()).min(SIZES - 1);
    let end = sizes.end().saturating_add(1).clamp(first, SIZES - 1);
    for (size, most) in (first..end).zip(&mut most[first..end]) {
        let left = threshold.most_different(len, size).and_then(|different| different.checked_sub(unknown));
        *most = left.map_or(-1, |left| left.min(i32::MAX as usize) as i32);
    }
    // The last size stands for all that are larger.
    if *sizes.end() >= SIZES - 1 {
        most[SIZES - 1] = i32::MAX;
    }
    most
}
