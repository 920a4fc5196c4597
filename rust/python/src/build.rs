//! `build_info`: facts about this build and machine.

use groundwire_engine::{
    UNICODE_VERSION,
    cpu::{self, Isa},
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::normalizers::python_unicode_version;

/// Returns the Unicode version of the engine's tables, such as "17.0.0".
pub(crate) fn unicode_version() -> String {
    version(UNICODE_VERSION)
}

fn version((major, minor): (u8, u8)) -> String {
    format!("{major}.{minor}.0")
}

/// Limits the kernels to the instruction sets that the environment variable `GROUNDWIRE_ARCH` allows.
pub(crate) fn limit_isa() {
    let limit = match std::env::var("GROUNDWIRE_ARCH").as_deref() {
        Ok("scalar") => Isa::Baseline,
        Ok("avx2") => Isa::Avx2,
        _ => return,
    };
    // This fails in a second interpreter of the process, where the limit is already set.
    let _ = cpu::limit_isa(limit);
}

/// Describe this build of the engine.
///
/// Returns:
///     A dict: "version" of groundwire; "profile" ("release", or "debug", which is far too slow for
///     measurements); "target" (processor and system); "cpu_features" (vector instructions that the engine's
///     kernels use, chosen at run time, and limited by GROUNDWIRE_ARCH); "unicode_version" of the engine's
///     tables; and "python_unicode_version", which the engine follows if it is older.
#[pyfunction]
pub(crate) fn build_info(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let info = PyDict::new(py);
    info.set_item("version", env!("CARGO_PKG_VERSION"))?;
    info.set_item("profile", if cfg!(debug_assertions) { "debug" } else { "release" })?;
    info.set_item("target", format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS))?;
    info.set_item("cpu_features", cpu::features())?;
    info.set_item("unicode_version", unicode_version())?;
    info.set_item("python_unicode_version", version(python_unicode_version(py)?))?;
    Ok(info)
}
