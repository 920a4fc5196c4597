//! Vector instructions, chosen once at run time. The only unsafe code of the engine.
//!
//! The kernels are ordinary loops over fixed-size arrays, or one macro for all widths; compiled
//! for a wider instruction set they become wide. So a level is the same source in another
//! function, and all levels are held to the same oracle. `GROUNDWIRE_ARCH=scalar` turns the wide
//! ones off, `GROUNDWIRE_ARCH=avx2` the widest.

mod ascii_chunk;
#[cfg(target_arch = "x86_64")]
mod avx2_chunk;
#[cfg(target_arch = "x86_64")]
mod avx512_chunk;
pub(crate) mod bigram_marks;
pub(crate) mod bit_counter;
pub(crate) mod combing;
mod combing_scalar;
pub(crate) mod dot_product;
pub(crate) mod minhash;
pub(crate) mod set_signatures;
mod uninit_buffer;

use std::sync::OnceLock;

pub(crate) use ascii_chunk::{copy_ordinary, mark_ends};
pub(crate) use uninit_buffer::UninitBuffer;

use crate::exact::multi::gram_filter::Filter;
use crate::exact::multi::gram_table::BLOCK_PLACES;
use crate::exact::packed_pair;
use crate::text::CodeUnit;

/// Instruction sets that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Isa {
    /// What every processor of the target has.
    Baseline,
    /// 256-bit vectors of x86-64.
    Avx2,
    /// 512-bit vectors of x86-64 with bytes and words, and permutations of bytes and
    /// their compression.
    Avx512,
}

/// The level in use.
pub fn level() -> Isa {
    static LEVEL: OnceLock<Isa> = OnceLock::new();
    *LEVEL.get_or_init(|| match std::env::var("GROUNDWIRE_ARCH").as_deref() {
        Ok("scalar") => Isa::Baseline,
        Ok("avx2") => detected().min(Isa::Avx2),
        _ => detected(),
    })
}

#[cfg(target_arch = "x86_64")]
fn detected() -> Isa {
    use std::arch::is_x86_feature_detected as has;
    // Processors with AVX2 have had the bit instructions ever since.
    if !(has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")) {
        Isa::Baseline
    } else if has!("avx512f") && has!("avx512bw") && has!("avx512vbmi") && has!("avx512vbmi2") {
        Isa::Avx512
    } else {
        Isa::Avx2
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detected() -> Isa {
    Isa::Baseline
}

/// Names of the vector instructions that the level in use rests on.
#[must_use]
pub fn cpu_features() -> Vec<&'static str> {
    let mut features = BASELINE.to_vec();
    if level() >= Isa::Avx2 {
        features.extend(["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"]);
    }
    if level() >= Isa::Avx512 {
        features.extend(["avx512f", "avx512bw", "avx512vbmi", "avx512vbmi2"]);
    }
    features
}

/// What every processor of the target has.
const BASELINE: &[&str] = if cfg!(target_arch = "x86_64") {
    &["sse2"]
} else if cfg!(target_arch = "aarch64") {
    &["neon"]
} else {
    &[]
};

/// [`Filter::pass_block`] at the best level.
#[inline]
pub(crate) fn filter_block<T: CodeUnit, const CHARS: usize>(
    filter: &Filter,
    text: &[T],
    step: usize,
    passed: &mut [u8; BLOCK_PLACES + 1],
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if level() >= Isa::Avx2 {
        // SAFETY: the level says that the processor has AVX2.
        return unsafe { filter_block_avx2::<T, CHARS>(filter, text, step, passed) };
    }
    filter.pass_block::<T, CHARS>(text, step, passed)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn filter_block_avx2<T: CodeUnit, const CHARS: usize>(
    filter: &Filter,
    text: &[T],
    step: usize,
    passed: &mut [u8; BLOCK_PLACES + 1],
) -> usize {
    filter.pass_block::<T, CHARS>(text, step, passed)
}

/// [`packed_pair::find_pair`] at the best level.
#[inline]
pub(crate) fn find_pair<T: CodeUnit>(first: &[T], second: &[T], units: [T; 2]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if level() >= Isa::Avx2 {
        // SAFETY: the level says that the processor has AVX2.
        return unsafe { find_pair_avx2(first, second, units) };
    }
    packed_pair::find_pair(first, second, units)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn find_pair_avx2<T: CodeUnit>(first: &[T], second: &[T], units: [T; 2]) -> Option<usize> {
    packed_pair::find_pair(first, second, units)
}
