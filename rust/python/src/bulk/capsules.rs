//! Arrow's interface for Python: capsules with the structures of its C interface.
//!
//! Source: Arrow PyCapsule Interface,
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>.

use std::ffi::CStr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::SchemaRef;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::critical_section::{with_critical_section, with_critical_section2};
use pyo3::types::{PyCapsule, PyTuple};

use super::streams::{self, Stream};
use super::{exception, ffi};
use crate::arguments::type_name;

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The input of a call.
pub(super) enum Input {
    Batch(RecordBatch),
    Stream(Stream),
}

/// Imports `value` as a batch or a stream of batches.
pub(super) fn input(value: &Bound<'_, PyAny>, parameter: &str) -> PyResult<Input> {
    if let Some(method) = value.getattr_opt("__arrow_c_array__")? {
        let capsules = method.call0()?.cast_into::<PyTuple>()?;
        return batch(&capsules.get_item(0)?, &capsules.get_item(1)?).map(Input::Batch);
    }
    if let Some(method) = value.getattr_opt("__arrow_c_stream__")? {
        return stream(&method.call0()?).map(Input::Stream);
    }
    Err(PyTypeError::new_err(format!(
        "{parameter} must have Arrow's interface (__arrow_c_array__ or __arrow_c_stream__), as objects of pyarrow, polars and duckdb do; got {}",
        type_name(value)
    )))
}

fn batch(schema: &Bound<'_, PyAny>, array: &Bound<'_, PyAny>) -> PyResult<RecordBatch> {
    let (schema_capsule, array_capsule) = (schema.cast::<PyCapsule>()?, array.cast::<PyCapsule>()?);
    let schema = schema_capsule.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array_capsule.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    let (schema, array) = with_critical_section2(schema_capsule, array_capsule, || {
        // SAFETY: by its name, the borrowed capsule has a pointer to such a structure, which its producer
        // initialised. It is moved out, by one thread at a time; the structure left behind is marked as
        // released.
        let schema = unsafe { FFI_ArrowSchema::from_raw(schema.as_ptr()) };
        // SAFETY: the same.
        (schema, unsafe { FFI_ArrowArray::from_raw(array.as_ptr()) })
    });
    if schema.release().is_none() || array.is_released() {
        return Err(PyValueError::new_err("the Arrow capsules were used already"));
    }
    // SAFETY: by its name, the capsule contains a structure that its producer initialised.
    unsafe { ffi::check(&schema) }.map_err(exception)?;
    if !schema.format().starts_with("+s") {
        return Err(PyTypeError::new_err("a batch has columns; got a single Arrow array"));
    }
    // SAFETY: the same.
    let schema = unsafe { ffi::import_schema(&schema) }.map_err(exception)?;
    // SAFETY: the same, and the producer guarantees that the array has this schema.
    unsafe { ffi::import_batch(array, &schema) }.map_err(exception)
}

fn stream(capsule: &Bound<'_, PyAny>) -> PyResult<Stream> {
    let capsule = capsule.cast::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: by its name, the borrowed capsule has a pointer to such a structure, which its producer
    // initialised. It is moved out, by one thread at a time; the structure left behind is marked as released.
    let stream = with_critical_section(capsule, || unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr()) });
    // SAFETY: the same.
    unsafe { Stream::new(stream) }.map_err(exception)
}

/// Exports a schema for `__arrow_c_schema__`.
pub(super) fn schema_capsule<'py>(py: Python<'py>, schema: &SchemaRef) -> PyResult<Bound<'py, PyCapsule>> {
    PyCapsule::new_with_value(py, FFI_ArrowSchema::try_from(schema.as_ref()).map_err(exception)?, SCHEMA)
}

/// Exports a batch for `__arrow_c_array__`.
pub(super) fn array_capsules<'py>(
    py: Python<'py>,
    batch: &RecordBatch,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let array = FFI_ArrowArray::new(&StructArray::from(batch.clone()).to_data());
    Ok((schema_capsule(py, &batch.schema())?, PyCapsule::new_with_value(py, array, ARRAY)?))
}

/// Exports a stream for `__arrow_c_stream__`.
pub(super) fn stream_capsule(
    py: Python<'_>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, streams::export(reader), STREAM)
}
