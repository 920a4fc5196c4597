//! `Alignment`: the best window of a partial ratio.

use groundwire_engine::ScoreAlignment;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The best window, with RapidFuzz's names: `src` is the first string, `dest` the second.
///
/// The shorter string always counts as a whole. Ties go to the leftmost window, then the longest; of two
/// strings of equal length, the first is tried as the shorter one first.
///
/// Attributes:
///     score: Partial ratio, 0 to 100.
///     src_start, src_end: The span in the first string, in code points.
///     dest_start, dest_end: The span in the second string.
#[pyclass(frozen, eq, get_all, module = "groundwire")]
#[derive(PartialEq)]
pub(crate) struct Alignment {
    score: f64,
    src_start: usize,
    src_end: usize,
    dest_start: usize,
    dest_end: usize,
}

impl Alignment {
    /// Creates the alignment of two strings, which have `src` and `dest` characters.
    pub(crate) fn new(best: ScoreAlignment, src: usize, dest: usize) -> Self {
        let score = best.ratio.score();
        let (start, end) = (best.window.start, best.window.end);
        if best.is_swapped {
            Self { score, src_start: start, src_end: end, dest_start: 0, dest_end: dest }
        } else {
            Self { score, src_start: 0, src_end: src, dest_start: start, dest_end: end }
        }
    }

    fn fields(&self) -> (f64, usize, usize, usize, usize) {
        (self.score, self.src_start, self.src_end, self.dest_start, self.dest_end)
    }
}

/// Unpickle an Alignment.
#[pyfunction]
#[pyo3(name = "_rebuild_alignment")]
pub(crate) fn rebuild_alignment(
    score: f64,
    src_start: usize,
    src_end: usize,
    dest_start: usize,
    dest_end: usize,
) -> Alignment {
    Alignment { score, src_start, src_end, dest_start, dest_end }
}

#[pymethods]
impl Alignment {
    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.fields().into_pyobject(py)?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let rebuild = py.import("groundwire._engine")?.getattr("_rebuild_alignment")?;
        Ok((rebuild, self.fields().into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        let Self { score, src_start, src_end, dest_start, dest_end } = self;
        format!(
            "Alignment(score={score:?}, src_start={src_start}, src_end={src_end}, dest_start={dest_start}, dest_end={dest_end})"
        )
    }
}
