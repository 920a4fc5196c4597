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
    pub(super) fn agree<T: CodeUnit>(&self, text: &[T], start: usize) -> bool {
        let part = text.get(start..).and_then(|rest| rest.get(..self.len_chars as usize));
        // A single branch for both comparisons.
        part.is_some_and(|part| (head::<T, CHARS>(part) ^ self.head) | (tail::<T, CHARS>(part) ^ self.tail) == 0)
    }

    /// Returns whether the ends cover the whole pattern.
    #[inline(always)]
    pub(super) fn are_whole<T: CodeUnit>(&self) -> bool {
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
                assert!(edges.agree(text, start));
                assert!(!edges.agree(&text[..end - 1], start));
                assert!(!edges.agree(text, start.wrapping_sub(text.len())));
                let agreeing = (0..=text.len() + end - start).filter(|&place| edges.agree(text, place));
                if edges.are_whole::<T>() {
                    agreeing.for_each(|place| assert_eq!(text[start..end], text[place..place + end - start]));
                }
            }
        }
    }

    #[test]
    fn edges_of_an_occurrence_agree_and_whole_ones_only_there() {
        let wide: Vec<u16> = (0..60_u16).map(|index| index * index % 7 * 0x1234).collect();
        let narrow: Vec<u8> = wide.iter().map(|&unit| unit as u8).collect();
        check::<u16, 1>(&wide);
        check::<u16, 4>(&wide);
        check::<u16, 8>(&wide);
        check::<u8, 3>(&narrow);
        check::<u8, 5>(&narrow);
        check::<u8, 8>(&narrow);
    }

    #[test]
    fn another_end_disagrees() {
        let edges = PatternEnds::<4>::new(b"where it was", 3);
        assert!(!edges.agree(b"where it is!", 0));
        assert!(!edges.agree(b"there it was", 0));
        assert!(edges.agree(b"where Is was", 0));
        assert_eq!((3, false), (edges.index(), edges.are_whole::<u8>()));
    }
}
