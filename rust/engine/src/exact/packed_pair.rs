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
    /// Linear in the text, because it gives up if the pair is common: the error is a position before which no
    /// occurrence starts.
    pub(super) fn find(&self, text: &[T], pattern: &[T], from: usize) -> Result<Option<usize>, usize> {
        let Some(last) = text.len().checked_sub(pattern.len()) else { return Ok(None) };
        let mut cost = 0;
        let mut place = from;
        while place <= last {
            let [first, second] = self.offsets.map(|offset| &text[place + offset..=last + offset]);
            let Some(ahead) = find_packed_pair(first, second, self.units) else { break };
            place += ahead;
            if text[place..place + pattern.len()] == *pattern {
                return Ok(Some(place));
            }
            place += 1;
            cost += 1 + pattern.len() / CHARS_PER_COMPARISON;
            if cost > MIN_MISSES + (place - from) / CHARS_PER_MISS {
                return Err(place);
            }
        }
        Ok(None)
    }
}

fn low<T: CodeUnit>(unit: T) -> usize {
    (unit.code_point() & 0xFF) as usize
}
