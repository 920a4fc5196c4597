//! Finds the citations of a claim: decision records, commits, URLs, issues, DOIs (rulings C8 and C9).
//!
//! It only recognises the syntax of citations. Word boundaries consider ASCII letters only: in Chinese text, a
//! citation may be directly between letters.

mod commits;
mod locators;
mod numbers;

use groundwire_engine::{Cancel, CancelMeter, CodeUnit, Error, Span, TextRef, check_chars, dispatch, is_space};

/// The kind of a cited object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CitationKind {
    /// A decision record: `ADR-003`, `adr-3`.
    DecisionRecord,
    /// A commit, by its hash.
    Commit,
    /// A web URL.
    Url,
    /// An issue: `#12`, `owner/repo#12`, `GH-12`, `gh-12`.
    Issue,
    /// A DOI.
    Doi,
}

/// One citation. Both spans are in characters of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// The kind of the cited object.
    pub kind: CitationKind,
    /// Its id: the number of a record or an issue without a repository; otherwise the whole citation.
    pub value: Span,
    /// The whole citation, including the brackets of a record.
    pub span: Span,
}

/// Returns the citations of `text` sorted by start, without overlaps: the kind that is searched first wins. Linear in
/// the text.
///
/// # Errors
///
/// The text is longer than [`MAX_CHARS`](groundwire_engine::MAX_CHARS), or the call was cancelled.
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

/// Adds those of `more` that overlap none of the earlier ones.
fn add(found: &mut Vec<Citation>, more: Vec<Citation>) {
    let known = found.len();
    for citation in more {
        let before = found[..known].partition_point(|other| other.span.start < citation.span.end);
        // Of the citations that begin before its end, the last one also ends last.
        if before == 0 || found[before - 1].span.end <= citation.span.start {
            found.push(citation);
        }
    }
    if found.len() > known && known > 0 {
        found.sort_by_key(|citation| citation.span.start);
    }
}

/// A prefilter of the characters in a text: most claims contain no citation.
struct Seen {
    kinds: u8,
    /// Length of the longest run of hexadecimal digits.
    longest_run: usize,
}

impl Seen {
    const DIGIT: u8 = 1;
    const COLON: u8 = 1 << 1;
    const LETTER_A: u8 = 1 << 2;
    const NUMBER_SIGN: u8 = 1 << 3;
    const LETTER_G: u8 = 1 << 4;
    const HEX: u8 = 1 << 5;

    /// The kinds of each ASCII character.
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

/// Returns the ASCII character at `place`, or `None` outside the text and for all other characters.
fn ascii_at<T: CodeUnit>(text: &[T], place: usize) -> Option<u8> {
    text.get(place).and_then(|unit| u8::try_from(unit.code()).ok()).filter(u8::is_ascii)
}

/// Returns the ASCII character before `place`.
fn ascii_before<T: CodeUnit>(text: &[T], place: usize) -> Option<u8> {
    place.checked_sub(1).and_then(|place| ascii_at(text, place))
}

/// Returns whether `word` is at `place` in `text`.
fn stands_at<T: CodeUnit>(text: &[T], place: usize, word: &[u8]) -> bool {
    let part = text.get(place..).and_then(|rest| rest.get(..word.len()));
    part.is_some_and(|part| part.iter().zip(word).all(|(unit, &byte)| unit.code() == u32::from(byte)))
}

/// Number of characters between two cancellation checks.
const BLOCK_CHARS: usize = 1 << 16;

/// Calls `take` with each offset of `word`, from left to right.
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

/// Does the same as [`each_place`] for `word` in any case.
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

/// Returns the end of the run of characters from `start` on that satisfy `is_one`.
fn run_end<T: CodeUnit>(text: &[T], start: usize, is_one: impl Fn(u32) -> bool) -> usize {
    start + text[start..].iter().take_while(|unit| is_one(unit.code())).count()
}

fn is_letter_or_digit(character: Option<u8>) -> bool {
    character.is_some_and(|character| character.is_ascii_alphanumeric())
}

/// Returns whether a character is part of a word: a letter, a digit or an underscore.
fn is_word(character: Option<u8>) -> bool {
    is_letter_or_digit(character) || character == Some(b'_')
}

fn is_digit(code: u32) -> bool {
    u8::try_from(code).is_ok_and(|byte| byte.is_ascii_digit())
}

fn is_white_space(code: u32) -> bool {
    char::from_u32(code).is_some_and(is_space)
}
