//! `partial_ratio` and related functions, by raw code points and with RapidFuzz's conventions.

use groundwire_engine::{self as engine, Cutoff, TextRef};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyString};

use crate::alignment::Alignment;
use crate::arguments::OptionalArgument;
use crate::{arguments, arrays, characters, pool, signals};

/// Returns a string, or `None` for a value that RapidFuzz scores 0: None, a float NaN, pandas.NA.
fn string_or_missing<'a, 'py>(
    value: &'a Bound<'py, PyAny>,
    parameter: &str,
) -> PyResult<Option<&'a Bound<'py, PyString>>> {
    if let Ok(string) = value.cast::<PyString>() {
        return Ok(Some(string));
    }
    let is_nan = || value.cast::<PyFloat>().is_ok_and(|float| float.value().is_nan());
    let is_missing = value.is_none() || is_nan() || value.get_type().qualname()? == "NAType";
    if is_missing { Ok(None) } else { arguments::string(value, parameter).map(Some) }
}

/// Returns the approximate number of characters that scoring two strings examines.
fn work_chars(a: TextRef<'_>, b: TextRef<'_>) -> usize {
    let (short, long) = (a.len().min(b.len()), a.len().max(b.len()));
    long.saturating_mul(1 + short / 64)
}

/// Return the best similarity of the shorter string with any window of the longer one, 0 to 100.
///
/// Identical to RapidFuzz's partial_ratio to the last bit, in a fraction of its time on long strings.
///
/// Args:
///     s1, s2: Strings, compared by raw code points. None, NaN and pandas.NA score 0.
///     score_cutoff: Scores below it become 0; a high one speeds up long texts.
///
/// Raises:
///     TypeError: Another type.
///     ValueError: score_cutoff is NaN.
///     OverflowError: A string has more than 2**31 - 1 characters.
#[pyfunction]
#[pyo3(signature = (s1, s2, *, score_cutoff = None))]
pub(crate) fn partial_ratio(
    py: Python<'_>,
    s1: &Bound<'_, PyAny>,
    s2: &Bound<'_, PyAny>,
    score_cutoff: Option<&Bound<'_, PyAny>>,
) -> PyResult<f64> {
    let (s1, s2) = (string_or_missing(s1, "s1")?, string_or_missing(s2, "s2")?);
    let cutoff = arguments::score_cutoff(score_cutoff)?;
    let (Some(s1), Some(s2)) = (s1, s2) else { return Ok(0.0) };
    let (s1, s2) = (characters::units(s1)?, characters::units(s2)?);
    signals::run(py, work_chars(s1, s2), |cancel| engine::partial_ratio(s1, s2, cutoff, cancel))
}

/// Return the best window of a partial ratio.
///
/// Args:
///     s1, s2, score_cutoff: As for partial_ratio.
///
/// Returns:
///     An Alignment, or None if the score is below the cutoff or a string is None, NaN or pandas.NA.
///
/// Raises:
///     TypeError, ValueError, OverflowError: As for partial_ratio.
#[pyfunction]
#[pyo3(signature = (s1, s2, *, score_cutoff = None))]
pub(crate) fn partial_ratio_alignment(
    py: Python<'_>,
    s1: &Bound<'_, PyAny>,
    s2: &Bound<'_, PyAny>,
    score_cutoff: Option<&Bound<'_, PyAny>>,
) -> PyResult<Option<Alignment>> {
    let (s1, s2) = (string_or_missing(s1, "s1")?, string_or_missing(s2, "s2")?);
    let cutoff = arguments::score_cutoff(score_cutoff)?;
    let (Some(s1), Some(s2)) = (s1, s2) else { return Ok(None) };
    let (s1, s2) = (characters::units(s1)?, characters::units(s2)?);
    let best = signals::run(py, work_chars(s1, s2), |cancel| engine::partial_ratio_alignment(s1, s2, cutoff, cancel))?;
    Ok(best.map(|best| Alignment::new(best, s1.len(), s2.len())))
}

/// Return the partial ratios of many quotes with one text.
///
/// Args:
///     quotes: Strings; None, NaN and pandas.NA score 0.
///     text: A string, None, NaN or pandas.NA.
///     score_cutoff: As for partial_ratio.
///     workers: Maximum number of threads.
///
/// Returns:
///     A numpy array of float64 with shape (len(quotes),), scores 0 to 100.
///
/// Raises:
///     TypeError, ValueError, OverflowError: As for partial_ratio.
#[pyfunction]
#[pyo3(signature = (quotes, text, *, score_cutoff = None, workers = OptionalArgument::ABSENT), text_signature = "(quotes, text, *, score_cutoff=None, workers=1)")]
pub(crate) fn partial_ratio_many<'py>(
    py: Python<'py>,
    quotes: &Bound<'py, PyAny>,
    text: &Bound<'py, PyAny>,
    score_cutoff: Option<&Bound<'py, PyAny>>,
    workers: OptionalArgument<'py>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    arrays::prepare(py)?;
    let items = arguments::items(quotes, "quotes")?;
    let text = string_or_missing(text, "text")?;
    let (cutoff, workers) = (arguments::score_cutoff(score_cutoff)?, arguments::workers(&workers)?);
    let mut strings = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        strings.push(string_or_missing(item, &format!("quotes[{index}]"))?);
    }
    let text = text.map(characters::units).transpose()?;
    let quotes = strings.iter().map(|quote| quote.map(characters::units).transpose()).collect::<PyResult<Vec<_>>>()?;
    scores(py, &quotes, text, cutoff, workers)
}

fn scores<'py>(
    py: Python<'py>,
    quotes: &[Option<TextRef<'_>>],
    text: Option<TextRef<'_>>,
    cutoff: Cutoff,
    workers: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let work = text
        .map_or(0, |text| quotes.iter().flatten().map(|&quote| work_chars(quote, text)).fold(0, usize::saturating_add));
    let mut scores = vec![0.0; quotes.len()];
    let (places, present): (Vec<_>, Vec<_>) =
        quotes.iter().enumerate().filter_map(|(place, quote)| Some((place, (*quote)?))).unzip();
    if let Some(text) = text {
        let found =
            pool::run(py, work, workers, |executor| engine::partial_ratio_many(&present, text, cutoff, executor))?;
        places.into_iter().zip(found).for_each(|(place, score)| scores[place] = score);
    }
    arrays::array(py, scores)
}
