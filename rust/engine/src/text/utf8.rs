//! Texts as function arguments: borrowed, or decoded from UTF-8.

use super::{CodeUnit, TextBuf, TextRef};

/// The lead byte of U+0100, the first character above U+00FF.
const FIRST_WIDE: u8 = 0xC4;

/// The lead byte of U+10000, the first character above U+FFFF.
const FIRST_WIDEST: u8 = 0xF0;

/// A text argument: borrowed, or decoded from a `&str`.
///
/// An ASCII `&str` is borrowed. Any other is decoded once, to the narrowest width that holds its characters.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Text, TextRef};
///
/// assert!(matches!(Text::from("naive"), Text::Borrowed(TextRef::Ucs1(_))));
/// assert_eq!(Text::from("naïve").units().len(), 5);
/// ```
#[derive(Clone, Debug)]
pub enum Text<'a> {
    /// Borrowed code units, or a borrowed ASCII `&str`.
    Borrowed(TextRef<'a>),
    /// Decoded code units.
    Decoded(TextBuf),
}

impl Text<'_> {
    /// Borrows the text.
    #[must_use]
    pub fn units(&self) -> TextRef<'_> {
        match self {
            Self::Borrowed(units) => *units,
            Self::Decoded(text) => text.units(),
        }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Self {
        if text.is_ascii() {
            return Self::Borrowed(TextRef::Ucs1(text.as_bytes()));
        }
        // The lead bytes of UTF-8 are in the order of their characters.
        let largest = text.bytes().fold(0, u8::max);
        Self::Decoded(if largest < FIRST_WIDE {
            TextBuf::Ucs1(text.chars().map(|character| character as u8).collect())
        } else if largest < FIRST_WIDEST {
            TextBuf::Ucs2(text.chars().map(|character| character as u16).collect())
        } else {
            TextBuf::Ucs4(text.chars().map(u32::from).collect())
        })
    }
}

impl<'a> From<&'a String> for Text<'a> {
    fn from(text: &'a String) -> Self {
        Self::from(text.as_str())
    }
}

impl<'a> From<TextRef<'a>> for Text<'a> {
    fn from(units: TextRef<'a>) -> Self {
        Self::Borrowed(units)
    }
}

impl<'a> From<&'a TextBuf> for Text<'a> {
    fn from(text: &'a TextBuf) -> Self {
        Self::Borrowed(text.units())
    }
}

/// Returns a text of one byte per character as a string, without copying, if it is ASCII; otherwise `None`.
///
/// # Examples
///
/// ```
/// assert_eq!(groundwire_engine::ascii(b"plain".as_slice()), Some("plain"));
/// assert_eq!(groundwire_engine::ascii([0x70_u16].as_slice()), None);
/// ```
#[must_use]
pub fn ascii<T: CodeUnit>(text: &[T]) -> Option<&str> {
    let bytes: &[u8] = if size_of::<T>() == 1 { bytemuck::cast_slice(text) } else { return None };
    if bytes.is_ascii() { std::str::from_utf8(bytes).ok() } else { None }
}

/// Appends a code point in generalised UTF-8, which can also encode surrogates.
#[inline(always)]
pub(crate) fn push_code(bytes: &mut Vec<u8>, code: u32) {
    let tail = |shift: u32| 0x80 | (code >> shift & 0x3F) as u8;
    match code {
        0..0x80 => bytes.push(code as u8),
        0x80..0x800 => bytes.extend_from_slice(&[0xC0 | (code >> 6) as u8, tail(0)]),
        0x800..0x1_0000 => bytes.extend_from_slice(&[0xE0 | (code >> 12) as u8, tail(6), tail(0)]),
        _ => bytes.extend_from_slice(&[0xF0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]),
    }
}

/// Returns whether `byte` is the first byte of a UTF-8 character.
pub(crate) fn begins_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
}
