//! Exact search for one pattern: everywhere, leftmost, all occurrences.
//!
//! [`find`] scans with memchr's substring search on the bytes of the units. [`grid`] looks a
//! pattern up in an index of the text. [`overlapping`] goes on where occurrences overlap, in
//! linear time. [`patterns`] searches for many patterns at once.

mod anchors;
mod automaton;
mod edges;
pub(crate) mod filter;
pub(crate) mod grams;
pub(crate) mod grid;
mod index;
mod keys;
mod needles;
mod order;
mod overlapping;
pub mod patterns;
mod plan;
mod rarity;
mod sets;
mod work;

use memchr::memmem;

pub(crate) use overlapping::find_all;

use crate::text::Unit;

/// As many places as this are compared one by one in less time than a search is set up.
const MAX_COMPARED: usize = 8;

/// After this many hits between two characters the byte search has met a text made against it.
const MAX_SPLIT_HITS: usize = 64;

/// Leftmost occurrence of `pattern` in `text` at or after `from`. The empty pattern occurs
/// nowhere. Linear in `text`, whatever the two are.
pub(crate) fn find<T: Unit>(text: &[T], pattern: &[T], from: usize) -> Option<usize> {
    if pattern.is_empty() || text.len() - from < pattern.len() {
        return None;
    }
    if text.len() - from - pattern.len() <= MAX_COMPARED {
        let places = text[from..].windows(pattern.len());
        return places.into_iter().position(|window| window == pattern).map(|place| from + place);
    }
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
    overlapping::find_linear(text, pattern, start / width)
}
