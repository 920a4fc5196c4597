//! Where words stand, and where clauses end between them.

use crate::Span;
use crate::text::{Unit, Units, with_units};

/// A word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where it stands.
    pub span: Span,
    /// A clause ends between it and the word before.
    pub is_behind_end: bool,
    /// It is compared as it is: a pair of characters of a script without spaces, or the only one.
    pub is_pair: bool,
}

/// The words of `text`, from left to right.
///
/// A word is a run of letters and digits, with an apostrophe and letters behind it if they are
/// there; `e-mail` is one too. Of a run that begins with Kana, Han or Hangul every two neighbours
/// are one. Marks are no letters, as in Python's regular expressions.
#[must_use]
pub fn words(text: Units<'_>) -> Vec<Found> {
    with_units!(text, units => {
        let mut found = Vec::with_capacity(units.len() / 5);
        let mut at = 0;
        let mut done = None;
        while at < units.len() {
            let end = word_end(units, at);
            if end > at {
                let is_behind_end = done.is_some_and(|done| units[done..at].iter().any(|unit| ends_clause(unit.code())));
                push(&mut found, Span::new(at, end), is_behind_end, units[at].code());
                done = Some(end);
            }
            at = end.max(at + 1);
        }
        found
    })
}

/// The word, or the pairs of it.
fn push(found: &mut Vec<Found>, span: Span, is_behind_end: bool, first: u32) {
    if !is_written_in_pairs(first) {
        found.push(Found { span, is_behind_end, is_pair: false });
        return;
    }
    for start in span.start..(span.start + 1).max(span.end - 1) {
        let pair = Span::new(start, span.end.min(start + 2));
        found.push(Found { span: pair, is_behind_end: is_behind_end && start == span.start, is_pair: true });
    }
}

/// Where the word that begins at `start` ends; `start` if none does.
fn word_end<T: Unit>(text: &[T], start: usize) -> usize {
    let run = |from: usize, is: fn(u32) -> bool| from + text[from..].iter().take_while(|unit| is(unit.code())).count();
    let unspaced = run(start, is_unspaced);
    if unspaced > start {
        return unspaced;
    }
    if let Some(end) = mail_end(text, start) {
        return end;
    }
    let end = run(start, |code| is_word(code) && !is_unspaced(code));
    let has_apostrophe = end > start && text.get(end).is_some_and(|unit| matches!(unit.code(), 0x27 | 0x2019));
    let behind = if has_apostrophe { run(end + 1, is_letter) } else { end };
    if behind > end + 1 { behind } else { end }
}

/// Where `e-mail` ends, or `email`, `emails`; `None` if that does not stand at `start`.
fn mail_end<T: Unit>(text: &[T], start: usize) -> Option<usize> {
    let is = |at: usize, sign: char| text.get(at).is_some_and(|unit| unit.code() == u32::from(sign));
    if !is(start, 'e') && !is(start, 'E') {
        return None;
    }
    let begin = start + 1 + usize::from(is(start + 1, '-'));
    if !"mail".chars().enumerate().all(|(place, sign)| is(begin + place, sign)) {
        return None;
    }
    let is_end = |at: usize| !text.get(at).is_some_and(|unit| is_word(unit.code()) || unit.code() == u32::from('_'));
    [begin + 5, begin + 4].into_iter().find(|&end| (end == begin + 4 || is(begin + 4, 's')) && is_end(end))
}

/// Kana and Han, which are runs of their own.
fn is_unspaced(code: u32) -> bool {
    matches!(code, 0x3041..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF)
}

fn is_written_in_pairs(code: u32) -> bool {
    (0x3041..=0xFAFF).contains(&code)
}

fn is_word(code: u32) -> bool {
    if code < 0x80 {
        return (code as u8).is_ascii_alphanumeric();
    }
    char::from_u32(code).is_some_and(|sign| sign.is_alphanumeric() && !is_sign(sign))
}

fn is_letter(code: u32) -> bool {
    is_word(code) && !char::from_u32(code).is_some_and(char::is_numeric)
}

/// Marks and circled letters, which are alphabetic to Unicode and no letters.
fn is_sign(sign: char) -> bool {
    unicode_normalization::char::is_combining_mark(sign)
        || matches!(sign, '\u{24B6}'..='\u{24E9}' | '\u{1F130}'..='\u{1F149}' | '\u{1F150}'..='\u{1F169}' | '\u{1F170}'..='\u{1F189}')
}

fn ends_clause(code: u32) -> bool {
    let Some(sign) = char::from_u32(code) else { return false };
    matches!(
        sign,
        ',' | ';' | ':' | '.' | '!' | '?' | '(' | ')' | '—' | '–' | '。' | '！' | '？' | '；' | '，' | '、' | '：'
    )
}
