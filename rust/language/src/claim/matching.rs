//! Which terms of a passage are the counterparts of a claim's.

use rustc_hash::{FxHashMap, FxHashSet};

use super::values::Bound;
use super::{Match, Sides, is_word};
use crate::names::are_same_name;
use crate::reading::Kind;

impl Sides<'_> {
    /// The counterparts in some terms of the passage, each term of which is the counterpart of one.
    pub(super) fn matches(&self, wanted: &[usize], range: std::ops::Range<usize>) -> FxHashMap<usize, Match> {
        let mut found: FxHashMap<usize, Match> = FxHashMap::default();
        let mut is_used = vec![false; range.len()];
        // The same words first, then what says the same otherwise.
        for is_strict in [true, false] {
            let mut last = range.start;
            for &index in wanted {
                if let Some(found) = found.get(&index) {
                    last = found.place + 1;
                    continue;
                }
                let ordered = (last.min(range.end)..range.end).chain(range.start..last.min(range.end));
                let hit = ordered.filter(|place| !is_used[place - range.start]).find_map(|place| {
                    if is_strict {
                        return self.is_same(index, place).then_some(Match { place, is_opposite: false });
                    }
                    self.counterpart(index, place).map(|is_opposite| Match { place, is_opposite })
                });
                if let Some(hit) = hit {
                    last = hit.place + 1;
                    is_used[hit.place - range.start] = true;
                    found.insert(index, hit);
                }
            }
        }
        // The name of somebody who is named twice in the claim and once in the passage.
        for &index in wanted {
            let is_number = self.ours(index).kind == Kind::Number;
            if !is_number
                && !found.contains_key(&index)
                && let Some(place) = range.clone().find(|&place| self.is_same(index, place))
            {
                found.insert(index, Match { place, is_opposite: false });
            }
        }
        found
    }

    pub(crate) fn is_same(&self, index: usize, place: usize) -> bool {
        let (ours, theirs) = (self.ours(index), self.theirs(place));
        if ours.kind == Kind::Number || ours.kind == Kind::Date {
            let (our_bound, their_bound) = (self.bound(self.claim, index), self.bound(self.passage, place));
            return ours.key == theirs.key
                && (our_bound == their_bound || (our_bound.is_none() && their_bound == Some(Bound::About)));
        }
        ours.key == theirs.key
            || (is_word(ours) && is_word(theirs) && self.claim.stems[index] == self.passage.stems[place])
    }

    /// Whether the passage's term says what the claim's does, and whether it is its opposite.
    pub(crate) fn counterpart(&self, index: usize, place: usize) -> Option<bool> {
        let (ours, theirs) = (self.ours(index), self.theirs(place));
        match (&ours.value, &theirs.value) {
            (Some(ours), Some(theirs)) => return self.holds(index, ours, place, theirs).then_some(false),
            (None, None) => {}
            _ => return None,
        }
        if !is_word(ours) || !is_word(theirs) {
            return None;
        }
        let (written, meant) = (self.claim.reading.form(ours), self.passage.reading.form(theirs));
        if ours.kind == Kind::Name || theirs.kind == Kind::Name {
            return are_same_name(written, meant).then_some(false);
        }
        let senses = self.claim.senses(index, self.lexicon)?;
        let other = self.passage.senses(place, self.lexicon)?;
        if self.lexicon.have_opposite_senses(senses, other) {
            return Some(true);
        }
        if senses.are_same(other) || (!senses.is_word && self.is_slip(written, meant)) {
            return Some(false);
        }
        None
    }

    fn is_slip(&self, written: &str, meant: &str) -> bool {
        let length = meant.chars().count();
        self.lexicon.is_spaced && length > 3 && crate::slips::is_within(written, meant, if length < 7 { 1 } else { 2 })
    }

    /// Looks for what a sentence lacks in those around it: what a pronoun stands for, and the other clauses of a
    /// claim that was made of several sentences. Returns what is still missing.
    pub(super) fn elsewhere(
        &self,
        missing: Vec<usize>,
        wanted: &[usize],
        matches: &mut FxHashMap<usize, Match>,
        sentence: usize,
        evidence: &mut (usize, usize),
    ) -> Vec<usize> {
        let mut left = missing;
        // Whole clauses of the claim in the sentences beside.
        let clauses: FxHashSet<u32> = wanted.iter().map(|&index| self.ours(index).clause).collect();
        if clauses.len() > 1 {
            for clause in clauses {
                let own: Vec<usize> =
                    wanted.iter().copied().filter(|&index| self.ours(index).clause == clause).collect();
                let has_missing = own.iter().any(|index| left.contains(index));
                if !has_missing || own.len() < 2 {
                    continue;
                }
                for neighbour in [sentence + 1, sentence.wrapping_sub(1), sentence + 2, sentence.wrapping_sub(2)] {
                    if neighbour >= self.passage.reading.sentences.len() {
                        continue;
                    }
                    let found = self.matches(&own, self.passage.sentence(neighbour));
                    let has_all =
                        own.iter().all(|index| found.contains_key(index) || self.is_referent(*index, neighbour));
                    if has_all {
                        left.retain(|index| !own.contains(index));
                        matches.extend(found);
                        *evidence = (evidence.0.min(neighbour), evidence.1.max(neighbour));
                        break;
                    }
                }
            }
        }
        // Names and nouns that a pronoun of the sentence stands for.
        left.retain(|&index| {
            let found = self.is_referent(index, sentence);
            if found {
                evidence.0 = evidence.0.min(sentence.saturating_sub(1));
            }
            !found
        });
        left
    }

    /// Whether a pronoun in the sentence may stand for a term of the claim: it is what one of the two sentences
    /// before begins with, or who speaks.
    fn is_referent(&self, index: usize, sentence: usize) -> bool {
        let ours = self.ours(index);
        if !matches!(ours.kind, Kind::Name | Kind::Title) && !(ours.kind == Kind::Content) {
            return false;
        }
        if self.is_topic(index) {
            return true;
        }
        let has_pronoun = self.passage.sentence(sentence).any(|place| self.theirs(place).kind == Kind::Pronoun);
        let claim_has_pronoun = self.claim.reading.terms.iter().any(|term| term.kind == Kind::Pronoun);
        // Who speaks is in front of a colon: Anna: I do.
        if has_pronoun
            && ours.kind != Kind::Content
            && self.speaker().into_iter().any(|place| self.is_same(index, place))
        {
            return true;
        }
        if !has_pronoun || (claim_has_pronoun && ours.kind == Kind::Content) {
            return false;
        }
        (sentence.saturating_sub(2)..sentence).any(|before| {
            let range = self.passage.sentence(before);
            let subject: Vec<usize> = range
                .filter(|&place| is_word(self.theirs(place)) || self.theirs(place).kind == Kind::Title)
                .take(3)
                .collect();
            let names: Vec<usize> = subject
                .iter()
                .copied()
                .take_while(|&place| self.theirs(place).kind != Kind::Content || place == subject[0])
                .collect();
            names.iter().any(|&place| self.is_same(index, place))
        })
    }

    /// The terms of a speaker's name in front of the first colon.
    fn speaker(&self) -> std::ops::Range<usize> {
        let terms = &self.passage.reading.terms;
        let count = terms
            .iter()
            .take(4)
            .take_while(|term| term.clause == terms[0].clause && matches!(term.kind, Kind::Name | Kind::Title))
            .count();
        let is_label = count > 0
            && terms
                .get(count)
                .is_some_and(|next| next.clause > terms[0].clause && next.start - terms[count - 1].end <= 3);
        0..if is_label { count } else { 0 }
    }

    /// Whether a term behind a preposition is what the passage begins with, and so what it is about: the dose of
    /// apixaban, where the passage is on apixaban.
    fn is_topic(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map(|before| self.ours(before).kind);
        let place = (0..2.min(self.passage.reading.terms.len())).find(|&place| is_word(self.theirs(place)));
        before == Some(Kind::Preposition) && place.is_some_and(|place| self.is_same(index, place))
    }
}
