//! Grounding: locates quotes in the original text, with their scores.

use super::{FuzzyMatch, Source};
use crate::executor::Executor;
use crate::partial_ratio::{Cutoff, ExactHint};
use crate::text::TextRef;
use crate::{Error, Span};

/// The mode of a search for a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchMode {
    /// Finds the leftmost exact occurrence after normalisation.
    Substring,
    /// Finds the leftmost exact occurrence after normalisation, or else the best window by partial ratio.
    Fuzzy,
}

/// How a quote and its source agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchKind {
    /// The original text is identical to the quote.
    Exact,
    /// Both are equal after normalisation.
    Normalized,
    /// Both are similar after normalisation.
    Fuzzy,
}

/// A match of a quote in the original text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The span in the original, in characters.
    pub span: Span,
    /// The similarity after normalisation, 0–1.
    pub score: f64,
    /// The kind of agreement.
    pub kind: MatchKind,
}

impl Source {
    /// Finds each of `needles`, normalised quotes; `None` for a quote that is not found, and for an empty one at any
    /// `threshold` (ruling A6). Only [`SearchMode::Fuzzy`] uses `threshold`. `is_verbatim` returns whether a span of
    /// the original is identical to the quote with the given index.
    ///
    /// # Errors
    ///
    /// Those of [`find_fuzzy`](Self::find_fuzzy).
    ///
    /// # Examples
    ///
    /// ```
    /// use groundwire_engine::{Cutoff, MatchKind, Never, Normalizer, SearchMode, Sequential, Source, UNICODE_VERSION};
    ///
    /// let normalizer = Normalizer::spec(UNICODE_VERSION);
    /// let text = "We meet on the second Thursday.";
    /// let source = Source::new(text, &normalizer, &Never)?;
    /// let quotes = ["We meet", "WE MEET", "the second Tuesday"];
    /// let needles = quotes.map(|quote| normalizer.normalize(quote, &Never).unwrap());
    /// let found = source.ground(
    ///     &needles.each_ref().map(|needle| needle.units()),
    ///     SearchMode::Fuzzy,
    ///     Cutoff::Threshold(0.8),
    ///     |index, span| span.of(text) == quotes[index],
    ///     &Sequential(&Never),
    /// )?;
    /// let kinds = found.iter().flatten().map(|found| found.kind);
    /// assert!(kinds.eq([MatchKind::Exact, MatchKind::Normalized, MatchKind::Fuzzy]));
    /// # Ok::<(), groundwire_engine::Error>(())
    /// ```
    pub fn ground(
        &self,
        needles: &[TextRef<'_>],
        mode: SearchMode,
        threshold: Cutoff,
        is_verbatim: impl Fn(usize, Span) -> bool + Sync,
        executor: &impl Executor,
    ) -> Result<Vec<Option<Match>>, Error> {
        if mode == SearchMode::Substring {
            self.announce(needles.len());
            let cycles = |index: usize| self.find_cycles(needles[index].len());
            return executor.map(needles.len(), cycles, |index, _| {
                Ok(self.find(needles[index]).map(|span| self.exact_match(span, |span| is_verbatim(index, span))))
            });
        }
        let found = self.find_fuzzy(needles, threshold, executor)?;
        let found = found.into_iter().enumerate().map(|(index, near)| {
            near.filter(|_| !needles[index].is_empty()).map(|near| match near.is_exact {
                true => self.exact_match(near.window, |span| is_verbatim(index, span)),
                false => self.similar_match(near),
            })
        });
        Ok(found.collect())
    }

    /// Returns the result of [`ground`](Self::ground) in [`SearchMode::Fuzzy`] for needles that [`find`](Self::find)
    /// does not find, without searching for them exactly again.
    ///
    /// # Errors
    ///
    /// Those of [`find_fuzzy`](Self::find_fuzzy).
    pub fn ground_fuzzy(
        &self,
        needles: &[TextRef<'_>],
        threshold: Cutoff,
        executor: &impl Executor,
    ) -> Result<Vec<Option<Match>>, Error> {
        let near = self.find_fuzzy_after(ExactHint::Known(None), needles, threshold, executor)?;
        let found = near.into_iter().zip(needles);
        Ok(found.map(|(near, needle)| Some(self.similar_match(near.filter(|_| !needle.is_empty())?))).collect())
    }

    fn similar_match(&self, near: FuzzyMatch) -> Match {
        Match { span: self.to_original(near.window), score: near.score / 100.0, kind: MatchKind::Fuzzy }
    }

    /// Returns the match for an occurrence in the normalised text; `is_verbatim` returns whether a span of the original
    /// is identical to the quote.
    #[must_use]
    pub fn exact_match(&self, span: Span, is_verbatim: impl FnOnce(Span) -> bool) -> Match {
        let span = self.to_original(span);
        let kind = if is_verbatim(span) { MatchKind::Exact } else { MatchKind::Normalized };
        Match { span, score: 1.0, kind }
    }
}
