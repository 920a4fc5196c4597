//! The search methods of `Source`, with results in the offsets of the original text.

use std::mem::MaybeUninit;

use groundwire_engine::{
    CancelMeter, Cutoff, Error, Executor, Match as Found, Never, Normalizer, SearchMode, Sequential, Span, TextBuf,
    TextRef,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Source;
use crate::arguments::{self, Given};
use crate::matches::Match;
use crate::pool::Crew;
use crate::{arrays, characters, offsets, pool, signals};

/// Size of the stack buffer for a normalised quote, in characters; a longer quote takes the general path.
const ROOM_CHARS: usize = 256;

/// Number of occurrences that are compared with their quote between two checks for cancellation.
const FOUND_SPANS: usize = 1 << 8;

/// The options of a search.
#[derive(Clone, Copy)]
pub(super) struct How {
    mode: SearchMode,
    threshold: Cutoff,
    normalizer: &'static Normalizer,
}

impl Source {
    pub(super) fn how(&self, py: Python<'_>, mode: &Given<'_>, threshold: &Given<'_>) -> PyResult<How> {
        Ok(How {
            mode: arguments::mode(mode)?,
            threshold: arguments::threshold(threshold)?,
            normalizer: self.profile.normalizer(py)?,
        })
    }

    pub(super) fn to_match(&self, py: Python<'_>, found: Found) -> Match {
        Match::new(found, self.text.clone_ref(py))
    }

    /// Finds one quote.
    pub(super) fn find_one(&self, py: Python<'_>, quote: TextRef<'_>, how: How) -> PyResult<Option<Found>> {
        let text = characters::units(self.text.bind(py))?;
        if how.mode == SearchMode::Substring
            && quote.len() <= ROOM_CHARS
            && let Some(span) = self.find_without_scan(quote, how.normalizer)?
        {
            return Ok(span.map(|span| self.exact(text, quote, span)));
        }
        let found = signals::run(py, self.work_chars(how.mode, quote), |cancel| {
            let normalized = how.normalizer.normalize(quote, cancel)?;
            self.look(text, &[quote], &[normalized], how, &Sequential(cancel))
        })?;
        Ok(found.into_iter().next().flatten())
    }

    /// Finds a short quote in the normalised text, if that takes microseconds; the interpreter is not
    /// released meanwhile.
    fn find_without_scan(&self, quote: TextRef<'_>, normalizer: &Normalizer) -> PyResult<Option<Option<Span>>> {
        let mut room = [MaybeUninit::uninit(); ROOM_CHARS];
        let needle = normalizer.normalize_into(quote, &mut room, |_| None, &Never).map_err(signals::exception)?;
        Ok(self.engine.find_without_scan(needle.units()))
    }

    /// Finds the leftmost verbatim or normalised occurrence of one quote that starts and ends at word
    /// boundaries.
    pub(super) fn find_words(&self, py: Python<'_>, quote: TextRef<'_>, how: How) -> PyResult<Option<Found>> {
        if how.mode == SearchMode::Fuzzy {
            return Err(PyValueError::new_err("word_boundaries must be False in mode 'fuzzy'"));
        }
        let text = characters::units(self.text.bind(py))?;
        let found = signals::run(py, self.work_chars(how.mode, quote), |cancel| {
            self.engine.find_words(how.normalizer.normalize(quote, cancel)?.units(), cancel)
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
            for spans in spans.chunks(FOUND_SPANS) {
                meter.add(spans.len() * quote.len())?;
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
        how: How,
        workers: usize,
    ) -> PyResult<Vec<Option<Found>>> {
        let text = characters::units(self.text.bind(py))?;
        pool::run(py, self.work_chars_of_all(how.mode, quotes), workers, |crew| {
            self.look(text, quotes, &normalize(how.normalizer, quotes, crew)?, how, crew)
        })
    }

    /// Returns whether each quote is found.
    pub(super) fn verdicts(
        &self,
        py: Python<'_>,
        quotes: &[TextRef<'_>],
        how: How,
        workers: usize,
    ) -> PyResult<Vec<bool>> {
        arrays::prepare(py)?;
        pool::run(py, self.work_chars_of_all(how.mode, quotes), workers, |crew| {
            self.judge(&normalize(how.normalizer, quotes, crew)?, how, crew)
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
        pool::run(py, self.work_chars_of_all(SearchMode::Fuzzy, quotes), workers, |crew| {
            let normalized = normalize(normalizer, quotes, crew)?;
            let needles: Vec<TextRef<'_>> = normalized.iter().map(TextBuf::units).collect();
            self.engine.scores(&needles, cutoff, crew)
        })
    }

    /// Finds normalised quotes.
    fn look(
        &self,
        text: TextRef<'_>,
        quotes: &[TextRef<'_>],
        normalized: &[TextBuf],
        how: How,
        workers: &impl Executor,
    ) -> Result<Vec<Option<Found>>, Error> {
        let needles: Vec<TextRef<'_>> = normalized.iter().map(TextBuf::units).collect();
        let reads = |index: usize, span| offsets::reads(text, span, quotes[index]);
        self.engine.ground(&needles, how.mode, how.threshold, reads, workers)
    }

    fn judge(&self, normalized: &[TextBuf], how: How, workers: &impl Executor) -> Result<Vec<bool>, Error> {
        let needles: Vec<TextRef<'_>> = normalized.iter().map(TextBuf::units).collect();
        if how.mode == SearchMode::Substring {
            self.engine.announce(needles.len());
            let cycles = |index: usize| self.engine.find_cycles(needles[index].len());
            return workers.map(needles.len(), cycles, |index, _| Ok(self.engine.find(needles[index]).is_some()));
        }
        let verdicts = self.engine.verdicts(&needles, how.threshold, workers)?;
        Ok(verdicts.into_iter().zip(needles).map(|(is_near, needle)| is_near && !needle.is_empty()).collect())
    }

    fn exact(&self, text: TextRef<'_>, quote: TextRef<'_>, span: Span) -> Found {
        self.engine.exact_match(span, |span| offsets::reads(text, span, quote))
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

fn normalize(normalizer: &Normalizer, quotes: &[TextRef<'_>], crew: &Crew<'_>) -> Result<Vec<TextBuf>, Error> {
    let cycles = |index: usize| Normalizer::cycles(quotes[index].len());
    crew.map(quotes.len(), cycles, |index, cancel| normalizer.normalize(quotes[index], cancel))
}
