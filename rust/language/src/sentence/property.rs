//! The sentence-break classes of characters.
//!
//! Source: Unicode 17.0, property Sentence_Break, with some classes split for additional rules: `STerm` and
//! `WideTerm` are STerm; `Line` is Sep, CR and LF; `Open` and `Close` are Close; `Ignored` is Extend and Format.

use groundwire_engine::CodeUnit;

/// The sentence-break class of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum SentenceBreak {
    /// Ignored: combining marks, format characters, and the markup of a text.
    #[default]
    Ignored,
    /// Any other symbol.
    Other,
    /// A lower-case letter.
    Lower,
    /// An upper-case or title-case letter.
    Upper,
    /// A letter without case.
    Letter,
    /// A digit.
    Digit,
    /// White space within a line.
    Space,
    /// The end of a line.
    Line,
    /// A full stop, which may also belong to an abbreviation or a number.
    ATerm,
    /// `!`, `?` and similar marks.
    STerm,
    /// A terminator of a script that puts no white space after it.
    WideTerm,
    /// `…`
    Ellipsis,
    /// A quotation mark or a bracket.
    Close,
    /// An opening bracket that may begin a citation.
    Open,
    /// A mark after which a sentence continues, such as a comma.
    Continue,
    /// A bullet of a list item.
    Bullet,
    /// A character of a citation, which the rules skip.
    Masked,
}

/// A set of classes.
#[derive(Clone, Copy)]
pub(crate) struct BreakSet(u32);

impl BreakSet {
    pub(crate) const fn of<const N: usize>(classes: [SentenceBreak; N]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < N {
            bits |= 1 << classes[index] as u32;
            index += 1;
        }
        Self(bits)
    }

    #[inline(always)]
    pub(crate) const fn contains(self, class: SentenceBreak) -> bool {
        self.0 >> class as u32 & 1 != 0
    }
}

/// Classes that may end a sentence.
pub(crate) const TERMINATORS: BreakSet =
    BreakSet::of([SentenceBreak::ATerm, SentenceBreak::STerm, SentenceBreak::WideTerm, SentenceBreak::Ellipsis]);
/// Letters of any kind.
pub(crate) const LETTERS: BreakSet = BreakSet::of([SentenceBreak::Lower, SentenceBreak::Upper, SentenceBreak::Letter]);
/// White space of any kind.
pub(crate) const SPACES: BreakSet = BreakSet::of([SentenceBreak::Space, SentenceBreak::Line]);

const ASCII: [SentenceBreak; 128] = {
    let mut classes = [SentenceBreak::Other; 128];
    let mut code = 0;
    while code < classes.len() as u8 {
        classes[code as usize] = match code {
            b'a'..=b'z' => SentenceBreak::Lower,
            b'A'..=b'Z' => SentenceBreak::Upper,
            b'0'..=b'9' => SentenceBreak::Digit,
            b' ' | b'\t' | 0x0B | 0x0C => SentenceBreak::Space,
            b'\n' | b'\r' => SentenceBreak::Line,
            b'.' => SentenceBreak::ATerm,
            b'!' | b'?' => SentenceBreak::STerm,
            b'"' | b'\'' | b'(' | b')' | b']' | b'{' | b'}' => SentenceBreak::Close,
            b'[' => SentenceBreak::Open,
            b',' | b'-' | b':' | b';' => SentenceBreak::Continue,
            _ => SentenceBreak::Other,
        };
        code += 1;
    }
    classes
};

/// Returns the class of the code point `code`.
#[inline]
pub(crate) fn class(code: u32) -> SentenceBreak {
    match ASCII.get(code as usize) {
        Some(&class) => class,
        // Most characters of a Chinese text.
        None if (0x4E00..=0x9FFF).contains(&code) => SentenceBreak::Letter,
        None => class_beyond_ascii(code),
    }
}

/// Writes the class of each character of `text` into `classes`, which has the same length.
pub(crate) fn classify<T: CodeUnit>(text: &[T], classes: &mut [SentenceBreak]) {
    for (class_of, unit) in classes.iter_mut().zip(text) {
        *class_of = class(unit.code_point());
    }
}

fn class_beyond_ascii(code: u32) -> SentenceBreak {
    match code {
        // Most characters of a Japanese or Korean text.
        0x3041..=0x3096 | 0x30A1..=0x30FA | 0x3400..=0x4DBF | 0xAC00..=0xD7A3 => SentenceBreak::Letter,
        0x2026 => SentenceBreak::Ellipsis,
        0x2022 | 0x2023 | 0x2043 | 0x25AA | 0x25CF | 0x25E6 => SentenceBreak::Bullet,
        0x3010 | 0xFF3B => SentenceBreak::Open,
        0x85 | 0x2028 | 0x2029 => SentenceBreak::Line,
        0x2024 | 0xFE52 | 0xFF0E => SentenceBreak::ATerm,
        0x3002 | 0xFE12 | 0xFE15 | 0xFE16 | 0xFE56 | 0xFE57 | 0xFF01 | 0xFF1F | 0xFF61 => SentenceBreak::WideTerm,
        _ if is_continue(code) => SentenceBreak::Continue,
        // A footnote mark comes after the full stop of its sentence.
        0xB2 | 0xB3 | 0xB9 | 0x2070 | 0x2074..=0x2079 => SentenceBreak::Close,
        _ if is_close(code) => SentenceBreak::Close,
        _ if is_sterm(code) => SentenceBreak::STerm,
        _ => char::from_u32(code).map_or(SentenceBreak::Other, class_of_letter),
    }
}

fn class_of_letter(character: char) -> SentenceBreak {
    match character {
        _ if character.is_whitespace() => SentenceBreak::Space,
        _ if unicode_normalization::char::is_combining_mark(character) || is_format(character as u32) => {
            SentenceBreak::Ignored
        }
        // Georgian has letters of both cases, but its sentences do not begin with a capital.
        '\u{10D0}'..='\u{10FA}' | '\u{10FD}'..='\u{10FF}' | '\u{1C90}'..='\u{1CBF}' if character.is_alphabetic() => {
            SentenceBreak::Letter
        }
        _ if character.is_lowercase() => SentenceBreak::Lower,
        _ if character.is_uppercase() || is_titlecase(character) => SentenceBreak::Upper,
        _ if character.is_alphabetic() || character == '\u{5F3}' => SentenceBreak::Letter,
        _ if character.is_numeric() || is_part_of_number(character) => SentenceBreak::Digit,
        _ => SentenceBreak::Other,
    }
}

fn is_titlecase(character: char) -> bool {
    let has_lower_case = character.to_lowercase().next() != Some(character);
    has_lower_case && character.is_alphabetic() && !character.is_uppercase()
}

/// Returns whether a character is an Arabic, Syriac or Kaithi mark in, before or around numbers.
fn is_part_of_number(character: char) -> bool {
    matches!(character as u32, 0x600..=0x605 | 0x66B..=0x66C | 0x6DD | 0x890..=0x891 | 0x8E2 | 0x110BD | 0x110CD)
}

fn is_continue(code: u32) -> bool {
    matches!(code,
        0x37E | 0x55D | 0x60C..=0x60D | 0x7F8 | 0x1802 | 0x1808 | 0x2013..=0x2014 | 0x3001 | 0xFE10..=0xFE11 | 0xFE13..=0xFE14
        | 0xFE31..=0xFE32 | 0xFE50..=0xFE51 | 0xFE54..=0xFE55 | 0xFE58 | 0xFE63 | 0xFF0C..=0xFF0D | 0xFF1A..=0xFF1B
        | 0xFF64)
}

fn is_close(code: u32) -> bool {
    matches!(code,
        0xAB | 0xBB | 0xF3A..=0xF3D | 0x169B..=0x169C | 0x2018..=0x201F | 0x2039..=0x203A | 0x2045..=0x2046
        | 0x207D..=0x207E | 0x208D..=0x208E | 0x2308..=0x230B | 0x2329..=0x232A | 0x275B..=0x2760 | 0x2768..=0x2775
        | 0x27C5..=0x27C6 | 0x27E6..=0x27EF | 0x2983..=0x2998 | 0x29D8..=0x29DB | 0x29FC..=0x29FD | 0x2E00..=0x2E0D
        | 0x2E1C..=0x2E1D | 0x2E20..=0x2E29 | 0x2E42 | 0x2E55..=0x2E5C | 0x3008..=0x3011 | 0x3014..=0x301B
        | 0x301D..=0x301F | 0xFD3E..=0xFD3F | 0xFE17..=0xFE18 | 0xFE35..=0xFE44 | 0xFE47..=0xFE48 | 0xFE59..=0xFE5E
        | 0xFF08..=0xFF09 | 0xFF3D | 0xFF5B | 0xFF5D | 0xFF5F..=0xFF60 | 0xFF62..=0xFF63 | 0x1F676..=0x1F678)
}

fn is_sterm(code: u32) -> bool {
    matches!(code,
        0x589 | 0x61D..=0x61F | 0x6D4 | 0x700..=0x702 | 0x7F9 | 0x837 | 0x839 | 0x83D..=0x83E | 0x964..=0x965
        | 0x104A..=0x104B | 0x1362 | 0x1367..=0x1368 | 0x166E | 0x1735..=0x1736 | 0x17D4..=0x17D5 | 0x1803 | 0x1809
        | 0x1944..=0x1945 | 0x1AA8..=0x1AAB | 0x1B4E..=0x1B4F | 0x1B5A..=0x1B5B | 0x1B5E..=0x1B5F | 0x1B7D..=0x1B7F
        | 0x1C3B..=0x1C3C | 0x1C7E..=0x1C7F | 0x203C..=0x203D | 0x2047..=0x2049 | 0x2CF9..=0x2CFB | 0x2E2E | 0x2E3C
        | 0x2E53..=0x2E54 | 0xA4FF | 0xA60E..=0xA60F | 0xA6F3 | 0xA6F7 | 0xA876..=0xA877 | 0xA8CE..=0xA8CF | 0xA92F
        | 0xA9C8..=0xA9C9 | 0xAA5D..=0xAA5F | 0xAAF0..=0xAAF1 | 0xABEB | 0x10A56..=0x10A57 | 0x10F55..=0x10F59
        | 0x10F86..=0x10F89 | 0x11047..=0x11048 | 0x110BE..=0x110C1 | 0x11141..=0x11143 | 0x111C5..=0x111C6 | 0x111CD
        | 0x111DE..=0x111DF | 0x11238..=0x11239 | 0x1123B..=0x1123C | 0x112A9 | 0x113D4..=0x113D5 | 0x1144B..=0x1144C
        | 0x115C2..=0x115C3 | 0x115C9..=0x115D7 | 0x11641..=0x11642 | 0x1173C..=0x1173E | 0x11944 | 0x11946
        | 0x11A42..=0x11A43 | 0x11A9B..=0x11A9C | 0x11C41..=0x11C42 | 0x11EF7..=0x11EF8 | 0x11F43..=0x11F44
        | 0x16A6E..=0x16A6F | 0x16AF5 | 0x16B37..=0x16B38 | 0x16B44 | 0x16D6E..=0x16D6F | 0x16E98 | 0x1BC9F | 0x1DA88)
}

fn is_format(code: u32) -> bool {
    matches!(code,
        0xAD | 0x61C | 0x70F | 0x180E | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x2064 | 0x2066..=0x206F | 0xFEFF
        | 0xFF9E..=0xFF9F | 0xFFF9..=0xFFFB | 0x13430..=0x1343F | 0x1BCA0..=0x1BCA3 | 0x1D173..=0x1D17A
        | 0xE0001 | 0xE0020..=0xE007F)
}
