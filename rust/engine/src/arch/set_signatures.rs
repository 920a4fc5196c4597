//! Finds the sets whose signatures allow enough similarity to a query set.

#[cfg(target_arch = "x86_64")]
use super::{Isa, isa};

/// Number of low bits of a signature that hold the size of its set.
pub(crate) const SIZE_BITS: u32 = 5;

/// Number of distinct sizes; the last one includes all larger sizes.
pub(crate) const SIZES: usize = 1 << SIZE_BITS;

/// A query set, as its signature and the limits for candidates.
#[derive(Clone, Debug)]
pub(crate) struct SignatureQuery<T> {
    /// The signature of the query set.
    pub(crate) own: T,
    /// The maximum number of differing signature bits by candidate size; -1 if no set of that size is similar enough.
    pub(crate) most: [i32; SIZES],
}

/// Appends to `passed` the number of each entry of `list` whose signature passes the query. An entry has the signature
/// in its upper half and the number in its lower half.
pub(crate) fn filter32(query: &SignatureQuery<u32>, list: &[u64], passed: &mut Vec<u32>) {
    #[cfg(target_arch = "x86_64")]
    if isa() >= Isa::Avx2 {
        // SAFETY: the processor has AVX2 and the bit-manipulation instructions, which `Isa::Avx2` includes.
        return unsafe { filter32_avx2(query, list, passed) };
    }
    filter32_scalar(query, list, passed);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn filter32_avx2(query: &SignatureQuery<u32>, list: &[u64], passed: &mut Vec<u32>) {
    filter32_scalar(query, list, passed);
}

#[inline(always)]
fn filter32_scalar(query: &SignatureQuery<u32>, list: &[u64], passed: &mut Vec<u32>) {
    // Writes to a buffer without a branch, which would be unpredictable; the buffer is flushed after each chunk.
    let mut buffer = [0_u32; 64];
    for chunk in list.chunks(buffer.len()) {
        let mut len = 0;
        for &entry in chunk {
            let signature = (entry >> 32) as u32;
            let different = ((signature ^ query.own) >> SIZE_BITS).count_ones() as i32;
            buffer[len] = entry as u32;
            len += usize::from(different <= query.most[signature as usize % SIZES]);
        }
        passed.extend_from_slice(&buffer[..len]);
    }
}

/// Retains those of `numbers` whose 64-bit signature passes the query. Every number is an index of `signatures`.
pub(crate) fn filter64(query: &SignatureQuery<u64>, signatures: &[u64], numbers: &mut Vec<u32>) {
    #[cfg(target_arch = "x86_64")]
    if isa() >= Isa::Avx2 {
        // SAFETY: the processor has AVX2 and the bit-manipulation instructions, which `Isa::Avx2` includes.
        return unsafe { filter64_avx2(query, signatures, numbers) };
    }
    filter64_scalar(query, signatures, numbers);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn filter64_avx2(query: &SignatureQuery<u64>, signatures: &[u64], numbers: &mut Vec<u32>) {
    filter64_scalar(query, signatures, numbers);
}

#[inline(always)]
fn filter64_scalar(query: &SignatureQuery<u64>, signatures: &[u64], numbers: &mut Vec<u32>) {
    numbers.retain(|&number| {
        let signature = signatures[number as usize];
        let different = ((signature ^ query.own) >> SIZE_BITS).count_ones() as i32;
        different <= query.most[signature as usize % SIZES]
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instruction_set_passes_exactly_the_similar_sets() {
        let noise = |index: u64| (index + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let signatures: Vec<u64> = (0..700).map(|index| noise(index) & noise(index * 3 + 1)).collect();
        for (own, bits) in [(0, 7), (noise(5), 10), (u64::MAX, 27), (noise(9), -1)] {
            let mut most = [bits; SIZES];
            most[7] = 26;
            for len in (0..140).chain([700]) {
                let list: Vec<u64> = (0..len).map(|place| signatures[place * 13 % 700] << 32 | place as u64).collect();
                let differing = |signature: u64, own: u64, width: u32| {
                    let different = (SIZE_BITS..width).filter(|bit| (signature ^ own) >> bit & 1 == 1).count();
                    different as i32 <= most[signature as usize % SIZES]
                };
                let passing = |entry: &&u64| differing(**entry >> 32, u64::from(own as u32), u32::BITS);
                let expected: Vec<u32> = list.iter().filter(passing).map(|&entry| entry as u32).collect();
                let (mut best, mut plain) = (vec![], vec![]);
                filter32(&SignatureQuery { own: own as u32, most }, &list, &mut best);
                filter32_scalar(&SignatureQuery { own: own as u32, most }, &list, &mut plain);
                assert_eq!((&expected, &expected), (&best, &plain));

                let mut numbers: Vec<u32> = (0..len as u32).collect();
                let mut plain = numbers.clone();
                filter64(&SignatureQuery { own, most }, &signatures, &mut numbers);
                filter64_scalar(&SignatureQuery { own, most }, &signatures, &mut plain);
                assert_eq!(plain, numbers);
                let wide = |&number: &u32| differing(signatures[number as usize], own, u64::BITS);
                assert_eq!((0..len as u32).filter(wide).collect::<Vec<_>>(), numbers);
            }
        }
    }
}
