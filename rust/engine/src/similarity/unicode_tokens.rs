//! The Unicode rule: divides the runs between white space into tokens. Trims punctuation, splits scripts without spaces
//! between words, and composes characters.

use crate::Error;
use crate::cancel::CancelMeter;
use crate::normalize::nfkc;
use crate::text::push_code;
use crate::text::word_break::{Class, class};

/// A token.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token<'a> {
    /// A word without leading and trailing punctuation.
    Word(&'a [u32]),
    /// Two adjacent characters of a script without spaces between words, or one without such a neighbour.
    Pair(&'a [u32]),
}

impl<'a> Token<'a> {
    pub(super) fn codes(self) -> &'a [u32] {
        match self {
            Self::Word(codes) | Self::Pair(codes) => codes,
        }
    }
}

/// Calls `found` with each token of `codes`, a part between white space, from left to right.
pub(super) fn for_each_token(
    codes: &[u32],
    meter: &mut CancelMeter<'_>,
    found: &mut impl FnMut(Token<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    if codes.iter().all(|&code| code < 0x80) {
        return word(codes).map_or(Ok(()), |word| found(Token::Word(word)));
    }
    let codes = composed(codes, meter)?;
    let mut start = 0;
    while let Some(&first) = codes.get(start) {
        let (is_pairs, mut end) = (is_unspaced(first), start + 1);
        while codes.get(end).is_some_and(|&code| is_unspaced(code) == is_pairs) {
            meter.charge(CLASS_CHARS)?;
            end += 1;
        }
        let run = &codes[start..end];
        start = end;
        if !is_pairs {
            word(run).map_or(Ok(()), |word| found(Token::Word(word)))?;
        } else if let [_] = run {
            found(Token::Pair(run))?;
        } else {
            run.windows(2).try_for_each(|pair| found(Token::Pair(pair)))?;
        }
    }
    Ok(())
}

/// The cost of finding the class of a character, in characters for the meter.
const CLASS_CHARS: usize = 8;

fn is_unspaced(code: u32) -> bool {
    class(code) == Class::Unspaced
}

/// Returns `codes` in NFKC, with all apostrophes mapped to `'`. Text with a lone surrogate has no normal form and is
/// returned unchanged.
fn composed(codes: &[u32], meter: &mut CancelMeter<'_>) -> Result<Vec<u32>, Error> {
    let characters: Option<Vec<char>> = codes.iter().map(|&code| char::from_u32(code)).collect();
    let Some(characters) = characters else { return Ok(codes.to_vec()) };
    let apostrophe = |character| if matches!(character, '\u{2019}' | '\u{2BC}') { '\'' } else { character };
    let code = |character| u32::from(apostrophe(character));
    let mut composed = Vec::with_capacity(characters.len());
    nfkc::extend_nfkc(&mut composed, characters.iter().copied(), characters.len(), meter)?;
    Ok(composed.into_iter().map(code).collect())
}

/// Returns the word inside `run` without leading and trailing punctuation, if there is one.
fn word(run: &[u32]) -> Option<&[u32]> {
    let first = (0..run.len()).find(|&at| !is_edge(run, at, at + 1))?;
    let last = (first..run.len()).rev().find(|&at| !is_edge(run, at, at.wrapping_sub(1)))?;
    let word = &run[first..=last];
    word.iter().any(|&code| class(code) != Class::Other || is_bound(code)).then_some(word)
}

/// Returns whether the character at `at` is punctuation to trim; `inside` is the adjacent position inside the word. A
/// minus sign or point before a number is not, nor is a symbol that belongs to a number or a name: -5, 5%, $5, C++, C#.
fn is_edge(run: &[u32], at: usize, inside: usize) -> bool {
    let code = run[at];
    if class(code) != Class::Other {
        return false;
    }
    let is_sign = matches!(char::from_u32(code), Some('-' | '\u{2212}' | '.'));
    if is_sign && inside > at {
        return !run.get(inside).is_some_and(|&next| is_digit(next));
    }
    !is_symbol(code)
}

fn is_symbol(code: u32) -> bool {
    char::from_u32(code).is_some_and(|character| "<>=+%#$£€¥¢₽₹°±×÷≤≥≠‰٪".contains(character))
}

/// Returns whether a symbol is a token even without a word, as in x < y.
fn is_bound(code: u32) -> bool {
    char::from_u32(code).is_some_and(|character| "<>=≤≥≠".contains(character))
}

pub(super) fn is_digit(code: u32) -> bool {
    char::from_u32(code).is_some_and(char::is_numeric)
}

/// Returns whether a word starts with a capital. A single letter does not count, nor does I'm.
pub(super) fn is_capitalised(word: &[u32]) -> bool {
    let [first, second, ..] = word else { return false };
    char::from_u32(*first).is_some_and(char::is_uppercase) && *second != u32::from('\'')
}

/// Returns whether a sentence ends with this part, also inside quotation marks or brackets.
pub(super) fn ends_sentence(run: &[u32]) -> bool {
    let ends = |code: &u32| char::from_u32(*code).is_some_and(|character| ".!?:;…。！？：；؟।".contains(character));
    run.iter().rev().take_while(|&&code| class(code) == Class::Other).any(ends)
}

/// Appends each code point in generalised UTF-8.
pub(super) fn encode(codes: &[u32], bytes: &mut Vec<u8>) {
    codes.iter().for_each(|&code| push_code(bytes, code));
}

/// Appends each code point in lower case, encoded as by [`encode`].
pub(super) fn encode_folded(codes: &[u32], bytes: &mut Vec<u8>) {
    if codes.iter().all(|&code| code < 0x80) {
        bytes.extend(codes.iter().map(|&code| (code as u8).to_ascii_lowercase()));
        return;
    }
    match codes.iter().map(|&code| char::from_u32(code)).collect::<Option<String>>() {
        Some(word) => bytes.extend_from_slice(word.to_lowercase().as_bytes()),
        None => encode(codes, bytes),
    }
}
