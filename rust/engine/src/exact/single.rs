//! Search for one pattern: substring search by the width of the text, and the Knuth–Morris–Pratt automaton for
//! overlapping occurrences.
//!
//! Source: Knuth, Morris, Pratt 1977, "Fast pattern matching in strings".

use memchr::memmem;

use super::packed_pair::PackedPair;
use crate::text::CodeUnit;

/// Maximum number of start positions that are compared one by one; setting up a search would take longer.
const MAX_COMPARED: usize = 8;

/// A nonempty pattern with its prepared search.
#[derive(Debug)]
pub(super) struct Searcher<'a, T> {
    pattern: &'a [T],
    method: Method<'a, T>,
}

#[derive(Debug)]
enum Method<'a, T> {
    Bytes(Box<memmem::Finder<'a>>),
    PackedPair(PackedPair<T>),
}

impl<'a, T: CodeUnit> Searcher<'a, T> {
    /// Prepares the search, tuned to the character frequencies of `text` but usable for any text. Returns `None` for
    /// the empty pattern, which never occurs.
    pub(super) fn new(pattern: &'a [T], text: &[T]) -> Option<Self> {
        if pattern.is_empty() {
            return None;
        }
        let method = if size_of::<T>() == 1 {
            Method::Bytes(Box::new(memmem::Finder::new(bytemuck::cast_slice(pattern))))
        } else {
            Method::PackedPair(PackedPair::rarest(pattern, text))
        };
        Some(Self { pattern, method })
    }

    /// Returns the leftmost occurrence in `text` at or after `from`. Linear in `text`.
    pub(super) fn find(&self, text: &[T], from: usize) -> Option<usize> {
        match &self.method {
            Method::Bytes(finder) => Some(from + finder.find(bytemuck::cast_slice(&text[from..]))?),
            Method::PackedPair(pair) => {
                pair.find(text, self.pattern, from).unwrap_or_else(|place| find_kmp(text, self.pattern, place))
            }
        }
    }
}

/// Returns the leftmost occurrence of `pattern` in `text` at or after `from`. The empty pattern never occurs. Linear in
/// `text` in the worst case.
pub(crate) fn find<T: CodeUnit>(text: &[T], pattern: &[T], from: usize) -> Option<usize> {
    if pattern.is_empty() || text.len() - from < pattern.len() {
        return None;
    }
    if text.len() - from - pattern.len() <= MAX_COMPARED {
        let places = text[from..].windows(pattern.len());
        return places.into_iter().position(|window| window == pattern).map(|place| from + place);
    }
    if size_of::<T>() == 1 {
        let place = memmem::find(bytemuck::cast_slice(&text[from..]), bytemuck::cast_slice(pattern))?;
        return Some(from + place);
    }
    Searcher::new(pattern, &text[from..])?.find(text, from)
}

/// Returns the length of the longest border of each prefix of a pattern (the failure function). A border is a proper
/// prefix that is also a suffix.
fn failure_function<T: CodeUnit>(pattern: &[T]) -> Vec<u32> {
    let mut failure_function = vec![0_u32; pattern.len()];
    let mut border = 0;
    for index in 1..pattern.len() {
        border = advance(pattern, &failure_function, border, pattern[index]);
        failure_function[index] = border as u32;
    }
    failure_function
}

/// Returns the length of the longest prefix of `pattern` that ends with `unit`, after a match of `matched` characters.
fn advance<T: CodeUnit>(pattern: &[T], failure_function: &[u32], mut matched: usize, unit: T) -> usize {
    while matched > 0 && (matched == pattern.len() || pattern[matched] != unit) {
        matched = failure_function[matched - 1] as usize;
    }
    if pattern[matched] == unit { matched + 1 } else { 0 }
}

/// Returns the leftmost occurrence at or after `from` by Knuth–Morris–Pratt, for a text full of near occurrences.
fn find_kmp<T: CodeUnit>(text: &[T], pattern: &[T], from: usize) -> Option<usize> {
    let failure_function = failure_function(pattern);
    let mut matched = 0;
    for (index, &unit) in text.iter().enumerate().skip(from) {
        matched = advance(pattern, &failure_function, matched, unit);
        if matched == pattern.len() {
            return Some(index + 1 - pattern.len());
        }
    }
    None
}

/// Calls `found` with every occurrence of `pattern` from left to right, including overlapping ones, until it returns an
/// error. `O(text + pattern)`.
pub(crate) fn find_all<T: CodeUnit, E>(
    text: &[T],
    pattern: &[T],
    mut found: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let Some(finder) = Searcher::new(pattern, text) else { return Ok(()) };
    let Some(first) = finder.find(text, 0) else { return Ok(()) };
    let failure_function = failure_function(pattern);
    let mut next = Some(first);
    while let Some(start) = next {
        found(start)?;
        let mut matched = pattern.len();
        let mut end = start + pattern.len();
        // An occurrence that overlaps this one starts with a border of the pattern.
        while matched > 0 && end < text.len() {
            matched = advance(pattern, &failure_function, matched, text[end]);
            end += 1;
            if matched == pattern.len() {
                found(end - pattern.len())?;
            }
        }
        next = finder.find(text, end);
    }
    Ok(())
}
