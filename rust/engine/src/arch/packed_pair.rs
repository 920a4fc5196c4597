//! Finds the first position of two characters at a fixed distance.

#[cfg(target_arch = "x86_64")]
use super::{Isa, isa};
use crate::text::CodeUnit;

/// Number of positions compared before any result is examined.
const BLOCK_CHARS: usize = 64;

/// Returns the first index at which `first` has the first of `units` and `second` the second. Both slices have the same
/// length.
#[inline]
pub(crate) fn find_packed_pair<T: CodeUnit>(first: &[T], second: &[T], units: [T; 2]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if isa() >= Isa::Avx2 {
        // SAFETY: the processor has AVX2.
        return unsafe { find_avx2(first, second, units) };
    }
    find(first, second, units)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn find_avx2<T: CodeUnit>(first: &[T], second: &[T], units: [T; 2]) -> Option<usize> {
    find(first, second, units)
}

#[inline(always)]
fn find<T: CodeUnit>(first: &[T], second: &[T], [unit, other]: [T; 2]) -> Option<usize> {
    let (blocks, rest) = first.as_chunks::<BLOCK_CHARS>();
    let (other_blocks, other_rest) = second.as_chunks::<BLOCK_CHARS>();
    for (block, (x, y)) in blocks.iter().zip(other_blocks).enumerate() {
        // Without an early exit, the compiler vectorises the comparisons.
        let mut is_in = false;
        for index in 0..BLOCK_CHARS {
            is_in |= (x[index] == unit) & (y[index] == other);
        }
        if is_in {
            let mut hits = 0;
            for index in 0..BLOCK_CHARS {
                hits |= u64::from((x[index] == unit) & (y[index] == other)) << index;
            }
            return Some(block * BLOCK_CHARS + hits.trailing_zeros() as usize);
        }
    }
    let index = rest.iter().zip(other_rest).position(|(&x, &y)| x == unit && y == other)?;
    Some(blocks.len() * BLOCK_CHARS + index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_finds_the_first_pair() {
        let text: Vec<u16> = (0..1000_u32).map(|index| (index * index % 251 % 7) as u16).collect();
        for from in 0..200 {
            for units in (0..49).map(|index| [index / 7, index % 7]) {
                let (first, second) = (&text[from..900], &text[from + 3..903]);
                let expected = (0..first.len()).find(|&index| first[index] == units[0] && second[index] == units[1]);
                assert_eq!(expected, find(first, second, units));
                assert_eq!(expected, find_packed_pair(first, second, units));
            }
        }
    }
}
