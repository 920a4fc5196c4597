//! Finds quotations and parentheses. A sentence does not end inside one.

use std::ops::Range;

use groundwire_engine::CodeUnit;

/// Maximum length of a quotation or parenthesis, in characters. Inside a longer one, sentences may end.
const MAX_QUOTED_CHARS: usize = 400;

/// A quotation or parenthesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct QuotedSpan {
    /// Offset of the opening mark.
    pub(super) open: usize,
    /// Offset of the closing mark.
    pub(super) close: usize,
    /// Whether it is a CJK title or quotation, which contains no sentence end even at the start of a sentence.
    pub(super) is_title: bool,
}

/// Opening and closing marks. The last is the straight quotation mark, which both opens and closes.
const PAIRS: [(u32, u32); 12] = [
    ('(' as u32, ')' as u32),
    ('[' as u32, ']' as u32),
    (0x201C, 0x201D),
    (0x201E, 0x201C),
    (0xAB, 0xBB),
    (0x300C, 0x300D),
    (0x300E, 0x300F),
    (0x300A, 0x300B),
    (0x3008, 0x3009),
    (0xFF08, 0xFF09),
    (0x3010, 0x3011),
    ('"' as u32, '"' as u32),
];
const STRAIGHT: usize = PAIRS.len() - 1;
const TITLES: Range<usize> = 5..9;

/// Returns the spans between paired marks, sorted by start. `marks` are the offsets of the quotation marks and brackets
/// in `text`. Linear, because each mark is pushed and popped at most once.
pub(super) fn quoted_spans<T: CodeUnit>(text: &[T], marks: impl Iterator<Item = usize>) -> Vec<QuotedSpan> {
    let mut found = Vec::new();
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut counts = [0_usize; PAIRS.len()];
    for place in marks {
        let code = text[place].code_point();
        let closing = (0..PAIRS.len()).find(|&kind| PAIRS[kind].1 == code && counts[kind] > 0);
        if let Some(kind) = closing.filter(|&kind| kind != STRAIGHT || !follows_space(text, place)) {
            while let Some((other, start)) = open.pop() {
                counts[other] -= 1;
                if other == kind {
                    if place - start <= MAX_QUOTED_CHARS {
                        found.push(QuotedSpan { open: start, close: place, is_title: TITLES.contains(&kind) });
                    }
                    break;
                }
            }
        } else if let Some(kind) = (0..PAIRS.len()).find(|&kind| PAIRS[kind].0 == code)
            && (kind != STRAIGHT || !follows_word(text, place))
        {
            open.push((kind, place));
            counts[kind] += 1;
        }
    }
    found.sort_unstable_by_key(|quoted| quoted.open);
    found
}

fn before<T: CodeUnit>(text: &[T], place: usize) -> Option<char> {
    place.checked_sub(1).and_then(|place| char::from_u32(text[place].code_point()))
}

fn follows_space<T: CodeUnit>(text: &[T], place: usize) -> bool {
    before(text, place).is_none_or(char::is_whitespace)
}

fn follows_word<T: CodeUnit>(text: &[T], place: usize) -> bool {
    before(text, place).is_some_and(char::is_alphanumeric)
}
