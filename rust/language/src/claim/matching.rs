//! Finds the counterparts of a claim's terms in a passage.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::values::Bound;
use super::{ClaimComparison, Match, Matches, PreparedReading};
use crate::number::Number;
use crate::spelling::are_same_name;
use crate::term::{Term, TermKind, Value};

/// The relation of a term to its counterpart, the closest one first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nearness {
    /// The same word or value.
    Equal,
    /// A synonym, an antonym, or a value that entails the claim's.
    Related,
    /// A word of which the claim's is a hypernym.
    Broader,
}

impl ClaimComparison<'_> {
    /// Returns the counterparts in `range` of the passage. Each term of the passage is the counterpart of at most one
    /// term.
    pub(super) fn matches(&self, required: &[usize], range: Range<usize>) -> Matches {
        let mut found = Matches::default();
        let mut is_used = vec![false; range.len()];
        let may_be_broader = self.may_be_broader(&range);
        for nearness in [Nearness::Equal, Nearness::Related, Nearness::Broader] {
            if nearness == Nearness::Broader && !may_be_broader {
                break;
            }
            let mut last = range.start;
            for &index in required {
                if let Some(found) = found.get(&index) {
                    last = found.place + 1;
                    continue;
                }
                let ordered = (last.min(range.end)..range.end).chain(range.start..last.min(range.end));
                let hit = ordered.filter(|place| !is_used[place - range.start]).find_map(|place| {
                    let is_antonym = match nearness {
                        Nearness::Equal => self.is_same(index, place).then_some(false),
                        Nearness::Related => self.counterpart(index, place),
                        Nearness::Broader => self.is_broader(index, place).then_some(false),
                    };
                    is_antonym.map(|is_antonym| Match { place, is_antonym })
                });
                if let Some(hit) = hit {
                    last = hit.place + 1;
                    is_used[hit.place - range.start] = true;
                    found.insert(index, hit);
                }
            }
        }
        // A name may occur twice in the claim and once in the passage.
        for &index in required {
            let is_number = self.claim_term(index).kind == TermKind::Number;
            if !is_number
                && !found.contains_key(&index)
                && let Some(place) = range.clone().find(|&place| self.is_same(index, place))
            {
                found.insert(index, Match { place, is_antonym: false });
            }
        }
        found
    }

    /// Returns whether a hypernym in the claim is entailed: someone who ate something consumed it, but someone who did
    /// not eat it, or ate only that, may have drunk it.
    fn may_be_broader(&self, range: &Range<usize>) -> bool {
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
        !self.claim.reading.terms.iter().any(restricts)
            && !range.clone().any(|place| restricts(self.passage_term(place)))
    }

    /// Returns whether the claim's word is a hypernym of the passage's word.
    fn is_broader(&self, index: usize, place: usize) -> bool {
        if self.claim_term(index).kind != TermKind::Content || self.passage_term(place).kind != TermKind::Content {
            return false;
        }
        let senses = self.claim.senses(index, self.lexicon).zip(self.passage.senses(place, self.lexicon));
        senses.is_some_and(|(claim, passage)| passage.has_hypernym(claim))
    }

    pub(crate) fn is_same(&self, index: usize, place: usize) -> bool {
        let (claim_term, passage_term) = (self.claim_term(index), self.passage_term(place));
        if claim_term.kind == TermKind::Number || claim_term.kind == TermKind::Date {
            let (claim_bound, passage_bound) = (self.bound(self.claim, index), self.bound(self.passage, place));
            return claim_term.key == passage_term.key
                && (claim_bound == passage_bound || (claim_bound.is_none() && passage_bound == Some(Bound::About)));
        }
        claim_term.key == passage_term.key
            || (claim_term.kind.is_word()
                && passage_term.kind.is_word()
                && self.claim.stems[index] == self.passage.stems[place])
    }

    /// Returns whether the passage's term is an antonym of the claim's, or `None` if it is not a counterpart.
    pub(crate) fn counterpart(&self, index: usize, place: usize) -> Option<bool> {
        let (claim_term, passage_term) = (self.claim_term(index), self.passage_term(place));
        match (&claim_term.value, &passage_term.value) {
            (Some(claim), Some(passage)) => return self.entails(index, claim, place, passage).then_some(false),
            (Some(claim), None) => return self.is_one_unit(claim, self.passage, place).then_some(false),
            (None, Some(passage)) => return self.is_one_unit(passage, self.claim, index).then_some(false),
            (None, None) => {}
        }
        if !claim_term.kind.is_word() || !passage_term.kind.is_word() {
            return None;
        }
        let (claim_form, passage_form) = (self.claim.reading.form(claim_term), self.passage.reading.form(passage_term));
        if claim_term.kind == TermKind::Name || passage_term.kind == TermKind::Name {
            return are_same_name(claim_form, passage_form).then_some(false);
        }
        let claim_senses = self.claim.senses(index, self.lexicon)?;
        let passage_senses = self.passage.senses(place, self.lexicon)?;
        if self.lexicon.are_antonymous_senses(claim_senses, passage_senses) {
            return Some(true);
        }
        if claim_senses.are_synonyms(passage_senses)
            || (!claim_senses.is_word && self.is_typo(claim_form, passage_form))
        {
            return Some(false);
        }
        None
    }

    /// Returns whether a value is one unit, which the other text writes with an article: "one hour", "an hour".
    fn is_one_unit(&self, value: &Value, text: &PreparedReading, at: usize) -> bool {
        let Value::Quantity(quantity) = value else { return false };
        let form = |at: usize| text.reading.form(&text.reading.terms[at]);
        let one = Number::from_integer(1);
        (quantity.low, quantity.high, quantity.is_ordinal) == (one, one, false)
            && at.checked_sub(1).is_some_and(|before| self.lexicon.is_word_for_one(form(before)))
            && self.lexicon.unit(form(at)) == Some(&*quantity.unit)
    }

    fn is_typo(&self, claim_form: &str, passage_form: &str) -> bool {
        let length = passage_form.chars().count();
        self.lexicon.is_spaced
            && length > 3
            && crate::spelling::is_within(claim_form, passage_form, if length < 7 { 1 } else { 2 })
    }

    /// Searches the neighbouring sentences for missing terms: the referents of pronouns, and other clauses of a claim
    /// that combines several sentences. Returns the terms that are still missing.
    pub(super) fn match_elsewhere(
        &self,
        missing: Vec<usize>,
        required: &[usize],
        matches: &mut Matches,
        sentence: usize,
        evidence: &mut (usize, usize),
    ) -> Vec<usize> {
        let mut still_missing = missing;
        // Match whole clauses of the claim in neighbouring sentences.
        let clauses: FxHashSet<u32> = required.iter().map(|&index| self.claim_term(index).clause).collect();
        let is_name = |index: &usize| matches!(self.claim_term(*index).kind, TermKind::Name | TermKind::Title);
        if clauses.len() > 1 && !matches.keys().all(is_name) {
            for clause in clauses {
                let of_clause: Vec<usize> =
                    required.iter().copied().filter(|&index| self.claim_term(index).clause == clause).collect();
                let has_missing = of_clause.iter().any(|index| still_missing.contains(index));
                // A name before a relative clause also belongs to the text after that clause.
                if !has_missing || of_clause.len() < 2 || of_clause.iter().all(is_name) {
                    continue;
                }
                if let Some((neighbour, found)) = self.match_neighbour(&of_clause, sentence) {
                    still_missing.retain(|index| !of_clause.contains(index));
                    matches.extend(found);
                    *evidence = (evidence.0.min(neighbour), evidence.1.max(neighbour));
                }
            }
        }
        // A pronoun of the sentence may refer to the rest.
        still_missing.retain(|&index| {
            let found = self.is_referent(index, sentence);
            if found {
                evidence.0 = evidence.0.min(sentence.saturating_sub(1));
            }
            !found
        });
        still_missing
    }

    /// Returns the first of the neighbouring sentences that contains or refers to all of the terms, and its
    /// counterparts.
    fn match_neighbour(&self, terms: &[usize], sentence: usize) -> Option<(usize, Matches)> {
        let neighbours = [sentence + 1, sentence.wrapping_sub(1), sentence + 2, sentence.wrapping_sub(2)];
        let count = self.passage.reading.sentences.len();
        neighbours.into_iter().filter(|&neighbour| neighbour < count).find_map(|neighbour| {
            let found = self.matches(terms, self.passage.sentence(neighbour));
            let has_all = terms.iter().all(|index| found.contains_key(index) || self.is_referent(*index, neighbour));
            has_all.then_some((neighbour, found))
        })
    }

    /// Returns whether a pronoun of the sentence may refer to a term of the claim, which is then the subject of one of
    /// the two previous sentences, or the speaker.
    fn is_referent(&self, index: usize, sentence: usize) -> bool {
        let term = self.claim_term(index);
        if !matches!(term.kind, TermKind::Name | TermKind::Title) && !(term.kind == TermKind::Content) {
            return false;
        }
        if self.is_topic(index) || self.is_given_name(index, sentence) {
            return true;
        }
        let pronouns = || {
            self.passage
                .sentence(sentence)
                .map(|place| self.passage_term(place))
                .filter(|term| term.kind == TermKind::Pronoun)
        };
        let is_first = |term: &&Term| self.lexicon.first_person.contains(&term.key);
        // A speaker label precedes a colon: "Anna: I do".
        if pronouns().any(|term| is_first(&term)) && self.speaker(sentence).any(|place| self.is_same(index, place)) {
            return true;
        }
        let has_pronoun = pronouns().any(|term| !is_first(&term));
        let claim_has_pronoun = self.claim.reading.terms.iter().any(|term| term.kind == TermKind::Pronoun);
        if !has_pronoun || (claim_has_pronoun && term.kind == TermKind::Content) {
            return false;
        }
        (sentence.saturating_sub(2)..sentence).any(|before| {
            let range = self.passage.sentence(before);
            let subject: Vec<usize> = range
                .filter(|&place| {
                    self.passage_term(place).kind.is_word() || self.passage_term(place).kind == TermKind::Title
                })
                .filter(|&place| !self.passage_term(place).is_speaker_label)
                .take(3)
                .collect();
            let names: Vec<usize> = subject
                .iter()
                .copied()
                .take_while(|&place| self.passage_term(place).kind != TermKind::Content || place == subject[0])
                .collect();
            names.iter().any(|&place| self.is_same(index, place))
        })
    }

    /// Returns the name of a sentence's speaker: the last speaker label up to this sentence.
    fn speaker(&self, sentence: usize) -> Range<usize> {
        let is_speaker_label = |place: &usize| self.passage_term(*place).is_speaker_label;
        let first = |before: usize| self.passage.sentence(before).next().filter(is_speaker_label);
        let Some(start) = (0..=sentence).rev().find_map(first) else { return 0..0 };
        start..start + (start..self.passage.reading.terms.len()).take_while(is_speaker_label).count()
    }

    /// Returns whether a term is the first name of a person whom the sentence calls by the family name only, and whose
    /// full name is elsewhere in the passage: "Cosmo Lind" for "Mr Lind".
    fn is_given_name(&self, index: usize, sentence: usize) -> bool {
        let is_name = |term: &Term| term.kind == TermKind::Name;
        let has_family_name = self.claim.reading.terms.get(index + 1).is_some_and(is_name)
            && self.passage.sentence(sentence).any(|place| self.is_same(index + 1, place));
        let is_full = |place: &u32| {
            let place = *place as usize;
            place + 1 < self.passage.reading.terms.len()
                && self.is_same(index, place)
                && self.is_same(index + 1, place + 1)
        };
        is_name(self.claim_term(index))
            && has_family_name
            && self.passage.positions.get(&self.claim.stems[index]).is_some_and(|places| places.iter().any(is_full))
    }

    /// Returns whether a term after a preposition is the first word of the passage, and so its topic: "the dose of
    /// apixaban" in a passage about apixaban.
    fn is_topic(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map(|before| self.claim_term(before).kind);
        let place = (0..2.min(self.passage.reading.terms.len())).find(|&place| self.passage_term(place).kind.is_word());
        before == Some(TermKind::Preposition) && place.is_some_and(|place| self.is_same(index, place))
    }
}
