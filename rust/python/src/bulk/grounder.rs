//! `Grounder`: grounds batches of quotes.

use std::sync::Arc;

use arc_swap::ArcSwap;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::SchemaRef;
use groundwire_engine::{
    Normalizer, SearchMode,
    batch::{self, GroundOptions, RowError, SourceCache},
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::batches;
use super::batches::ColumnSource;
use super::capsules::{self, Input};
use super::quotes::Quotes;
use super::results::{columns as result_columns, fields};
use super::sources::Sources;
use super::table::{Rows, SourceTable};
use crate::arguments::{self, OptionalArgument};
use crate::normalizers::Profile;
use crate::pool;

/// Default limit for the memory of cached sources, in bytes.
const MEMORY_BYTES: usize = 384 << 20;

/// Finds the quote of each row of a batch in the source of the row. Safe to share between threads.
///
/// Each source is prepared once. The most recently used sources are cached for later batches, up to a memory limit.
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
    options: GroundOptions,
    profile: Profile,
    quote: String,
    source: String,
    table: Option<Arc<Rows>>,
    workers: usize,
    memory_bytes: usize,
    cache: ProcessCache,
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
            options: GroundOptions { mode: arguments::mode(&mode)?, threshold: arguments::threshold(&threshold)? },
            profile,
            quote: arguments::name(&quote, "quote", "quote")?,
            source: arguments::name(&source, "source", "source")?,
            table: sources.as_ref().map(|sources| Arc::clone(&sources.get().rows)),
            workers: arguments::workers(&workers)?,
            memory_bytes,
            cache: ProcessCache::new(profile.normalizer(py)?, memory_bytes),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The number of cached sources, and their size in bytes.
    #[getter]
    fn kept(&self) -> (usize, usize) {
        self.inner.cache.get().1.size()
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
    ///     - error (string): why the row could not be checked, and so counts as not grounded: the quote or the
    ///       source is null, not valid UTF-8 or too long, or no source has this id
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
        batches::append_columns(py, capsules::input(batch, "batch")?, Arc::clone(&self.inner))
    }

    /// Return the rows of a batch as objects, for policies in Python.
    ///
    /// Returns:
    ///     All quotes in one list; the index of each quote's source; the error of each quote, or None; the
    ///     sources; and the number of quotes in each row, or None if there are no lists. Texts that cannot be
    ///     read are empty.
    fn _rows(&self, py: Python<'_>, batch: &Bound<'_, PyAny>) -> PyResult<RowObjects> {
        let Input::Batch(batch) = capsules::input(batch, "batch")? else {
            return Err(PyTypeError::new_err("batch must be a batch, not a stream"));
        };
        super::guarded(|| {
            let (quotes, sources) = self.inner.read(py, &batch)?;
            Ok(row_objects(&quotes, &sources))
        })
    }

    fn __repr__(&self) -> String {
        let Inner { options, profile, workers, memory_bytes, .. } = &*self.inner;
        let mode = if options.mode == SearchMode::Fuzzy { "fuzzy" } else { "substring" };
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

impl ColumnSource for Inner {
    fn schema(&self, py: Python<'_>, schema: &SchemaRef) -> PyResult<SchemaRef> {
        let quotes = batches::position(py, schema, &self.quote)?;
        batches::position(py, schema, &self.source)?;
        batches::extended(schema, fields(schema.field(quotes).data_type()))
    }

    fn columns(&self, py: Python<'_>, batch: &RecordBatch) -> PyResult<Vec<ArrayRef>> {
        let (quotes, sources) = self.read(py, batch)?;
        let cache = self.cache.get();
        pool::run(py, usize::MAX, self.workers, |executor| {
            let (quote_bytes, mut numbered) = (quotes.bytes(), sources.numbered());
            if let Some(lists) = quotes.lists() {
                numbered.of_rows = lists.repeat(&numbered.of_rows);
            }
            let rows = batch::Rows { quotes: &quote_bytes, sources: &numbered.of_rows, texts: &numbered.texts };
            let results = batch::ground(&rows, self.options, &cache.1, executor)?;
            Ok(result_columns(&results, quotes.lists()))
        })
    }
}

/// The cache of prepared sources of one process. At a fork, another thread may be changing the cache, and never finishes in
/// the child, so the child begins with an empty one.
struct ProcessCache {
    normalizer: &'static Normalizer,
    max_bytes: usize,
    current: ArcSwap<(u32, SourceCache<'static>)>,
}

impl ProcessCache {
    fn new(normalizer: &'static Normalizer, max_bytes: usize) -> Self {
        Self {
            normalizer,
            max_bytes,
            current: ArcSwap::from_pointee((std::process::id(), SourceCache::new(normalizer, max_bytes))),
        }
    }

    /// Returns the cache of this process.
    fn get(&self) -> Arc<(u32, SourceCache<'static>)> {
        let current = self.current.load_full();
        if current.0 == std::process::id() {
            return current;
        }
        let own = Arc::new((std::process::id(), SourceCache::new(self.normalizer, self.max_bytes)));
        self.current.store(Arc::clone(&own));
        own
    }
}

/// The quotes, the index of each quote's source, and its error; the sources; the number of quotes in each
/// row, if they are in lists. Quotes and sources that cannot be read are empty.
type RowObjects = (Vec<String>, Vec<usize>, Vec<Option<String>>, Vec<String>, Option<Vec<usize>>);

/// Converts the columns of quotes and sources to objects.
fn row_objects(quotes: &Quotes, sources: &Sources) -> RowObjects {
    let mut numbered = sources.numbered();
    if let Some(lists) = quotes.lists() {
        numbered.of_rows = lists.repeat(&numbered.of_rows);
    }
    let texts: Vec<Result<&str, RowError>> =
        numbered.texts.iter().map(|text| read(*text, RowError::NullSource, RowError::SourceNotUtf8)).collect();
    let (mut words, mut numbers, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for (quote, source) in quotes.bytes().into_iter().zip(numbered.of_rows) {
        let number = source.unwrap_or_default() as usize;
        let row =
            source.and_then(|_| texts[number]).and_then(|_| read(quote, RowError::NullQuote, RowError::QuoteNotUtf8));
        words.push(row.unwrap_or_default().to_owned());
        numbers.push(number);
        errors.push(row.err().map(|error| error.to_string()));
    }
    let texts = texts.into_iter().map(|text| text.unwrap_or_default().to_owned()).collect();
    (words, numbers, errors, texts, quotes.lists().map(|lists| lists.lengths.clone()))
}

fn read(bytes: Option<&[u8]>, null: RowError, broken: RowError) -> Result<&str, RowError> {
    std::str::from_utf8(bytes.ok_or(null)?).map_err(|_| broken)
}
