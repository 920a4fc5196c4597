//! Divides the parts between white space into tokens: trims edges, splits scripts without spaces, folds letters.

use crate::Error;
use crate::cancel::CancelMeter;
use crate::normalize::nfkc;
use crate::text::word_break::{Class, class};

/// A token of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    /// A word without the punctuation at its edges.
    Word(&'a [u32]),
    /// Two neighbouring characters of a script without spaces, or one without neighbours.
    Pair(&'a [u32]),
}

impl<'a> Piece<'a> {
    pub(super) fn codes(self) -> &'a [u32] {
        match self {
            Self::Word(codes) | Self::Pair(codes) => codes,
        }
    }
}

/// Calls `found` with each token of `codes`, from left to right.
pub(super) fn each_part(
    codes: &[u32],
    meter: &mut CancelMeter<'_>,
    found: &mut impl FnMut(Piece<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    if codes.iter().all(|&code| code < 0x80) {
        return word(codes).map_or(Ok(()), |word| found(Piece::Word(word)));
    }
    let codes = composed(codes, meter)?;
    let mut start = 0;
    while let Some(&first) = codes.get(start) {
        let (is_pairs, mut end) = (is_unspaced(first), start + 1);
        while codes.get(end).is_some_and(|&code| is_unspaced(code) == is_pairs) {
            meter.add(CLASS_CHARS)?;
            end += 1;
        }
        let run = &codes[start..end];
        start = end;
        if !is_pairs {
            word(run).map_or(Ok(()), |word| found(Piece::Word(word)))?;
        } else if let [_] = run {
            found(Piece::Pair(run))?;
        } else {
            run.windows(2).try_for_each(|pair| found(Piece::Pair(pair)))?;
        }
    }
    Ok(())
}

/// Cost of finding the class of a character, in characters for the meter.
const CLASS_CHARS: usize = 8;

fn is_unspaced(code: u32) -> bool {
    class(code) == Class::Unspaced
}

/// Returns `codes` in NFKC, with the same apostrophe for all. A piece with a lone surrogate, which has no normal form,
/// is returned unchanged.
fn composed(codes: &[u32], meter: &mut CancelMeter<'_>) -> Result<Vec<u32>, Error> {
    let characters: Option<Vec<char>> = codes.iter().map(|&code| char::from_u32(code)).collect();
    let Some(characters) = characters else { return Ok(codes.to_vec()) };
    let apostrophe = |character| if matches!(character, '\u{2019}' | '\u{2BC}') { '\'' } else { character };
    let code = |character| u32::from(apostrophe(character));
    let mut composed = Vec::with_capacity(characters.len());
    nfkc::extend_nfkc(&mut composed, characters.iter().copied(), characters.len(), meter)?;
    Ok(composed.into_iter().map(code).collect())
}

/// Returns the word inside `run`, if there is one.
fn word(run: &[u32]) -> Option<&[u32]> {
    let first = (0..run.len()).find(|&at| !is_edge(run, at, at + 1))?;
    let last = (first..run.len()).rev().find(|&at| !is_edge(run, at, at.wrapping_sub(1)))?;
    let word = &run[first..=last];
    word.iter().any(|&code| class(code) != Class::Other || is_bound(code)).then_some(word)
}

/// Returns whether the character at `at` is punctuation at an edge; `inside` is the position next to it. A sign before
/// a number is not, nor is a symbol that belongs to a number or a name: -5, 5%, $5, C++, C#.
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

/// Returns whether a symbol is a token without a word, as in x < y.
fn is_bound(code: u32) -> bool {
    char::from_u32(code).is_some_and(|character| "<>=≤≥≠".contains(character))
}

pub(super) fn is_digit(code: u32) -> bool {
    char::from_u32(code).is_some_and(char::is_numeric)
}

/// Returns whether a word begins with a capital. A single letter is not a name, nor is I'm.
pub(super) fn is_capitalised(word: &[u32]) -> bool {
    let [first, second, ..] = word else { return false };
    char::from_u32(*first).is_some_and(char::is_uppercase) && *second != u32::from('\'')
}

/// Returns whether a sentence ends with this piece, also inside quotation marks or brackets.
pub(super) fn ends_sentence(piece: &[u32]) -> bool {
    let ends = |code: &u32| char::from_u32(*code).is_some_and(|character| ".!?:;…。！？：；؟।".contains(character));
    piece.iter().rev().take_while(|&&code| class(code) == Class::Other).any(ends)
}

/// Appends each code point in generalised UTF-8, including surrogates.
pub(super) fn encode(codes: &[u32], bytes: &mut Vec<u8>) {
    for &code in codes {
        let tail = |shift: u32| 0x80 | (code >> shift & 0x3F) as u8;
        match code {
            0..=0x7F => bytes.push(code as u8),
            0x80..=0x7FF => bytes.extend([0xC0 | (code >> 6) as u8, tail(0)]),
            0x800..=0xFFFF => bytes.extend([0xE0 | (code >> 12) as u8, tail(6), tail(0)]),
            _ => bytes.extend([0xF0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]),
        }
    }
}

/// Appends each code point in lower case, as [`encode`] does.
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
