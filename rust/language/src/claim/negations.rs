//! Finds the negations whose scope covers the terms that claim and passage share.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Match, PreparedReading, Sides, terms_of};
use crate::reading::is_weak_negation;
use crate::term::{Term, TermKind};

impl Sides<'_> {
    /// Returns the terms of the passage's clauses that contain counterparts.
    pub(super) fn touched(&self, matches: &FxHashMap<usize, Match>, range: &std::ops::Range<usize>) -> Vec<usize> {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        for found in matches.values() {
            *counts.entry(self.theirs(found.place).clause).or_default() += 1;
        }
        let is_touched = |place: usize| {
            let clause = self.theirs(place).clause;
            counts.contains_key(&clause)
        };
        let mut places: Vec<usize> = range.clone().filter(|&place| is_touched(place)).collect();
        for found in matches.values() {
            if !range.contains(&found.place) {
                let sentence = self.passage.sentence(self.theirs(found.place).sentence as usize);
                places.extend(sentence.filter(|&place| is_touched(place)));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Returns the negations of claim and passage that are next to the same word, and so have the same meaning on
    /// both sides. Linear.
    pub(super) fn shared_negations(&self, range: &std::ops::Range<usize>) -> (FxHashSet<usize>, FxHashSet<usize>) {
        let negations = |side: &PreparedReading, range: std::ops::Range<usize>| -> Vec<usize> {
            range.filter(|&at| side.reading.terms[at].kind == TermKind::Negation).collect()
        };
        // The word after a negation, and the one before it.
        let beside = |side: &PreparedReading, at: usize| {
            let stem = |at: Option<usize>| at.and_then(|at| side.stems.get(at).copied());
            [(true, stem(Some(at + 1))), (false, stem(at.checked_sub(1)))]
        };
        let mut places: FxHashMap<(bool, u64), Vec<usize>> = FxHashMap::default();
        for place in negations(self.passage, range.clone()).into_iter().rev() {
            for (is_behind, stem) in beside(self.passage, place) {
                places.entry((is_behind, stem.unwrap_or_default())).or_default().push(place);
            }
        }
        let (mut ours, mut theirs) = (FxHashSet::default(), FxHashSet::default());
        for index in negations(self.claim, 0..terms_of(self.claim)) {
            let shared = beside(self.claim, index).into_iter().find_map(|(is_behind, stem)| {
                let same = places.get_mut(&(is_behind, stem?))?;
                while let Some(place) = same.pop() {
                    if !theirs.contains(&place) {
                        return Some(place);
                    }
                }
                None
            });
            if let Some(place) = shared {
                ours.insert(index);
                theirs.insert(place);
            }
        }
        (ours, theirs)
    }

    /// Returns whether an odd number of negations governs the terms.
    pub(super) fn denials(
        &self,
        side: &PreparedReading,
        places: &[usize],
        matches: &FxHashMap<usize, Match>,
        is_claim: bool,
    ) -> bool {
        let matched: FxHashSet<usize> = if is_claim {
            matches.keys().copied().collect()
        } else {
            matches.values().map(|found| found.place).collect()
        };
        let mut count = 0;
        for &index in places {
            let term = &side.reading.terms[index];
            // A negating word that has a counterpart is on both sides.
            let is_denial = term.kind == TermKind::Negation
                || (term.kind == TermKind::ImplicitNegation && !matched.contains(&index));
            if is_denial && self.governs(side, index, &matched, is_claim) {
                count += 1;
            }
        }
        count % 2 == 1
    }

    /// Returns whether a term governs one that has a counterpart: one of the next terms of its clause, or of the
    /// previous ones if none follows.
    pub(super) fn governs(
        &self,
        side: &PreparedReading,
        index: usize,
        matched: &FxHashSet<usize>,
        is_claim: bool,
    ) -> bool {
        let term = &side.reading.terms[index];
        if is_claim {
            // A sentence that is only a negation does not negate the others.
            return matched.iter().any(|&at| side.reading.terms[at].sentence == term.sentence);
        }
        let same_clause = |other: &Term| other.clause == term.clause && other.sentence == term.sentence;
        let terms = &side.reading.terms;
        // "She does not smoke and has no asthma": the second part has a verb of its own.
        let begins_verb = |at: usize| {
            terms[at].kind == TermKind::Conjunction
                && terms.get(at + 1).is_some_and(|next| matches!(next.kind, TermKind::Auxiliary | TermKind::Modal))
        };
        let after = (index + 1..side.reading.terms.len())
            .take_while(|&at| same_clause(&side.reading.terms[at]) && !begins_verb(at))
            .filter(|&at| side.reading.terms[at].kind.is_content())
            .take(3);
        let before = (0..index)
            .rev()
            .take_while(|&at| same_clause(&side.reading.terms[at]))
            .filter(|&at| side.reading.terms[at].kind.is_content())
            .take(2);
        let after: Vec<usize> = after.collect();
        if after.is_empty() {
            return before.into_iter().any(|at| matched.contains(&at));
        }
        after.iter().any(|at| matched.contains(at))
    }

    /// Finds negations that differ in strength or scope: "rarely" and "never"; "in the hall", "not in the yard".
    pub(super) fn other_negation(&self, matches: &FxHashMap<usize, Match>, touched: &[usize]) -> Option<(u32, u32)> {
        let own: Vec<usize> =
            (0..terms_of(self.claim)).filter(|&index| self.ours(index).kind == TermKind::Negation).collect();
        let theirs: Vec<usize> =
            touched.iter().copied().filter(|&place| self.theirs(place).kind == TermKind::Negation).collect();
        let (&first, _) = own.first().zip(theirs.first())?;
        let is_weak = |term: &Term| is_weak_negation(term.key);
        let weak = own.iter().filter(|&&index| is_weak(self.ours(index))).count();
        let their_weak = theirs.iter().filter(|&&place| is_weak(self.theirs(place))).count();
        if own.len() == theirs.len() && weak != their_weak {
            return Some((self.ours(first).start, self.ours(first).end));
        }
        // The phrase that a negation governs is negated on both sides.
        let denied: FxHashSet<usize> = theirs.iter().filter_map(|&place| denied_phrase(self.passage, place)).collect();
        let is_matched = denied.iter().any(|place| matches.values().any(|found| found.place == *place));
        own.iter().find_map(|&index| {
            let phrase = denied_phrase(self.claim, index)?;
            let found = matches.get(&phrase)?;
            let is_other = is_matched && !denied.contains(&found.place);
            is_other.then(|| (self.ours(index).start, self.ours(phrase).end))
        })
    }

    pub(super) fn denial(&self, side: &PreparedReading, range: std::ops::Range<usize>) -> Option<usize> {
        range
            .into_iter()
            .find(|&index| matches!(side.reading.terms[index].kind, TermKind::Negation | TermKind::ImplicitNegation))
    }
}

/// Returns the content word that a negation before a phrase governs, past its preposition and article: "not in the
/// yard"; or at the start of a clause: "rather than the wind".
fn denied_phrase(side: &PreparedReading, index: usize) -> Option<usize> {
    let terms = &side.reading.terms;
    let mut behind = (index + 1..terms.len()).take_while(|&at| terms[at].clause == terms[index].clause);
    let first = behind.next()?;
    let is_small = |at: usize| matches!(terms[at].kind, TermKind::Preposition | TermKind::Article | TermKind::Pronoun);
    let begins_clause = index.checked_sub(1).is_none_or(|before| terms[before].clause != terms[index].clause);
    if !is_small(first) {
        return Some(first).filter(|&first| begins_clause && terms[first].kind.is_content());
    }
    behind.find(|&at| !is_small(at)).filter(|&at| terms[at].kind.is_content())
}
