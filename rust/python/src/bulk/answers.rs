//! `read_answers`: counts the claims and citations of a batch of answers.

use std::borrow::Cow;
use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int64Builder, ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::DataType;
use groundwire_engine::batch::RowError;
use groundwire_language::batch::{self, AnswerRow, AnswerRowCounts, RowIds};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::capsules::{self, Input};
use super::strings::{Strings, broken, integers, wrong_type};
use super::{ArrowBatch, batches, check_count, exception, guarded};
use crate::arguments::{self, OptionalArgument};
use crate::pool;

/// Count the claims and citations of a batch of answers.
///
/// Args:
///     batch: A batch with Arrow's interface.
///     answer: Name of the column with the answers: strings.
///     results: Name of the column with the results that each answer can cite: lists of structures with an
///         `id`, a `parent_id` or both, each of them strings or integers. Other fields are ignored.
///     workers: Maximum number of threads.
///
/// Returns:
///     One row for each answer. If there is an error, the other columns are null:
///
///     - is_empty (bool): whether it is empty or only white space
///     - claims, cited, uncited (int64): number of claims, of those with a valid citation, and of long claims
///       without one
///     - valid, invalid (lists of strings): distinct cited ids that are among the results, and those that are
///       not, sorted
///     - printed_claims, printed_cited (int64): number of claims and of distinct valid ids by the
///       specification's rule
///     - error (string): the text is null or not valid UTF-8, or the results are null
///
/// Raises:
///     TypeError: `batch` is not a batch with Arrow's interface, or a column has the wrong type.
///     ValueError: A column is missing or broken.
///     OverflowError: The batch has 2**32 rows or more.
#[pyfunction]
#[pyo3(
    signature = (batch, *, answer = OptionalArgument::ABSENT, results = OptionalArgument::ABSENT, workers = OptionalArgument::ABSENT),
    text_signature = "(batch, *, answer='answer', results='results', workers=1)"
)]
pub(crate) fn read_answers(
    py: Python<'_>,
    batch: &Bound<'_, PyAny>,
    answer: OptionalArgument<'_>,
    results: OptionalArgument<'_>,
    workers: OptionalArgument<'_>,
) -> PyResult<ArrowBatch> {
    let answer = arguments::name(&answer, "answer", "answer")?;
    let results = arguments::name(&results, "results", "results")?;
    let workers = arguments::workers(&workers)?;
    let Input::Batch(batch) = capsules::input(batch, "batch")? else {
        return Err(PyTypeError::new_err("batch must be a batch, not a stream"));
    };
    guarded(|| {
        check_count(batch.num_rows(), "rows")?;
        let answers = Strings::new(batches::column(py, &batch, &answer)?, &answer)?;
        let results = Results::new(batches::column(py, &batch, &results)?, &results)?;
        let rows: Vec<AnswerRow<'_>> = (0..batch.num_rows())
            .map(|row| Ok(AnswerRow { answer: answers.get(row), ids: results.ids(row)? }))
            .collect::<PyResult<_>>()?;
        let counts = pool::run(py, usize::MAX, workers, |executor| batch::count_answers(&rows, executor))?;
        Ok(ArrowBatch::new(RecordBatch::try_from_iter(columns(&counts)).map_err(exception)?))
    })
}

/// The column of results.
struct Results {
    /// The range of the results of each row; `None` is null.
    ranges: Vec<Option<std::ops::Range<usize>>>,
    entries: StructArray,
    /// The columns `id` and `parent_id` that exist.
    ids: Vec<Column>,
    name: String,
}

/// A column of ids in its storage type.
enum Column {
    Strings(Strings),
    Integers(Vec<Option<i128>>),
}

impl Results {
    fn new(column: &ArrayRef, name: &str) -> PyResult<Self> {
        column.to_data().validate_data().map_err(|error| broken(name, &error))?;
        let (ranges, values): (Vec<_>, _) = match column.data_type() {
            DataType::List(_) => {
                let lists = column.as_list::<i32>();
                let place = |row| lists.value_offsets()[row] as usize..lists.value_offsets()[row + 1] as usize;
                ((0..lists.len()).map(|row| lists.is_valid(row).then(|| place(row))).collect(), lists.values())
            }
            DataType::LargeList(_) => {
                let lists = column.as_list::<i64>();
                let place = |row| lists.value_offsets()[row] as usize..lists.value_offsets()[row + 1] as usize;
                ((0..lists.len()).map(|row| lists.is_valid(row).then(|| place(row))).collect(), lists.values())
            }
            other => return Err(wrong_type(name, other, "lists of structures")),
        };
        let entries =
            values.as_struct_opt().ok_or_else(|| wrong_type(name, values.data_type(), "lists of structures"))?;
        let ids = ["id", "parent_id"].into_iter().filter_map(|field| entries.column_by_name(field));
        let ids = ids.map(|ids| Column::new(ids, name)).collect::<PyResult<_>>()?;
        Ok(Self { ranges, entries: entries.clone(), ids, name: name.to_owned() })
    }

    /// Returns the ids that the answer of a row can cite; `None` is null.
    fn ids(&self, row: usize) -> PyResult<Option<RowIds<'_>>> {
        let Some(range) = self.ranges[row].clone() else { return Ok(None) };
        let mut ids = RowIds::default();
        for column in &self.ids {
            for place in range.clone().filter(|&place| self.entries.is_valid(place)) {
                column.add(place, &mut ids).ok_or_else(|| self.not_utf8())?;
            }
        }
        Ok(Some(ids))
    }

    fn not_utf8(&self) -> PyErr {
        PyValueError::new_err(format!("column '{}' is broken: an id is not valid UTF-8", self.name))
    }
}

impl Column {
    fn new(column: &ArrayRef, name: &str) -> PyResult<Self> {
        match integers(column) {
            Some(integers) => Ok(Self::Integers(integers)),
            None => Strings::new(column, name).map(Self::Strings),
        }
    }

    /// Adds the id at `place`, if it is not null. Returns `None` if it is not valid UTF-8.
    fn add<'a>(&'a self, place: usize, ids: &mut RowIds<'a>) -> Option<()> {
        match self {
            Self::Integers(integers) => ids.ids.extend(integers[place].map(|id| Cow::Owned(id.to_string()))),
            Self::Strings(strings) => {
                if let Some(id) = strings.get(place) {
                    let id = std::str::from_utf8(id).ok()?;
                    ids.ids.push(Cow::Borrowed(id));
                    ids.spec_ids.push(id);
                }
            }
        }
        Some(())
    }
}

type CountColumn = (&'static str, fn(&AnswerRowCounts) -> usize);

const COUNT_COLUMNS: [CountColumn; 5] = [
    ("claims", |counts| counts.claims),
    ("cited", |counts| counts.cited),
    ("uncited", |counts| counts.uncited),
    ("printed_claims", |counts| counts.spec.claims),
    ("printed_cited", |counts| counts.spec.cited),
];

fn columns(rows: &[Result<AnswerRowCounts, RowError>]) -> Vec<(&'static str, ArrayRef)> {
    let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
    let read_rows = || rows.iter().map(|row| row.as_ref().ok());
    let mut are_empty = BooleanBuilder::with_capacity(rows.len());
    read_rows().for_each(|row| are_empty.append_option(row.map(|row| row.is_empty)));
    columns.push(("is_empty", Arc::new(are_empty.finish())));
    for (name, count) in COUNT_COLUMNS {
        let mut column = Int64Builder::with_capacity(rows.len());
        read_rows().for_each(|row| column.append_option(row.map(|row| count(row) as i64)));
        columns.push((name, Arc::new(column.finish())));
    }
    columns.push(("valid", lists(read_rows().map(|row| row.map(|row| row.valid.as_slice())))));
    columns.push(("invalid", lists(read_rows().map(|row| row.map(|row| row.invalid.as_slice())))));
    let mut errors = StringBuilder::new();
    rows.iter().for_each(|row| errors.append_option(row.as_ref().err().map(ToString::to_string)));
    columns.push(("error", Arc::new(errors.finish())));
    columns
}

fn lists<'a>(rows: impl Iterator<Item = Option<&'a [String]>>) -> ArrayRef {
    let mut lists = ListBuilder::new(StringBuilder::new());
    for row in rows {
        row.into_iter().flatten().for_each(|id| lists.values().append_value(id));
        lists.append(row.is_some());
    }
    Arc::new(lists.finish())
}
