//! One text that is searched many times: by scanning at first, by a [`sampled_index`] once that has paid off.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::sampled_index::{self, COARSE_STEP, FINE_STEP, LookupResult, SampledIndex};
use super::single::find;
use crate::memory_budget::MemoryBudget;
use crate::text::CodeUnit;

/// Below this many characters a text is scanned faster than the coarse index is asked.
const MIN_COARSE_CHARS: usize = 2048;

/// The same for the fine index, of which few questions are asked.
const MIN_FINE_CHARS: usize = 64;

/// Making the coarse index costs as much as scanning the whole text about this often.
const SCANS_PER_COARSE: usize = 8;

/// The same for the fine one.
const SCANS_PER_FINE: usize = 64;

/// Setting up a scan costs as much as scanning this many characters.
const SET_UP_CHARS: usize = 1 << 10;

/// A scan of a text this long is over before the caller could have done something else.
const MAX_AT_ONCE_CHARS: usize = 1 << 17;

/// Asking an index, and scanning for each character, in cycles.
const LOOK_UP_CYCLES: f32 = 700.0;
const SCAN_CYCLES_PER_CHAR: f32 = 0.15;

/// What the searches of one text share.
#[derive(Debug)]
pub(crate) struct AdaptiveSearcher {
    coarse: OnceLock<SampledIndex<COARSE_STEP>>,
    /// `None`: it would take too much memory.
    fine: OnceLock<Option<SampledIndex<FINE_STEP>>>,
    /// Characters that searches have looked at so far.
    scanned_chars: AtomicUsize,
    budget: Arc<MemoryBudget>,
}

impl AdaptiveSearcher {
    /// For searches of `text`, which keep no more than `budget` says: the coarse index for certain.
    pub(crate) fn new<T: CodeUnit>(text: &[T], budget: Arc<MemoryBudget>) -> Self {
        if text.len() >= MIN_COARSE_CHARS {
            budget.take(sampled_index::max_bytes::<T>(COARSE_STEP, text.len()));
        }
        Self { coarse: OnceLock::new(), fine: OnceLock::new(), scanned_chars: AtomicUsize::new(0), budget }
    }

    /// Leftmost occurrence of `needle` in `text`, which is always the same text; the empty one
    /// occurs nowhere.
    #[inline]
    pub(crate) fn find<T: CodeUnit>(&self, text: &[T], needle: &[T]) -> Option<usize> {
        self.look_up(text, needle).unwrap_or_else(|| self.scan(text, needle))
    }

    /// The same if it takes microseconds, `None` otherwise.
    #[inline]
    pub(crate) fn find_at_once<T: CodeUnit>(&self, text: &[T], needle: &[T]) -> Option<Option<usize>> {
        if text.len() <= MAX_AT_ONCE_CHARS { Some(self.find(text, needle)) } else { self.look_up_made(text, needle) }
    }

    /// Says that `searches` are coming, so that the coarse index of a text of `chars` characters need not
    /// wait until they have cost as much as it does.
    pub(crate) fn expect(&self, searches: usize, chars: usize) {
        if searches >= 2 * SCANS_PER_COARSE {
            self.scanned_chars.fetch_max(SCANS_PER_COARSE * chars, Ordering::Relaxed);
        }
    }

    /// What a search for a needle of so many characters costs, in cycles, roughly.
    pub(crate) fn cycles<T: CodeUnit>(&self, text: &[T], needle: usize) -> f32 {
        let is_made = has_fine(text, needle) && matches!(self.fine.get(), Some(Some(_)));
        if is_made || (has_coarse(text, needle) && self.scans(text) >= SCANS_PER_COARSE) {
            return LOOK_UP_CYCLES;
        }
        LOOK_UP_CYCLES + SCAN_CYCLES_PER_CHAR * text.len() as f32
    }

    /// Where most of `needle` may stand, as [`SampledIndex::likeliest`] says, if it is time for the coarse index.
    pub(crate) fn likeliest<T: CodeUnit>(&self, text: &[T], needle: &[T]) -> Option<isize> {
        self.coarse(text)?.likeliest(text, needle)
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let fine = self.fine.get().and_then(Option::as_ref);
        self.coarse.get().map_or(0, SampledIndex::heap_bytes) + fine.map_or(0, SampledIndex::heap_bytes)
    }

    /// What the indexes say, made if it is time for them; `None` if they have no answer.
    #[inline]
    fn look_up<T: CodeUnit>(&self, text: &[T], needle: &[T]) -> Option<Option<usize>> {
        if has_fine(text, needle.len())
            && let Some(index) = self.fine(text)
        {
            return answer(index.find(text, needle));
        }
        if has_coarse(text, needle.len()) { answer(self.coarse(text)?.find(text, needle)) } else { None }
    }

    /// The same by indexes that are there.
    fn look_up_made<T: CodeUnit>(&self, text: &[T], needle: &[T]) -> Option<Option<usize>> {
        if has_fine(text, needle.len())
            && let Some(Some(index)) = self.fine.get()
        {
            return answer(index.find(text, needle));
        }
        if has_coarse(text, needle.len()) { answer(self.coarse.get()?.find(text, needle)) } else { None }
    }

    fn scan<T: CodeUnit>(&self, text: &[T], needle: &[T]) -> Option<usize> {
        let found = find(text, needle, 0);
        self.scanned_chars.fetch_add(SET_UP_CHARS + found.unwrap_or(text.len()), Ordering::Relaxed);
        found
    }

    /// The coarse index, once scanning has cost as much as making it.
    fn coarse<T: CodeUnit>(&self, text: &[T]) -> Option<&SampledIndex<COARSE_STEP>> {
        if self.coarse.get().is_none() && self.scans(text) < SCANS_PER_COARSE {
            return None;
        }
        Some(self.coarse.get_or_init(|| SampledIndex::new(text)))
    }

    /// The fine index, once scanning has cost as much as making it, if there is room for it.
    #[inline]
    fn fine<T: CodeUnit>(&self, text: &[T]) -> Option<&SampledIndex<FINE_STEP>> {
        if self.fine.get().is_none() && self.scans(text) < SCANS_PER_FINE {
            return None;
        }
        let make = || {
            let has_room = self.budget.take(sampled_index::max_bytes::<T>(FINE_STEP, text.len()));
            has_room.then(|| SampledIndex::new(text))
        };
        self.fine.get_or_init(make).as_ref()
    }

    /// How often all of `text` has been looked at.
    fn scans<T>(&self, text: &[T]) -> usize {
        self.scanned_chars.load(Ordering::Relaxed) / text.len().max(1)
    }
}

/// Whether the coarse index of `text` can find a needle of `needle` characters.
fn has_coarse<T: CodeUnit>(text: &[T], needle: usize) -> bool {
    needle >= sampled_index::min_pattern_chars::<T>(COARSE_STEP) && text.len() >= MIN_COARSE_CHARS
}

/// The same of the fine one.
#[inline]
fn has_fine<T: CodeUnit>(text: &[T], needle: usize) -> bool {
    needle >= sampled_index::min_pattern_chars::<T>(FINE_STEP) && text.len() >= MIN_FINE_CHARS
}

fn answer(lookup: LookupResult) -> Option<Option<usize>> {
    match lookup {
        LookupResult::Found(start) => Some(Some(start)),
        LookupResult::Absent => Some(None),
        LookupResult::TooCommon => None,
    }
}
