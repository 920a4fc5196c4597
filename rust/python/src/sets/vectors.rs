//! `VectorIndex`: meanings by their direction.

use groundwire_engine::similarity;
use numpy::{PyArrayLike1, TypeMustMatch};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{Shared, removed};
use crate::{arguments, arrays, signals};

/// Vectors of one length, found exactly by the cosine of the angle between them. Every search
/// reads them all. Vectors can come and go.
///
/// Safe to share between threads. `sys.getsizeof` counts the whole index.
///
/// Args:
///     dimensions: Values of each vector, at least 1.
///
/// Raises:
///     TypeError: dimensions is no int.
///     ValueError: It is below 1, or beyond a million.
#[pyclass(frozen, weakref, module = "groundwire._engine", name = "VectorIndex")]
pub(crate) struct VectorIndex(Shared<similarity::VectorIndex>);

/// More than any embedder has.
const MAX_DIMENSIONS: usize = 1_000_000;

type Vector<'py> = PyArrayLike1<'py, f32, TypeMustMatch>;

#[pymethods]
impl VectorIndex {
    #[new]
    #[pyo3(signature = (*, dimensions))]
    fn new(dimensions: &Bound<'_, PyAny>) -> PyResult<Self> {
        match arguments::whole(dimensions, "dimensions")? {
            Some(dimensions @ 1..=MAX_DIMENSIONS) => Ok(Self(Shared::new(similarity::VectorIndex::new(dimensions)))),
            _ => Err(PyValueError::new_err(format!("dimensions must be from 1 to {MAX_DIMENSIONS}"))),
        }
    }

    /// Number of vectors.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.0.look(py, similarity::VectorIndex::len)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("VectorIndex(count={}, dimensions={})", self.__len__(py), self.dimensions(py))
    }

    /// Bytes of the whole index.
    fn __sizeof__(&self, py: Python<'_>) -> usize {
        size_of::<Self>() + self.0.look(py, similarity::VectorIndex::bytes)
    }

    /// Values of each vector.
    #[getter]
    fn dimensions(&self, py: Python<'_>) -> usize {
        self.0.look(py, similarity::VectorIndex::dimensions)
    }

    /// Adds a vector, an array of float32.
    ///
    /// Returns:
    ///     Its number. Numbers of vectors that were removed are given again.
    ///
    /// Raises:
    ///     TypeError: It is no array of float32 with one axis.
    ///     ValueError: It has another length, or a value that is not finite.
    fn insert(&self, py: Python<'_>, vector: &Bound<'_, PyAny>) -> PyResult<u32> {
        let vector = values(py, vector)?;
        py.detach(|| self.0.write().insert(&vector)).map_err(signals::exception)
    }

    /// Removes the vector with this number.
    ///
    /// Raises:
    ///     KeyError: There is none.
    fn remove(&self, py: Python<'_>, number: &Bound<'_, PyAny>) -> PyResult<()> {
        removed(py, number, |number| Ok(self.0.write().remove(number)))
    }

    /// Finds the vectors whose cosine with another one is at least a threshold.
    ///
    /// Args:
    ///     vector: What they are compared with, as for `insert`.
    ///     threshold: Above 0 and up to 1.
    ///     limit: So many at most. None: all.
    ///
    /// Returns:
    ///     A list of (number, cosine), the highest first, of equals the lowest number. A vector of
    ///     zeros is like no other.
    ///
    /// Raises:
    ///     TypeError: As for `insert`.
    ///     ValueError: As for `insert`, or the threshold is out of its range, or the limit below 1.
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

/// The values of an array of float32 with one axis.
fn values(py: Python<'_>, vector: &Bound<'_, PyAny>) -> PyResult<Vec<f32>> {
    arrays::prepare(py)?;
    let array: Vector<'_> = vector
        .extract()
        .map_err(|_: PyErr| PyTypeError::new_err("a vector must be an array of float32 with one axis"))?;
    Ok(array.as_array().to_vec())
}
