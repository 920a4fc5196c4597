//! `ArrowBatch` and `ArrowStream`: results for any consumer of Arrow's interface.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::capsules::{self, Input};
use super::streams::Stream;
use super::{exception, guarded};

/// Rows and columns in Arrow's format.
///
/// `pyarrow.record_batch(batch)`, `polars.DataFrame(batch)` and others read it without a copy.
#[pyclass(frozen, module = "groundwire._engine", name = "ArrowBatch")]
pub(crate) struct ArrowBatch {
    batch: RecordBatch,
}

impl ArrowBatch {
    pub(super) fn new(batch: RecordBatch) -> Self {
        Self { batch }
    }
}

#[pymethods]
impl ArrowBatch {
    /// Return the number of rows.
    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    fn __repr__(&self) -> String {
        format!("ArrowBatch(rows={}, columns={})", self.batch.num_rows(), self.batch.num_columns())
    }

    /// Names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Return the schema, by Arrow's interface for Python.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        guarded(|| capsules::schema_capsule(py, self.batch.schema_ref()))
    }

    /// Return the schema and the rows, by Arrow's interface for Python. A requested schema is ignored.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        guarded(|| capsules::array_capsules(py, &self.batch))
    }

    /// Return a stream of this batch, by Arrow's interface for Python.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        guarded(|| capsules::stream_capsule(py, Box::new(batches)))
    }
}

/// Batches that are computed while they are read, which is possible once.
///
/// `pyarrow.RecordBatchReader.from_stream(stream)`, `polars.DataFrame(stream)` and others read it.
#[pyclass(frozen, module = "groundwire._engine", name = "ArrowStream")]
pub(crate) struct ArrowStream {
    schema: SchemaRef,
    reader: Mutex<Option<Box<dyn RecordBatchReader + Send>>>,
}

impl ArrowStream {
    fn new(reader: Box<dyn RecordBatchReader + Send>) -> Self {
        Self { schema: reader.schema(), reader: Mutex::new(Some(reader)) }
    }
}

#[pymethods]
impl ArrowStream {
    fn __repr__(&self) -> String {
        format!("ArrowStream(columns={})", self.schema.fields().len())
    }

    /// Names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// Return the schema, by Arrow's interface for Python.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        guarded(|| capsules::schema_capsule(py, &self.schema))
    }

    /// Return the batches, by Arrow's interface for Python, once.
    ///
    /// Raises:
    ///     ValueError: They were requested before.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        let reader = reader
            .ok_or_else(|| PyValueError::new_err("the stream has been read already; a stream can be read once"))?;
        capsules::stream_capsule(py, reader)
    }
}

/// Computes columns for the rows of a batch.
pub(super) trait ColumnSource: Send + Sync + 'static {
    /// Returns the schema of the results for batches of this schema.
    fn schema(&self, py: Python<'_>, schema: &SchemaRef) -> PyResult<SchemaRef>;

    /// Returns the columns that follow those of `batch`.
    fn columns(&self, py: Python<'_>, batch: &RecordBatch) -> PyResult<Vec<ArrayRef>>;
}

/// Returns an [`ArrowBatch`] for a batch and an [`ArrowStream`] for a stream, with the columns of `source` appended.
pub(super) fn append_columns<'py>(
    py: Python<'py>,
    input: Input,
    source: Arc<impl ColumnSource>,
) -> PyResult<Bound<'py, PyAny>> {
    guarded(|| match input {
        Input::Batch(batch) => {
            let schema = source.schema(py, batch.schema_ref())?;
            Ok(Bound::new(py, ArrowBatch { batch: with_columns(py, &batch, &schema, &*source)? })?.into_any())
        }
        Input::Stream(stream) => {
            let schema = source.schema(py, &stream.schema())?;
            Ok(Bound::new(py, ArrowStream::new(Box::new(ExtendedStream { stream, schema, source })))?.into_any())
        }
    })
}

fn with_columns(
    py: Python<'_>,
    batch: &RecordBatch,
    schema: &SchemaRef,
    source: &impl ColumnSource,
) -> PyResult<RecordBatch> {
    let mut columns = batch.columns().to_vec();
    columns.extend(source.columns(py, batch)?);
    RecordBatch::try_new(Arc::clone(schema), columns).map_err(exception)
}

/// A stream to whose batches columns are appended, one batch at a time.
struct ExtendedStream<W> {
    stream: Stream,
    schema: SchemaRef,
    source: Arc<W>,
}

impl<W: ColumnSource> Iterator for ExtendedStream<W> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.stream.next()?;
        // The consumer may or may not hold the interpreter.
        Some(batch.and_then(|batch| {
            let extended = Python::attach(|py| with_columns(py, &batch, &self.schema, &*self.source));
            extended.map_err(|error| ArrowError::ExternalError(Box::new(error)))
        }))
    }
}

impl<W: ColumnSource> RecordBatchReader for ExtendedStream<W> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

/// Returns a schema with `fields` appended, whose names must be new.
pub(super) fn extended(schema: &SchemaRef, fields: impl IntoIterator<Item = Field>) -> PyResult<SchemaRef> {
    let mut all: Vec<_> = schema.fields().iter().cloned().collect();
    for field in fields {
        if schema.fields().iter().any(|known| known.name() == field.name()) {
            return Err(PyValueError::new_err(format!("there is a column called '{}' already", field.name())));
        }
        all.push(field.into());
    }
    Ok(Schema::new_with_metadata(all, schema.metadata().clone()).into())
}

/// Returns the column with this name.
pub(super) fn column<'a>(py: Python<'_>, batch: &'a RecordBatch, name: &str) -> PyResult<&'a ArrayRef> {
    Ok(batch.column(position(py, batch.schema_ref(), name)?))
}

/// Returns the index of the column with this name.
pub(super) fn position(py: Python<'_>, schema: &SchemaRef, name: &str) -> PyResult<usize> {
    let named: Vec<usize> = (0..schema.fields().len()).filter(|&place| schema.field(place).name() == name).collect();
    match named[..] {
        [place] => Ok(place),
        [] => Err(PyValueError::new_err(missing(py, schema, name)?)),
        _ => Err(PyValueError::new_err(format!("{} columns are called '{name}'", named.len()))),
    }
}

fn missing(py: Python<'_>, schema: &SchemaRef, name: &str) -> PyResult<String> {
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let near: Vec<String> = py.import("difflib")?.call_method1("get_close_matches", (name, &names, 1))?.extract()?;
    Ok(match near.first() {
        Some(near) => format!("no column is called '{name}'; did you mean '{near}'?"),
        None => format!("no column is called '{name}'; there are {}", quoted(&names)),
    })
}

/// Maximum number of column names in a message.
const MAX_NAMES: usize = 10;

fn quoted(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| format!("'{name}'")).collect();
    match names.len() {
        0 => "none".to_owned(),
        count if count > MAX_NAMES => format!("{} and {} more", shown.join(", "), count - MAX_NAMES),
        _ => shown.join(", "),
    }
}
