//! Creates the tuples and ints of long lists of results, which takes as long as the search itself.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};

/// Number of cached positions: those of a few words.
const RECENT_POSITIONS: usize = 64;

/// A cache of positions that were recently converted to objects. Overlapping matches share positions, and creating an
/// object takes longer than a lookup.
pub(crate) struct PositionInts<'py>([Option<(usize, Bound<'py, PyInt>)>; RECENT_POSITIONS]);

impl<'py> PositionInts<'py> {
    pub(crate) fn new() -> Self {
        Self([const { None }; RECENT_POSITIONS])
    }

    /// Returns `position` as an object.
    #[inline]
    pub(crate) fn int(&mut self, py: Python<'py>, position: usize) -> Bound<'py, PyInt> {
        let slot = &mut self.0[position % RECENT_POSITIONS];
        if let Some((recent, int)) = slot
            && *recent == position
        {
            return int.clone();
        }
        let int = int(py, position);
        *slot = Some((position, int.clone()));
        int
    }
}

/// Returns a length or an index as an object.
#[inline]
pub(crate) fn int(py: Python<'_>, number: usize) -> Bound<'_, PyInt> {
    // It is below 2^63, and the interpreter converts signed integers faster.
    let Ok(int) = number.cast_signed().into_pyobject(py);
    int
}

/// Creates a tuple that the garbage collector does not track, since the collector would only untrack it later.
#[inline]
pub(crate) fn triple<'py>(
    index: Bound<'py, PyInt>,
    start: Bound<'py, PyInt>,
    end: Bound<'py, PyInt>,
) -> PyResult<Bound<'py, PyTuple>> {
    let py = index.py();
    let tuple = (index, start, end).into_pyobject(py)?;
    // SAFETY: the tuple is complete, and its ints refer to nothing, so it is in no cycle.
    unsafe { ffi::PyObject_GC_UnTrack(tuple.as_ptr().cast()) };
    Ok(tuple)
}
