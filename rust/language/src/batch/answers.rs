//! Rows of answers: what their citations come to.

use std::borrow::Cow;

use crate::answer::{self, Answer, Ids, Printed, printed};
use groundwire_engine::{Cancel, Error, Executor, Text, batch::RowError, is_space};

/// An answer, and what it can cite.
#[derive(Clone, Debug)]
pub struct AnswerRow<'a> {
    /// In UTF-8; `None` is null.
    pub answer: Option<&'a [u8]>,
    /// `None` is null.
    pub ids: Option<RowIds<'a>>,
}

/// Ids that can be cited. White space around them does not count, and neither do those that have nothing else.
#[derive(Clone, Debug, Default)]
pub struct RowIds<'a> {
    /// As people cite them.
    pub read: Vec<Cow<'a, str>>,
    /// As the printed rule compares them: those that are strings.
    pub printed: Vec<&'a str>,
}

/// What [`Answer::figures`] and the printed rule count, with ids as strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerFigures {
    /// Whether the answer has nothing but white space.
    pub is_empty: bool,
    /// Claims.
    pub claims: usize,
    /// Those that have a valid citation.
    pub cited: usize,
    /// Long ones that have none.
    pub uncited: usize,
    /// Ids in use, sorted.
    pub valid: Vec<String>,
    /// Those that look like them and are none, sorted.
    pub invalid: Vec<String>,
    /// By the printed rule.
    pub printed: Printed,
}

/// Reading an answer, for each byte, in cycles.
const CYCLES_PER_BYTE: f32 = 30.0;

/// The figures of each of `rows`, in their order.
///
/// # Errors
///
/// The executor was asked to stop.
pub fn figures(
    rows: &[AnswerRow<'_>],
    executor: &impl Executor,
) -> Result<Vec<Result<AnswerFigures, RowError>>, Error> {
    let cycles = |row: usize| CYCLES_PER_BYTE * rows[row].answer.map_or(0, <[u8]>::len) as f32;
    executor.map(rows.len(), cycles, |row, cancel| match one(&rows[row], cancel) {
        Err(RowError::Engine(Error::Cancelled)) => Err(Error::Cancelled),
        figures => Ok(figures),
    })
}

fn one(row: &AnswerRow<'_>, cancel: &dyn Cancel) -> Result<AnswerFigures, RowError> {
    let text = std::str::from_utf8(row.answer.ok_or(RowError::NullText)?).map_err(|_| RowError::TextNotUtf8)?;
    let known = row.ids.as_ref().ok_or(RowError::NullResults)?;
    let ids: Vec<Text<'_>> =
        known.read.iter().map(|id| id.trim_matches(is_space)).filter(|id| !id.is_empty()).map(Text::from).collect();
    let ids = Ids::new(ids.iter().map(Text::units));
    let answer = answer::read(Text::from(text).units(), &ids, cancel).map_err(RowError::Engine)?;
    Ok(figures_of(&answer, text, &known.printed))
}

fn figures_of(answer: &Answer, text: &str, ids: &[&str]) -> AnswerFigures {
    let figures = answer.figures();
    AnswerFigures {
        is_empty: text.chars().all(is_space),
        claims: answer.claims.len(),
        cited: figures.cited,
        uncited: figures.uncited,
        valid: figures.valid.into_iter().map(string).collect(),
        invalid: figures.invalid.into_iter().map(string).collect(),
        printed: printed(text, ids),
    }
}

fn string(id: &[u32]) -> String {
    id.iter().filter_map(|&code| char::from_u32(code)).collect()
}
