//! Turns aligned characters into edits: the words in which the originals of quote and passage differ.
//!
//! A cut is a position between two words in both texts that no pair crosses. The text between two adjacent cuts is the
//! smallest unit of a difference: two spellings of a word, `cannot` and `can not`, or words that only one text has. It
//! is an edit if the originals differ there. Applying all edits turns the quote into the passage.

use super::SequenceInput;
use super::block::Block;
use super::sequence::{Sequence, SequencePair};
use crate::Span;
use crate::normalize::OffsetCursor;

/// A smallest group of whole words and punctuation in which the originals differ. Either span may be empty.
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
    sequences: &SequencePair,
    blocks: &[Block],
    passage: Span,
    (quote_input, passage_input): (&SequenceInput<'_>, &SequenceInput<'_>),
    is_all: bool,
) -> Vec<Edit> {
    let mut quote_text = OriginalText::new(quote_input, Span::new(0, sequences.quote.len()));
    let mut passage_text = OriginalText::new(passage_input, passage);
    let start = if is_all { 0 } else { passage_text.position(passage.start) };
    let mut builder = EditBuilder { last: (0, start), edits: Vec::new() };
    let mut extend = |quote: usize, passage: usize| {
        let (from, to) = (builder.last, (quote_text.position(quote), passage_text.position(passage)));
        builder.extend(to, quote_text.is_same(from.0..to.0, &passage_text, from.1..to.1));
    };
    let end = Block { quote: sequences.quote.len(), passage: passage.end, len: 0 };
    let (mut quote, mut passage) = (0, passage.start);
    for &block in blocks.iter().chain([&end]) {
        let gap = (between(&sequences.quote, quote, block.quote), between(&sequences.passage, passage, block.passage));
        if let (Some(quote), Some(passage)) = gap {
            extend(quote.0, passage.0);
            extend(quote.1, passage.1);
        }
        let inside = (block.quote + 1..block.quote_end()).zip(block.passage + 1..block.passage_end());
        for (quote, passage) in inside {
            if sequences.quote.is_boundary(quote) && sequences.passage.is_boundary(passage) {
                extend(quote, passage);
            }
        }
        (quote, passage) = (block.quote_end(), block.passage_end());
    }
    builder.finish(&quote_text, &passage_text, is_all)
}

/// Returns the first and the last boundary in `from..=to`.
fn between(sequence: &Sequence, from: usize, to: usize) -> Option<(usize, usize)> {
    Some((sequence.first_in(from..to + 1)?, sequence.last_in(from..to + 1)?))
}

/// Collects the edits between cuts.
struct EditBuilder {
    /// The last cut, as positions in the originals of quote and passage.
    last: (usize, usize),
    edits: Vec<Edit>,
}

impl EditBuilder {
    /// Advances to the cut `next`.
    fn extend(&mut self, next: (usize, usize), is_same: bool) {
        if !is_same {
            let (quote, passage) = (Span::new(self.last.0, next.0), Span::new(self.last.1, next.1));
            self.edits.push(Edit { quote, passage });
        }
        self.last = next;
    }

    /// Advances to the ends of the originals and returns the edits.
    fn finish(mut self, quote: &OriginalText<'_>, passage: &OriginalText<'_>, is_all: bool) -> Vec<Edit> {
        let end = if is_all { passage.input.original.len() } else { self.last.1 };
        let next = (quote.input.original.len(), end);
        let is_same = quote.is_same(self.last.0..next.0, passage, self.last.1..next.1);
        self.extend(next, is_same);
        self.edits
    }
}

/// Maps ascending positions of one normalised text to its original.
struct OriginalText<'a> {
    input: &'a SequenceInput<'a>,
    cursor: OffsetCursor<'a>,
    /// The end of the aligned part, and its position in the original.
    end: (usize, usize),
}

impl<'a> OriginalText<'a> {
    /// Creates the mapping for positions in `region` of the normalised text.
    fn new(input: &'a SequenceInput<'a>, region: Span) -> Self {
        let end = match region.is_empty() {
            true => input.offsets.cursor(input.start + region.start).start_of(input.start + region.start),
            false => input.to_original(region).end,
        };
        Self { input, cursor: input.offsets.cursor(input.start + region.start), end: (region.end, end) }
    }

    /// Returns the position in the original where the text after the cut `position` starts.
    fn position(&mut self, position: usize) -> usize {
        if position == self.end.0 { self.end.1 } else { self.cursor.start_of(self.input.start + position) }
    }

    fn is_same(&self, range: std::ops::Range<usize>, other: &Self, others: std::ops::Range<usize>) -> bool {
        range.len() == others.len()
            && self.input.original.slice(range).eq_code_points(other.input.original.slice(others))
    }
}
