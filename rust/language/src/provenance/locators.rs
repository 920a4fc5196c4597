//! Finds URLs and DOIs. They end before a character that cannot be part of them, and before the punctuation of the
//! sentence.

use super::{
    Citation, CitationKind, ascii_at, ascii_before, for_each_match, is_digit, is_letter_or_digit, is_word, matches_at,
    run_end,
};
use groundwire_engine::{CancelMeter, CodeUnit, Error, Span};

const SLASHES: &[u8] = b"://";
const DOI: &[u8] = b"10.";

/// Number of digits of a DOI registrant.
const REGISTRANT_DIGITS: std::ops::RangeInclusive<usize> = 4..=9;

pub(super) fn urls<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Citation>, Error> {
    let (mut found, mut done) = (Vec::new(), 0);
    for_each_match(text, SLASHES, meter, |slashes| {
        // A URL inside another one does not count.
        if slashes < done {
            return;
        }
        done = slashes + SLASHES.len();
        let Some(start) = scheme_start(text, slashes) else { return };
        let end = run_end(text, done, |code| !ends_locator(code));
        let kept = without_trailing(text, done, end);
        // At least one character must follow the slashes.
        if kept > done {
            let span = Span::new(start, kept);
            found.push(Citation { kind: CitationKind::Url, value: span, span });
        }
        done = end;
    })?;
    Ok(found)
}

/// Returns the start of the `http` or `https` that ends at `end`.
fn scheme_start<T: CodeUnit>(text: &[T], end: usize) -> Option<usize> {
    let mut starts = [b"http".as_slice(), b"https"].into_iter().filter_map(|scheme| {
        let start = end.checked_sub(scheme.len())?;
        let mut letters = (start..end).map(|place| ascii_at(text, place));
        scheme
            .iter()
            .all(|&letter| letters.next().flatten().is_some_and(|other| other.eq_ignore_ascii_case(&letter)))
            .then_some(start)
    });
    starts.find(|&start| !is_letter_or_digit(ascii_before(text, start)))
}

pub(super) fn dois<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Citation>, Error> {
    let (mut found, mut done) = (Vec::new(), 0);
    for_each_match(text, DOI, meter, |start| {
        let before = ascii_before(text, start);
        if start < done || is_word(before) || before == Some(b'.') {
            return;
        }
        let digits = start + DOI.len();
        let slash = run_end(text, digits, is_digit);
        let end = run_end(text, slash, |code| !ends_locator(code));
        if !REGISTRANT_DIGITS.contains(&(slash - digits)) || !matches_at(text, slash, b"/") || end == slash + 1 {
            return;
        }
        let kept = without_trailing(text, start, end);
        if ascii_before(text, kept) != Some(b'/') {
            let span = Span::new(start, kept);
            found.push(Citation { kind: CitationKind::Doi, value: span, span });
        }
        done = end;
    })?;
    Ok(found)
}

/// Returns whether a character ends a URL: white space, quotation marks, CJK brackets and stops, and bidirectional
/// controls.
fn ends_locator(code: u32) -> bool {
    matches!(code,
        0..=0x20 | 0x22 | 0x3C | 0x3E | 0x5C | 0x5E | 0x60 | 0x7B..=0x7D | 0x7F | 0x85 | 0xA0 | 0xAB | 0xBB | 0x1680
        | 0x2000..=0x200F | 0x2018..=0x201F | 0x2028..=0x202F | 0x205F..=0x206F | 0x3000..=0x3003 | 0x3008..=0x301F
        | 0xFEFF | 0xFF01 | 0xFF08 | 0xFF09 | 0xFF0C | 0xFF1A | 0xFF1B | 0xFF1F)
}

/// Returns the end of `start..end` without the punctuation of the sentence, and without closing brackets that open
/// before it.
fn without_trailing<T: CodeUnit>(text: &[T], start: usize, end: usize) -> usize {
    if text[start..end].last().is_none_or(|unit| !is_closing(unit.code_point()) && !is_trailing(unit.code_point())) {
        return end;
    }
    let count = |mark: u8| text[start..end].iter().filter(|unit| unit.code_point() == u32::from(mark)).count();
    let surplus = |closing, opening| count(closing).saturating_sub(count(opening));
    let (mut round, mut square) = (surplus(b')', b'('), surplus(b']', b'['));
    let mut kept = end;
    while kept > start {
        let last = text[kept - 1].code_point();
        let unopened = match last {
            0x29 => Some(&mut round),
            0x5D => Some(&mut square),
            _ => None,
        };
        match unopened {
            Some(count) if *count > 0 => *count -= 1,
            _ if !is_trailing(last) => break,
            _ => {}
        }
        kept -= 1;
    }
    kept
}

fn is_closing(code: u32) -> bool {
    code == u32::from(b')') || code == u32::from(b']')
}

/// Returns whether a character is sentence punctuation after a URL.
fn is_trailing(code: u32) -> bool {
    char::from_u32(code).is_some_and(|character| ".,;:!?'*_~…".contains(character))
}
