//! numpy arrays as results.

use std::panic::{AssertUnwindSafe, catch_unwind};

use numpy::{Element, IntoPyArray, PyArray1};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Loads numpy if that was not done yet. To be called before long work: its absence and a signal
/// that arrives meanwhile are exceptions here, and a panic once an array is made.
pub(crate) fn prepare(py: Python<'_>) -> PyResult<()> {
    static LOADED: PyOnceLock<()> = PyOnceLock::new();
    LOADED.get_or_try_init(py, || {
        py.import("numpy")?;
        drop(PyArray1::<bool>::zeros(py, 0, false));
        Ok::<_, PyErr>(())
    })?;
    Ok(())
}

/// One value after the other, without a copy.
pub(crate) fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> PyResult<Bound<'_, PyArray1<T>>> {
    // The crate panics where numpy refuses the array object, for which memory is all it needs.
    catch_unwind(AssertUnwindSafe(|| values.into_pyarray(py)))
        .map_err(|_| PyMemoryError::new_err("no room for the result"))
}
