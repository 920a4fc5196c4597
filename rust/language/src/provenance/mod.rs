//! Finds the citations of a claim: decision records, commits, URLs, issues, DOIs (rulings C8 and C9).
//!
//! Only the syntax of citations counts. At their boundaries, only ASCII letters count as such, because Chinese text may
//! be directly beside a citation.

mod commits;
mod locators;
mod references;

use groundwire_engine::{Cancel, CancelMeter, CodeUnit, Error, Span, TextRef, check_chars, dispatch, is_space};

/// The kind of a citation.
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

/// A citation. Both spans are in code points of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Citation {
    /// Its kind.
    pub kind: CitationKind,
    /// The span of its id: the number of a record, or of an issue without a repository; otherwise the whole citation.
    pub value: Span,
    /// The whole citation, including the brackets of a record.
    pub span: Span,
}

/// Returns the citations of `text`, sorted by start, in linear time. Of overlapping ones, the kind that is searched
/// first is kept.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, TextRef};
/// use groundwire_language::provenance::{CitationKind, citations};
///
/// let found = citations(TextRef::Ucs1(b"see ADR-003"), &Never)?;
/// assert_eq!(found[0].kind, CitationKind::DecisionRecord);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
///
/// # Errors
///
/// The text is longer than [`MAX_CHARS`](groundwire_engine::MAX_CHARS), or the call was cancelled.
pub fn citations(text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Vec<Citation>, Error> {
    check_chars(text.len())?;
    dispatch!(text, text => find(text, &mut CancelMeter::new(cancel)))
}

fn find<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Citation>, Error> {
    let present = CharacterPresence::in_text(text, meter)?;
    let mut found = Vec::new();
    if present.has(CharacterPresence::COLON) {
        add(&mut found, locators::urls(text, meter)?);
    }
    if present.has(CharacterPresence::DIGIT) {
        add(&mut found, locators::dois(text, meter)?);
        if present.has(CharacterPresence::LETTER_A) {
            add(&mut found, references::decision_records(text, meter)?);
        }
        if present.has(CharacterPresence::NUMBER_SIGN) {
            add(&mut found, references::issues(text, meter)?);
        }
        if present.has(CharacterPresence::LETTER_G) {
            add(&mut found, references::github_issues(text, meter)?);
        }
    }
    if present.longest_run >= commits::MIN_CHARS {
        add(&mut found, commits::commits(text, meter)?);
    }
    Ok(found)
}

/// Adds those of `more` that overlap no earlier citation.
fn add(found: &mut Vec<Citation>, more: Vec<Citation>) {
    let known = found.len();
    for citation in more {
        let before = found[..known].partition_point(|other| other.span.start < citation.span.end);
        // Of the earlier citations that begin before its end, the last one ends last.
        if before == 0 || found[before - 1].span.end <= citation.span.start {
            found.push(citation);
        }
    }
    if found.len() > known && known > 0 {
        found.sort_by_key(|citation| citation.span.start);
    }
}

/// The kinds of characters in a text, which decide what to search for. Most claims contain no citation.
struct CharacterPresence {
    kinds: u8,
    /// Length of the longest run of hexadecimal digits.
    longest_run: usize,
}

impl CharacterPresence {
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
            meter.charge(block.len())?;
            for character in block {
                let kind = Self::KINDS.get(character.code_point() as usize).copied().unwrap_or(0);
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
    text.get(place).and_then(|unit| u8::try_from(unit.code_point()).ok()).filter(u8::is_ascii)
}

/// Returns the ASCII character before `place`.
fn ascii_before<T: CodeUnit>(text: &[T], place: usize) -> Option<u8> {
    place.checked_sub(1).and_then(|place| ascii_at(text, place))
}

/// Returns whether `word` is at `place` in `text`.
fn matches_at<T: CodeUnit>(text: &[T], place: usize, word: &[u8]) -> bool {
    let part = text.get(place..).and_then(|rest| rest.get(..word.len()));
    part.is_some_and(|part| part.iter().zip(word).all(|(unit, &byte)| unit.code_point() == u32::from(byte)))
}

/// Number of characters between two cancellation checks.
const BLOCK_CHARS: usize = 1 << 16;

/// Calls `take` with each offset of `word`.
fn for_each_match<T: CodeUnit>(
    text: &[T],
    word: &[u8],
    meter: &mut CancelMeter<'_>,
    mut take: impl FnMut(usize),
) -> Result<(), Error> {
    let first = u32::from(word[0]);
    for (start, block) in (0..).step_by(BLOCK_CHARS).zip(text.chunks(BLOCK_CHARS)) {
        meter.charge(block.len())?;
        let begins = block.iter().enumerate().filter(|(_, unit)| unit.code_point() == first);
        begins.map(|(place, _)| start + place).filter(|&place| matches_at(text, place, word)).for_each(&mut take);
    }
    Ok(())
}

/// Does the same as [`for_each_match`], ignoring case.
fn for_each_match_ignoring_case<T: CodeUnit>(
    text: &[T],
    word: &[u8],
    meter: &mut CancelMeter<'_>,
    mut take: impl FnMut(usize),
) -> Result<(), Error> {
    let is_letter =
        |unit: &T, letter: u8| u8::try_from(unit.code_point()).is_ok_and(|code| code.eq_ignore_ascii_case(&letter));
    let begins = |place: &usize| text[*place..].iter().zip(word).all(|(unit, &letter)| is_letter(unit, letter));
    let places = (text.len() + 1).saturating_sub(word.len());
    for start in (0..places).step_by(BLOCK_CHARS) {
        let end = places.min(start + BLOCK_CHARS);
        meter.charge(end - start)?;
        (start..end).filter(begins).for_each(&mut take);
    }
    Ok(())
}

/// Returns the end of the characters from `start` on that satisfy `is_one`.
fn run_end<T: CodeUnit>(text: &[T], start: usize, is_one: impl Fn(u32) -> bool) -> usize {
    start + text[start..].iter().take_while(|unit| is_one(unit.code_point())).count()
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
