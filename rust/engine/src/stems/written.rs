//! Which words are written nearly like another one: misspelt, inflected, compounded.

use std::collections::HashMap;

use crate::folding::Folding;
use crate::interrupt::Meter;
use crate::{Error, Interrupt};

/// A shorter word is like too many others.
const MIN_CHARS: usize = 5;
/// A longer one is no word.
const MAX_CHARS: usize = 40;
/// So many characters tell a gram.
const GRAM_CHARS: usize = 3;
const CODE_BITS: u32 = 21;
/// A compound has so many more characters than the word that it ends with.
const REST_CHARS: usize = 3;

/// Different words, by the grams of three characters that they have. A word has an end before it and
/// one behind it; `ß` is `ss`.
#[derive(Debug, Default)]
pub struct Written {
    /// The words, one after the other, and where each ends.
    words: String,
    ends: Vec<u32>,
    /// How many different grams each has.
    counts: Vec<u8>,
    /// The grams, sorted, and where the words of each end in `places`.
    grams: Vec<(u64, u32)>,
    places: Vec<u32>,
}

impl Written {
    /// Files `words`, which are in small letters.
    #[must_use]
    pub fn of<'a>(words: impl Iterator<Item = &'a [u32]>) -> Self {
        let mut written = Self::default();
        let mut filed: HashMap<u64, Vec<u32>, Folding> = HashMap::default();
        for word in words {
            let Some(word) = folded(word) else { continue };
            let grams = grams_of(&word);
            let number = written.ends.len() as u32;
            grams.iter().for_each(|&gram| filed.entry(gram).or_default().push(number));
            written.words.extend(&word);
            written.ends.push(written.words.len() as u32);
            written.counts.push(grams.len() as u8);
        }
        let mut filed: Vec<(u64, Vec<u32>)> = filed.into_iter().collect();
        filed.sort_unstable();
        for (gram, places) in filed {
            written.places.extend(places);
            written.grams.push((gram, written.places.len() as u32));
        }
        written.shrink();
        written
    }

    fn shrink(&mut self) {
        self.words.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.counts.shrink_to_fit();
        self.grams.shrink_to_fit();
        self.places.shrink_to_fit();
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let numbers = (self.ends.capacity() + self.places.capacity()) * size_of::<u32>();
        self.words.capacity() + self.counts.capacity() + numbers + self.grams.capacity() * size_of::<(u64, u32)>()
    }

    /// The `limit` words that are most like `word`, each with its similarity: the best first, of equals
    /// in the order of their letters.
    ///
    /// The similarity is Dice's, of different grams: twice those of both by those of each, above 0.0 and
    /// at most 1.0; at least `least`. A compound that ends with `word` has `least` if it has less.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn like(
        &self,
        word: &[u32],
        least: f64,
        limit: usize,
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<(&str, f64)>, Error> {
        let Some(word) = folded(word) else { return Ok(Vec::new()) };
        let grams = grams_of(&word);
        let mut meter = Meter::new(interrupt);
        meter.add(self.ends.len())?;
        let mut common = vec![0_u8; self.ends.len()];
        let mut seen = Vec::new();
        for &gram in &grams {
            let places = self.places_of(gram);
            meter.add(places.len())?;
            for &place in places {
                let count = &mut common[place as usize];
                seen.extend((*count == 0).then_some(place));
                *count += 1;
            }
        }
        let word: String = word.iter().collect();
        let mut found: Vec<(&str, f64)> = seen
            .into_iter()
            .filter_map(|place| {
                let other = self.word(place);
                let both = grams.len() + usize::from(self.counts[place as usize]);
                let share = 2.0 * f64::from(common[place as usize]) / both as f64;
                let is_compound =
                    other.strip_suffix(word.as_str()).is_some_and(|rest| rest.chars().count() >= REST_CHARS);
                let share = if is_compound { share.max(least) } else { share };
                (share >= least).then_some((other, share))
            })
            .collect();
        found.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(other.0)));
        found.truncate(limit);
        Ok(found)
    }

    fn word(&self, place: u32) -> &str {
        let place = place as usize;
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[start as usize..self.ends[place] as usize]
    }

    /// The words that have `gram`.
    fn places_of(&self, gram: u64) -> &[u32] {
        let Ok(number) = self.grams.binary_search_by_key(&gram, |&(gram, _)| gram) else { return &[] };
        let start = number.checked_sub(1).map_or(0, |before| self.grams[before].1);
        &self.places[start as usize..self.grams[number].1 as usize]
    }
}

/// A word as it is compared; `None` if it has too few characters or too many, or a digit.
fn folded(word: &[u32]) -> Option<Vec<char>> {
    if word.len() > MAX_CHARS {
        return None;
    }
    let mut folded = Vec::with_capacity(word.len());
    for &code in word {
        match char::from_u32(code)? {
            'ß' => folded.extend(['s', 's']),
            '-' => {}
            // What follows is an ending.
            '\'' => break,
            sign if sign.is_numeric() => return None,
            sign => folded.push(sign),
        }
    }
    (folded.len() >= MIN_CHARS).then_some(folded)
}

/// The different grams of a word, sorted.
fn grams_of(word: &[char]) -> Vec<u64> {
    let codes = || word.iter().map(|&sign| u64::from(u32::from(sign)));
    let padded: Vec<u64> = std::iter::once(0).chain(codes()).chain([0]).collect();
    let gram = |codes: &[u64]| codes.iter().fold(0, |gram, code| gram << CODE_BITS | code);
    let mut grams: Vec<u64> = padded.windows(GRAM_CHARS).map(gram).collect();
    grams.sort_unstable();
    grams.dedup();
    grams
}
