//! One side of an alignment: a normalised text, and where its words end.

use std::ops::Range;

use super::scoring::{INSIDE_WORD, Kind, WITHIN_WORD, kind};
use crate::text::word_break::{self, Class, class};

/// A normalised text, ready to be aligned.
#[derive(Debug)]
pub(super) struct Side {
    /// Its code points.
    pub(super) codes: Vec<u32>,
    /// What kind each of them is.
    pub(super) kinds: Vec<Kind>,
    /// For each position, the end included, whether an edit may begin or end there: between two
    /// tokens that came from different pieces of the original.
    boundaries: Vec<bool>,
}

impl Side {
    /// The text `codes`; `inside` are the positions between characters that stand together for one
    /// piece of the original.
    pub(super) fn new(codes: Vec<u32>, inside: impl Iterator<Item = usize>) -> Self {
        let classes: Vec<Class> = codes.iter().map(|&code| class(code)).collect();
        let kinds = codes.iter().zip(&classes).map(|(&code, &class)| kind(code, class)).collect();
        let mut boundaries = word_break::boundaries(&codes, &classes);
        inside.for_each(|position| boundaries[position] = false);
        Self { codes, kinds, boundaries }
    }

    /// Number of characters.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether an edit may begin or end at `position`.
    #[inline]
    pub(super) fn is_boundary(&self, position: usize) -> bool {
        self.boundaries[position]
    }

    /// What a gap costs for an end at `position`.
    #[inline]
    pub(super) fn edge(&self, position: usize) -> i32 {
        if self.boundaries[position] { 0 } else { INSIDE_WORD }
    }

    /// What a gap on the other side costs at `position`.
    #[inline]
    pub(super) fn within(&self, position: usize) -> i32 {
        if self.boundaries[position] { 0 } else { WITHIN_WORD }
    }

    /// The first boundary in `positions`.
    pub(super) fn first_in(&self, positions: Range<usize>) -> Option<usize> {
        let start = positions.start;
        self.boundaries[positions].iter().position(|&is_boundary| is_boundary).map(|index| start + index)
    }

    /// The last boundary in `positions`.
    pub(super) fn last_in(&self, positions: Range<usize>) -> Option<usize> {
        let start = positions.start;
        self.boundaries[positions].iter().rposition(|&is_boundary| is_boundary).map(|index| start + index)
    }
}

/// Both sides.
#[derive(Debug)]
pub(super) struct Sides {
    /// The quote.
    pub(super) quote: Side,
    /// What it is compared with.
    pub(super) passage: Side,
}

impl Sides {
    /// Whether a pair of characters is no reason for the passage to end with it: white space, or a
    /// sign for another one.
    pub(super) fn is_idle(&self, quote: usize, passage: usize) -> bool {
        match self.passage.kinds[passage] {
            Kind::Letter => false,
            Kind::Sign => self.quote.codes[quote] != self.passage.codes[passage],
            Kind::Space => true,
        }
    }
}

/// A part of both sides.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Characters of the quote.
    pub(super) quote: Range<usize>,
    /// Characters of the passage.
    pub(super) passage: Range<usize>,
}

impl Part {
    /// Cells of its table.
    pub(super) fn cells(&self) -> usize {
        (self.quote.len() + 1).saturating_mul(self.passage.len() + 1)
    }
}

/// At which ends characters of the passage cost nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Free {
    /// Before the first pair.
    pub(super) start: bool,
    /// After the last pair.
    pub(super) end: bool,
}

impl Free {
    /// At neither end.
    pub(super) const NOWHERE: Self = Self { start: false, end: false };
}
