//! Where a quote comes from, word by word.

use super::{Near, Source};
use crate::align::{self, Edit, Written};
use crate::fuzzy::{self, Cutoff};
use crate::interrupt::{Interrupt, Meter};
use crate::normalize::{Normalized, Normalizer};
use crate::text::{Unit, Units, with_units};
use crate::workers::Workers;
use crate::{Error, Span};

/// What [`Source::align_quotes`] and [`Source::align`] find.
#[derive(Clone, Debug, PartialEq)]
pub struct QuoteAlignment {
    /// The passage in the original text.
    pub passage: Span,
    /// Partial ratio of the normalised texts, 0–100.
    pub score: f64,
    /// What differs, in order and apart from each other: with each edit's passage put in place of
    /// its quote, the original quote reads as the original passage does.
    pub edits: Vec<Edit>,
}

/// The window is widened by this many characters on either side, room for the words at its ends, and
/// by half the quote unless it is there as it is: an insertion can be that long.
const MARGIN_CHARS: usize = 32;

impl Source {
    /// For each of `quotes`, its best window by partial ratio (as [`find_fuzzy`](Self::find_fuzzy)),
    /// aligned; `None` below `cutoff`, and for quotes that are blank or longer than the text, both
    /// normalised (rulings A6 and A8). `text` is the original that this source was made of.
    ///
    /// The window is as long as the quote; the passage is as long as it has to be. It begins and
    /// ends between words, unless a word goes on for more than 32 characters.
    ///
    /// # Errors
    ///
    /// The workers were asked to stop, or a quote is too long.
    pub fn align_quotes(
        &self,
        text: Units<'_>,
        quotes: &[Units<'_>],
        normalizer: &Normalizer,
        cutoff: Cutoff,
        workers: &impl Workers,
    ) -> Result<Vec<Option<QuoteAlignment>>, Error> {
        let normalized =
            workers.map(quotes.len(), |index, interrupt| normalizer.normalize_mapped(quotes[index], interrupt))?;
        let needles: Vec<Units<'_>> = normalized.iter().map(|quote| quote.text.units()).collect();
        let found = self.find_fuzzy(&needles, cutoff, workers)?;
        workers.map(quotes.len(), |index, interrupt| {
            let near = found[index].filter(|_| (1..=self.len()).contains(&needles[index].len()));
            let aligned = near.map(|near| self.align_near(text, quotes[index], &normalized[index], near, interrupt));
            aligned.transpose()
        })
    }

    fn align_near(
        &self,
        text: Units<'_>,
        quote: Units<'_>,
        normalized: &Normalized,
        near: Near,
        interrupt: &dyn Interrupt,
    ) -> Result<QuoteAlignment, Error> {
        let margin = MARGIN_CHARS + if near.is_exact { 0 } else { normalized.text.units().len() / 2 };
        let start = near.window.start.saturating_sub(margin);
        let region = Span::new(start, self.len().min(near.window.end + margin));
        let region = Written { original: text, origins: &self.origins, codes: self.codes_in(region), start };
        let window = Span::new(near.window.start - start, near.window.end - start);
        let aligned = align::align_within(&written(quote, normalized), &region, window, &mut Meter::new(interrupt))?;
        Ok(QuoteAlignment { passage: aligned.passage, score: near.score, edits: aligned.edits })
    }

    fn codes_in(&self, span: Span) -> Vec<u32> {
        let symbols = self.symbols.units().slice(span.start..span.end);
        with_units!(symbols, units => units.iter().map(|unit| self.alphabet.code(unit.code())).collect())
    }
}

impl QuoteAlignment {
    /// `quote` and all of `passage`, a part of an original text, aligned. The passage is normalised by
    /// itself. Positions are those of its own characters; the score is 0 if either is blank.
    ///
    /// # Errors
    ///
    /// A text is too long, or `interrupt` asked to stop.
    pub fn of(
        quote: Units<'_>,
        passage: Units<'_>,
        normalizer: &Normalizer,
        interrupt: &dyn Interrupt,
    ) -> Result<Self, Error> {
        let quote_normalized = normalizer.normalize_mapped(quote, interrupt)?;
        let passage_normalized = normalizer.normalize_mapped(passage, interrupt)?;
        let (needle, text) = (quote_normalized.text.units(), passage_normalized.text.units());
        let score = if needle.is_empty() || text.is_empty() {
            0.0
        } else {
            fuzzy::partial_ratio(needle, text, Cutoff::NONE, interrupt)?
        };
        let (quote, passage) = (written(quote, &quote_normalized), written(passage, &passage_normalized));
        let aligned = align::align_all(&quote, &passage, &mut Meter::new(interrupt))?;
        Ok(Self { passage: aligned.passage, score, edits: aligned.edits })
    }
}

fn written<'a>(original: Units<'a>, normalized: &'a Normalized) -> Written<'a> {
    Written { original, origins: &normalized.origins, codes: normalized.text.units().to_codes(), start: 0 }
}
