//! What a claim cites: decision records, commits, URLs, issues, DOIs (rulings C8 and C9).
//!
//! This only says what is written like a citation. Letters are those of ASCII: in Chinese text a
//! citation stands between letters, and is one all the same.

mod commits;
mod locators;
mod numbers;

use groundwire_engine::{Cancel, CancelMeter, CodeUnit, Error, Span, TextRef, check_chars, dispatch, is_space};

/// What is cited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A decision record: `ADR-003`, `adr-3`.
    Record,
    /// A commit, by its hash.
    Commit,
    /// A URL of the web.
    Url,
    /// An issue: `#12`, `owner/repo#12`, `GH-12`, `gh-12`.
    Issue,
    /// A DOI.
    Doi,
}

/// One citation. Both spans count the characters of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// What is cited.
    pub kind: Kind,
    /// Its id: the number of a record or an issue, and all of anything else.
    pub value: Span,
    /// All of it, with the brackets of a record.
    pub span: Span,
}

/// The citations of `text` by start, none of which overlaps another: the kind that is looked for first
/// stays. Linear in the text.
///
/// # Errors
///
/// The text is longer than [`MAX_CHARS`](groundwire_engine::MAX_CHARS), or `cancel` asked to stop.
pub fn citations(text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Vec<Citation>, Error> {
    check_chars(text.len())?;
    dispatch!(text, text => find(text, &mut CancelMeter::new(cancel)))
}

fn find<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Citation>, Error> {
    let seen = Seen::in_text(text, meter)?;
    let mut found = Vec::new();
    if seen.has(Seen::COLON) {
        add(&mut found, locators::urls(text, meter)?);
    }
    if seen.has(Seen::DIGIT) {
        add(&mut found, locators::dois(text, meter)?);
        if seen.has(Seen::LETTER_A) {
            add(&mut found, numbers::records(text, meter)?);
        }
        if seen.has(Seen::NUMBER_SIGN) {
            add(&mut found, numbers::issues(text, meter)?);
        }
        if seen.has(Seen::LETTER_G) {
            add(&mut found, numbers::github_issues(text, meter)?);
        }
    }
    if seen.longest_run >= commits::MIN_CHARS {
        add(&mut found, commits::commits(text, meter)?);
    }
    Ok(found)
}

/// Adds those of `more` that lie outside of those that were found before.
fn add(found: &mut Vec<Citation>, more: Vec<Citation>) {
    let known = found.len();
    for citation in more {
        let before = found[..known].partition_point(|other| other.span.start < citation.span.end);
        // Of those that begin before its end, the last one ends last.
        if before == 0 || found[before - 1].span.end <= citation.span.start {
            found.push(citation);
        }
    }
    if found.len() > known && known > 0 {
        found.sort_by_key(|citation| citation.span.start);
    }
}

/// What a text has at all: most claims cite nothing, which a glance shows.
struct Seen {
    kinds: u8,
    /// Hexadecimal digits in a row.
    longest_run: usize,
}

impl Seen {
    const DIGIT: u8 = 1;
    const COLON: u8 = 1 << 1;
    const LETTER_A: u8 = 1 << 2;
    const NUMBER_SIGN: u8 = 1 << 3;
    const LETTER_G: u8 = 1 << 4;
    const HEX: u8 = 1 << 5;

    /// What the characters of ASCII are.
    const KINDS: [u8; 128] = {
        let mut kinds = [0; 128];
        let mut code = 0;
        while code < kinds.len() {
            kinds[code] = match code as u8 {
                b'0'..=b'9' => Self::DIGIT | Self::HEX,
                b'a' => Self::HEX | Self::LETTER_A,
                b'b'..=b'f' => Self::HEX,
                b':' => Self::COLON,
                b'A' => Self::LETTER_A,
                b'#' => Self::NUMBER_SIGN,
                b'G' | b'g' => Self::LETTER_G,
                _ => 0,
            };
            code += 1;
        }
        kinds
    };

    fn in_text<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Self, Error> {
        let (mut kinds, mut run, mut longest_run) = (0, 0, 0);
        for block in text.chunks(BLOCK_CHARS) {
            meter.add(block.len())?;
            for character in block {
                let kind = Self::KINDS.get(character.code() as usize).copied().unwrap_or(0);
                kinds |= kind;
                run = if kind & Self::HEX == 0 { 0 } else { run + 1 };
                longest_run = run.max(longest_run);
            }
        }
        Ok(Self { kinds, longest_run })
    }

    fn has(&self, kind: u8) -> bool {
        self.kinds & kind != 0
    }
}

/// The ASCII character at `place`; `None` outside of the text and for all others.
fn ascii_at<T: CodeUnit>(text: &[T], place: usize) -> Option<u8> {
    text.get(place).and_then(|unit| u8::try_from(unit.code()).ok()).filter(u8::is_ascii)
}

/// The one before `place`.
fn ascii_before<T: CodeUnit>(text: &[T], place: usize) -> Option<u8> {
    place.checked_sub(1).and_then(|place| ascii_at(text, place))
}

/// Whether `text` goes on with `word` at `place`.
fn stands_at<T: CodeUnit>(text: &[T], place: usize, word: &[u8]) -> bool {
    let part = text.get(place..).and_then(|rest| rest.get(..word.len()));
    part.is_some_and(|part| part.iter().zip(word).all(|(unit, &byte)| unit.code() == u32::from(byte)))
}

/// Characters that are looked at in a row.
const BLOCK_CHARS: usize = 1 << 16;

/// Calls `take` with each place where `word` begins, from left to right.
fn each_place<T: CodeUnit>(
    text: &[T],
    word: &[u8],
    meter: &mut CancelMeter<'_>,
    mut take: impl FnMut(usize),
) -> Result<(), Error> {
    let first = u32::from(word[0]);
    for (start, block) in (0..).step_by(BLOCK_CHARS).zip(text.chunks(BLOCK_CHARS)) {
        meter.add(block.len())?;
        let begins = block.iter().enumerate().filter(|(_, unit)| unit.code() == first);
        begins.map(|(place, _)| start + place).filter(|&place| stands_at(text, place, word)).for_each(&mut take);
    }
    Ok(())
}

/// [`each_place`] of `word` in small or capital letters.
fn each_place_in_any_case<T: CodeUnit>(
    text: &[T],
    word: &[u8],
    meter: &mut CancelMeter<'_>,
    mut take: impl FnMut(usize),
) -> Result<(), Error> {
    let is_letter =
        |unit: &T, letter: u8| u8::try_from(unit.code()).is_ok_and(|code| code.eq_ignore_ascii_case(&letter));
    let begins = |place: &usize| text[*place..].iter().zip(word).all(|(unit, &letter)| is_letter(unit, letter));
    let places = (text.len() + 1).saturating_sub(word.len());
    for start in (0..places).step_by(BLOCK_CHARS) {
        let end = places.min(start + BLOCK_CHARS);
        meter.add(end - start)?;
        (start..end).filter(begins).for_each(&mut take);
    }
    Ok(())
}

/// The end of the characters from `start` on that `is_one`.
fn run_end<T: CodeUnit>(text: &[T], start: usize, is_one: impl Fn(u32) -> bool) -> usize {
    start + text[start..].iter().take_while(|unit| is_one(unit.code())).count()
}

fn is_letter_or_digit(character: Option<u8>) -> bool {
    character.is_some_and(|character| character.is_ascii_alphanumeric())
}

/// Whether it is part of a word: a letter, a digit or an underscore.
fn is_word(character: Option<u8>) -> bool {
    is_letter_or_digit(character) || character == Some(b'_')
}

fn is_digit(code: u32) -> bool {
    u8::try_from(code).is_ok_and(|byte| byte.is_ascii_digit())
}

fn is_white_space(code: u32) -> bool {
    char::from_u32(code).is_some_and(is_space)
}
