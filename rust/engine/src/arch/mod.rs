//! Vector instructions, chosen once at run time. The only unsafe code of the engine.
//!
//! The kernels are ordinary loops over fixed-size arrays; compiled for a wider instruction set
//! they become wide. So a level is the same source in another function, and all levels are held
//! to the same oracle. `GROUNDWIRE_ARCH=scalar` turns the wide ones off, and `avx2` the widest.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx2_chunk;
#[cfg(target_arch = "x86_64")]
mod avx512_chunk;
mod ordinary;

use std::sync::OnceLock;

pub(crate) use ordinary::{copy_ordinary, mark_ends};

/// Instruction sets that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// What every processor of the target has.
    Baseline,
    /// 256-bit vectors of x86-64.
    Avx2,
    /// 512-bit vectors of bytes and words as well.
    Avx512,
}

/// The level in use.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| match std::env::var("GROUNDWIRE_ARCH").as_deref() {
        Ok("scalar") => Level::Baseline,
        Ok("avx2") => detected().min(Level::Avx2),
        _ => detected(),
    })
}

#[cfg(target_arch = "x86_64")]
fn detected() -> Level {
    if !std::arch::is_x86_feature_detected!("avx2") {
        Level::Baseline
    } else if std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512bw") {
        Level::Avx512
    } else {
        Level::Avx2
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detected() -> Level {
    Level::Baseline
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
