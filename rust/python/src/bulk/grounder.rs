//! `Grounder`: grounds successive batches of quotes.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use groundwire_engine::{
    SearchMode,
    batch::{self, GroundOptions},
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::batches::Work;
use super::capsules::{self, Input};
use super::quotes::Quotes;
use super::sources::Sources;
use super::store::ProcessStore;
use super::table::{Rows, SourceTable};
use super::{batches, results, rows};
use crate::arguments::{self, OptionalArgument};
use crate::normalizers::Profile;
use crate::pool;

/// Default limit for the memory of cached sources, in bytes.
const MEMORY_BYTES: usize = 384 << 20;

/// A grounder for batches: it finds each row's quote in the row's source. Safe to share between threads.
///
/// Sources are prepared once, and the most recently used ones are cached for later batches, up to a memory
/// limit.
///
/// Args:
///     mode, threshold: As for Source.find.
///     profile, marks: As for Source.
///     quote: Name of the column with the quotes: strings (with offsets of 32 or 64 bits, views, or a
///         dictionary of them), or lists of strings.
///     source: Name of the column with the sources: strings, or ids of `sources`.
///     sources: A SourceTable. None: the column has the texts themselves.
///     workers: Maximum number of threads.
///     memory_bytes: Memory limit of cached sources, in bytes; sources in use are not counted.
///
/// Raises:
///     TypeError: An argument has the wrong type.
///     ValueError: Unknown mode, profile or mark, or a number out of range.
#[pyclass(frozen, module = "groundwire._engine", name = "Grounder")]
pub(crate) struct Grounder {
    inner: Arc<Inner>,
}

struct Inner {
    how: GroundOptions,
    profile: Profile,
    quote: String,
    source: String,
    table: Option<Arc<Rows>>,
    workers: usize,
    memory_bytes: usize,
    store: ProcessStore,
}

#[pymethods]
impl Grounder {
    #[new]
    #[pyo3(
        signature = (*, mode = OptionalArgument::ABSENT, threshold = OptionalArgument::ABSENT, profile = OptionalArgument::ABSENT, marks = OptionalArgument::ABSENT, quote = OptionalArgument::ABSENT, source = OptionalArgument::ABSENT, sources = None, workers = OptionalArgument::ABSENT, memory_bytes = OptionalArgument::ABSENT),
        text_signature = "(*, mode='substring', threshold=0.85, profile='spec', marks=None, quote='quote', source='source', sources=None, workers=1, memory_bytes=402653184)"
    )]
    #[expect(clippy::too_many_arguments, reason = "each is a keyword of its own")]
    fn new(
        py: Python<'_>,
        mode: OptionalArgument<'_>,
        threshold: OptionalArgument<'_>,
        profile: OptionalArgument<'_>,
        marks: OptionalArgument<'_>,
        quote: OptionalArgument<'_>,
        source: OptionalArgument<'_>,
        sources: Option<Py<SourceTable>>,
        workers: OptionalArgument<'_>,
        memory_bytes: OptionalArgument<'_>,
    ) -> PyResult<Self> {
        let profile = Profile::from_arguments(&profile, &marks)?;
        let memory_bytes = arguments::bytes(&memory_bytes, "memory_bytes", MEMORY_BYTES)?;
        let inner = Inner {
            how: GroundOptions { mode: arguments::mode(&mode)?, threshold: arguments::threshold(&threshold)? },
            profile,
            quote: arguments::name(&quote, "quote", "quote")?,
            source: arguments::name(&source, "source", "source")?,
            table: sources.as_ref().map(|sources| Arc::clone(&sources.get().rows)),
            workers: arguments::workers(&workers)?,
            memory_bytes,
            store: ProcessStore::new(profile.normalizer(py)?, memory_bytes),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The number of cached sources, and their size in bytes.
    #[getter]
    fn kept(&self) -> (usize, usize) {
        self.inner.store.get().1.size()
    }

    /// Ground each row's quote in its source.
    ///
    /// Args:
    ///     batch: Any object with Arrow's interface: a batch, or a table or stream of batches.
    ///
    /// Returns:
    ///     An ArrowBatch for a batch; for a stream an ArrowStream, whose batches are grounded as they are
    ///     read. It has the columns of `batch`, followed by:
    ///
    ///     - grounded (bool, never null)
    ///     - kind (string): "exact", "normalized" or "fuzzy", as in Match
    ///     - score (float64), 0 to 1
    ///     - start, end (int64), in code points of the source
    ///     - error (string): the reason why a row cannot be checked, which then counts as not grounded: the
    ///       quote or the source is null, is not valid UTF-8 or is too long, or no source has this id
    ///
    ///     For a row without an error, they equal the result of Source(source).find(quote); kind, score,
    ///     start and end are null if that is None. If quotes are lists, so are these columns, with one value
    ///     for each quote; a null list counts as a single null quote.
    ///
    /// Raises:
    ///     TypeError: `batch` has no such interface, or a column is of another type.
    ///     ValueError: There is no such column, or one with the name of a result; or the batch is broken.
    ///     OverflowError: A batch has 2**32 quotes or more.
    fn ground<'py>(&self, py: Python<'py>, batch: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        batches::work(py, capsules::input(batch, "batch")?, Arc::clone(&self.inner))
    }

    /// Return the rows of a batch as objects, for policies written in Python.
    ///
    /// Returns:
    ///     All quotes in one list; the index of each quote's source; the error of each quote, or None; the
    ///     sources; and the number of quotes in each row, or None if there are no lists. Texts that cannot be
    ///     read are empty.
    fn _rows(&self, py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<rows::Rows> {
        let Input::Batch(batch) = capsules::input(batch, "batch")? else {
            return Err(PyTypeError::new_err("batch must be a batch, not a stream"));
        };
        super::guarded(|| {
            let (quotes, sources) = self.inner.read(py, &batch)?;
            Ok(rows::rows(&quotes, &sources))
        })
    }

    fn __repr__(&self) -> String {
        let Inner { how, profile, workers, memory_bytes, .. } = &*self.inner;
        let mode = if how.mode == SearchMode::Fuzzy { "fuzzy" } else { "substring" };
        let profile = profile.name();
        format!("Grounder(mode='{mode}', profile='{profile}', workers={workers}, memory_bytes={memory_bytes})")
    }
}

impl Inner {
    /// Reads the columns of quotes and sources.
    fn read(&self, py: Python<'_>, batch: &RecordBatch) -> PyResult<(Quotes, Sources)> {
        let quotes = Quotes::new(batches::column(py, batch, &self.quote)?, &self.quote)?;
        let sources = Sources::new(batches::column(py, batch, &self.source)?, &self.source, self.table.as_ref())?;
        Ok((quotes, sources))
    }
}

impl Work for Inner {
    fn schema(&self, py: Python<'_>, schema: &SchemaRef) -> PyResult<SchemaRef> {
        let quotes = batches::place(py, schema, &self.quote)?;
        batches::place(py, schema, &self.source)?;
        batches::extended(schema, results::fields(schema.field(quotes).data_type()))
    }

    fn columns(&self, py: Python<'_>, batch: &RecordBatch) -> PyResult<Vec<ArrayRef>> {
        let (quotes, sources) = self.read(py, batch)?;
        let store = self.store.get();
        pool::run(py, usize::MAX, self.workers, |executor| {
            let (quote_bytes, mut numbered) = (quotes.bytes(), sources.numbered());
            if let Some(lists) = quotes.lists() {
                numbered.of_rows = lists.repeat(&numbered.of_rows);
            }
            let rows = batch::Rows { quotes: &quote_bytes, sources: &numbered.of_rows, texts: &numbered.texts };
            let outcomes = batch::ground(&rows, self.how, &store.1, executor)?;
            Ok(results::columns(&outcomes, quotes.lists()))
        })
    }
}
