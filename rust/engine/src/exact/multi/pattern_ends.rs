//! Compares both ends of a candidate before the whole pattern.
//!
//! Patterns are spread over memory, and some candidates are false. The ends of all patterns are stored contiguously;
//! they cover a short pattern completely, so nothing else has to be compared.

use crate::text::CodeUnit;
use crate::text::gram::key;

/// The length of a pattern, and its first and last `CHARS` characters. The pattern has at least `CHARS` characters.
#[derive(Clone, Copy, Debug)]
pub(super) struct PatternEnds<const CHARS: usize> {
    head: u64,
    tail: u64,
    len_chars: u32,
    index: u32,
}

impl<const CHARS: usize> PatternEnds<CHARS> {
    /// Creates the ends of the pattern with index `index`.
    pub(super) fn new<T: CodeUnit>(pattern: &[T], index: u32) -> Self {
        // Fits, because all patterns together have fewer than 2³² characters.
        Self {
            head: head::<T, CHARS>(pattern),
            tail: tail::<T, CHARS>(pattern),
            len_chars: pattern.len() as u32,
            index,
        }
    }

    #[inline(always)]
    pub(super) fn index(&self) -> usize {
        self.index as usize
    }

    /// Returns whether the part of `text` at `start` exists and has the ends of the pattern.
    #[inline(always)]
    pub(super) fn matches_at<T: CodeUnit>(&self, text: &[T], start: usize) -> bool {
        let part = text.get(start..).and_then(|rest| rest.get(..self.len_chars as usize));
        // A single branch for both comparisons.
        part.is_some_and(|part| (head::<T, CHARS>(part) ^ self.head) | (tail::<T, CHARS>(part) ^ self.tail) == 0)
    }

    /// Returns whether the ends cover the whole pattern.
    #[inline(always)]
    pub(super) fn cover_pattern<T: CodeUnit>(&self) -> bool {
        CHARS * size_of::<T>() <= 8 && self.len_chars as usize <= 2 * CHARS
    }
}

#[inline(always)]
fn head<T: CodeUnit, const CHARS: usize>(part: &[T]) -> u64 {
    part.first_chunk::<CHARS>().map_or(0, key)
}

#[inline(always)]
fn tail<T: CodeUnit, const CHARS: usize>(part: &[T]) -> u64 {
    part.last_chunk::<CHARS>().map_or(0, key)
}
