//! Compares the restrictions of a claim with those of the passage.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Match, PreparedReading, Sides, is_wanted};
use crate::term::Tense;
use crate::term::{Term, TermKind};

impl Sides<'_> {
    /// Records modals, hedges, quantifiers and conditions that only one side has.
    pub(super) fn restrictions(
        &self,
        matches: &FxHashMap<usize, Match>,
        touched: &[usize],
        range: &std::ops::Range<usize>,
        other: &mut Vec<(u32, u32)>,
    ) {
        let matched: FxHashSet<usize> = matches.values().map(|found| found.place).collect();
        let is_kind = |term: &Term| {
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
        let mut theirs: FxHashMap<u64, usize> = FxHashMap::default();
        for &place in touched {
            let term = self.theirs(place);
            if is_kind(term)
                && !self.is_minor(self.passage, place)
                && self.governs(self.passage, place, &matched, false)
            {
                theirs.insert(term.key, place);
            }
        }
        // A condition applies to the whole sentence.
        for place in range.clone() {
            let term = self.theirs(place);
            if matches!(term.kind, TermKind::Condition | TermKind::Exception) {
                theirs.insert(term.key, place);
            }
        }
        let whole: Vec<usize> = range.clone().collect();
        let mut ours: FxHashMap<u64, usize> = FxHashMap::default();
        for (index, term) in self.claim.reading.terms.iter().enumerate() {
            // "Before" and "after" at the end of a clause are adverbs.
            let is_adverb = term.kind == TermKind::TimeOrder
                && self.claim.reading.terms.get(index + 1).is_none_or(|next| next.clause != term.clause);
            if is_kind(term) && !is_adverb && !self.is_minor(self.claim, index) {
                ours.insert(term.key, index);
            }
        }
        for (key, &index) in &ours {
            let term = self.ours(index);
            let is_there =
                theirs.contains_key(key) || touched.iter().chain(&whole).any(|&place| self.theirs(place).key == *key);
            if !is_there {
                other.push((term.start, term.end));
                continue;
            }
            // A limiter or conjunction must govern the same word on both sides.
            let Some(&place) = theirs.get(key) else { continue };
            if matches!(
                term.kind,
                TermKind::Limiter | TermKind::Cause | TermKind::TimeOrder | TermKind::Condition | TermKind::Quantifier
            ) && let (Some(governed), Some(their_governed)) =
                (governed(self.claim, index), governed(self.passage, place))
                && let Some(found) = matches.get(&governed)
                && found.place != their_governed
                && self.claim.stems[governed] != self.passage.stems[their_governed]
                && matched.contains(&their_governed)
            {
                other.push((term.start, self.ours(governed).end));
            }
        }
        for (key, &place) in &theirs {
            let term = self.theirs(place);
            // The claim may leave out the reason and the time.
            let is_frequency = term.kind == TermKind::Quantifier
                && self.passage.reading.terms.get(place + 1).is_some_and(|next| next.is_period);
            let may_be_left_out = is_frequency || matches!(term.kind, TermKind::Cause | TermKind::TimeOrder);
            if !ours.contains_key(key)
                && !may_be_left_out
                && !self.claim.reading.terms.iter().any(|ours| ours.key == *key)
            {
                let at = matches.iter().min_by_key(|(_, found)| found.place.abs_diff(place)).map(|(&index, _)| index);
                if let Some(at) = at {
                    other.push((self.ours(at).start, self.ours(at).end));
                }
            }
        }
    }

    /// Returns whether a modal adds no meaning because a verb of perception or memory follows: "we can see the
    /// coast", "we see it".
    fn is_ability(&self, side: &PreparedReading, index: usize) -> bool {
        let terms = &side.reading.terms;
        let form = |at: usize| side.reading.form(&terms[at]);
        let mut behind = (index + 1..terms.len()).take_while(|&at| terms[at].clause == terms[index].clause);
        let verb = behind.find(|&at| terms[at].kind != TermKind::Negation);
        verb.is_some_and(|verb| self.lexicon.is_perceived(form(index), form(verb)))
    }

    /// Returns whether a term only looks like a restriction: "'d" for "had", and "just" in "just before".
    fn is_minor(&self, side: &PreparedReading, index: usize) -> bool {
        let terms = &side.reading.terms;
        let next = terms.get(index + 1).filter(|next| next.clause == terms[index].clause);
        match terms[index].kind {
            TermKind::Modal if index > 0 && terms[index - 1].end == terms[index].start => next.is_some_and(|next| {
                next.kind == TermKind::Content && side.tense(index + 1, self.lexicon) == Some(Tense::Past)
            }),
            TermKind::Modal if self.is_ability(side, index) => true,
            TermKind::Limiter => next.is_some_and(|next| matches!(next.kind, TermKind::TimeOrder | TermKind::Bound)),
            // After a negation, "any" has no meaning of its own: "not any better", "no better".
            TermKind::Quantifier if self.lexicon.is_any(side.reading.form(&terms[index])) => {
                let before = terms[..index].iter().rev().take_while(|term| term.clause == terms[index].clause);
                before.take(4).any(|term| term.kind == TermKind::Negation)
            }
            _ => false,
        }
    }
}

/// Returns the word that a restriction governs: the next one that needs a counterpart, or the previous one for a
/// limiter at the end of its clause.
fn governed(side: &PreparedReading, index: usize) -> Option<usize> {
    let terms = &side.reading.terms;
    let clause = terms[index].clause;
    let is_last = terms.get(index + 1).is_none_or(|next| next.clause != clause);
    if terms[index].kind == TermKind::Limiter && is_last {
        return (0..index).rev().take_while(|&at| terms[at].clause == clause).find(|&at| is_wanted(side, at));
    }
    (index + 1..terms.len()).find(|&at| is_wanted(side, at))
}
