//! The least of many hashes of each token.

#[cfg(target_arch = "x86_64")]
use super::{Level, level};

/// Hashes of a sketch.
pub(crate) const HASHES: usize = 128;

/// The least value of each hash.
pub(crate) type Sketch = [u32; HASHES];

/// Lowers `sketch` to the hashes of `token`, each made of both its halves with two of `factors`.
#[inline]
pub(crate) fn lower(sketch: &mut Sketch, token: u64, factors: &[Sketch; 2]) {
    #[cfg(target_arch = "x86_64")]
    if level() >= Level::Avx2 {
        // SAFETY: the level says that the processor has AVX2.
        return unsafe { lower_avx2(sketch, token, factors) };
    }
    lower_each(sketch, token, factors);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn lower_avx2(sketch: &mut Sketch, token: u64, factors: &[Sketch; 2]) {
    lower_each(sketch, token, factors);
}

#[inline(always)]
fn lower_each(sketch: &mut Sketch, token: u64, factors: &[Sketch; 2]) {
    let (low, high) = (token as u32, (token >> 32) as u32);
    for (index, least) in sketch.iter_mut().enumerate() {
        let hash = low.wrapping_mul(factors[0][index]).wrapping_add(high.wrapping_mul(factors[1][index]));
        *least = (*least).min(hash);
    }
}
