//! One text that is searched many times: by scanning at first, by a [`grid`] once that has paid off.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::finder::find;
use super::grid::{self, COARSE, FINE, Grid, Lookup};
use crate::allowance::Allowance;
use crate::text::Unit;

/// Below this many characters a text is scanned faster than the coarse grid is asked.
const MIN_COARSE_CHARS: usize = 2048;

/// The same for the fine grid, of which few questions are asked.
const MIN_FINE_CHARS: usize = 64;

/// Making the coarse grid costs as much as scanning the whole text about this often.
const SCANS_PER_COARSE: usize = 8;

/// The same for the fine one.
const SCANS_PER_FINE: usize = 64;

/// Setting up a scan costs as much as scanning this many characters.
const SET_UP_CHARS: usize = 1 << 10;

/// A scan of a text this long is over before the caller could have done something else.
const MAX_AT_ONCE_CHARS: usize = 1 << 17;

/// Asking a grid, and scanning for each character, in cycles.
const LOOK_UP_CYCLES: f32 = 700.0;
const SCAN_CYCLES_PER_CHAR: f32 = 0.15;

/// What the searches of one text share.
#[derive(Debug)]
pub(crate) struct Indexed {
    coarse: OnceLock<Grid<COARSE>>,
    /// `None`: it would take too much memory.
    fine: OnceLock<Option<Grid<FINE>>>,
    /// Characters that searches have looked at so far.
    scanned_chars: AtomicUsize,
    allowance: Arc<Allowance>,
}

impl Indexed {
    /// For searches of `text`, which keep no more than `allowance` says: the coarse grid for certain.
    pub(crate) fn new<T: Unit>(text: &[T], allowance: Arc<Allowance>) -> Self {
        if text.len() >= MIN_COARSE_CHARS {
            allowance.take(grid::max_bytes::<T>(COARSE, text.len()));
        }
        Self { coarse: OnceLock::new(), fine: OnceLock::new(), scanned_chars: AtomicUsize::new(0), allowance }
    }

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

    /// Says that `searches` are coming, so that the coarse grid of a text of `chars` characters need not
    /// wait until they have cost as much as it does.
    pub(crate) fn expect(&self, searches: usize, chars: usize) {
        if searches >= 2 * SCANS_PER_COARSE {
            self.scanned_chars.fetch_max(SCANS_PER_COARSE * chars, Ordering::Relaxed);
        }
    }

    /// What a search for a needle of so many characters costs, in cycles, roughly.
    pub(crate) fn cycles<T: Unit>(&self, text: &[T], needle: usize) -> f32 {
        let is_made = has_fine(text, needle) && matches!(self.fine.get(), Some(Some(_)));
        if is_made || (has_coarse(text, needle) && self.scans(text) >= SCANS_PER_COARSE) {
            return LOOK_UP_CYCLES;
        }
        LOOK_UP_CYCLES + SCAN_CYCLES_PER_CHAR * text.len() as f32
    }

    /// Where most of `needle` may stand, as [`Grid::likeliest`] says, if it is time for the coarse grid.
    pub(crate) fn likeliest<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<isize> {
        self.coarse(text)?.likeliest(text, needle)
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let fine = self.fine.get().and_then(Option::as_ref);
        self.coarse.get().map_or(0, Grid::heap_bytes) + fine.map_or(0, Grid::heap_bytes)
    }

    /// What the grids say, made if it is time for them; `None` if they have no answer.
    #[inline]
    fn look_up<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<Option<usize>> {
        if has_fine(text, needle.len())
            && let Some(grid) = self.fine(text)
        {
            return answer(grid.find(text, needle));
        }
        if has_coarse(text, needle.len()) { answer(self.coarse(text)?.find(text, needle)) } else { None }
    }

    /// The same by grids that are there.
    fn look_up_made<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<Option<usize>> {
        if has_fine(text, needle.len())
            && let Some(Some(grid)) = self.fine.get()
        {
            return answer(grid.find(text, needle));
        }
        if has_coarse(text, needle.len()) { answer(self.coarse.get()?.find(text, needle)) } else { None }
    }

    fn scan<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<usize> {
        let found = find(text, needle, 0);
        self.scanned_chars.fetch_add(SET_UP_CHARS + found.unwrap_or(text.len()), Ordering::Relaxed);
        found
    }

    /// The coarse grid, once scanning has cost as much as making it.
    fn coarse<T: Unit>(&self, text: &[T]) -> Option<&Grid<COARSE>> {
        if self.coarse.get().is_none() && self.scans(text) < SCANS_PER_COARSE {
            return None;
        }
        Some(self.coarse.get_or_init(|| Grid::new(text)))
    }

    /// The fine grid, once scanning has cost as much as making it, if there is room for it.
    #[inline]
    fn fine<T: Unit>(&self, text: &[T]) -> Option<&Grid<FINE>> {
        if self.fine.get().is_none() && self.scans(text) < SCANS_PER_FINE {
            return None;
        }
        let make = || {
            let has_room = self.allowance.take(grid::max_bytes::<T>(FINE, text.len()));
            has_room.then(|| Grid::new(text))
        };
        self.fine.get_or_init(make).as_ref()
    }

    /// How often all of `text` has been looked at.
    fn scans<T>(&self, text: &[T]) -> usize {
        self.scanned_chars.load(Ordering::Relaxed) / text.len().max(1)
    }
}

/// Whether the coarse grid of `text` can find a needle of `needle` characters.
fn has_coarse<T: Unit>(text: &[T], needle: usize) -> bool {
    needle >= grid::min_pattern_chars::<T>(COARSE) && text.len() >= MIN_COARSE_CHARS
}

/// The same of the fine one.
#[inline]
fn has_fine<T: Unit>(text: &[T], needle: usize) -> bool {
    needle >= grid::min_pattern_chars::<T>(FINE) && text.len() >= MIN_FINE_CHARS
}

fn answer(lookup: Lookup) -> Option<Option<usize>> {
    match lookup {
        Lookup::Found(start) => Some(Some(start)),
        Lookup::Absent => Some(None),
        Lookup::TooCommon => None,
    }
}
