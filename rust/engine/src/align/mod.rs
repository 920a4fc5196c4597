//! Alignment of a quote and a passage: which words of one correspond to which words of the other.
//!
//! Both are normalised. First their characters are aligned, the whole quote with a part of the passage (`anchored`):
//! exact matches in the order of both texts ([`matches`], `chaining`), and the cheapest alignment in the gaps between
//! them (`gotoh`, `scoring`). Then the originals are compared word by word: the smallest groups of words that differ
//! are the edits (`edits`).
//!
//! Time and memory are linear in both lengths for any texts.

mod anchored;
mod block;
mod chaining;
mod edits;
mod gotoh;
mod matches;
mod scoring;
mod sequence;

pub use edits::Edit;
pub(crate) use matches::best_diagonal;

use block::{Block, Blocks};
use sequence::{FreeEnds, Sequence, SequencePair};

use crate::cancel::CancelMeter;
use crate::normalize::OffsetMap;
use crate::text::TextRef;
use crate::{Error, Span};

/// A normalised text, or a part of it, with its original.
#[derive(Clone, Debug)]
pub(crate) struct SequenceInput<'a> {
    /// The whole original.
    pub(crate) original: TextRef<'a>,
    /// The map from the normalised text to the original.
    pub(crate) offsets: &'a OffsetMap,
    /// The code points of the part.
    pub(crate) codes: Vec<u32>,
    /// The start of the part in the normalised text, in characters.
    pub(crate) start: usize,
}

impl SequenceInput<'_> {
    fn sequence(&self) -> Sequence {
        let whole = Span::new(self.start, self.start + self.codes.len());
        Sequence::new(
            self.codes.clone(),
            self.offsets.positions_in_replaced(whole).map(|position| position - self.start),
        )
    }

    fn to_original(&self, span: Span) -> Span {
        self.offsets.to_original(Span::new(self.start + span.start, self.start + span.end))
    }
}

/// The result of aligning a quote with a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AlignmentResult {
    /// The span of the passage in the original, in whole words.
    pub(crate) passage: Span,
    /// The edits that turn the quote into the passage, in order and disjoint.
    pub(crate) edits: Vec<Edit>,
    /// The maximum number of equal pairs in any window of the longer text that is as long as the shorter text. At most
    /// the length of their longest common subsequence.
    pub(crate) common: usize,
}

/// Aligns `quote` with all of `passage`.
pub(crate) fn align_all(
    quote: &SequenceInput<'_>,
    passage: &SequenceInput<'_>,
    meter: &mut CancelMeter<'_>,
) -> Result<AlignmentResult, Error> {
    let sequences = SequencePair { quote: quote.sequence(), passage: passage.sequence() };
    let blocks = anchored::align(&sequences, FreeEnds::NOWHERE, meter)?;
    let whole = Span::new(0, sequences.passage.len());
    let edits = edits::edits(&sequences, blocks.as_slice(), whole, (quote, passage), true);
    let common = common(&sequences, blocks.as_slice());
    Ok(AlignmentResult { passage: Span::new(0, passage.original.len()), edits, common })
}

/// Aligns `quote` with the cheapest part of `region`, extended to whole words; with `window` if they have nothing in
/// common. The part starts and ends with a word, or with punctuation that is also in the quote.
pub(crate) fn align_within(
    quote: &SequenceInput<'_>,
    region: &SequenceInput<'_>,
    window: Span,
    meter: &mut CancelMeter<'_>,
) -> Result<AlignmentResult, Error> {
    let sequences = SequencePair { quote: quote.sequence(), passage: region.sequence() };
    let is_window = sequences.passage.codes[window.start..window.end] == sequences.quote.codes;
    let mut blocks = Blocks::default();
    if is_window {
        blocks.push(Block { quote: 0, passage: window.start, len: window.len() });
    } else {
        blocks = anchored::align(&sequences, FreeEnds { start: true, end: true }, meter)?;
        blocks.trim(|quote, passage| sequences.is_insignificant(quote, passage));
    }
    let covered = match blocks.as_slice() {
        [first, .., last] => Span::new(first.passage, last.passage_end()),
        [only] => Span::new(only.passage, only.passage_end()),
        [] => window,
    };
    let passage = words_around(&sequences.passage, covered);
    let edits = edits::edits(&sequences, blocks.as_slice(), passage, (quote, region), false);
    let common = common(&sequences, blocks.as_slice());
    Ok(AlignmentResult { passage: region.to_original(passage), edits, common })
}

fn common(sequences: &SequencePair, blocks: &[Block]) -> usize {
    let (quote, passage) = (&sequences.quote.codes, &sequences.passage.codes);
    let window = quote.len().min(passage.len());
    let pairs = || blocks.iter().flat_map(|block| (0..block.len).map(|at| (block.quote + at, block.passage + at)));
    let equal = || pairs().filter(|&(at, other)| quote[at] == passage[other]);
    let in_longer = |(at, other)| if quote.len() > passage.len() { at } else { other };
    let mut first = equal().map(in_longer).peekable();
    let (mut count, mut best) = (0, 0);
    for position in equal().map(in_longer) {
        count += 1;
        while first.next_if(|&first| first + window <= position).is_some() {
            count -= 1;
        }
        best = best.max(count);
    }
    best
}

/// Returns the pairs of an alignment of normalised texts as (quote, passage), aligned either as
/// [`Source`](crate::Source) aligns them or by one table. For tests.
///
/// # Errors
///
/// None: the work cannot be cancelled.
#[cfg(feature = "internals")]
pub fn pairs(quote: &[u32], passage: &[u32], is_free: bool, by_table: bool) -> Result<Vec<(usize, usize)>, Error> {
    let sequence = |codes: &[u32]| Sequence::new(codes.to_vec(), std::iter::empty());
    let sequences = SequencePair { quote: sequence(quote), passage: sequence(passage) };
    let (free, mut meter) = (FreeEnds { start: is_free, end: is_free }, CancelMeter::new(&crate::Never));
    let blocks = if by_table {
        let mut blocks = Blocks::default();
        let region = sequence::Region { quote: 0..quote.len(), passage: 0..passage.len() };
        gotoh::GotohTable::default().align(&sequences, &region, free, &mut blocks, &mut meter)?;
        blocks
    } else {
        anchored::align(&sequences, free, &mut meter)?
    };
    let of = |block: &Block| (block.quote..block.quote_end()).zip(block.passage..block.passage_end());
    Ok(blocks.as_slice().iter().flat_map(of).collect())
}

/// Returns the smallest span of whole words around `span`.
fn words_around(sequence: &Sequence, span: Span) -> Span {
    let start = sequence.last_in(0..span.start + 1).unwrap_or(0);
    let end = sequence.first_in(span.end..sequence.len() + 1).unwrap_or(sequence.len());
    Span::new(start, end)
}
