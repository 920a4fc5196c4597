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

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: CodeUnit, const CHARS: usize>(text: &[T]) {
        for start in 0..text.len() {
            for end in start + CHARS..=text.len() {
                let edges = PatternEnds::<CHARS>::new(&text[start..end], 7);
                assert!(edges.matches_at(text, start));
                assert!(!edges.matches_at(&text[..end - 1], start));
                assert!(!edges.matches_at(text, start.wrapping_sub(text.len())));
                let agreeing = (0..=text.len() + end - start).filter(|&place| edges.matches_at(text, place));
                if edges.cover_pattern::<T>() {
                    agreeing.for_each(|place| assert_eq!(text[start..end], text[place..place + end - start]));
                }
            }
        }
    }

    #[test]
    fn edges_of_an_occurrence_agree_and_whole_ones_only_there() {
        let ucs2: Vec<u16> = (0..60_u16).map(|index| index * index % 7 * 0x1234).collect();
        let ucs1: Vec<u8> = ucs2.iter().map(|&unit| unit as u8).collect();
        check::<u16, 1>(&ucs2);
        check::<u16, 4>(&ucs2);
        check::<u16, 8>(&ucs2);
        check::<u8, 3>(&ucs1);
        check::<u8, 5>(&ucs1);
        check::<u8, 8>(&ucs1);
    }

    #[test]
    fn another_end_disagrees() {
        let edges = PatternEnds::<4>::new(b"where it was", 3);
        assert!(!edges.matches_at(b"where it is!", 0));
        assert!(!edges.matches_at(b"there it was", 0));
        assert!(edges.matches_at(b"where Is was", 0));
        assert_eq!((3, false), (edges.index(), edges.cover_pattern::<u8>()));
    }
}
