//! `Deduplicator`: near-duplicates in successive batches of texts.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, SchemaRef};
use groundwire_engine::{
    batch::{self, DuplicateResult},
    similarity::{self, Threshold, TokenRule},
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use super::batches::{self, ColumnSource};
use super::capsules;
use super::check_count;
use super::strings::Strings;
use crate::arguments::{self, OptionalArgument};
use crate::sets::JaccardIndex;
use crate::{pool, signals};

/// A detector of near-duplicates in batches of texts. Safe to share between threads.
///
/// Compares each text, as a set of words, with all earlier texts or with an index, exactly and by Jaccard similarity. The
/// texts of one batch are known to the next.
///
/// Args:
///     text: Name of the column with the texts: strings (with offsets of 32 or 64 bits, views, or a
///         dictionary of them).
///     threshold: Minimum similarity of near-duplicates, above 0 and up to 1, compared exactly as its decimal
///         notation.
///     tokens: The tokenisation, as for JaccardIndex.
///     index: A JaccardIndex that the texts are compared with instead of each other; it is not changed, and
///         its own tokenisation applies.
///     workers: Maximum number of threads. Without an index, there is only one, because each text is compared with
///         all texts before it.
///
/// Raises:
///     TypeError: An argument has the wrong type.
///     ValueError: The threshold is out of range, or there is no such tokenisation.
#[pyclass(frozen, module = "groundwire._engine", name = "Deduplicator")]
pub(crate) struct Deduplicator {
    inner: Arc<Inner>,
}

struct Inner {
    text: String,
    threshold: Threshold,
    rule: TokenRule,
    reference: Reference,
    workers: usize,
}

/// The texts to compare with.
enum Reference {
    Index(Py<JaccardIndex>),
    /// `None` after a cancelled batch, of which only some texts may be in the index.
    EarlierRows(Mutex<Option<Box<Earlier>>>),
}

/// The texts of earlier rows.
struct Earlier {
    index: similarity::JaccardIndex,
    /// The row of each text in the index; texts that cannot be read are not in it.
    rows: Vec<i64>,
    /// Number of the next row.
    next: i64,
}

#[pymethods]
impl Deduplicator {
    #[new]
    #[pyo3(
        signature = (*, text = OptionalArgument::ABSENT, threshold = OptionalArgument::ABSENT, tokens = OptionalArgument::ABSENT, index = None, workers = OptionalArgument::ABSENT),
        text_signature = "(*, text='text', threshold=0.92, tokens='unicode', index=None, workers=1)"
    )]
    fn new(
        text: OptionalArgument<'_>,
        threshold: OptionalArgument<'_>,
        tokens: OptionalArgument<'_>,
        index: Option<Py<JaccardIndex>>,
        workers: OptionalArgument<'_>,
    ) -> PyResult<Self> {
        let threshold = crate::sets::threshold(&threshold, DEFAULT_THRESHOLD)?;
        let (rule, tokens) = crate::sets::tokens(&tokens, &OptionalArgument::ABSENT)?;
        let (rule, reference) = match index {
            Some(index) => (index.get().rule, Reference::Index(index)),
            None => {
                let index = similarity::JaccardIndex::new(tokens, threshold, None);
                let earlier = Earlier { index, rows: Vec::new(), next: 0 };
                (rule, Reference::EarlierRows(Mutex::new(Some(Box::new(earlier)))))
            }
        };
        let (text, workers) = (arguments::name(&text, "text", "text")?, arguments::workers(&workers)?);
        Ok(Self { inner: Arc::new(Inner { text, threshold, rule, reference, workers }) })
    }

    /// Mark the near-duplicates in a batch.
    ///
    /// Args:
    ///     batch: Any object with Arrow's interface: a batch, or a table or stream of batches.
    ///
    /// Returns:
    ///     An ArrowBatch for a batch; for a stream an ArrowStream, whose texts are compared as it is read. It
    ///     has the columns of `batch`, followed by:
    ///
    ///     - is_duplicate (bool), null where there is an error: such a row is neither new nor a copy
    ///     - duplicate_of (int64), the most similar text, ties to the first: its row, counted from 0 through
    ///       all batches so far, or its number in the index
    ///     - similarity (float64), 0 to 1
    ///     - error (string): the text is null or not valid UTF-8
    ///
    /// Raises:
    ///     TypeError: `batch` has no such interface, or the column is of another type.
    ///     ValueError: There is no such column, or one with the name of a result; or the batch is broken; or
    ///         the threshold is below the floor of the index.
    ///     OverflowError: There are more words than an index can have, or 2**32 rows or more in a batch.
    fn mark<'py>(&self, py: Python<'py>, batch: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        batches::append_columns(py, capsules::input(batch, "a batch")?, Arc::clone(&self.inner))
    }

    fn __repr__(&self) -> String {
        let against = if matches!(self.inner.reference, Reference::Index(_)) { "index" } else { "earlier rows" };
        format!("Deduplicator(text='{}', against='{against}')", self.inner.text)
    }
}

const DEFAULT_THRESHOLD: f64 = 0.92;

impl ColumnSource for Inner {
    fn schema(&self, py: Python<'_>, schema: &SchemaRef) -> PyResult<SchemaRef> {
        batches::position(py, schema, &self.text)?;
        batches::extended(
            schema,
            [
                Field::new("is_duplicate", DataType::Boolean, true),
                Field::new("duplicate_of", DataType::Int64, true),
                Field::new("similarity", DataType::Float64, true),
                Field::new("error", DataType::Utf8, true),
            ],
        )
    }

    fn columns(&self, py: Python<'_>, batch: &RecordBatch) -> PyResult<Vec<ArrayRef>> {
        check_count(batch.num_rows(), "rows")?;
        let strings = Strings::new(batches::column(py, batch, &self.text)?, &self.text)?;
        let texts: Vec<Option<Cow<'_, [u8]>>> = (0..strings.len())
            .map(|row| strings.get(row).map(|text| self.lowered(py, text)).transpose())
            .collect::<PyResult<_>>()?;
        match &self.reference {
            Reference::Index(index) => {
                let index = index.get();
                pool::run(py, usize::MAX, self.workers, |executor| {
                    let duplicates = batch::near_duplicates(&texts, &index.read(), self.threshold, executor)?;
                    Ok(columns(&duplicates, i64::from))
                })
            }
            Reference::EarlierRows(earlier) => {
                let marked = signals::run(py, usize::MAX, |cancel| {
                    let mut known = earlier.lock().unwrap_or_else(PoisonError::into_inner);
                    // It is put back when the batch is done.
                    let Some(mut earlier) = known.take() else { return Ok(None) };
                    let duplicates = batch::near_duplicates_among(&texts, &mut earlier.index, self.threshold, cancel)?;
                    let columns = earlier.add(&duplicates);
                    *known = Some(earlier);
                    Ok(Some(columns))
                })?;
                marked.ok_or_else(|| PyValueError::new_err("an earlier batch was cancelled; create a new Deduplicator"))
            }
        }
    }
}

impl Earlier {
    /// Adds the results of the next rows, and returns their columns.
    fn add(&mut self, duplicates: &[DuplicateResult]) -> Vec<ArrayRef> {
        // The index numbers texts in the order of their insertion.
        self.rows.extend((self.next..).zip(duplicates).filter(|(_, duplicate)| duplicate.is_ok()).map(|(row, _)| row));
        self.next += duplicates.len() as i64;
        columns(duplicates, |number| self.rows[number as usize])
    }
}

impl Inner {
    /// Lower-cases a text for the literal tokenisation, with Python's `lower()` unless it is ASCII.
    fn lowered<'a>(&self, py: Python<'_>, text: &'a [u8]) -> PyResult<Cow<'a, [u8]>> {
        if self.rule == TokenRule::Unicode {
            return Ok(Cow::Borrowed(text));
        }
        if text.is_ascii() {
            return Ok(Cow::Owned(text.to_ascii_lowercase()));
        }
        let Ok(characters) = std::str::from_utf8(text) else { return Ok(Cow::Borrowed(text)) };
        let lowered = PyString::new(py, characters).call_method0("lower")?.cast_into::<PyString>()?;
        Ok(Cow::Owned(lowered.to_str()?.as_bytes().to_vec()))
    }
}

/// Returns the result columns. `row_of` maps a number of the index to a row.
fn columns(duplicates: &[DuplicateResult], row_of: impl Fn(u32) -> i64) -> Vec<ArrayRef> {
    let count = duplicates.len();
    let (mut are_duplicates, mut rows) = (BooleanBuilder::with_capacity(count), Int64Builder::with_capacity(count));
    let (mut similarities, mut errors) = (Float64Builder::with_capacity(count), StringBuilder::with_capacity(count, 0));
    for duplicate in duplicates {
        let hit = duplicate.as_ref().ok().and_then(Option::as_ref);
        are_duplicates.append_option(duplicate.as_ref().ok().map(Option::is_some));
        rows.append_option(hit.map(|hit| row_of(hit.number)));
        similarities.append_option(hit.map(similarity::Neighbor::similarity));
        errors.append_option(duplicate.as_ref().err().map(ToString::to_string));
    }
    vec![
        Arc::new(are_duplicates.finish()),
        Arc::new(rows.finish()),
        Arc::new(similarities.finish()),
        Arc::new(errors.finish()),
    ]
}
