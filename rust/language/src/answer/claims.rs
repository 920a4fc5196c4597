//! Finds the claims of an answer, and assigns the citations to them.

use std::ops::Range;

use super::markers::CitationMarker;
use super::prose::{Prose, ProseBlock};
use crate::sentence::{BreakSet, SPACES, SentenceBreak};
use groundwire_engine::{CancelMeter, CodeUnit, Error, Span};

/// Minimum display width of a claim; narrower sentences are not claims (ruling B8).
const MIN_CLAIM_WIDTH: usize = 21;
/// Minimum display width of a long claim, which needs a citation (ruling B8).
const MIN_LONG_WIDTH: usize = 51;
/// Maximum number of claims in a table row to which citations in a separate cell apply.
const MAX_ROW_CLAIMS: usize = 16;

/// A sentence that is long enough to be a claim. One that introduces other text or refers to the answer itself is a
/// claim only if it contains a citation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The span of the claim, without white space, markup and citations after it.
    pub span: Span,
    /// Display width without citations: the number of visible characters, with Han and kana counting twice.
    pub width: usize,
    /// Indices of the markers of the citations in it and directly after it.
    pub markers: Vec<usize>,
}

impl Claim {
    /// Returns whether the claim needs a citation.
    #[must_use]
    pub fn is_long(&self) -> bool {
        self.width >= MIN_LONG_WIDTH
    }
}

/// Each block with the range of its sentences.
pub(super) type BlockSentences = Vec<(ProseBlock, Range<usize>)>;

/// Finds the claims among sentences.
pub(super) struct ClaimFinder<'a, T> {
    text: &'a [T],
    prose: &'a Prose,
    markers: &'a [CitationMarker],
    /// Number of markers that have been assigned.
    assigned: usize,
    found: Vec<Claim>,
    /// Index of the first claim to which a citation alone applies: the claim of the previous sentence, or in a table
    /// the first one of the row.
    first_open: usize,
    row: usize,
}

impl<'a, T: CodeUnit> ClaimFinder<'a, T> {
    pub(super) fn new(text: &'a [T], prose: &'a Prose, markers: &'a [CitationMarker]) -> Self {
        Self { text, prose, markers, assigned: 0, found: Vec::new(), first_open: 0, row: 0 }
    }

    /// Returns the claims among `sentences`, of which `blocks` has the range of each block.
    pub(super) fn find(
        mut self,
        sentences: &[Span],
        blocks: &BlockSentences,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Vec<Claim>, Error> {
        for (block, range) in blocks {
            let is_other_row = block.row != self.row || block.row == 0;
            if block.is_heading || is_other_row && block.row != 0 {
                self.first_open = self.found.len();
            }
            self.row = block.row;
            for &sentence in &sentences[range.clone()] {
                meter.charge(sentence.len())?;
                self.read(sentence, block);
            }
        }
        Ok(self.found)
    }

    fn read(&mut self, sentence: Span, block: &ProseBlock) {
        let markers = self.markers_in(sentence);
        let span = self.trimmed(sentence);
        let width = self.width(span);
        if width == 0 {
            // The sentence consists of citations only.
            let first = self.first_open.max(self.found.len().saturating_sub(MAX_ROW_CLAIMS));
            self.found[first..].iter_mut().for_each(|claim| claim.markers.extend(markers.clone()));
            return;
        }
        if block.row == 0 {
            self.first_open = self.found.len();
        }
        let markers: Vec<usize> = markers.collect();
        let is_no_claim = markers.is_empty() && (self.is_lead_in(span) || self.is_self_reference(span));
        if width >= MIN_CLAIM_WIDTH && !block.is_heading && !is_no_claim {
            self.found.push(Claim { span, width, markers });
        }
    }

    /// Returns whether a sentence introduces the claims that follow: `Common causes are:`.
    fn is_lead_in(&self, span: Span) -> bool {
        let last = self.text[span.start..span.end].last();
        last.is_some_and(|unit| matches!(char::from_u32(unit.code_point()), Some(':' | '：')))
    }

    /// Returns whether a sentence refers to the answer itself, which no source can support: `I could not find it.` or
    /// `I’m glad to help.`
    fn is_self_reference(&self, span: Span) -> bool {
        let sign = |place: usize| {
            let unit = self.text[..span.end].get(span.start + place);
            unit.map_or(0, |unit| unit.code_point())
        };
        if sign(0) != u32::from('I') {
            return false;
        }
        let is_short = matches!(char::from_u32(sign(1)), Some('\'' | '’'));
        let verb = ["m", "d", "ve", "ll"]
            .into_iter()
            .find(|verb| (2..).zip(verb.bytes()).all(|(at, byte)| sign(at) == u32::from(byte)));
        let end = if is_short { verb.map(|verb| 2 + verb.len()) } else { Some(1) };
        let classes = &self.prose.classes[..span.end];
        let class = |place: usize| classes.get(span.start + place).copied().unwrap_or_default();
        end.is_some_and(|end| SPACES.contains(class(end)) && class(end + 1) == SentenceBreak::Lower)
    }

    /// Returns the indices of the citations in `sentence`. Sentences must be passed in order.
    fn markers_in(&mut self, sentence: Span) -> impl Iterator<Item = usize> + Clone + use<'a, T> {
        let markers = self.markers;
        while self.assigned < markers.len() && markers[self.assigned].span.start < sentence.start {
            self.assigned += 1;
        }
        let first = self.assigned;
        while self.assigned < markers.len() && markers[self.assigned].span.start < sentence.end {
            self.assigned += 1;
        }
        (first..self.assigned).filter(|&index| markers[index].is_citation())
    }

    /// Returns `sentence` without the white space and the citations at its end.
    fn trimmed(&self, sentence: Span) -> Span {
        const TRAILING: BreakSet =
            BreakSet::of([SentenceBreak::Space, SentenceBreak::Line, SentenceBreak::Ignored, SentenceBreak::Masked]);
        let classes = &self.prose.classes[..sentence.end];
        let mut end = sentence.end;
        while end > sentence.start {
            // Commas between citations are removed with them.
            let is_comma = classes[end - 1] == SentenceBreak::Continue && self.is_between_citations(end - 1, sentence);
            if !TRAILING.contains(classes[end - 1]) && !is_comma {
                break;
            }
            end -= 1;
        }
        Span::new(sentence.start, end)
    }

    fn is_between_citations(&self, comma: usize, sentence: Span) -> bool {
        let classes = &self.prose.classes;
        let is_skipped = |class: &SentenceBreak| {
            matches!(class, SentenceBreak::Space | SentenceBreak::Line | SentenceBreak::Ignored)
        };
        let before = classes[sentence.start..comma].iter().rev().find(|class| !is_skipped(class));
        let after = classes[comma + 1..sentence.end].iter().find(|class| !is_skipped(class));
        before == Some(&SentenceBreak::Masked) && after == Some(&SentenceBreak::Masked)
    }

    fn width(&self, span: Span) -> usize {
        let mut width = 0;
        let mut is_separated = false;
        let range = span.start..span.end;
        for (&class, unit) in self.prose.classes[range.clone()].iter().zip(&self.text[range]) {
            match class {
                SentenceBreak::Ignored | SentenceBreak::Masked => {}
                SentenceBreak::Space | SentenceBreak::Line => is_separated = width > 0,
                _ => width += usize::from(std::mem::take(&mut is_separated)) + char_width(unit.code_point()),
            }
        }
        width
    }
}

/// Returns the display width of a code point: 2 for Han and kana, otherwise 1 (ruling B8).
#[inline]
fn char_width(code: u32) -> usize {
    match code {
        // Most characters are in this range, and all wide ones above it.
        0..0x2E80 => 1,
        0x4E00..=0x9FFF => 2,
        _ => 1 + usize::from(is_wide(code)),
    }
}

fn is_wide(code: u32) -> bool {
    matches!(code,
        0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3038..=0x303B | 0x3041..=0x30FF | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x1AFF0..=0x1B16F | 0x20000..=0x3FFFF)
}
