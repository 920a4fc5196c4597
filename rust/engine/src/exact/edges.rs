//! A quick look at both ends of a candidate, before the whole pattern is compared.
//!
//! Patterns lie all over the memory, and most candidates are none. What tells them apart fits
//! into twelve bytes that lie side by side with those of the other patterns.

use super::grams::key;
use crate::text::Unit;

/// Characters looked at, at either end.
const EDGE_CHARS: usize = 4;

/// Length, first and last characters of a pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges {
    len_chars: u32,
    head: u32,
    tail: u32,
}

impl Edges {
    /// The edges of a pattern with at least one character.
    pub(super) fn new<T: Unit>(pattern: &[T]) -> Self {
        // Fits: all patterns together have fewer than 2³² characters.
        Self { len_chars: pattern.len() as u32, head: head(pattern), tail: tail(pattern) }
    }

    /// The part of `text` from `start` on that is as long as the pattern and begins and ends like
    /// it, if there is one.
    #[inline(always)]
    pub(super) fn candidate<T: Unit>(self, text: &[T], start: usize) -> Option<&[T]> {
        let part = text.get(start..start + self.len_chars as usize)?;
        // One branch, not two.
        ((head(part) ^ self.head) | (tail(part) ^ self.tail) == 0).then_some(part)
    }
}

#[inline(always)]
fn head<T: Unit>(part: &[T]) -> u32 {
    part.first_chunk().map_or(0, word::<T>)
}

#[inline(always)]
fn tail<T: Unit>(part: &[T]) -> u32 {
    part.last_chunk().map_or(0, word::<T>)
}

/// Equal for equal characters.
#[inline(always)]
fn word<T: Unit>(characters: &[T; EDGE_CHARS]) -> u32 {
    let key = key(characters);
    // The low halves of 16-bit characters differ most.
    (key ^ key >> 24) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_occurrence_is_always_a_candidate() {
        let text: Vec<u16> = (0..60_u16).map(|index| index * index % 7 * 0x1234).collect();
        for start in 0..text.len() {
            for end in start + 1..=text.len() {
                let edges = Edges::new(&text[start..end]);
                assert_eq!(Some(&text[start..end]), edges.candidate(&text, start));
                assert_eq!(None, edges.candidate(&text[..end - 1], start));
            }
        }
    }

    #[test]
    fn another_end_is_no_candidate() {
        let edges = Edges::new(b"where it was");
        assert_eq!(None, edges.candidate(b"where it is!", 0));
        assert_eq!(None, edges.candidate(b"there it was", 0));
        assert_eq!(Some(&b"where Is was"[..]), edges.candidate(b"where Is was", 0));
    }
}
