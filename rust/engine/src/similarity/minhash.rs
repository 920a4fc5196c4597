//! Search for similar long texts by MinHash sketches of a fixed size.
//!
//! The share of hash functions with equal minima estimates the Jaccard similarity of two sets. The minima are divided
//! into bands (locality-sensitive hashing); two texts are compared if all minima of any band are equal.
//!
//! Source: Broder 1997, "On the resemblance and containment of documents"; Leskovec, Rajaraman, Ullman, "Mining of
//! Massive Datasets", chapter 3.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::posting_lists::push_all;
use super::tokens::Tokens;
use crate::arch::minhash::{HASHES, MinHashSketch, update_minima};
use crate::cancel::CancelMeter;
use crate::text::{Text, TextRef};
use crate::{Cancel, Error};

/// The maximum probability of missing a text whose similarity equals the threshold.
const MAX_MISSES: f64 = 1e-4;

/// The number of standard deviations by which an estimate may be too low. It is lower still about once in 30,000 times.
const DEVIATIONS: f64 = 4.0;

/// The end of a chain.
const NONE: u32 = u32::MAX;

/// An index of texts as MinHash sketches. A text of any length takes 512 bytes, and 8 to 16 bytes for each band.
///
/// A search returns candidates that the caller has to compare. It misses about one in 10,000 of the texts whose
/// similarity equals the threshold, and the same ones every time.
///
/// # Examples
///
/// ```
/// use groundwire_engine::Never;
/// use groundwire_engine::similarity::{MinHashIndex, TokenRule, Tokens};
///
/// let mut index = MinHashIndex::new(Tokens::new(TokenRule::Spec, &[]), 0.8);
/// let number = index.insert("a b c d e f g h", &Never)?;
/// assert_eq!(index.query("a b c d e f g h", &Never)?[0].0, number);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct MinHashIndex {
    tokens: Tokens,
    hasher: RandomState,
    factors: Box<[MinHashSketch; 2]>,
    /// The number of hash functions in a band.
    rows_per_band: usize,
    least_agreeing: usize,
    sketches: Vec<MinHashSketch>,
    is_kept: Vec<bool>,
    /// The last text with these minima in a band, by the hash of the band.
    heads: HashMap<u64, u32>,
    /// The previous text in the chain, for each text and band.
    before: Vec<u32>,
    free: Vec<u32>,
}

impl MinHashIndex {
    /// Creates an empty index for searches with the threshold `similarity`, in `0.0..=1.0`.
    #[must_use]
    pub fn new(tokens: Tokens, similarity: f64) -> Self {
        let hasher = RandomState::new();
        let factor = |seed: u8, index: usize| hasher.hash_one((seed, index)) as u32 | 1;
        let factors = Box::new([0, 1].map(|seed| std::array::from_fn(|index| factor(seed, index))));
        let spread = (similarity * (1.0 - similarity) / HASHES as f64).sqrt();
        let least_agreeing = ((similarity - DEVIATIONS * spread) * HASHES as f64).floor().max(0.0) as usize;
        Self {
            tokens,
            hasher,
            factors,
            rows_per_band: rows_per_band(similarity),
            least_agreeing,
            sketches: Vec::new(),
            is_kept: Vec::new(),
            heads: HashMap::new(),
            before: Vec::new(),
            free: Vec::new(),
        }
    }

    /// Returns the number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sketches.len() - self.free.len()
    }

    /// Returns whether the index is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let chains = size_of::<u32>() * self.before.capacity() + (size_of::<(u64, u32)>() + 1) * self.heads.capacity();
        self.tokens.bytes()
            + size_of::<[MinHashSketch; 2]>()
            + (size_of::<MinHashSketch>() + 5) * self.sketches.capacity()
            + chains
    }

    fn bands(&self) -> usize {
        HASHES / self.rows_per_band
    }

    /// Returns the sketch of a text; `None` if it has no tokens.
    fn sketch(&self, text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Option<MinHashSketch>, Error> {
        let (mut sketch, mut is_empty) = ([u32::MAX; HASHES], true);
        self.tokens.each(text, cancel, &mut |token, _| {
            is_empty = false;
            update_minima(&mut sketch, self.hasher.hash_one(token), &self.factors);
            Ok(())
        })?;
        Ok((!is_empty).then_some(sketch))
    }

    fn bands_of(&self, sketch: &MinHashSketch) -> impl Iterator<Item = u64> {
        sketch.chunks(self.rows_per_band).enumerate().map(|(band, values)| self.hasher.hash_one((band, values)))
    }

    /// Adds `text` and returns its number: the number of a removed text, or the next one.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if `text` is too long, [`Error::IndexFull`] beyond 2³² texts, [`Error::Cancelled`] if
    /// `cancel` requests cancellation. After an error, `text` is not in the index.
    pub fn insert<'t>(&mut self, text: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<u32, Error> {
        let sketch = self.sketch(text.into().units(), cancel)?;
        if self.sketches.len() >= NONE as usize {
            return Err(Error::IndexFull);
        }
        let number = self.free.pop().unwrap_or_else(|| {
            push_all(&mut self.sketches, &[[u32::MAX; HASHES]]);
            push_all(&mut self.is_kept, &[false]);
            let chains = vec![NONE; self.bands()];
            push_all(&mut self.before, &chains);
            self.sketches.len() as u32 - 1
        });
        self.is_kept[number as usize] = true;
        // A text without tokens is similar to no other, and is in no chain.
        self.sketches[number as usize] = sketch.unwrap_or([u32::MAX; HASHES]);
        if let Some(sketch) = sketch {
            let bands: Vec<u64> = self.bands_of(&sketch).collect();
            for (band, hash) in bands.into_iter().enumerate() {
                let place = number as usize * self.bands() + band;
                self.before[place] = self.heads.insert(hash, number).unwrap_or(NONE);
            }
        }
        Ok(number)
    }

    /// Removes the text with this number, and returns whether it existed.
    pub fn remove(&mut self, number: u32) -> bool {
        if !self.is_kept.get(number as usize).is_some_and(|&kept| kept) {
            return false;
        }
        let sketch = self.sketches[number as usize];
        let bands: Vec<u64> = self.bands_of(&sketch).collect();
        for (band, hash) in bands.into_iter().enumerate() {
            self.remove_from_band(number, band, hash);
        }
        self.is_kept[number as usize] = false;
        push_all(&mut self.free, &[number]);
        true
    }

    fn remove_from_band(&mut self, number: u32, band: usize, hash: u64) {
        let bands = self.bands();
        let place = |number: u32| number as usize * bands + band;
        let before = std::mem::replace(&mut self.before[place(number)], NONE);
        let Some(&head) = self.heads.get(&hash) else { return };
        if head != number {
            let mut at = head;
            while at != NONE && self.before[place(at)] != number {
                at = self.before[place(at)];
            }
            if at != NONE {
                self.before[place(at)] = before;
            }
        } else if before == NONE {
            self.heads.remove(&hash);
        } else {
            self.heads.insert(hash, before);
        }
    }

    /// Returns the texts that may reach the threshold, with the share of equal minima, which estimates their
    /// similarity. The highest share comes first; ties are in ascending order of number.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if `text` is too long, [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn query<'t>(&self, text: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<Vec<(u32, f64)>, Error> {
        let Some(sketch) = self.sketch(text.into().units(), cancel)? else { return Ok(Vec::new()) };
        let mut meter = CancelMeter::new(cancel);
        let mut numbers = Vec::new();
        for (band, hash) in self.bands_of(&sketch).enumerate() {
            let mut at = self.heads.get(&hash).copied().unwrap_or(NONE);
            while at != NONE {
                meter.charge(1)?;
                numbers.push(at);
                at = self.before[at as usize * self.bands() + band];
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let mut found = Vec::new();
        for number in numbers {
            meter.charge(HASHES)?;
            let agreeing = sketch.iter().zip(&self.sketches[number as usize]).filter(|(a, b)| a == b).count();
            if agreeing >= self.least_agreeing {
                found.push((number, agreeing as f64 / HASHES as f64));
            }
        }
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(found)
    }
}

/// Returns the maximum number of hash functions per band with which a search misses at most [`MAX_MISSES`] of the texts
/// at `similarity`.
fn rows_per_band(similarity: f64) -> usize {
    let is_safe = |&rows: &usize| {
        let misses = 1.0 - similarity.powi(rows as i32);
        misses.powi((HASHES / rows) as i32) <= MAX_MISSES
    };
    [16, 8, 4, 2].into_iter().find(is_safe).unwrap_or(1)
}
