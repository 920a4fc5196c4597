//! Exact search: the leftmost occurrence, or all occurrences, of a pattern.
//!
//! `find` uses memchr's substring search for one-byte characters, and otherwise searches for two rare characters of the
//! pattern (`packed_pair`). `sampled_index` finds a pattern through an index of the text; `adaptive` scans until an
//! index is worth its cost. [`multi`] searches for many patterns at once.

pub(crate) mod adaptive;
pub(crate) mod multi;
mod packed_pair;
pub(crate) mod sampled_index;
mod single;

pub(crate) use single::{find as find_in, find_all as find_all_in};

use std::borrow::Cow;

use crate::text::{CodeUnit, Span, Text, TextRef, dispatch};

/// Finds the leftmost occurrence of `pattern` in `text`. The empty pattern never occurs.
///
/// # Complexity
///
/// Linear in both lengths.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Span, find};
///
/// assert_eq!(find("déjà vu", "vu"), Some(Span::new(5, 7)));
/// assert_eq!(find("déjà vu", "VU"), None);
/// ```
#[must_use]
pub fn find<'t, 'p>(text: impl Into<Text<'t>>, pattern: impl Into<Text<'p>>) -> Option<Span> {
    let (text, pattern) = (text.into(), pattern.into());
    let len = pattern.units().len();
    let start = dispatch!(text.units(), units => find_in(units, &convert(pattern.units())?, 0))?;
    Some(Span::new(start, start + len))
}

/// Finds all occurrences of `pattern` in `text` from left to right, including overlapping ones.
///
/// # Complexity
///
/// Linear in both lengths.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Span, find_all};
///
/// assert_eq!(find_all("aaa", "aa"), [Span::new(0, 2), Span::new(1, 3)]);
/// ```
#[must_use]
pub fn find_all<'t, 'p>(text: impl Into<Text<'t>>, pattern: impl Into<Text<'p>>) -> Vec<Span> {
    let (text, pattern) = (text.into(), pattern.into());
    let len = pattern.units().len();
    let mut spans = Vec::new();
    dispatch!(text.units(), units => {
        let Some(pattern) = convert(pattern.units()) else { return spans };
        let found: Result<(), std::convert::Infallible> = find_all_in(units, &pattern, |start| {
            spans.push(Span::new(start, start + len));
            Ok(())
        });
        let Ok(()) = found;
    });
    spans
}

/// Returns `pattern` in code units of type `T`, copied only if they differ; `None` if a character does not fit.
pub(crate) fn convert<T: CodeUnit>(pattern: TextRef<'_>) -> Option<Cow<'_, [T]>> {
    if let Some(units) = T::downcast(pattern) {
        return Some(Cow::Borrowed(units));
    }
    dispatch!(pattern, units => {
        let fits = units.iter().all(|unit| unit.code_point() <= T::MAX);
        fits.then(|| Cow::Owned(units.iter().map(|unit| T::truncated(unit.code_point())).collect()))
    })
}
