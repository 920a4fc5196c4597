//! Aligns quote and passage: anchors them at exact matches, then fills the gaps between the anchors with tables.

use super::block::{Block, Blocks};
use super::chaining::chain;
use super::gotoh::Table;
use super::matches::runs;
use super::scoring::{PASSAGE_CHAR, QUOTE_CHAR, QUOTE_GAP};
use super::sequence::{Free, Part, Sides};
use crate::Error;
use crate::cancel::CancelMeter;

/// The maximum number of cells of a table that is filled without searching for exact matches.
const SMALL_CELLS: usize = 1 << 8;

/// The maximum number of cells of a table for a region without usable exact matches.
const MAX_CELLS: usize = 1 << 19;

/// The q-gram lengths that exact matches are searched with, each with the minimum length of a region for it, in
/// characters. Short q-grams occur too often in a long text.
const GRAMS: [(usize, usize); 3] = [(24, 1 << 15), (14, 1 << 11), (7, 0)];

/// The number of quote characters in a tile, used where there are no exact matches and one table would be too large.
const TILE_CHARS: usize = 128;

/// An alignment under construction.
pub(super) struct Path<'a, 'm> {
    sides: &'a Sides,
    blocks: Blocks,
    table: Table,
    meter: &'a mut CancelMeter<'m>,
}

/// Aligns both sequences completely, except for the ends of the passage that are `free`.
///
/// # Complexity
///
/// Linear time in both lengths for texts with common substrings; otherwise at most `O(TILE_CHARS · quote + passage)` in
/// addition to tables of half a million cells. Linear memory.
pub(super) fn align(sides: &Sides, free: Free, meter: &mut CancelMeter<'_>) -> Result<Blocks, Error> {
    let mut path = Path { sides, blocks: Blocks::default(), table: Table::default(), meter };
    path.part(Part { quote: 0..sides.quote.len(), passage: 0..sides.passage.len() }, free, &GRAMS)?;
    Ok(path.blocks)
}

impl Path<'_, '_> {
    /// Aligns `part` around the exact matches for the first of `grams` for which it is long enough.
    fn part(&mut self, part: Part, free: Free, grams: &[(usize, usize)]) -> Result<(), Error> {
        if part.quote.is_empty() || part.passage.is_empty() {
            return Ok(());
        }
        if part.cells() <= SMALL_CELLS {
            return self.fill(&part, free);
        }
        let chars = part.quote.len().max(part.passage.len());
        let Some((&(gram, least), shorter)) = grams.split_first() else { return self.without_runs(part, free) };
        if chars < least {
            return self.part(part, free, shorter);
        }
        let runs = runs(self.sides, &part, gram, self.meter)?;
        let chain = chain(self.sides, &part, free, &runs, self.meter)?;
        if chain.is_empty() { self.part(part, free, shorter) } else { self.around(part, free, &chain, shorter) }
    }

    /// Aligns the gaps before, between and after the exact matches of `chain`.
    fn around(&mut self, part: Part, free: Free, chain: &[Block], grams: &[(usize, usize)]) -> Result<(), Error> {
        let (mut quote, mut passage) = (part.quote.start, part.passage.start);
        for (index, &run) in chain.iter().enumerate() {
            let start = free.start && index == 0;
            if start {
                passage = passage.max(run.passage.saturating_sub(reach(run.quote - quote)));
            }
            let before = Part { quote: quote..run.quote, passage: passage..run.passage };
            self.part(before, Free { start, end: false }, grams)?;
            self.blocks.push(run);
            (quote, passage) = (run.quote_end(), run.passage_end());
        }
        let mut passage = passage..part.passage.end;
        if free.end {
            passage.end = passage.end.min(passage.start + reach(part.quote.end - quote));
        }
        self.part(Part { quote: quote..part.quote.end, passage }, Free { start: false, end: free.end }, grams)
    }

    fn fill(&mut self, part: &Part, free: Free) -> Result<(), Error> {
        self.table.align(self.sides, part, free, &mut self.blocks, self.meter)
    }

    /// Aligns a region with no exact matches, or with too many.
    fn without_runs(&mut self, mut part: Part, free: Free) -> Result<(), Error> {
        if part.cells() <= MAX_CELLS {
            return self.fill(&part, free);
        }
        // Too long to try every position: takes as much of the passage as the quote is long, from the middle or at the
        // fixed end.
        let idle = part.passage.len().saturating_sub(part.quote.len());
        match free {
            Free { start: true, end: true } => {
                part.passage = part.passage.start + idle / 2..part.passage.end - idle.div_ceil(2)
            }
            Free { start: true, end: false } => part.passage.start += idle,
            Free { start: false, end: true } => part.passage.end -= idle,
            Free::NOWHERE => {}
        }
        self.tiles(part)
    }

    /// Aligns `part` tile by tile: aligns a tile at its start, keeps the first half, and continues from there.
    fn tiles(&mut self, mut part: Part) -> Result<(), Error> {
        while !part.passage.is_empty() && part.quote.len() > TILE_CHARS {
            let quote = part.quote.start..part.quote.start + TILE_CHARS;
            let passage = part.passage.start..part.passage.end.min(part.passage.start + 2 * TILE_CHARS);
            let tile = Part { quote, passage };
            let mut blocks = Blocks::default();
            self.table.align(self.sides, &tile, Free { start: false, end: true }, &mut blocks, self.meter)?;
            part.quote.start += TILE_CHARS / 2;
            for &block in blocks.as_slice() {
                let kept = block.len.min(part.quote.start.saturating_sub(block.quote));
                self.blocks.push(Block { len: kept, ..block });
                part.passage.start = part.passage.start.max(if kept > 0 { block.passage + kept } else { 0 });
            }
        }
        part.passage.end = part.passage.end.min(part.passage.start + reach(part.quote.len()));
        self.part(part, Free::NOWHERE, &[])
    }
}

/// Returns the maximum number of passage characters in a gap for `chars` quote characters. In a longer gap, leaving
/// these characters unpaired is cheaper.
fn reach(chars: usize) -> usize {
    const EACH: usize = 1 + (QUOTE_CHAR / PASSAGE_CHAR) as usize;
    if chars == 0 { 0 } else { chars * EACH + QUOTE_GAP as usize }
}
