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
