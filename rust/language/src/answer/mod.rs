//! Reads the citations, sentences and claims of an answer.
//!
//! `prose` selects the visible text of the Markdown, `markers` finds the brackets that are citations,
//! [`sentence`](crate::sentence) splits sentences, and `claims` assigns citations to claims. All of it takes linear
//! time, whatever the answer contains.
//!
//! Source: the specification of citation risk, with rulings B1, B2 and B8.

mod blocks;
mod cancellation;
mod claims;
mod html;
mod known_ids;
mod markdown;
mod marker_items;
mod markers;
mod prose;
mod spec_rule;

pub use blocks::{Block, BlockKind, blocks};
pub use claims::Claim;
pub use known_ids::{KnownIds, MarkerStatus};
pub use marker_items::{CitedItem, MarkerSyntax};
pub use markers::CitationMarker;
pub use spec_rule::{SpecCount, spec_count};

use claims::ClaimFinder;
use prose::Prose;

use crate::sentence::ClassifiedText;
use groundwire_engine::{Cancel, CancelMeter, CodeUnit, Error, Span, TextRef, check_chars, dispatch};

/// The contents of an answer. Offsets are code points of the answer, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Brackets that are, or look like, citations.
    pub markers: Vec<CitationMarker>,
    /// All sentences of the prose, including headings, each with the citations after it.
    pub sentences: Vec<Span>,
    /// Sentences that are long enough to be claims, without headings.
    pub claims: Vec<Claim>,
}

/// Reads `answer`, in Markdown or plain text, which can cite `ids`.
///
/// A sentence never extends beyond its block (paragraph, list item, table cell). Citations after its full stop belong
/// to it. Citations that are alone in the next block, or in a cell of the same row, belong to the claims before them.
///
/// # Errors
///
/// [`Error::Cancelled`], and [`Error::TextTooLong`] beyond [`groundwire_engine::MAX_CHARS`].
pub fn read(answer: TextRef<'_>, ids: &KnownIds, cancel: &dyn Cancel) -> Result<Answer, Error> {
    check_chars(answer.len())?;
    dispatch!(answer, text => read_units(text, ids, &mut CancelMeter::new(cancel)))
}

fn read_units<T: CodeUnit>(text: &[T], ids: &KnownIds, meter: &mut CancelMeter<'_>) -> Result<Answer, Error> {
    let mut prose =
        if prose::has_markup(text) { markdown::read(text, ids, meter)? } else { Prose::plain(text, meter)? };
    let markers = markers::markers(text, &mut prose, ids, meter)?;
    let classified = ClassifiedText { text, classes: &prose.classes };
    let mut sentences = Vec::new();
    let mut blocks = Vec::with_capacity(prose.blocks.len());
    for block in &prose.blocks {
        let first = sentences.len();
        classified.split(block.range(), block.label, meter, &mut sentences)?;
        blocks.push((*block, first..sentences.len()));
    }
    let claims = ClaimFinder::new(text, &prose, &markers).find(&sentences, &blocks, meter)?;
    Ok(Answer { markers, sentences, claims })
}

/// Counts of claims, and the distinct ids of the citations, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerCounts<'a> {
    /// Number of claims with a valid citation.
    pub cited: usize,
    /// Number of long claims without a valid citation.
    pub uncited: usize,
    /// Known ids.
    pub valid: Vec<&'a [u32]>,
    /// Unknown ids with the shape of a known id.
    pub invalid: Vec<&'a [u32]>,
    /// Ids of any other shape.
    pub ignored: Vec<&'a [u32]>,
}

impl Answer {
    /// Counts the claims and collects the ids of the markers.
    #[must_use]
    pub fn counts(&self) -> AnswerCounts<'_> {
        let mut counts = AnswerCounts::default();
        for claim in &self.claims {
            let is_cited = claim.markers.iter().any(|&index| self.markers[index].status() == MarkerStatus::Valid);
            counts.cited += usize::from(is_cited);
            counts.uncited += usize::from(!is_cited && claim.is_long());
        }
        for item in self.markers.iter().flat_map(|marker| &marker.items) {
            let ids = match item.status {
                MarkerStatus::Valid => &mut counts.valid,
                MarkerStatus::Invalid => &mut counts.invalid,
                MarkerStatus::Ignored => &mut counts.ignored,
            };
            ids.push(item.id.as_slice());
        }
        for ids in [&mut counts.valid, &mut counts.invalid, &mut counts.ignored] {
            ids.sort_unstable();
            ids.dedup();
        }
        counts
    }
}
