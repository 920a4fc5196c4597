//! Finds the first position of two characters at a fixed distance.

use crate::text::CodeUnit;

/// Number of positions compared before any result is examined.
const BLOCK_CHARS: usize = 64;

for_each_isa! {
Avx512
/// Returns the first index at which `first` has the first of `units` and `second` the second. Both slices have the same
/// length.
pub(crate) fn find_packed_pair[T: CodeUnit][T](first: &[T], second: &[T], units: [T; 2]) -> Option<usize> {
    let (blocks, rest) = first.as_chunks::<BLOCK_CHARS>();
    let (other_blocks, other_rest) = second.as_chunks::<BLOCK_CHARS>();
    for (block, (x, y)) in blocks.iter().zip(other_blocks).enumerate() {
        // Without an early exit, the compiler vectorises the comparisons.
        let mut is_in = false;
        for index in 0..BLOCK_CHARS {
            is_in |= (x[index] == units[0]) & (y[index] == units[1]);
        }
        if is_in {
            let mut hits = 0;
            for index in 0..BLOCK_CHARS {
                hits |= u64::from((x[index] == units[0]) & (y[index] == units[1])) << index;
            }
            return Some(block * BLOCK_CHARS + hits.trailing_zeros() as usize);
        }
    }
    let index = rest.iter().zip(other_rest).position(|(&x, &y)| x == units[0] && y == units[1])?;
    Some(blocks.len() * BLOCK_CHARS + index)
}
}
