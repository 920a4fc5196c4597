//! Aligns quote and passage: anchors them at exact matches, then fills the gaps between the anchors with tables.

use super::block::{Block, Blocks};
use super::chaining::chain;
use super::gotoh::GotohTable;
use super::matches::exact_matches;
use super::scoring::{PASSAGE_CHAR, QUOTE_CHAR, QUOTE_GAP};
use super::sequence::{FreeEnds, Region, SequencePair};
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
pub(super) struct AnchoredAligner<'a, 'm> {
    sequences: &'a SequencePair,
    blocks: Blocks,
    table: GotohTable,
    meter: &'a mut CancelMeter<'m>,
}

/// Aligns both sequences completely, except for the ends of the passage that are `free`.
///
/// # Complexity
///
/// Linear time in both lengths for texts with common substrings; otherwise at most `O(TILE_CHARS · quote + passage)` in
/// addition to tables of half a million cells. Linear memory.
pub(super) fn align(sequences: &SequencePair, free: FreeEnds, meter: &mut CancelMeter<'_>) -> Result<Blocks, Error> {
    let mut aligner = AnchoredAligner { sequences, blocks: Blocks::default(), table: GotohTable::default(), meter };
    aligner.align_region(
        Region { quote: 0..sequences.quote.len(), passage: 0..sequences.passage.len() },
        free,
        &GRAMS,
    )?;
    Ok(aligner.blocks)
}

impl AnchoredAligner<'_, '_> {
    /// Aligns `region` around the exact matches for the first of `grams` for which it is long enough.
    fn align_region(&mut self, region: Region, free: FreeEnds, grams: &[(usize, usize)]) -> Result<(), Error> {
        if region.quote.is_empty() || region.passage.is_empty() {
            return Ok(());
        }
        if region.cells() <= SMALL_CELLS {
            return self.fill(&region, free);
        }
        let chars = region.quote.len().max(region.passage.len());
        let Some((&(gram, least), shorter)) = grams.split_first() else { return self.align_unanchored(region, free) };
        if chars < least {
            return self.align_region(region, free, shorter);
        }
        let matches = exact_matches(self.sequences, &region, gram, self.meter)?;
        let chain = chain(self.sequences, &region, free, &matches, self.meter)?;
        if chain.is_empty() {
            self.align_region(region, free, shorter)
        } else {
            self.align_around(region, free, &chain, shorter)
        }
    }

    /// Aligns the gaps before, between and after the exact matches of `chain`.
    fn align_around(
        &mut self,
        region: Region,
        free: FreeEnds,
        chain: &[Block],
        grams: &[(usize, usize)],
    ) -> Result<(), Error> {
        let (mut quote, mut passage) = (region.quote.start, region.passage.start);
        for (index, &found) in chain.iter().enumerate() {
            let start = free.start && index == 0;
            if start {
                passage = passage.max(found.passage.saturating_sub(max_span(found.quote - quote)));
            }
            let before = Region { quote: quote..found.quote, passage: passage..found.passage };
            self.align_region(before, FreeEnds { start, end: false }, grams)?;
            self.blocks.push(found);
            (quote, passage) = (found.quote_end(), found.passage_end());
        }
        let mut passage = passage..region.passage.end;
        if free.end {
            passage.end = passage.end.min(passage.start + max_span(region.quote.end - quote));
        }
        self.align_region(
            Region { quote: quote..region.quote.end, passage },
            FreeEnds { start: false, end: free.end },
            grams,
        )
    }

    fn fill(&mut self, region: &Region, free: FreeEnds) -> Result<(), Error> {
        self.table.align(self.sequences, region, free, &mut self.blocks, self.meter)
    }

    /// Aligns a region with no exact matches, or with too many.
    fn align_unanchored(&mut self, mut region: Region, free: FreeEnds) -> Result<(), Error> {
        if region.cells() <= MAX_CELLS {
            return self.fill(&region, free);
        }
        // The region is too long to try every position. Aligns a part of the passage that is as long as the quote: its
        // middle, or the part at the fixed end.
        let idle = region.passage.len().saturating_sub(region.quote.len());
        match free {
            FreeEnds { start: true, end: true } => {
                region.passage = region.passage.start + idle / 2..region.passage.end - idle.div_ceil(2)
            }
            FreeEnds { start: true, end: false } => region.passage.start += idle,
            FreeEnds { start: false, end: true } => region.passage.end -= idle,
            FreeEnds::NOWHERE => {}
        }
        self.tiles(region)
    }

    /// Aligns `region` tile by tile: aligns a tile at its start, keeps the first half, and continues from there.
    fn tiles(&mut self, mut region: Region) -> Result<(), Error> {
        while !region.passage.is_empty() && region.quote.len() > TILE_CHARS {
            let quote = region.quote.start..region.quote.start + TILE_CHARS;
            let passage = region.passage.start..region.passage.end.min(region.passage.start + 2 * TILE_CHARS);
            let tile = Region { quote, passage };
            let mut blocks = Blocks::default();
            self.table.align(self.sequences, &tile, FreeEnds { start: false, end: true }, &mut blocks, self.meter)?;
            region.quote.start += TILE_CHARS / 2;
            for &block in blocks.as_slice() {
                let kept = block.len.min(region.quote.start.saturating_sub(block.quote));
                self.blocks.push(Block { len: kept, ..block });
                region.passage.start = region.passage.start.max(if kept > 0 { block.passage + kept } else { 0 });
            }
        }
        region.passage.end = region.passage.end.min(region.passage.start + max_span(region.quote.len()));
        self.align_region(region, FreeEnds::NOWHERE, &[])
    }
}

/// Returns the maximum number of passage characters in a gap for `chars` quote characters. In a longer gap, leaving
/// these characters unpaired is cheaper.
fn max_span(chars: usize) -> usize {
    const EACH: usize = 1 + (QUOTE_CHAR / PASSAGE_CHAR) as usize;
    if chars == 0 { 0 } else { chars * EACH + QUOTE_GAP as usize }
}
