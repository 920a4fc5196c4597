//! Character classes of the tokeniser.

use unicode_normalization::char::is_combining_mark;

pub(super) fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic() || character == '_';
    }
    (character.is_alphabetic() && !is_unspaced(character)) || is_combining(character)
}

pub(super) fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}' | '\u{2018}' | '\u{201B}' | '\u{2BC}' | '\u{2032}' | '`' | '´')
}

/// Returns whether a character has no width and no meaning: soft hyphens, zero-width characters.
pub(crate) fn is_ignorable(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'
        | '\u{FE00}'..='\u{FE0F}')
}

pub(super) fn is_superscript(character: char) -> bool {
    matches!(character, '²' | '³' | '¹' | '\u{2070}' | '\u{2074}'..='\u{207B}')
}

pub(super) fn is_fraction(character: char) -> bool {
    matches!(character, '¼'..='¾' | '\u{2150}'..='\u{215E}')
}

pub(super) fn is_non_ascii_digit(character: char) -> bool {
    matches!(character, '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' | '\u{966}'..='\u{96F}' | '\u{FF10}'..='\u{FF19}' | '\u{2080}'..='\u{2089}')
}

/// Returns whether a character is Han, kana, Thai, Lao, Khmer or Myanmar.
pub(super) fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x312F
        | 0x31A0..=0x31BF | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F
        | 0x20000..=0x3FFFF)
}

/// The lowest code point that may be a combining mark.
pub(super) const FIRST_MARK: u32 = 0x300;

/// Returns whether a character is a combining mark. Most letters are decided without a table lookup.
fn is_combining(character: char) -> bool {
    match u32::from(character) {
        0..FIRST_MARK | 0x400..0x483 | 0x4E00..0xA000 => false,
        _ => is_combining_mark(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combining_marks_are_those_of_the_table() {
        for letter in char::MIN..=char::MAX {
            assert_eq!(is_combining(letter), is_combining_mark(letter), "{letter}");
        }
    }
}
