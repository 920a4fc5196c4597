//! Claims as lexicons spell their words: small letters, one blank between words, straight apostrophes, no
//! emphasis, nothing that is not seen, letters in ordinary dress.
//!
//! The same as `fold` of `groundwire.ingestion.hedges.folding`, without the way back; what is left to it
//! are accents of their own, a capital sigma, and squared letters, of which each version of Unicode has more.

use std::iter::Peekable;
use std::ops::Range;
use std::str::Chars;

use unicode_normalization::UnicodeNormalization;

use groundwire_engine::is_space;

/// Claims that are searched together, by the width of their characters.
#[derive(Default)]
pub(super) struct Spelled {
    pub(super) narrow: Joined<u8>,
    pub(super) wide: Joined<u16>,
    pub(super) widest: Joined<u32>,
}

/// Claims with a gap behind each of them.
#[derive(Default)]
pub(super) struct Joined<T> {
    pub(super) units: Vec<T>,
    pub(super) rows: Vec<Spelling>,
}

/// The claim of a row.
pub(super) struct Spelling {
    pub(super) row: usize,
    /// Where it stands.
    pub(super) place: Range<usize>,
    /// Whether each character stands for the one in the same place, which has the same form but for case
    /// and apostrophes.
    pub(super) is_same: bool,
}

/// Stands between two claims and in no phrase: no word goes on over it.
const GAP: u8 = 0;

impl Spelled {
    /// Takes the claim of a row in; `false` and nothing done if it is left to Python.
    pub(super) fn add(&mut self, row: usize, claim: &str) -> bool {
        // All bytes are looked at, whatever the first ones are: that is done many at a time.
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
        // In the width that all of them have.
        match speller.codes.iter().fold(0, |all, code| all | code) {
            0..=0xFF => self.narrow.add(row, is_same, codes.map(|code| code as u8)),
            0x100..=0xFFFF => self.wide.add(row, is_same, codes.map(|code| code as u16)),
            _ => self.widest.add(row, is_same, codes),
        }
        true
    }

    /// Characters of all claims so far.
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

/// A claim in the making.
struct Speller {
    codes: Vec<u32>,
    /// The character before the one that comes, as it was given.
    before: Option<char>,
    is_same: bool,
}

impl Speller {
    /// Spells `claim`; `None` if that is left to Python.
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

    /// Appends a small letter; `None` for those whose small letter depends on their neighbours, and for what
    /// changes them.
    fn push(&mut self, character: char) -> Option<()> {
        if is_left_to_python(character) {
            return None;
        }
        let mut small = character.to_lowercase();
        self.codes.push(small.next()? as u32);
        small.next().is_none().then_some(())
    }

    /// Takes everything that stands between two words: white space is one blank, nothing else is anything,
    /// but for underscores inside a word. Returns the last character.
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

    /// Whether letters or digits are on both sides; `None` where Python has its own idea of letters.
    fn is_inside_word(&self, after: Option<char>) -> Option<bool> {
        let (Some(before), Some(after)) = (self.before, after) else { return Some(false) };
        (before.is_ascii() && after.is_ascii())
            .then_some(before.is_ascii_alphanumeric() && after.is_ascii_alphanumeric())
    }
}

fn is_plain_ascii(byte: u8) -> bool {
    matches!(byte, b' '..=b'~') & (byte != b'*') & (byte != b'_')
}

/// White space other than a blank, what is not seen, and marks of emphasis.
fn stands_between(character: char) -> bool {
    matches!(character,
        '*' | '_' | '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{2800}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFC}'
        | '\u{E0000}'..='\u{E0FFF}')
        || (character != ' ' && is_space(character))
}

/// Letters and digits in another dress.
fn is_dressed(character: char) -> bool {
    matches!(character,
        '\u{2100}'..='\u{214F}' | '\u{2460}'..='\u{24FF}' | '\u{FB00}'..='\u{FB06}' | '\u{FF07}'
        | '\u{FF10}'..='\u{FF19}' | '\u{FF21}'..='\u{FF3A}' | '\u{FF41}'..='\u{FF5A}' | '\u{FF66}'..='\u{FF9F}'
        | '\u{1D400}'..='\u{1D7FF}')
}

/// Accents, capital sigma and İ, squared letters.
fn is_left_to_python(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{362}' | '\u{3A3}' | '\u{130}' | '\u{1F110}'..='\u{1F189}')
}
