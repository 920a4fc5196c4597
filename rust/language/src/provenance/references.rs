//! Finds decision records and issues, which are a prefix and a number.

use super::{
    Citation, CitationKind, ascii_at, ascii_before, for_each_match, for_each_match_ignoring_case, is_digit,
    is_white_space, is_word, matches_at, run_end,
};
use groundwire_engine::{CancelMeter, CodeUnit, Error, Span};

/// Maximum number of digits of a number.
const MAX_DIGITS: usize = 9;

/// Number of digits after `#` that the specification's rule takes for a colour (ruling C9).
const COLOUR_DIGITS: usize = 6;

/// Maximum length of a repository's path, in characters.
const MAX_PATH_CHARS: usize = 255;

/// Finds decision records, with `ADR` in any case (ruling C18).
pub(super) fn decision_records<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Citation>, Error> {
    let record = |start: usize| {
        if is_word(ascii_before(text, start)) {
            return None;
        }
        let separator = start + b"ADR".len();
        let digits = separator + usize::from(text.get(separator).is_some_and(|unit| is_hyphen(unit.code_point())));
        let number = number(text, digits)?;
        if matches_at(text, number.end, b".")
            && text.get(number.end + 1).is_some_and(|unit| is_digit(unit.code_point()))
        {
            return None;
        }
        let in_brackets = ascii_before(text, start) == Some(b'[') && matches_at(text, number.end, b"]");
        let span = Span::new(start - usize::from(in_brackets), number.end + usize::from(in_brackets));
        Some(Citation { kind: CitationKind::DecisionRecord, value: number, span })
    };
    let mut found = Vec::new();
    for_each_match_ignoring_case(text, b"ADR", meter, |start| found.extend(record(start)))?;
    Ok(found)
}

/// Returns whether a character may separate `ADR` from its number.
fn is_hyphen(code: u32) -> bool {
    matches!(code, 0x2D | 0x2010 | 0x2011 | 0x2013) || is_white_space(code)
}

/// Returns the number that begins at `start` and ends at a word boundary.
fn number<T: CodeUnit>(text: &[T], start: usize) -> Option<Span> {
    let end = run_end(text, start, is_digit);
    let is_whole = (1..=MAX_DIGITS).contains(&(end - start)) && !is_word(ascii_at(text, end));
    is_whole.then_some(Span::new(start, end))
}

/// Finds issues in GitHub's notation, with `GH` in any case.
pub(super) fn github_issues<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Citation>, Error> {
    let issue = |start: usize| {
        let before = ascii_before(text, start);
        let number = number(text, start + b"GH-".len()).filter(|_| !is_word(before) && before != Some(b'-'))?;
        Some(Citation { kind: CitationKind::Issue, value: number, span: Span::new(start, number.end) })
    };
    let mut found = Vec::new();
    for_each_match_ignoring_case(text, b"GH-", meter, |start| found.extend(issue(start)))?;
    Ok(found)
}

pub(super) fn issues<T: CodeUnit>(text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Citation>, Error> {
    let (mut found, mut done) = (Vec::new(), 0);
    for_each_match(text, b"#", meter, |start| {
        let Some(number) = number(text, start + 1).filter(|number| !continues_as_name(text, number.end)) else {
            return;
        };
        // The path of a repository begins after the previous issue.
        let path = path_before(text, done, start);
        if is_repository(text, path) {
            let span = Span::new(path.start, number.end);
            found.push(Citation { kind: CitationKind::Issue, value: span, span });
        } else if may_begin_issue(text, done, start) && number.len() != COLOUR_DIGITS {
            found.push(Citation { kind: CitationKind::Issue, value: number, span: Span::new(start, number.end) });
        } else {
            return;
        }
        done = number.end;
    })?;
    Ok(found)
}

/// Returns whether a hyphen and a letter follow, so that it is a name and no number.
fn continues_as_name<T: CodeUnit>(text: &[T], end: usize) -> bool {
    matches_at(text, end, b"-") && ascii_at(text, end + 1).is_some_and(|character| character.is_ascii_alphabetic())
}

/// Returns the path characters directly before `end`, up to one more than a path can have.
fn path_before<T: CodeUnit>(text: &[T], done: usize, end: usize) -> Span {
    let least = done.max(end.saturating_sub(MAX_PATH_CHARS + 1));
    let is_path = |unit: &&T| u8::try_from(unit.code_point()).is_ok_and(is_path_character);
    Span::new(end - text[least..end].iter().rev().take_while(is_path).count(), end)
}

fn is_path_character(character: u8) -> bool {
    character.is_ascii_alphanumeric() || b"._-/".contains(&character)
}

/// Returns whether `path` is `owner/repo`, or a GitLab path with groups.
fn is_repository<T: CodeUnit>(text: &[T], path: Span) -> bool {
    let mut parts = text[path.start..path.end].split(|unit| unit.code_point() == u32::from(b'/'));
    let begins = parts.next().is_some_and(|part| ascii_at(part, 0).is_some_and(|first| first.is_ascii_alphanumeric()));
    let mut ends = parts.map(|part| ascii_before(part, part.len()).is_some_and(|last| last != b'.')).peekable();
    begins && path.len() <= MAX_PATH_CHARS && ends.peek().is_some() && ends.all(|ends_well| ends_well)
}

/// Returns whether a number sign at `start` may begin an issue: `&#39;` is a character reference, `C#7` a language,
/// `##7` a heading, and `/#7` and `](#7` are anchors.
fn may_begin_issue<T: CodeUnit>(text: &[T], done: usize, start: usize) -> bool {
    let before =
        |chars: usize| start.checked_sub(chars).filter(|&place| place >= done).and_then(|place| ascii_at(text, place));
    let is_anchor = before(1) == Some(b'(') && before(2) == Some(b']');
    !is_anchor && before(1).is_none_or(|character| !is_path_character(character) && !b"&#%=?".contains(&character))
}
