//! Search for many needles in one text.
//!
//! Each needle has its own plan. The needles whose bigrams are counted share the bitmap rows of the text. The rows are
//! built tile by tile, and all needles are counted in a tile while it is in the cache. Then the candidates of each
//! needle are scored. The tiles are distributed over threads first, then the needles.

use std::borrow::Cow;
use std::ops::Range;

use super::bitmap::needle::Partition;
use super::bitmap::tile::{BitmapLayout, BitmapTile, Builder, RequiredRows};
use super::bitmap::{BigramFrequencies, BlockSize};
use super::candidates::{Candidate, Candidates};
use super::cost::FEW_WINDOWS;
use super::pattern_mask::MaskUnit;
use super::plan::Plan;
use super::query::{BitmapQueries, NeedleInfo, Query, Request, SharedInput};
use super::search::{Route, Search};
use super::text_index::{BitmapTiles, TextIndex};
use super::{ScoreAlignment, bigram_scan, estimates};
use crate::Error;
use crate::cancel::{Cancel, CancelMeter};
use crate::executor::{Executor, Sequential};
use crate::text::TextRef;

/// Maximum number of needles searched together, with their candidates in memory at the same time.
const MAX_TOGETHER: usize = 1024;

/// Number of needles searched together if all bitmap rows of a text fit the cache, so that their candidates fit too.
const FEW_TOGETHER: usize = 32;
const MAX_FEW_TEXT_CHARS: usize = 1 << 17;

/// Number of candidates from which the cost of scoring all is estimated. There may be a million candidates, and the
/// threads wait for the estimate.
const MAX_SAMPLED: usize = 1 << 11;

/// A text, with its index if it is searched more than once.
#[derive(Clone, Copy)]
pub(crate) struct IndexedText<'a, T> {
    pub(crate) text: &'a [T],
    pub(crate) index: Option<&'a TextIndex>,
}

impl<'a, T> IndexedText<'a, T> {
    /// Creates a text that is searched only once.
    pub(crate) fn once(text: &'a [T]) -> Self {
        Self { text, index: None }
    }
}

/// Returns the best window of a text for each needle, or `None` if its score is below the cutoff.
pub(crate) fn best_of_many<T: MaskUnit>(
    needles: &[NeedleInfo],
    searched: IndexedText<'_, T>,
    request: Request,
    executor: &impl Executor,
) -> Result<Vec<Option<ScoreAlignment>>, Error> {
    let text = searched.text;
    let small = searched.index.filter(|_| text.len() <= MAX_FEW_TEXT_CHARS);
    let (mut found, mut rest) = (Vec::with_capacity(needles.len()), needles);
    while !rest.is_empty() && !small.is_some_and(TextIndex::has_tiles) {
        let batch_len = if small.is_some_and(TextIndex::can_have_tiles) { FEW_TOGETHER } else { MAX_TOGETHER };
        let (some, later) = rest.split_at(batch_len.min(rest.len()));
        found.extend(best_of_some(some, searched, request, executor)?);
        rest = later;
    }
    // The rows exist, so the needles are all that threads can share.
    let chunks: Vec<&[NeedleInfo]> = rest.chunks(FEW_TOGETHER).collect();
    let cycles = |index: usize| chunks[index].iter().map(|needle| estimates::with_rows(needle, text.len())).sum();
    let rest = executor.map(chunks.len(), cycles, |index, cancel| {
        best_of_some(chunks[index], searched, request, &Sequential(cancel))
    })?;
    found.extend(rest.into_iter().flatten());
    Ok(found)
}

/// Returns the result of [`best_of_many`] for needles that are searched together.
fn best_of_some<T: MaskUnit>(
    needles: &[NeedleInfo],
    searched: IndexedText<'_, T>,
    request: Request,
    executor: &impl Executor,
) -> Result<Vec<Option<ScoreAlignment>>, Error> {
    let own = TextIndex::default();
    let shared_search = SharedSearch::new(needles, searched, searched.index.unwrap_or(&own), request, executor)?;
    let candidates_of_tiles = shared_search.filter(executor)?;
    let cycles = |index| shared_search.best_cycles(index, &candidates_of_tiles);
    executor.map(needles.len(), cycles, |index, cancel| shared_search.best(index, &candidates_of_tiles, cancel))
}

/// Needles that share the bitmap rows of a text.
struct SharedSearch<'a, T: MaskUnit> {
    needles: &'a [NeedleInfo],
    text: &'a [T],
    request: Request,
    queries: Vec<Query<T>>,
    /// The bitmap rows of the text, or their layout, if any needle is counted.
    rows: Option<RowSource<'a>>,
    /// The prepared probes of the needles that are counted.
    counted: Vec<BitmapQueries>,
}

enum RowSource<'a> {
    Retained(&'a BitmapTiles),
    Temporary(BitmapLayout),
}

impl RowSource<'_> {
    fn layout(&self) -> &BitmapLayout {
        match self {
            Self::Retained(tiles) => &tiles.layout,
            Self::Temporary(layout) => layout,
        }
    }
}

/// The candidates from some tiles, for each counted needle; `None` if scoring them would cost more than another
/// strategy.
type TileCandidates = Vec<Option<Vec<Candidate>>>;

impl<'a, T: MaskUnit> SharedSearch<'a, T> {
    fn new(
        needles: &'a [NeedleInfo],
        searched: IndexedText<'a, T>,
        index: &TextIndex,
        request: Request,
        executor: &impl Executor,
    ) -> Result<Self, Error> {
        let text = searched.text;
        let sharing = index.sharing(needles.len());
        // Retained rows can serve needles of any length.
        let chars: usize = needles.iter().map(|needle| needle.symbols.len()).sum();
        let block =
            if searched.index.is_some() { BlockSize::Large } else { BlockSize::for_needle(chars / needles.len()) };
        let shared = SharedInput { index, sharing, block };
        let cycles = |index: usize| {
            let (needle, exact) = (needles[index].symbols.len(), needles[index].exact);
            estimates::of_plan(needle, text.len(), exact, request.cutoff.min_lcs(needle))
        };
        let mut queries = executor.map(needles.len(), cycles, |index, cancel| {
            Query::new(&needles[index], text, request, shared, &mut CancelMeter::new(cancel))
        })?;
        let mut numbers = Vec::new();
        for (index, query) in queries.iter_mut().enumerate() {
            if matches!(query.plan, Plan::Count(_)) {
                query.rank = numbers.len();
                numbers.push(index);
            }
        }
        let rows =
            (!numbers.is_empty()).then(|| match searched.index.and_then(|index| index.tiles(text, numbers.len())) {
                Some(tiles) => RowSource::Retained(tiles),
                None => RowSource::Temporary(layout_for(&queries, index.frequencies(text), text.len(), block)),
            });
        let counted = match &rows {
            Some(rows) => {
                let len = |rank: usize| needles[numbers[rank]].symbols.len();
                let probes = |rank: usize, _: &dyn Cancel| Ok(queries[numbers[rank]].probes(len(rank), rows.layout()));
                executor.map(numbers.len(), |rank| estimates::of_probes(len(rank)), probes)?
            }
            None => Vec::new(),
        };
        Ok(Self { needles, text, request, queries, rows, counted })
    }

    /// Counts the needles in all tiles.
    fn filter(&self, executor: &impl Executor) -> Result<Vec<TileCandidates>, Error> {
        let Some(rows) = &self.rows else { return Ok(Vec::new()) };
        let tiles = rows.layout().tiles(self.text.len());
        let building = if let RowSource::Temporary(layout) = rows { layout.cycles() } else { 0.0 };
        let cycles = building + self.counted.iter().map(|probes| probes.cycles(rows.layout())).sum::<f32>();
        executor.map_ranges(tiles, |_| cycles, |tiles, cancel| self.filter_tiles(rows, tiles, cancel))
    }

    fn filter_tiles(
        &self,
        rows: &RowSource<'_>,
        tiles: Range<usize>,
        cancel: &dyn Cancel,
    ) -> Result<TileCandidates, Error> {
        let mut meter = CancelMeter::new(cancel);
        let mut part: TileCandidates = self.counted.iter().map(|_| Some(Vec::with_capacity(FEW_WINDOWS))).collect();
        let (mut builder, mut scratch) = (Builder::default(), BitmapTile::default());
        for index in tiles {
            let tile = match rows {
                RowSource::Retained(tiles) => tiles.get(self.text, index),
                RowSource::Temporary(layout) => {
                    builder.build(layout, self.text, index, &mut scratch);
                    &scratch
                }
            };
            meter.charge(1 << 15)?;
            for (candidates, probes) in part.iter_mut().zip(&self.counted) {
                probes.count(rows.layout(), tile, candidates, &mut meter)?;
            }
        }
        Ok(part)
    }

    /// Returns the candidates of the counted needle with index `rank`, or `None` if there are too many.
    fn candidates(rank: usize, candidates_of_tiles: &[TileCandidates]) -> Option<Vec<&[Candidate]>> {
        candidates_of_tiles.iter().map(|part| part[rank].as_deref()).collect()
    }

    fn best_cycles(&self, index: usize, candidates_of_tiles: &[TileCandidates]) -> f32 {
        let (query, needle) = (&self.queries[index], self.needles[index].symbols.len());
        match &query.plan {
            _ if query.exact.is_some() => 0.0,
            Plan::Count(_) => match Self::candidates(query.rank, candidates_of_tiles) {
                Some(blocks) => estimates::of_candidates(needle, &blocks, MAX_SAMPLED / self.counted.len()),
                None => estimates::of_windows(needle, query.max_candidates),
            },
            _ => query.cycles + estimates::of_windows(needle, 0),
        }
    }

    /// Returns the best window for one needle.
    fn best(
        &self,
        index: usize,
        candidates_of_tiles: &[TileCandidates],
        cancel: &dyn Cancel,
    ) -> Result<Option<ScoreAlignment>, Error> {
        let (needle, query) = (&self.needles[index], &self.queries[index]);
        let mut meter = CancelMeter::new(cancel);
        let symbols = TextRef::Ucs4(&needle.symbols);
        let (request, masks, seed) = (self.request, query.masks.as_ref(), query.seed);
        let search = Search { needle: symbols, text: self.text, request, masks, seed, meter: &mut meter };
        match &query.plan {
            Plan::Walk => search.run(query.exact, Route::Walk),
            Plan::Comb => search.run(query.exact, Route::Comb),
            Plan::Scan(scan) => {
                let partitions = [Partition::new(symbols.len(), 0, 1, 0, BlockSize::Small)];
                let blocks = Cow::Owned(scan.candidates(self.text, search.meter)?);
                let candidates =
                    Candidates { needle: symbols.len(), block: bigram_scan::WINDOWS, partitions: &partitions, blocks };
                search.run(query.exact, Route::Candidates(&candidates))
            }
            Plan::Count(choices) => {
                let blocks = Self::candidates(query.rank, candidates_of_tiles);
                let Some((blocks, rows)) = blocks.zip(self.rows.as_ref()) else {
                    return search.run(query.exact, Route::Walk);
                };
                let partitions: Vec<Partition> = choices.iter().map(|choice| choice.partition).collect();
                let candidates = Candidates {
                    needle: symbols.len(),
                    block: rows.layout().block.chars(),
                    partitions: &partitions,
                    blocks: if let [one] = blocks[..] { Cow::Borrowed(one) } else { Cow::Owned(blocks.concat()) },
                };
                search.run(query.exact, Route::Candidates(&candidates))
            }
        }
    }
}

/// Returns a layout with rows for the bigrams that the queries count.
fn layout_for<T: MaskUnit>(
    queries: &[Query<T>],
    frequencies: &BigramFrequencies,
    text: usize,
    block: BlockSize,
) -> BitmapLayout {
    let (mut required, mut lead) = (RequiredRows::none(), 0);
    for query in queries {
        let Plan::Count(choices) = &query.plan else { continue };
        for choice in choices {
            choice.require(&mut required);
            lead = lead.max(choice.partition.left);
        }
    }
    BitmapLayout::new(&required, frequencies, text, lead, block)
}
