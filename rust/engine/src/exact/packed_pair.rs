//! Substring search in texts with two or four bytes per character, by two rare characters of the pattern at their
//! distance.
//!
//! A byte search would match across character boundaries everywhere: in Cyrillic, every second byte has one of two
//! values.

use crate::arch::packed_pair::find_packed_pair;
use crate::text::CodeUnit;

/// Maximum number of text characters sampled for character frequencies.
const MAX_SAMPLES: usize = 256;

/// Minimum number of text characters per sample, so that sampling is cheaper than searching.
const CHARS_PER_SAMPLE: usize = 64;

/// Maximum number of leading pattern characters considered for the rarest pair.
const MAX_CHOICE: usize = 64;

/// Minimum number of false candidates before the search gives up.
const MIN_MISSES: usize = 32;

/// Number of text characters that allow one more false candidate.
const CHARS_PER_MISS: usize = 32;

/// Number of pattern characters compared in the time of one false candidate.
const CHARS_PER_COMPARISON: usize = 64;

/// Two characters of a pattern with their offsets. They may be the same character.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedPair<T> {
    units: [T; 2],
    offsets: [usize; 2],
}

/// The result of a search by a packed pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PairResult {
    Found(usize),
    Absent,
    /// The pair is too common in the text. No occurrence starts before this position.
    GivenUp(usize),
}

impl<T: CodeUnit> PackedPair<T> {
    /// Chooses the two characters of `pattern` that are rarest in `text`; ties go to the first. `pattern` must not be
    /// empty.
    pub(super) fn rarest(pattern: &[T], text: &[T]) -> Self {
        let samples = (text.len() / CHARS_PER_SAMPLE).min(MAX_SAMPLES);
        // The low byte distinguishes the letters of a script.
        let mut counts = [0_u16; 256];
        // An odd distance avoids the periods of tables and padding.
        text.iter().step_by((text.len() / samples.max(1)) | 1).take(samples).for_each(|unit| counts[low(*unit)] += 1);
        let rarity = |offset: &usize| counts[low(pattern[*offset])];
        let choice = 0..pattern.len().min(MAX_CHOICE);
        let first = choice.clone().min_by_key(rarity).unwrap_or(0);
        let others = choice.filter(|&offset| pattern[offset] != pattern[first]);
        let second = others.min_by_key(rarity).unwrap_or(pattern.len() - 1);
        Self { units: [pattern[first], pattern[second]], offsets: [first, second] }
    }

    /// Finds the leftmost occurrence of `pattern` at or after `from`. The pair must come from `pattern`.
    ///
    /// Linear in the text, because it gives up if the pair is common.
    pub(super) fn find(&self, text: &[T], pattern: &[T], from: usize) -> PairResult {
        let Some(last) = text.len().checked_sub(pattern.len()) else { return PairResult::Absent };
        let mut cost = 0;
        let mut place = from;
        while place <= last {
            let [first, second] = self.offsets.map(|offset| &text[place + offset..=last + offset]);
            let Some(ahead) = find_packed_pair(first, second, self.units) else { break };
            place += ahead;
            if text[place..place + pattern.len()] == *pattern {
                return PairResult::Found(place);
            }
            place += 1;
            cost += 1 + pattern.len() / CHARS_PER_COMPARISON;
            if cost > MIN_MISSES + (place - from) / CHARS_PER_MISS {
                return PairResult::GivenUp(place);
            }
        }
        PairResult::Absent
    }
}

fn low<T: CodeUnit>(unit: T) -> usize {
    (unit.code() & 0xFF) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_naive<T: CodeUnit>(text: &[T], pattern: &[T], from: usize) -> Option<usize> {
        (from..=text.len().checked_sub(pattern.len())?).find(|&place| text[place..place + pattern.len()] == *pattern)
    }

    fn check<T: CodeUnit>(text: &[T], pattern: &[T], from: usize) {
        let expected = find_naive(text, pattern, from);
        match PackedPair::rarest(pattern, text).find(text, pattern, from) {
            PairResult::Found(place) => assert_eq!(expected, Some(place)),
            PairResult::Absent => assert_eq!(expected, None),
            PairResult::GivenUp(place) => assert_eq!(expected, find_naive(text, pattern, place)),
        }
    }

    /// Tests a pattern at every alignment, surrounded by its first character.
    #[test]
    fn a_pattern_is_found_at_every_alignment() {
        for before in 0..140 {
            for after in [0, 1, 63, 64, 65, 130] {
                for pattern in [&[0x416_u16][..], &[0x416, 0x436], &[0x436, 0x416, 0x416], &[0x416; 70]] {
                    let text = [&vec![0x436; before], pattern, &vec![0x436; after]].concat();
                    check(&text, pattern, before.min(3));
                    let wide: Vec<u32> = text.iter().map(|&unit| u32::from(unit) << 8).collect();
                    let wide_pattern: Vec<u32> = pattern.iter().map(|&unit| u32::from(unit) << 8).collect();
                    check(&wide, &wide_pattern, before.min(3));
                }
            }
        }
    }

    #[test]
    fn common_pairs_are_given_up() {
        let mut pattern = vec![0x436_u16; 1000];
        pattern[50] = 0x416;
        let text = vec![0x436; 100_000];
        assert_eq!(PairResult::Absent, PackedPair::rarest(&pattern, &text).find(&text, &pattern, 0));
        pattern = [0x436, 0x437].repeat(500);
        pattern[900] = 0x416;
        let text = [0x436, 0x437].repeat(50_000);
        assert!(matches!(PackedPair::rarest(&pattern, &text).find(&text, &pattern, 0), PairResult::GivenUp(1..100)));
    }
}
