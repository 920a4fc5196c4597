//! Lists of many small results: `(pattern index, start, end)`.
//!
//! Making them takes as long as finding them, so what can be left out is.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyTuple};

/// Positions at hand: characters that a few words take.
const RECENT_POSITIONS: usize = 64;

/// Positions that were made into objects lately. Patterns that overlap begin and end at the same
/// ones, and making an object takes longer than looking it up.
pub(crate) struct Positions<'py>([Option<(usize, Bound<'py, PyInt>)>; RECENT_POSITIONS]);

impl<'py> Positions<'py> {
    pub(crate) fn new() -> Self {
        Self([const { None }; RECENT_POSITIONS])
    }

    /// `position` as an object.
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

/// `number`, which counts things in the memory, as an object.
#[inline]
pub(crate) fn int(py: Python<'_>, number: usize) -> Bound<'_, PyInt> {
    // It fits, and the interpreter has a shorter way for numbers with a sign.
    let Ok(int) = number.cast_signed().into_pyobject(py);
    int
}

/// A tuple that the garbage collector need not look at. It would find that out by itself, one
/// tuple after the other.
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
