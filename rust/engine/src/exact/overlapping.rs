//! Occurrences that may overlap: Knuth, Morris and Pratt's automaton where they do, the fast
//! substring search in between.
//!
//! Source: Knuth, Morris, Pratt 1977, "Fast pattern matching in strings".

use super::single::Searcher;
use crate::text::CodeUnit;

/// For each prefix of a pattern, the length of its longest border (a proper prefix that is also
/// its suffix).
fn borders<T: CodeUnit>(pattern: &[T]) -> Vec<u32> {
    let mut borders = vec![0_u32; pattern.len()];
    let mut border = 0;
    for index in 1..pattern.len() {
        border = extend(pattern, &borders, border, pattern[index]);
        borders[index] = border as u32;
    }
    borders
}

/// Length of the longest prefix that ends with `unit`, if one of `matched` units ended before it.
fn extend<T: CodeUnit>(pattern: &[T], borders: &[u32], mut matched: usize, unit: T) -> usize {
    while matched > 0 && (matched == pattern.len() || pattern[matched] != unit) {
        matched = borders[matched - 1] as usize;
    }
    if pattern[matched] == unit { matched + 1 } else { 0 }
}

/// Leftmost occurrence at or after `from`, one unit at a time.
pub(super) fn find_kmp<T: CodeUnit>(text: &[T], pattern: &[T], from: usize) -> Option<usize> {
    let borders = borders(pattern);
    let mut matched = 0;
    for (index, &unit) in text.iter().enumerate().skip(from) {
        matched = extend(pattern, &borders, matched, unit);
        if matched == pattern.len() {
            return Some(index + 1 - pattern.len());
        }
    }
    None
}

/// Calls `found` with every occurrence of `pattern`, left to right, overlapping ones included,
/// until it returns an error. `O(text + pattern)`.
pub(crate) fn find_all<T: CodeUnit, E>(
    text: &[T],
    pattern: &[T],
    mut found: impl FnMut(usize) -> Result<(), E>,
) -> Result<(), E> {
    let Some(finder) = Searcher::new(pattern, text) else { return Ok(()) };
    let Some(first) = finder.find(text, 0) else { return Ok(()) };
    let borders = borders(pattern);
    let mut next = Some(first);
    while let Some(start) = next {
        found(start)?;
        let mut matched = pattern.len();
        let mut end = start + pattern.len();
        // Whatever overlaps this occurrence starts with a border of the pattern.
        while matched > 0 && end < text.len() {
            matched = extend(pattern, &borders, matched, text[end]);
            end += 1;
            if matched == pattern.len() {
                found(end - pattern.len())?;
            }
        }
        next = finder.find(text, end);
    }
    Ok(())
}
