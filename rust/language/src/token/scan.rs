//! Finds the end and the class of each token.

use groundwire_engine::CodeUnit;

use super::characters::{is_apostrophe, is_fraction, is_letter, is_non_ascii_digit, is_superscript, is_unspaced};
use super::{TokenClass, character, get};

/// Maximum length of an annotation, in characters between its brackets.
const MAX_ANNOTATION_CHARS: usize = 40;

/// Returns the end and the class of the token that begins at `at`.
pub(super) fn scan<T: CodeUnit>(text: &[T], at: usize) -> (usize, TokenClass) {
    let character = character(text[at]);
    if character.is_ascii_alphabetic() {
        return (word_end(text, at), TokenClass::Word);
    }
    if let Some(end) = annotation_end(text, at) {
        return (end, TokenClass::Annotation);
    }
    if character.is_ascii_digit() || is_non_ascii_digit(character) {
        return (digits_end(text, at), TokenClass::Digits);
    }
    if is_superscript(character) {
        return (run_end(text, at, is_superscript), TokenClass::Superscript);
    }
    if is_fraction(character) {
        return (at + 1, TokenClass::Digits);
    }
    if character == '.'
        && get(text, at + 1).is_some_and(|next| next.is_ascii_digit())
        && !before(text, at).is_some_and(char::is_alphanumeric)
    {
        return (digits_end(text, at + 1), TokenClass::Digits);
    }
    if is_unspaced(character) {
        return (at + 1, TokenClass::Unspaced);
    }
    if is_letter(character) || character == '°' || (is_apostrophe(character) && starts_clitic(text, at)) {
        return (word_end(text, at), TokenClass::Word);
    }
    (at + 1, TokenClass::Symbol)
}

fn before<T: CodeUnit>(text: &[T], at: usize) -> Option<char> {
    at.checked_sub(1).and_then(|index| get(text, index))
}

#[inline]
fn run_end<T: CodeUnit>(text: &[T], at: usize, holds: impl Fn(char) -> bool) -> usize {
    at + text[at..].iter().take_while(|&&unit| holds(character(unit))).count()
}

/// Returns the offset after the closing bracket of an annotation, which is short, on one line and not inside a word.
fn annotation_end<T: CodeUnit>(text: &[T], at: usize) -> Option<usize> {
    let close = match character(text[at]) {
        '[' => ']',
        '<' => '>',
        _ => return None,
    };
    let inside = text[at + 1..].iter().take(MAX_ANNOTATION_CHARS).position(|&unit| character(unit) == close)?;
    let end = at + 1 + inside;
    let words = &text[at + 1..end];
    let has = |wanted: char| words.iter().any(|unit| unit.code_point() == u32::from(wanted));
    let is_tag = close == '>' && get(words, 0).is_some_and(|first| first.is_alphabetic() || first == '/');
    let is_note = close == ']' && !words.is_empty() && !has('[');
    // Letters in brackets inside a word are an editor's correction: "[un]happy".
    let is_alone = !get(text, end + 1).is_some_and(char::is_alphabetic);
    ((is_tag || is_note) && is_alone && !has('\n')).then_some(end + 1)
}

/// Returns the end of digits with single separators, with groups of three after spaces, or of a clock time.
fn digits_end<T: CodeUnit>(text: &[T], start: usize) -> usize {
    let is_digit = |character: char| character.is_ascii_digit() || is_non_ascii_digit(character);
    let mut at = run_end(text, start, is_digit);
    let may_group_by_spaces = at - start <= 3;
    let mut has_point = false;
    while let Some(mark) = get(text, at) {
        let next = run_end(text, (at + 1).min(text.len()), is_digit);
        let count = next.saturating_sub(at + 1);
        let continues = match mark {
            ',' | '.' | '\'' | '\u{2019}' | '\u{66B}' | '\u{66C}' => count > 0,
            ':' | '：' => count == 2,
            '，' => count == 3,
            ' ' | '\u{A0}' | '\u{202F}' | '\u{2009}' => {
                let is_word = get(text, next).is_some_and(|character| is_letter(character) && !is_unspaced(character));
                may_group_by_spaces && count == 3 && !is_word && !has_point
            }
            _ => false,
        };
        if !continues {
            break;
        }
        has_point |= matches!(mark, ',' | '.');
        at = next;
    }
    at
}

/// Returns the end of letters and combining marks, with apostrophes between them or before a clitic, and points
/// between single letters.
fn word_end<T: CodeUnit>(text: &[T], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        at = run_end(text, at, is_letter);
        let Some(mark) = get(text, at) else { return at };
        let has_next = get(text, at + 1).is_some_and(is_letter);
        if is_apostrophe(mark) && has_next && character(text[at - 1]).is_alphabetic() {
            at += 2;
        } else if mark == '.' && is_single(text, start, at) {
            if has_next && !get(text, at + 2).is_some_and(is_letter) {
                at += 2;
            } else {
                // The point after the last letter of "p.m." belongs to the word; that of a single letter does not.
                return if text[start..at].iter().any(|unit| unit.code_point() == u32::from('.')) {
                    at + 1
                } else {
                    at
                };
            }
        } else {
            return at;
        }
    }
}

/// Returns whether the letter before `at` is alone between points, or at the start of the word.
fn is_single<T: CodeUnit>(text: &[T], start: usize, at: usize) -> bool {
    at == start + 1 || text[at - 2].code_point() == u32::from('.')
}

/// Returns whether an apostrophe begins a clitic: "'ll" or "'s" after a space, as some transcripts write them.
fn starts_clitic<T: CodeUnit>(text: &[T], at: usize) -> bool {
    let letters = run_end(text, at + 1, is_letter) - at - 1;
    let is_opening = matches!(get(text, at), Some('\u{2018}' | '\u{201B}'));
    // A capital begins a quotation, and so does an article: 'I know', 'a good start'.
    let is_vowel = letters == 1 && matches!(get(text, at + 1), Some('a' | 'e' | 'i' | 'o' | 'u'));
    (1..=2).contains(&letters)
        && !is_opening
        && !is_vowel
        && get(text, at + 1).is_some_and(char::is_lowercase)
        && before(text, at) == Some(' ')
        && !get(text, at + 1 + letters).is_some_and(is_apostrophe)
}
