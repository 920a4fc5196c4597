//! A set in 64 bits, from which one can see how much two sets differ at least.
//!
//! Each token sets one of 56 bits. A bit that one of two sets has and the other has not is a token
//! that only one of them has. The size of the set stands beside them.
//!
//! Source: Sandes, Teodoro, Melo 2020, "Bitmap filter: speeding up exact set similarity joins with
//! bitwise operations".

use super::threshold::Threshold;
use crate::arch::signatures::{Asked, SIZE_BITS, SIZES};

/// The signature of a set of tokens.
pub(super) fn signature(numbers: impl Iterator<Item = u32>) -> u64 {
    let (mut bits, mut size) = (0_u64, 0_u64);
    for number in numbers {
        let hash = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        bits |= 1 << (SIZE_BITS + ((hash * u64::from(u64::BITS - SIZE_BITS)) >> 32) as u32);
        size += 1;
    }
    bits | size.min(SIZES as u64 - 1)
}

/// What the signatures of sets as similar as `threshold` to one of `len` tokens fulfil. `own` is
/// the signature of those that are in the dictionary; no set has the `unknown` others.
pub(super) fn asked(own: u64, len: usize, unknown: usize, threshold: Threshold) -> Asked {
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
    Asked { own, most }
}
