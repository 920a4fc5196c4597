//! Arrow's C stream interface: imports the batches of other producers, and exports batches to other consumers.
//!
//! C code calls the callbacks here, and a panic that reached it would abort the process. So a panic becomes an error of
//! the stream, like any other failure.
//!
//! Source: Arrow C stream interface, <https://arrow.apache.org/docs/format/CStreamInterface.html>.

use std::ffi::{CStr, CString, c_char, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, SchemaRef};

use super::ffi::{caught, import_batch, import_schema};

type Result<T> = std::result::Result<T, ArrowError>;

/// Codes of `errno.h`, the same on every system.
const EIO: c_int = 5;
const ENOMEM: c_int = 12;
const EINVAL: c_int = 22;

/// Batches of another producer, each checked before it is imported.
pub(super) struct Stream {
    stream: FFI_ArrowArrayStream,
    schema: SchemaRef,
}

impl Stream {
    /// Requests the schema of `stream`.
    ///
    /// # Safety
    ///
    /// The producer initialised `stream`; its callbacks follow the interface.
    pub(super) unsafe fn new(mut stream: FFI_ArrowArrayStream) -> Result<Self> {
        if stream.release().is_none() {
            return Err(ArrowError::CDataInterface("input stream is already released".to_owned()));
        }
        let Some(get_schema) = stream.get_schema() else { return Err(missing("get_schema")) };
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the callback is called with its own stream, and with space for a schema.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            // SAFETY: the previous callback failed.
            return Err(unsafe { failure(&mut stream, "schema", code) });
        }
        // SAFETY: the producer initialised it.
        let schema = unsafe { import_schema(&schema)? };
        Ok(Self { stream, schema })
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(get_next) = self.stream.get_next() else { return Some(Err(missing("get_next"))) };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the callback is called with its own stream, and with space for an array.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            // SAFETY: the previous callback failed.
            return Some(Err(unsafe { failure(&mut self.stream, "next batch", code) }));
        }
        // A released array marks the end.
        // SAFETY: the producer initialised it, with the schema of the stream.
        (!array.is_released()).then(|| unsafe { import_batch(array, &self.schema) })
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

fn missing(callback: &str) -> ArrowError {
    ArrowError::CDataInterface(format!("input stream does not provide the required {callback} callback"))
}

/// Returns the error for a callback that failed with `code`, including the producer's message.
///
/// # Safety
///
/// The last callback of `stream` failed.
unsafe fn failure(stream: &mut FFI_ArrowArrayStream, what: &str, code: c_int) -> ArrowError {
    let mut message = format!("Cannot get {what} from input stream. Error code: {code}");
    if let Some(get_last_error) = stream.get_last_error() {
        // SAFETY: the callback is called with its own stream, after another one failed.
        let error = unsafe { get_last_error(&raw mut *stream) };
        if !error.is_null() {
            // SAFETY: it is a null-terminated string that is valid until the next callback.
            let error = unsafe { CStr::from_ptr(error) }.to_string_lossy();
            message.push_str(". Producer error: ");
            message.push_str(&error);
        }
    }
    ArrowError::CDataInterface(message)
}

/// The private data of an exported stream.
struct Export {
    reader: Box<dyn RecordBatchReader + Send>,
    last_error: Option<CString>,
}

/// Exports `reader` for a C consumer.
pub(super) fn export(reader: Box<dyn RecordBatchReader + Send>) -> FFI_ArrowArrayStream {
    let export = Box::into_raw(Box::new(Export { reader, last_error: None }));
    // SAFETY: the callbacks are those of the interface; `release` frees the private data once, and no other
    // callback does.
    unsafe {
        FFI_ArrowArrayStream::new_unchecked(
            Some(get_schema),
            Some(get_next),
            Some(get_last_error),
            Some(release),
            export.cast(),
        )
    }
}

/// # Safety
///
/// `stream` is null or comes from [`export`], and no other code uses it meanwhile.
unsafe fn exported<'a>(stream: *mut FFI_ArrowArrayStream) -> Option<&'a mut Export> {
    // SAFETY: the caller guarantees it.
    let stream = unsafe { stream.as_ref() }?;
    // SAFETY: it is the pointer that `export` stored, or null after `release`.
    unsafe { stream.private_data().cast::<Export>().as_mut() }
}

/// Writes the result of `make` to `out`, and returns the code of the interface. On failure, `out` is
/// unchanged.
///
/// # Safety
///
/// As [`exported`]; `out` is null or has space for a `T`, which is overwritten without being dropped.
unsafe fn respond<T>(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut T,
    make: impl FnOnce(&mut dyn RecordBatchReader) -> Result<T>,
) -> c_int {
    // SAFETY: the caller guarantees it.
    let Some(export) = (unsafe { exported(stream) }).filter(|_| !out.is_null()) else { return EINVAL };
    let reader = &mut *export.reader;
    match caught(|| make(reader)) {
        Ok(value) => {
            // SAFETY: the caller guarantees it.
            unsafe { out.write_unaligned(value) };
            0
        }
        Err(error) => {
            // A message may quote a name with a null byte, which would end a C string.
            let message = caught(|| Ok(error.to_string().replace('\0', "\u{FFFD}"))).ok();
            export.last_error = message.and_then(|message| CString::new(message).ok());
            code(&error)
        }
    }
}

fn code(error: &ArrowError) -> c_int {
    match error {
        ArrowError::MemoryError(_) => ENOMEM,
        ArrowError::IoError(_, _) => EIO,
        _ => EINVAL,
    }
}

unsafe extern "C" fn get_schema(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: the consumer guarantees the conditions of `respond` by the interface.
    unsafe { respond(stream, out, |reader| FFI_ArrowSchema::try_from(reader.schema().as_ref())) }
}

unsafe extern "C" fn get_next(stream: *mut FFI_ArrowArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    let next = |reader: &mut dyn RecordBatchReader| match reader.next() {
        Some(batch) => Ok(FFI_ArrowArray::new(&StructArray::from(batch?).to_data())),
        // A released array marks the end.
        None => Ok(FFI_ArrowArray::empty()),
    };
    // SAFETY: the consumer guarantees the conditions of `respond` by the interface.
    unsafe { respond(stream, out, next) }
}

unsafe extern "C" fn get_last_error(stream: *mut FFI_ArrowArrayStream) -> *const c_char {
    // SAFETY: the consumer guarantees the conditions of `exported` by the interface.
    let export = unsafe { exported(stream) };
    // The string is valid until the next callback.
    export.and_then(|export| export.last_error.as_deref()).map_or(std::ptr::null(), CStr::as_ptr)
}

unsafe extern "C" fn release(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: the consumer guarantees by the interface that it is null or comes from `export`.
    let Some(stream) = (unsafe { stream.as_mut() }) else { return };
    // SAFETY: without private data and this callback, it is a released stream.
    let export = unsafe {
        stream.set_release(None);
        stream.set_private_data(std::ptr::null_mut())
    };
    if !export.is_null() {
        // SAFETY: it is the pointer that `export` stored, and has not been freed.
        let export = unsafe { Box::from_raw(export.cast::<Export>()) };
        // Dropping may run foreign code, whose panic cannot be reported.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(export)));
    }
}
