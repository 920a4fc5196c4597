//! Aligns quotes with their passages, word by word.

use super::{FuzzyMatch, Source};
use crate::align::{self, Edit, SequenceInput};
use crate::cancel::{Cancel, CancelMeter};
use crate::executor::Executor;
use crate::normalize::{Normalized, Normalizer};
use crate::partial_ratio::{self, Cutoff, MAX_PATTERN_CHARS_SEAWEED, Ratio};
use crate::text::{CodeUnit, Text, TextRef, dispatch};
use crate::{Error, Span};

/// A result of [`Source::align_quotes`] or [`QuoteAlignment::of`].
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, Normalizer, QuoteAlignment, UNICODE_VERSION};
///
/// let normalizer = Normalizer::typographic(UNICODE_VERSION, &[]);
/// let alignment = QuoteAlignment::of("we meet on Monday", "we meet on Friday", &normalizer, &Never)?;
/// assert_eq!(alignment.edits.len(), 1);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct QuoteAlignment {
    /// The span of the passage in the original text, in characters.
    pub passage: Span,
    /// The partial ratio of the normalised texts, 0–100. If both have more than [`MAX_PATTERN_CHARS_SEAWEED`]
    /// characters, a lower bound of it, computed from the alignment.
    pub score: f64,
    /// The differences, in order and disjoint. Replacing the quote span of each edit by its passage span turns the
    /// original quote into the original passage.
    pub edits: Vec<Edit>,
}

/// The number of characters by which the window is extended on either side, to include the words at its ends. Unless
/// the quote occurs exactly, the window is also extended by half the length of the quote, because an insertion can be
/// that long.
const MARGIN_CHARS: usize = 32;

/// The estimated costs of aligning a quote that occurs exactly, and any other quote, in cycles per character of the
/// quote.
const EXACT_CYCLES_PER_CHAR: f32 = 90.0;
const NEAR_CYCLES_PER_CHAR: f32 = 600.0;

/// The estimated cost of finding the most likely position of a long quote, in cycles per character of quote and text.
const ANCHOR_CYCLES_PER_CHAR: f32 = 20.0;

/// The q-gram lengths that a long quote is located with. A shorter one is used only if no longer q-gram occurs in the
/// text.
const ANCHOR_GRAMS: [usize; 3] = [24, 14, 7];

fn align_cycles(near: Option<&FuzzyMatch>, quote: usize) -> f32 {
    let per_char = |near: &FuzzyMatch| if near.is_exact { EXACT_CYCLES_PER_CHAR } else { NEAR_CYCLES_PER_CHAR };
    near.map_or(0.0, per_char) * quote as f32
}

impl Source {
    /// Aligns each of `quotes` with its best window by partial ratio, as [`find_fuzzy`](Self::find_fuzzy) returns it;
    /// `None` below `cutoff`, and for quotes that are blank or longer than the text after normalisation (rulings A6 and
    /// A8). `text` must be the original of this source.
    ///
    /// A quote of more than [`MAX_PATTERN_CHARS_SEAWEED`] characters is aligned at the position that most of its rare
    /// q-grams vote for. Its score is computed from that alignment, and is at most its partial ratio.
    ///
    /// The window is as long as the quote; the passage is as long as the alignment requires. It starts and ends at word
    /// boundaries, unless a word extends more than 32 characters beyond the window.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if a quote is too long, [`Error::Cancelled`] if the executor is cancelled.
    pub fn align_quotes(
        &self,
        text: TextRef<'_>,
        quotes: &[TextRef<'_>],
        normalizer: &Normalizer,
        cutoff: Cutoff,
        executor: &impl Executor,
    ) -> Result<Vec<Option<QuoteAlignment>>, Error> {
        let normalized = executor.map(
            quotes.len(),
            |index| Normalizer::cycles(quotes[index].len()),
            |index, cancel| normalizer.normalize_mapped(quotes[index], cancel),
        )?;
        let needles: Vec<TextRef<'_>> = normalized.iter().map(|quote| quote.text.units()).collect();
        let (searched, long): (Vec<usize>, Vec<usize>) =
            (0..quotes.len()).partition(|&index| needles[index].len() <= MAX_PATTERN_CHARS_SEAWEED);
        let mut found = vec![None; quotes.len()];
        let of_searched: Vec<TextRef<'_>> = searched.iter().map(|&index| needles[index]).collect();
        let near = self.find_fuzzy(&of_searched, cutoff, executor)?;
        searched.into_iter().zip(near).for_each(|(index, near)| found[index] = near);
        let cycles = |index: usize| ANCHOR_CYCLES_PER_CHAR * (self.len() + needles[long[index]].len()) as f32;
        let likely =
            executor.map(long.len(), cycles, |index, cancel| self.likely_window(needles[long[index]], cancel))?;
        long.iter().zip(likely).for_each(|(&index, near)| found[index] = near);
        let cycles = |index: usize| align_cycles(found[index].as_ref(), needles[index].len());
        executor.map(quotes.len(), cycles, |index, cancel| {
            let near = found[index].filter(|_| (1..=self.len()).contains(&needles[index].len()));
            let aligned = near.map(|near| self.align_near(text, quotes[index], &normalized[index], near, cancel));
            Ok(aligned.transpose()?.filter(|aligned| cutoff.accepts(aligned.score)))
        })
    }

    /// Returns the window of a long needle at its occurrence, at its most likely position, or at the start of the
    /// text. The score is 100 for an occurrence; otherwise it is 0 until it is computed from the alignment.
    fn likely_window(&self, needle: TextRef<'_>, cancel: &dyn Cancel) -> Result<Option<FuzzyMatch>, Error> {
        if needle.len() > self.len() {
            return Ok(None);
        }
        let near =
            |start, score, is_exact| FuzzyMatch { window: Span::new(start, start + needle.len()), score, is_exact };
        if let Some(window) = self.find(needle) {
            return Ok(Some(near(window.start, 100.0, true)));
        }
        let (quote, mut meter) = (needle.to_code_points(), CancelMeter::new(cancel));
        for gram in ANCHOR_GRAMS {
            let start = align::best_diagonal(&quote, self.len(), |part| self.codes_in(part), gram, &mut meter)?;
            if let Some(start) = start {
                return Ok(Some(near(start, 0.0, false)));
            }
        }
        Ok(Some(near(0, 0.0, false)))
    }

    fn align_near(
        &self,
        text: TextRef<'_>,
        quote: TextRef<'_>,
        normalized: &Normalized,
        near: FuzzyMatch,
        cancel: &dyn Cancel,
    ) -> Result<QuoteAlignment, Error> {
        let margin = MARGIN_CHARS + if near.is_exact { 0 } else { normalized.text.units().len() / 2 };
        let start = near.window.start.saturating_sub(margin);
        let region = Span::new(start, self.len().min(near.window.end + margin));
        let region = SequenceInput { original: text, offsets: &self.offsets, codes: self.codes_in(region), start };
        let window = Span::new(near.window.start - start, near.window.end - start);
        let aligned = align::align_within(&input(quote, normalized), &region, window, &mut CancelMeter::new(cancel))?;
        let needle = normalized.text.units().len();
        let is_searched = near.is_exact || needle <= MAX_PATTERN_CHARS_SEAWEED;
        let score = if is_searched { near.score } else { Ratio::new(aligned.common, 2 * needle).score() };
        Ok(QuoteAlignment { passage: aligned.passage, score, edits: aligned.edits })
    }

    fn codes_in(&self, span: Span) -> Vec<u32> {
        let symbols = self.symbols.units().slice(span.start..span.end);
        dispatch!(symbols, units => units.iter().map(|unit| self.alphabet.code(unit.code_point())).collect())
    }
}

impl QuoteAlignment {
    /// Aligns `quote` with all of `passage`, a part of an original text. The passage is normalised on its own.
    /// Positions refer to `passage`; the score is 0 if either text is blank.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if a text is too long, [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn of<'t, 'q>(
        quote: impl Into<Text<'t>>,
        passage: impl Into<Text<'q>>,
        normalizer: &Normalizer,
        cancel: &dyn Cancel,
    ) -> Result<Self, Error> {
        let (quote, passage) = (quote.into(), passage.into());
        let (quote, passage) = (quote.units(), passage.units());
        let quote_normalized = normalizer.normalize_mapped(quote, cancel)?;
        let passage_normalized = normalizer.normalize_mapped(passage, cancel)?;
        let (needle, text) = (quote_normalized.text.units(), passage_normalized.text.units());
        let (quote, passage) = (input(quote, &quote_normalized), input(passage, &passage_normalized));
        let aligned = align::align_all(&quote, &passage, &mut CancelMeter::new(cancel))?;
        let score = match needle.len().min(text.len()) {
            0 => 0.0,
            1..=MAX_PATTERN_CHARS_SEAWEED => partial_ratio::partial_ratio(needle, text, Cutoff::NONE, cancel)?,
            shorter => Ratio::new(aligned.common, 2 * shorter).score(),
        };
        Ok(Self { passage: aligned.passage, score, edits: aligned.edits })
    }
}

fn input<'a>(original: TextRef<'a>, normalized: &'a Normalized) -> SequenceInput<'a> {
    SequenceInput { original, offsets: &normalized.offsets, codes: normalized.text.units().to_code_points(), start: 0 }
}
