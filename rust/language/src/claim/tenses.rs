//! Compares the tenses of a claim's verbs with the passage's.

use rustc_hash::FxHashMap;

use super::{Match, PreparedReading, Sides};
use crate::term::Tense;
use crate::term::TermKind;

impl Sides<'_> {
    /// Adds the verbs to `other` that are past on one side and present on the other.
    ///
    /// A claim that reports somebody's words may shift the tense.
    pub(super) fn tenses(&self, matches: &FxHashMap<usize, Match>, other: &mut Vec<(u32, u32)>) {
        let is_report = |side: &PreparedReading| side.reading.terms.iter().any(|term| term.is_reporting_verb);
        if is_report(self.claim) != is_report(self.passage) {
            return;
        }
        for (&index, found) in matches {
            if found.is_opposite || self.ours(index).kind != TermKind::Content {
                continue;
            }
            let (ours, theirs) = (self.auxiliary(self.claim, index), self.auxiliary(self.passage, found.place));
            let is_changed = match (ours, theirs) {
                (Some(ours), Some(theirs)) => {
                    self.ours(ours).kind == self.theirs(theirs).kind
                        && self.ours(ours).is_be == self.theirs(theirs).is_be
                        && are_other(self.ours(ours).tense, self.theirs(theirs).tense)
                }
                (None, None) => {
                    self.is_finite(self.claim, index)
                        && self.is_finite(self.passage, found.place)
                        && self.claim.stems[index] == self.passage.stems[found.place]
                        && are_other(self.form_tense(self.claim, index), self.form_tense(self.passage, found.place))
                }
                // "She sold it", "she is selling it".
                (Some(ours), None) => self.is_progress(self.claim, ours, self.passage, found.place),
                (None, Some(theirs)) => self.is_progress(self.passage, theirs, self.claim, index),
            };
            if is_changed {
                let start = ours.map_or(self.ours(index).start, |at| self.ours(at).start);
                other.push((start, self.ours(index).end));
            }
        }
    }

    /// Returns whether a form of "be" before a verb differs in tense from the finite verb on the other side.
    fn is_progress(&self, side: &PreparedReading, auxiliary: usize, other: &PreparedReading, verb: usize) -> bool {
        let auxiliary = &side.reading.terms[auxiliary];
        auxiliary.is_be && self.is_finite(other, verb) && are_other(auxiliary.tense, self.form_tense(other, verb))
    }

    /// Returns the auxiliary before a word, if only function words are between them.
    fn auxiliary(&self, side: &PreparedReading, index: usize) -> Option<usize> {
        let terms = &side.reading.terms;
        (index.saturating_sub(4)..index)
            .rev()
            .take_while(|&at| {
                terms[at].clause == terms[index].clause
                    && (!terms[at].kind.is_content() || terms[at].kind == TermKind::TimeReference)
            })
            .find(|&at| matches!(terms[at].kind, TermKind::Auxiliary | TermKind::Modal | TermKind::Clitic))
    }

    /// Returns whether a word may be a finite verb: its subject directly precedes it.
    fn is_finite(&self, side: &PreparedReading, index: usize) -> bool {
        let terms = &side.reading.terms;
        let Some(before) = index.checked_sub(1).map(|at| &terms[at]) else { return false };
        before.clause == terms[index].clause
            && (before.kind == TermKind::Name
                || before.kind == TermKind::Pronoun && self.lexicon.is_subject(side.reading.form(before)))
    }

    fn form_tense(&self, side: &PreparedReading, index: usize) -> Tense {
        side.tense(index, self.lexicon).unwrap_or(Tense::None)
    }
}

fn are_other(one: Tense, other: Tense) -> bool {
    matches!((one, other), (Tense::Present, Tense::Past) | (Tense::Past, Tense::Present))
}
