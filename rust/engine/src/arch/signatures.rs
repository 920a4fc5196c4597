//! Which sets of a list can be similar to one, by their signatures.

#[cfg(target_arch = "x86_64")]
use super::{Level, level};

/// Low bits of a signature, that hold the size of its set.
pub(crate) const SIZE_BITS: u32 = 8;

/// Sizes that are told apart.
pub(crate) const SIZES: usize = 1 << SIZE_BITS;

/// What is looked for.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The signature of the set that is compared with others.
    pub(crate) own: u64,
    /// For each size, in how many bits a signature may differ; -1 if no set of that size will do.
    pub(crate) most: [i32; SIZES],
}

/// Appends those of `list` to `passed` whose signature differs in no more bits than it may. Every
/// number of the list has a signature.
pub(crate) fn pass(asked: &Asked, list: &[u32], signatures: &[u64], passed: &mut Vec<u32>) {
    #[cfg(target_arch = "x86_64")]
    if level() >= Level::Avx2 {
        // SAFETY: the level says that the processor can count bits.
        return unsafe { pass_counting(asked, list, signatures, passed) };
    }
    pass_each(asked, list, signatures, passed);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn pass_counting(asked: &Asked, list: &[u32], signatures: &[u64], passed: &mut Vec<u32>) {
    pass_each(asked, list, signatures, passed);
}

#[inline(always)]
fn pass_each(asked: &Asked, list: &[u32], signatures: &[u64], passed: &mut Vec<u32>) {
    // Chunks with a buffer that is written without a branch: which ones pass cannot be foreseen.
    let mut buffer = [0_u32; 64];
    for chunk in list.chunks(buffer.len()) {
        let mut len = 0;
        for &number in chunk {
            let signature = signatures[number as usize];
            let most = asked.most[signature as usize % SIZES];
            let different = ((signature ^ asked.own) >> SIZE_BITS).count_ones() as i32;
            buffer[len] = number;
            len += usize::from(different <= most);
        }
        passed.extend_from_slice(&buffer[..len]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_levels_let_the_same_pass_and_those_alone_that_may() {
        let noise = |index: u64| (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let signatures: Vec<u64> = (0..700).map(|index| noise(index) & noise(index * 3 + 1)).collect();
        for (own, bits) in [(0, 14), (noise(5), 20), (u64::MAX, 60), (noise(9), -1)] {
            let mut most = [bits; SIZES];
            most[7] = 56;
            let asked = Asked { own, most };
            for len in (0..140).chain([700]) {
                let list: Vec<u32> = (0..len).map(|place| place * 13 % 700).collect();
                let expected: Vec<u32> = list
                    .iter()
                    .copied()
                    .filter(|&number| {
                        let signature = signatures[number as usize];
                        let different = (SIZE_BITS..u64::BITS).filter(|bit| (signature ^ own) >> bit & 1 == 1).count();
                        different as i32 <= most[(signature & 0xFF) as usize]
                    })
                    .collect();
                let (mut best, mut plain) = (vec![], vec![]);
                pass(&asked, &list, &signatures, &mut best);
                pass_each(&asked, &list, &signatures, &mut plain);
                assert_eq!((&expected, &expected), (&best, &plain));
            }
        }
    }
}
