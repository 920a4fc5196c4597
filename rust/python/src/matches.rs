//! `Match`: the span of a quote in its source.

use groundwire_engine::{Match as Found, MatchKind, Span};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PySlice, PyString, PyTuple};

const KINDS: [MatchKind; 3] = [MatchKind::Exact, MatchKind::Normalized, MatchKind::Fuzzy];

/// Returns the Python name of a kind.
pub(crate) fn name_of(kind: MatchKind) -> &'static str {
    match kind {
        MatchKind::Exact => "exact",
        MatchKind::Normalized => "normalized",
        MatchKind::Fuzzy => "fuzzy",
    }
}

/// The text of a match.
pub(crate) enum MatchText {
    /// The whole source, which is sliced on access.
    Source(Py<PyString>),
    /// The text of the match itself.
    Sliced(Py<PyString>),
}

/// The match of a quote in its source.
///
/// Attributes:
///     start: Offset of the first character, in code points of the original text.
///     end: Offset after the last character.
///     text: The original text from start to end.
///     score: Similarity after normalisation, 0.0 to 1.0.
///     kind: "exact" (verbatim), "normalized" (after normalisation) or "fuzzy" (similar).
#[pyclass(frozen, module = "groundwire", name = "Match")]
pub(crate) struct Match {
    span: Span,
    score: f64,
    kind: MatchKind,
    text: MatchText,
}

impl Match {
    pub(crate) fn new(found: Found, source: Py<PyString>) -> Self {
        let Found { span, score, kind } = found;
        Self { span, score, kind, text: MatchText::Source(source) }
    }
}

#[pymethods]
impl Match {
    #[getter]
    fn start(&self) -> usize {
        self.span.start
    }

    #[getter]
    fn end(&self) -> usize {
        self.span.end
    }

    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        match &self.text {
            MatchText::Sliced(text) => Ok(text.bind(py).clone()),
            MatchText::Source(source) => {
                let slice = PySlice::new(py, self.span.start as isize, self.span.end as isize, 1);
                Ok(source.bind(py).get_item(slice)?.cast_into()?)
            }
        }
    }

    #[getter]
    fn score(&self) -> f64 {
        self.score
    }

    #[getter]
    fn kind(&self) -> &'static str {
        name_of(self.kind)
    }

    /// Return the offsets, score and kind; the text stays out of logs.
    fn __repr__(&self) -> String {
        let Span { start, end } = self.span;
        format!("Match(start={start}, end={end}, score={:?}, kind='{}')", self.score, name_of(self.kind))
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operation: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        let is_equal = self.span == other.span
            && self.score == other.score
            && self.kind == other.kind
            && self.text(py)?.as_any().eq(other.text(py)?)?;
        match operation {
            CompareOp::Eq => Ok(is_equal.into_pyobject(py)?.to_owned().into_any().unbind()),
            CompareOp::Ne => Ok((!is_equal).into_pyobject(py)?.to_owned().into_any().unbind()),
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, [self.span.start, self.span.end])?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let rebuild = py.import("groundwire._engine")?.getattr("_rebuild_match")?;
        let Span { start, end } = self.span;
        Ok((rebuild, (start, end, self.score, name_of(self.kind), self.text(py)?).into_pyobject(py)?))
    }
}

/// Unpickle a Match.
#[pyfunction]
#[pyo3(name = "_rebuild_match")]
pub(crate) fn rebuild_match(start: usize, end: usize, score: f64, kind: &str, text: Py<PyString>) -> PyResult<Match> {
    let kind = KINDS.into_iter().find(|known| name_of(*known) == kind);
    let kind = kind.ok_or_else(|| PyValueError::new_err("kind must be 'exact', 'normalized' or 'fuzzy'"))?;
    Ok(Match { span: Span::new(start, end), score, kind, text: MatchText::Sliced(text) })
}
