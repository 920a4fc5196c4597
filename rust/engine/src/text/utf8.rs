//! UTF-8 as the engine's characters.

use super::{CodeUnit, Text, TextRef};

/// The first byte of the first character above U+00FF.
const FIRST_WIDE: u8 = 0xC4;

/// The first byte of the first character above U+FFFF.
const FIRST_WIDEST: u8 = 0xF0;

/// A text as a string without copying it, if it is ASCII of one byte a character.
#[must_use]
pub fn ascii<T: CodeUnit>(text: &[T]) -> Option<&str> {
    let bytes: &[u8] = if size_of::<T>() == 1 { bytemuck::cast_slice(text) } else { return None };
    if bytes.is_ascii() { std::str::from_utf8(bytes).ok() } else { None }
}

/// The characters of a text, in the narrowest width that holds them.
#[derive(Debug)]
pub enum Characters<'a> {
    /// ASCII needs no other form.
    Ascii(&'a [u8]),
    /// All others, in the narrowest width.
    Decoded(Text),
}

impl<'a> Characters<'a> {
    /// The characters of `text`.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        if text.is_ascii() {
            return Self::Ascii(text.as_bytes());
        }
        // The first bytes of characters are in the order of the characters.
        let largest = text.bytes().fold(0, u8::max);
        Self::Decoded(if largest < FIRST_WIDE {
            Text::Ucs1(text.chars().map(|character| character as u8).collect())
        } else if largest < FIRST_WIDEST {
            Text::Ucs2(text.chars().map(|character| character as u16).collect())
        } else {
            Text::Ucs4(text.chars().map(u32::from).collect())
        })
    }

    /// The characters, borrowed.
    #[must_use]
    pub fn units(&self) -> TextRef<'_> {
        match self {
            Self::Ascii(characters) => TextRef::Ucs1(characters),
            Self::Decoded(text) => text.units(),
        }
    }
}

/// Whether this byte begins a character.
pub fn begins_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}
