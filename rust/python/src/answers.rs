//! `Answer`: the citations, sentences and claims of an answer.

use groundwire_engine::{Span, TextBuf};
use groundwire_language::answer as engine;
use groundwire_language::answer::{BlockKind, CitedItem, KnownIds, MarkerStatus, MarkerSyntax};
use groundwire_language::sentence;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::tuples::int;
use crate::{arguments, characters, signals};

/// Read the citations, sentences and claims of an answer.
///
/// Args:
///     answer: Markdown or plain text.
///     ids: The ids that the answer can cite.
///
/// Returns:
///     An Answer, with offsets into *answer*.
#[pyfunction]
pub(crate) fn read_answer(py: Python<'_>, answer: &Bound<'_, PyAny>, ids: &Bound<'_, PyAny>) -> PyResult<Answer> {
    let units = characters::units(arguments::string(answer, "answer")?)?;
    let ids = arguments::strings(ids, "ids")?;
    let ids = KnownIds::new(ids.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?);
    let answer = signals::run(py, units.len(), |cancel| engine::read(units, &ids, cancel))?;
    Ok(Answer { engine: answer, markers: PyOnceLock::new(), sentences: PyOnceLock::new(), claims: PyOnceLock::new() })
}

/// Split a plain text into sentences.
///
/// Args:
///     text: The text. A blank line ends a sentence, a single line end does not.
///
/// Returns:
///     A list of (start, end), in code points, in order; only white space is between them.
#[pyfunction]
pub(crate) fn sentences<'py>(py: Python<'py>, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let units = characters::units(arguments::string(text, "text")?)?;
    let found = signals::run(py, units.len(), |cancel| sentence::sentences(units, cancel))?;
    signals::listed(py, found.iter().map(|&span| pair(py, span)))
}

/// Find the blocks of a Markdown text.
///
/// Args:
///     text: The text.
///
/// Returns:
///     A list of (kind, start, end), in code points, in order, enclosing blocks before the enclosed ones.
///     Kinds are "paragraph", "heading", "fenced", "indented" and "html", and for enclosing blocks "quote"
///     and "item"; "hidden" is code, a tag or the target of a link in one of them. Thematic breaks, link
///     definitions and text that is nested too deeply are in no block.
#[pyfunction]
pub(crate) fn markdown_blocks<'py>(py: Python<'py>, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let units = characters::units(arguments::string(text, "text")?)?;
    let found = signals::run(py, units.len(), |cancel| engine::blocks(units, cancel))?;
    signals::listed(
        py,
        found.iter().map(|block| {
            let kind = match block.kind {
                BlockKind::Paragraph => intern!(py, "paragraph"),
                BlockKind::Heading => intern!(py, "heading"),
                BlockKind::Fenced => intern!(py, "fenced"),
                BlockKind::Indented => intern!(py, "indented"),
                BlockKind::Html => intern!(py, "html"),
                BlockKind::Quote => intern!(py, "quote"),
                BlockKind::Item => intern!(py, "item"),
                BlockKind::Hidden => intern!(py, "hidden"),
            };
            (kind, int(py, block.span.start), int(py, block.span.end)).into_pyobject(py)
        }),
    )
}

fn pair(py: Python<'_>, span: Span) -> PyResult<Bound<'_, PyTuple>> {
    (int(py, span.start), int(py, span.end)).into_pyobject(py)
}

/// Returns the cached tuple of the results of `make` for `items`, created on first use.
fn once<'py, T, R: IntoPyObject<'py>>(
    py: Python<'py>,
    cell: &PyOnceLock<Py<PyTuple>>,
    items: &[T],
    make: impl Fn(&T) -> PyResult<R>,
) -> PyResult<Bound<'py, PyTuple>> {
    let made = cell.get_or_try_init(py, || {
        let items = signals::objects(py, items.iter().map(&make))?;
        PyTuple::new(py, items).map(Bound::unbind)
    });
    made.map(|tuple| tuple.bind(py).clone())
}

type Figures<'py> = (usize, usize, usize, Bound<'py, PyList>, Bound<'py, PyList>, Bound<'py, PyList>);

/// An answer, read once.
///
/// Attributes:
///     markers: Brackets that are citations or may be mistaken for some, in order.
///     sentences: (start, end) of all sentences of the prose, including headings, in code points.
///     claims: The sentences that are long enough to be claims, in order.
#[pyclass(frozen, module = "groundwire._engine")]
pub(crate) struct Answer {
    engine: engine::Answer,
    markers: PyOnceLock<Py<PyTuple>>,
    sentences: PyOnceLock<Py<PyTuple>>,
    claims: PyOnceLock<Py<PyTuple>>,
}

#[pymethods]
impl Answer {
    #[getter]
    fn markers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        once(py, &self.markers, &self.engine.markers, |marker| Bound::new(py, Marker::new(py, marker)?))
    }

    #[getter]
    fn sentences<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        once(py, &self.sentences, &self.engine.sentences, |&span| pair(py, span))
    }

    #[getter]
    fn claims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        once(py, &self.claims, &self.engine.claims, |claim| Bound::new(py, Claim::new(py, claim)?))
    }

    /// Count the claims, and list the distinct ids of the citations.
    ///
    /// Returns:
    ///     The number of claims, of those with a valid citation, and of long claims without one; then the
    ///     distinct valid, invalid and ignored ids, each list sorted.
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<Figures<'py>> {
        let engine::AnswerCounts { cited, uncited, valid, invalid, ignored } = self.engine.counts();
        let list = |ids: Vec<&[u32]>| {
            let strings = ids.into_iter().map(|id| characters::to_string(py, &TextBuf::Ucs4(id.to_vec())));
            PyList::new(py, strings.collect::<PyResult<Vec<_>>>()?)
        };
        Ok((self.engine.claims.len(), cited, uncited, list(valid)?, list(invalid)?, list(ignored)?))
    }

    /// Return the counts; the text stays out of logs.
    fn __repr__(&self) -> String {
        let engine::Answer { markers, sentences, claims } = &self.engine;
        format!("Answer(markers={}, sentences={}, claims={})", markers.len(), sentences.len(), claims.len())
    }
}

/// A pair of brackets in an answer.
///
/// Attributes:
///     start: Offset of its opening bracket, in code points of the answer.
///     end: Offset after its closing bracket.
///     ids: The cited ids in their original spelling, with ranges expanded.
///     form: Its syntax: "bracket", "lenticular", "footnote" (a bracket and `^`) or "source" (`source:`).
///     status: "valid" (one of the ids is known), "invalid" (none is known, but one has the shape of the
///         known ids) or "ignored" (not a citation).
///     valid_ids: The known ids.
///     invalid_ids: The unknown ids with the shape of the known ones.
#[pyclass(frozen, module = "groundwire._engine")]
pub(crate) struct Marker {
    span: Span,
    ids: Py<PyTuple>,
    valid_ids: Py<PyTuple>,
    invalid_ids: Py<PyTuple>,
    syntax: MarkerSyntax,
    status: MarkerStatus,
}

impl Marker {
    fn new(py: Python<'_>, marker: &engine::CitationMarker) -> PyResult<Self> {
        let string = |item: &CitedItem| characters::to_string(py, &TextBuf::Ucs4(item.id.clone()));
        let strings = marker.items.iter().map(string).collect::<PyResult<Vec<_>>>()?;
        let ids = PyTuple::new(py, &strings)?;
        let of = |status| {
            let is_of = |item: &CitedItem| item.status == status;
            if marker.items.iter().all(is_of) {
                return Ok(ids.clone().unbind());
            }
            let strings = marker.items.iter().zip(&strings).filter(|(item, _)| is_of(item));
            PyTuple::new(py, strings.map(|(_, string)| string).collect::<Vec<_>>()).map(Bound::unbind)
        };
        let (valid_ids, invalid_ids) = (of(MarkerStatus::Valid)?, of(MarkerStatus::Invalid)?);
        let ids = ids.unbind();
        let (syntax, status) = (marker.syntax, marker.status());
        Ok(Self { span: marker.span, ids, valid_ids, invalid_ids, syntax, status })
    }

    fn status_name(&self) -> &'static str {
        match self.status {
            MarkerStatus::Valid => "valid",
            MarkerStatus::Invalid => "invalid",
            MarkerStatus::Ignored => "ignored",
        }
    }

    fn form_name(&self) -> &'static str {
        match self.syntax {
            MarkerSyntax::Bracket => "bracket",
            MarkerSyntax::Lenticular => "lenticular",
            MarkerSyntax::Footnote => "footnote",
            MarkerSyntax::Source => "source",
        }
    }
}

#[pymethods]
impl Marker {
    #[getter]
    fn start(&self) -> usize {
        self.span.start
    }

    #[getter]
    fn end(&self) -> usize {
        self.span.end
    }

    #[getter]
    fn ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.ids.bind(py).clone()
    }

    #[getter]
    fn form<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.form_name())
    }

    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        PyString::intern(py, self.status_name())
    }

    #[getter]
    fn valid_ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.valid_ids.bind(py).clone()
    }

    #[getter]
    fn invalid_ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.invalid_ids.bind(py).clone()
    }

    /// Return the offsets, syntax and status; the ids stay out of logs.
    fn __repr__(&self) -> String {
        let Span { start, end } = self.span;
        format!("Marker(start={start}, end={end}, form='{}', status='{}')", self.form_name(), self.status_name())
    }
}

/// A sentence that is long enough to be a claim.
///
/// Attributes:
///     start: Offset of the first character, in code points of the answer.
///     end: Offset after the last character, before white space and citations after the sentence.
///     weight: Number of visible characters without citations; Han and kana count twice.
///     markers: The citations in it and directly after it, as indices of the answer's markers.
///     is_long: Whether it needs a citation.
#[pyclass(frozen, module = "groundwire._engine")]
pub(crate) struct Claim {
    span: Span,
    weight: usize,
    is_long: bool,
    markers: Py<PyTuple>,
}

impl Claim {
    fn new(py: Python<'_>, claim: &engine::Claim) -> PyResult<Self> {
        let markers = PyTuple::new(py, &claim.markers)?.unbind();
        Ok(Self { span: claim.span, weight: claim.width, is_long: claim.is_long(), markers })
    }
}

#[pymethods]
impl Claim {
    #[getter]
    fn start(&self) -> usize {
        self.span.start
    }

    #[getter]
    fn end(&self) -> usize {
        self.span.end
    }

    #[getter]
    fn weight(&self) -> usize {
        self.weight
    }

    #[getter]
    fn is_long(&self) -> bool {
        self.is_long
    }

    #[getter]
    fn markers<'py>(&self, py: Python<'py>) -> Bound<'py, PyTuple> {
        self.markers.bind(py).clone()
    }

    /// Return the offsets and weight; the text stays out of logs.
    fn __repr__(&self) -> String {
        let Span { start, end } = self.span;
        format!("Claim(start={start}, end={end}, weight={})", self.weight)
    }
}
