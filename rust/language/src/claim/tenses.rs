//! Compares the tenses of a claim's verbs with the passage's.

use super::{ClaimComparison, Matches, PreparedReading};
use crate::term::{Tense, TermKind};

impl ClaimComparison<'_> {
    /// Adds the verbs that are past in one text and present in the other to `mismatches`. Indirect speech may shift the
    /// tense.
    pub(super) fn tenses(&self, matches: &Matches, mismatches: &mut Vec<(u32, u32)>) {
        let has_reporting_verb = |text: &PreparedReading| text.reading.terms.iter().any(|term| term.is_reporting_verb);
        if has_reporting_verb(self.claim) != has_reporting_verb(self.passage) {
            return;
        }
        for (&index, found) in matches {
            if found.is_antonym || self.claim_term(index).kind != TermKind::Content {
                continue;
            }
            let (claim_auxiliary, passage_auxiliary) =
                (self.auxiliary(self.claim, index), self.auxiliary(self.passage, found.place));
            let is_changed = match (claim_auxiliary, passage_auxiliary) {
                (Some(claim_auxiliary), Some(passage_auxiliary)) => {
                    self.claim_term(claim_auxiliary).kind == self.passage_term(passage_auxiliary).kind
                        && self.claim_term(claim_auxiliary).is_be == self.passage_term(passage_auxiliary).is_be
                        && are_different(
                            self.claim_term(claim_auxiliary).tense,
                            self.passage_term(passage_auxiliary).tense,
                        )
                }
                (None, None) => {
                    self.is_finite(self.claim, index)
                        && self.is_finite(self.passage, found.place)
                        && self.claim.stems[index] == self.passage.stems[found.place]
                        && are_different(self.tense_of(self.claim, index), self.tense_of(self.passage, found.place))
                }
                // "She sold it", "she is selling it".
                (Some(claim_auxiliary), None) => {
                    self.differs_from_progressive(self.claim, claim_auxiliary, self.passage, found.place)
                }
                (None, Some(passage_auxiliary)) => {
                    self.differs_from_progressive(self.passage, passage_auxiliary, self.claim, index)
                }
            };
            if is_changed {
                let start = claim_auxiliary.map_or(self.claim_term(index).start, |at| self.claim_term(at).start);
                mismatches.push((start, self.claim_term(index).end));
            }
        }
    }

    /// Returns whether a form of "be" before a verb differs in tense from the finite verb of the other text.
    fn differs_from_progressive(
        &self,
        text: &PreparedReading,
        auxiliary: usize,
        other: &PreparedReading,
        verb: usize,
    ) -> bool {
        let auxiliary = &text.reading.terms[auxiliary];
        auxiliary.is_be && self.is_finite(other, verb) && are_different(auxiliary.tense, self.tense_of(other, verb))
    }

    /// Returns the auxiliary before a word, if only function words are between them.
    fn auxiliary(&self, text: &PreparedReading, index: usize) -> Option<usize> {
        let terms = &text.reading.terms;
        (index.saturating_sub(4)..index)
            .rev()
            .take_while(|&at| {
                terms[at].clause == terms[index].clause
                    && (!terms[at].kind.is_content() || terms[at].kind == TermKind::TimeReference)
            })
            .find(|&at| matches!(terms[at].kind, TermKind::Auxiliary | TermKind::Modal | TermKind::Clitic))
    }

    /// Returns whether a word may be a finite verb: its subject directly precedes it.
    fn is_finite(&self, text: &PreparedReading, index: usize) -> bool {
        let terms = &text.reading.terms;
        let Some(before) = index.checked_sub(1).map(|at| &terms[at]) else { return false };
        before.clause == terms[index].clause
            && (before.kind == TermKind::Name
                || before.kind == TermKind::Pronoun && self.lexicon.is_subject(text.reading.form(before)))
    }

    fn tense_of(&self, text: &PreparedReading, index: usize) -> Tense {
        text.tense(index, self.lexicon).unwrap_or(Tense::None)
    }
}

fn are_different(one: Tense, other: Tense) -> bool {
    matches!((one, other), (Tense::Present, Tense::Past) | (Tense::Past, Tense::Present))
}
