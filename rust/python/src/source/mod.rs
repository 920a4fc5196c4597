//! `Source`: a text prepared once.

mod search;

use groundwire_engine as engine;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};

use crate::arguments::{self, OptionalArgument};
use crate::matches::Match;
use crate::normalizers::Profile;
use crate::quotes::QuoteAlignment;
use crate::{arrays, characters, signals};

/// A text, prepared once: normalised, with an offset map to the original, and indexed when that pays.
///
/// Immutable and safe to share between threads. Pickles as its text.
///
/// Args:
///     text: The text.
///     name: Its name in reports.
///     profile: The normalisation of text and quotes: "spec" or "typographic", see normalize.
///     marks: The transcript tags that the profile "typographic" removes, see normalize.
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
    #[pyo3(signature = (text, *, name = None, profile = OptionalArgument::ABSENT, marks = OptionalArgument::ABSENT), text_signature = "(text, *, name=None, profile='spec', marks=None)")]
    fn new(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        profile: OptionalArgument<'_>,
        marks: OptionalArgument<'_>,
    ) -> PyResult<Self> {
        let text = &characters::exact(arguments::string(text, "text")?)?;
        let name = name.map(|name| arguments::string(name, "name")).transpose()?;
        let profile = Profile::from_arguments(&profile, &marks)?;
        let normalizer = profile.normalizer(py)?;
        let units = characters::units(text)?;
        let engine = signals::run(py, units.len(), |cancel| engine::Source::new(units, normalizer, cancel))?;
        Ok(Self { engine, text: text.clone().unbind(), name: name.map(|name| name.clone().unbind()), profile })
    }

    /// The original text.
    #[getter]
    fn text(&self, py: Python<'_>) -> Py<PyString> {
        self.text.clone_ref(py)
    }

    /// The normalised text, built again on each access.
    #[getter]
    fn normalized<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        characters::to_string(py, &self.engine.normalized())
    }

    /// The name of the text, or None.
    #[getter]
    fn name(&self, py: Python<'_>) -> Option<Py<PyString>> {
        self.name.as_ref().map(|name| name.clone_ref(py))
    }

    /// The normalisation profile of text and quotes.
    #[getter]
    fn profile(&self) -> &'static str {
        self.profile.name()
    }

    /// The transcript tags that are removed; None in the profile "spec", which has its own rule.
    #[getter]
    fn marks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.profile.marks().map(|names| PyTuple::new(py, names)).transpose()
    }

    /// Return the number of characters (code points) of the original text.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.text.bind(py).len()
    }

    /// Return True, even for an empty source.
    fn __bool__(&self) -> bool {
        true
    }

    /// Return the size of the prepared form in bytes, without the text itself, which is a separate str.
    fn __sizeof__(&self) -> usize {
        let (base, index) = self.engine.heap_bytes();
        size_of::<Self>() + base + index
    }

    /// Return the name and length; the text stays out of logs.
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
    ///     quote: The quote; it is normalised like the text. An empty or blank one has no match.
    ///     mode: "substring" takes the leftmost occurrence. "fuzzy" falls back on the best-scoring window by
    ///         partial ratio; ties go to the leftmost, then the longest.
    ///     threshold: Minimum score in fuzzy mode, 0 to 1.
    ///     word_boundaries: Only accept an occurrence that starts and ends at word boundaries (`can't` and
    ///         `1,000` are one word each; any position in Han, kana, Thai and other unspaced scripts). In
    ///         substring mode only.
    ///
    /// Returns:
    ///     A Match, or None.
    ///
    /// Raises:
    ///     ValueError: Unknown mode, threshold outside 0 to 1, or word_boundaries in fuzzy mode.
    #[pyo3(signature = (quote, *, mode = OptionalArgument::ABSENT, threshold = OptionalArgument::ABSENT, word_boundaries = OptionalArgument::ABSENT), text_signature = "($self, quote, *, mode='substring', threshold=0.85, word_boundaries=False)")]
    fn find(
        &self,
        py: Python<'_>,
        quote: &Bound<'_, PyAny>,
        mode: OptionalArgument<'_>,
        threshold: OptionalArgument<'_>,
        word_boundaries: OptionalArgument<'_>,
    ) -> PyResult<Option<Match>> {
        let quote = characters::units(arguments::string(quote, "quote")?)?;
        let options = self.options(py, &mode, &threshold)?;
        let found = match arguments::flag(&word_boundaries, "word_boundaries")? {
            false => self.find_one(py, quote, options)?,
            true => self.find_words(py, quote, options)?,
        };
        Ok(found.map(|found| self.to_match(py, found)))
    }

    /// Find every occurrence of a quote, left to right, including overlapping ones.
    ///
    /// Args:
    ///     quote: The quote; it is normalised like the text. An empty or blank one has no match.
    ///     word_boundaries: As for find.
    ///
    /// Returns:
    ///     A list of Match, with kind "exact" or "normalized".
    #[pyo3(signature = (quote, *, word_boundaries = OptionalArgument::ABSENT), text_signature = "($self, quote, *, word_boundaries=False)")]
    fn find_all<'py>(
        &self,
        py: Python<'py>,
        quote: &Bound<'py, PyAny>,
        word_boundaries: OptionalArgument<'py>,
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
    ///     verdict_only: Return only whether each quote is found, without its span: faster in fuzzy mode,
    ///         which then stops at the first window that reaches the threshold.
    ///     workers: Maximum number of threads.
    ///
    /// Returns:
    ///     One Match or None for each quote, in order; with verdict_only a numpy array of bool with shape
    ///     (len(quotes),).
    #[pyo3(signature = (quotes, *, mode = OptionalArgument::ABSENT, threshold = OptionalArgument::ABSENT, verdict_only = OptionalArgument::ABSENT, workers = OptionalArgument::ABSENT), text_signature = "($self, quotes, *, mode='substring', threshold=0.85, verdict_only=False, workers=1)")]
    fn ground<'py>(
        &self,
        py: Python<'py>,
        quotes: &Bound<'py, PyAny>,
        mode: OptionalArgument<'py>,
        threshold: OptionalArgument<'py>,
        verdict_only: OptionalArgument<'py>,
        workers: OptionalArgument<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let strings = arguments::strings(quotes, "quotes")?;
        let (options, workers) = (self.options(py, &mode, &threshold)?, arguments::workers(&workers)?);
        let is_verdict_only = arguments::flag(&verdict_only, "verdict_only")?;
        let quotes = strings.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?;
        if is_verdict_only {
            return Ok(arrays::array(py, self.verdicts(py, &quotes, options, workers)?)?.into_any());
        }
        let found = self.find_each(py, &quotes, options, workers)?;
        let matches = found.into_iter().map(|found| found.map(|found| self.to_match(py, found)));
        signals::list_of(py, matches).map(Bound::into_any)
    }

    /// Return the partial ratios of many quotes with the text, both normalised.
    ///
    /// Args:
    ///     quotes: Quotes.
    ///     score_cutoff: Scores below it become 0; a high one speeds up long texts.
    ///     workers: Maximum number of threads.
    ///
    /// Returns:
    ///     A numpy array of float64 with shape (len(quotes),), scores 0 to 100, equal to partial_ratio of the
    ///     normalised texts.
    #[pyo3(signature = (quotes, *, score_cutoff = None, workers = OptionalArgument::ABSENT), text_signature = "($self, quotes, *, score_cutoff=None, workers=1)")]
    fn scores<'py>(
        &self,
        py: Python<'py>,
        quotes: &Bound<'py, PyAny>,
        score_cutoff: Option<&Bound<'py, PyAny>>,
        workers: OptionalArgument<'py>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let strings = arguments::strings(quotes, "quotes")?;
        let (cutoff, workers) = (arguments::score_cutoff(score_cutoff)?, arguments::workers(&workers)?);
        let quotes = strings.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?;
        arrays::array(py, self.score_each(py, &quotes, cutoff, workers)?)
    }

    /// Find the passage of each quote, and the differences between them.
    ///
    /// The passage extends from the first to the last word of the quote that the best-scoring window (see
    /// find) contains, including the source's text in between.
    ///
    /// Args:
    ///     quotes: Quotes; they are normalised like the text.
    ///     threshold: Minimum score of the window, 0 to 1.
    ///     workers: Maximum number of threads.
    ///
    /// Returns:
    ///     One QuoteAlignment for each quote, in order; None below the threshold, and for a quote that is
    ///     blank or longer than the text.
    #[pyo3(signature = (quotes, *, threshold = OptionalArgument::ABSENT, workers = OptionalArgument::ABSENT), text_signature = "($self, quotes, *, threshold=0.85, workers=1)")]
    fn align_quotes(
        &self,
        py: Python<'_>,
        quotes: &Bound<'_, PyAny>,
        threshold: OptionalArgument<'_>,
        workers: OptionalArgument<'_>,
    ) -> PyResult<Vec<Option<QuoteAlignment>>> {
        let strings = arguments::strings(quotes, "quotes")?;
        let (threshold, workers) = (arguments::threshold(&threshold)?, arguments::workers(&workers)?);
        let quotes = strings.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?;
        self.align_each(py, &quotes, threshold, workers)
    }

    /// Align a quote with a whole passage.
    ///
    /// Args:
    ///     quote: The quote.
    ///     start: Offset of the passage's first character, in code points of the text.
    ///     end: Offset after its last character.
    ///
    /// Returns:
    ///     A QuoteAlignment with this start and end; its score is that of the passage only.
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

/// Unpickle a Source.
#[pyfunction]
#[pyo3(name = "_rebuild_source", signature = (text, name, profile, marks = OptionalArgument::ABSENT), text_signature = "(text, name, profile, marks=None)")]
pub(crate) fn rebuild_source(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    name: Option<&Bound<'_, PyAny>>,
    profile: OptionalArgument<'_>,
    marks: OptionalArgument<'_>,
) -> PyResult<Source> {
    Source::new(py, text, name, profile, marks)
}
