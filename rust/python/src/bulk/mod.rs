//! Batches in, batches out: Arrow's columns, read and written without an object for each row.
//!
//! [`capsules`] imports and exports batches by Arrow's interface for Python; [`ffi`] checks their structures,
//! [`streams`] implements Arrow's stream interface (these three contain the only unsafe code here).
//! [`strings`], [`quotes`] and [`sources`] are the input columns, [`table`] is a set of sources given once,
//! and [`results`] are the output columns. [`grounder`] grounds quotes, [`deduplicator`] finds
//! near-duplicates, [`answers`] and [`claims`] read those; [`frames`] is the result for the caller, and
//! [`rows`] serves policies written in Python.

mod answers;
mod batches;
mod capsules;
mod claims;
mod deduplicator;
mod ffi;
mod grounder;
mod quotes;
mod results;
mod rows;
mod sources;
mod store;
mod streams;
mod strings;
mod table;

use std::panic::{AssertUnwindSafe, catch_unwind};

pub(crate) use answers::read_answers;
use arrow_schema::ArrowError;
pub(crate) use batches::{ArrowBatch, ArrowStream};
pub(crate) use claims::read_claims;
pub(crate) use deduplicator::Deduplicator;
pub(crate) use grounder::Grounder;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
pub(crate) use table::SourceTable;

/// Runs `work` on structures from another producer of Arrow. A panic becomes a `ValueError`: the checks
/// reject the contradictory structures that they know, and those that they miss must not bypass exception
/// handlers. The panic's own message may quote a text, and is left out.
fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(PyValueError::new_err("internal error: a batch could not be read or written")))
}

/// Converts an Arrow error, which names types, columns and positions, never a value.
fn exception(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
