//! Maps characters of a UTF-8 text to bytes.

use crate::Span;
use crate::text::begins_character;

/// The distance between stored positions, in characters. A lookup reads at most this many characters.
const STEP: usize = 128;

/// The byte position of every [`STEP`]-th character of a text; empty for ASCII, where bytes are characters.
#[derive(Debug)]
pub(super) struct Utf8Positions(Vec<usize>);

impl Utf8Positions {
    pub(super) fn new(text: &str) -> Self {
        if text.is_ascii() {
            return Self(Vec::new());
        }
        Self(text.char_indices().step_by(STEP).map(|(byte, _)| byte).collect())
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.0.capacity() * size_of::<usize>()
    }

    /// Returns whether the characters of `text` in `span` equal `quote`. `text` must be the text of these positions.
    pub(super) fn is_verbatim(&self, text: &str, span: Span, quote: &str) -> bool {
        if quote.len() < span.len() {
            return false;
        }
        let start = self.byte(text, span.start);
        // The quote occurs at this position; its number of characters must also be that of the span.
        text.as_bytes()[start..].starts_with(quote.as_bytes())
            && (self.0.is_empty() && quote.len() == span.len() || quote.chars().count() == span.len())
    }

    /// Returns the byte position of the character at `place`.
    fn byte(&self, text: &str, place: usize) -> usize {
        let Some(&known) = self.0.get(place / STEP) else {
            // The text is ASCII, or `place` is the end of a text whose length is a multiple of the step.
            return if self.0.is_empty() { place } else { text.len() };
        };
        let rest = text.as_bytes()[known..].iter().enumerate().filter(|&(_, &byte)| begins_character(byte));
        rest.map(|(byte, _)| known + byte).nth(place % STEP).unwrap_or(text.len())
    }
}
