//! MinHash: the minimum of each of many hash functions over a set of tokens.

/// Number of hash functions per sketch.
pub(crate) const HASHES: usize = 128;

/// The minimum of each hash function over the tokens added so far.
pub(crate) type MinHashSketch = [u32; HASHES];

for_each_isa! {
Avx2
/// Updates the minima of `sketch` with the hashes of `token`.
///
/// Hash `i` is `low · factors[0][i] + high · factors[1][i]` modulo 2³², of the low and high half of the token.
pub(crate) fn update_minima(sketch: &mut MinHashSketch, token: u64, factors: &[MinHashSketch; 2]) {
    let (low, high) = (token as u32, (token >> 32) as u32);
    for (index, least) in sketch.iter_mut().enumerate() {
        let hash = low.wrapping_mul(factors[0][index]).wrapping_add(high.wrapping_mul(factors[1][index]));
        *least = (*least).min(hash);
    }
}
}
