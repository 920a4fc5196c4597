//! `VectorIndex`: exact search for embedding vectors by cosine.

use groundwire_engine::similarity;
use numpy::{PyArrayLike1, TypeMustMatch};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{SharedIndex, removed};
use crate::{arguments, arrays, signals};

/// An index of vectors of one length, searched exactly by cosine similarity. Every search reads all vectors.
/// Vectors can be added and removed.
///
/// Safe to share between threads. `sys.getsizeof` counts the whole index.
///
/// Args:
///     dimensions: Number of values in each vector, at least 1.
///
/// Raises:
///     TypeError: dimensions is not an int.
///     ValueError: It is below 1, or above a million.
#[pyclass(frozen, weakref, module = "groundwire._engine", name = "VectorIndex")]
pub(crate) struct VectorIndex(SharedIndex<similarity::VectorIndex>);

/// More than any embedding model has.
const MAX_DIMENSIONS: usize = 1_000_000;

type Vector<'py> = PyArrayLike1<'py, f32, TypeMustMatch>;

#[pymethods]
impl VectorIndex {
    #[new]
    #[pyo3(signature = (*, dimensions))]
    fn new(dimensions: &Bound<'_, PyAny>) -> PyResult<Self> {
        match arguments::whole(dimensions, "dimensions")? {
            Some(dimensions @ 1..=MAX_DIMENSIONS) => {
                Ok(Self(SharedIndex::new(similarity::VectorIndex::new(dimensions))))
            }
            _ => Err(PyValueError::new_err(format!("dimensions must be between 1 and {MAX_DIMENSIONS}"))),
        }
    }

    /// Return the number of vectors.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.0.measure(py, similarity::VectorIndex::len)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("VectorIndex(count={}, dimensions={})", self.__len__(py), self.dimensions(py))
    }

    /// Return the size of the whole index in bytes.
    fn __sizeof__(&self, py: Python<'_>) -> usize {
        size_of::<Self>() + self.0.measure(py, similarity::VectorIndex::bytes)
    }

    /// Number of values in each vector.
    #[getter]
    fn dimensions(&self, py: Python<'_>) -> usize {
        self.0.measure(py, similarity::VectorIndex::dimensions)
    }

    /// Add a vector, an array of float32.
    ///
    /// Returns:
    ///     Its number. Numbers of removed vectors are reused.
    ///
    /// Raises:
    ///     TypeError: It is not a one-dimensional array of float32.
    ///     ValueError: It has another length, or a value that is not finite.
    fn insert(&self, py: Python<'_>, vector: &Bound<'_, PyAny>) -> PyResult<u32> {
        let vector = values(py, vector)?;
        py.detach(|| self.0.write().insert(&vector)).map_err(signals::exception)
    }

    /// Remove the vector with this number.
    ///
    /// Raises:
    ///     KeyError: There is no such vector.
    fn remove(&self, py: Python<'_>, number: &Bound<'_, PyAny>) -> PyResult<()> {
        removed(py, number, |number| Ok(self.0.write().remove(number)))
    }

    /// Find the vectors whose cosine with a given one is at least a threshold.
    ///
    /// Args:
    ///     vector: The vector to compare with, as for `insert`.
    ///     threshold: Minimum cosine, above 0 and up to 1.
    ///     limit: Maximum number of results. None: all.
    ///
    /// Returns:
    ///     A list of (number, cosine), the highest first, ties to the lowest number. A vector of zeros is
    ///     similar to no other.
    ///
    /// Raises:
    ///     TypeError: As for `insert`.
    ///     ValueError: As for `insert`, or the threshold is out of range, or the limit below 1.
    #[pyo3(signature = (vector, threshold, *, limit = None))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        vector: &Bound<'py, PyAny>,
        threshold: &Bound<'py, PyAny>,
        limit: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        super::similarity(threshold, "threshold")?;
        let threshold = arguments::number(threshold, "threshold")?;
        let limit = super::limit(limit)?;
        let vector = values(py, vector)?;
        let found = signals::run(py, usize::MAX, |cancel| self.0.read().query(&vector, threshold, limit, cancel))?;
        PyList::new(py, found)
    }
}

/// Returns the values of a one-dimensional array of float32.
fn values(py: Python<'_>, vector: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    arrays::prepare(py)?;
    let array: Vector<'_> = vector
        .extract()
        .map_err(|_: PyErr| PyTypeError::new_err("vector must be a one-dimensional array of float32"))?;
    Ok(array.as_array().to_vec())
}
