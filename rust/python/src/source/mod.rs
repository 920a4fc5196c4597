//! `Source`: a text prepared once.

mod quotes;
mod search;

use groundwire_engine as engine;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::arguments::{self, Given};
use crate::matches::Match;
use crate::normalizers::Profile;
use crate::quotes::QuoteAlignment;
use crate::{arrays, characters, signals};

/// A text, prepared once: normalised, mapped back to itself, indexed when that pays.
///
/// Immutable and safe to share between threads. Pickles as its text.
///
/// Args:
///     text: The text.
///     name: What to call it in reports.
///     profile: How text and quotes are normalised: "spec" or "typographic", see normalize.
///     marks: Which transcript marks the profile "typographic" takes out, see normalize.
///
/// Raises:
///     TypeError: An argument has the wrong type.
///     ValueError: Unknown profile or mark, or marks for the profile "spec".
///     OverflowError: More than 2**31 - 1 characters.
#[pyclass(frozen, weakref, module = "groundwire", name = "Source")]
pub(crate) struct Source {
    engine: engine::Source,
    text: Py<PyString>,
    name: Option<Py<PyString>>,
    profile: Profile,
}

#[pymethods]
impl Source {
    #[new]
    #[pyo3(signature = (text, *, name = None, profile = Given::ABSENT, marks = Given::ABSENT), text_signature = "(text, *, name=None, profile='spec', marks=None)")]
    fn new(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        profile: Given<'_>,
        marks: Given<'_>,
    ) -> PyResult<Self> {
        let text = &characters::exact(arguments::string(text, "text")?)?;
        let name = name.map(|name| arguments::string(name, "name")).transpose()?;
        let profile = Profile::from_arguments(&profile, &marks)?;
        let normalizer = profile.normalizer(py)?;
        let units = characters::units(text)?;
        let engine = signals::run(py, units.len(), |cancel| engine::Source::new(units, normalizer, cancel))?;
        Ok(Self { engine, text: text.clone().unbind(), name: name.map(|name| name.clone().unbind()), profile })
    }

    /// The text as it was given.
    #[getter]
    fn text(&self, py: Python<'_>) -> Py<PyString> {
        self.text.clone_ref(py)
    }

    /// The text as it is compared. Built anew each time it is asked for.
    #[getter]
    fn normalized<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        characters::to_string(py, &self.engine.normalized())
    }

    /// What the text is called, or None.
    #[getter]
    fn name(&self, py: Python<'_>) -> Option<Py<PyString>> {
        self.name.as_ref().map(|name| name.clone_ref(py))
    }

    /// How text and quotes are normalised.
    #[getter]
    fn profile(&self) -> &'static str {
        self.profile.name()
    }

    /// Which transcript marks are taken out; None in the profile "spec", which has its own rule.
    #[getter]
    fn marks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.profile.marks().map(|names| PyTuple::new(py, names)).transpose()
    }

    /// Characters (code points) of the text as it was given.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.text.bind(py).len()
    }

    /// An empty source is a source.
    fn __bool__(&self) -> bool {
        true
    }

    /// Bytes of the prepared form; the text itself is a str of its own.
    fn __sizeof__(&self) -> usize {
        let (base, index) = self.engine.heap_bytes();
        size_of::<Self>() + base + index
    }

    /// Name and length; the text stays out of logs.
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let name = self.name.as_ref().map(|name| name.bind(py).repr()).transpose()?;
        let name = name.map_or_else(|| "None".to_owned(), |name| name.to_string_lossy().into_owned());
        Ok(format!("Source(name={name}, profile='{}', chars={})", self.profile.name(), self.__len__(py)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let rebuild = py.import("groundwire._engine")?.getattr("_rebuild_source")?;
        Ok((rebuild, (self.text(py), self.name(py), self.profile(), self.marks(py)?).into_pyobject(py)?))
    }

    /// Find a quote.
    ///
    /// Args:
    ///     quote: The quote; it is normalised like the text. An empty or blank one is nowhere.
    ///     mode: "substring" takes the leftmost occurrence. "fuzzy" falls back on the best-scoring
    ///         window by partial ratio: leftmost, then longest, of equal scores.
    ///     threshold: Lowest score that fuzzy mode accepts, 0 to 1.
    ///     word_boundaries: Only take an occurrence that starts and ends between words (`can't` and
    ///         `1,000` are one each; anywhere in Han, Kana, Thai and other unspaced scripts). In
    ///         substring mode only.
    ///
    /// Returns:
    ///     A Match, or None.
    ///
    /// Raises:
    ///     ValueError: Unknown mode, threshold outside 0 to 1, or word_boundaries in fuzzy mode.
    #[pyo3(signature = (quote, *, mode = Given::ABSENT, threshold = Given::ABSENT, word_boundaries = Given::ABSENT), text_signature = "($self, quote, *, mode='substring', threshold=0.85, word_boundaries=False)")]
    fn find(
        &self,
        py: Python<'_>,
        quote: &Bound<'_, PyAny>,
        mode: Given<'_>,
        threshold: Given<'_>,
        word_boundaries: Given<'_>,
    ) -> PyResult<Option<Match>> {
        let quote = characters::units(arguments::string(quote, "quote")?)?;
        let how = self.how(py, &mode, &threshold)?;
        let found = match arguments::flag(&word_boundaries, "word_boundaries")? {
            false => self.find_one(py, quote, how)?,
            true => self.find_words(py, quote, how)?,
        };
        Ok(found.map(|found| self.to_match(py, found)))
    }

    /// Find every occurrence of a quote, left to right, overlapping ones included.
    ///
    /// Args:
    ///     quote: The quote; it is normalised like the text. An empty or blank one is nowhere.
    ///     word_boundaries: As for find.
    ///
    /// Returns:
    ///     A list of Match, with kind "exact" or "normalized".
    #[pyo3(signature = (quote, *, word_boundaries = Given::ABSENT), text_signature = "($self, quote, *, word_boundaries=False)")]
    fn find_all<'py>(
        &self,
        py: Python<'py>,
        quote: &Bound<'py, PyAny>,
        word_boundaries: Given<'py>,
    ) -> PyResult<Bound<'py, PyList>> {
        let quote = characters::units(arguments::string(quote, "quote")?)?;
        let found = self.find_every(py, quote, arguments::flag(&word_boundaries, "word_boundaries")?)?;
        signals::list_of(py, found.into_iter().map(|found| self.to_match(py, found)))
    }

    /// Find many quotes at once.
    ///
    /// Args:
    ///     quotes: Quotes, each treated as by find.
    ///     mode, threshold: As for find.
    ///     verdict_only: Only say whether each quote is found, not where: faster in fuzzy mode,
    ///         which then stops at the first window that reaches the threshold.
    ///     workers: Threads to use at most.
    ///
    /// Returns:
    ///     One Match or None for each quote, in their order; with verdict_only a numpy array of
    ///     bool with shape (len(quotes),).
    #[pyo3(signature = (quotes, *, mode = Given::ABSENT, threshold = Given::ABSENT, verdict_only = Given::ABSENT, workers = Given::ABSENT), text_signature = "($self, quotes, *, mode='substring', threshold=0.85, verdict_only=False, workers=1)")]
    fn ground<'py>(
        &self,
        py: Python<'py>,
        quotes: &Bound<'py, PyAny>,
        mode: Given<'py>,
        threshold: Given<'py>,
        verdict_only: Given<'py>,
        workers: Given<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let strings = arguments::strings(quotes, "quotes")?;
        let (how, workers) = (self.how(py, &mode, &threshold)?, arguments::workers(&workers)?);
        let is_verdict_only = arguments::flag(&verdict_only, "verdict_only")?;
        let quotes = strings.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?;
        if is_verdict_only {
            return Ok(arrays::array(py, self.verdicts(py, &quotes, how, workers)?)?.into_any());
        }
        let found = self.find_each(py, &quotes, how, workers)?;
        let matches = found.into_iter().map(|found| found.map(|found| self.to_match(py, found)));
        signals::list_of(py, matches).map(Bound::into_any)
    }

    /// Partial ratios of many quotes with the text, both normalised.
    ///
    /// Args:
    ///     quotes: Quotes.
    ///     score_cutoff: Scores below it become 0; a high one makes long texts faster.
    ///     workers: Threads to use at most.
    ///
    /// Returns:
    ///     A numpy array of float64 with shape (len(quotes),), scores 0 to 100, as
    ///     partial_ratio of the normalised texts.
    #[pyo3(signature = (quotes, *, score_cutoff = None, workers = Given::ABSENT), text_signature = "($self, quotes, *, score_cutoff=None, workers=1)")]
    fn scores<'py>(
        &self,
        py: Python<'py>,
        quotes: &Bound<'py, PyAny>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
        workers: Given<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let strings = arguments::strings(quotes, "quotes")?;
        let (cutoff, workers) = (arguments::score_cutoff(score_cutoff)?, arguments::workers(&workers)?);
        let quotes = strings.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?;
        arrays::array(py, self.score_each(py, &quotes, cutoff, workers)?)
    }

    /// Find the passage that each quote stands for, and how they differ.
    ///
    /// The passage is what the best-scoring window (see find) has of the quote, from its first
    /// word to its last, with what the source says in between.
    ///
    /// Args:
    ///     quotes: Quotes; they are normalised like the text.
    ///     threshold: Lowest score of the window, 0 to 1.
    ///     workers: Threads to use at most.
    ///
    /// Returns:
    ///     One QuoteAlignment for each quote, in their order; None below the threshold, and for a
    ///     quote that is blank or longer than the text.
    #[pyo3(signature = (quotes, *, threshold = Given::ABSENT, workers = Given::ABSENT), text_signature = "($self, quotes, *, threshold=0.85, workers=1)")]
    fn align_quotes(
        &self,
        py: Python<'_>,
        quotes: &Bound<'_, PyAny>,
        threshold: Given<'_>,
        workers: Given<'_>,
    ) -> PyResult<Vec<Option<QuoteAlignment>>> {
        let strings = arguments::strings(quotes, "quotes")?;
        let (threshold, workers) = (arguments::threshold(&threshold)?, arguments::workers(&workers)?);
        let quotes = strings.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?;
        self.align_each(py, &quotes, threshold, workers)
    }

    /// Compare a quote with a passage, all of it.
    ///
    /// Args:
    ///     quote: The quote.
    ///     start: First character of the passage, in code points of the text.
    ///     end: One past its last character.
    ///
    /// Returns:
    ///     A QuoteAlignment with this start and end; its score is that of the passage alone.
    ///
    /// Raises:
    ///     ValueError: start and end are not in order or not within the text.
    fn align(
        &self,
        py: Python<'_>,
        quote: &Bound<'_, PyAny>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
    ) -> PyResult<QuoteAlignment> {
        let quote = characters::units(arguments::string(quote, "quote")?)?;
        let (start, end) = arguments::span(start, end, self.__len__(py)?)?;
        self.align_with(py, quote, start, end)
    }
}

/// Unpickles a Source.
#[pyfunction]
#[pyo3(name = "_rebuild_source", signature = (text, name, profile, marks = Given::ABSENT), text_signature = "(text, name, profile, marks=None)")]
pub(crate) fn rebuild_source(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    name: Option<&Bound<'_, PyAny>>,
    profile: Given<'_>,
    marks: Given<'_>,
) -> PyResult<Source> {
    Source::new(py, text, name, profile, marks)
}
