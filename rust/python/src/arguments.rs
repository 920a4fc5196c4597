//! Arguments checked once. Messages name the parameter and the type found, never the text.

use groundwire_engine::fuzzy::Cutoff;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A `str`, or a `TypeError` that names the parameter.
#[inline]
pub(crate) fn string<'a, 'py>(value: &'a Bound<'py, PyAny>, parameter: &str) -> PyResult<&'a Bound<'py, PyString>> {
    value.cast::<PyString>().map_err(|_| wrong_type(value, parameter, "a str"))
}

fn wrong_type(value: &Bound<'_, PyAny>, parameter: &str, wanted: &str) -> PyErr {
    let found = value.get_type().qualname().map_or_else(|_| "another type".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{parameter} must be {wanted}, got {found}"))
}

/// The items of an iterable that is not itself a string.
pub(crate) fn items<'py>(value: &Bound<'py, PyAny>, parameter: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let is_one_text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    let iterator = if is_one_text { None } else { value.try_iter().ok() };
    iterator.ok_or_else(|| wrong_type(value, parameter, "a sequence of str"))?.collect()
}

/// A sequence of `str`.
pub(crate) fn strings<'py>(value: &Bound<'py, PyAny>, parameter: &str) -> PyResult<Vec<Bound<'py, PyString>>> {
    let mut strings = Vec::new();
    for (index, item) in items(value, parameter)?.into_iter().enumerate() {
        match item.cast_into::<PyString>() {
            Ok(string) => strings.push(string),
            Err(error) => return Err(wrong_type(&error.into_inner(), &format!("{parameter}[{index}]"), "a str")),
        }
    }
    Ok(strings)
}

fn number(value: &Bound<'_, PyAny>, parameter: &str) -> PyResult<f64> {
    value.extract::<f64>().map_err(|_| wrong_type(value, parameter, "a number"))
}

/// How a quote is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Substring,
    Fuzzy,
}

/// `mode=`.
pub(crate) fn mode(value: Option<&Bound<'_, PyAny>>) -> PyResult<Mode> {
    let Some(value) = value else { return Ok(Mode::Substring) };
    match string(value, "mode")?.to_str() {
        Ok("substring") => Ok(Mode::Substring),
        Ok("fuzzy") => Ok(Mode::Fuzzy),
        _ => Err(PyValueError::new_err("mode must be 'substring' or 'fuzzy'")),
    }
}

/// `threshold=`, 0–1.
pub(crate) fn threshold(value: Option<&Bound<'_, PyAny>>) -> PyResult<Cutoff> {
    let threshold = value.map_or(Ok(0.85), |value| number(value, "threshold"))?;
    if !(0.0..=1.0).contains(&threshold) {
        return Err(PyValueError::new_err(format!("threshold must be between 0 and 1, got {threshold}")));
    }
    Ok(Cutoff::Threshold(threshold))
}

/// `score_cutoff=`, 0–100; `None` is 0. As in RapidFuzz, values outside are no error.
pub(crate) fn score_cutoff(value: Option<&Bound<'_, PyAny>>) -> PyResult<Cutoff> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(Cutoff::NONE) };
    let cutoff = number(value, "score_cutoff")?;
    if cutoff.is_nan() {
        return Err(PyValueError::new_err("score_cutoff must be a number, got NaN"));
    }
    Ok(Cutoff::Score(cutoff))
}

/// `workers=`, at least 1.
pub(crate) fn workers(value: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let Some(value) = value else { return Ok(1) };
    let workers = value.extract::<i64>().map_err(|_| wrong_type(value, "workers", "an int"))?;
    if workers < 1 {
        return Err(PyValueError::new_err(format!("workers must be at least 1, got {workers}")));
    }
    Ok(usize::try_from(workers).unwrap_or(usize::MAX))
}
