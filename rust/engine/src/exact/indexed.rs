//! One text that is searched many times: by scanning at first, by [`grid`] once that has paid off.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::finder::find;
use super::grid::{self, Grid, Lookup};
use crate::text::Unit;

/// Below this many characters a text is scanned faster than a grid is asked.
const MIN_INDEXED_CHARS: usize = 2048;

/// Making the grid costs as much as scanning the whole text about this often.
const SCANS_PER_GRID: usize = 8;

/// A scan of a text this long is over before the caller could have done something else.
const MAX_AT_ONCE_CHARS: usize = 1 << 17;

/// What the searches of one text share.
#[derive(Debug, Default)]
pub(crate) struct Indexed {
    grid: OnceLock<Grid>,
    /// Characters that searches have looked at so far.
    scanned_chars: AtomicUsize,
}

impl Indexed {
    /// Leftmost occurrence of `needle` in `text`, which is always the same text; the empty one
    /// occurs nowhere.
    #[inline]
    pub(crate) fn find<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<usize> {
        self.look_up(text, needle).unwrap_or_else(|| self.scan(text, needle))
    }

    /// The same if it takes microseconds, `None` otherwise.
    #[inline]
    pub(crate) fn find_at_once<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<Option<usize>> {
        if text.len() <= MAX_AT_ONCE_CHARS { Some(self.find(text, needle)) } else { self.look_up_made(text, needle) }
    }

    /// Says that `searches` are coming, so that the grid of a text of `chars` characters need not
    /// wait until they have cost as much as it does.
    pub(crate) fn expect(&self, searches: usize, chars: usize) {
        if searches >= 2 * SCANS_PER_GRID {
            self.scanned_chars.fetch_max(SCANS_PER_GRID * chars, Ordering::Relaxed);
        }
    }

    /// Where most of `needle` may stand, as [`Grid::likeliest`] says, if it is time for the grid.
    pub(crate) fn likeliest<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<isize> {
        self.grid(text)?.likeliest(text, needle)
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.grid.get().map_or(0, Grid::heap_bytes)
    }

    /// What the grid says, made if it is time for it; `None` if it has no answer.
    #[inline]
    fn look_up<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<Option<usize>> {
        if is_indexed(text, needle) { answer(self.grid(text)?.find(text, needle)) } else { None }
    }

    /// The same by a grid that is there.
    fn look_up_made<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<Option<usize>> {
        if is_indexed(text, needle) { answer(self.grid.get()?.find(text, needle)) } else { None }
    }

    fn scan<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<usize> {
        let found = find(text, needle, 0);
        self.scanned_chars.fetch_add(found.unwrap_or(text.len()), Ordering::Relaxed);
        found
    }

    /// The grid, once scanning has cost as much as making it.
    fn grid<T: Unit>(&self, text: &[T]) -> Option<&Grid> {
        if self.grid.get().is_none() && self.scanned_chars.load(Ordering::Relaxed) / SCANS_PER_GRID < text.len() {
            return None;
        }
        Some(self.grid.get_or_init(|| Grid::new(text)))
    }
}

/// Whether a grid of `text` can find `needle`.
#[inline]
fn is_indexed<T: Unit>(text: &[T], needle: &[T]) -> bool {
    needle.len() >= grid::min_pattern_chars::<T>() && text.len() >= MIN_INDEXED_CHARS
}

fn answer(lookup: Lookup) -> Option<Option<usize>> {
    match lookup {
        Lookup::Found(start) => Some(Some(start)),
        Lookup::Absent => Some(None),
        Lookup::TooCommon => None,
    }
}
