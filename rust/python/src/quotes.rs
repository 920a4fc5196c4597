//! `QuoteAlignment`: the differences between a quote and its passage.

use groundwire_engine as engine;
use groundwire_engine::{Edit, Span};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Start and end in the quote, then in the source.
type Positions = (usize, usize, usize, usize);

/// A quote aligned with its source passage, word by word.
///
/// Attributes:
///     start: Offset of the passage's first character, in code points of the source's text.
///     end: Offset after its last character.
///     score: Partial ratio of quote and source, both normalised, 0.0 to 1.0.
///     edits: The differences: a list of (quote_start, quote_end, source_start, source_end) in order and
///         without overlaps, in code points of the original quote and source. Each is a minimal group of
///         whole words or signs; one side may be empty. Replacing quote[quote_start:quote_end] with
///         source[source_start:source_end] for all of them turns the quote into source[start:end].
#[pyclass(frozen, eq, module = "groundwire")]
#[derive(PartialEq)]
pub(crate) struct QuoteAlignment {
    passage: Span,
    score: f64,
    edits: Vec<Positions>,
}

impl QuoteAlignment {
    /// Converts the engine's alignment for a part of the text that begins at `offset`.
    pub(crate) fn new(aligned: &engine::QuoteAlignment, offset: usize) -> Self {
        let moved = |span: Span| Span::new(span.start + offset, span.end + offset);
        let positions = |&Edit { quote, passage }: &Edit| {
            let passage = moved(passage);
            (quote.start, quote.end, passage.start, passage.end)
        };
        let edits = aligned.edits.iter().map(positions).collect();
        Self { passage: moved(aligned.passage), score: aligned.score / 100.0, edits }
    }
}

/// Unpickle a QuoteAlignment.
#[pyfunction]
#[pyo3(name = "_rebuild_quote_alignment")]
pub(crate) fn rebuild_quote_alignment(start: usize, end: usize, score: f64, edits: Vec<Positions>) -> QuoteAlignment {
    QuoteAlignment { passage: Span { start, end }, score, edits }
}

#[pymethods]
impl QuoteAlignment {
    #[getter]
    fn start(&self) -> usize {
        self.passage.start
    }

    #[getter]
    fn end(&self) -> usize {
        self.passage.end
    }

    #[getter]
    fn score(&self) -> f64 {
        self.score
    }

    #[getter]
    fn edits(&self) -> Vec<Positions> {
        self.edits.clone()
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, [self.passage.start, self.passage.end, self.edits.len()])?.hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let rebuild = py.import("groundwire._engine")?.getattr("_rebuild_quote_alignment")?;
        let fields = (self.passage.start, self.passage.end, self.score, self.edits.clone());
        Ok((rebuild, fields.into_pyobject(py)?))
    }

    /// Return the offsets and score; the texts stay out of logs.
    fn __repr__(&self) -> String {
        let Span { start, end } = self.passage;
        format!("QuoteAlignment(start={start}, end={end}, score={:?}, edits={:?})", self.score, self.edits)
    }
}
