//! `read_claims`: the hedges and citations of a batch of claims.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Int64Builder, ListBuilder, StringBuilder, StructBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields};
use groundwire_engine::batch::RowError;
use groundwire_language::batch::{self, ClaimOptions, ClaimRow, HedgeMatches};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::capsules::{self, Input};
use super::strings::Strings;
use super::{ArrowBatch, batches, check_count, exception, guarded};
use crate::arguments::{self, OptionalArgument};
use crate::patterns::Patterns;
use crate::pool;
use crate::provenance::kind_name;
use crate::signals::SignalCheck;
use crate::tuples::{int, triple};

/// Find the hedges and citations of a batch of claims.
///
/// Args:
///     batch: A batch with Arrow's interface.
///     claim: Name of the column with the claims: strings.
///     hedges: A function of a claim and the pattern matches in its lower-case form, a list of (pattern index,
///         start, end), or None if the claim was not searched. It returns whether the claim is speculative, the
///         action, and the hedge words. It is not called for claims without a match.
///     patterns: Patterns with which all hedges begin. None: `hedges` is called for every claim.
///     citations: A function of a claim, which returns type, value, start and end of each citation. None:
///         `find_citations`.
///     workers: Maximum number of threads for the work that calls no Python.
///
/// Returns:
///     One row for each claim: is_speculative (bool), action (string), hedge_words (list of strings), citations
///     (list of type, value, start and end), error (string), if the text is null or not valid UTF-8. If there is
///     an error, the other columns are null.
///
/// Raises:
///     TypeError: `batch` is not a batch with Arrow's interface, or the column has the wrong type.
///     ValueError: The column is missing or broken.
///     OverflowError: The batch has 2**32 rows or more.
#[pyfunction]
#[pyo3(
    signature = (batch, hedges, *, claim = OptionalArgument::ABSENT, patterns = None, citations = None, workers = OptionalArgument::ABSENT),
    text_signature = "(batch, hedges, *, claim='claim', patterns=None, citations=None, workers=1)"
)]
pub(crate) fn read_claims(
    py: Python<'_>,
    batch: &Bound<'_, PyAny>,
    hedges: Bound<'_, PyAny>,
    claim: OptionalArgument<'_>,
    patterns: Option<Py<Patterns>>,
    citations: Option<Bound<'_, PyAny>>,
    workers: OptionalArgument<'_>,
) -> PyResult<ArrowBatch> {
    let claim = arguments::name(&claim, "claim", "claim")?;
    let workers = arguments::workers(&workers)?;
    let Input::Batch(batch) = capsules::input(batch, "batch")? else {
        return Err(PyTypeError::new_err("batch must be a batch, not a stream"));
    };
    guarded(|| {
        check_count(batch.num_rows(), "rows")?;
        let claims = Strings::new(batches::column(py, &batch, &claim)?, &claim)?;
        let texts: Vec<Option<&[u8]>> = (0..claims.len()).map(|row| claims.get(row)).collect();
        let patterns = patterns.as_ref().map(|patterns| patterns.get().engine());
        let options = ClaimOptions { patterns, citations: citations.is_none() };
        let rows = pool::run(py, usize::MAX, workers, |executor| batch::read_claims(&texts, options, executor))?;
        let mut columns = Columns::new();
        let mut signal_check = SignalCheck::new();
        for row in rows {
            signal_check.charge(py, 0)?;
            columns.add(py, row, &hedges, citations.as_ref())?;
        }
        Ok(ArrowBatch::new(columns.finish()?))
    })
}

/// Builders of the result columns.
struct Columns {
    are_speculative: BooleanBuilder,
    actions: StringBuilder,
    hedge_words: ListBuilder<StringBuilder>,
    citations: ListBuilder<StructBuilder>,
    errors: StringBuilder,
}

/// The action of a claim without a hedge.
const NO_ACTION: &str = "none";

impl Columns {
    fn new() -> Self {
        let text = |name| Field::new(name, DataType::Utf8, true);
        let place = |name| Field::new(name, DataType::Int64, true);
        let fields = Fields::from(vec![text("type"), text("value"), place("start"), place("end")]);
        Self {
            are_speculative: BooleanBuilder::new(),
            actions: StringBuilder::new(),
            hedge_words: ListBuilder::new(StringBuilder::new()),
            citations: ListBuilder::new(StructBuilder::from_fields(fields, 0)),
            errors: StringBuilder::new(),
        }
    }

    /// Appends a row. `decide` and `find` are the callbacks `hedges` and `citations`.
    fn add(
        &mut self,
        py: Python<'_>,
        row: Result<ClaimRow<'_>, RowError>,
        decide: &Bound<'_, PyAny>,
        find: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let row = match row {
            Ok(row) => row,
            Err(error) => {
                self.add_error(error);
                return Ok(());
            }
        };
        self.errors.append_null();
        self.add_hedges(py, &row, decide)?;
        match find {
            None => self.add_citations(&row),
            Some(find) => self.add_found(&find.call1((row.text,))?)?,
        }
        Ok(())
    }

    fn add_error(&mut self, error: RowError) {
        self.are_speculative.append_null();
        self.actions.append_null();
        self.hedge_words.append_null();
        self.citations.append_null();
        self.errors.append_value(error.to_string());
    }

    /// Appends the decision of `decide` for a claim that may contain hedges.
    fn add_hedges(&mut self, py: Python<'_>, row: &ClaimRow<'_>, decide: &Bound<'_, PyAny>) -> PyResult<()> {
        let found = match &row.hedges {
            HedgeMatches::NotSearched => None,
            HedgeMatches::Found(found) if found.is_empty() => {
                self.are_speculative.append_value(false);
                self.actions.append_value(NO_ACTION);
                self.hedge_words.append(true);
                return Ok(());
            }
            HedgeMatches::Found(found) => {
                let tuples = found
                    .iter()
                    .map(|one| triple(int(py, one.pattern), int(py, one.span.start), int(py, one.span.end)));
                Some(PyList::new(py, tuples.collect::<PyResult<Vec<_>>>()?)?)
            }
        };
        let (is_speculative, action, words) =
            decide.call1((row.text, found))?.extract::<(bool, Bound<'_, PyString>, Bound<'_, PyList>)>()?;
        self.are_speculative.append_value(is_speculative);
        self.actions.append_value(action.to_str()?);
        for word in words {
            self.hedge_words.values().append_value(word.cast::<PyString>()?.to_str()?);
        }
        self.hedge_words.append(true);
        Ok(())
    }

    /// Appends the citations that the engine found.
    fn add_citations(&mut self, row: &ClaimRow<'_>) {
        for one in &row.citations {
            self.add_citation(kind_name(one.kind), &one.value, one.span.start as i64, one.span.end as i64);
        }
        self.citations.append(true);
    }

    /// Appends the citations that Python found.
    fn add_found(&mut self, found: &Bound<'_, PyAny>) -> PyResult<()> {
        for one in found.try_iter()? {
            let (kind, value, start, end): (Bound<'_, PyString>, Bound<'_, PyString>, i64, i64) = one?.extract()?;
            self.add_citation(kind.to_str()?, value.to_str()?, start, end);
        }
        self.citations.append(true);
        Ok(())
    }

    fn add_citation(&mut self, kind: &str, value: &str, start: i64, end: i64) {
        let citation = self.citations.values();
        for (place, text) in [kind, value].into_iter().enumerate() {
            if let Some(column) = citation.field_builder::<StringBuilder>(place) {
                column.append_value(text);
            }
        }
        for (place, number) in [(2, start), (3, end)] {
            if let Some(column) = citation.field_builder::<Int64Builder>(place) {
                column.append_value(number);
            }
        }
        citation.append(true);
    }

    fn finish(mut self) -> PyResult<RecordBatch> {
        let columns: [(&str, ArrayRef); 5] = [
            ("is_speculative", Arc::new(self.are_speculative.finish())),
            ("action", Arc::new(self.actions.finish())),
            ("hedge_words", Arc::new(self.hedge_words.finish())),
            ("citations", Arc::new(self.citations.finish())),
            ("error", Arc::new(self.errors.finish())),
        ];
        RecordBatch::try_from_iter_with_nullable(columns.map(|(name, column)| (name, column, true))).map_err(exception)
    }
}
