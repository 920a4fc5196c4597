//! The index of a text for later searches, built on first use and shared by all threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::bitmap::tile::{BitmapLayout, BitmapTile, Builder, MAX_LEAD, RequiredRows};
use super::bitmap::{BigramFrequencies, BlockSize};
use crate::memory_budget::MemoryBudget;
use crate::text::CodeUnit;

/// Minimum number of counted needles before the bitmap rows of a text are retained.
const MIN_NEEDLES: usize = 16;

/// Maximum memory of the bitmap rows, in bytes per character of the text. Prose needs about six.
const MAX_BYTES_PER_CHAR: usize = 8;

/// The index of one text, initially empty.
#[derive(Debug, Default)]
pub(crate) struct TextIndex {
    frequencies: OnceLock<BigramFrequencies>,
    /// `None` if the rows would exceed the memory budget.
    tiles: OnceLock<Option<BitmapTiles>>,
    /// The number of needles counted so far.
    counted: AtomicUsize,
    budget: Arc<MemoryBudget>,
}

/// The bitmap rows of a whole text, by tile.
#[derive(Debug)]
pub(super) struct BitmapTiles {
    pub(super) layout: BitmapLayout,
    tiles: Vec<OnceLock<BitmapTile>>,
}

impl TextIndex {
    /// Creates an empty index that takes its memory from `budget`.
    pub(crate) fn new(budget: Arc<MemoryBudget>) -> Self {
        Self { budget, ..Self::default() }
    }

    pub(super) fn frequencies<T: CodeUnit>(&self, text: &[T]) -> &BigramFrequencies {
        self.frequencies.get_or_init(|| BigramFrequencies::of(text))
    }

    /// Returns the cost of the bigram frequencies, in cycles; 0 if they are known.
    pub(super) fn frequencies_cycles<T>(&self, text: &[T]) -> f32 {
        if self.frequencies.get().is_some() { 0.0 } else { BigramFrequencies::cycles(text.len()) }
    }

    /// Returns the number of needles that share the cost of the bitmap rows, including `needles` new ones; 0 if the
    /// rows exist.
    pub(super) fn sharing(&self, needles: usize) -> usize {
        if self.has_tiles() {
            return 0;
        }
        needles + self.counted.load(Ordering::Relaxed)
    }

    /// Returns whether the bitmap rows exist.
    pub(super) fn has_tiles(&self) -> bool {
        self.tiles.get().is_some_and(Option::is_some)
    }

    /// Returns whether the bitmap rows exist or may be built later.
    pub(super) fn can_have_tiles(&self) -> bool {
        self.tiles.get().is_none_or(Option::is_some)
    }

    /// Counts `needles` more needles, and returns the bitmap rows if they are due.
    pub(super) fn tiles<T: CodeUnit>(&self, text: &[T], needles: usize) -> Option<&BitmapTiles> {
        if self.counted.fetch_add(needles, Ordering::Relaxed) + needles < MIN_NEEDLES {
            return None;
        }
        self.tiles.get_or_init(|| BitmapTiles::new(text, self.frequencies(text), &self.budget)).as_ref()
    }

    /// Returns the heap size in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        let tiles = self.tiles.get().and_then(Option::as_ref);
        tiles.map_or(0, |tiles| {
            tiles.layout.tile_bytes() * tiles.tiles.iter().filter(|tile| tile.get().is_some()).count()
        })
    }
}

impl BitmapTiles {
    fn new<T: CodeUnit>(text: &[T], frequencies: &BigramFrequencies, budget: &MemoryBudget) -> Option<Self> {
        let layout =
            BitmapLayout::new(&RequiredRows::all_of(text), frequencies, text.len(), MAX_LEAD, BlockSize::Large);
        let count = layout.tiles(text.len());
        let bytes = count * layout.tile_bytes();
        let is_bounded = bytes <= MAX_BYTES_PER_CHAR * text.len() && budget.try_reserve(bytes);
        is_bounded.then(|| Self { layout, tiles: (0..count).map(|_| OnceLock::new()).collect() })
    }

    /// Returns tile `index` of `text`, which must be the same text in every call.
    pub(super) fn get<T: CodeUnit>(&self, text: &[T], index: usize) -> &BitmapTile {
        self.tiles[index].get_or_init(|| {
            let mut tile = BitmapTile::default();
            Builder::default().build(&self.layout, text, index, &mut tile);
            tile
        })
    }
}
