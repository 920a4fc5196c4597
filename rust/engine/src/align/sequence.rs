//! The two sequences of an alignment: normalised texts with their word boundaries.

use std::ops::Range;

use super::scoring::{INSIDE_WORD, Kind, WITHIN_WORD, kind};
use crate::text::word_break::{self, Class, class};

/// A normalised text, prepared for alignment.
#[derive(Debug)]
pub(super) struct Sequence {
    /// The code points.
    pub(super) codes: Vec<u32>,
    /// The kind of each code point.
    pub(super) kinds: Vec<Kind>,
    /// For each position, including the end, whether an edit may start or end there: between two tokens that come from
    /// different characters of the original.
    boundaries: Vec<bool>,
}

impl Sequence {
    /// Creates a sequence from `codes`. `inside` lists the positions between two characters that come from the same
    /// character of the original.
    pub(super) fn new(codes: Vec<u32>, inside: impl Iterator<Item = usize>) -> Self {
        let classes: Vec<Class> = codes.iter().map(|&code| class(code)).collect();
        let kinds = codes.iter().zip(&classes).map(|(&code, &class)| kind(code, class)).collect();
        let mut boundaries = word_break::boundaries(&codes, &classes);
        inside.for_each(|position| boundaries[position] = false);
        Self { codes, kinds, boundaries }
    }

    /// Returns the length in characters.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns whether an edit may start or end at `position`.
    #[inline]
    pub(super) fn is_boundary(&self, position: usize) -> bool {
        self.boundaries[position]
    }

    /// Returns the extra cost of a gap of this sequence that starts or ends at `position`.
    #[inline]
    pub(super) fn boundary_cost(&self, position: usize) -> i32 {
        if self.boundaries[position] { 0 } else { INSIDE_WORD }
    }

    /// Returns the extra cost of a gap of the other sequence at `position`.
    #[inline]
    pub(super) fn in_word_cost(&self, position: usize) -> i32 {
        if self.boundaries[position] { 0 } else { WITHIN_WORD }
    }

    /// Returns the first boundary in `positions`.
    pub(super) fn first_in(&self, positions: Range<usize>) -> Option<usize> {
        let start = positions.start;
        self.boundaries[positions].iter().position(|&is_boundary| is_boundary).map(|index| start + index)
    }

    /// Returns the last boundary in `positions`.
    pub(super) fn last_in(&self, positions: Range<usize>) -> Option<usize> {
        let start = positions.start;
        self.boundaries[positions].iter().rposition(|&is_boundary| is_boundary).map(|index| start + index)
    }
}

/// The two sequences of an alignment.
#[derive(Debug)]
pub(super) struct SequencePair {
    pub(super) quote: Sequence,
    /// The text that the quote is compared with.
    pub(super) passage: Sequence,
}

impl SequencePair {
    /// Returns whether a passage should not start or end with this pair: white space, or two different punctuation
    /// characters.
    pub(super) fn is_insignificant(&self, quote: usize, passage: usize) -> bool {
        match self.passage.kinds[passage] {
            Kind::Letter => false,
            Kind::Sign => self.quote.codes[quote] != self.passage.codes[passage],
            Kind::Space => true,
        }
    }
}

/// A region of both sequences.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) quote: Range<usize>,
    pub(super) passage: Range<usize>,
}

impl Region {
    /// Returns the number of cells of the region's table.
    pub(super) fn cells(&self) -> usize {
        (self.quote.len() + 1).saturating_mul(self.passage.len() + 1)
    }
}

/// The ends at which unpaired passage characters cost nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FreeEnds {
    /// Before the first pair.
    pub(super) start: bool,
    /// After the last pair.
    pub(super) end: bool,
}

impl FreeEnds {
    /// No free end: the whole passage is aligned.
    pub(super) const NOWHERE: Self = Self { start: false, end: false };
}
