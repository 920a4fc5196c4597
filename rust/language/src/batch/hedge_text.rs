//! Folds claims to the spelling of the hedge lexicons: lower case, one space between words, straight apostrophes, no
//! emphasis, no invisible characters, no stylistic letter variants.
//!
//! Equivalent to `normalize_for_lexicon` of `groundwire.ingestion.hedges.detector`, without the offset map. That
//! function handles the rest: combining accents, a capital sigma, and squared letters, of which each version of Unicode
//! has more.

use std::iter::Peekable;
use std::ops::Range;
use std::str::Chars;

use unicode_normalization::UnicodeNormalization;

use groundwire_engine::is_space;

/// Claims that are searched together, by code unit width.
#[derive(Default)]
pub(super) struct Spelled {
    pub(super) narrow: Joined<u8>,
    pub(super) wide: Joined<u16>,
    pub(super) widest: Joined<u32>,
}

/// Claims with a separator after each.
#[derive(Default)]
pub(super) struct Joined<T> {
    pub(super) units: Vec<T>,
    pub(super) rows: Vec<Spelling>,
}

/// The folded claim of a row.
pub(super) struct Spelling {
    pub(super) row: usize,
    /// Its range.
    pub(super) place: Range<usize>,
    /// Whether each character corresponds to the one at the same offset of the claim, and differs from it only in
    /// case and apostrophes.
    pub(super) is_same: bool,
}

/// Separates two claims; occurs in no phrase and in no word.
const GAP: u8 = 0;

impl Spelled {
    /// Adds the claim of a row; returns `false` without adding it if the claim needs Python's full folding.
    pub(super) fn add(&mut self, row: usize, claim: &str) -> bool {
        // All bytes are examined without an early exit, so that the loop is vectorised.
        let is_plain = claim.bytes().fold(true, |is_plain, byte| is_plain & is_plain_ascii(byte));
        if is_plain && !claim.contains("  ") {
            self.narrow.add(row, true, claim.bytes().map(|byte| byte.to_ascii_lowercase()));
            return true;
        }
        let mut speller = Speller { codes: Vec::with_capacity(claim.len()), before: None, is_same: true };
        if speller.spell(claim).is_none() {
            return false;
        }
        let (codes, is_same) = (speller.codes.iter().copied(), speller.is_same);
        // Store the claim in the width that fits all its characters.
        match speller.codes.iter().fold(0, |all, code| all | code) {
            0..=0xFF => self.narrow.add(row, is_same, codes.map(|code| code as u8)),
            0x100..=0xFFFF => self.wide.add(row, is_same, codes.map(|code| code as u16)),
            _ => self.widest.add(row, is_same, codes),
        }
        true
    }

    /// Returns the number of characters of all claims so far.
    pub(super) fn chars(&self) -> usize {
        self.narrow.units.len() + self.wide.units.len() + self.widest.units.len()
    }
}

impl<T: From<u8>> Joined<T> {
    fn add(&mut self, row: usize, is_same: bool, units: impl Iterator<Item = T>) {
        let start = self.units.len();
        self.units.extend(units);
        self.rows.push(Spelling { row, place: start..self.units.len(), is_same });
        self.units.push(GAP.into());
    }
}

/// The folding state of one claim.
struct Speller {
    codes: Vec<u32>,
    /// The previous character, unfolded.
    before: Option<char>,
    is_same: bool,
}

impl Speller {
    /// Folds `claim`; returns `None` if it needs Python's full folding.
    fn spell(&mut self, claim: &str) -> Option<()> {
        let mut rest = claim.chars().peekable();
        while let Some(character) = rest.next() {
            let mut last = character;
            if stands_between(character) || (character == ' ' && rest.peek() == Some(&' ')) {
                last = self.take_between(character, &mut rest)?;
            } else if is_dressed(character) {
                self.is_same = false;
                std::iter::once(character).nfkc().try_for_each(|plain| self.push(plain))?;
            } else {
                self.push(if character == '\u{2019}' { '\'' } else { character })?;
            }
            self.before = Some(last);
        }
        Some(())
    }

    /// Appends the lower-case letter; returns `None` for letters whose lower case depends on their neighbours, and
    /// for characters that change their neighbours.
    fn push(&mut self, character: char) -> Option<()> {
        if is_left_to_python(character) {
            return None;
        }
        let mut small = character.to_lowercase();
        self.codes.push(small.next()? as u32);
        small.next().is_none().then_some(())
    }

    /// Consumes everything between two words: white space becomes one space, and the rest is dropped, except for
    /// underscores inside a word. Returns the last character.
    fn take_between(&mut self, first: char, rest: &mut Peekable<Chars<'_>>) -> Option<char> {
        let (mut last, mut count, mut has_space, mut is_line) = (first, 1, is_space(first), first == '_');
        while let Some(next) = rest.next_if(|&next| next == ' ' || stands_between(next)) {
            (last, count) = (next, count + 1);
            has_space |= is_space(next);
            is_line &= next == '_';
        }
        if has_space {
            self.codes.extend((self.before != Some(' ')).then_some(u32::from(b' ')));
        } else if is_line && self.is_inside_word(rest.peek().copied())? {
            self.codes.extend(std::iter::repeat_n(u32::from(b'_'), count));
            return Some(last);
        }
        self.is_same = false;
        Some(last)
    }

    /// Returns whether letters or digits are on both sides; `None` where Python's definition of a letter may differ.
    fn is_inside_word(&self, after: Option<char>) -> Option<bool> {
        let (Some(before), Some(after)) = (self.before, after) else { return Some(false) };
        (before.is_ascii() && after.is_ascii())
            .then_some(before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric())
    }
}

fn is_plain_ascii(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') & (byte != b'*') & (byte != b'_')
}

/// Returns whether a character is white space other than a space, invisible, or an emphasis mark.
fn stands_between(character: char) -> bool {
    matches!(character,
        '*' | '_' | '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFC}'
        | '\u{E0000}'..='\u{E0FFF}')
        || (character != ' ' && is_space(character))
}

/// Returns whether a character is a stylistic variant of a letter or digit.
fn is_dressed(character: char) -> bool {
    matches!(character,
        '\u{2100}'..='\u{214F}' | '\u{2460}'..='\u{24FF}' | '\u{FB00}'..='\u{FB06}' | '\u{FF07}'
        | '\u{FF10}'..='\u{FF19}' | '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}' | '\u{FF66}'..='\u{FF9F}'
        | '\u{1D400}'..='\u{1D7FF}')
}

/// Returns whether a character is a combining accent, a capital sigma, İ or a squared letter.
fn is_left_to_python(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{362}' | '\u{3A3}' | '\u{130}' | '\u{1F110}'..='\u{1F189}')
}
