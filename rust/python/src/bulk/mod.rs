//! Batches of Arrow columns in and out, without an object for each row.
//!
//! [`capsules`] imports and exports batches by Arrow's interface for Python, [`ffi`] checks their structures, and
//! [`streams`] implements Arrow's stream interface: these three contain the only unsafe code here. [`strings`],
//! [`quotes`] and [`sources`] are the input columns, [`table`] is a set of sources that is given once, and [`results`]
//! are the output columns. [`grounder`] grounds quotes, [`deduplicator`] finds near-duplicates, [`answers`] and
//! [`claims`] read answers and claims, and [`batches`] are the results that callers get.

mod answers;
mod batches;
mod capsules;
mod claims;
mod deduplicator;
mod ffi;
mod grounder;
mod quotes;
mod results;
mod sources;
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
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
pub(crate) use table::SourceTable;

/// Runs `work` on structures of another producer of Arrow. The checks reject contradictory structures; if they miss one,
/// the panic becomes a `ValueError`, without the panic's message, which may quote a text.
fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(PyValueError::new_err("internal error: a batch could not be read or written")))
}

/// Converts an Arrow error, whose message names types, columns and positions, but never a value.
fn exception(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Checks that 32 bits can number the rows or quotes of a batch. A column of nulls takes no memory, so it can have any
/// number of them.
fn check_count(count: usize, items: &str) -> PyResult<()> {
    match u32::try_from(count) {
        Ok(_) => Ok(()),
        Err(_) => Err(PyOverflowError::new_err(format!("a batch must have fewer than 2**32 {items}, got {count}"))),
    }
}
