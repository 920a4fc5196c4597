//! Profiles: the foldings, the special characters, and the properties of single characters.

use super::annotation::AnnotationRules;
use crate::arch::ascii_chunk::AsciiTable;

/// The foldings of a profile, apart from NFKC and lower case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Profile {
    /// The specification's list: ‘ ’ “ ” and four zero-width characters.
    Spec,
    /// Ruling A3: every quotation mark, every dash, every default-ignorable character.
    Typographic,
}

impl Profile {
    /// Folds quotation marks, and dashes in the typographic profile.
    pub(super) fn map(self, character: char) -> char {
        match (self, character) {
            (_, '\u{2018}' | '\u{2019}') => '\'',
            (_, '\u{201C}' | '\u{201D}') => '"',
            (Self::Typographic, _) => map_typographic(character),
            (Self::Spec, _) => character,
        }
    }

    /// Folds `character` where NFKC would decompose it first: a double prime becomes one double quotation mark, not two
    /// single ones.
    pub(super) fn map_segment(self, character: char) -> Option<char> {
        (self == Self::Typographic && matches!(character, '\u{2033}' | '\u{2036}')).then_some('"')
    }

    /// Returns whether `character` is removed.
    pub(super) fn deletes(self, character: char) -> bool {
        match self {
            Self::Spec => matches!(character, '\u{200B}' | '\u{200C}' | '\u{200D}' | '\u{FEFF}'),
            Self::Typographic => is_default_ignorable(character),
        }
    }

    /// Returns whether `character` can open or close an annotation.
    pub(super) fn is_bracket(self, character: char) -> bool {
        match self {
            Self::Spec => matches!(character, '<' | '>'),
            Self::Typographic => matches!(character, '<' | '>' | '{' | '}' | '[' | ']' | '(' | ')'),
        }
    }

    /// Returns whether `character`, before folding, can be a hyphen at a line break.
    pub(super) fn is_hyphen(self, character: char) -> bool {
        self == Self::Typographic && matches!(character, HYPHEN | '\u{2010}' | SOFT_HYPHEN)
    }

    /// Returns whether line ends are more than white space: whether they end an annotation, and may join the halves of
    /// a hyphenated word.
    pub(super) fn handles_newlines(self) -> bool {
        self == Self::Typographic
    }
}

/// The annotations that a profile removes, and the ASCII characters that the transducer has to process for them.
#[derive(Debug)]
pub(super) struct SpecialCharacters {
    annotations: AnnotationRules,
    tables: [AsciiTable; 2],
}

impl SpecialCharacters {
    /// Selects the brackets of `annotations`. If they handle line ends, hyphens before white space are special too, and
    /// so are line ends where a result depends on them.
    pub(super) fn new(annotations: AnnotationRules) -> Self {
        let tables = [false, true].map(|handles_newlines| {
            let is_special = |byte| {
                let character = char::from(byte);
                let is_newline = byte == b'\n' && handles_newlines && annotations.is_typographic();
                is_newline || annotations.opens(character) || annotations.closes(character)
            };
            AsciiTable::new(is_special, annotations.is_typographic())
        });
        Self { annotations, tables }
    }

    pub(super) fn annotations(&self) -> AnnotationRules {
        self.annotations
    }

    /// Returns the ASCII special characters, including line ends if `handles_newlines`.
    #[inline]
    pub(super) fn table(&self, handles_newlines: bool) -> &AsciiTable {
        &self.tables[usize::from(handles_newlines)]
    }
}

fn map_typographic(character: char) -> char {
    match character {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{201A}' | '\u{201B}' | '\u{2039}' | '\u{203A}' | '\u{2032}' | '\u{2035}' | '『' | '』' => '\'',
        '\u{201E}' | '\u{201F}' | '«' | '»' | '「' | '」' | '\u{301D}'..='\u{301F}' | '\u{2E42}' => '"',
        _ => character,
    }
}

/// Returns whether `character` is white space for Python's `\s` and `str.strip()` (ruling A4): Unicode white space, or
/// one of the four ASCII separators U+001C to U+001F.
///
/// # Examples
///
/// ```
/// assert!(groundwire_engine::is_space('\u{1F}'));
/// assert!(!groundwire_engine::is_space('\u{200B}'));
/// ```
#[must_use]
pub fn is_space(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{1C}'..='\u{1F}')
}

/// Returns whether the lower case of a letter has more than one character, or depends on its word.
pub(super) fn is_special_letter(character: char) -> bool {
    matches!(character, CAPITAL_SIGMA | DOTTED_CAPITAL_I)
}

/// The letter Σ, which becomes `ς` at the end of a word and `σ` elsewhere.
pub(super) const CAPITAL_SIGMA: char = '\u{3A3}';

/// The letter İ, which becomes `i` and a combining dot above.
pub(super) const DOTTED_CAPITAL_I: char = '\u{130}';

/// The hyphen, which may divide a word at the end of a line.
pub(super) const HYPHEN: char = '-';

/// The soft hyphen, which is visible only at the end of a line.
pub(super) const SOFT_HYPHEN: char = '\u{AD}';

/// Returns the lower case of a character if it is one character; otherwise the character itself.
pub(super) fn lower(character: char) -> u32 {
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => single as u32,
        _ => character as u32,
    }
}

/// Returns whether `character` has the property `Default_Ignorable_Code_Point` of the Unicode Character Database
/// (DerivedCoreProperties.txt).
fn is_default_ignorable(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}
