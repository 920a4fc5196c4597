//! `Source`: a text prepared once.

use groundwire_engine::fuzzy::Cutoff;
use groundwire_engine::text::{Text, Units};
use groundwire_engine::{Alone, Error, Span, Workers, source};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::arguments::{self, Given, Mode};
use crate::matches::{Kind, Match};
use crate::normalizers::Profile;
use crate::pool::Crew;
use crate::{arrays, characters, offsets, pool, signals};

/// A text, prepared once: normalised, mapped back to itself, indexed when that pays.
///
/// Immutable and safe to share between threads. Pickles as its text.
///
/// Args:
///     text: The text.
///     name: What to call it in reports.
///     profile: How text and quotes are normalised: "spec" or "typographic", see normalize.
///
/// Raises:
///     TypeError: An argument has the wrong type.
///     ValueError: Unknown profile.
///     OverflowError: More than 2**31 - 1 characters.
#[pyclass(frozen, weakref, module = "groundwire", name = "Source")]
pub(crate) struct Source {
    engine: source::Source,
    text: Py<PyString>,
    name: Option<Py<PyString>>,
    profile: Profile,
}

/// A place in the original, found by one of the two modes.
type Found = Option<(Span, f64, Kind)>;

impl Source {
    /// Places of quotes that have been normalised.
    fn look(
        &self,
        text: Units<'_>,
        quotes: &[Units<'_>],
        normalized: &[Text],
        how: How,
        workers: &impl Workers,
    ) -> Result<Vec<Found>, Error> {
        let needles: Vec<Units<'_>> = normalized.iter().map(Text::units).collect();
        if how.mode == Mode::Substring {
            self.engine.expect(needles.len());
            return workers.map(needles.len(), |index, _| {
                Ok(self.engine.find(needles[index]).map(|span| self.exact(text, quotes[index], span)))
            });
        }
        let near = self.engine.find_fuzzy(&needles, how.threshold, workers)?;
        let found = near.into_iter().zip(quotes).zip(needles).map(|((near, &quote), needle)| {
            // An empty quote is nowhere, whatever the threshold (ruling A6).
            near.filter(|_| !needle.is_empty()).map(|near| match near.is_exact {
                true => self.exact(text, quote, near.window),
                false => (offsets::to_original(&self.engine, near.window), near.score / 100.0, Kind::Fuzzy),
            })
        });
        Ok(found.collect())
    }

    fn verdicts(&self, normalized: &[Text], how: How, workers: &impl Workers) -> Result<Vec<bool>, Error> {
        let needles: Vec<Units<'_>> = normalized.iter().map(Text::units).collect();
        if how.mode == Mode::Substring {
            self.engine.expect(needles.len());
            return workers.map(needles.len(), |index, _| Ok(self.engine.find(needles[index]).is_some()));
        }
        let verdicts = self.engine.verdicts(&needles, how.threshold, workers)?;
        Ok(verdicts.into_iter().zip(needles).map(|(is_near, needle)| is_near && !needle.is_empty()).collect())
    }

    fn exact(&self, text: Units<'_>, quote: Units<'_>, span: Span) -> (Span, f64, Kind) {
        let span = offsets::to_original(&self.engine, span);
        (span, 1.0, if offsets::reads(text, span, quote) { Kind::Exact } else { Kind::Normalized })
    }

    fn to_match(&self, py: Python<'_>, found: Found) -> Option<Match> {
        found.map(|(span, score, kind)| Match::new(span, score, kind, self.text.clone_ref(py)))
    }

    /// Characters that one quote may make the engine look at, roughly.
    fn work_chars(&self, mode: Mode, quote: Units<'_>) -> usize {
        match mode {
            Mode::Substring => self.engine.len() / 16 + quote.len(),
            Mode::Fuzzy => self.engine.len().saturating_mul(1 + quote.len() / 64),
        }
    }
}

/// How to look for a quote.
#[derive(Clone, Copy)]
struct How {
    mode: Mode,
    threshold: Cutoff,
    normalizer: &'static groundwire_engine::normalize::Normalizer,
}

#[pymethods]
impl Source {
    #[new]
    #[pyo3(signature = (text, *, name = None, profile = Given::ABSENT), text_signature = "(text, *, name=None, profile='spec')")]
    fn new(
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        profile: Given<'_>,
    ) -> PyResult<Self> {
        let text = &characters::exact(arguments::string(text, "text")?)?;
        let name = name.map(|name| arguments::string(name, "name")).transpose()?;
        let profile = Profile::from_argument(&profile)?;
        let normalizer = profile.normalizer(py)?;
        let units = characters::units(text)?;
        let engine = signals::run(py, units.len(), |interrupt| source::Source::new(units, normalizer, interrupt))?;
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
        Ok((rebuild, (self.text(py), self.name(py), self.profile()).into_pyobject(py)?))
    }

    /// Find a quote.
    ///
    /// Args:
    ///     quote: The quote; it is normalised like the text. An empty or blank one is nowhere.
    ///     mode: "substring" takes the leftmost occurrence. "fuzzy" falls back on the best-scoring
    ///         window by partial ratio: leftmost, then longest, of equal scores.
    ///     threshold: Lowest score that fuzzy mode accepts, 0 to 1.
    ///
    /// Returns:
    ///     A Match, or None.
    #[pyo3(signature = (quote, *, mode = Given::ABSENT, threshold = Given::ABSENT), text_signature = "($self, quote, *, mode='substring', threshold=0.85)")]
    fn find(
        &self,
        py: Python<'_>,
        quote: &Bound<'_, PyAny>,
        mode: Given<'_>,
        threshold: Given<'_>,
    ) -> PyResult<Option<Match>> {
        let quote = characters::units(arguments::string(quote, "quote")?)?;
        let how = self.how(py, &mode, &threshold)?;
        let text = characters::units(self.text.bind(py))?;
        let chars = self.work_chars(how.mode, quote);
        let found = signals::run(py, chars, |interrupt| {
            let normalized = how.normalizer.normalize(quote, interrupt)?;
            self.look(text, &[quote], &[normalized], how, &Alone(interrupt))
        })?;
        Ok(found.into_iter().next().and_then(|found| self.to_match(py, found)))
    }

    /// Find every occurrence of a quote, left to right, overlapping ones included.
    ///
    /// Args:
    ///     quote: The quote; it is normalised like the text. An empty or blank one is nowhere.
    ///
    /// Returns:
    ///     A list of Match, with kind "exact" or "normalized".
    fn find_all(&self, py: Python<'_>, quote: &Bound<'_, PyAny>) -> PyResult<Vec<Match>> {
        let quote = characters::units(arguments::string(quote, "quote")?)?;
        let normalizer = self.profile.normalizer(py)?;
        let text = characters::units(self.text.bind(py))?;
        let found = signals::run(py, self.engine.len() / 16 + quote.len(), |interrupt| {
            let needle = normalizer.normalize(quote, interrupt)?;
            let spans = self.engine.find_all(needle.units(), interrupt)?;
            Ok(spans.into_iter().map(|span| self.exact(text, quote, span)).collect::<Vec<_>>())
        })?;
        Ok(found.into_iter().filter_map(|found| self.to_match(py, Some(found))).collect())
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
        let text = characters::units(self.text.bind(py))?;
        let chars = quotes.iter().map(|&quote| self.work_chars(how.mode, quote)).sum();
        let normalize = |crew: &Crew<'_>| {
            crew.map(quotes.len(), |index, interrupt| how.normalizer.normalize(quotes[index], interrupt))
        };
        if is_verdict_only {
            arrays::prepare(py)?;
            let verdicts = pool::run(py, chars, workers, |crew| self.verdicts(&normalize(crew)?, how, crew))?;
            return Ok(arrays::array(py, verdicts).into_any());
        }
        let found = pool::run(py, chars, workers, |crew| self.look(text, &quotes, &normalize(crew)?, how, crew))?;
        let matches: Vec<_> = found.into_iter().map(|found| self.to_match(py, found)).collect();
        matches.into_pyobject(py)
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
        arrays::prepare(py)?;
        let quotes = strings.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?;
        let normalizer = self.profile.normalizer(py)?;
        let chars = quotes.iter().map(|&quote| self.work_chars(Mode::Fuzzy, quote)).sum();
        let scores = pool::run(py, chars, workers, |crew| {
            let normalized =
                crew.map(quotes.len(), |index, interrupt| normalizer.normalize(quotes[index], interrupt))?;
            let needles: Vec<Units<'_>> = normalized.iter().map(Text::units).collect();
            self.engine.scores(&needles, cutoff, crew)
        })?;
        Ok(arrays::array(py, scores))
    }
}

impl Source {
    fn how(&self, py: Python<'_>, mode: &Given<'_>, threshold: &Given<'_>) -> PyResult<How> {
        Ok(How {
            mode: arguments::mode(mode)?,
            threshold: arguments::threshold(threshold)?,
            normalizer: self.profile.normalizer(py)?,
        })
    }
}

/// Unpickles a Source.
#[pyfunction]
#[pyo3(name = "_rebuild_source")]
pub(crate) fn rebuild_source(
    py: Python<'_>,
    text: &Bound<'_, PyAny>,
    name: Option<&Bound<'_, PyAny>>,
    profile: Given<'_>,
) -> PyResult<Source> {
    Source::new(py, text, name, profile)
}
