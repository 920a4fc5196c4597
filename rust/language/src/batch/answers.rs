//! Rows of answers: what their citations come to.

use std::borrow::Cow;

use crate::answer::{self, Answer, Ids, Printed, printed};
use groundwire_engine::Error;
use groundwire_engine::batch::Problem;
use groundwire_engine::cancel::Cancel;
use groundwire_engine::executor::Executor;
use groundwire_engine::normalize::is_space;
use groundwire_engine::text::utf8::Characters;

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
pub fn figures(rows: &[AnswerRow<'_>], executor: &impl Executor) -> Result<Vec<Result<AnswerFigures, Problem>>, Error> {
    let cycles = |row: usize| CYCLES_PER_BYTE * rows[row].answer.map_or(0, <[u8]>::len) as f32;
    executor.map(rows.len(), cycles, |row, cancel| match one(&rows[row], cancel) {
        Err(Problem::Engine(Error::Interrupted)) => Err(Error::Interrupted),
        figures => Ok(figures),
    })
}

fn one(row: &AnswerRow<'_>, cancel: &dyn Cancel) -> Result<AnswerFigures, Problem> {
    let text = std::str::from_utf8(row.answer.ok_or(Problem::NullText)?).map_err(|_| Problem::TextNotUtf8)?;
    let known = row.ids.as_ref().ok_or(Problem::NullResults)?;
    let ids: Vec<Characters<'_>> = known
        .read
        .iter()
        .map(|id| id.trim_matches(is_space))
        .filter(|id| !id.is_empty())
        .map(Characters::new)
        .collect();
    let ids = Ids::new(ids.iter().map(Characters::units));
    let answer = answer::read(Characters::new(text).units(), &ids, cancel).map_err(Problem::Engine)?;
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
