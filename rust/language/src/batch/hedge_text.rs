//! Folds claims to the spelling of the hedge lexicons: lower case, one space between words, straight apostrophes, no
//! emphasis, no invisible characters, no stylistic letter variants.
//!
//! Equivalent to `normalize_for_lexicon` of `groundwire.ingestion.hedges.detector`, without the offset map. Claims with
//! combining accents, a capital sigma or squared letters, which differ between Unicode versions, are left to that
//! function.

use std::iter::Peekable;
use std::ops::Range;
use std::str::Chars;

use unicode_normalization::UnicodeNormalization;

use groundwire_engine::is_space;

/// Folded claims that are searched together, by code unit width.
#[derive(Default)]
pub(super) struct FoldedBatch {
    pub(super) ucs1: FoldedClaims<u8>,
    pub(super) ucs2: FoldedClaims<u16>,
    pub(super) ucs4: FoldedClaims<u32>,
}

/// Folded claims of one code unit width, with a separator after each.
#[derive(Default)]
pub(super) struct FoldedClaims<T> {
    pub(super) units: Vec<T>,
    pub(super) rows: Vec<FoldedRow>,
}

/// The folded claim of a row.
pub(super) struct FoldedRow {
    pub(super) row: usize,
    /// Its range in [`FoldedClaims::units`].
    pub(super) range: Range<usize>,
    /// Whether each character corresponds to the one at the same offset of the claim, and differs from it only in
    /// case and apostrophes.
    pub(super) is_aligned: bool,
}

/// The separator between two claims, which occurs in no phrase and no word.
const SEPARATOR: u8 = 0;

impl FoldedBatch {
    /// Adds the claim of a row; returns `false` without adding it if the claim needs Python's full folding.
    pub(super) fn add(&mut self, row: usize, claim: &str) -> bool {
        // The loop examines every byte, without an early exit, so that the compiler vectorises it.
        let is_plain = claim.bytes().fold(true, |is_plain, byte| is_plain & is_plain_ascii(byte));
        if is_plain && !claim.contains("  ") {
            self.ucs1.add(row, true, claim.bytes().map(|byte| byte.to_ascii_lowercase()));
            return true;
        }
        let mut folder = HedgeTextFolder { codes: Vec::with_capacity(claim.len()), before: None, is_aligned: true };
        if folder.fold(claim).is_none() {
            return false;
        }
        let (codes, is_aligned) = (folder.codes.iter().copied(), folder.is_aligned);
        // Store the claim in the width that fits all its characters.
        match folder.codes.iter().fold(0, |all, code| all | code) {
            0..=0xFF => self.ucs1.add(row, is_aligned, codes.map(|code| code as u8)),
            0x100..=0xFFFF => self.ucs2.add(row, is_aligned, codes.map(|code| code as u16)),
            _ => self.ucs4.add(row, is_aligned, codes),
        }
        true
    }

    /// Returns the number of characters of all claims so far.
    pub(super) fn chars(&self) -> usize {
        self.ucs1.units.len() + self.ucs2.units.len() + self.ucs4.units.len()
    }
}

impl<T: From<u8>> FoldedClaims<T> {
    fn add(&mut self, row: usize, is_aligned: bool, units: impl Iterator<Item = T>) {
        let start = self.units.len();
        self.units.extend(units);
        self.rows.push(FoldedRow { row, range: start..self.units.len(), is_aligned });
        self.units.push(SEPARATOR.into());
    }
}

/// The folding state of one claim.
struct HedgeTextFolder {
    codes: Vec<u32>,
    /// The previous character, unfolded.
    before: Option<char>,
    is_aligned: bool,
}

impl HedgeTextFolder {
    /// Folds `claim`; returns `None` if it needs Python's full folding.
    fn fold(&mut self, claim: &str) -> Option<()> {
        let mut rest = claim.chars().peekable();
        while let Some(character) = rest.next() {
            let mut last = character;
            if separates_words(character) || (character == ' ' && rest.peek() == Some(&' ')) {
                last = self.consume_separators(character, &mut rest)?;
            } else if self.is_apostrophe(character, rest.peek().copied()) {
                self.push('\'')?;
            } else if is_stylistic_variant(character) {
                self.is_aligned = false;
                std::iter::once(character).nfkc().try_for_each(|plain| self.push(plain))?;
            } else {
                self.push(character)?;
            }
            self.before = Some(last);
        }
        Some(())
    }

    /// Returns whether a character is an apostrophe: a closing quotation mark, or another such sign between letters.
    fn is_apostrophe(&self, character: char, next: Option<char>) -> bool {
        let is_letter = |beside: Option<char>| {
            beside.is_some_and(|beside| beside.is_ascii_alphabetic() || matches!(beside, '\u{C0}'..='\u{24F}'))
        };
        character == '\u{2019}'
            || matches!(character, '\u{2018}' | '\u{201B}' | '\u{2BC}' | '\u{2032}' | '\u{B4}')
                && is_letter(self.before)
                && is_letter(next)
    }

    /// Appends a character in lower case. Returns `None` for a letter whose lower case depends on its neighbours, and
    /// for a character that changes its neighbours.
    fn push(&mut self, character: char) -> Option<()> {
        if needs_full_folding(character) {
            return None;
        }
        let mut small = character.to_lowercase();
        self.codes.push(small.next()? as u32);
        small.next().is_none().then_some(())
    }

    /// Consumes all characters between two words, and returns the last one. White space becomes one space; other
    /// characters are dropped, except for underscores inside a word.
    fn consume_separators(&mut self, first: char, rest: &mut Peekable<Chars<'_>>) -> Option<char> {
        let (mut last, mut count, mut has_space, mut is_line) = (first, 1, is_space(first), first == '_');
        while let Some(next) = rest.next_if(|&next| next == ' ' || separates_words(next)) {
            (last, count) = (next, count + 1);
            has_space |= is_space(next);
            is_line &= next == '_';
        }
        if has_space {
            self.codes.extend((self.before != Some(' ')).then_some(u32::from(b' ')));
        } else if is_line && self.joins_word(rest.peek().copied())? {
            self.codes.extend(std::iter::repeat_n(u32::from(b'_'), count));
            return Some(last);
        }
        self.is_aligned = false;
        Some(last)
    }

    /// Returns whether there is a letter or digit on both sides, or `None` if Python may define letters differently.
    fn joins_word(&self, after: Option<char>) -> Option<bool> {
        let (Some(before), Some(after)) = (self.before, after) else { return Some(false) };
        (before.is_ascii() && after.is_ascii())
            .then_some(before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric())
    }
}

fn is_plain_ascii(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') & (byte != b'*') & (byte != b'_')
}

/// Returns whether a character is white space other than a space, invisible, or an emphasis mark.
fn separates_words(character: char) -> bool {
    matches!(character,
        '*' | '_' | '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFC}'
        | '\u{E0000}'..='\u{E0FFF}')
        || (character != ' ' && is_space(character))
}

/// Returns whether a character is a stylistic variant of a letter or digit.
fn is_stylistic_variant(character: char) -> bool {
    matches!(character,
        '\u{2100}'..='\u{214F}' | '\u{2460}'..='\u{24FF}' | '\u{FB00}'..='\u{FB06}' | '\u{FF07}'
        | '\u{FF10}'..='\u{FF19}' | '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}' | '\u{FF66}'..='\u{FF9F}'
        | '\u{1D400}'..='\u{1D7FF}')
}

/// Returns whether a character is a combining accent, a capital sigma, İ or a squared letter.
fn needs_full_folding(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{362}' | '\u{3A3}' | '\u{130}' | '\u{1F110}'..='\u{1F189}')
}
