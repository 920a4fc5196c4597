//! `Answer`: the citations, sentences and claims of an answer.

use groundwire_engine::{Span, TextBuf};
use groundwire_language::answer as engine;
use groundwire_language::answer::{BlockKind, Form, Ids, Item, Standing};
use groundwire_language::sentence;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::triples::int;
use crate::{arguments, characters, signals};

/// Read the citations, sentences and claims of an answer.
///
/// Args:
///     answer: Markdown or plain text.
///     ids: What can be cited.
///
/// Returns:
///     What was found, with offsets into *answer*.
#[pyfunction]
pub(crate) fn read_answer(py: Python<'_>, answer: &Bound<'_, PyAny>, ids: &Bound<'_, PyAny>) -> PyResult<Answer> {
    let units = characters::units(arguments::string(answer, "answer")?)?;
    let ids = arguments::strings(ids, "ids")?;
    let ids = Ids::new(ids.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?);
    let answer = signals::run(py, units.len(), |cancel| engine::read(units, &ids, cancel))?;
    Ok(Answer { engine: answer, markers: PyOnceLock::new(), sentences: PyOnceLock::new(), claims: PyOnceLock::new() })
}

/// Find the sentences of a plain text.
///
/// Args:
///     text: The text. A blank line ends a sentence, a single line end does not.
///
/// Returns:
///     A list of (start, end), in code points, in order; nothing but white space stands between them.
#[pyfunction]
pub(crate) fn sentences<'py>(py: Python<'py>, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let units = characters::units(arguments::string(text, "text")?)?;
    let found = signals::run(py, units.len(), |cancel| sentence::sentences(units, cancel))?;
    signals::listed(py, found.iter().map(|&span| pair(py, span)))
}

/// Find the blocks of a text in Markdown.
///
/// Args:
///     text: The text.
///
/// Returns:
///     A list of (kind, start, end), in code points, in order, those around others before these. Kinds
///     are "paragraph", "heading", "fenced", "indented" and "html", and around them "quote" and
///     "item"; "hidden" is code, a tag or the target of a link in one of them. Rules, definitions of
///     links and what is nested too deep are in none.
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

/// The tuple of what `make` makes of `items`, made once.
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
///     markers: Brackets that are citations, or could be taken for some, in order.
///     sentences: (start, end) of everything that is prose, headings too, in code points.
///     claims: The sentences that are long enough to claim something, in order.
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

    /// What the citations come to, for those who need no more than that.
    ///
    /// Returns:
    ///     How many claims there are, how many of them have a valid citation, and how many long
    ///     ones have none; the distinct ids that are valid, invalid and ignored, each sorted.
    fn figures<'py>(&self, py: Python<'py>) -> PyResult<Figures<'py>> {
        let engine::Figures { cited, uncited, valid, invalid, ignored } = self.engine.figures();
        let list = |ids: Vec<&[u32]>| {
            let strings = ids.into_iter().map(|id| characters::to_string(py, &TextBuf::Ucs4(id.to_vec())));
            PyList::new(py, strings.collect::<PyResult<Vec<_>>>()?)
        };
        Ok((self.engine.claims.len(), cited, uncited, list(valid)?, list(invalid)?, list(ignored)?))
    }

    /// Counts; the text stays out of logs.
    fn __repr__(&self) -> String {
        let engine::Answer { markers, sentences, claims } = &self.engine;
        format!("Answer(markers={}, sentences={}, claims={})", markers.len(), sentences.len(), claims.len())
    }
}

/// Brackets in an answer.
///
/// Attributes:
///     start: Its opening bracket, in code points of the answer.
///     end: One past its closing bracket.
///     ids: What it cites, as written; the ends of a range and all between them.
///     form: How it is written: "bracket", "lenticular", "footnote" (a bracket and `^`) or "source" (`source:`).
///     status: "valid" (one of the ids is in use), "invalid" (none is, but one looks as if) or
///         "ignored" (no citation).
///     valid_ids: Those in use.
///     invalid_ids: Those that look like the ones in use and are none of them.
#[pyclass(frozen, module = "groundwire._engine")]
pub(crate) struct Marker {
    span: Span,
    ids: Py<PyTuple>,
    valid_ids: Py<PyTuple>,
    invalid_ids: Py<PyTuple>,
    form: Form,
    standing: Standing,
}

impl Marker {
    fn new(py: Python<'_>, marker: &engine::Marker) -> PyResult<Self> {
        let string = |item: &Item| characters::to_string(py, &TextBuf::Ucs4(item.id.clone()));
        let strings = marker.items.iter().map(string).collect::<PyResult<Vec<_>>>()?;
        let ids = PyTuple::new(py, &strings)?;
        let of = |standing| {
            let is_of = |item: &Item| item.standing == standing;
            if marker.items.iter().all(is_of) {
                return Ok(ids.clone().unbind());
            }
            let strings = marker.items.iter().zip(&strings).filter(|(item, _)| is_of(item));
            PyTuple::new(py, strings.map(|(_, string)| string).collect::<Vec<_>>()).map(Bound::unbind)
        };
        let (valid_ids, invalid_ids) = (of(Standing::Valid)?, of(Standing::Invalid)?);
        let ids = ids.unbind();
        let (form, standing) = (marker.form, marker.standing());
        Ok(Self { span: marker.span, ids, valid_ids, invalid_ids, form, standing })
    }

    fn status_name(&self) -> &'static str {
        match self.standing {
            Standing::Valid => "valid",
            Standing::Invalid => "invalid",
            Standing::Ignored => "ignored",
        }
    }

    fn form_name(&self) -> &'static str {
        match self.form {
            Form::Bracket => "bracket",
            Form::Lenticular => "lenticular",
            Form::Footnote => "footnote",
            Form::Source => "source",
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

    /// Positions and status; the ids stay out of logs.
    fn __repr__(&self) -> String {
        let Span { start, end } = self.span;
        format!("Marker(start={start}, end={end}, form='{}', status='{}')", self.form_name(), self.status_name())
    }
}

/// A sentence that is long enough to claim something.
///
/// Attributes:
///     start: First character, in code points of the answer.
///     end: One past the last character, before white space and citations behind the sentence.
///     weight: Characters that the reader sees, citations aside; Han and Kana count twice.
///     markers: The citations in it and right behind it: indices of the answer's markers.
///     is_long: Whether it should not stand without a citation.
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
        Ok(Self { span: claim.span, weight: claim.weight, is_long: claim.is_long(), markers })
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

    /// Positions and weight; the text stays out of logs.
    fn __repr__(&self) -> String {
        let Span { start, end } = self.span;
        format!("Claim(start={start}, end={end}, weight={})", self.weight)
    }
}
