//! Many needles in one text.
//!
//! Each needle gets a plan of its own. Those whose plan is to count share the index of the text:
//! it is made tile by tile, and while a tile is in the cache all of them are counted in it. Then
//! each needle's candidates are looked at. Threads share the tiles first and the needles then.

use super::blocks::Frequencies;
use super::blocks::probe::{Piece, Probe};
use super::blocks::tile::{Layout, Tile, Wanted};
use super::candidates::{Candidate, Candidates};
use super::masks::Symbol;
use super::plan::{Force, INDEX_CYCLES_PER_CHAR, Plan, Task};
use super::search::{Route, Search};
use super::seeds::{self, Seed};
use super::{Best, Cutoff, Want};
use crate::Error;
use crate::interrupt::{Interrupt, Meter};
use crate::text::Units;
use crate::workers::Workers;

/// Needles that are searched together; their candidates are in memory at the same time.
const MAX_TOGETHER: usize = 1024;

/// Tiles that a thread takes at a time.
const TILES_PER_PART: usize = 4;

/// Below this many characters an index of the text does not pay for so many needles.
fn min_indexed_chars(needles: usize) -> usize {
    if needles < 4 { 4096 } else { 1024 }
}

/// What is asked about every needle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask {
    pub(crate) cutoff: Cutoff,
    pub(crate) want: Want,
    pub(crate) force: Force,
}

/// A needle in symbols of the text, no longer than the text.
#[derive(Clone, Debug)]
pub(crate) struct Needle {
    pub(crate) symbols: Vec<u32>,
    /// Its leftmost occurrence.
    pub(crate) exact: Option<usize>,
}

/// The best window of `text` for each needle; `None` below the cutoff.
pub(crate) fn best_of_many<T: Symbol>(
    needles: &[Needle],
    text: &[T],
    ask: Ask,
    workers: &impl Workers,
) -> Result<Vec<Option<Best>>, Error> {
    if text.len() < min_indexed_chars(needles.len()) && ask.force == Force::No {
        return workers.map(needles.len(), |index, interrupt| {
            best_of_one(&needles[index], text, ask, &mut Meter::new(interrupt))
        });
    }
    let mut found = Vec::with_capacity(needles.len());
    for needles in needles.chunks(MAX_TOGETHER) {
        let together = Together::new(needles, text, ask, workers)?;
        let parts = together.filter(workers)?;
        found.extend(workers.map(needles.len(), |index, interrupt| together.best(index, &parts, interrupt))?);
    }
    Ok(found)
}

/// Needles that share an index.
struct Together<'a, T> {
    needles: &'a [Needle],
    text: &'a [T],
    ask: Ask,
    queries: Vec<Query>,
    layout: Layout,
    /// Numbers of the needles that are counted.
    counted: Vec<usize>,
}

/// What will be done for a needle.
struct Query {
    seed: Option<Seed>,
    plan: Plan,
    probes: Vec<Probe>,
    /// The place among those that are counted.
    rank: usize,
}

impl Query {
    fn new<T: Symbol>(
        needle: &Needle,
        text: &[T],
        ask: Ask,
        frequencies: Option<&Frequencies>,
        sharing: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Error> {
        let len = needle.symbols.len();
        let floor = ask.cutoff.min_lcs(len).max(1);
        let mut query = Self { seed: None, plan: Plan::Walk, probes: Vec::new(), rank: 0 };
        if needle.exact.is_some() || floor > len {
            return Ok(query);
        }
        if seeds::pay(len, floor) {
            query.seed = seeds::best(Units::U32(&needle.symbols), text, meter)?;
        }
        let good = query.seed.filter(|seed| seed.lcs >= floor);
        let useful = good.map_or(floor, |seed| seed.lcs + usize::from(ask.want == Want::Score));
        let index_cycles = INDEX_CYCLES_PER_CHAR * text.len() as f32 / sharing as f32;
        let task = Task { needle: &needle.symbols, text: text.len(), useful, frequencies, index_cycles };
        query.plan = task.plan::<T>(ask.force);
        Ok(query)
    }
}

/// The best window of `text` for one needle, without an index of the text: for short texts.
fn best_of_one<T: Symbol>(
    needle: &Needle,
    text: &[T],
    ask: Ask,
    meter: &mut Meter<'_>,
) -> Result<Option<Best>, Error> {
    let query = Query::new(needle, text, ask, None, 1, meter)?;
    let route = if matches!(query.plan, Plan::Comb) { Route::Comb } else { Route::Walk };
    let (needle, exact) = (Units::U32(&needle.symbols), needle.exact);
    Search { needle, text, cutoff: ask.cutoff, want: ask.want, seed: query.seed, meter }.run(exact, route)
}

/// Candidates from some tiles, for each needle that is counted; `None` if there were so many that
/// another way is better.
type Part = Vec<Option<Vec<Candidate>>>;

impl<'a, T: Symbol> Together<'a, T> {
    fn new(needles: &'a [Needle], text: &'a [T], ask: Ask, workers: &impl Workers) -> Result<Self, Error> {
        let frequencies = Frequencies::of(text);
        let mut queries = workers.map(needles.len(), |index, interrupt| {
            let mut meter = Meter::new(interrupt);
            Query::new(&needles[index], text, ask, Some(&frequencies), needles.len(), &mut meter)
        })?;
        let (mut wanted, mut lead, mut counted) = (Wanted::none(), 0, Vec::new());
        for (index, query) in queries.iter_mut().enumerate() {
            let Plan::Count(choices) = &query.plan else { continue };
            for choice in choices {
                choice.want(&mut wanted);
                lead = lead.max(choice.piece.left);
            }
            query.rank = counted.len();
            counted.push(index);
        }
        let layout = Layout::new(&wanted, text.len(), lead);
        for query in &mut queries {
            if let Plan::Count(choices) = &query.plan {
                query.probes = choices.iter().map(|choice| choice.probe(&layout)).collect();
            }
        }
        Ok(Self { needles, text, ask, queries, layout, counted })
    }

    /// Counts in all tiles.
    fn filter(&self, workers: &impl Workers) -> Result<Vec<Part>, Error> {
        if self.counted.is_empty() {
            return Ok(Vec::new());
        }
        let tiles = self.layout.tiles(self.text.len());
        let per_part = if workers.threads() == 1 { tiles } else { TILES_PER_PART };
        workers.map(tiles.div_ceil(per_part), |part, interrupt| {
            self.filter_tiles(part * per_part..tiles.min((part + 1) * per_part), interrupt)
        })
    }

    fn filter_tiles(&self, tiles: std::ops::Range<usize>, interrupt: &dyn Interrupt) -> Result<Part, Error> {
        let mut meter = Meter::new(interrupt);
        let mut part: Part = vec![Some(Vec::new()); self.counted.len()];
        let mut tile = Tile::default();
        for index in tiles {
            tile.build(&self.layout, self.text, index);
            meter.add(1 << 15)?;
            for (candidates, &needle) in part.iter_mut().zip(&self.counted) {
                self.count(&self.queries[needle], self.needles[needle].symbols.len(), &tile, candidates, &mut meter)?;
            }
        }
        Ok(part)
    }

    fn count(
        &self,
        query: &Query,
        needle: usize,
        tile: &Tile,
        candidates: &mut Option<Vec<Candidate>>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Error> {
        let pieces = query.probes.len();
        let Some(found) = candidates else { return Ok(()) };
        for (piece, probe) in query.probes.iter().enumerate() {
            meter.add(probe.work_chars(&self.layout))?;
            probe.count(&self.layout, tile, |place, missing| {
                let bound = needle - (pieces * missing as usize).div_ceil(3).min(needle);
                // All fit: texts have fewer than 2³¹ characters.
                found.push(Candidate { bound: bound as u32, piece: piece as u32, place: place as i32 });
            });
        }
        if found.len() > self.max_candidates(needle) {
            *candidates = None;
        }
        Ok(())
    }

    /// More than this would cost more to look at than to walk over the text.
    fn max_candidates(&self, needle: usize) -> usize {
        64 + self.text.len() / (8 + needle / 2)
    }

    /// The best window for one needle.
    fn best(&self, index: usize, parts: &[Part], interrupt: &dyn Interrupt) -> Result<Option<Best>, Error> {
        let (needle, query) = (&self.needles[index], &self.queries[index]);
        let Ask { cutoff, want, .. } = self.ask;
        let mut meter = Meter::new(interrupt);
        let symbols = Units::U32(&needle.symbols);
        let search = Search { needle: symbols, text: self.text, cutoff, want, seed: query.seed, meter: &mut meter };
        match &query.plan {
            Plan::Walk => search.run(needle.exact, Route::Walk),
            Plan::Comb => search.run(needle.exact, Route::Comb),
            Plan::Count(choices) => {
                let blocks: Option<Vec<_>> = parts.iter().map(|part| part[query.rank].as_deref()).collect();
                let Some(blocks) = blocks else { return search.run(needle.exact, Route::Walk) };
                let pieces: Vec<Piece> = choices.iter().map(|choice| choice.piece).collect();
                let candidates = Candidates { needle: symbols.len(), pieces: &pieces, blocks: blocks.concat() };
                search.run(needle.exact, Route::Candidates(&candidates))
            }
        }
    }
}
