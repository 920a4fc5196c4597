//! Spans of a text, in code points.

use groundwire_engine::TextRef;

/// Number of characters on either side of a passage that are read with it, extended to the next white space.
const CONTEXT_CHARS: usize = 160;

/// Number of characters that language detection examines.
const SAMPLE_CHARS: usize = 1_500;

pub(super) fn first(text: TextRef<'_>) -> TextRef<'_> {
    part(text, 0, text.len().min(SAMPLE_CHARS))
}

pub(super) fn part(text: TextRef<'_>, start: usize, end: usize) -> TextRef<'_> {
    match text {
        TextRef::Ucs1(units) => TextRef::Ucs1(&units[start..end]),
        TextRef::Ucs2(units) => TextRef::Ucs2(&units[start..end]),
        TextRef::Ucs4(units) => TextRef::Ucs4(&units[start..end]),
    }
}

pub(super) fn code_at(text: TextRef<'_>, at: usize) -> u32 {
    match text {
        TextRef::Ucs1(units) => u32::from(units[at]),
        TextRef::Ucs2(units) => u32::from(units[at]),
        TextRef::Ucs4(units) => units[at],
    }
}

/// Returns the span that is read for a passage: with its context, and whole words at both ends.
pub(super) fn around(text: TextRef<'_>, start: usize, end: usize) -> (usize, usize) {
    let mut from = start.min(text.len()).saturating_sub(CONTEXT_CHARS);
    let limit = from.saturating_sub(CONTEXT_CHARS);
    while from > limit && !is_space(text, from) {
        from -= 1;
    }
    (from, whole_word_end(text, end.saturating_add(CONTEXT_CHARS)))
}

/// Returns the next white space from `at` on, if it is near.
pub(super) fn whole_word_end(text: TextRef<'_>, at: usize) -> usize {
    let mut to = at.min(text.len());
    let limit = to.saturating_add(CONTEXT_CHARS).min(text.len());
    while to < limit && !is_space(text, to) {
        to += 1;
    }
    to
}

pub(super) fn is_space(text: TextRef<'_>, at: usize) -> bool {
    char::from_u32(code_at(text, at)).is_some_and(char::is_whitespace)
}

/// Returns whether `word`, in folded form, occurs as a word anywhere in the text.
pub(super) fn occurs(text: TextRef<'_>, word: &str) -> bool {
    match text {
        TextRef::Ucs1(units) => occurs_in(units, word),
        TextRef::Ucs2(units) => occurs_in(units, word),
        TextRef::Ucs4(units) => occurs_in(units, word),
    }
}

pub(super) fn occurs_in<T: Copy + Into<u32>>(text: &[T], word: &str) -> bool {
    let word: Vec<char> = word.chars().collect();
    let Some(&first) = word.first() else { return false };
    // Most characters equal neither case of the first letter.
    let (small, capital) = (u32::from(first), first.to_uppercase().next().map_or(0, u32::from));
    let letter = |at: usize| {
        text.get(at).and_then(|&unit| char::from_u32(unit.into())).and_then(|character| character.to_lowercase().next())
    };
    let is_letter = |at: usize| letter(at).is_some_and(char::is_alphanumeric);
    text.iter().enumerate().any(|(at, &unit)| {
        let code: u32 = unit.into();
        (code == small || code == capital)
            && (at == 0 || !is_letter(at - 1))
            && !is_letter(at + word.len())
            && word.iter().enumerate().all(|(place, &wanted)| letter(at + place) == Some(wanted))
    })
}

/// Start and end, in code points.
pub(super) type Span = (u32, u32);

pub(super) fn moved(span: Span, offset: usize) -> Span {
    (span.0 + offset as u32, span.1 + offset as u32)
}

/// Clamps a span to the text.
pub(super) fn within(text: TextRef<'_>, start: usize, end: usize) -> (usize, usize) {
    let end = end.min(text.len());
    (start.min(end), end)
}
