//! The instruction set of the kernels: detection and limit.

use std::sync::OnceLock;

/// An instruction set that kernels are compiled for. Each one includes all before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Isa {
    /// The instructions that every processor of the target supports.
    Baseline,
    /// 256-bit vectors of x86-64.
    Avx2,
    /// 512-bit vectors of x86-64, with permutation, compression and bit counts of bytes.
    Avx512,
}

/// The error of [`limit_isa`] when the kernels already use a wider instruction set than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the kernels already use {0:?}")]
pub struct AlreadyInUse(pub Isa);

static ISA: OnceLock<Isa> = OnceLock::new();

/// Limits the kernels of this process to instruction sets up to `limit`. The limit never changes results.
///
/// # Errors
///
/// Returns [`AlreadyInUse`] if the process already uses a wider instruction set.
///
/// # Examples
///
/// ```
/// use groundwire_engine::cpu::{self, Isa};
///
/// cpu::limit_isa(Isa::Baseline)?;
/// assert!(!cpu::features().contains(&"avx2"));
/// # Ok::<(), groundwire_engine::cpu::AlreadyInUse>(())
/// ```
pub fn limit_isa(limit: Isa) -> Result<(), AlreadyInUse> {
    let used = *ISA.get_or_init(|| detect().min(limit));
    if used <= limit { Ok(()) } else { Err(AlreadyInUse(used)) }
}

/// Returns the instruction set in use.
#[inline]
pub(crate) fn isa() -> Isa {
    *ISA.get_or_init(default)
}

#[cfg(not(any(test, feature = "internals")))]
fn default() -> Isa {
    detect()
}

/// Returns the instruction set that `GROUNDWIRE_ARCH` (`scalar` or `avx2`) selects, or else the widest of the
/// processor.
#[cfg(any(test, feature = "internals"))]
fn default() -> Isa {
    match std::env::var("GROUNDWIRE_ARCH").as_deref() {
        Ok("scalar") => Isa::Baseline,
        Ok("avx2") => detect().min(Isa::Avx2),
        _ => detect(),
    }
}

/// Detects the widest instruction set of this processor.
#[cfg(target_arch = "x86_64")]
pub(super) fn detect() -> Isa {
    macro_rules! has {
        ($($name:tt)*) => { $(std::arch::is_x86_feature_detected!($name))&&* };
    }
    // Every known processor with AVX2 also has these bit-manipulation instructions.
    if !(has!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt")) {
        Isa::Baseline
    } else if has!("avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512bitalg") {
        Isa::Avx512
    } else {
        Isa::Avx2
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn detect() -> Isa {
    Isa::Baseline
}

/// Returns the names of the vector instructions in use.
///
/// # Examples
///
/// ```
/// let features = groundwire_engine::cpu::features();
/// # #[cfg(target_arch = "x86_64")]
/// assert_eq!(features[0], "sse2");
/// ```
#[must_use]
pub fn features() -> Vec<&'static str> {
    let mut features = BASELINE.to_vec();
    if isa() >= Isa::Avx2 {
        features.extend(["avx2", "bmi1", "bmi2", "lzcnt", "popcnt"]);
    }
    if isa() >= Isa::Avx512 {
        features.extend(["avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi", "avx512vbmi2", "avx512bitalg"]);
    }
    features
}

const BASELINE: &[&str] = if cfg!(target_arch = "x86_64") {
    &["sse2"]
} else if cfg!(target_arch = "aarch64") {
    &["neon"]
} else {
    &[]
};

#[cfg(test)]
#[path = "../../tests/unit/cpu.rs"]
mod tests;
