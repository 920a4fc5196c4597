//! Indexes of texts and vectors that find near-duplicates.

mod jaccard;
mod minhash;
mod vectors;

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use groundwire_engine::{
    Cancel, Error, TextRef,
    similarity::{Threshold, TokenRule, Tokens},
};
pub(crate) use jaccard::JaccardIndex;
pub(crate) use minhash::MinHashIndex;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;
pub(crate) use vectors::VectorIndex;

use crate::arguments::OptionalArgument;
use crate::{arguments, characters, signals};

/// An index that threads share. A thread that waits for it does not hold the interpreter, which the owner of the lock may
/// need.
struct SharedIndex<T>(RwLock<T>);

impl<T: Send + Sync> SharedIndex<T> {
    fn new(index: T) -> Self {
        Self(RwLock::new(index))
    }

    fn measure(&self, py: Python<'_>, measure: impl FnOnce(&T) -> usize + Send) -> usize {
        py.detach(|| measure(&self.read()))
    }

    /// Searches the index. Most searches take less time than releasing the interpreter. A longer one, or one that would
    /// wait for the lock, restarts without the interpreter.
    fn search<R: Send>(
        &self,
        py: Python<'_>,
        search: impl Fn(&T, &dyn Cancel) -> Result<R, Error> + Send,
    ) -> PyResult<R> {
        if let Ok(index) = self.0.try_read() {
            let found = search(&index, &|| true);
            drop(index);
            match found {
                Err(Error::Cancelled) => {}
                found => return found.map_err(signals::exception),
            }
        }
        signals::run(py, usize::MAX, move |cancel| search(&self.read(), cancel))
    }

    fn read(&self) -> RwLockReadGuard<'_, T> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, T> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes the entry with `number`, or raises a `KeyError`.
fn removed(
    py: Python<'_>,
    number: &Bound<'_, PyAny>,
    remove: impl FnOnce(u32) -> Result<bool, Error> + Send,
) -> PyResult<()> {
    let number = arguments::whole(number, "number")?.and_then(|number| u32::try_from(number).ok());
    let removed = number.map_or(Ok(false), |number| py.detach(|| remove(number)));
    if removed.map_err(signals::exception)? { Ok(()) } else { Err(PyKeyError::new_err("no entry has this number")) }
}

/// Parses `tokens=` and `aside=`.
pub(crate) fn tokens(rule: &OptionalArgument<'_>, aside: &OptionalArgument<'_>) -> PyResult<(TokenRule, Tokens)> {
    let rule = self::rule(rule)?;
    let aside = aside.get().map_or_else(|| Ok(Vec::new()), |aside| arguments::strings(aside, "aside"))?;
    let units = aside.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?;
    Ok((rule, Tokens::new(rule, &units)))
}

/// Runs `work` on the text, lower-cased with Python's `lower()` for the literal tokenisation.
fn with_text<T>(
    text: &Bound<'_, PyAny>,
    rule: TokenRule,
    work: impl FnOnce(TextRef<'_>) -> PyResult<T>,
) -> PyResult<T> {
    let text = arguments::string(text, "text")?;
    match (rule, characters::units(text)?) {
        (TokenRule::Unicode, units) => work(units),
        (TokenRule::Spec, TextRef::Ucs1(units)) if units.is_ascii() => work(TextRef::Ucs1(&units.to_ascii_lowercase())),
        (TokenRule::Spec, _) => {
            let lower = characters::exact(text)?.call_method0("lower")?.cast_into()?;
            work(characters::units(&lower)?)
        }
    }
}

/// Parses `tokens=`.
fn rule(value: &OptionalArgument<'_>) -> PyResult<TokenRule> {
    let Some(value) = value.get() else { return Ok(TokenRule::Unicode) };
    match arguments::string(value, "tokens")?.to_str() {
        Ok("unicode") => Ok(TokenRule::Unicode),
        Ok("spec") => Ok(TokenRule::Spec),
        _ => Err(PyValueError::new_err("tokens must be 'unicode' or 'spec'")),
    }
}

/// Parses `threshold=`, a similarity.
pub(crate) fn threshold(value: &OptionalArgument<'_>, default: f64) -> PyResult<Threshold> {
    let number = value.get().map_or(Ok(default), |value| arguments::number(value, "threshold"))?;
    similarity_of(number, "threshold")
}

/// Parses a similarity above 0 and up to 1.
fn similarity(value: &Bound<'_, PyAny>, parameter: &str) -> PyResult<Threshold> {
    similarity_of(arguments::number(value, parameter)?, parameter)
}

fn similarity_of(number: f64, parameter: &str) -> PyResult<Threshold> {
    Threshold::new(number)
        .ok_or_else(|| PyValueError::new_err(format!("{parameter} must be above 0 and at most 1, got {number}")))
}

/// Parses `limit=`, at least 1.
fn limit(value: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(usize::MAX) };
    match arguments::whole(value, "limit")? {
        Some(limit) if limit > 0 => Ok(limit),
        None if value.cast::<PyInt>()?.gt(0)? => Ok(usize::MAX),
        _ => Err(PyValueError::new_err("limit must be at least 1")),
    }
}
