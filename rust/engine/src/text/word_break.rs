//! Word boundaries.
//!
//! A token is a word (such as `don't`, `U.S`, `1,000.5`, `10:05`, `.5` or `-5`), a character of a script without spaces
//! between words, or any other single character.
//!
//! Source: Unicode Standard Annex #29, rules WB6, WB7, WB11 and WB12, applied to normalised text. Additions cover
//! characters that change a number: a colon between digits, and a point or a minus sign before them.

use super::CodeUnit;

/// Returns whether a word can start or end at `position`: at either end of the text, between a word character and
/// another character, and next to a character of a script without spaces between words (ruling A10).
pub(crate) fn is_word_boundary<T: CodeUnit>(text: &[T], position: usize) -> bool {
    let (Some(before), Some(after)) = (position.checked_sub(1).map(|index| text[index]), text.get(position)) else {
        return true;
    };
    separates(class(before.code_point()), class(after.code_point()))
}

/// Returns whether a word boundary lies between two adjacent characters of these classes.
#[inline]
fn separates(before: Class, after: Class) -> bool {
    before != after || before != Class::Word
}

/// The class of a character for word boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A letter, mark, digit or underscore.
    Word,
    /// A letter of a script without spaces between words: a word may end on either side of it.
    Unspaced,
    /// White space, punctuation or a symbol.
    Other,
}

/// The classes of the ASCII characters.
const ASCII: [Class; 128] = {
    let mut classes = [Class::Other; 128];
    let mut code = 0;
    while code < classes.len() as u8 {
        if code.is_ascii_alphanumeric() || code == b'_' {
            classes[code as usize] = Class::Word;
        }
        code += 1;
    }
    classes
};

#[inline]
pub(crate) fn class(code: u32) -> Class {
    ASCII.get(code as usize).copied().unwrap_or_else(|| class_beyond_ascii(code))
}

fn class_beyond_ascii(code: u32) -> Class {
    match char::from_u32(code) {
        Some(character) if is_unspaced(code) && (character.is_alphanumeric() || is_mark(character)) => Class::Unspaced,
        Some(character) if character.is_alphanumeric() || is_mark(character) => Class::Word,
        _ => Class::Other,
    }
}

/// Returns whether a character is a combining mark or a joiner, which belongs to the letter before it.
fn is_mark(character: char) -> bool {
    unicode_normalization::char::is_combining_mark(character) || matches!(character, '\u{200C}' | '\u{200D}')
}

/// Returns whether `code` is Han, Kana, Bopomofo, Thai, Lao, Myanmar or Khmer, by Unicode block.
fn is_unspaced(code: u32) -> bool {
    matches!(code,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x2E80..=0x2FDF | 0x3005..=0x3007
        | 0x3021..=0x312F | 0x31A0..=0x31BF | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x1AFF0..=0x1B16F
        | 0x20000..=0x3FFFF)
}

/// Returns whether a token starts or ends at `position` of a text of `len` characters; `code` returns the character at
/// an index.
pub(crate) fn is_token_boundary(len: usize, position: usize, code: impl Fn(usize) -> u32) -> bool {
    let first = position.saturating_sub(2);
    // A boundary depends on at most two characters on either side.
    let near: Vec<u32> = (first..len.min(position + 2)).map(code).collect();
    let classes: Vec<Class> = near.iter().map(|&code| class(code)).collect();
    boundaries(&near, &classes)[position - first]
}

/// Returns for each position of a text, including its end, whether a token starts or ends there. `classes` holds the
/// class of each character.
pub(crate) fn boundaries(text: &[u32], classes: &[Class]) -> Vec<bool> {
    let mut boundaries = Vec::with_capacity(text.len() + 1);
    boundaries.push(true);
    boundaries.extend(classes.windows(2).map(|pair| separates(pair[0], pair[1])));
    if !text.is_empty() {
        boundaries.push(true);
    }
    for (index, around) in classes.windows(3).enumerate() {
        if *around == [Class::Word, Class::Other, Class::Word] && joins(&text[index..index + 3]) {
            boundaries[index + 1] = false;
            boundaries[index + 2] = false;
        }
    }
    for (index, boundary) in boundaries.iter_mut().enumerate().take(text.len()).skip(1) {
        *boundary &= !leads(text, classes, index);
    }
    boundaries
}

/// Returns whether the character before `index` belongs to the number that starts there: `.5` and `-5`, but not
/// `10-15`, `--5` or `...5`.
fn leads(text: &[u32], classes: &[Class], index: usize) -> bool {
    let is_mark = matches!(char::from_u32(text[index - 1]), Some('.' | '-' | '\u{2212}'));
    is_mark
        && char::from_u32(text[index]).is_some_and(char::is_numeric)
        && (index < 2 || (classes[index - 2] == Class::Other && text[index - 2] != text[index - 1]))
}

/// Returns whether the middle one of three characters joins the word characters around it.
fn joins(neighbours: &[u32]) -> bool {
    let &[before, middle, after] = neighbours else { return false };
    let is =
        |wanted: fn(char) -> bool| [before, after].into_iter().all(|code| char::from_u32(code).is_some_and(wanted));
    match char::from_u32(middle) {
        Some('\'' | '.' | '\u{2019}' | '\u{2024}') => is(char::is_numeric) || is(|character| !character.is_numeric()),
        Some('\u{B7}' | '\u{2027}') => is(|character| !character.is_numeric()),
        Some(',' | ':') => is(char::is_numeric),
        _ => false,
    }
}
