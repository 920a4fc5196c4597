//! From what white space separates to words: edges, scripts without spaces, letters folded.

use crate::Error;
use crate::cancel::CancelMeter;
use crate::normalize::nfkc;
use crate::text::word_break::{Class, class};

/// A part of a piece that is one token.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'a> {
    /// A word without what stands at its edges.
    Word(&'a [u32]),
    /// Two neighbours of a script without spaces, or one that has no neighbour.
    Pair(&'a [u32]),
}

impl<'a> Piece<'a> {
    pub(super) fn codes(self) -> &'a [u32] {
        match self {
            Self::Word(codes) | Self::Pair(codes) => codes,
        }
    }
}

/// Calls `found` with each token of `codes`, left to right.
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

/// What finding the class of a character takes, in characters that are looked at.
const CLASS_CHARS: usize = 8;

fn is_unspaced(code: u32) -> bool {
    class(code) == Class::Unspaced
}

/// NFKC, with one apostrophe for all. A piece with a lone surrogate, which Unicode has no form
/// for, stays as it is.
fn composed(codes: &[u32], meter: &mut CancelMeter<'_>) -> Result<Vec<u32>, Error> {
    let characters: Option<Vec<char>> = codes.iter().map(|&code| char::from_u32(code)).collect();
    let Some(characters) = characters else { return Ok(codes.to_vec()) };
    let apostrophe = |character| if matches!(character, '\u{2019}' | '\u{2BC}') { '\'' } else { character };
    let code = |character| u32::from(apostrophe(character));
    let mut composed = Vec::with_capacity(characters.len());
    nfkc::extend_nfkc(&mut composed, characters.iter().copied(), characters.len(), meter)?;
    Ok(composed.into_iter().map(code).collect())
}

/// The word inside `run`, or nothing if there is none in it.
fn word(run: &[u32]) -> Option<&[u32]> {
    let first = (0..run.len()).find(|&at| !is_edge(run, at, at + 1))?;
    let last = (first..run.len()).rev().find(|&at| !is_edge(run, at, at.wrapping_sub(1)))?;
    let word = &run[first..=last];
    word.iter().any(|&code| class(code) != Class::Other || is_bound(code)).then_some(word)
}

/// Whether the character at `at` is punctuation at an edge, `inside` the place next to it. A sign
/// before a number is none, nor are symbols that a number or a name can have: -5, 5%, $5, C++, C#.
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

/// Symbols that say something without a word: x < y.
fn is_bound(code: u32) -> bool {
    char::from_u32(code).is_some_and(|character| "<>=≤≥≠".contains(character))
}

pub(super) fn is_digit(code: u32) -> bool {
    char::from_u32(code).is_some_and(char::is_numeric)
}

/// Whether a word begins with a capital. One letter alone is no name, nor is I'm.
pub(super) fn is_capitalised(word: &[u32]) -> bool {
    let [first, second, ..] = word else { return false };
    char::from_u32(*first).is_some_and(char::is_uppercase) && *second != u32::from('\'')
}

/// Whether a sentence ends with this piece, be it inside quotation marks or brackets.
pub(super) fn ends_sentence(piece: &[u32]) -> bool {
    let ends = |code: &u32| char::from_u32(*code).is_some_and(|character| ".!?:;…。！？：；؟।".contains(character));
    piece.iter().rev().take_while(|&&code| class(code) == Class::Other).any(ends)
}

/// Appends each code point in UTF-8's manner; surrogates too.
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

/// [`encode`] in small letters.
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
