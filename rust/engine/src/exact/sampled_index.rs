//! A sampled q-gram index: finds a pattern through every `STEP`-th position of a text, without reading the text.
//!
//! The index stores the q-gram of eight bytes at each of the positions `0, STEP, 2·STEP, …`, by hash. An occurrence of
//! a pattern with at least `STEP + gram - 1` characters contains the q-gram of at least one indexed position, because
//! one of its first `STEP` offsets coincides with such a position. So one lookup for each residue of the offset modulo
//! `STEP` finds every occurrence. Among the q-grams of the pattern with the same residue, the search looks up the
//! rarest.

use crate::text::buckets::Buckets;
use crate::text::{CodeUnit, gram};

/// Distance of the indexed positions in the coarse index, in characters. The coarse index is cheap to build.
pub(crate) const COARSE_STEP: usize = 16;

/// Distance of the indexed positions in the fine index, in characters. The fine index finds shorter patterns, and finds
/// all patterns faster.
pub(crate) const FINE_STEP: usize = 4;

/// Maximum number of q-grams per residue examined in search of a rare one.
const MAX_TRIES: usize = 4;

/// Maximum number of positions compared for one pattern. Comparing more takes as long as scanning most texts.
const MAX_COMPARED: usize = 1 << 12;

/// Returns the number of characters in a q-gram of eight bytes.
const fn gram_chars<T>() -> usize {
    8 / size_of::<T>()
}

/// Returns the minimum length of a pattern that the index can find, in characters.
pub(crate) const fn min_pattern_chars<T>(step: usize) -> usize {
    step + gram_chars::<T>() - 1
}

/// Returns the maximum memory of the index of a text with `chars` characters, in bytes.
pub(crate) fn max_bytes<T>(step: usize, chars: usize) -> usize {
    let places = places::<T>(step, chars);
    (places + (1 << bits(step, places)) + 1) * size_of::<u32>()
}

fn places<T>(step: usize, chars: usize) -> usize {
    chars.saturating_sub(gram_chars::<T>() - 1).div_ceil(step)
}

/// Returns the number of bits of a bucket number. The coarse index has one to two buckets per position; the fine index
/// has half as many, so that it takes at most two bytes per character of text.
fn bits(step: usize, places: usize) -> u32 {
    places.max(2).ilog2() + u32::from(step >= COARSE_STEP)
}

/// A sampled q-gram index of one text. A position takes 8 to 12 bytes in the coarse index, and 6 to 8 in the fine
/// index.
#[derive(Debug)]
pub(crate) struct SampledIndex<const STEP: usize> {
    /// Positions, in ascending order. They are multiples of `STEP`, so the low bits hold the tag of the hash.
    buckets: Buckets<u32>,
}

/// Limits of [`SampledIndex::best_anchor`] for a pattern that does not occur exactly: number of q-grams looked up,
/// number of positions examined, and number of positions above which a q-gram is skipped.
const MAX_ANCHOR_GRAMS: usize = 2 * COARSE_STEP;
const MAX_ANCHORS: usize = 64;
const MAX_ANCHORS_PER_GRAM: usize = 3;

impl<const STEP: usize> SampledIndex<STEP> {
    pub(crate) fn new<T: CodeUnit>(text: &[T]) -> Self {
        let places = places::<T>(STEP, text.len());
        let entry = |place: usize| {
            let hash = gram::hash(gram_at(text, place * STEP));
            // Fits, because texts have fewer than 2³¹ characters.
            (hash, (place * STEP) as u32 | tag::<STEP>(hash))
        };
        Self { buckets: Buckets::new(bits(STEP, places), places, entry) }
    }

    /// Returns the heap size in bytes.
    pub(crate) fn heap_bytes(&self) -> usize {
        self.buckets.heap_bytes()
    }

    fn places<T: CodeUnit>(&self, pattern: &[T], offset: usize) -> Candidates<'_, STEP> {
        let hash = gram::hash(gram_at(pattern, offset));
        Candidates { entries: self.buckets.get(hash), tag: tag::<STEP>(hash) }
    }

    /// Finds the leftmost occurrence of `pattern` in `text`, which must be the indexed text. `pattern` must have at
    /// least [`min_pattern_chars`] characters. Returns `None` if too many positions share its q-grams, so that scanning
    /// is cheaper.
    pub(crate) fn find<T: CodeUnit>(&self, text: &[T], pattern: &[T]) -> Option<Option<usize>> {
        let mut budget = (64 + self.buckets.len() / 16).min(MAX_COMPARED);
        let mut leftmost = usize::MAX;
        for residue in 0..STEP {
            let (offset, places) = self.rarest(pattern, residue);
            let wanted = gram_at(pattern, offset);
            for place in places.iter() {
                let Some(start) = place.checked_sub(offset) else { continue };
                if start >= leftmost {
                    break;
                }
                if budget == 0 {
                    return None;
                }
                budget -= 1;
                // Most candidates match by chance, so the q-gram is compared before `memcmp` is called.
                if gram_at(text, place) == wanted && text.get(start..start + pattern.len()) == Some(pattern) {
                    leftmost = start;
                    break;
                }
            }
        }
        Some(Some(leftmost).filter(|&leftmost| leftmost < usize::MAX))
    }

    /// Returns the most likely start of `pattern`, which may be before the text: of the starts that share a q-gram with
    /// `pattern`, the one with the most characters equal position by position. Ties go to the first examined.
    pub(crate) fn best_anchor<T: CodeUnit>(&self, text: &[T], pattern: &[T]) -> Option<isize> {
        let (mut best, mut max_agreeing) = (None, 0);
        let mut budget = MAX_ANCHORS;
        for offset in (0..(pattern.len() + 1).saturating_sub(gram_chars::<T>())).take(MAX_ANCHOR_GRAMS) {
            let places = self.places(pattern, offset);
            if places.len() > MAX_ANCHORS_PER_GRAM {
                continue;
            }
            for place in places.iter() {
                // Fits, because texts have fewer than 2³¹ characters.
                let start = place as isize - offset as isize;
                if best == Some(start) {
                    continue;
                }
                let (text, pattern) = (&text[start.max(0) as usize..], &pattern[(-start).max(0) as usize..]);
                let agreeing = agreeing(text, pattern);
                if agreeing > max_agreeing {
                    (best, max_agreeing) = (Some(start), agreeing);
                }
                budget -= 1;
                if budget == 0 {
                    return best;
                }
            }
        }
        best
    }

    fn rarest<T: CodeUnit>(&self, pattern: &[T], residue: usize) -> (usize, Candidates<'_, STEP>) {
        let mut best = (residue, self.places(pattern, residue));
        let last = pattern.len() - gram_chars::<T>();
        for offset in (residue + STEP..=last).step_by(STEP).take(MAX_TRIES) {
            if best.1.len() <= 1 {
                break;
            }
            let places = self.places(pattern, offset);
            if places.len() < best.1.len() {
                best = (offset, places);
            }
        }
        best
    }
}

/// Returns the number of positions at which the characters are equal.
fn agreeing<T: CodeUnit>(text: &[T], pattern: &[T]) -> usize {
    // Within a part, the count fits a byte, so the compiler vectorises the comparison.
    let parts = text.chunks(usize::from(u8::MAX)).zip(pattern.chunks(usize::from(u8::MAX)));
    let count = |(text, pattern): (&[T], &[T])| text.iter().zip(pattern).map(|(a, b)| u8::from(a == b)).sum::<u8>();
    parts.map(|part| usize::from(count(part))).sum()
}

/// Returns the eight bytes at character `position`.
#[inline(always)]
fn gram_at<T: CodeUnit>(text: &[T], position: usize) -> u64 {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&text[position..position + gram_chars::<T>()]))
}

/// The candidate positions of a q-gram. On rare occasions they include positions of another q-gram.
#[derive(Clone, Copy)]
struct Candidates<'a, const STEP: usize> {
    entries: &'a [u32],
    tag: u32,
}

impl<const STEP: usize> Candidates<'_, STEP> {
    /// Returns an upper bound of the number of positions.
    fn len(self) -> usize {
        self.entries.len()
    }

    fn iter(self) -> impl Iterator<Item = usize> {
        self.entries
            .iter()
            .filter(move |&entry| entry % STEP as u32 == self.tag)
            .map(move |entry| (entry - self.tag) as usize)
    }
}

/// Returns the tag of a hash: bits below those that select the bucket, of which there are at most 29.
#[inline(always)]
fn tag<const STEP: usize>(hash: u64) -> u32 {
    (hash >> 32) as u32 % STEP as u32
}
