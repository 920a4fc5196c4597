//! An index of every `STEP`-th place of a text: finds a pattern without reading the text.
//!
//! The index files the eight bytes that start at each place `0, STEP, 2·STEP, …` under their hash.
//! An occurrence of a pattern that has at least `STEP + gram - 1` characters covers at least one
//! such place with a whole gram, and it covers one at every residue: whichever of its first
//! `STEP` offsets falls on a place of the grid, the gram at that offset is on file. So looking
//! up one gram for each of the residues finds every occurrence; of the grams with the same residue
//! the rarest will do.

use crate::text::CodeUnit;

/// Distance of the places on file that is cheap to make.
pub(crate) const COARSE_STEP: usize = 16;

/// Distance that finds shorter patterns, and all of them sooner.
pub(crate) const FINE_STEP: usize = 4;

/// Q-grams tried per residue to find a rare one.
const MAX_TRIES: usize = 4;

/// Places compared for one pattern, at most. More take as long as a scan of most texts.
const MAX_COMPARED: usize = 1 << 12;

/// Characters in a gram: eight bytes of them.
const fn gram_chars<T>() -> usize {
    8 / size_of::<T>()
}

/// Shortest pattern that the index can find.
pub(crate) const fn min_pattern_chars<T>(step: usize) -> usize {
    step + gram_chars::<T>() - 1
}

/// Most bytes that the index of a text of `chars` characters takes.
pub(crate) fn max_bytes<T>(step: usize, chars: usize) -> usize {
    let places = places::<T>(step, chars);
    (places + (1 << bits(step, places)) + 1) * size_of::<u32>()
}

fn places<T>(step: usize, chars: usize) -> usize {
    chars.saturating_sub(gram_chars::<T>() - 1).div_ceil(step)
}

/// Bits of a hash: as many buckets as there are places, up to twice as many. Half of that for the
/// fine one, which is two bytes for each character of the text.
fn bits(step: usize, places: usize) -> u32 {
    places.max(2).ilog2() + u32::from(step >= COARSE_STEP)
}

/// The index of one text. Each place takes eight bytes to twelve.
#[derive(Debug)]
pub(crate) struct SampledIndex<const STEP: usize> {
    /// `entries[starts[h]..starts[h + 1]]` are the places whose gram has hash `h`, ascending.
    starts: Vec<u32>,
    /// Positions; as all are multiples of `STEP`, their low bits have more of the hash.
    entries: Vec<u32>,
    shift: u32,
}

/// A hash: where the entries of a gram are, and what its own ones end with.
#[derive(Clone, Copy)]
struct Hash {
    bucket: usize,
    tag: u32,
}

/// For a pattern that does not occur as it is: grams tried, places looked at; of a gram with more
/// places, none.
const LIKELY_GRAMS: usize = 2 * COARSE_STEP;
const MAX_LIKELY: usize = 64;
const MAX_LIKELY_PER_GRAM: usize = 3;

/// What a look-up says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LookupResult {
    /// The leftmost occurrence.
    Found(usize),
    /// No occurrence.
    Absent,
    /// Too many places share the pattern's grams; scanning is cheaper.
    TooCommon,
}

impl<const STEP: usize> SampledIndex<STEP> {
    pub(crate) fn new<T: CodeUnit>(text: &[T]) -> Self {
        let places = places::<T>(STEP, text.len());
        let bits = bits(STEP, places);
        let mut grid = Self { starts: vec![0; (1 << bits) + 1], entries: vec![0; places], shift: 64 - bits };
        let hash_at = |place: usize| hash::<STEP>(gram(text, place * STEP), grid.shift);
        for place in 0..places {
            grid.starts[hash_at(place).bucket + 1] += 1;
        }
        for bucket in 1..grid.starts.len() {
            grid.starts[bucket] += grid.starts[bucket - 1];
        }
        let mut next = grid.starts.clone();
        for place in 0..places {
            let hash = hash_at(place);
            let slot = &mut next[hash.bucket];
            // Fits: texts have fewer than 2³¹ characters.
            grid.entries[*slot as usize] = (place * STEP) as u32 | hash.tag;
            *slot += 1;
        }
        grid
    }

    /// Bytes on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        (self.starts.capacity() + self.entries.capacity()) * size_of::<u32>()
    }

    fn places<T: CodeUnit>(&self, pattern: &[T], offset: usize) -> Places<'_, STEP> {
        let Hash { bucket, tag } = hash::<STEP>(gram(pattern, offset), self.shift);
        Places { entries: &self.entries[self.starts[bucket] as usize..self.starts[bucket + 1] as usize], tag }
    }

    /// Leftmost occurrence of `pattern` in `text`, which is the text of the index. `pattern` has
    /// at least [`min_pattern_chars`] characters.
    pub(crate) fn find<T: CodeUnit>(&self, text: &[T], pattern: &[T]) -> LookupResult {
        let mut budget = (64 + self.entries.len() / 16).min(MAX_COMPARED);
        let mut leftmost = usize::MAX;
        for residue in 0..STEP {
            let (offset, places) = self.rarest(pattern, residue);
            let wanted = gram(pattern, offset);
            for place in places.iter() {
                let Some(start) = place.checked_sub(offset) else { continue };
                if start >= leftmost {
                    break;
                }
                if budget == 0 {
                    return LookupResult::TooCommon;
                }
                budget -= 1;
                // Most are there by chance: no call for those.
                if gram(text, place) == wanted && text.get(start..start + pattern.len()) == Some(pattern) {
                    leftmost = start;
                    break;
                }
            }
        }
        if leftmost == usize::MAX { LookupResult::Absent } else { LookupResult::Found(leftmost) }
    }

    /// Where most of `pattern` may stand, character by character: a place that has one of its grams,
    /// and agrees with more of it than others do. `pattern` begins there, maybe before the text.
    pub(crate) fn likeliest<T: CodeUnit>(&self, text: &[T], pattern: &[T]) -> Option<isize> {
        let (mut likeliest, mut most) = (None, 0);
        let mut budget = MAX_LIKELY;
        for offset in (0..(pattern.len() + 1).saturating_sub(gram_chars::<T>())).take(LIKELY_GRAMS) {
            let places = self.places(pattern, offset);
            if places.len() > MAX_LIKELY_PER_GRAM {
                continue;
            }
            for place in places.iter() {
                // Fits: texts have fewer than 2³¹ characters.
                let start = place as isize - offset as isize;
                if likeliest == Some(start) {
                    continue;
                }
                let (text, pattern) = (&text[start.max(0) as usize..], &pattern[(-start).max(0) as usize..]);
                let agreeing = agreeing(text, pattern);
                if agreeing > most {
                    (likeliest, most) = (Some(start), agreeing);
                }
                budget -= 1;
                if budget == 0 {
                    return likeliest;
                }
            }
        }
        likeliest
    }

    fn rarest<T: CodeUnit>(&self, pattern: &[T], residue: usize) -> (usize, Places<'_, STEP>) {
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

/// How many characters are the same, one by one.
fn agreeing<T: CodeUnit>(text: &[T], pattern: &[T]) -> usize {
    // In parts that a byte can count: many are compared at once then.
    let parts = text.chunks(usize::from(u8::MAX)).zip(pattern.chunks(usize::from(u8::MAX)));
    let count = |(text, pattern): (&[T], &[T])| text.iter().zip(pattern).map(|(a, b)| u8::from(a == b)).sum::<u8>();
    parts.map(|part| usize::from(count(part))).sum()
}

/// The eight bytes from `position` on.
#[inline(always)]
fn gram<T: CodeUnit>(text: &[T], position: usize) -> u64 {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(&text[position..position + gram_chars::<T>()]))
}

/// The places whose gram is a certain one; rarely one with another gram is among them.
#[derive(Clone, Copy)]
struct Places<'a, const STEP: usize> {
    entries: &'a [u32],
    tag: u32,
}

impl<const STEP: usize> Places<'_, STEP> {
    /// No fewer than there are.
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

/// Fibonacci hashing: the high bits of a product with 2⁶⁴ divided by the golden ratio.
#[inline(always)]
fn hash<const STEP: usize>(gram: u64, shift: u32) -> Hash {
    let product = gram.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    // The bits below those of the bucket; there are always some, as texts have fewer than 2³¹
    // characters.
    Hash { bucket: (product >> shift) as usize, tag: (product >> (shift - STEP.ilog2())) as u32 % STEP as u32 }
}
