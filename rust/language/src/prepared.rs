//! Prepares a reading for comparison: indexes its stems, and looks up the senses of its words on demand.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use crate::lexicon::{Lexicon, MAX_RARITY, Senses};
use crate::reading::Reading;
use crate::term::Tense;
use crate::term::{Term, TermKind, hash};

/// A word and its lexicon data, each looked up on first use.
struct WordEntry {
    form: Box<str>,
    stem: u64,
    senses: OnceLock<Senses>,
    rarity: OnceLock<u32>,
    tense: OnceLock<Option<Tense>>,
}

/// Maximum number of words in a [`WordCache`].
const MAX_CACHED_WORDS: usize = 8_192;

/// Maximum number of topics of a text.
pub(crate) const MAX_TOPICS: usize = 5;
/// Minimum rarity of a topic: more common words do not identify one.
pub(crate) const MIN_TOPIC_RARITY: u32 = 30;

/// A cache of the words of one lexicon, since most words of a text also occur in other texts. When full, it is cleared.
/// Threads can share it.
#[derive(Default)]
pub struct WordCache {
    words: Mutex<FxHashMap<Box<str>, Arc<WordEntry>>>,
}

impl WordCache {
    /// Returns the words of the given forms; `None` for a term that is not a word.
    fn words<'a>(
        &self,
        forms: impl Iterator<Item = Option<&'a str>>,
        lexicon: &Lexicon,
    ) -> Vec<Option<Arc<WordEntry>>> {
        // A thread that panicked has added complete words only.
        let mut words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        forms
            .map(|form| {
                let form = form?;
                if let Some(word) = words.get(form) {
                    return Some(Arc::clone(word));
                }
                if words.len() == MAX_CACHED_WORDS {
                    words.clear();
                }
                let stem = hash(&lexicon.stem(form).as_str());
                let word = Arc::new(WordEntry {
                    form: form.into(),
                    stem,
                    senses: OnceLock::new(),
                    rarity: OnceLock::new(),
                    tense: OnceLock::new(),
                });
                words.insert(form.into(), Arc::clone(&word));
                Some(word)
            })
            .collect()
    }
}

/// A reading, its stems and their positions.
pub struct PreparedReading {
    /// The reading.
    pub reading: Reading,
    /// The hashed stem of each term, or the key of a term without a stem.
    pub(crate) stems: Vec<u64>,
    pub(crate) positions: StemPositions,
    words: Vec<Option<Arc<WordEntry>>>,
    first_terms: Vec<u32>,
    topics: OnceLock<Box<[u64]>>,
}

/// The terms of each stem: an inverted index of one text.
pub(crate) struct StemPositions {
    ids: FxHashMap<u64, u32>,
    /// The start of each stem's terms in `terms`, and the end of the last.
    starts: Vec<u32>,
    terms: Vec<u32>,
}

impl StemPositions {
    fn new(stems: &[u64]) -> Self {
        let mut ids: FxHashMap<u64, u32> = FxHashMap::default();
        let mut starts: Vec<u32> = vec![0];
        let own: Vec<u32> = stems
            .iter()
            .map(|&stem| {
                let next = ids.len() as u32;
                let id = *ids.entry(stem).or_insert(next);
                if id == next {
                    starts.push(0);
                }
                starts[id as usize + 1] += 1;
                id
            })
            .collect();
        for id in 1..starts.len() {
            starts[id] += starts[id - 1];
        }
        let mut next = starts.clone();
        let mut terms = vec![0; stems.len()];
        for (term, &id) in own.iter().enumerate() {
            let position = &mut next[id as usize];
            terms[*position as usize] = term as u32;
            *position += 1;
        }
        Self { ids, starts, terms }
    }

    /// Iterates over the stems, and returns the terms of each.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.terms[ends[0] as usize..ends[1] as usize])
    }

    /// Returns the terms with a stem, in order.
    pub(crate) fn get(&self, stem: &u64) -> Option<&[u32]> {
        let id = *self.ids.get(stem)? as usize;
        Some(&self.terms[self.starts[id] as usize..self.starts[id + 1] as usize])
    }
}

impl PreparedReading {
    /// Prepares a reading. Linear in its length.
    #[must_use]
    pub fn new(reading: Reading, lexicon: &Lexicon) -> Self {
        Self::with_cache(reading, lexicon, &WordCache::default())
    }

    /// Prepares a reading with a cache of the words of `lexicon`.
    #[must_use]
    pub fn with_cache(reading: Reading, lexicon: &Lexicon, cache: &WordCache) -> Self {
        let forms = reading.terms.iter().map(|term| term.kind.is_word().then(|| reading.form(term)));
        let words = cache.words(forms, lexicon);
        let stem = |(term, word): (&Term, &Option<Arc<WordEntry>>)| {
            word.as_ref().filter(|_| term.kind != TermKind::Title).map_or(term.key, |word| word.stem)
        };
        let stems: Vec<u64> = reading.terms.iter().zip(&words).map(stem).collect();
        let first_terms = (0..=reading.sentences.len() as u32)
            .map(|sentence| reading.terms.partition_point(|term| term.sentence < sentence) as u32)
            .collect();
        let positions = StemPositions::new(&stems);
        Self { reading, stems, positions, words, first_terms, topics: OnceLock::new() }
    }

    /// Returns a number for each term, which all inflections of a word share, and so do equal values.
    #[must_use]
    pub fn stems(&self) -> &[u64] {
        &self.stems
    }

    /// Returns the senses of the word at `index`, or `None` if the term is not a word.
    pub(crate) fn senses(&self, index: usize, lexicon: &Lexicon) -> Option<&Senses> {
        self.words[index].as_ref().map(|word| word.senses.get_or_init(|| lexicon.senses(&word.form)))
    }

    /// Returns the rarity of the word at `index`, from 0 to 100; 100 if the term is not a word.
    pub(crate) fn rarity(&self, index: usize, lexicon: &Lexicon) -> u32 {
        self.words[index].as_ref().map_or(MAX_RARITY, |word| *word.rarity.get_or_init(|| lexicon.rarity(&word.form)))
    }

    /// Returns the tense that the form of the verb at `index` shows, or `None` if the term is not a word.
    pub(crate) fn tense(&self, index: usize, lexicon: &Lexicon) -> Option<Tense> {
        self.words[index].as_ref().and_then(|word| *word.tense.get_or_init(|| lexicon.tense_of_form(&word.form)))
    }

    /// Returns the stems of the most frequent content words, ties in text order. Words that are common in most texts
    /// do not count.
    pub(crate) fn topics(&self, lexicon: &Lexicon) -> &[u64] {
        self.topics.get_or_init(|| {
            let mut most: Vec<&[u32]> = Vec::with_capacity(MAX_TOPICS + 1);
            for positions in self.positions.iter() {
                let first = positions[0] as usize;
                let is_word = matches!(self.reading.terms[first].kind, TermKind::Content | TermKind::Name);
                let at = most.iter().position(|other| other.len() < positions.len()).unwrap_or(most.len());
                if at < MAX_TOPICS && is_word && self.rarity(first, lexicon) >= MIN_TOPIC_RARITY {
                    most.insert(at, positions);
                    most.truncate(MAX_TOPICS);
                }
            }
            most.iter().map(|positions| self.stems[positions[0] as usize]).collect()
        })
    }

    /// Returns the terms of a sentence.
    pub(crate) fn sentence(&self, number: usize) -> Range<usize> {
        let at =
            |number: usize| self.first_terms.get(number).copied().unwrap_or(self.reading.terms.len() as u32) as usize;
        at(number)..at(number + 1)
    }
}
