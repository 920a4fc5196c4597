//! Where words and sentences begin and end.

pub mod sentences;
mod tokens;

pub(crate) use tokens::{boundaries, is_token_boundary};

use crate::text::Unit;

/// Whether a word can begin or end at `position`: at either end of the text, between a character
/// of a word and one that is none, and next to a character of a script that writes its words
/// without spaces (ruling A10).
pub(crate) fn is_word_boundary<T: Unit>(text: &[T], position: usize) -> bool {
    let (Some(before), Some(after)) = (position.checked_sub(1).map(|index| text[index]), text.get(position)) else {
        return true;
    };
    parts(class(before.code()), class(after.code()))
}

/// Whether a word can end between two neighbours.
#[inline]
fn parts(before: Class, after: Class) -> bool {
    before != after || before != Class::Word
}

/// What a character is to words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Letters, marks, digits, underscore.
    Word,
    /// A letter of a script without spaces between words: a word may end on either side.
    Unspaced,
    /// White space, punctuation, symbols.
    Other,
}

/// What the characters of ASCII are to words.
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

/// What the character `code` is to words.
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

/// Accents and joiners stay with their letter.
fn is_mark(character: char) -> bool {
    unicode_normalization::char::is_combining_mark(character) || matches!(character, '\u{200C}' | '\u{200D}')
}

/// Han, Kana, Bopomofo, Thai, Lao, Myanmar, Khmer (Unicode blocks).
fn is_unspaced(code: u32) -> bool {
    matches!(code,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x2E80..=0x2FDF | 0x3005..=0x3007
        | 0x3021..=0x312F | 0x31A0..=0x31BF | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF
        | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0x1AFF0..=0x1B16F
        | 0x20000..=0x3FFFF)
}
