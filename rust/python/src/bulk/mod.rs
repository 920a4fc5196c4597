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

pub(crate) use answers::read_answers;
use arrow_schema::ArrowError;
pub(crate) use claims::read_claims;
pub(crate) use deduplicator::Deduplicator;
pub(crate) use frames::{ArrowBatch, ArrowStream};
pub(crate) use grounder::Grounder;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
pub(crate) use table::SourceTable;

/// Arrow's errors name types, columns and positions, never a value.
fn exception(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
