//! Where quotes stand in the original, and how well.

use super::{Near, Source};
use crate::executor::Executor;
use crate::partial_ratio::Cutoff;
use crate::text::TextRef;
use crate::{Error, Span};

/// How a quote is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// As it is: the leftmost occurrence.
    Substring,
    /// As it is, or else nearly: the best window.
    Fuzzy,
}

/// How a quote and its source agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// To the letter.
    Exact,
    /// After normalisation.
    Normalized,
    /// Nearly.
    Fuzzy,
}

/// A place in the original text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// Its characters.
    pub span: Span,
    /// Agreement after normalisation, 0–1.
    pub score: f64,
    /// How it agrees.
    pub kind: Kind,
}

impl Source {
    /// Where each of `needles`, normalised quotes, stands; `None` if nowhere, and for empty ones whatever
    /// the `threshold` (ruling A6), which only [`Mode::Fuzzy`] has. `reads` says whether a span of the
    /// original reads exactly like the quote with this number.
    ///
    /// # Errors
    ///
    /// The executor was asked to stop.
    pub fn ground(
        &self,
        needles: &[TextRef<'_>],
        mode: Mode,
        threshold: Cutoff,
        reads: impl Fn(usize, Span) -> bool + Sync,
        executor: &impl Executor,
    ) -> Result<Vec<Option<Found>>, Error> {
        if mode == Mode::Substring {
            self.expect(needles.len());
            let cycles = |index: usize| self.find_cycles(needles[index].len());
            return executor.map(needles.len(), cycles, |index, _| {
                Ok(self.find(needles[index]).map(|span| self.occurrence(span, |span| reads(index, span))))
            });
        }
        let near = self.find_fuzzy(needles, threshold, executor)?;
        let found = near.into_iter().enumerate().map(|(index, near)| {
            near.filter(|_| !needles[index].is_empty()).map(|near| match near.is_exact {
                true => self.occurrence(near.window, |span| reads(index, span)),
                false => self.nearly(near),
            })
        });
        Ok(found.collect())
    }

    /// What [`ground`](Self::ground) says in [`Mode::Fuzzy`] of needles that [`find`](Self::find) finds
    /// nowhere.
    ///
    /// # Errors
    ///
    /// The executor was asked to stop.
    pub fn ground_absent(
        &self,
        needles: &[TextRef<'_>],
        threshold: Cutoff,
        executor: &impl Executor,
    ) -> Result<Vec<Option<Found>>, Error> {
        let near = self.find_near(needles, threshold, executor)?;
        let found = near.into_iter().zip(needles);
        Ok(found.map(|(near, needle)| Some(self.nearly(near.filter(|_| !needle.is_empty())?))).collect())
    }

    fn nearly(&self, near: Near) -> Found {
        Found { span: self.to_original(near.window), score: near.score / 100.0, kind: Kind::Fuzzy }
    }

    /// An occurrence in the normalised text; `reads` says whether a span of the original reads exactly
    /// like the quote.
    #[must_use]
    pub fn occurrence(&self, span: Span, reads: impl FnOnce(Span) -> bool) -> Found {
        let span = self.to_original(span);
        let kind = if reads(span) { Kind::Exact } else { Kind::Normalized };
        Found { span, score: 1.0, kind }
    }
}
