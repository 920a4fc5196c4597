//! Repeated search in one text: scans at first, and uses a [`sampled_index`] once that is worth its cost.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::sampled_index::{self, COARSE_STEP, FINE_STEP, SampledIndex};
use super::single::find;
use crate::memory_budget::MemoryBudget;
use crate::text::CodeUnit;

/// Minimum length of a text for the coarse index, in characters. Shorter texts are scanned faster.
const MIN_COARSE_CHARS: usize = 2048;

/// Minimum length of a text for the fine index, in characters. The fine index needs fewer lookups than the coarse
/// index.
const MIN_FINE_CHARS: usize = 64;

/// Cost of building the coarse index, in scans of the whole text.
const SCANS_PER_COARSE: usize = 8;

/// Cost of building the fine index, in scans of the whole text.
const SCANS_PER_FINE: usize = 64;

/// Cost of setting up a scan, in characters scanned.
const SET_UP_CHARS: usize = 1 << 10;

/// Maximum length of a text that `find_without_scan` scans, in characters. Such a scan takes microseconds.
const MAX_SCANNED_CHARS: usize = 1 << 17;

/// Cost of a lookup in cycles, and of a scan in cycles per character.
const LOOK_UP_CYCLES: f32 = 700.0;
const SCAN_CYCLES_PER_CHAR: f32 = 0.15;

/// The state shared by all searches of one text.
#[derive(Debug)]
pub(crate) struct AdaptiveSearcher {
    coarse: OnceLock<SampledIndex<COARSE_STEP>>,
    /// `None` if the index would exceed the memory budget.
    fine: OnceLock<Option<SampledIndex<FINE_STEP>>>,
    /// The number of characters scanned so far.
    scanned_chars: AtomicUsize,
    budget: Arc<MemoryBudget>,
}

impl AdaptiveSearcher {
    /// Creates the state for searches of `text`. The indexes take their memory from `budget`; the coarse index reserves
    /// its share immediately.
    pub(crate) fn new<T: CodeUnit>(text: &[T], budget: Arc<MemoryBudget>) -> Self {
        if text.len() >= MIN_COARSE_CHARS {
            budget.try_reserve(sampled_index::max_bytes::<T>(COARSE_STEP, text.len()));
        }
        Self { coarse: OnceLock::new(), fine: OnceLock::new(), scanned_chars: AtomicUsize::new(0), budget }
    }

    /// Returns the leftmost occurrence of `needle` in `text`, which must be the same text in every call. The empty
    /// needle never occurs.
    #[inline]
    pub(crate) fn find<T: CodeUnit>(&self, text: &[T], needle: &[T]) -> Option<usize> {
        self.look_up(text, needle, true).unwrap_or_else(|| self.scan(text, needle))
    }

    /// Returns the result of [`find`](Self::find) if that takes only microseconds, otherwise `None`.
    #[inline]
    pub(crate) fn find_without_scan<T: CodeUnit>(&self, text: &[T], needle: &[T]) -> Option<Option<usize>> {
        if text.len() <= MAX_SCANNED_CHARS { Some(self.find(text, needle)) } else { self.look_up(text, needle, false) }
    }

    /// Announces `searches` searches of a text of `chars` characters. If they would cost more than the coarse index,
    /// the next search builds it.
    pub(crate) fn announce(&self, searches: usize, chars: usize) {
        if searches >= 2 * SCANS_PER_COARSE {
            self.scanned_chars.fetch_max(SCANS_PER_COARSE * chars, Ordering::Relaxed);
        }
    }

    /// Estimates the cost of a search for a needle of `needle` characters, in cycles.
    pub(crate) fn cycles<T: CodeUnit>(&self, text: &[T], needle: usize) -> f32 {
        let is_made = has_fine(text, needle) && matches!(self.fine.get(), Some(Some(_)));
        if is_made || (has_coarse(text, needle) && self.scans(text) >= SCANS_PER_COARSE) {
            return LOOK_UP_CYCLES;
        }
        LOOK_UP_CYCLES + SCAN_CYCLES_PER_CHAR * text.len() as f32
    }

    /// Returns the result of [`SampledIndex::best_anchor`] if the coarse index is built or due.
    pub(crate) fn best_anchor<T: CodeUnit>(&self, text: &[T], needle: &[T]) -> Option<isize> {
        self.coarse(text)?.best_anchor(text, needle)
    }

    /// Returns the heap size in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let fine = self.fine.get().and_then(Option::as_ref);
        self.coarse.get().map_or(0, SampledIndex::heap_bytes) + fine.map_or(0, SampledIndex::heap_bytes)
    }

    /// Looks up `needle` in the indexes; if `builds`, builds them first if they are due. Returns `None` if they cannot
    /// decide.
    #[inline]
    fn look_up<T: CodeUnit>(&self, text: &[T], needle: &[T], builds: bool) -> Option<Option<usize>> {
        if has_fine(text, needle.len())
            && let Some(index) = if builds { self.fine(text) } else { self.fine.get().and_then(Option::as_ref) }
        {
            return index.find(text, needle);
        }
        if !has_coarse(text, needle.len()) {
            return None;
        }
        let index = if builds { self.coarse(text) } else { self.coarse.get() };
        index?.find(text, needle)
    }

    fn scan<T: CodeUnit>(&self, text: &[T], needle: &[T]) -> Option<usize> {
        let found = find(text, needle, 0);
        self.scanned_chars.fetch_add(SET_UP_CHARS + found.unwrap_or(text.len()), Ordering::Relaxed);
        found
    }

    /// Returns the coarse index once scanning has cost as much as building it.
    fn coarse<T: CodeUnit>(&self, text: &[T]) -> Option<&SampledIndex<COARSE_STEP>> {
        if self.coarse.get().is_none() && self.scans(text) < SCANS_PER_COARSE {
            return None;
        }
        Some(self.coarse.get_or_init(|| SampledIndex::new(text)))
    }

    /// Returns the fine index once scanning has cost as much as building it, if the budget allows it.
    #[inline]
    fn fine<T: CodeUnit>(&self, text: &[T]) -> Option<&SampledIndex<FINE_STEP>> {
        if self.fine.get().is_none() && self.scans(text) < SCANS_PER_FINE {
            return None;
        }
        let make = || {
            let has_room = self.budget.try_reserve(sampled_index::max_bytes::<T>(FINE_STEP, text.len()));
            has_room.then(|| SampledIndex::new(text))
        };
        self.fine.get_or_init(make).as_ref()
    }

    /// Returns the amount scanned so far, in lengths of `text`.
    fn scans<T>(&self, text: &[T]) -> usize {
        self.scanned_chars.load(Ordering::Relaxed) / text.len().max(1)
    }
}

/// Returns whether the coarse index of `text` can find a needle of `needle` characters.
fn has_coarse<T: CodeUnit>(text: &[T], needle: usize) -> bool {
    needle >= sampled_index::min_pattern_chars::<T>(COARSE_STEP) && text.len() >= MIN_COARSE_CHARS
}

/// Returns whether the fine index of `text` can find a needle of `needle` characters.
#[inline]
fn has_fine<T: CodeUnit>(text: &[T], needle: usize) -> bool {
    needle >= sampled_index::min_pattern_chars::<T>(FINE_STEP) && text.len() >= MIN_FINE_CHARS
}
