//! UTF-8 as the engine's characters.

use crate::text::{Text, Units};

/// The first byte of the first character above U+00FF.
const FIRST_WIDE: u8 = 0xC4;

/// The first byte of the first character above U+FFFF.
const FIRST_WIDEST: u8 = 0xF0;

/// The characters of a text, in the narrowest width that holds them.
pub(super) enum Characters<'a> {
    /// ASCII needs no other form.
    Ascii(&'a [u8]),
    Decoded(Text),
}

impl<'a> Characters<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        if text.is_ascii() {
            return Self::Ascii(text.as_bytes());
        }
        // The first bytes of characters are in the order of the characters.
        let largest = text.bytes().fold(0, u8::max);
        Self::Decoded(if largest < FIRST_WIDE {
            Text::U8(text.chars().map(|character| character as u8).collect())
        } else if largest < FIRST_WIDEST {
            Text::U16(text.chars().map(|character| character as u16).collect())
        } else {
            Text::U32(text.chars().map(u32::from).collect())
        })
    }

    pub(super) fn units(&self) -> Units<'_> {
        match self {
            Self::Ascii(characters) => Units::U8(characters),
            Self::Decoded(text) => text.units(),
        }
    }
}

/// Whether this byte begins a character.
pub(super) fn begins_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}
