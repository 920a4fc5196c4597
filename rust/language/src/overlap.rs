//! Measures the lexical overlap of a claim and a passage: the features of the support score.
//!
//! Only terms that need a counterpart ([`needs_counterpart`]) count, each stem and each value once. Words are weighted by
//! rarity ([`Lexicon::rarity`]). The score itself is fitted elsewhere.

use std::ops::Range;

use crate::claim::{ClaimComparison, MAX_TERMS, is_value, needs_counterpart};
use crate::lexicon::{Lexicon, LexiconSet};
use crate::prepared::PreparedReading;
use crate::spelling::are_same_name;
use crate::term::{Term, TermKind};

/// Number of consecutive sentences in a window.
pub const WINDOW_SENTENCES: u32 = 3;
/// Maximum distance of neighbouring terms of the claim that count as a phrase in a passage, in terms.
pub const PHRASE_TERMS: u32 = 5;
/// Weight of the most common words.
pub const MIN_WEIGHT: u32 = 3;

/// The features of a claim in a passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LexicalOverlap {
    /// Share of the claim's weight that the best window contains, from 0 to 1.
    pub words: f64,
    /// Share of the weight of the claim's phrases, pairs of neighbouring terms, that the passage contains, from 0 to 1.
    /// For a claim of one term, it equals `words`.
    pub phrases: f64,
    /// Share of the passage's topics, its most frequent words, that the claim contains, from 0 to 1.
    pub topics: f64,
    /// Number of the claim's names without a counterpart in the passage.
    pub missing_names: u32,
    /// Number of the claim's numbers, dates and times without a counterpart in the passage.
    pub missing_numbers: u32,
    /// Number of the claim's terms.
    pub required: u32,
    /// Number of those terms with a counterpart.
    pub matched: u32,
    /// Span from the first to the last counterpart in the best window, in code points; empty if there is none.
    pub evidence: (u32, u32),
}

/// A distinct term of the claim.
struct WeightedTerm {
    index: usize,
    weight: u32,
    is_name: bool,
    is_value: bool,
}

impl WeightedTerm {
    fn new(claim: &PreparedReading, index: usize, lexicon: &Lexicon) -> Self {
        let term = &claim.reading.terms[index];
        let is_name = is_name(term);
        let weight = claim.rarity(index, lexicon).max(MIN_WEIGHT);
        Self { index, weight, is_name, is_value: !is_name && is_value(term) }
    }
}

/// The weighted terms of a claim, for comparison with any number of passages.
pub struct ClaimTerms<'a> {
    claim: &'a PreparedReading,
    lexicon: &'a Lexicon,
    lexicons: &'a LexiconSet,
    terms: Vec<WeightedTerm>,
    /// The indices and the weight of each pair of neighbouring terms; repeated pairs are repeated.
    pairs: Vec<(usize, usize, u32)>,
}

/// A term of the passage that is a counterpart.
#[derive(Clone, Copy)]
struct TermMatch {
    place: u32,
    term: u32,
}

/// The counterparts of each term, in order.
struct Counterparts {
    places: Vec<u32>,
    ends: Vec<usize>,
}

impl Counterparts {
    fn of(&self, term: usize) -> &[u32] {
        let start = term.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.places[start..self.ends[term]]
    }
}

impl<'a> ClaimTerms<'a> {
    /// Collects the terms of a claim and their weights.
    #[must_use]
    pub fn new(claim: &'a PreparedReading, lexicon: &'a Lexicon, lexicons: &'a LexiconSet) -> Self {
        let mut terms: Vec<WeightedTerm> = Vec::new();
        let mut pairs: Vec<(usize, usize, u32)> = Vec::new();
        let mut last: Option<usize> = None;
        let count = claim.reading.terms.len().min(MAX_TERMS);
        for index in (0..count).filter(|&index| needs_counterpart(claim, index)) {
            let stem = claim.stems[index];
            let known = terms.iter().position(|term| claim.stems[term.index] == stem);
            let number = known.unwrap_or_else(|| {
                terms.push(WeightedTerm::new(claim, index, lexicon));
                terms.len() - 1
            });
            if let Some(before) = last.filter(|&before| before != number) {
                pairs.push((before, number, terms[before].weight + terms[number].weight));
            }
            last = Some(number);
        }
        Self { claim, lexicon, lexicons, terms, pairs }
    }

    /// Returns whether the claim has no terms to compare.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the span of the first occurrence of each term in the claim.
    pub fn spans(&self) -> impl Iterator<Item = (u32, u32)> {
        self.terms.iter().map(|term| self.claim.reading.terms[term.index].span())
    }

    /// Returns whether each term has a counterpart in `passage`.
    #[must_use]
    pub fn have_counterparts(&self, passage: &PreparedReading) -> Vec<bool> {
        let counterparts = self.counterparts(passage);
        (0..self.terms.len()).map(|term| self.has(term, passage, counterparts.of(term))).collect()
    }

    /// Compares the claim with `passage`. Returns `None` if either has no terms to compare.
    ///
    /// # Complexity
    ///
    /// Linear in the counterparts, and in the terms of the passage if the claim has a number or a missing name.
    #[must_use]
    pub fn overlap(&self, passage: &PreparedReading) -> Option<LexicalOverlap> {
        if self.is_empty() || passage.reading.terms.is_empty() {
            return None;
        }
        let counterparts = self.counterparts(passage);
        let mut matches: Vec<TermMatch> = (0..self.terms.len())
            .flat_map(|term| counterparts.of(term).iter().map(move |&place| TermMatch { place, term: term as u32 }))
            .collect();
        matches.sort_unstable_by_key(|found| found.place);
        let (weight, window) = self.best_window(&matches, passage);
        let words = share(weight, self.terms.iter().map(|term| term.weight).sum());
        let mut overlap = LexicalOverlap {
            words,
            phrases: self.phrases(&counterparts).unwrap_or(words),
            topics: self.topics(passage),
            missing_names: 0,
            missing_numbers: 0,
            required: self.terms.len() as u32,
            matched: 0,
            evidence: (0, 0),
        };
        for (number, term) in self.terms.iter().enumerate() {
            let is_found = self.has(number, passage, counterparts.of(number));
            overlap.matched += u32::from(is_found);
            overlap.missing_names += u32::from(!is_found && term.is_name);
            overlap.missing_numbers += u32::from(!is_found && term.is_value);
        }
        if let (Some(first), Some(last)) = (matches[window.clone()].first(), matches[window].last()) {
            let terms = &passage.reading.terms;
            overlap.evidence = (terms[first.place as usize].start, terms[last.place as usize].end);
        }
        Some(overlap)
    }

    /// Returns the counterparts of each term: for a value, the values that entail it; for a word, the words with its stem.
    fn counterparts(&self, passage: &PreparedReading) -> Counterparts {
        let passage_terms = &passage.reading.terms;
        let comparison = ClaimComparison { claim: self.claim, passage, lexicon: self.lexicon, lexicons: self.lexicons };
        let has_values = self.terms.iter().any(|term| term.is_value);
        let values: Vec<usize> = match has_values {
            true => (0..passage_terms.len()).filter(|&place| passage_terms[place].value.is_some()).collect(),
            false => Vec::new(),
        };
        let mut found = Counterparts { places: Vec::new(), ends: Vec::with_capacity(self.terms.len()) };
        for term in &self.terms {
            if term.is_value {
                let is_true = |&&place: &&usize| {
                    comparison.is_same(term.index, place) || comparison.counterpart(term.index, place) == Some(false)
                };
                found.places.extend(values.iter().filter(is_true).map(|&place| place as u32));
            } else {
                found.places.extend(passage.positions.get(&self.claim.stems[term.index]).unwrap_or_default());
            }
            found.ends.push(found.places.len());
        }
        found
    }

    /// Returns whether a term has a counterpart, which for a name may have another spelling.
    fn has(&self, term: usize, passage: &PreparedReading, places: &[u32]) -> bool {
        if !places.is_empty() || !self.terms[term].is_name {
            return !places.is_empty();
        }
        let name = self.claim.reading.form(&self.claim.reading.terms[self.terms[term].index]);
        passage.reading.terms.iter().any(|term| is_name(term) && are_same_name(name, passage.reading.form(term)))
    }

    /// Returns the highest weight of a window, and the matches in it. Ties go to the first window, then to the shortest.
    fn best_window(&self, matches: &[TermMatch], passage: &PreparedReading) -> (u32, Range<usize>) {
        let sentence = |found: &TermMatch| passage.reading.terms[found.place as usize].sentence;
        let mut counts = vec![0_u32; self.terms.len()];
        let (mut first, mut weight) = (0, 0);
        let (mut most, mut best) = (0, 0..0);
        for (last, found) in matches.iter().enumerate() {
            let term = found.term as usize;
            counts[term] += 1;
            if counts[term] == 1 {
                weight += self.terms[term].weight;
            }
            loop {
                let oldest = matches[first].term as usize;
                let is_outside = sentence(&matches[first]) + WINDOW_SENTENCES <= sentence(found);
                if !is_outside && counts[oldest] == 1 {
                    break;
                }
                counts[oldest] -= 1;
                if counts[oldest] == 0 {
                    weight -= self.terms[oldest].weight;
                }
                first += 1;
            }
            if weight > most {
                (most, best) = (weight, first..last + 1);
            }
        }
        (most, best)
    }

    /// Returns the share of the claim's phrases that the passage contains, or `None` if the claim has no phrase.
    fn phrases(&self, counterparts: &Counterparts) -> Option<f64> {
        let wanted = self.pairs.iter().map(|(_, _, weight)| weight).sum();
        let found = self
            .pairs
            .iter()
            .filter(|(left, right, _)| are_near(counterparts.of(*left), counterparts.of(*right)))
            .map(|(_, _, weight)| weight)
            .sum();
        (!self.pairs.is_empty()).then(|| share(found, wanted))
    }

    fn topics(&self, passage: &PreparedReading) -> f64 {
        let topics = passage.topics(self.lexicon);
        let shared = topics.iter().filter(|stem| self.claim.positions.get(stem).is_some()).count();
        share(shared as u32, topics.len() as u32)
    }
}

/// Returns `part / whole`, or 0 if the whole is 0.
fn share(part: u32, whole: u32) -> f64 {
    f64::from(part) / f64::from(whole.max(1))
}

fn is_name(term: &Term) -> bool {
    matches!(term.kind, TermKind::Name | TermKind::Title)
}

/// Returns whether two sorted lists of positions contain a pair at most [`PHRASE_TERMS`] apart.
fn are_near(mut left: &[u32], mut right: &[u32]) -> bool {
    while let (Some(first), Some(second)) = (left.first(), right.first()) {
        if first.abs_diff(*second) <= PHRASE_TERMS {
            return true;
        }
        if first < second {
            left = &left[1..];
        } else {
            right = &right[1..];
        }
    }
    false
}
