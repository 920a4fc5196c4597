//! One pattern, everywhere in a text: the scan that suits the width.

use memchr::memmem;

use super::overlapping::find_kmp;
use super::packed_pair::{Outcome, Pair};
use crate::text::CodeUnit;

/// As many places as this are compared one by one in less time than a search is set up.
const MAX_COMPARED: usize = 8;

/// After this many hits between two characters the byte search has met a text made against it.
const MAX_SPLIT_HITS: usize = 64;

/// A pattern and what was read off it. It has at least one character.
#[derive(Debug)]
pub(super) struct Searcher<'a, T> {
    pattern: &'a [T],
    scan: Scan<'a, T>,
}

#[derive(Debug)]
enum Scan<'a, T> {
    Bytes(Box<memmem::Finder<'a>>),
    Pair(Pair<T>),
}

impl<'a, T: CodeUnit> Searcher<'a, T> {
    /// Made for `text`, to search in it or in others. `None` for the empty pattern, which occurs
    /// nowhere.
    pub(super) fn new(pattern: &'a [T], text: &[T]) -> Option<Self> {
        if pattern.is_empty() {
            return None;
        }
        let scan = if size_of::<T>() == 1 {
            Scan::Bytes(Box::new(memmem::Finder::new(bytemuck::cast_slice(pattern))))
        } else {
            Scan::Pair(Pair::rarest(pattern, text))
        };
        Some(Self { pattern, scan })
    }

    /// Leftmost occurrence in `text` at or after `from`. Linear in `text`.
    pub(super) fn find(&self, text: &[T], from: usize) -> Option<usize> {
        match &self.scan {
            Scan::Bytes(finder) => Some(from + finder.find(bytemuck::cast_slice(&text[from..]))?),
            Scan::Pair(pair) => match pair.find(text, self.pattern, from) {
                Outcome::Found(place) => Some(place),
                Outcome::Absent => None,
                Outcome::GivenUp(place) => find_bytes(text, self.pattern, place),
            },
        }
    }
}

/// Leftmost occurrence of `pattern` in `text` at or after `from`. The empty pattern occurs
/// nowhere. Linear in `text`, whatever the two are.
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

/// The way for texts that are full of near occurrences: the byte search is linear in any case.
fn find_bytes<T: CodeUnit>(text: &[T], pattern: &[T], from: usize) -> Option<usize> {
    let width = size_of::<T>();
    let finder = memmem::Finder::new(bytemuck::cast_slice(pattern));
    let bytes: &[u8] = bytemuck::cast_slice(text);
    let mut start = from * width;
    for _ in 0..MAX_SPLIT_HITS {
        let hit = start + finder.find(&bytes[start..])?;
        if hit.is_multiple_of(width) {
            return Some(hit / width);
        }
        start = hit + 1;
    }
    find_kmp(text, pattern, start / width)
}
