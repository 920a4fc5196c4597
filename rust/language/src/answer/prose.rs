//! Selects the visible text of an answer.

use std::ops::Range;

use crate::sentence::{SentenceBreak, classify};
use groundwire_engine::{CancelMeter, CodeUnit, Error};

/// The visible text of an answer.
pub(super) struct Prose {
    /// The class of each character. Code blocks and markup are ignored, inline code counts as letters, and the brackets
    /// of links cannot open a citation.
    pub(super) classes: Vec<SentenceBreak>,
    /// Paragraphs, headings, list items and cells, in order.
    pub(super) blocks: Vec<ProseBlock>,
}

/// A block of an answer, beyond which no sentence extends.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProseBlock {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Start of the list item's label, or `start` outside a list.
    pub(super) label: usize,
    /// Whether it is a heading, possibly of a table. Headings are not claims.
    pub(super) is_heading: bool,
    /// The number of the table row, from 1; 0 outside a table.
    pub(super) row: usize,
}

impl ProseBlock {
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }
}

impl Prose {
    /// Returns a text without markup as one block.
    pub(super) fn plain<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Self, Error> {
        let mut classes = vec![SentenceBreak::Ignored; text.len()];
        classify(text, &mut classes);
        meter.charge(text.len())?;
        Ok(Self {
            classes,
            blocks: vec![ProseBlock { start: 0, end: text.len(), label: 0, is_heading: false, row: 0 }],
        })
    }
}

/// The context in which an ASCII character may be markup.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MarkupContext {
    Never,
    Anywhere,
    /// At the end of a line, depending on the start of the next one.
    LineEnd,
    /// Before `(` and `:`.
    Bracket,
    /// If it is doubled.
    Tilde,
}

const MARKUP_CONTEXTS: [MarkupContext; 128] = {
    let mut places = [MarkupContext::Never; 128];
    let mut code = 0;
    while code < places.len() as u8 {
        places[code as usize] = match code {
            b'`' | b'*' | b'_' | b'<' | b'\\' | b'|' | 0 => MarkupContext::Anywhere,
            b'\n' | b'\r' => MarkupContext::LineEnd,
            b']' => MarkupContext::Bracket,
            b'~' => MarkupContext::Tilde,
            _ => MarkupContext::Never,
        };
        code += 1;
    }
    places
};

/// Returns whether `text` may contain markup. Blank lines do not count: they end sentences in plain text, too.
pub(super) fn has_markup<T: CodeUnit>(text: &[T]) -> bool {
    let is_markup = |(place, unit): (usize, &T)| {
        let next = || text.get(place + 1).map_or(0, |unit| unit.code_point());
        match MARKUP_CONTEXTS.get(unit.code_point() as usize).copied().unwrap_or(MarkupContext::Never) {
            MarkupContext::Never => false,
            MarkupContext::Anywhere => true,
            MarkupContext::LineEnd => begins_block(&text[place + 1..]),
            MarkupContext::Bracket => next() == u32::from(b'(') || next() == u32::from(b':'),
            MarkupContext::Tilde => next() == u32::from(b'~'),
        }
    };
    begins_block(text) || text.iter().enumerate().any(is_markup)
}

/// Returns whether a line begins with white space or a mark that may begin a block.
fn begins_block<T: CodeUnit>(line: &[T]) -> bool {
    let code = |place: usize| line.get(place).map_or(0, |unit| unit.code_point());
    match char::from_u32(code(0)) {
        Some(' ' | '\t' | '#' | '-' | '+' | '>' | '=') => true,
        Some('0'..='9') => {
            let digits =
                (0..line.len()).take_while(|&place| matches!(code(place), 0x30..=0x39)).take(MAX_DIGITS).count();
            matches!(char::from_u32(code(digits)), Some('.' | ')'))
        }
        _ => false,
    }
}

/// Maximum number of digits in a list item's number.
const MAX_DIGITS: usize = 9;
