//! Creates numpy arrays.

use std::panic::{AssertUnwindSafe, catch_unwind};

use numpy::{Element, IntoPyArray, PyArray1};
use pyo3::exceptions::{PyMemoryError, PyModuleNotFoundError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// Loads numpy on first use. Callers do so before long work: if numpy is missing or a signal arrives while it loads,
/// this function returns the exception, whereas creating an array would panic.
pub(crate) fn prepare(py: Python<'_>) -> PyResult<()> {
    static LOADED: PyOnceLock<()> = PyOnceLock::new();
    LOADED.get_or_try_init(py, || {
        py.import("numpy").map_err(|error| with_extra(py, error))?;
        drop(PyArray1::<bool>::zeros(py, 0, false));
        Ok::<_, PyErr>(())
    })?;
    Ok(())
}

/// Names the extra that brings numpy, if *error* says that numpy is missing.
fn with_extra(py: Python<'_>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyModuleNotFoundError>(py) {
        return error;
    }
    let named = PyModuleNotFoundError::new_err("arrays need numpy: pip install 'groundwire[numpy]'");
    named.set_cause(py, Some(error));
    named
}

/// Converts the values to an array without a copy.
pub(crate) fn array<T: Element>(py: Python<'_>, values: Vec<T>) -> PyResult<Bound<'_, PyArray1<T>>> {
    // The numpy crate panics if there is not enough memory for the array object.
    catch_unwind(AssertUnwindSafe(|| values.into_pyarray(py)))
        .map_err(|_| PyMemoryError::new_err("not enough memory for the result"))
}
