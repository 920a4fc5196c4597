//! Finds the citations in the prose of an answer.

use super::known_ids::{KnownIds, MarkerStatus};
use super::marker_items::{BracketParser, CitedItem, MarkerSyntax};
use super::prose::Prose;
use crate::sentence::{LETTERS, SentenceBreak};
use groundwire_engine::{CancelMeter, CodeUnit, Error, Span};

/// A pair of brackets with letters or digits, and the ids in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitationMarker {
    /// The span from the opening to the closing bracket.
    pub span: Span,
    /// Its syntax.
    pub syntax: MarkerSyntax,
    /// The ids in their original order, with ranges expanded.
    pub items: Vec<CitedItem>,
}

impl CitationMarker {
    /// Returns the status: valid with a valid id, otherwise invalid with an invalid id, otherwise ignored.
    #[must_use]
    pub fn status(&self) -> MarkerStatus {
        let has = |status| self.items.iter().any(|item| item.status == status);
        match (has(MarkerStatus::Valid), has(MarkerStatus::Invalid)) {
            (true, _) => MarkerStatus::Valid,
            (_, true) => MarkerStatus::Invalid,
            _ => MarkerStatus::Ignored,
        }
    }

    /// Returns whether the brackets are a citation.
    #[must_use]
    pub fn is_citation(&self) -> bool {
        self.status() != MarkerStatus::Ignored
    }
}

/// Returns the brackets in the blocks of `prose`, in order, and masks the citations in its classes.
///
/// This takes linear time, because an opening bracket is followed only up to the next bracket.
pub(super) fn markers<T: CodeUnit>(
    text: &[T],
    prose: &mut Prose,
    ids: &KnownIds,
    meter: &mut CancelMeter<'_>,
) -> Result<Vec<CitationMarker>, Error> {
    let mut brackets = Brackets { text, ids, forms: BracketParser::new(ids), content: Vec::new() };
    let mut markers = Vec::new();
    for block in &prose.blocks {
        let mut at = block.start;
        while let Some(skipped) = prose.classes[at..block.end].iter().position(|&class| class == SentenceBreak::Open) {
            let open = at + skipped;
            let (marker, examined) = brackets.read(&mut prose.classes, open, block.end);
            meter.charge(skipped + examined + 1)?;
            at = marker.as_ref().map_or(open + 1, |marker| marker.span.end.max(open + 1));
            markers.extend(marker);
        }
    }
    Ok(markers)
}

struct Brackets<'a, T> {
    text: &'a [T],
    ids: &'a KnownIds,
    forms: BracketParser<'a>,
    /// The content of the current brackets.
    content: Vec<u32>,
}

impl<T: CodeUnit> Brackets<'_, T> {
    /// Returns the marker whose brackets open at `open`, and the number of characters examined.
    fn read(&mut self, classes: &mut [SentenceBreak], open: usize, end: usize) -> (Option<CitationMarker>, usize) {
        if self.is_escaped(classes, open) {
            return (None, 1);
        }
        let opening = self.text[open].code_point();
        let closing = match char::from_u32(opening) {
            Some('【') => '】',
            Some('［') => '］',
            _ => ']',
        };
        let codes = self.text[open + 1..end].iter().map(|unit| unit.code_point());
        let (bracketed, mut examined) = self.ids.bracketed(codes, closing as u32);
        let mut close = bracketed.map(|length| open + 1 + length);
        if close.is_none() {
            let (found, more) = self.close(classes, open, end, closing as u32);
            close = found;
            examined += more;
        }
        let Some(close) = close else { return (None, examined) };
        self.content.clear();
        self.content.extend(self.text[open + 1..close].iter().map(|unit| unit.code_point()));
        let (syntax, mut items) = self.forms.read(&self.content, closing == '】');
        if items.is_empty() {
            return (None, examined);
        }
        if self.is_subscript(classes, open, close, &items) {
            items.iter_mut().for_each(|item| item.status = MarkerStatus::Ignored);
        }
        let mut marker = CitationMarker { span: Span::new(open, close + 1), syntax, items };
        if marker.is_citation() {
            self.widen(&mut marker.span, end);
            classes[marker.span.start..marker.span.end].fill(SentenceBreak::Masked);
        }
        (Some(marker), examined)
    }

    /// Returns the offset of the closing bracket, if no other bracket and no blank line precedes it, and the number of
    /// characters examined.
    fn close(&self, classes: &[SentenceBreak], open: usize, end: usize, closing: u32) -> (Option<usize>, usize) {
        let mut is_line_empty = false;
        let inside = classes[open + 1..end].iter().zip(&self.text[open + 1..end]);
        for (length, (&class, unit)) in inside.enumerate() {
            if unit.code_point() == closing {
                return (Some(open + 1 + length), length);
            }
            let is_line_end = class == SentenceBreak::Line && unit.code_point() != 0x0D;
            if class == SentenceBreak::Open || is_line_end && is_line_empty {
                return (None, length);
            }
            is_line_empty = is_line_end || is_line_empty && matches!(class, SentenceBreak::Space | SentenceBreak::Line);
        }
        (None, end - open)
    }

    /// Returns whether a backslash escapes the bracket: `\[`.
    fn is_escaped(&self, classes: &[SentenceBreak], open: usize) -> bool {
        open > 0 && classes[open - 1] == SentenceBreak::Ignored && self.text[open - 1].code_point() == '\\' as u32
    }

    /// Widens the span of `[[1]]`, which is one citation.
    fn widen(&self, span: &mut Span, end: usize) {
        let is = |place: usize, sign: char| self.text[place].code_point() == sign as u32;
        if span.start > 0 && span.end < end && is(span.start - 1, '[') && is(span.end, ']') {
            *span = Span::new(span.start - 1, span.end + 1);
        }
    }

    /// Returns whether the brackets are an array subscript: `arr[0]`, `row_ids[1]`, `x[1] = 2`.
    fn is_subscript(&self, classes: &[SentenceBreak], open: usize, close: usize, items: &[CitedItem]) -> bool {
        let code = |place: usize| self.text.get(place).and_then(|unit| char::from_u32(unit.code_point()));
        let Some(before) =
            open.checked_sub(1).filter(|&place| LETTERS.contains(classes[place]) || code(place) == Some('_'))
        else {
            return false;
        };
        let is_known = items.iter().any(|item| item.status == MarkerStatus::Valid);
        let is_zero = !is_known && matches!(items, [item] if item.id == ['0' as u32]);
        let word = (0..=before).rev().take_while(|&place| LETTERS.contains(classes[place]) || code(place) == Some('_'));
        let is_identifier = word.take(MAX_IDENTIFIER_CHARS).any(|place| code(place) == Some('_'));
        let is_member = code(close + 1) == Some('.') && classes.get(close + 2) == Some(&SentenceBreak::Lower);
        let is_called = code(close + 1) == Some('(');
        let assigned = if code(close + 1) == Some(' ') { close + 2 } else { close + 1 };
        is_zero || is_identifier || is_member || is_called || code(assigned) == Some('=')
    }
}

/// Maximum number of characters of an identifier that are searched for an underscore.
const MAX_IDENTIFIER_CHARS: usize = 40;
