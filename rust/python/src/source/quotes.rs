//! The alignment methods of `Source`.

use groundwire_engine::{self as engine, Cutoff, SearchMode, TextRef};
use pyo3::prelude::*;

use super::Source;
use crate::quotes::QuoteAlignment;
use crate::{characters, pool, signals};

impl Source {
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
        // Estimates the score's work, which is the product of both lengths divided by 64.
        let chars = (1 + quote.len() / 64).saturating_mul(passage.len()).saturating_add(quote.len());
        let aligned = signals::run(py, chars, |cancel| engine::QuoteAlignment::of(quote, passage, normalizer, cancel))?;
        Ok(QuoteAlignment::new(&aligned, start))
    }
}
