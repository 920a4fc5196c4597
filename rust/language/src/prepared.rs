//! A reading prepared for comparison with claims: its stems, their positions, and the senses of its words on demand.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;

use crate::lexicon::{Lexicon, MAX_RARITY, Senses};
use crate::reading::Reading;
use crate::term::Tense;
use crate::term::{Term, TermKind, hash};

/// A content word and its lexicon data.
struct WordEntry {
    form: Box<str>,
    stem: u64,
    senses: OnceLock<Senses>,
    rarity: OnceLock<u32>,
    tense: OnceLock<Option<Tense>>,
}

/// Maximum number of words in a cache.
const MAX_CACHED_WORDS: usize = 8_192;

/// Maximum number of topic words of a text.
pub(crate) const MAX_TOPICS: usize = 5;
/// Minimum rarity of a topic word; more common words do not identify a topic.
pub(crate) const MIN_TOPIC_RARITY: u32 = 30;

/// Cache of the words of one lexicon: most words of a text also occur in other texts. It is emptied when full. Can be
/// shared between threads.
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
        // A thread that panicked has left only complete words.
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

/// A text prepared for comparison with claims: its stems and their positions.
pub struct PreparedReading {
    /// The reading.
    pub reading: Reading,
    /// The stem of iter term as a number, or the key of a term without a stem.
    pub(crate) stems: Vec<u64>,
    pub(crate) positions: StemPositions,
    words: Vec<Option<Arc<WordEntry>>>,
    first_terms: Vec<u32>,
    topics: OnceLock<Box<[u64]>>,
}

/// The positions of the stems.
pub(crate) struct StemPositions {
    numbers: FxHashMap<u64, u32>,
    /// Start of iter stem's positions in `terms`, and the end of the last.
    starts: Vec<u32>,
    terms: Vec<u32>,
}

impl StemPositions {
    fn new(stems: &[u64]) -> Self {
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let mut starts: Vec<u32> = vec![0];
        let own: Vec<u32> = stems
            .iter()
            .map(|&stem| {
                let next = numbers.len() as u32;
                let number = *numbers.entry(stem).or_insert(next);
                if number == next {
                    starts.push(0);
                }
                starts[number as usize + 1] += 1;
                number
            })
            .collect();
        for number in 1..starts.len() {
            starts[number] += starts[number - 1];
        }
        let mut next = starts.clone();
        let mut terms = vec![0; stems.len()];
        for (term, &number) in own.iter().enumerate() {
            let position = &mut next[number as usize];
            terms[*position as usize] = term as u32;
            *position += 1;
        }
        Self { numbers, starts, terms }
    }

    /// Returns the terms of iter stem, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.terms[ends[0] as usize..ends[1] as usize])
    }

    /// Returns the terms with a stem, in order.
    pub(crate) fn get(&self, stem: &u64) -> Option<&[u32]> {
        let number = *self.numbers.get(stem)? as usize;
        Some(&self.terms[self.starts[number] as usize..self.starts[number + 1] as usize])
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
        let is_word = |kind: TermKind| {
            matches!(kind, TermKind::Content | TermKind::Name | TermKind::Title | TermKind::ImplicitNegation)
        };
        let forms = reading.terms.iter().map(|term| is_word(term.kind).then(|| reading.form(term)));
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

    /// Returns a number for iter term; inflections of one word share it, and so do equal values.
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

    /// Returns the tense of the verb at `index`, as far as its form shows it, or `None` if the term is not a word.
    pub(crate) fn tense(&self, index: usize, lexicon: &Lexicon) -> Option<Tense> {
        self.words[index].as_ref().and_then(|word| *word.tense.get_or_init(|| lexicon.tense_of_form(&word.form)))
    }

    /// Returns the stems of the most frequent content words, ties in text order; words common to most texts are
    /// excluded.
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
