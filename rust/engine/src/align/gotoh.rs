//! Gotoh's algorithm: the cheapest alignment of two short texts, with affine gap costs.
//!
//! Ties: of several ends, the leftmost in the passage wins. The trace-back from there prefers a passage gap, then a
//! quote gap, then a pair, and extending a gap over opening one. So gaps are as far to the right as possible: `not `
//! includes the space after the word, not the one before it.
//!
//! Source: Gotoh 1982, "An improved algorithm for matching biological sequences".

use super::block::{Block, Blocks};
use super::scoring::{self, NEVER, PASSAGE_CHAR, QUOTE_CHAR};
use super::sequence::{Free, Part, Sides};
use crate::Error;
use crate::cancel::CancelMeter;

/// Bits 0 and 1: the move that leads to a cell on the cheapest path. `WAY` is their mask.
const PAIR: u8 = 0;
const IN_PASSAGE: u8 = 1;
const IN_QUOTE: u8 = 2;
const START: u8 = 3;
const WAY: u8 = 3;

/// Flags: the gap that ends here was already open one character before.
const PASSAGE_GOES_ON: u8 = 4;
const QUOTE_GOES_ON: u8 = 8;

/// Reusable buffers for tables.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// The moves and flags of all cells, row by row.
    ways: Vec<u8>,
    /// The cost of each cell of the current row.
    costs: Vec<i32>,
    /// The cost of each cell if a quote gap ends there and may be extended.
    gaps: Vec<i32>,
    /// For each position of the passage, the extra cost of a passage gap that starts or ends there, and the extra cost
    /// of a quote gap or an end of the passage there.
    edges: Vec<(i32, i32)>,
    /// The pairs, from last to first.
    pairs: Vec<(usize, usize)>,
}

impl Table {
    /// Appends the cheapest alignment of `part` to `blocks`.
    pub(super) fn align(
        &mut self,
        sides: &Sides,
        part: &Part,
        free: Free,
        blocks: &mut Blocks,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(), Error> {
        self.fill(sides, part, free, meter)?;
        let ends = self.costs.iter().zip(&self.edges).map(|(cost, (_, within))| cost + within);
        let cheapest = || ends.enumerate().min_by_key(|&(_, cost)| cost).map_or(0, |(column, _)| column);
        let column = if free.end { cheapest() } else { part.passage.len() };
        self.walk_back(part, column);
        for &(quote, passage) in self.pairs.iter().rev() {
            blocks.push(Block { quote: part.quote.start + quote, passage: part.passage.start + passage, len: 1 });
        }
        Ok(())
    }

    fn fill(&mut self, sides: &Sides, part: &Part, free: Free, meter: &mut CancelMeter<'_>) -> Result<(), Error> {
        let columns = part.passage.len() + 1;
        self.ways.clear();
        self.ways.resize(part.cells(), START);
        self.edges.clear();
        let edge = |position| (sides.passage.edge(position), sides.passage.within(position));
        self.edges.extend((part.passage.start..=part.passage.end).map(edge));
        self.costs.clear();
        self.costs.resize(columns, NEVER);
        self.gaps.clear();
        self.gaps.resize(columns, NEVER);
        self.first_row(free, sides.quote.within(part.quote.start));
        for row in part.quote.clone() {
            meter.add(columns)?;
            self.row(sides, part, row);
        }
        Ok(())
    }

    /// Fills the first row: a passage gap before the quote. `within` is the extra cost of a gap at that position of the
    /// quote.
    fn first_row(&mut self, free: Free, within: i32) {
        let cells = self.costs.iter_mut().zip(&mut self.ways).zip(&self.edges);
        let (mut opened_before, mut gap) = (NEVER, NEVER);
        for (column, ((cost, way), &(edge, taken_apart))) in cells.enumerate() {
            let start = match column {
                _ if free.start => taken_apart,
                0 => 0,
                _ => NEVER,
            };
            let goes_on = if gap <= opened_before { PASSAGE_GOES_ON } else { 0 };
            gap = opened_before.min(gap) + PASSAGE_CHAR;
            (*cost, *way) = if start <= gap + edge { (start, START) } else { (gap + edge, IN_PASSAGE) };
            *way |= goes_on;
            opened_before = *cost + scoring::PASSAGE_GAP + within + edge;
        }
    }

    /// Fills the row of the quote character at `row`.
    fn row(&mut self, sides: &Sides, part: &Part, row: usize) {
        let character = (sides.quote.codes[row], sides.quote.kinds[row]);
        let (opening, closing) = (scoring::QUOTE_GAP + sides.quote.edge(row), sides.quote.edge(row + 1));
        let passage_opening = scoring::PASSAGE_GAP + sides.quote.within(row + 1);
        let passage = &part.passage;
        let characters = sides.passage.codes[passage.clone()]
            .iter()
            .copied()
            .zip(sides.passage.kinds[passage.clone()].iter().copied());
        let pairs = std::iter::once(NEVER).chain(characters.map(|other| scoring::pair(character, other)));
        let columns = passage.len() + 1;
        let ways = self.ways[(row - part.quote.start + 1) * columns..].iter_mut();
        let cells = self.costs.iter_mut().zip(&mut self.gaps).zip(&self.edges).zip(pairs).zip(ways);
        let (mut diagonal, mut opened_before, mut passage_gap) = (NEVER, NEVER, NEVER);
        for ((((cost, gap), &(edge, within)), pair), chosen) in cells {
            let mut way = 0;
            let opened = *cost + opening + within;
            if *gap <= opened {
                way |= QUOTE_GOES_ON;
            }
            *gap = opened.min(*gap) + QUOTE_CHAR;
            if passage_gap <= opened_before {
                way |= PASSAGE_GOES_ON;
            }
            passage_gap = opened_before.min(passage_gap) + PASSAGE_CHAR;
            let ways = [passage_gap + edge, *gap + closing, diagonal + pair];
            let least = ways[0].min(ways[1]).min(ways[2]);
            way |= match least {
                _ if ways[0] == least => IN_PASSAGE,
                _ if ways[1] == least => IN_QUOTE,
                _ => PAIR,
            };
            *chosen = way;
            diagonal = std::mem::replace(cost, least);
            opened_before = least + passage_opening + edge;
        }
    }

    /// Collects the pairs on the path that ends in `column` of the last row.
    fn walk_back(&mut self, part: &Part, mut column: usize) {
        let (columns, mut row) = (part.passage.len() + 1, part.quote.len());
        self.pairs.clear();
        loop {
            let way = self.ways[row * columns + column];
            match way & WAY {
                START => return,
                PAIR => {
                    row -= 1;
                    column -= 1;
                    self.pairs.push((row, column));
                }
                IN_PASSAGE => {
                    while self.ways[row * columns + column] & PASSAGE_GOES_ON != 0 {
                        column -= 1;
                    }
                    column -= 1;
                }
                _ => {
                    while self.ways[row * columns + column] & QUOTE_GOES_ON != 0 {
                        row -= 1;
                    }
                    row -= 1;
                }
            }
        }
    }
}
