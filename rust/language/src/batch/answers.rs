//! Counts claims and citations in rows of answers.

use std::borrow::Cow;

use crate::answer::{self, Answer, KnownIds, SpecCount, spec_count};
use groundwire_engine::{Cancel, Error, Executor, Text, batch::RowError, is_space};

/// An answer, and the ids that it can cite.
#[derive(Clone, Debug)]
pub struct AnswerRow<'a> {
    /// The answer in UTF-8; `None` is null.
    pub answer: Option<&'a [u8]>,
    /// The ids; `None` is null.
    pub ids: Option<RowIds<'a>>,
}

/// The ids that an answer can cite. Surrounding white space and empty ids are ignored.
#[derive(Clone, Debug, Default)]
pub struct RowIds<'a> {
    /// All ids, as citations spell them.
    pub ids: Vec<Cow<'a, str>>,
    /// The ids that count for the specification's rule: those that are strings.
    pub spec_ids: Vec<&'a str>,
}

/// The counts of [`Answer::counts`] and those by the specification's rule, with ids as strings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerRowCounts {
    /// Whether the answer is empty or consists of white space.
    pub is_empty: bool,
    /// Number of claims.
    pub claims: usize,
    /// Number of claims with a valid citation.
    pub cited: usize,
    /// Number of long claims without a valid citation.
    pub uncited: usize,
    /// Known ids that are cited, sorted.
    pub valid: Vec<String>,
    /// Unknown ids with the shape of a known id, sorted.
    pub invalid: Vec<String>,
    /// The counts by the specification's rule.
    pub spec: SpecCount,
}

/// Cost of reading an answer, in cycles per byte.
const CYCLES_PER_BYTE: f32 = 30.0;

/// Returns the counts of each of `rows`, in order.
///
/// # Errors
///
/// The executor was cancelled.
pub fn count_answers(
    rows: &[AnswerRow<'_>],
    executor: &impl Executor,
) -> Result<Vec<Result<AnswerRowCounts, RowError>>, Error> {
    let cycles = |row: usize| CYCLES_PER_BYTE * rows[row].answer.map_or(0, <[u8]>::len) as f32;
    executor.map(rows.len(), cycles, |row, cancel| match count_answer(&rows[row], cancel) {
        Err(RowError::Engine(Error::Cancelled)) => Err(Error::Cancelled),
        counts => Ok(counts),
    })
}

fn count_answer(row: &AnswerRow<'_>, cancel: &dyn Cancel) -> Result<AnswerRowCounts, RowError> {
    let text = std::str::from_utf8(row.answer.ok_or(RowError::NullText)?).map_err(|_| RowError::TextNotUtf8)?;
    let known = row.ids.as_ref().ok_or(RowError::NullResults)?;
    let ids: Vec<Text<'_>> =
        known.ids.iter().map(|id| id.trim_matches(is_space)).filter(|id| !id.is_empty()).map(Text::from).collect();
    let ids = KnownIds::new(ids.iter().map(Text::units));
    let answer = answer::read(Text::from(text).units(), &ids, cancel).map_err(RowError::Engine)?;
    Ok(row_counts(&answer, text, &known.spec_ids))
}

fn row_counts(answer: &Answer, text: &str, ids: &[&str]) -> AnswerRowCounts {
    let counts = answer.counts();
    AnswerRowCounts {
        is_empty: text.chars().all(is_space),
        claims: answer.claims.len(),
        cited: counts.cited,
        uncited: counts.uncited,
        valid: counts.valid.into_iter().map(to_string).collect(),
        invalid: counts.invalid.into_iter().map(to_string).collect(),
        spec: spec_count(text, ids),
    }
}

fn to_string(id: &[u32]) -> String {
    id.iter().filter_map(|&code| char::from_u32(code)).collect()
}
