//! What a text keeps for later searches: made when it is first needed, shared by all threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::bitmap::tile::{Builder, Layout, MAX_LEAD, Tile, Wanted};
use super::bitmap::{Block, Frequencies};
use crate::memory_budget::MemoryBudget;
use crate::text::CodeUnit;

/// Needles after which the rows of a text are worth keeping.
const MIN_NEEDLES: usize = 16;

/// Bytes for each character of the text that its rows may take, at most. Prose needs about six.
const MAX_BYTES_PER_CHAR: usize = 8;

/// Keeps what one text needs. Empty at first.
#[derive(Debug, Default)]
pub(crate) struct Index {
    frequencies: OnceLock<Frequencies>,
    /// `None`: they would take too much memory.
    tiles: OnceLock<Option<Tiles>>,
    /// Needles that were counted so far.
    counted: AtomicUsize,
    budget: Arc<MemoryBudget>,
}

/// The rows of a whole text, tile by tile.
#[derive(Debug)]
pub(super) struct Tiles {
    pub(super) layout: Layout,
    tiles: Vec<OnceLock<Tile>>,
}

impl Index {
    /// Keeps no more than `budget` says.
    pub(crate) fn new(budget: Arc<MemoryBudget>) -> Self {
        Self { budget, ..Self::default() }
    }

    pub(super) fn frequencies<T: CodeUnit>(&self, text: &[T]) -> &Frequencies {
        self.frequencies.get_or_init(|| Frequencies::of(text))
    }

    /// How many needles share the price of the rows, `needles` now among them; 0 if it is paid.
    pub(super) fn sharing(&self, needles: usize) -> usize {
        if self.has_tiles() {
            return 0;
        }
        needles + self.counted.load(Ordering::Relaxed)
    }

    /// Whether the rows are there.
    pub(super) fn has_tiles(&self) -> bool {
        self.tiles.get().is_some_and(Option::is_some)
    }

    /// Whether the rows are there, or may be some day.
    pub(super) fn may_have_tiles(&self) -> bool {
        self.tiles.get().is_none_or(Option::is_some)
    }

    /// The rows, if it is time for them now that `needles` more are counted.
    pub(super) fn tiles<T: CodeUnit>(&self, text: &[T], needles: usize) -> Option<&Tiles> {
        if self.counted.fetch_add(needles, Ordering::Relaxed) + needles < MIN_NEEDLES {
            return None;
        }
        self.tiles.get_or_init(|| Tiles::new(text, self.frequencies(text), &self.budget)).as_ref()
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let tiles = self.tiles.get().and_then(Option::as_ref);
        tiles.map_or(0, |tiles| {
            tiles.layout.tile_bytes() * tiles.tiles.iter().filter(|tile| tile.get().is_some()).count()
        })
    }
}

impl Tiles {
    fn new<T: CodeUnit>(text: &[T], frequencies: &Frequencies, budget: &MemoryBudget) -> Option<Self> {
        let layout = Layout::new(&Wanted::all_of(text), frequencies, text.len(), MAX_LEAD, Block::Large);
        let count = layout.tiles(text.len());
        let bytes = count * layout.tile_bytes();
        let is_bounded = bytes <= MAX_BYTES_PER_CHAR * text.len() && budget.take(bytes);
        is_bounded.then(|| Self { layout, tiles: (0..count).map(|_| OnceLock::new()).collect() })
    }

    /// Tile number `index` of `text`, which is always the same text.
    pub(super) fn get<T: CodeUnit>(&self, text: &[T], index: usize) -> &Tile {
        self.tiles[index].get_or_init(|| {
            let mut tile = Tile::default();
            Builder::default().build(&self.layout, text, index, &mut tile);
            tile
        })
    }
}
