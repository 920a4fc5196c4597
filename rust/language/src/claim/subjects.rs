//! Checks that the verbs of a claim have the same subjects in the passage.

use super::semantic_roles::ordered;
use super::{ClaimComparison, Pair, PreparedReading, is_argument};
use crate::term::{Tense, Term, TermKind, hash};

impl ClaimComparison<'_> {
    /// Finds a verb that is active in one text and passive in the other, with the same subject: "the army evacuated",
    /// "the army was evacuated".
    pub(super) fn voice_change(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
        let is_passive = |text: &PreparedReading, index: usize| {
            index.checked_sub(1).is_some_and(|before| {
                let terms = &text.reading.terms;
                terms[before].is_be && terms[before].clause == terms[index].clause
            })
        };
        let has_be = |text: &PreparedReading, index: usize| {
            (index.saturating_sub(3)..index).any(|at| {
                let term = &text.reading.terms[at];
                term.clause == text.reading.terms[index].clause && (term.is_be || term.kind == TermKind::Clitic)
            })
        };
        let is_past_tense = |text: &PreparedReading, index: usize| text.tense(index, self.lexicon) == Some(Tense::Past);
        pairs.iter().enumerate().find_map(|(number, &(verb, passage_verb))| {
            let is_verb = self.claim_term(verb).kind == TermKind::Content
                && is_past_tense(self.claim, verb)
                && is_past_tense(self.passage, passage_verb);
            let (is_claim_passive, is_passage_passive) =
                (is_passive(self.claim, verb), is_passive(self.passage, passage_verb));
            let is_other = is_claim_passive != is_passage_passive
                && !has_be(
                    if is_claim_passive { self.passage } else { self.claim },
                    if is_claim_passive { passage_verb } else { verb },
                );
            if !is_verb || !is_other {
                return None;
            }
            let subject = number.checked_sub(1).map(|before| pairs[before]).filter(|&(subject, passage_subject)| {
                self.claim_term(subject).clause == self.claim_term(verb).clause
                    && self.passage_term(passage_subject).clause == self.passage_term(passage_verb).clause
                    && passage_subject < passage_verb
                    && !(passage_subject + 1..passage_verb).any(|place| self.passage_term(place).kind.is_content())
            });
            let pronouns = (self.pronoun_before(self.claim, verb), self.pronoun_before(self.passage, passage_verb));
            let is_same_pronoun = match pronouns {
                (Some(index), Some(place)) => self.claim_term(index).key == self.passage_term(place).key,
                _ => false,
            };
            let first = subject.map(|pair| pair.0).or(pronouns.0.filter(|_| is_same_pronoun))?;
            Some((self.claim_term(first).start, self.claim_term(verb).end))
        })
    }

    /// Returns the pronoun before a word, if only function words are between them.
    fn pronoun_before(&self, text: &PreparedReading, index: usize) -> Option<usize> {
        let terms = &text.reading.terms;
        (index.saturating_sub(4)..index)
            .rev()
            .take_while(|&at| {
                at + 1 == index || !terms[at + 1].kind.is_content() && terms[at + 1].kind != TermKind::Pronoun
            })
            .find(|&at| terms[at].kind == TermKind::Pronoun)
            .filter(|&at| terms[at].clause == terms[index].clause)
    }

    /// Finds a pronoun that refers to another person: "he sold the mill", "she sold the mill".
    pub(super) fn pronoun_change(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
        let is_third = |key: u64| self.lexicon.third_person.contains(&key);
        pairs.iter().filter(|pair| self.claim_term(pair.0).kind == TermKind::Content).find_map(|&(index, place)| {
            let claim_pronoun = self.claim_term(self.pronoun_before(self.claim, index)?);
            let passage_pronoun = self.passage_term(self.pronoun_before(self.passage, place)?);
            let is_other = claim_pronoun.key != passage_pronoun.key
                && is_third(claim_pronoun.key)
                && is_third(passage_pronoun.key);
            is_other.then(|| (claim_pronoun.start, self.claim_term(index).end))
        })
    }

    /// Finds a pronoun that is the object of a verb in the claim and its subject in the passage: "Ann met him", "he met
    /// Ann".
    pub(super) fn subject_change(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
        // A reporting verb needs no counterpart, but it has a subject and an object.
        let reporting_verb = |text: &PreparedReading| text.reading.terms.iter().position(|term| term.is_reporting_verb);
        let reporting_verbs = reporting_verb(self.claim)
            .zip(reporting_verb(self.passage))
            .filter(|&(index, place)| self.claim.stems[index] == self.passage.stems[place]);
        pairs.iter().chain(&reporting_verbs).find_map(|&(verb, passage_verb)| {
            let is_verb = self.claim_term(verb).kind == TermKind::Content
                && self.pronoun_before(self.passage, passage_verb).is_some();
            let object = self.pronoun_object(verb).filter(|_| is_verb)?;
            let is_subject = |(index, place): &&Pair| {
                *index < verb
                    && *place > passage_verb
                    && self.claim_term(*index).clause == self.claim_term(verb).clause
                    && self.passage_term(*place).clause == self.passage_term(passage_verb).clause
                    && (self.is_participant(self.claim, *index) || is_argument(self.passage_term(*place)))
                    && self.role(self.claim, *index).is_none()
                    && self.role(self.passage, *place).is_none()
            };
            let (subject, _) = pairs.iter().find(is_subject)?;
            Some((self.claim_term(*subject).start, object.end))
        })
    }

    /// Finds a verb that has another subject in the passage: "Ann proposed it" for "Ann opposed it; Ben proposed it".
    pub(super) fn other_subject(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
        let terms = &self.passage.reading.terms;
        self.clauses(pairs).find_map(|((subject, at), (verb, place))| {
            if terms[at].clause == terms[place].clause {
                return None;
            }
            // "My sister moved and I stayed": the subject is not the speaker, unless the passage names the speaker.
            let is_spoken_of = terms[at].kind == TermKind::Content && terms[at].sentence == terms[place].sentence;
            let is_speaker = |before: usize| {
                let term = &terms[before];
                term.kind == TermKind::Pronoun && self.lexicon.first_person.contains(&term.key) && at < before
            };
            let mut subjects = (0..place)
                .rev()
                .take_while(|&before| terms[before].clause == terms[place].clause)
                .filter(|&before| terms[before].kind == TermKind::Name || is_spoken_of && is_speaker(before));
            let other = subjects.next().filter(|&other| pairs.iter().all(|&(_, matched)| matched != other))?;
            // In a list, all are subjects of one verb: "Ann, Ben and Carl left". A name may also occur twice.
            let is_other = ordered(at, other).any(|between| self.is_verb(self.passage, between))
                && !self.may_be_one_person(subject, other)
                && !subjects.any(|name| self.may_be_one_person(subject, name));
            is_other.then(|| (self.claim_term(subject).start, self.claim_term(verb).end))
        })
    }

    /// Finds an active verb that is passive in the passage, where its subject is not the agent: "the garrison poisoned
    /// the well", "the garrison surrendered after the well had been poisoned".
    pub(super) fn other_agent(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
        let by = hash(&(TermKind::Preposition, self.lexicon.agent_preposition()));
        let terms = &self.passage.reading.terms;
        self.clauses(pairs).find_map(|((subject, at), (verb, place))| {
            let has_be = (subject..verb).any(|before| self.claim_term(before).is_be);
            if has_be || !place.checked_sub(1).is_some_and(|before| terms[before].is_be) {
                return None;
            }
            let is_agent = (place + 1..at).any(|between| terms[between].key == by);
            (!is_agent).then(|| (self.claim_term(subject).start, self.claim_term(verb).end))
        })
    }

    /// Finds a name of two parts that belongs to different people in the passage: "Liv Moen left" for "Kari Moen left".
    pub(super) fn other_bearer(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
        pairs.iter().find_map(|&(last, place)| {
            let first = name_before(self.claim, last)?;
            let is_other = self.is_same(last, place) && !self.may_be_one_person(last, place);
            is_other.then(|| (self.claim_term(first).start, self.claim_term(last).end))
        })
    }

    /// Returns whether two names are the same, and so are the names directly before them, if both have one.
    fn may_be_one_person(&self, index: usize, place: usize) -> bool {
        let before = name_before(self.claim, index).zip(name_before(self.passage, place));
        self.is_same(index, place) && before.is_none_or(|(index, place)| self.is_same(index, place))
    }

    /// Returns the subjects and verbs of the claim's clauses, if no other counterpart is between them.
    fn clauses<'a>(&'a self, pairs: &'a [Pair]) -> impl Iterator<Item = (Pair, Pair)> + 'a {
        pairs.windows(2).map(|pair| (pair[0], pair[1])).filter(|(subject, verb)| {
            self.is_participant(self.claim, subject.0)
                && self.role(self.claim, subject.0).is_none()
                && self.is_verb(self.claim, verb.0)
                && self.claim_term(subject.0).clause == self.claim_term(verb.0).clause
        })
    }

    fn is_verb(&self, text: &PreparedReading, at: usize) -> bool {
        let kind = text.reading.terms[at].kind;
        let is_past = || text.tense(at, self.lexicon) == Some(Tense::Past);
        kind == TermKind::Auxiliary || kind == TermKind::Content && is_past()
    }

    /// Returns the pronoun directly after a verb of the claim, if it is the object and no determiner.
    fn pronoun_object(&self, verb: usize) -> Option<&Term> {
        let object = self.claim.reading.terms.get(verb + 1).filter(|term| term.kind == TermKind::Pronoun)?;
        let next = self.claim.reading.terms.get(verb + 2);
        next.is_none_or(|next| !next.kind.is_content() || next.kind == TermKind::Number).then_some(object)
    }
}

/// Returns the name directly before the name at `index`.
fn name_before(text: &PreparedReading, index: usize) -> Option<usize> {
    let terms = &text.reading.terms;
    let is_one = |before: &usize| {
        let (first, last) = (&terms[*before], &terms[index]);
        first.kind == TermKind::Name && last.kind == TermKind::Name && first.end + 1 == last.start
    };
    index.checked_sub(1).filter(is_one)
}
