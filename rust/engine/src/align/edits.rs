//! Turns aligned characters into edits: the words in which the originals of quote and passage differ.
//!
//! A cut is a position between two words in both texts that no pair crosses. The text between two neighbouring cuts is
//! the smallest unit of a difference: a word and its other spelling, `cannot` and `can not`, or some words and nothing.
//! It is an edit if the originals differ there. Applying all edits turns the quote into the passage.

use super::Written;
use super::block::Block;
use super::sequence::{Side, Sides};
use crate::Span;
use crate::normalize::OffsetCursor;

/// A smallest group of whole words and punctuation in which the originals differ. Either span may be empty.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, Normalizer, QuoteAlignment, UNICODE_VERSION};
///
/// let (quote, passage) = ("take 50 mg daily", "take 15 mg daily");
/// let normalizer = Normalizer::typographic(UNICODE_VERSION, &[]);
/// let alignment = QuoteAlignment::of(quote, passage, &normalizer, &Never)?;
/// let edit = alignment.edits[0];
/// assert_eq!((edit.quote.of(quote), edit.passage.of(passage)), ("50", "15"));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The replaced span of the original quote, in characters.
    pub quote: Span,
    /// The span of the replacement in the original text, in characters.
    pub passage: Span,
}

/// Returns the edits that turn the original quote into the original of `passage`, a span of the other text. They are in
/// order and disjoint. Characters that normalisation removed at the ends of the quote belong to it; those at the ends
/// of the passage only if `is_all`, that is, if the passage is the whole text.
pub(super) fn edits(
    sides: &Sides,
    blocks: &[Block],
    passage: Span,
    (quote_written, passage_written): (&Written<'_>, &Written<'_>),
    is_all: bool,
) -> Vec<Edit> {
    let mut quote_side = Original::new(quote_written, Span::new(0, sides.quote.len()));
    let mut passage_side = Original::new(passage_written, passage);
    let start = if is_all { 0 } else { passage_side.position(passage.start) };
    let mut comparison = Comparison { last: (0, start), edits: Vec::new() };
    let mut go_on = |quote: usize, passage: usize| {
        let (from, to) = (comparison.last, (quote_side.position(quote), passage_side.position(passage)));
        comparison.go_on(to, quote_side.reads_as(from.0..to.0, &passage_side, from.1..to.1));
    };
    let end = Block { quote: sides.quote.len(), passage: passage.end, len: 0 };
    let (mut quote, mut passage) = (0, passage.start);
    for &block in blocks.iter().chain([&end]) {
        let gap = (between(&sides.quote, quote, block.quote), between(&sides.passage, passage, block.passage));
        if let (Some(quote), Some(passage)) = gap {
            go_on(quote.0, passage.0);
            go_on(quote.1, passage.1);
        }
        let inside = (block.quote + 1..block.quote_end()).zip(block.passage + 1..block.passage_end());
        for (quote, passage) in inside {
            if sides.quote.is_boundary(quote) && sides.passage.is_boundary(passage) {
                go_on(quote, passage);
            }
        }
        (quote, passage) = (block.quote_end(), block.passage_end());
    }
    comparison.finish(&quote_side, &passage_side, is_all)
}

/// Returns the first and the last boundary in `from..=to`.
fn between(side: &Side, from: usize, to: usize) -> Option<(usize, usize)> {
    Some((side.first_in(from..to + 1)?, side.last_in(from..to + 1)?))
}

/// A comparison in progress.
struct Comparison {
    /// The last cut, as positions in the originals of quote and passage.
    last: (usize, usize),
    edits: Vec<Edit>,
}

impl Comparison {
    /// Advances to the cut `next`.
    fn go_on(&mut self, next: (usize, usize), is_same: bool) {
        if !is_same {
            let (quote, passage) = (Span::new(self.last.0, next.0), Span::new(self.last.1, next.1));
            self.edits.push(Edit { quote, passage });
        }
        self.last = next;
    }

    /// Advances to the ends of the originals and returns the edits.
    fn finish(mut self, quote: &Original<'_>, passage: &Original<'_>, is_all: bool) -> Vec<Edit> {
        let end = if is_all { passage.written.original.len() } else { self.last.1 };
        let next = (quote.written.original.len(), end);
        let is_same = quote.reads_as(self.last.0..next.0, passage, self.last.1..next.1);
        self.go_on(next, is_same);
        self.edits
    }
}

/// Maps ascending positions of one normalised text to its original.
struct Original<'a> {
    written: &'a Written<'a>,
    cursor: OffsetCursor<'a>,
    /// The end of the aligned part, and its position in the original.
    end: (usize, usize),
}

impl<'a> Original<'a> {
    /// Creates the mapping for positions in `part` of the normalised text.
    fn new(written: &'a Written<'a>, part: Span) -> Self {
        let end = match part.is_empty() {
            true => written.origins.cursor(written.start + part.start).start_of(written.start + part.start),
            false => written.to_original(part).end,
        };
        Self { written, cursor: written.origins.cursor(written.start + part.start), end: (part.end, end) }
    }

    /// Returns the position in the original where the text after the cut `position` starts.
    fn position(&mut self, position: usize) -> usize {
        if position == self.end.0 { self.end.1 } else { self.cursor.start_of(self.written.start + position) }
    }

    fn reads_as(&self, range: std::ops::Range<usize>, other: &Self, others: std::ops::Range<usize>) -> bool {
        range.len() == others.len() && self.written.original.slice(range).reads(other.written.original.slice(others))
    }
}
