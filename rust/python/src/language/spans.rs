//! Spans of a text, in code points.

use groundwire_engine::{CodeUnit, TextRef, dispatch};

/// Number of characters before and after a passage that are read with it, up to the next white space.
const CONTEXT_CHARS: usize = 160;

/// Returns the span of a passage with its context, extended to whole words at both ends.
pub(super) fn with_context(text: TextRef<'_>, start: usize, end: usize) -> (usize, usize) {
    let mut from = start.min(text.len()).saturating_sub(CONTEXT_CHARS);
    let limit = from.saturating_sub(CONTEXT_CHARS);
    while from > limit && !is_space(text, from) {
        from -= 1;
    }
    (from, whole_word_end(text, end.saturating_add(CONTEXT_CHARS)))
}

/// Returns the offset of the next white space at or after `at`, or at most [`CONTEXT_CHARS`] later.
pub(super) fn whole_word_end(text: TextRef<'_>, at: usize) -> usize {
    let mut to = at.min(text.len());
    let limit = to.saturating_add(CONTEXT_CHARS).min(text.len());
    while to < limit && !is_space(text, to) {
        to += 1;
    }
    to
}

fn is_space(text: TextRef<'_>, at: usize) -> bool {
    dispatch!(text, units => char::from_u32(units[at].code_point()).is_some_and(char::is_whitespace))
}

/// Start and end, in code points.
pub(super) type Span = (u32, u32);

pub(super) fn shifted(span: Span, offset: usize) -> Span {
    (span.0 + offset as u32, span.1 + offset as u32)
}

/// Clamps a span to the text.
pub(super) fn clamped(text: TextRef<'_>, start: usize, end: usize) -> (usize, usize) {
    let end = end.min(text.len());
    (start.min(end), end)
}
