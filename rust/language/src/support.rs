//! Measures how much of a claim a passage contains: the features of the support score.
//!
//! Terms are those of a claim that need a counterpart ([`is_wanted`]), each stem and each value once. Words are
//! weighted by rarity ([`Lexicon::rarity`]). The score itself is fitted, and not part of this crate.

use std::ops::Range;

use crate::claim::{Sides, is_value, is_wanted};
use crate::lexicon::{Lexicon, LexiconSet};
use crate::names::are_same_name;
use crate::prepared::PreparedReading;
use crate::term::{Term, TermKind};

/// Number of consecutive sentences in one window.
pub const WINDOW_SENTENCES: u32 = 3;
/// Maximum distance, in terms, of two neighbours of the claim that count as together in a passage.
pub const PHRASE_TERMS: u32 = 5;
/// Maximum number of a claim's terms that are used; later ones are ignored.
pub const MAX_TERMS: usize = 200;
/// Minimum weight, which even the most common word has.
pub const LEAST_WEIGHT: u32 = 3;

/// The features of one claim in one passage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Support {
    /// Share of the claim's weight in the best window, from 0 to 1.
    pub words: f64,
    /// Share of the weight of the claim's neighbouring pairs that are together anywhere in the passage, from 0 to 1;
    /// equals `words` for a claim of one term.
    pub phrases: f64,
    /// Share of the passage's most frequent words that the claim contains, from 0 to 1.
    pub topics: f64,
    /// Number of the claim's names without a counterpart anywhere.
    pub names_missing: u32,
    /// Number of the claim's numbers, dates and times without a counterpart anywhere.
    pub numbers_missing: u32,
    /// Number of the claim's terms.
    pub wanted: u32,
    /// Number of those terms with a counterpart anywhere.
    pub found: u32,
    /// Span from the first to the last counterpart in the best window, in code points; empty if there is none.
    pub evidence: (u32, u32),
}

struct Slot {
    index: usize,
    weight: u32,
    is_name: bool,
    is_value: bool,
}

/// The terms of a claim, to be compared with any number of passages.
pub struct ClaimTerms<'a> {
    claim: &'a PreparedReading,
    lexicon: &'a Lexicon,
    lexicons: &'a LexiconSet,
    slots: Vec<Slot>,
    /// Two consecutive slots and the pair's weight; a repeated pair is listed each time.
    pairs: Vec<(usize, usize, u32)>,
}

/// A term of the passage that is the counterpart of a slot.
#[derive(Clone, Copy)]
struct Hit {
    place: u32,
    slot: u32,
}

/// The positions of each slot's counterparts, in order.
struct Counterparts {
    places: Vec<u32>,
    ends: Vec<usize>,
}

impl Counterparts {
    fn of(&self, slot: usize) -> &[u32] {
        let start = slot.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.places[start..self.ends[slot]]
    }
}

impl<'a> ClaimTerms<'a> {
    /// Collects the terms of a claim.
    #[must_use]
    pub fn new(claim: &'a PreparedReading, lexicon: &'a Lexicon, lexicons: &'a LexiconSet) -> Self {
        let terms = &claim.reading.terms;
        let mut slots: Vec<Slot> = Vec::new();
        let mut pairs: Vec<(usize, usize, u32)> = Vec::new();
        let mut last: Option<usize> = None;
        for index in (0..terms.len().min(MAX_TERMS)).filter(|&index| is_wanted(claim, index)) {
            let stem = claim.stems[index];
            let known = slots.iter().position(|slot| claim.stems[slot.index] == stem);
            let slot = known.unwrap_or_else(|| {
                let term = &terms[index];
                let is_name = is_name(term);
                let weight = claim.rarity(index, lexicon).max(LEAST_WEIGHT);
                slots.push(Slot { index, weight, is_name, is_value: !is_name && is_value(term) });
                slots.len() - 1
            });
            if let Some(before) = last.filter(|&before| before != slot) {
                pairs.push((before, slot, slots[before].weight + slots[slot].weight));
            }
            last = Some(slot);
        }
        Self { claim, lexicon, lexicons, slots, pairs }
    }

    /// Returns whether the claim has no terms to compare.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Returns the start and end of each term's first occurrence in the claim.
    pub fn spans(&self) -> impl Iterator<Item = (u32, u32)> {
        self.slots.iter().map(|slot| {
            let term = &self.claim.reading.terms[slot.index];
            (term.start, term.end)
        })
    }

    /// Returns for each term whether it has a counterpart anywhere in `passage`.
    #[must_use]
    pub fn carried(&self, passage: &PreparedReading) -> Vec<bool> {
        let counterparts = self.counterparts(passage);
        (0..self.slots.len()).map(|slot| self.has(slot, passage, counterparts.of(slot))).collect()
    }

    /// Compares the claim with `passage`; returns `None` if either has nothing to compare.
    ///
    /// # Complexity
    ///
    /// Linear in the counterparts, and in the terms of the passage if the claim has a number or a missing name.
    #[must_use]
    pub fn support(&self, passage: &PreparedReading) -> Option<Support> {
        if self.is_empty() || passage.reading.terms.is_empty() {
            return None;
        }
        let counterparts = self.counterparts(passage);
        let mut hits: Vec<Hit> = (0..self.slots.len())
            .flat_map(|slot| counterparts.of(slot).iter().map(move |&place| Hit { place, slot: slot as u32 }))
            .collect();
        hits.sort_unstable_by_key(|hit| hit.place);
        let (weight, window) = self.best_window(&hits, passage);
        let words = share(weight, self.slots.iter().map(|slot| slot.weight).sum());
        let mut support = Support {
            words,
            phrases: self.phrases(&counterparts).unwrap_or(words),
            topics: self.topics(passage),
            names_missing: 0,
            numbers_missing: 0,
            wanted: self.slots.len() as u32,
            found: 0,
            evidence: (0, 0),
        };
        for (number, slot) in self.slots.iter().enumerate() {
            let is_found = self.has(number, passage, counterparts.of(number));
            support.found += u32::from(is_found);
            support.names_missing += u32::from(!is_found && slot.is_name);
            support.numbers_missing += u32::from(!is_found && slot.is_value);
        }
        if let (Some(first), Some(last)) = (hits[window.clone()].first(), hits[window].last()) {
            let terms = &passage.reading.terms;
            support.evidence = (terms[first.place as usize].start, terms[last.place as usize].end);
        }
        Some(support)
    }

    /// Returns the counterparts: for a value, every value that makes it true; for a word, every word with its stem.
    fn counterparts(&self, passage: &PreparedReading) -> Counterparts {
        let theirs = &passage.reading.terms;
        let sides = Sides { claim: self.claim, passage, lexicon: self.lexicon, lexicons: self.lexicons };
        let has_values = self.slots.iter().any(|slot| slot.is_value);
        let values: Vec<usize> = match has_values {
            true => (0..theirs.len()).filter(|&place| theirs[place].value.is_some()).collect(),
            false => Vec::new(),
        };
        let mut found = Counterparts { places: Vec::new(), ends: Vec::with_capacity(self.slots.len()) };
        for slot in &self.slots {
            if slot.is_value {
                let is_true = |&&place: &&usize| {
                    sides.is_same(slot.index, place) || sides.counterpart(slot.index, place) == Some(false)
                };
                found.places.extend(values.iter().filter(is_true).map(|&place| place as u32));
            } else {
                found.places.extend(passage.positions.get(&self.claim.stems[slot.index]).unwrap_or_default());
            }
            found.ends.push(found.places.len());
        }
        found
    }

    /// Returns whether a slot has a counterpart, including another spelling of a name.
    fn has(&self, slot: usize, passage: &PreparedReading, places: &[u32]) -> bool {
        if !places.is_empty() || !self.slots[slot].is_name {
            return !places.is_empty();
        }
        let name = self.claim.reading.form(&self.claim.reading.terms[self.slots[slot].index]);
        passage.reading.terms.iter().any(|term| is_name(term) && are_same_name(name, passage.reading.form(term)))
    }

    /// Returns the window with most of the claim's weight, and its hits; ties go to the first, then the shortest.
    fn best_window(&self, hits: &[Hit], passage: &PreparedReading) -> (u32, Range<usize>) {
        let sentence = |hit: &Hit| passage.reading.terms[hit.place as usize].sentence;
        let mut counts = vec![0_u32; self.slots.len()];
        let (mut first, mut weight) = (0, 0);
        let (mut most, mut best) = (0, 0..0);
        for (last, hit) in hits.iter().enumerate() {
            let slot = hit.slot as usize;
            counts[slot] += 1;
            if counts[slot] == 1 {
                weight += self.slots[slot].weight;
            }
            loop {
                let gone = hits[first].slot as usize;
                let is_behind = sentence(&hits[first]) + WINDOW_SENTENCES <= sentence(hit);
                if !is_behind && counts[gone] == 1 {
                    break;
                }
                counts[gone] -= 1;
                if counts[gone] == 0 {
                    weight -= self.slots[gone].weight;
                }
                first += 1;
            }
            if weight > most {
                (most, best) = (weight, first..last + 1);
            }
        }
        (most, best)
    }

    /// Returns the share of the weight of the claim's pairs that are together; `None` without a pair.
    fn phrases(&self, counterparts: &Counterparts) -> Option<f64> {
        let wanted = self.pairs.iter().map(|(_, _, weight)| weight).sum();
        let found = self
            .pairs
            .iter()
            .filter(|(one, other, _)| are_near(counterparts.of(*one), counterparts.of(*other)))
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

/// Returns `part / whole`, from 0 to 1; 0 if the whole is 0.
fn share(part: u32, whole: u32) -> f64 {
    f64::from(part) / f64::from(whole.max(1))
}

fn is_name(term: &Term) -> bool {
    matches!(term.kind, TermKind::Name | TermKind::Title)
}

/// Returns whether two sorted lists of positions contain two that are close to each other.
fn are_near(mut one: &[u32], mut other: &[u32]) -> bool {
    while let (Some(first), Some(second)) = (one.first(), other.first()) {
        if first.abs_diff(*second) <= PHRASE_TERMS {
            return true;
        }
        if first < second {
            one = &one[1..];
        } else {
            other = &other[1..];
        }
    }
    false
}
