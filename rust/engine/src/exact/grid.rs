//! An index of every sixteenth place of a text: finds a pattern without reading the text.
//!
//! The index files the eight bytes that start at each place `0, 16, 32, …` under their hash. An
//! occurrence of a pattern that has at least `STEP + gram - 1` characters covers at least one
//! such place with a whole gram, and it covers one at every residue: whichever of its first
//! sixteen offsets falls on a place of the grid, the gram at that offset is on file. So looking
//! up one gram for each of the sixteen residues finds every occurrence; of the grams with the
//! same residue the rarest will do.

use crate::text::Unit;

/// Distance of the places on file.
const STEP: usize = 16;

/// Grams tried per residue to find a rare one.
const MAX_TRIES: usize = 4;

/// Characters in a gram: eight bytes of them.
const fn gram_chars<T>() -> usize {
    8 / size_of::<T>()
}

/// Shortest pattern that the index can find.
pub(crate) const fn min_pattern_chars<T>() -> usize {
    STEP + gram_chars::<T>() - 1
}

/// The index of one text. Eight bytes for each sixteen characters.
#[derive(Debug)]
pub(crate) struct Grid {
    /// `positions[starts[h]..starts[h + 1]]` are the places whose gram has hash `h`, ascending.
    starts: Vec<u32>,
    positions: Vec<u32>,
    shift: u32,
}

/// What a look-up says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// The leftmost occurrence.
    Found(usize),
    /// No occurrence.
    Absent,
    /// Too many places share the pattern's grams; scanning is cheaper.
    TooCommon,
}

impl Grid {
    pub(crate) fn new<T: Unit>(text: &[T]) -> Self {
        let places = text.len().saturating_sub(gram_chars::<T>() - 1).div_ceil(STEP);
        let bits = places.max(2).ilog2() + 1;
        let mut grid = Self { starts: vec![0; (1 << bits) + 1], positions: vec![0; places], shift: 64 - bits };
        let hash_at = |place: usize| hash(gram(text, place * STEP), grid.shift);
        for place in 0..places {
            grid.starts[hash_at(place) + 1] += 1;
        }
        for bucket in 1..grid.starts.len() {
            grid.starts[bucket] += grid.starts[bucket - 1];
        }
        let mut next = grid.starts.clone();
        for place in 0..places {
            let slot = &mut next[hash_at(place)];
            // Fits: texts have fewer than 2³¹ characters.
            grid.positions[*slot as usize] = (place * STEP) as u32;
            *slot += 1;
        }
        grid
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        (self.starts.capacity() + self.positions.capacity()) * size_of::<u32>()
    }

    fn places<T: Unit>(&self, pattern: &[T], offset: usize) -> &[u32] {
        let bucket = hash(gram(pattern, offset), self.shift);
        &self.positions[self.starts[bucket] as usize..self.starts[bucket + 1] as usize]
    }

    /// Leftmost occurrence of `pattern` in `text`, which is the text of the index. `pattern` has
    /// at least [`min_pattern_chars`] characters.
    pub(crate) fn find<T: Unit>(&self, text: &[T], pattern: &[T]) -> Lookup {
        let mut budget = 64 + self.positions.len() / 16;
        let mut leftmost = usize::MAX;
        for residue in 0..STEP {
            let (offset, places) = self.rarest(pattern, residue);
            for &place in places {
                let Some(start) = (place as usize).checked_sub(offset) else { continue };
                if start >= leftmost {
                    break;
                }
                if budget == 0 {
                    return Lookup::TooCommon;
                }
                budget -= 1;
                if text.get(start..start + pattern.len()) == Some(pattern) {
                    leftmost = start;
                    break;
                }
            }
        }
        if leftmost == usize::MAX { Lookup::Absent } else { Lookup::Found(leftmost) }
    }

    fn rarest<T: Unit>(&self, pattern: &[T], residue: usize) -> (usize, &[u32]) {
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

/// The eight bytes from `position` on.
#[inline(always)]
fn gram<T: Unit>(text: &[T], position: usize) -> u64 {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&text[position..position + gram_chars::<T>()]))
}

/// Fibonacci hashing: the high bits of a product with 2⁶⁴ divided by the golden ratio.
#[inline(always)]
fn hash(gram: u64, shift: u32) -> usize {
    (gram.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> shift) as usize
}
