//! The words of a text that carry content, one after the other.
//!
//! A word is a run of letters, marks and digits. It counts if it has four characters or more, or a
//! digit in it, or is all capitals (WHO), and is not common. Words are the same if their first six
//! characters are, without regard to case: endings differ between a claim and its source, stems
//! seldom. Numbers are compared as a whole. In scripts without spaces every two neighbouring
//! characters are a word.

use super::vocabulary::{Common, Key, PREFIX_CHARS};
use crate::Error;
use crate::interrupt::Meter;
use crate::text::Unit;
use crate::words::{Class, class};

/// Shorter words say little of what a text is about.
pub(super) const MIN_CHARS: usize = 4;

/// Characters between two questions.
const STEP_CHARS: usize = 1 << 10;

/// One word of content, `[start, end)` of its text.
#[derive(Clone, Debug)]
pub(super) struct Word {
    pub(super) key: Key,
    pub(super) start: usize,
    pub(super) end: usize,
    /// It has a digit, or is a name by its capital.
    pub(super) is_detail: bool,
}

/// Reads `text` word by word.
pub(super) struct Words<'a, T> {
    text: &'a [T],
    common: &'a Common,
    at: usize,
    /// The character at `at` is the second of a pair that has been returned.
    is_paired: bool,
}

impl<'a, T: Unit> Words<'a, T> {
    pub(super) fn new(text: &'a [T], common: &'a Common) -> Self {
        Self { text, common, at: 0, is_paired: false }
    }

    /// Calls `found` with each word.
    pub(super) fn each(mut self, meter: &mut Meter<'_>, mut found: impl FnMut(Word)) -> Result<(), Error> {
        let mut booked = 0;
        while let Some(code) = self.code(self.at) {
            let word = match kind(code) {
                Class::Word => self.spaced(),
                Class::Unspaced => self.unspaced(),
                Class::Other => {
                    self.at += 1;
                    None
                }
            };
            if let Some(word) = word {
                found(word);
            }
            if self.at - booked >= STEP_CHARS {
                meter.add(self.at - booked)?;
                booked = self.at;
            }
        }
        // As much as for a few words, however short the text.
        meter.add(self.at - booked + MIN_CHARS)
    }

    fn unspaced(&mut self) -> Option<Word> {
        let start = self.at;
        self.at += 1;
        let is_pair = self.text.get(self.at).is_some_and(|unit| kind(unit.code()) == Class::Unspaced);
        let was_paired = std::mem::replace(&mut self.is_paired, is_pair);
        let end = self.at + usize::from(is_pair);
        let key = || Key::of(self.text[start..end].iter().map(|unit| unit.code()));
        (is_pair || !was_paired).then(|| Word { key: key(), start, end, is_detail: false })
    }

    fn spaced(&mut self) -> Option<Word> {
        let start = self.at;
        let (mut prefix, mut has_digit) = (Key::prefix(), false);
        while let Some(code) = self.code(self.at) {
            if kind(code) == Class::Word {
                has_digit |= is_digit(code);
            } else if !self.joins_digits(code) {
                break;
            }
            prefix.push(lower(code));
            self.at += 1;
        }
        let end = self.at;
        let key = if has_digit { self.number(start, end) } else { Key::Short(prefix.packed()) };
        if !has_digit && (self.is_short(start, end) || self.common.has(prefix.packed(), end - start)) {
            return None;
        }
        let is_detail = has_digit || (is_capital(self.text[start]) && self.is_inside_sentence(start));
        Some(Word { key, start, end, is_detail })
    }

    fn code(&self, at: usize) -> Option<u32> {
        self.text.get(at).map(|unit| unit.code())
    }

    /// Whether the mark `code` at the reader's place belongs to a number: a point between digits, or
    /// a comma before three of them.
    fn joins_digits(&self, code: u32) -> bool {
        if code != u32::from('.') && code != u32::from(',') {
            return false;
        }
        let is_ascii_digit = |at: usize| self.code(at).is_some_and(|code| (0x30..0x3A).contains(&code));
        let digits_after = (1..=4).take_while(|&ahead| is_ascii_digit(self.at + ahead)).count();
        let wanted = if code == u32::from('.') { digits_after > 0 } else { digits_after == 3 };
        wanted && self.at > 0 && is_ascii_digit(self.at - 1)
    }

    /// All of a word with digits, without the commas between them.
    fn number(&self, start: usize, end: usize) -> Key {
        let codes = self.text[start..end].iter().map(|unit| unit.code());
        Key::of(codes.filter(|&code| code != u32::from(',')).map(lower))
    }

    fn is_short(&self, start: usize, end: usize) -> bool {
        let word = &self.text[start..end];
        word.len() < MIN_CHARS && (word.len() == 1 || !word.iter().copied().all(is_capital))
    }

    /// Whether something other than the end of a sentence stands before `start`, quotation marks,
    /// brackets and spaces aside.
    fn is_inside_sentence(&self, start: usize) -> bool {
        let before = self.text[..start].iter().rev().map(|unit| unit.code());
        let near = before.into_iter().find(|&code| !is_any(code, OPENING));
        near.is_some_and(|code| !is_any(code, SENTENCE_ENDS))
    }
}

const SENTENCE_ENDS: &str = ".!?:;…。！？\n";
const OPENING: &str = "\"'“”‘’«»„([{*_ \t";

fn is_any(code: u32, characters: &str) -> bool {
    characters.chars().any(|character| u32::from(character) == code)
}

/// What `code` is to words; an underscore separates them here.
#[inline]
fn kind(code: u32) -> Class {
    if code == u32::from('_') { Class::Other } else { class(code) }
}

fn is_digit(code: u32) -> bool {
    if code < 0x80 { (0x30..0x3A).contains(&code) } else { char::from_u32(code).is_some_and(char::is_numeric) }
}

fn is_capital<T: Unit>(unit: T) -> bool {
    char::from_u32(unit.code()).is_some_and(char::is_uppercase)
}

/// The first character of the small letter, so that lengths stay.
#[inline]
pub(super) fn lower(code: u32) -> u32 {
    if code < 0x80 {
        return u32::from((code as u8).to_ascii_lowercase());
    }
    char::from_u32(code).and_then(|character| character.to_lowercase().next()).map_or(code, u32::from)
}

const _: () = assert!(PREFIX_CHARS >= MIN_CHARS);
