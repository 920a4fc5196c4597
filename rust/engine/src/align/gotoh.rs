//! Gotoh's algorithm: the cheapest alignment of two short texts, with affine gap costs.
//!
//! Ties: of several ends, the leftmost in the passage wins. The trace-back from there prefers a passage gap, then a
//! quote gap, then a pair, and extending a gap over opening one. So gaps are as far to the right as possible: `not `
//! includes the space after the word, not the one before it.
//!
//! Source: Gotoh 1982, "An improved algorithm for matching biological sequences".

use super::block::{Block, Blocks};
use super::scoring::{self, NEVER, PASSAGE_CHAR, QUOTE_CHAR};
use super::sequence::{FreeEnds, Region, SequencePair};
use crate::Error;
use crate::cancel::CancelMeter;

/// Bits 0 and 1: the move that leads to a cell on the cheapest path. `MOVE_MASK` is their mask.
const PAIR: u8 = 0;
const IN_PASSAGE: u8 = 1;
const IN_QUOTE: u8 = 2;
const START: u8 = 3;
const MOVE_MASK: u8 = 3;

/// Flags: the gap that ends here was already open one character before.
const PASSAGE_GAP_EXTENDS: u8 = 4;
const QUOTE_GAP_EXTENDS: u8 = 8;

/// Reusable buffers for tables.
#[derive(Debug, Default)]
pub(super) struct GotohTable {
    /// The moves and flags of all cells, row by row.
    moves: Vec<u8>,
    /// The cost of each cell of the current row.
    costs: Vec<i32>,
    /// The cost of each cell if a quote gap ends there and may be extended.
    gaps: Vec<i32>,
    /// For each position of the passage, the extra cost of a passage gap that starts or ends there, and the extra cost
    /// of a quote gap or an end of the passage there.
    edges: Vec<(i32, i32)>,
    pairs: Vec<(usize, usize)>,
}

impl GotohTable {
    /// Appends the cheapest alignment of `region` to `blocks`.
    pub(super) fn align(
        &mut self,
        sequences: &SequencePair,
        region: &Region,
        free: FreeEnds,
        blocks: &mut Blocks,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(), Error> {
        self.fill(sequences, region, free, meter)?;
        let ends = self.costs.iter().zip(&self.edges).map(|(cost, (_, within))| cost + within);
        let cheapest = || ends.enumerate().min_by_key(|&(_, cost)| cost).map_or(0, |(column, _)| column);
        let column = if free.end { cheapest() } else { region.passage.len() };
        self.trace_back(region, column);
        for &(quote, passage) in self.pairs.iter().rev() {
            blocks.push(Block { quote: region.quote.start + quote, passage: region.passage.start + passage, len: 1 });
        }
        Ok(())
    }

    fn fill(
        &mut self,
        sequences: &SequencePair,
        region: &Region,
        free: FreeEnds,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(), Error> {
        let columns = region.passage.len() + 1;
        self.moves.clear();
        self.moves.resize(region.cells(), START);
        self.edges.clear();
        let edge = |position| (sequences.passage.boundary_cost(position), sequences.passage.in_word_cost(position));
        self.edges.extend((region.passage.start..=region.passage.end).map(edge));
        self.costs.clear();
        self.costs.resize(columns, NEVER);
        self.gaps.clear();
        self.gaps.resize(columns, NEVER);
        self.first_row(free, sequences.quote.in_word_cost(region.quote.start));
        for row in region.quote.clone() {
            meter.charge(columns)?;
            self.row(sequences, region, row);
        }
        Ok(())
    }

    /// Fills the first row: a passage gap before the quote. `within` is the extra cost of a gap at that position of the
    /// quote.
    fn first_row(&mut self, free: FreeEnds, within: i32) {
        let cells = self.costs.iter_mut().zip(&mut self.moves).zip(&self.edges);
        let (mut opened_before, mut gap) = (NEVER, NEVER);
        for (column, ((cost, move_bits), &(edge, taken_apart))) in cells.enumerate() {
            let start = match column {
                _ if free.start => taken_apart,
                0 => 0,
                _ => NEVER,
            };
            let extends = if gap <= opened_before { PASSAGE_GAP_EXTENDS } else { 0 };
            gap = opened_before.min(gap) + PASSAGE_CHAR;
            (*cost, *move_bits) = if start <= gap + edge { (start, START) } else { (gap + edge, IN_PASSAGE) };
            *move_bits |= extends;
            opened_before = *cost + scoring::PASSAGE_GAP + within + edge;
        }
    }

    /// Fills the row of the quote character at `row`.
    fn row(&mut self, sequences: &SequencePair, region: &Region, row: usize) {
        let character = (sequences.quote.codes[row], sequences.quote.kinds[row]);
        let (opening, closing) =
            (scoring::QUOTE_GAP + sequences.quote.boundary_cost(row), sequences.quote.boundary_cost(row + 1));
        let passage_opening = scoring::PASSAGE_GAP + sequences.quote.in_word_cost(row + 1);
        let passage = &region.passage;
        let characters = sequences.passage.codes[passage.clone()]
            .iter()
            .copied()
            .zip(sequences.passage.kinds[passage.clone()].iter().copied());
        let pairs = std::iter::once(NEVER).chain(characters.map(|other| scoring::pair(character, other)));
        let columns = passage.len() + 1;
        let moves = self.moves[(row - region.quote.start + 1) * columns..].iter_mut();
        let cells = self.costs.iter_mut().zip(&mut self.gaps).zip(&self.edges).zip(pairs).zip(moves);
        let (mut diagonal, mut opened_before, mut passage_gap) = (NEVER, NEVER, NEVER);
        for ((((cost, gap), &(edge, within)), pair), chosen) in cells {
            let mut move_bits = 0;
            let opened = *cost + opening + within;
            if *gap <= opened {
                move_bits |= QUOTE_GAP_EXTENDS;
            }
            *gap = opened.min(*gap) + QUOTE_CHAR;
            if passage_gap <= opened_before {
                move_bits |= PASSAGE_GAP_EXTENDS;
            }
            passage_gap = opened_before.min(passage_gap) + PASSAGE_CHAR;
            let moves = [passage_gap + edge, *gap + closing, diagonal + pair];
            let least = moves[0].min(moves[1]).min(moves[2]);
            move_bits |= match least {
                _ if moves[0] == least => IN_PASSAGE,
                _ if moves[1] == least => IN_QUOTE,
                _ => PAIR,
            };
            *chosen = move_bits;
            diagonal = std::mem::replace(cost, least);
            opened_before = least + passage_opening + edge;
        }
    }

    /// Collects the pairs on the path that ends in `column` of the last row.
    fn trace_back(&mut self, region: &Region, mut column: usize) {
        let (columns, mut row) = (region.passage.len() + 1, region.quote.len());
        self.pairs.clear();
        loop {
            let move_bits = self.moves[row * columns + column];
            match move_bits & MOVE_MASK {
                START => return,
                PAIR => {
                    row -= 1;
                    column -= 1;
                    self.pairs.push((row, column));
                }
                IN_PASSAGE => {
                    while self.moves[row * columns + column] & PASSAGE_GAP_EXTENDS != 0 {
                        column -= 1;
                    }
                    column -= 1;
                }
                _ => {
                    while self.moves[row * columns + column] & QUOTE_GAP_EXTENDS != 0 {
                        row -= 1;
                    }
                    row -= 1;
                }
            }
        }
    }
}
