//! Finds commits: runs of hexadecimal digits with a letter and a digit, or after a word that names a commit.

use super::{Citation, CitationKind, ascii_at, ascii_before, is_white_space, is_word, matches_at, run_end};
use groundwire_engine::{CancelMeter, CodeUnit, Error, Span};
use serde::Deserialize;
use std::sync::LazyLock;

/// Minimum number of digits of a commit.
pub(super) const MIN_CHARS: usize = 7;

/// Number of digits of a full SHA-1.
const SHA1_CHARS: usize = 40;

/// Number of digits of a full SHA-256.
const SHA256_CHARS: usize = 64;

/// Maximum number of spaces and punctuation marks between a word and a commit.
const MAX_SEPARATORS: usize = 4;

/// Words that name a commit.
struct Words {
    nouns: Vec<Box<[u8]>>,
    verb: Box<[u8]>,
    preposition: Box<[u8]>,
    unspaced: Vec<Box<[char]>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    nouns: String,
    phrase: String,
    unspaced: String,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("words.toml")).expect("the file is part of the crate");
    let (verb, preposition) = file.phrase.split_once(' ').expect("the phrase has two words");
    Words {
        nouns: file.nouns.split_whitespace().map(|word| word.as_bytes().into()).collect(),
        verb: verb.as_bytes().into(),
        preposition: preposition.as_bytes().into(),
        unspaced: file.unspaced.split_whitespace().map(|word| word.chars().collect()).collect(),
    }
});

pub(super) fn commits<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Citation>, Error> {
    let (mut found, mut start) = (Vec::new(), 0);
    while start < text.len() {
        let end = run_end(text, start, is_hex);
        let run = Span::new(start, end);
        if has_length(run) && is_commit(text, run) {
            found.push(Citation { kind: CitationKind::Commit, value: run, span: run });
        }
        meter.charge(end + 1 - start)?;
        start = end + 1;
    }
    Ok(found)
}

fn is_hex(code: u32) -> bool {
    u8::try_from(code).is_ok_and(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn has_length(run: Span) -> bool {
    (MIN_CHARS..=SHA1_CHARS).contains(&run.len()) || run.len() == SHA256_CHARS
}

/// Returns whether a run of sufficient length is a commit.
fn is_commit<T: CodeUnit>(text: &[T], run: Span) -> bool {
    let before = ascii_before(text, run.start);
    if is_word(before) || matches!(before, Some(b'#' | b'-')) || is_word(ascii_at(text, run.end)) {
        return false;
    }
    let digits = text[run.start..run.end].iter().filter(|unit| unit.code_point() <= u32::from(b'9')).count();
    let is_mixed = digits > 0 && digits < run.len();
    (is_mixed && !is_uuid_rest(text, run.end)) || follows_word(text, run.start)
}

/// Returns whether the second part of a UUID follows.
fn is_uuid_rest<T: CodeUnit>(text: &[T], start: usize) -> bool {
    let digits = (1..=4).all(|place| ascii_at(text, start + place).is_some_and(|digit| digit.is_ascii_hexdigit()));
    digits && matches_at(text, start, b"-") && matches_at(text, start + 5, b"-")
}

/// Returns whether a word that names a commit precedes `start`, with at most a few separators between.
fn follows_word<T: CodeUnit>(text: &[T], start: usize) -> bool {
    let separators =
        text[..start].iter().rev().take(MAX_SEPARATORS).take_while(|unit| is_separator(unit.code_point())).count();
    (0..=separators).any(|count| ends_with_commit_word(&text[..start - count]))
}

fn is_separator(code: u32) -> bool {
    is_white_space(code) || u8::try_from(code).is_ok_and(|byte| b":=`'\"([".contains(&byte))
}

/// Returns whether `text` ends with a word that names a commit.
fn ends_with_commit_word<T: CodeUnit>(text: &[T]) -> bool {
    let is_unspaced = |word: &[char]| {
        let rest = text.len().checked_sub(word.len());
        rest.is_some_and(|rest| text[rest..].iter().zip(word).all(|(unit, &letter)| unit.code_point() == letter as u32))
    };
    WORDS.nouns.iter().any(|word| without_word(text, word).is_some_and(is_word_boundary))
        || WORDS.unspaced.iter().any(|word| is_unspaced(word))
        || without_word(text, &WORDS.preposition).is_some_and(ends_with_verb)
}

/// Returns `text` without `word` at its end, ignoring case.
fn without_word<'a, T: CodeUnit>(text: &'a [T], word: &[u8]) -> Option<&'a [T]> {
    let start = text.len().checked_sub(word.len())?;
    let is_letter = |(place, letter): (usize, &u8)| {
        ascii_at(text, start + place).is_some_and(|other| other.eq_ignore_ascii_case(letter))
    };
    word.iter().enumerate().all(is_letter).then_some(&text[..start])
}

/// Returns whether a word may begin after `text`.
fn is_word_boundary<T: CodeUnit>(text: &[T]) -> bool {
    !is_word(ascii_before(text, text.len()))
}

/// Returns whether `text` ends with the verb of the phrase and white space.
fn ends_with_verb<T: CodeUnit>(text: &[T]) -> bool {
    let blanks = text.iter().rev().take_while(|unit| is_white_space(unit.code_point())).count();
    blanks > 0 && without_word(&text[..text.len() - blanks], &WORDS.verb).is_some_and(is_word_boundary)
}
