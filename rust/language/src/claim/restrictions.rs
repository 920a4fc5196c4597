//! Compares the restrictions of a claim with those of the passage.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ClaimComparison, Matches, PreparedReading, needs_counterpart};
use crate::term::{Tense, Term, TermKind, group_key};

impl ClaimComparison<'_> {
    /// Adds the modals, hedges, quantifiers and conditions that only one of the texts has to `mismatches`.
    pub(super) fn restrictions(
        &self,
        matches: &Matches,
        touched: &[usize],
        range: &Range<usize>,
        mismatches: &mut Vec<(u32, u32)>,
    ) {
        let matched: FxHashSet<usize> = matches.values().map(|found| found.place).collect();
        let passage_restrictions = self.passage_restrictions(&matched, touched, range);
        let claim_restrictions = self.claim_restrictions();
        for (key, &index) in &claim_restrictions {
            let term = self.claim_term(index);
            // "Mainly on insects; only a small part is seeds" is not "only insects".
            let is_in_passage = passage_restrictions.contains_key(key)
                || term.kind != TermKind::Limiter
                    && touched.iter().copied().chain(range.clone()).any(|place| self.passage_term(place).key == *key);
            if !is_in_passage {
                mismatches.push(term.span());
            } else if let Some(&place) = passage_restrictions.get(key) {
                let other = self.other_governed_word(index, place, matches, &matched);
                mismatches.extend(other.map(|other| (term.start, self.claim_term(other).end)));
            }
        }
        mismatches.extend(self.widened_noun(matches, &matched));
        for (key, &place) in &passage_restrictions {
            if !self.may_be_omitted(place) && !self.claim.reading.terms.iter().any(|claimed| claimed.key == *key) {
                let nearest = matches.iter().min_by_key(|(_, found)| found.place.abs_diff(place));
                mismatches.extend(nearest.map(|(&index, _)| self.claim_term(index).span()));
            }
        }
    }

    /// Returns the restrictions of the passage that govern matched terms, by their keys.
    fn passage_restrictions(
        &self,
        matched: &FxHashSet<usize>,
        touched: &[usize],
        range: &Range<usize>,
    ) -> FxHashMap<u64, usize> {
        let mut restrictions: FxHashMap<u64, usize> = FxHashMap::default();
        for &place in touched {
            let term = self.passage_term(place);
            if is_restriction(term) && !self.is_no_restriction(self.passage, place) && self.governs(place, matched) {
                restrictions.insert(term.key, place);
            }
        }
        for &place in matched {
            if let Some(intention) = self.intention(place).filter(|intention| !matched.contains(intention)) {
                restrictions.insert(self.passage_term(intention).key, intention);
            }
        }
        // A condition applies to the whole sentence.
        for place in range.clone() {
            let term = self.passage_term(place);
            if matches!(term.kind, TermKind::Condition | TermKind::Exception) {
                restrictions.insert(term.key, place);
            }
        }
        restrictions
    }

    /// Returns the verb that leaves open whether something was done: "promised" for "promised to pay".
    fn intention(&self, place: usize) -> Option<usize> {
        let terms = &self.passage.reading.terms;
        let is_particle = |at: &usize| matches!(terms[*at].kind, TermKind::Conjunction | TermKind::Preposition);
        let particle = place.checked_sub(1).filter(is_particle)?;
        let is_between = |at: &usize| matches!(terms[*at].kind, TermKind::Negation | TermKind::Pronoun);
        let verb = (0..particle).rev().find(|at| !is_between(at))?;
        let is_intention = self.lexicon.is_intention(self.passage.reading.form(&terms[verb]));
        (is_intention && terms[verb].clause == terms[place].clause).then_some(verb)
    }

    /// Finds a noun that the passage limits, and the claim does not: "most residents who answered" and "most residents",
    /// "children under twelve" and "children".
    fn widened_noun(&self, matches: &Matches, matched: &FxHashSet<usize>) -> Option<(u32, u32)> {
        let terms = &self.passage.reading.terms;
        matches.iter().find_map(|(&index, found)| {
            let noun = found.place;
            let clause = terms[noun].clause;
            let mut after = (noun + 1..terms.len()).take_while(|&at| terms[at].sentence == terms[noun].sentence);
            let first =
                after.next().filter(|&at| terms[at].clause == clause && terms[noun].kind == TermKind::Content)?;
            let is_widened = if terms[first].kind == TermKind::Bound {
                let is_bound = self.claim.reading.terms.get(index + 1).is_some_and(|next| next.kind == TermKind::Bound);
                let is_dropped = |at: usize| terms[at].kind == TermKind::Number && !matched.contains(&at);
                !is_bound && after.next().is_some_and(is_dropped)
            } else {
                let is_subject = |before: usize| terms[before].clause != clause || is_proportion(&terms[before]);
                self.lexicon.is_relative(self.passage.reading.form(&terms[first]))
                    && noun.checked_sub(1).is_none_or(is_subject)
                    && after.find(|&at| needs_counterpart(self.passage, at)).is_some_and(|at| !matched.contains(&at))
            };
            is_widened.then(|| self.claim_term(index).span())
        })
    }

    /// Returns the restrictions of the claim, by their keys.
    fn claim_restrictions(&self) -> FxHashMap<u64, usize> {
        let mut restrictions: FxHashMap<u64, usize> = FxHashMap::default();
        for (index, term) in self.claim.reading.terms.iter().enumerate() {
            // "Before" and "after" at the end of a clause are adverbs.
            let is_adverb = term.kind == TermKind::TimeOrder
                && self.claim.reading.terms.get(index + 1).is_none_or(|next| next.clause != term.clause);
            if is_restriction(term) && !is_adverb && !self.is_no_restriction(self.claim, index) {
                restrictions.insert(term.key, index);
            }
        }
        restrictions
    }

    /// Returns the word that the restriction at `index` governs, if the same restriction governs another matched word
    /// in the passage.
    fn other_governed_word(
        &self,
        index: usize,
        place: usize,
        matches: &Matches,
        matched: &FxHashSet<usize>,
    ) -> Option<usize> {
        let kinds =
            [TermKind::Limiter, TermKind::Cause, TermKind::TimeOrder, TermKind::Condition, TermKind::Quantifier];
        if !kinds.contains(&self.claim_term(index).kind) {
            return None;
        }
        let (claim_word, passage_word) = (governed(self.claim, index)?, governed(self.passage, place)?);
        let is_other = matches.get(&claim_word)?.place != passage_word
            && self.claim.stems[claim_word] != self.passage.stems[passage_word]
            && matched.contains(&passage_word);
        is_other.then_some(claim_word)
    }

    /// Returns whether a claim may omit a restriction of the passage: a reason, a time or a frequency.
    fn may_be_omitted(&self, place: usize) -> bool {
        let is_before_period = || self.passage.reading.terms.get(place + 1).is_some_and(|next| next.is_period);
        match self.passage_term(place).kind {
            TermKind::Cause | TermKind::TimeOrder => true,
            TermKind::Quantifier => is_before_period(),
            _ => false,
        }
    }

    /// Returns whether a modal of ability adds no meaning, because a verb of perception or memory follows: "we can see
    /// the coast".
    fn is_vacuous_modal(&self, text: &PreparedReading, index: usize) -> bool {
        let terms = &text.reading.terms;
        let form = |at: usize| text.reading.form(&terms[at]);
        let mut after = (index + 1..terms.len()).take_while(|&at| terms[at].clause == terms[index].clause);
        let verb = after.find(|&at| terms[at].kind != TermKind::Negation);
        verb.is_some_and(|verb| self.lexicon.is_vacuous_ability(form(index), form(verb)))
    }

    /// Returns whether a term only looks like a restriction: "'d" for "had", "just" in "just before".
    fn is_no_restriction(&self, text: &PreparedReading, index: usize) -> bool {
        let terms = &text.reading.terms;
        let next = terms.get(index + 1).filter(|next| next.clause == terms[index].clause);
        match terms[index].kind {
            TermKind::Modal if index > 0 && terms[index - 1].end == terms[index].start => next.is_some_and(|next| {
                next.kind == TermKind::Content && text.tense(index + 1, self.lexicon) == Some(Tense::Past)
            }),
            TermKind::Modal if self.is_vacuous_modal(text, index) => true,
            TermKind::Limiter => next.is_some_and(|next| matches!(next.kind, TermKind::TimeOrder | TermKind::Bound)),
            // After a negation, "any" has no meaning of its own: "not any better" is "no better".
            TermKind::Quantifier if self.lexicon.is_polarity_item(text.reading.form(&terms[index])) => {
                let before = terms[..index].iter().rev().take_while(|term| term.clause == terms[index].clause);
                before.take(4).any(|term| term.kind == TermKind::Negation)
            }
            _ => false,
        }
    }
}

fn is_restriction(term: &Term) -> bool {
    matches!(
        term.kind,
        TermKind::Modal
            | TermKind::Hedge
            | TermKind::Quantifier
            | TermKind::Limiter
            | TermKind::Condition
            | TermKind::Exception
            | TermKind::Cause
            | TermKind::TimeOrder
    )
}

/// Returns whether a quantifier makes a statement about all, or most, of what it governs.
fn is_proportion(term: &Term) -> bool {
    (0..2_u8).any(|group| term.key == group_key(TermKind::Quantifier, group))
}

/// Returns the word that a restriction governs: the next one that needs a counterpart, or the previous one for a
/// limiter at the end of its clause.
fn governed(text: &PreparedReading, index: usize) -> Option<usize> {
    let terms = &text.reading.terms;
    let clause = terms[index].clause;
    let is_last = terms.get(index + 1).is_none_or(|next| next.clause != clause);
    if terms[index].kind == TermKind::Limiter && is_last {
        return (0..index).rev().take_while(|&at| terms[at].clause == clause).find(|&at| needs_counterpart(text, at));
    }
    (index + 1..terms.len()).find(|&at| needs_counterpart(text, at))
}
