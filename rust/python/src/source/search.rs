//! The methods of `Source` that search and align, with offsets of the original text.

use std::mem::MaybeUninit;

use groundwire_engine::{
    self as engine, CancelMeter, Cutoff, Error, Executor, Match as Found, Never, Normalizer, SearchMode, Sequential,
    Span, TextBuf, TextRef,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Source;
use crate::arguments::{self, OptionalArgument};
use crate::matches::Match;
use crate::pool::RayonExecutor;
use crate::quotes::QuoteAlignment;
use crate::{arrays, characters, pool, signals};

/// Size of the stack buffer for a normalised quote, in characters. A longer quote takes the general path.
const BUFFER_CHARS: usize = 256;

/// Number of occurrences that are compared with their quote between two checks for cancellation.
const CHUNK_SPANS: usize = 1 << 8;

/// The options of a search.
#[derive(Clone, Copy)]
pub(super) struct SearchOptions {
    mode: SearchMode,
    threshold: Cutoff,
    normalizer: &'static Normalizer,
}

impl Source {
    pub(super) fn options(
        &self,
        py: Python<'_>,
        mode: &OptionalArgument<'_>,
        threshold: &OptionalArgument<'_>,
    ) -> PyResult<SearchOptions> {
        Ok(SearchOptions {
            mode: arguments::mode(mode)?,
            threshold: arguments::threshold(threshold)?,
            normalizer: self.profile.normalizer(py)?,
        })
    }

    pub(super) fn to_match(&self, py: Python<'_>, found: Found) -> Match {
        Match::new(found, self.text.clone_ref(py))
    }

    /// Finds one quote.
    pub(super) fn find_one(
        &self,
        py: Python<'_>,
        quote: TextRef<'_>,
        options: SearchOptions,
    ) -> PyResult<Option<Found>> {
        let text = characters::units(self.text.bind(py))?;
        if options.mode == SearchMode::Substring
            && quote.len() <= BUFFER_CHARS
            && let Some(span) = self.find_without_scan(quote, options.normalizer)?
        {
            return Ok(span.map(|span| self.exact(text, quote, span)));
        }
        let found = signals::run(py, self.work_chars(options.mode, quote), |cancel| {
            let normalized = options.normalizer.normalize(quote, cancel)?;
            self.ground_normalized(text, &[quote], &[normalized], options, &Sequential(cancel))
        })?;
        Ok(found.into_iter().next().flatten())
    }

    /// Finds a short quote in the normalised text, if that takes so little time that the interpreter need not be
    /// released.
    fn find_without_scan(&self, quote: TextRef<'_>, normalizer: &Normalizer) -> PyResult<Option<Option<Span>>> {
        let mut buffer = [MaybeUninit::uninit(); BUFFER_CHARS];
        let needle = normalizer.normalize_into(quote, &mut buffer, |_| None, &Never).map_err(signals::exception)?;
        Ok(self.engine.find_without_scan(needle.units()))
    }

    /// Finds the leftmost verbatim or normalised occurrence of one quote that starts and ends at word
    /// boundaries.
    pub(super) fn find_words(
        &self,
        py: Python<'_>,
        quote: TextRef<'_>,
        options: SearchOptions,
    ) -> PyResult<Option<Found>> {
        if options.mode == SearchMode::Fuzzy {
            return Err(PyValueError::new_err("word_boundaries must be False in mode 'fuzzy'"));
        }
        let text = characters::units(self.text.bind(py))?;
        let found = signals::run(py, self.work_chars(options.mode, quote), |cancel| {
            self.engine.find_words(options.normalizer.normalize(quote, cancel)?.units(), cancel)
        })?;
        Ok(found.map(|span| self.exact(text, quote, span)))
    }

    /// Finds every verbatim or normalised occurrence of one quote, optionally only at word boundaries.
    pub(super) fn find_every(&self, py: Python<'_>, quote: TextRef<'_>, words: bool) -> PyResult<Vec<Found>> {
        let normalizer = self.profile.normalizer(py)?;
        let text = characters::units(self.text.bind(py))?;
        signals::run(py, self.work_chars(SearchMode::Substring, quote), |cancel| {
            let needle = normalizer.normalize(quote, cancel)?;
            let spans = match words {
                true => self.engine.find_all_words(needle.units(), cancel)?,
                false => self.engine.find_all(needle.units(), cancel)?,
            };
            let mut meter = CancelMeter::new(cancel);
            let mut found = Vec::with_capacity(spans.len());
            for spans in spans.chunks(CHUNK_SPANS) {
                meter.charge(spans.len() * quote.len())?;
                found.extend(spans.iter().map(|&span| self.exact(text, quote, span)));
            }
            Ok(found)
        })
    }

    /// Finds each quote.
    pub(super) fn find_each(
        &self,
        py: Python<'_>,
        quotes: &[TextRef<'_>],
        options: SearchOptions,
        workers: usize,
    ) -> PyResult<Vec<Option<Found>>> {
        let text = characters::units(self.text.bind(py))?;
        pool::run(py, self.work_chars_of_all(options.mode, quotes), workers, |executor| {
            self.ground_normalized(text, quotes, &normalize(options.normalizer, quotes, executor)?, options, executor)
        })
    }

    /// Returns whether each quote is found.
    pub(super) fn verdicts(
        &self,
        py: Python<'_>,
        quotes: &[TextRef<'_>],
        options: SearchOptions,
        workers: usize,
    ) -> PyResult<Vec<bool>> {
        arrays::prepare(py)?;
        pool::run(py, self.work_chars_of_all(options.mode, quotes), workers, |executor| {
            self.verdicts_of(&normalize(options.normalizer, quotes, executor)?, options, executor)
        })
    }

    /// Returns the partial ratio of each quote.
    pub(super) fn score_each(
        &self,
        py: Python<'_>,
        quotes: &[TextRef<'_>],
        cutoff: Cutoff,
        workers: usize,
    ) -> PyResult<Vec<f64>> {
        arrays::prepare(py)?;
        let normalizer = self.profile.normalizer(py)?;
        pool::run(py, self.work_chars_of_all(SearchMode::Fuzzy, quotes), workers, |executor| {
            let normalized = normalize(normalizer, quotes, executor)?;
            let needles: Vec<TextRef<'_>> = normalized.iter().map(TextBuf::units).collect();
            self.engine.scores(&needles, cutoff, executor)
        })
    }

    /// Finds quotes, given as they are and normalised.
    fn ground_normalized(
        &self,
        text: TextRef<'_>,
        quotes: &[TextRef<'_>],
        normalized: &[TextBuf],
        options: SearchOptions,
        executor: &impl Executor,
    ) -> Result<Vec<Option<Found>>, Error> {
        let needles: Vec<TextRef<'_>> = normalized.iter().map(TextBuf::units).collect();
        let is_exact = |index: usize, span| is_verbatim(text, span, quotes[index]);
        self.engine.ground(&needles, options.mode, options.threshold, is_exact, executor)
    }

    fn verdicts_of(
        &self,
        normalized: &[TextBuf],
        options: SearchOptions,
        executor: &impl Executor,
    ) -> Result<Vec<bool>, Error> {
        let needles: Vec<TextRef<'_>> = normalized.iter().map(TextBuf::units).collect();
        if options.mode == SearchMode::Substring {
            self.engine.announce(needles.len());
            let cycles = |index: usize| self.engine.find_cycles(needles[index].len());
            return executor.map(needles.len(), cycles, |index, _| Ok(self.engine.find(needles[index]).is_some()));
        }
        let verdicts = self.engine.verdicts(&needles, options.threshold, executor)?;
        Ok(verdicts.into_iter().zip(needles).map(|(is_near, needle)| is_near && !needle.is_empty()).collect())
    }

    fn exact(&self, text: TextRef<'_>, quote: TextRef<'_>, span: Span) -> Found {
        self.engine.exact_match(span, |span| is_verbatim(text, span, quote))
    }

    /// Finds and aligns the best passage of each quote.
    pub(super) fn align_each(
        &self,
        py: Python<'_>,
        quotes: &[TextRef<'_>],
        threshold: Cutoff,
        workers: usize,
    ) -> PyResult<Vec<Option<QuoteAlignment>>> {
        let normalizer = self.profile.normalizer(py)?;
        let text = characters::units(self.text.bind(py))?;
        let aligned = pool::run(py, self.work_chars_of_all(SearchMode::Fuzzy, quotes), workers, |executor| {
            self.engine.align_quotes(text, quotes, normalizer, threshold, executor)
        })?;
        Ok(aligned.iter().map(|aligned| aligned.as_ref().map(|aligned| QuoteAlignment::new(aligned, 0))).collect())
    }

    /// Aligns a quote with the passage from `start` to `end`.
    pub(super) fn align_with(
        &self,
        py: Python<'_>,
        quote: TextRef<'_>,
        start: usize,
        end: usize,
    ) -> PyResult<QuoteAlignment> {
        let normalizer = self.profile.normalizer(py)?;
        let passage = characters::units(self.text.bind(py))?.slice(start..end);
        // Scoring takes the product of both lengths, divided by the 64 bits of a word.
        let chars = (1 + quote.len() / 64).saturating_mul(passage.len()).saturating_add(quote.len());
        let aligned = signals::run(py, chars, |cancel| engine::QuoteAlignment::of(quote, passage, normalizer, cancel))?;
        Ok(QuoteAlignment::new(&aligned, start))
    }

    /// Returns the approximate number of characters that the engine examines for one quote.
    fn work_chars(&self, mode: SearchMode, quote: TextRef<'_>) -> usize {
        match mode {
            SearchMode::Substring => self.engine.len() / 16 + quote.len(),
            SearchMode::Fuzzy => self.engine.len().saturating_mul(1 + quote.len() / 64),
        }
    }

    pub(super) fn work_chars_of_all(&self, mode: SearchMode, quotes: &[TextRef<'_>]) -> usize {
        quotes.iter().map(|&quote| self.work_chars(mode, quote)).fold(0, usize::saturating_add)
    }
}

fn normalize(
    normalizer: &Normalizer,
    quotes: &[TextRef<'_>],
    executor: &RayonExecutor<'_>,
) -> Result<Vec<TextBuf>, Error> {
    let cycles = |index: usize| Normalizer::cycles(quotes[index].len());
    executor.map(quotes.len(), cycles, |index, cancel| normalizer.normalize(quotes[index], cancel))
}

/// Returns whether `span` of `text` is verbatim the quote.
fn is_verbatim(text: TextRef<'_>, span: Span, quote: TextRef<'_>) -> bool {
    text.slice(span.start..span.end).eq_code_points(quote)
}
