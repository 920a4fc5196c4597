//! Batches in, batches out: Arrow's columns, read and written without an object for each row.
//!
//! [`capsules`] takes batches from whoever has Arrow's interface for Python and hands them on; [`ffi`]
//! checks their structures, [`streams`] speaks Arrow's stream interface (these three have the only
//! unsafe code here); [`strings`], [`quotes`] and [`sources`] are the columns that come in,
//! [`table`] sources that are given once, [`results`] the columns that go out. [`grounder`] does the
//! work (for texts that repeat others [`deduplicator`], for answers [`answers`], for claims [`claims`]), [`frames`] is what the caller gets; [`rows`] is for policies that are written in Python.

mod answers;
mod capsules;
mod claims;
mod deduplicator;
mod ffi;
mod frames;
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
pub(crate) use claims::read_claims;
pub(crate) use deduplicator::Deduplicator;
pub(crate) use frames::{ArrowBatch, ArrowStream};
pub(crate) use grounder::Grounder;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
pub(crate) use table::SourceTable;

/// Runs `work` on what a producer of Arrow's structures handed over. A panic becomes a `ValueError`: of
/// structures that contradict each other the checks refuse what they know, and what they miss must not
/// go past handlers of exceptions. The panic's own message may quote a text, and is left out.
fn guarded<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Err(PyValueError::new_err("internal error: a batch could not be read or written")))
}

/// Arrow's errors name types, columns and positions, never a value.
fn exception(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
