//! Vector instructions, chosen once at run time. The only unsafe code of the engine.
//!
//! The kernels are ordinary loops over fixed-size arrays; compiled for a wider instruction set
//! they become wide. So a level is the same source in another function, and all levels are held
//! to the same oracle. `GROUNDWIRE_ARCH=scalar` turns the wide ones off, `GROUNDWIRE_ARCH=avx2`
//! those that are wider than that.

#[cfg(target_arch = "x86_64")]
mod avx2;
pub(crate) mod count;
pub(crate) mod marks;

use std::sync::OnceLock;

use crate::exact::filter::Filter;
use crate::exact::grams::BLOCK_PLACES;
use crate::exact::pair;
use crate::normalize::clean::{self, Lane};
use crate::text::Unit;

/// Instruction sets that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor of the target has.
    Baseline,
    /// 256-bit vectors of x86-64.
    Avx2,
    /// 512-bit vectors of x86-64 with bytes and words, and permutations of bytes.
    Avx512,
}

/// The level in use.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let most = match std::env::var("GROUNDWIRE_ARCH").as_deref() {
            Ok("scalar") => Level::Baseline,
            Ok("avx2") => Level::Avx2,
            _ => Level::Avx512,
        };
        detected().min(most)
    })
}

#[cfg(target_arch = "x86_64")]
fn detected() -> Level {
    use std::arch::is_x86_feature_detected as has;
    // Processors with AVX2 have had the bit instructions ever since.
    if !(has!("avx2") && has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")) {
        Level::Baseline
    } else if has!("avx512f") && has!("avx512bw") && has!("avx512vbmi") {
        Level::Avx512
    } else {
        Level::Avx2
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detected() -> Level {
    Level::Baseline
}

/// [`clean::copy_ordinary`] at the best level.
#[inline]
pub(crate) fn copy_ordinary<I: Lane, O: Lane>(input: &[I], out: &mut Vec<O>, minds_newlines: bool) -> usize {
    #[cfg(target_arch = "x86_64")]
    if level() >= Level::Avx2 {
        // SAFETY: the level says that the processor has AVX2.
        return unsafe { copy_ordinary_avx2(input, out, minds_newlines) };
    }
    clean::copy_ordinary(input, out, minds_newlines)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn copy_ordinary_avx2<I: Lane, O: Lane>(input: &[I], out: &mut Vec<O>, minds_newlines: bool) -> usize {
    clean::copy_ordinary(input, out, minds_newlines)
}

/// [`Filter::pass_block`] at the best level.
#[inline]
pub(crate) fn filter_block<T: Unit, const CHARS: usize>(
    filter: &Filter,
    text: &[T],
    step: usize,
    passed: &mut [u8; BLOCK_PLACES + 1],
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if level() >= Level::Avx2 {
        // SAFETY: the level says that the processor has AVX2.
        return unsafe { filter_block_avx2::<T, CHARS>(filter, text, step, passed) };
    }
    filter.pass_block::<T, CHARS>(text, step, passed)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn filter_block_avx2<T: Unit, const CHARS: usize>(
    filter: &Filter,
    text: &[T],
    step: usize,
    passed: &mut [u8; BLOCK_PLACES + 1],
) -> usize {
    filter.pass_block::<T, CHARS>(text, step, passed)
}

/// [`pair::find_pair`] at the best level.
#[inline]
pub(crate) fn find_pair<T: Unit>(first: &[T], second: &[T], units: [T; 2]) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    if level() >= Level::Avx2 {
        // SAFETY: the level says that the processor has AVX2.
        return unsafe { find_pair_avx2(first, second, units) };
    }
    pair::find_pair(first, second, units)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn find_pair_avx2<T: Unit>(first: &[T], second: &[T], units: [T; 2]) -> Option<usize> {
    pair::find_pair(first, second, units)
}

/// A part of a text for one needle, its characters dealt to `LANES` lanes.
pub(crate) struct Tile<'a, L, const LANES: usize> {
    /// Ids of the needle's characters.
    pub(crate) needle: &'a [L],
    /// One row a column: the ids of the characters at the same place in every lane. As many as
    /// the windows and the needle reach, rounded up to fours.
    pub(crate) columns: &'a [[L; LANES]],
    /// Windows in the fullest lane, at least one.
    pub(crate) windows: usize,
    /// Windows in each lane.
    pub(crate) windows_in_lane: [usize; LANES],
}

/// A lane type that the processor may have a combing kernel for.
pub(crate) trait Comb<const LANES: usize>: Sized {
    /// The largest LCS of any window of `tile` if it is above `best`, else `best`; `None` where
    /// there is no kernel.
    fn best_of_tile(tile: &Tile<'_, Self, LANES>, best: usize) -> Option<usize>;
}

macro_rules! comb {
    ($lane:ty, $lanes:expr, $avx2:ident) => {
        impl Comb<$lanes> for $lane {
            #[cfg(target_arch = "x86_64")]
            fn best_of_tile(tile: &Tile<'_, Self, $lanes>, best: usize) -> Option<usize> {
                // SAFETY: the level says that the processor has AVX2.
                (level() >= Level::Avx2).then(|| unsafe { avx2::$avx2(tile, best) })
            }

            #[cfg(not(target_arch = "x86_64"))]
            fn best_of_tile(_: &Tile<'_, Self, $lanes>, _: usize) -> Option<usize> {
                None
            }
        }
    };
}

comb!(u8, 32, best_of_tile_u8);
comb!(u16, 16, best_of_tile_u16);

#[cfg(test)]
mod tests {
    use super::*;

    /// What both levels make of `input`.
    fn run<I: Lane>(input: &[I], minds_newlines: bool) -> [(usize, Vec<u8>); 2] {
        let (mut best, mut baseline) = (vec![b'x'], vec![b'x']);
        let taken = copy_ordinary(input, &mut best, minds_newlines);
        [(taken, best), (clean::copy_ordinary(input, &mut baseline, minds_newlines), baseline)]
    }

    #[test]
    fn all_levels_agree_at_every_alignment() {
        for stop in ["", "<", ">", "  ", " \t", "é", "\u{7F}", "\n", "{", "-", "Z[`@", "\u{1C}\u{1F}"] {
            for before in 0..70 {
                for after in [0, 1, 31, 32, 33, 70] {
                    let text = format!("{}{stop}{}", "aB ".repeat(before / 3 + 1), "x".repeat(after));
                    let narrow: Vec<u8> = text.chars().map(|character| character as u8).skip(before % 3).collect();
                    let wide: Vec<u16> = narrow.iter().map(|&unit| u16::from(unit)).collect();
                    for minds_newlines in [false, true] {
                        let [best, baseline] = run(&narrow, minds_newlines);
                        assert_eq!(baseline, best, "{text:?}");
                        assert_eq!([baseline.clone(), baseline], run(&wide, minds_newlines), "{text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn curly_quotes_are_ordinary_in_wide_texts() {
        let text: Vec<u16> = "it’s “so” ‘odd’—".encode_utf16().collect();
        let [best, baseline] = run(&text, false);
        assert_eq!(baseline, best);
        assert_eq!((15, b"xit's \"so\" 'odd'".to_vec()), best);
    }
}
