//! Finds the counterparts of a claim's terms in a passage.

use rustc_hash::{FxHashMap, FxHashSet};

use super::values::Bound;
use super::{Match, Sides, is_word, terms_of};
use crate::names::are_same_name;
use crate::term::{Term, TermKind};

/// How close a term is to its counterpart; the closest kind is searched first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nearness {
    /// The same word or value.
    Equal,
    /// A synonym, an antonym, or another spelling of a value.
    Alike,
    /// A more general word (hypernym).
    Broader,
}

impl Sides<'_> {
    /// Returns the counterparts within `range` of the passage; each of its terms is the counterpart of at most one
    /// term.
    pub(super) fn matches(&self, wanted: &[usize], range: std::ops::Range<usize>) -> FxHashMap<usize, Match> {
        let mut found: FxHashMap<usize, Match> = FxHashMap::default();
        let mut is_used = vec![false; range.len()];
        let may_be_broader = self.may_be_broader(&range);
        for nearness in [Nearness::Equal, Nearness::Alike, Nearness::Broader] {
            if nearness == Nearness::Broader && !may_be_broader {
                break;
            }
            let mut last = range.start;
            for &index in wanted {
                if let Some(found) = found.get(&index) {
                    last = found.place + 1;
                    continue;
                }
                let ordered = (last.min(range.end)..range.end).chain(range.start..last.min(range.end));
                let hit = ordered.filter(|place| !is_used[place - range.start]).find_map(|place| {
                    let is_opposite = match nearness {
                        Nearness::Equal => self.is_same(index, place).then_some(false),
                        Nearness::Alike => self.counterpart(index, place),
                        Nearness::Broader => self.is_broader(index, place).then_some(false),
                    };
                    is_opposite.map(|is_opposite| Match { place, is_opposite })
                });
                if let Some(hit) = hit {
                    last = hit.place + 1;
                    is_used[hit.place - range.start] = true;
                    found.insert(index, hit);
                }
            }
        }
        // A name that occurs twice in the claim and once in the passage.
        for &index in wanted {
            let is_number = self.ours(index).kind == TermKind::Number;
            if !is_number
                && !found.contains_key(&index)
                && let Some(place) = range.clone().find(|&place| self.is_same(index, place))
            {
                found.insert(index, Match { place, is_opposite: false });
            }
        }
        found
    }

    /// Returns whether a hypernym in the claim states no more than the passage: whoever ate something consumed it,
    /// but whoever did not eat it, or ate only that, may have drunk it.
    fn may_be_broader(&self, range: &std::ops::Range<usize>) -> bool {
        let restricts = |term: &Term| {
            matches!(
                term.kind,
                TermKind::Negation
                    | TermKind::ImplicitNegation
                    | TermKind::Quantifier
                    | TermKind::Limiter
                    | TermKind::Condition
                    | TermKind::Exception
            )
        };
        !self.claim.reading.terms.iter().any(restricts) && !range.clone().any(|place| restricts(self.theirs(place)))
    }

    /// Returns whether the claim's word is a hypernym of the passage's word.
    fn is_broader(&self, index: usize, place: usize) -> bool {
        if self.ours(index).kind != TermKind::Content || self.theirs(place).kind != TermKind::Content {
            return false;
        }
        let senses = self.claim.senses(index, self.lexicon).zip(self.passage.senses(place, self.lexicon));
        senses.is_some_and(|(ours, theirs)| theirs.has_broader(ours))
    }

    pub(crate) fn is_same(&self, index: usize, place: usize) -> bool {
        let (ours, theirs) = (self.ours(index), self.theirs(place));
        if ours.kind == TermKind::Number || ours.kind == TermKind::Date {
            let (our_bound, their_bound) = (self.bound(self.claim, index), self.bound(self.passage, place));
            return ours.key == theirs.key
                && (our_bound == their_bound || (our_bound.is_none() && their_bound == Some(Bound::About)));
        }
        ours.key == theirs.key
            || (is_word(ours) && is_word(theirs) && self.claim.stems[index] == self.passage.stems[place])
    }

    /// Returns whether the passage's term is a counterpart of the claim's, and if so, whether it is an antonym.
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
        if ours.kind == TermKind::Name || theirs.kind == TermKind::Name {
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

    /// Searches the surrounding sentences for what a sentence lacks: the referent of a pronoun, and the other clauses
    /// of a claim that combines several sentences. Returns the terms that are still missing.
    pub(super) fn elsewhere(
        &self,
        missing: Vec<usize>,
        wanted: &[usize],
        matches: &mut FxHashMap<usize, Match>,
        sentence: usize,
        evidence: &mut (usize, usize),
    ) -> Vec<usize> {
        let mut left = missing;
        // Match whole clauses of the claim in neighbouring sentences.
        let clauses: FxHashSet<u32> = wanted.iter().map(|&index| self.ours(index).clause).collect();
        let is_named_only =
            matches.keys().all(|&index| matches!(self.ours(index).kind, TermKind::Name | TermKind::Title));
        if clauses.len() > 1 && !is_named_only {
            for clause in clauses {
                let own: Vec<usize> =
                    wanted.iter().copied().filter(|&index| self.ours(index).clause == clause).collect();
                let has_missing = own.iter().any(|index| left.contains(index));
                // A name before a relative clause is also an argument of what follows that clause.
                let has_more =
                    own.iter().any(|&index| !matches!(self.ours(index).kind, TermKind::Name | TermKind::Title));
                if !has_missing || own.len() < 2 || !has_more {
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
        // Names and nouns that a pronoun of the sentence refers to.
        left.retain(|&index| {
            let found = self.is_referent(index, sentence);
            if found {
                evidence.0 = evidence.0.min(sentence.saturating_sub(1));
            }
            !found
        });
        left
    }

    /// Returns whether a pronoun of the sentence may refer to a term of the claim: it is the first term of one of the
    /// two previous sentences, or the speaker.
    fn is_referent(&self, index: usize, sentence: usize) -> bool {
        let ours = self.ours(index);
        if !matches!(ours.kind, TermKind::Name | TermKind::Title) && !(ours.kind == TermKind::Content) {
            return false;
        }
        if self.is_topic(index) || self.is_given_name(index, sentence) {
            return true;
        }
        let pronouns = || {
            self.passage
                .sentence(sentence)
                .map(|place| self.theirs(place))
                .filter(|term| term.kind == TermKind::Pronoun)
        };
        let is_first = |term: &&Term| self.lexicon.first_person.contains(&term.key);
        // The speaker's name comes before a colon: "Anna: I do".
        if pronouns().any(|term| is_first(&term)) && self.speaker(sentence).any(|place| self.is_same(index, place)) {
            return true;
        }
        let has_pronoun = pronouns().any(|term| !is_first(&term));
        let claim_has_pronoun = self.claim.reading.terms.iter().any(|term| term.kind == TermKind::Pronoun);
        if !has_pronoun || (claim_has_pronoun && ours.kind == TermKind::Content) {
            return false;
        }
        (sentence.saturating_sub(2)..sentence).any(|before| {
            let range = self.passage.sentence(before);
            let subject: Vec<usize> = range
                .filter(|&place| is_word(self.theirs(place)) || self.theirs(place).kind == TermKind::Title)
                .filter(|&place| !self.theirs(place).is_speaker_label)
                .take(3)
                .collect();
            let names: Vec<usize> = subject
                .iter()
                .copied()
                .take_while(|&place| self.theirs(place).kind != TermKind::Content || place == subject[0])
                .collect();
            names.iter().any(|&place| self.is_same(index, place))
        })
    }

    /// Returns the terms of the name of a sentence's speaker: the last speaker label up to this sentence.
    fn speaker(&self, sentence: usize) -> std::ops::Range<usize> {
        let is_speaker_label = |place: &usize| self.theirs(*place).is_speaker_label;
        let first = |before: usize| self.passage.sentence(before).next().filter(is_speaker_label);
        let Some(start) = (0..=sentence).rev().find_map(first) else { return 0..0 };
        start..start + (start..self.passage.reading.terms.len()).take_while(is_speaker_label).count()
    }

    /// Returns whether a term is the first name of a person whom the sentence calls by the family name, and whose
    /// full name occurs elsewhere in the passage: "Cosmo Lind" for "Mr Lind".
    fn is_given_name(&self, index: usize, sentence: usize) -> bool {
        let is_name = |term: &Term| term.kind == TermKind::Name;
        let has_family_name = self.claim.reading.terms.get(index + 1).is_some_and(is_name)
            && self.passage.sentence(sentence).any(|place| self.is_same(index + 1, place));
        let is_full = |place: &u32| {
            let place = *place as usize;
            place + 1 < terms_of(self.passage) && self.is_same(index, place) && self.is_same(index + 1, place + 1)
        };
        is_name(self.ours(index))
            && has_family_name
            && self.passage.positions.get(&self.claim.stems[index]).is_some_and(|places| places.iter().any(is_full))
    }

    /// Returns whether a term after a preposition is the passage's first word, and so its topic: "the dose of
    /// apixaban" in a passage about apixaban.
    fn is_topic(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map(|before| self.ours(before).kind);
        let place = (0..2.min(self.passage.reading.terms.len())).find(|&place| is_word(self.theirs(place)));
        before == Some(TermKind::Preposition) && place.is_some_and(|place| self.is_same(index, place))
    }
}
