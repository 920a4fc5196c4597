//! MinHash: the minimum of each of many hash functions over a set of tokens.

#[cfg(target_arch = "x86_64")]
use super::{Isa, isa};

/// Number of hash functions per sketch.
pub(crate) const HASHES: usize = 128;

/// The minimum of each hash function over the tokens added so far.
pub(crate) type MinHashSketch = [u32; HASHES];

/// Updates the minima of `sketch` with the hashes of `token`.
///
/// Hash `i` is `low · factors[0][i] + high · factors[1][i]` modulo 2³², of the low and high half of the token.
#[inline]
pub(crate) fn update_minima(sketch: &mut MinHashSketch, token: u64, factors: &[MinHashSketch; 2]) {
    #[cfg(target_arch = "x86_64")]
    if isa() >= Isa::Avx2 {
        // SAFETY: the processor has AVX2.
        return unsafe { update_minima_avx2(sketch, token, factors) };
    }
    update_minima_scalar(sketch, token, factors);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn update_minima_avx2(sketch: &mut MinHashSketch, token: u64, factors: &[MinHashSketch; 2]) {
    update_minima_scalar(sketch, token, factors);
}

#[inline(always)]
fn update_minima_scalar(sketch: &mut MinHashSketch, token: u64, factors: &[MinHashSketch; 2]) {
    let (low, high) = (token as u32, (token >> 32) as u32);
    for (index, least) in sketch.iter_mut().enumerate() {
        let hash = low.wrapping_mul(factors[0][index]).wrapping_add(high.wrapping_mul(factors[1][index]));
        *least = (*least).min(hash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_keeps_the_minimum_of_each_hash() {
        let factors: [MinHashSketch; 2] =
            [3, 5].map(|seed: u32| std::array::from_fn(|index| (index as u32 + seed).wrapping_mul(2_654_435_761) | 1));
        let tokens: Vec<u64> = (1..50_u64).map(|index| index.wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        let (mut best, mut plain) = ([u32::MAX; HASHES], [u32::MAX; HASHES]);
        for &token in &tokens {
            update_minima(&mut best, token, &factors);
            update_minima_scalar(&mut plain, token, &factors);
        }
        let expected: MinHashSketch = std::array::from_fn(|index| {
            let hash = |&token: &u64| {
                let sum = u128::from(token & 0xFFFF_FFFF) * u128::from(factors[0][index])
                    + u128::from(token >> 32) * u128::from(factors[1][index]);
                (sum % (1 << 32)) as u32
            };
            tokens.iter().map(hash).min().unwrap()
        });
        assert_eq!((expected, expected), (best, plain));
    }
}
