//! Compares the restrictions of a claim with those of the passage.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ClaimComparison, Matches, PreparedReading, needs_counterpart};
use crate::term::{Tense, Term, TermKind};

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
        let is_restriction = |term: &Term| {
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
        };
        let mut passage_restrictions: FxHashMap<u64, usize> = FxHashMap::default();
        for &place in touched {
            let term = self.passage_term(place);
            if is_restriction(term) && !self.is_no_restriction(self.passage, place) && self.governs(place, &matched) {
                passage_restrictions.insert(term.key, place);
            }
        }
        // A condition applies to the whole sentence.
        for place in range.clone() {
            let term = self.passage_term(place);
            if matches!(term.kind, TermKind::Condition | TermKind::Exception) {
                passage_restrictions.insert(term.key, place);
            }
        }
        let whole: Vec<usize> = range.clone().collect();
        let mut claim_restrictions: FxHashMap<u64, usize> = FxHashMap::default();
        for (index, term) in self.claim.reading.terms.iter().enumerate() {
            // "Before" and "after" at the end of a clause are adverbs.
            let is_adverb = term.kind == TermKind::TimeOrder
                && self.claim.reading.terms.get(index + 1).is_none_or(|next| next.clause != term.clause);
            if is_restriction(term) && !is_adverb && !self.is_no_restriction(self.claim, index) {
                claim_restrictions.insert(term.key, index);
            }
        }
        for (key, &index) in &claim_restrictions {
            let term = self.claim_term(index);
            let is_in_passage = passage_restrictions.contains_key(key)
                || touched.iter().chain(&whole).any(|&place| self.passage_term(place).key == *key);
            if !is_in_passage {
                mismatches.push(term.span());
                continue;
            }
            // A limiter or conjunction must govern the same word in both texts.
            let Some(&place) = passage_restrictions.get(key) else { continue };
            if matches!(
                term.kind,
                TermKind::Limiter | TermKind::Cause | TermKind::TimeOrder | TermKind::Condition | TermKind::Quantifier
            ) && let (Some(governed), Some(passage_governed)) =
                (governed(self.claim, index), governed(self.passage, place))
                && let Some(found) = matches.get(&governed)
                && found.place != passage_governed
                && self.claim.stems[governed] != self.passage.stems[passage_governed]
                && matched.contains(&passage_governed)
            {
                mismatches.push((term.start, self.claim_term(governed).end));
            }
        }
        for (key, &place) in &passage_restrictions {
            let term = self.passage_term(place);
            // The claim may omit the reason and the time.
            let is_frequency = term.kind == TermKind::Quantifier
                && self.passage.reading.terms.get(place + 1).is_some_and(|next| next.is_period);
            let may_be_omitted = is_frequency || matches!(term.kind, TermKind::Cause | TermKind::TimeOrder);
            if !claim_restrictions.contains_key(key)
                && !may_be_omitted
                && !self.claim.reading.terms.iter().any(|claimed| claimed.key == *key)
            {
                let at = matches.iter().min_by_key(|(_, found)| found.place.abs_diff(place)).map(|(&index, _)| index);
                if let Some(at) = at {
                    mismatches.push(self.claim_term(at).span());
                }
            }
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

/// Returns the word that a restriction governs: the next one that needs a counterpart, or the previous one for a limiter
/// at the end of its clause.
fn governed(text: &PreparedReading, index: usize) -> Option<usize> {
    let terms = &text.reading.terms;
    let clause = terms[index].clause;
    let is_last = terms.get(index + 1).is_none_or(|next| next.clause != clause);
    if terms[index].kind == TermKind::Limiter && is_last {
        return (0..index).rev().take_while(|&at| terms[at].clause == clause).find(|&at| needs_counterpart(text, at));
    }
    (index + 1..terms.len()).find(|&at| needs_counterpart(text, at))
}
