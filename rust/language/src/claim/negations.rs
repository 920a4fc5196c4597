//! Compares the negations of a claim with those of a passage.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ClaimComparison, Matches, PreparedReading};
use crate::reading::is_weak_negation;
use crate::term::{Term, TermKind};

impl ClaimComparison<'_> {
    /// Returns the terms of the passage's clauses that contain counterparts.
    pub(super) fn touched_terms(&self, matches: &Matches, range: &Range<usize>) -> Vec<usize> {
        let clauses: FxHashSet<u32> = matches.values().map(|found| self.passage_term(found.place).clause).collect();
        let is_touched = |place: usize| clauses.contains(&self.passage_term(place).clause);
        let mut places: Vec<usize> = range.clone().filter(|&place| is_touched(place)).collect();
        for found in matches.values() {
            if !range.contains(&found.place) {
                let sentence = self.passage.sentence(self.passage_term(found.place).sentence as usize);
                places.extend(sentence.filter(|&place| is_touched(place)));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Returns the negations of the claim and of the passage that are next to the same word, and so mean the same.
    /// Linear.
    pub(super) fn shared_negations(&self, range: &Range<usize>) -> (FxHashSet<usize>, FxHashSet<usize>) {
        let negations = |text: &PreparedReading, range: Range<usize>| -> Vec<usize> {
            range.filter(|&at| text.reading.terms[at].kind == TermKind::Negation).collect()
        };
        // The word after a negation and its auxiliaries, and the one before it. Another verb may have the same auxiliary.
        let beside = |text: &PreparedReading, at: usize| {
            let terms = &text.reading.terms;
            let is_auxiliary = |at: usize| matches!(terms[at].kind, TermKind::Auxiliary | TermKind::Modal);
            let ends_clause = terms.get(at + 1).is_none_or(|next| next.clause != terms[at].clause);
            let after = (at + 1..terms.len()).find(|&after| !is_auxiliary(after));
            let before = at.checked_sub(1).filter(|&before| ends_clause || !is_auxiliary(before));
            [(true, after), (false, before)].map(|(follows, word)| (follows, word.map(|word| text.stems[word])))
        };
        let mut places: FxHashMap<(bool, u64), Vec<usize>> = FxHashMap::default();
        for place in negations(self.passage, range.clone()).into_iter().rev() {
            for (follows, stem) in beside(self.passage, place) {
                places.entry((follows, stem.unwrap_or_default())).or_default().push(place);
            }
        }
        let (mut claim_shared, mut passage_shared) = (FxHashSet::default(), FxHashSet::default());
        for index in negations(self.claim, 0..self.claim.reading.terms.len()) {
            let shared = beside(self.claim, index).into_iter().find_map(|(follows, stem)| {
                let same = places.get_mut(&(follows, stem?))?;
                while let Some(place) = same.pop() {
                    if !passage_shared.contains(&place) {
                        return Some(place);
                    }
                }
                None
            });
            if let Some(place) = shared {
                claim_shared.insert(index);
                passage_shared.insert(place);
            }
        }
        (claim_shared, passage_shared)
    }

    /// Returns whether the claim and the passage have different numbers of negations, modulo two, that govern matched
    /// terms. Negations that both texts have beside the same word do not count.
    pub(super) fn differs_in_negations(&self, matches: &Matches, touched: &[usize], range: &Range<usize>) -> bool {
        let (claim_shared, passage_shared) = self.shared_negations(range);
        let indices: FxHashSet<usize> = matches.keys().copied().collect();
        let places: FxHashSet<usize> = matches.values().map(|found| found.place).collect();
        let claim_terms = (0..self.claim.reading.terms.len()).filter(|index| !claim_shared.contains(index));
        let claim_negations = claim_terms
            .filter(|&index| is_unmatched_negation(self.claim, index, &indices))
            // A sentence that is only a negation does not negate the others.
            .filter(|&index| indices.iter().any(|&at| self.claim_term(at).sentence == self.claim_term(index).sentence));
        let passage_terms = touched.iter().copied().filter(|place| !passage_shared.contains(place));
        let passage_negations = passage_terms
            .filter(|&place| is_unmatched_negation(self.passage, place, &places) && self.governs(place, &places));
        let count = self.count(self.claim, claim_negations) + self.count(self.passage, passage_negations);
        count % 2 == 1
    }

    /// Returns the number of negations. "Neither" and its "nor" are one.
    fn count(&self, text: &PreparedReading, negations: impl Iterator<Item = usize>) -> usize {
        let mut last = None;
        let is_new = |at: &usize| {
            let term = &text.reading.terms[*at];
            let before = last.replace(term.sentence);
            before != Some(term.sentence) || !self.lexicon.is_coordinator(text.reading.form(term))
        };
        negations.filter(is_new).count()
    }

    /// Returns whether the passage's term at `place` governs one of `matched`: one of the next content words of its
    /// clause, or of the previous ones if none follows.
    pub(super) fn governs(&self, place: usize, matched: &FxHashSet<usize>) -> bool {
        let terms = &self.passage.reading.terms;
        let term = &terms[place];
        let is_same_clause = |at: &usize| terms[*at].clause == term.clause && terms[*at].sentence == term.sentence;
        // "She does not smoke and has no asthma": the second part has a verb of its own.
        let begins_verb = |at: usize| {
            terms[at].kind == TermKind::Conjunction
                && terms.get(at + 1).is_some_and(|next| matches!(next.kind, TermKind::Auxiliary | TermKind::Modal))
        };
        let is_content = |at: &usize| terms[*at].kind.is_content();
        let after: Vec<usize> = (place + 1..terms.len())
            .take_while(|at| is_same_clause(at) && !begins_verb(*at))
            .filter(is_content)
            .take(3)
            .collect();
        if !after.is_empty() {
            return after.iter().any(|at| matched.contains(at));
        }
        let mut before = (0..place).rev().take_while(is_same_clause).filter(is_content).take(2);
        before.any(|at| matched.contains(&at))
    }

    /// Finds negations that differ in strength or scope: "rarely" and "never"; "in the hall", "not in the yard".
    pub(super) fn other_negation(&self, matches: &Matches, touched: &[usize]) -> Option<(u32, u32)> {
        let claim_negations: Vec<usize> = (0..self.claim.reading.terms.len())
            .filter(|&index| self.claim_term(index).kind == TermKind::Negation)
            .collect();
        let passage_negations: Vec<usize> =
            touched.iter().copied().filter(|&place| self.passage_term(place).kind == TermKind::Negation).collect();
        let (&first, _) = claim_negations.first().zip(passage_negations.first())?;
        let is_weak = |term: &Term| is_weak_negation(term.key);
        let claim_weak = claim_negations.iter().filter(|&&index| is_weak(self.claim_term(index))).count();
        let passage_weak = passage_negations.iter().filter(|&&place| is_weak(self.passage_term(place))).count();
        if claim_negations.len() == passage_negations.len() && claim_weak != passage_weak {
            return Some(self.claim_term(first).span());
        }
        // The phrase that a negation governs in one text must be negated in the other.
        let negated: FxHashSet<usize> =
            passage_negations.iter().filter_map(|&place| negated_phrase(self.passage, place)).collect();
        let is_matched = negated.iter().any(|place| matches.values().any(|found| found.place == *place));
        claim_negations.iter().find_map(|&index| {
            let phrase = negated_phrase(self.claim, index)?;
            let found = matches.get(&phrase)?;
            let is_other = is_matched && !negated.contains(&found.place);
            is_other.then(|| (self.claim_term(index).start, self.claim_term(phrase).end))
        })
    }
}

/// Returns whether a term is a negation that the other text lacks: an implicit one with a counterpart is in both texts.
fn is_unmatched_negation(text: &PreparedReading, at: usize, matched: &FxHashSet<usize>) -> bool {
    match text.reading.terms[at].kind {
        TermKind::Negation => true,
        TermKind::ImplicitNegation => !matched.contains(&at),
        _ => false,
    }
}

/// Returns the content word that a negation governs: that of a phrase, after its preposition and article ("not in the
/// yard"), or the next word if the negation begins a clause ("rather than the wind").
fn negated_phrase(text: &PreparedReading, index: usize) -> Option<usize> {
    let terms = &text.reading.terms;
    let mut after = (index + 1..terms.len()).take_while(|&at| terms[at].clause == terms[index].clause);
    let first = after.next()?;
    let is_function_word =
        |at: usize| matches!(terms[at].kind, TermKind::Preposition | TermKind::Article | TermKind::Pronoun);
    let begins_clause = index.checked_sub(1).is_none_or(|before| terms[before].clause != terms[index].clause);
    if !is_function_word(first) {
        return Some(first).filter(|&first| begins_clause && terms[first].kind.is_content());
    }
    after.find(|&at| !is_function_word(at)).filter(|&at| terms[at].kind.is_content())
}
