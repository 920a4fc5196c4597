//! `Passages`: what several texts have of a claim.

use std::sync::Arc;

use groundwire_engine::support::{self, Agreement, Common};
use groundwire_engine::text::Units;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::signals::Patience;
use crate::{arguments, characters, signals};

/// Words that are no content, prepared once.
///
/// A word is looked up by its first six characters and its length, without regard to case.
///
/// Args:
///     words: The words.
///
/// Raises:
///     TypeError: words is not a sequence of str.
#[pyclass(frozen, module = "groundwire._engine", name = "WordList")]
pub(crate) struct WordList {
    common: Arc<Common>,
    len: usize,
}

#[pymethods]
impl WordList {
    #[new]
    fn new(py: Python<'_>, words: &Bound<'_, PyAny>) -> PyResult<Self> {
        let strings = arguments::strings(words, "words")?;
        let units = units(&strings)?;
        let chars = units.iter().map(Units::len).fold(strings.len(), usize::saturating_add);
        let common = Arc::new(signals::run(py, chars, |interrupt| Common::new(&units, interrupt))?);
        Ok(Self { common, len: strings.len() })
    }

    /// Number of words.
    fn __len__(&self) -> usize {
        self.len
    }

    fn __repr__(&self) -> String {
        format!("WordList(count={})", self.len)
    }
}

/// Texts, prepared once, to be compared with claims. Immutable and safe to share between threads.
///
/// Args:
///     texts: The passages, as they are; nothing is normalised but case.
///     common: Words that count for nothing.
///
/// Raises:
///     TypeError: texts is not a sequence of str, or common is no WordList.
///     OverflowError: A text has 2³¹ characters or more.
#[pyclass(frozen, module = "groundwire._engine", name = "Passages")]
pub(crate) struct Passages {
    engine: support::Passages,
}

/// What making a tuple of counts takes, in characters that are looked at.
const COUNTS_CHARS: usize = 64;

/// What one passage has of one claim: words, words found, pairs, pairs found, details, details
/// found, main words, main words found; start and end of the stretch.
type Counts = (usize, usize, usize, usize, usize, usize, usize, usize, usize, usize);

#[pymethods]
impl Passages {
    #[new]
    #[pyo3(signature = (texts, *, common))]
    fn new(py: Python<'_>, texts: &Bound<'_, PyAny>, common: &Bound<'_, WordList>) -> PyResult<Self> {
        let strings = arguments::strings(texts, "texts")?;
        let units = units(&strings)?;
        let common = Arc::clone(&common.get().common);
        let chars = units.iter().map(Units::len).fold(0, usize::saturating_add);
        let engine = signals::run(py, chars, |interrupt| support::Passages::new(&units, common, interrupt))?;
        Ok(Self { engine })
    }

    /// Number of passages.
    fn __len__(&self) -> usize {
        self.engine.len()
    }

    fn __repr__(&self) -> String {
        format!("Passages(count={}, words={})", self.engine.len(), self.engine.words())
    }

    /// Count what each passage has of each claim.
    ///
    /// Args:
    ///     claims: Sentences, without their citations.
    ///
    /// Returns:
    ///     For each claim a list with one tuple of ten ints for each passage: different words of
    ///     content in the claim, and how many the passage has; pairs of neighbouring words, and how
    ///     many stand close together there; numbers and names, and how many it has; the most
    ///     frequent words of the passage, and how many of them the claim has; start and end of the
    ///     part that has the most of the claim, in code points of the passage, both 0 if none has any.
    fn support<'py>(&self, py: Python<'py>, claims: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let strings = arguments::strings(claims, "claims")?;
        let units = units(&strings)?;
        let each = units.iter().map(|units| units.len().saturating_add(self.engine.words()));
        // As much for each pair as for a few words.
        let pairs = units.len().saturating_mul(self.engine.len()).saturating_mul(16);
        let chars = each.fold(pairs, usize::saturating_add);
        let supports = signals::run(py, chars, |interrupt| self.engine.support(&units, interrupt))?;
        let mut patience = Patience::new();
        signals::listed(
            py,
            supports.into_iter().map(|agreements| {
                patience.ask(py, agreements.len().saturating_mul(COUNTS_CHARS))?;
                PyList::new(py, agreements.into_iter().map(counts))
            }),
        )
    }
}

fn units<'a>(strings: &'a [Bound<'_, PyString>]) -> PyResult<Vec<Units<'a>>> {
    strings.iter().map(characters::units).collect()
}

fn counts(agreement: Agreement) -> Counts {
    let Agreement { words, words_found, pairs, pairs_found, details, details_found, main, main_found, stretch } =
        agreement;
    let (start, end) = (stretch.start, stretch.end);
    (words, words_found, pairs, pairs_found, details, details_found, main, main_found, start, end)
}
