//! Validates arguments. Messages name the parameter and the type that was passed, but never contain the text.

use groundwire_engine::{Cutoff, SearchMode};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyInt, PyString};

/// Returns a `str`, or raises a `TypeError` that names the parameter.
#[inline]
pub(crate) fn string<'a, 'py>(value: &'a Bound<'py, PyAny>, parameter: &str) -> PyResult<&'a Bound<'py, PyString>> {
    value.cast::<PyString>().map_err(|_| wrong_type(value, parameter, "a str"))
}

fn wrong_type(value: &Bound<'_, PyAny>, parameter: &str, wanted: &str) -> PyErr {
    PyTypeError::new_err(format!("{parameter} must be {wanted}, got {}", type_name(value)))
}

/// Returns the name of the type of a value.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().qualname().map_or_else(|_| "another type".to_owned(), |name| name.to_string())
}

/// Returns the items of an iterable, but not the characters of a single string.
pub(crate) fn items<'py>(value: &Bound<'py, PyAny>, parameter: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let is_one_text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    let iterator = if is_one_text { None } else { value.try_iter().ok() };
    iterator.ok_or_else(|| wrong_type(value, parameter, "a sequence of str"))?.collect()
}

/// Returns the items of a sequence of `str`.
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

/// An optional argument: absent, or any value that was passed, including None.
#[derive(Default)]
pub(crate) struct OptionalArgument<'py>(Option<Bound<'py, PyAny>>);

impl OptionalArgument<'_> {
    pub(crate) const ABSENT: Self = Self(None);
}

impl<'py> OptionalArgument<'py> {
    pub(crate) fn get(&self) -> Option<&Bound<'py, PyAny>> {
        self.0.as_ref()
    }
}

impl<'py> FromPyObject<'_, 'py> for OptionalArgument<'py> {
    type Error = std::convert::Infallible;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> Result<Self, Self::Error> {
        Ok(Self(Some(value.to_owned())))
    }
}

/// Returns a float. An int beyond the range of floats becomes infinite.
pub(crate) fn number(value: &Bound<'_, PyAny>, parameter: &str) -> PyResult<f64> {
    value.extract::<f64>().or_else(|_| match value.cast::<PyInt>() {
        Ok(int) if int.lt(0)? => Ok(f64::NEG_INFINITY),
        Ok(_) => Ok(f64::INFINITY),
        Err(_) => Err(wrong_type(value, parameter, "a number")),
    })
}

/// Returns an int, or `None` if it is negative or too large.
pub(crate) fn whole(value: &Bound<'_, PyAny>, parameter: &str) -> PyResult<Option<usize>> {
    let int = value.cast::<PyInt>().map_err(|_| wrong_type(value, parameter, "an int"))?;
    Ok(int.extract().ok())
}

/// Returns a bool. Other types are rejected, even if they have a truth value.
pub(crate) fn flag(value: &OptionalArgument<'_>, parameter: &str) -> PyResult<bool> {
    let Some(value) = value.get() else { return Ok(false) };
    value.cast::<PyBool>().map(|flag| flag.is_true()).map_err(|_| wrong_type(value, parameter, "a bool"))
}

/// Parses `mode=`.
pub(crate) fn mode(value: &OptionalArgument<'_>) -> PyResult<SearchMode> {
    let Some(value) = value.get() else { return Ok(SearchMode::Substring) };
    match string(value, "mode")?.to_str() {
        Ok("substring") => Ok(SearchMode::Substring),
        Ok("fuzzy") => Ok(SearchMode::Fuzzy),
        _ => Err(PyValueError::new_err("mode must be 'substring' or 'fuzzy'")),
    }
}

/// Parses `threshold=`, 0–1.
pub(crate) fn threshold(value: &OptionalArgument<'_>) -> PyResult<Cutoff> {
    let threshold = value.get().map_or(Ok(0.85), |value| number(value, "threshold"))?;
    if !(0.0..=1.0).contains(&threshold) {
        return Err(PyValueError::new_err(format!("threshold must be between 0 and 1, got {threshold}")));
    }
    Ok(Cutoff::Threshold(threshold))
}

/// Parses `score_cutoff=`, 0–100. `None` means 0. As in RapidFuzz, values outside the range are accepted.
pub(crate) fn score_cutoff(value: Option<&Bound<'_, PyAny>>) -> PyResult<Cutoff> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(Cutoff::NONE) };
    let cutoff = number(value, "score_cutoff")?;
    if cutoff.is_nan() {
        return Err(PyValueError::new_err("score_cutoff must be a number, got NaN"));
    }
    Ok(Cutoff::Score(cutoff))
}

/// Parses `workers=`, at least 1.
pub(crate) fn workers(value: &OptionalArgument<'_>) -> PyResult<usize> {
    let Some(value) = value.get() else { return Ok(1) };
    let int = value.cast::<PyInt>().map_err(|_| wrong_type(value, "workers", "an int"))?;
    if int.lt(1)? {
        return Err(PyValueError::new_err(format!("workers must be at least 1, got {}", int.str()?.to_string_lossy())));
    }
    // A number too large for this machine means all threads.
    Ok(int.extract().unwrap_or(usize::MAX))
}

/// Returns a name, or `default` if the argument is absent.
pub(crate) fn name(value: &OptionalArgument<'_>, parameter: &str, default: &str) -> PyResult<String> {
    let Some(value) = value.get() else { return Ok(default.to_owned()) };
    Ok(string(value, parameter)?.to_str()?.to_owned())
}

/// Returns a number of bytes, or `default` if the argument is absent.
pub(crate) fn bytes(value: &OptionalArgument<'_>, parameter: &str, default: usize) -> PyResult<usize> {
    let Some(value) = value.get() else { return Ok(default) };
    let int = value.cast::<PyInt>().map_err(|_| wrong_type(value, parameter, "an int"))?;
    if int.lt(0)? {
        return Err(PyValueError::new_err(format!("{parameter} must be at least 0")));
    }
    // A number too large for this machine means no limit.
    Ok(int.extract().unwrap_or(usize::MAX))
}

/// Parses `start` and `end` of a span in a text of `len` characters.
pub(crate) fn span(start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>, len: usize) -> PyResult<(usize, usize)> {
    let position = |value: &Bound<'_, PyAny>, parameter| {
        let int = value.cast::<PyInt>().map_err(|_| wrong_type(value, parameter, "an int"))?;
        Ok::<_, PyErr>(int.extract::<usize>().ok())
    };
    match (position(start, "start")?, position(end, "end")?) {
        (Some(start), Some(end)) if start <= end && end <= len => Ok((start, end)),
        _ => Err(PyValueError::new_err(format!("start must not be above end, and both must be between 0 and {len}"))),
    }
}
