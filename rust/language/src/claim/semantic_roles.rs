//! Checks that the terms of a claim have the same semantic roles in the passage: agent, patient, object of a
//! preposition.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{ClaimComparison, Matches, PreparedReading, is_argument};
use crate::term::{Tense, Term, TermKind, hash};

impl ClaimComparison<'_> {
    /// Returns whether two terms have swapped their roles. Adds the first swap to `mismatches`, unless `is_antonym`.
    ///
    /// The role of a term is the preposition that governs it. Between two terms without a preposition, their order
    /// decides.
    pub(super) fn roles(&self, matches: &Matches, is_antonym: bool, mismatches: &mut Vec<(u32, u32)>) -> bool {
        let mut pairs: Vec<(usize, usize)> =
            matches.iter().filter(|(_, found)| !found.is_antonym).map(|(&index, found)| (index, found.place)).collect();
        pairs.sort_unstable();
        let agent = |text: &PreparedReading, places: &[usize]| self.agent(text, places);
        let indices: Vec<usize> = pairs.iter().map(|pair| pair.0).collect();
        let mut places: Vec<usize> = pairs.iter().map(|pair| pair.1).collect();
        places.sort_unstable();
        let (claim_agent, passage_agent) = (agent(self.claim, &indices), agent(self.passage, &places));
        let differs_in_voice = claim_agent.is_some() != passage_agent.is_some();
        // "She had won, said Ann Lee"; "Ann Lee said she had won".
        let sentence =
            pairs.first().map_or(0..0, |pair| self.passage.sentence(self.passage_term(pair.1).sentence as usize));
        let speakers = (speaker(self.claim, 0..self.claim.reading.terms.len()), speaker(self.passage, sentence));
        let speaks = |index: usize, place: usize| speakers.0.contains(&index) && speakers.1.contains(&place);
        let mut swaps = Vec::new();
        for (number, &(one, one_place)) in pairs.iter().enumerate() {
            for &(two, two_place) in &pairs[number + 1..] {
                if one_place <= two_place {
                    continue;
                }
                if self.passage_term(one_place).sentence != self.passage_term(two_place).sentence
                    || self.claim_term(one).sentence != self.claim_term(two).sentence
                {
                    continue;
                }
                let is_speaker = speaks(one, one_place) || speaks(two, two_place);
                if differs_in_voice || is_speaker || self.keep_roles((one, one_place), (two, two_place)) {
                    continue;
                }
                swaps.push((self.claim_term(one).start, self.claim_term(two).end));
            }
        }
        if differs_in_voice
            && !self.is_agent_kept(claim_agent, passage_agent, &pairs)
            && let Some(&first) = indices.first()
        {
            swaps.push(self.claim_term(first).span());
        }
        swaps.extend(self.preposition_change(&pairs));
        swaps.extend(self.voice_change(&pairs));
        swaps.extend(self.person_change(&pairs));
        swaps.extend(self.crossed_clauses(&pairs));
        swaps.extend(self.swapped_comparison(&pairs));
        if !self.lexicon.is_spaced {
            swaps.extend(self.exchanged_runs(&pairs));
        }
        let is_swapped = !swaps.is_empty();
        if is_swapped && !is_antonym {
            mismatches.push(swaps[0]);
        }
        is_swapped
    }

    /// Returns the agent of a passive: the first noun after "by".
    fn agent(&self, text: &PreparedReading, places: &[usize]) -> Option<usize> {
        let (&first, &last) = (places.first()?, places.last()?);
        let terms = &text.reading.terms;
        let by = hash(&(TermKind::Preposition, self.lexicon.agent_preposition()));
        let mut has_be = false;
        for index in first..=last {
            has_be |= terms[index].is_be;
            if terms[index].kind == TermKind::Preposition && terms[index].key == by && has_be {
                let is_noun = |&at: &usize| terms[at].kind.is_content() && terms[at].kind != TermKind::Number;
                let agent = (index + 1..=last).find(is_noun)?;
                return (places.contains(&agent) && terms[agent].kind.is_word()).then_some(agent);
            }
        }
        None
    }

    /// Returns whether an active and a passive sentence have the same agent, which precedes the verb in the active one.
    fn is_agent_kept(
        &self,
        claim_agent: Option<usize>,
        passage_agent: Option<usize>,
        pairs: &[(usize, usize)],
    ) -> bool {
        let (is_claim_passive, agent) = match (claim_agent, passage_agent) {
            (Some(agent), None) => (true, agent),
            (None, Some(agent)) => (false, agent),
            _ => return true,
        };
        let own = |pair: &(usize, usize)| if is_claim_passive { pair.0 } else { pair.1 };
        let counterpart = |pair: &(usize, usize)| if is_claim_passive { pair.1 } else { pair.0 };
        let Some(active) = pairs.iter().find(|pair| own(pair) == agent).map(counterpart) else { return true };
        // The terms before "by" are patients, which follow the agent in the active sentence. A possessor ("Lind's
        // accounts") is not a patient.
        let is_possessor = |text: &PreparedReading, at: usize| {
            text.reading.terms.get(at + 1).is_some_and(|next| next.kind == TermKind::Clitic)
        };
        let patients: Vec<usize> = pairs
            .iter()
            .filter(|pair| {
                own(pair) < agent && !is_possessor(if is_claim_passive { self.claim } else { self.passage }, own(pair))
            })
            .filter(|pair| {
                if is_claim_passive {
                    self.is_participant(self.claim, pair.0)
                } else {
                    self.is_participant(self.passage, pair.1)
                }
            })
            .map(counterpart)
            .collect();
        let first = patients.iter().min();
        first.is_none_or(|&first| active < first)
    }

    /// Returns whether two terms have the same roles in the passage, although their order is different there.
    fn keep_roles(&self, one: (usize, usize), two: (usize, usize)) -> bool {
        let kinds = [self.claim_term(one.0).kind, self.claim_term(two.0).kind];
        let role = |text: &PreparedReading, index: usize| self.role(text, index);
        let (one_role, one_role_there) = (role(self.claim, one.0), role(self.passage, one.1));
        let (two_role, two_role_there) = (role(self.claim, two.0), role(self.passage, two.1));
        // "From Monday to Friday", "from Friday to Monday".
        if one_role != two_role && kinds[0] == kinds[1] && one_role == two_role_there && two_role == one_role_there {
            return false;
        }
        // Time expressions may be anywhere in a sentence.
        let is_time = |term: &Term| {
            term.is_period
                || matches!(
                    term.kind,
                    TermKind::Date | TermKind::Time | TermKind::TimeReference | TermKind::ImplicitNegation
                )
        };
        if is_time(self.claim_term(one.0)) || is_time(self.claim_term(two.0)) {
            return true;
        }
        let is_kept = |here: Option<u64>, there: Option<u64>| here.is_some() && here == there;
        // Two phrases with the same preposition have different roles: "by the ambassador", not "by her deputy".
        let is_distinct = one_role != two_role || kinds[0] != kinds[1];
        if is_distinct && (is_kept(one_role, one_role_there) || is_kept(two_role, two_role_there)) {
            return true;
        }
        // A number next to its noun: "a 40-year-old baker", "a baker aged 40".
        let is_phrase = |text: &PreparedReading, one: usize, two: usize| {
            let between = text.reading.terms.get(one.min(two) + 1..one.max(two));
            between.is_some_and(|between| {
                between
                    .iter()
                    .all(|term| term.kind == TermKind::Content && term.clause == text.reading.terms[one].clause)
            })
        };
        let are_beside = is_phrase(self.claim, one.0, two.0) && is_phrase(self.passage, one.1, two.1);
        if are_beside && kinds.contains(&TermKind::Number) && kinds.contains(&TermKind::Content) {
            return true;
        }
        let is_list = |text: &PreparedReading, one: usize, two: usize| {
            let (first, last) = (one.min(two), one.max(two));
            last - first <= 6
                && text.reading.terms[first + 1..last].iter().all(|term| {
                    matches!(
                        term.kind,
                        TermKind::Conjunction
                            | TermKind::Article
                            | TermKind::Name
                            | TermKind::Title
                            | TermKind::Pronoun
                            | TermKind::Clitic
                    ) || term.kind == TermKind::Content && last - first <= 4
                })
                && text.reading.terms[first + 1..last]
                    .iter()
                    .any(|term| self.lexicon.is_coordinator(text.reading.form(term)))
        };
        if is_list(self.claim, one.0, two.0) && is_list(self.passage, one.1, two.1) {
            return true;
        }
        // "Its owner, Mr. Reed"; "Mr. Reed, the owner".
        let is_apposed = |text: &PreparedReading, one: usize, two: usize| {
            let (first, last) = (one.min(two), one.max(two));
            let terms = &text.reading.terms;
            terms[first].clause != terms[last].clause
                && terms[first + 1..last].iter().all(|term| {
                    matches!(
                        term.kind,
                        TermKind::Article | TermKind::Pronoun | TermKind::Title | TermKind::Name | TermKind::Clitic
                    )
                })
        };
        if is_apposed(self.claim, one.0, two.0) && is_apposed(self.passage, one.1, two.1) {
            return true;
        }
        let has_symmetric = |text: &PreparedReading, one: usize, two: usize| {
            let (first, last) = (one.min(two), one.max(two));
            text.reading.terms[first..=last].iter().any(|term| self.lexicon.is_symmetric(text.reading.form(term)))
        };
        if has_symmetric(self.claim, one.0, two.0) || has_symmetric(self.passage, one.1, two.1) {
            return true;
        }
        // Only participants have a role: names, numbers, and nouns after a determiner. A name at the start of a sentence
        // may look like any other word.
        let is_participant =
            |pair: (usize, usize)| self.is_participant(self.claim, pair.0) || is_argument(self.passage_term(pair.1));
        !(is_participant(one) && is_participant(two))
    }

    fn is_participant(&self, text: &PreparedReading, index: usize) -> bool {
        let term = &text.reading.terms[index];
        if is_argument(term) {
            return true;
        }
        let before = index.checked_sub(1).map(|before| &text.reading.terms[before]);
        term.kind == TermKind::Content
            && before.is_some_and(|before| {
                matches!(before.kind, TermKind::Article | TermKind::Pronoun | TermKind::Quantifier | TermKind::Number)
                    || before.kind == TermKind::Clitic
            })
    }

    /// Returns the key of the preposition that governs a term: the closest one before it, if only words of the same
    /// phrase are between them.
    fn role(&self, text: &PreparedReading, index: usize) -> Option<u64> {
        let terms = &text.reading.terms;
        for at in (index.saturating_sub(5)..index).rev() {
            let term = &terms[at];
            if term.sentence != terms[index].sentence {
                return None;
            }
            match term.kind {
                TermKind::Preposition => return Some(term.key),
                TermKind::TimeOrder | TermKind::Cause | TermKind::Condition | TermKind::Exception => {
                    return Some(term.key);
                }
                TermKind::Article
                | TermKind::Pronoun
                | TermKind::Name
                | TermKind::Title
                | TermKind::Quantifier
                | TermKind::Number
                | TermKind::Bound
                | TermKind::Clitic
                | TermKind::Conjunction => {}
                TermKind::Content if at + 1 == index || terms[at + 1].kind == TermKind::Content => {}
                _ => return None,
            }
        }
        None
    }

    /// Finds a term governed by opposite prepositions: "for the strike", "against the strike".
    fn preposition_change(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let preposition = |text: &PreparedReading, index: usize| {
            (index.saturating_sub(3)..index)
                .rev()
                .find(|&at| !matches!(text.reading.terms[at].kind, TermKind::Article | TermKind::Pronoun))
                .filter(|&at| text.reading.terms[at].kind == TermKind::Preposition)
        };
        pairs.iter().find_map(|&(index, place)| {
            let claim = self.claim_term(preposition(self.claim, index)?);
            let passage = self.passage_term(preposition(self.passage, place)?);
            let are_antonyms = claim.key != passage.key
                && self.lexicon.are_antonyms(self.claim.reading.form(claim), self.passage.reading.form(passage));
            are_antonyms.then(|| (claim.start, self.claim_term(index).end))
        })
    }

    /// Finds a verb that is active in one text and passive in the other, with the same subject: "the army evacuated",
    /// "the army was evacuated".
    fn voice_change(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
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

    /// Finds a pronoun that refers to another person, or that is the subject in one text and the object in the other:
    /// "he met Ann", "Ann met him".
    fn person_change(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let is_third = |key: u64| self.lexicon.third_person.contains(&key);
        for &(index, place) in pairs {
            if self.claim_term(index).kind != TermKind::Content {
                continue;
            }
            let (Some(claim_pronoun), passage_pronoun) =
                (self.pronoun_before(self.claim, index), self.pronoun_before(self.passage, place))
            else {
                continue;
            };
            let key = self.claim_term(claim_pronoun).key;
            if let Some(passage_key) = passage_pronoun.map(|place| self.passage_term(place).key)
                && passage_key != key
                && is_third(passage_key)
                && is_third(key)
            {
                return Some((self.claim_term(claim_pronoun).start, self.claim_term(index).end));
            }
        }
        // A reporting verb needs no counterpart, but it has a subject and an object.
        let reporting = |text: &PreparedReading| text.reading.terms.iter().position(|term| term.is_reporting_verb);
        let both = reporting(self.claim).zip(reporting(self.passage));
        let reporting_verbs = both.filter(|&(index, place)| self.claim.stems[index] == self.passage.stems[place]);
        for &(verb, passage_verb) in pairs.iter().chain(&reporting_verbs) {
            if self.claim_term(verb).kind != TermKind::Content
                || self.pronoun_before(self.passage, passage_verb).is_none()
            {
                continue;
            }
            let object = verb + 1;
            let has_object = self.claim.reading.terms.get(object).is_some_and(|term| {
                term.kind == TermKind::Pronoun
                    && self
                        .claim
                        .reading
                        .terms
                        .get(object + 1)
                        .is_none_or(|next| !next.kind.is_content() || next.kind == TermKind::Number)
            });
            let acts = pairs.iter().find(|(index, place)| {
                *index < verb
                    && *place > passage_verb
                    && self.claim_term(*index).clause == self.claim_term(verb).clause
                    && self.passage_term(*place).clause == self.passage_term(passage_verb).clause
                    && (self.is_participant(self.claim, *index) || is_argument(self.passage_term(*place)))
                    && self.role(self.claim, *index).is_none()
                    && self.role(self.passage, *place).is_none()
            });
            if let (true, Some(&(index, _))) = (has_object, acts) {
                return Some((self.claim_term(index).start, self.claim_term(object).end));
            }
        }
        None
    }

    /// Finds a comparison whose operands are swapped: "she is taller than her brother", "her brother is taller than she
    /// is".
    fn swapped_comparison(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let than =
            |text: &PreparedReading, at: usize| self.lexicon.is_comparison(text.reading.form(&text.reading.terms[at]));
        let claim_than = (0..self.claim.reading.terms.len()).find(|&at| than(self.claim, at))?;
        let sentence = self.passage.sentence(self.passage_term(pairs.first()?.1).sentence as usize);
        let end = sentence.end;
        let passage_than = sentence.clone().find(|&at| than(self.passage, at))?;
        let person = |text: &PreparedReading, mut range: Range<usize>| {
            let terms = &text.reading.terms;
            range.find(|&at| terms[at].kind == TermKind::Pronoun).map(|at| (at, terms[at].key))
        };
        let own_sentence = self.claim.sentence(self.claim_term(claim_than).sentence as usize);
        let compared =
            person(self.claim, own_sentence.start..claim_than).zip(person(self.passage, sentence.start..passage_than));
        let standards = person(self.claim, claim_than + 1..own_sentence.end.min(claim_than + 2))
            .zip(person(self.passage, passage_than + 1..end.min(passage_than + 2)));
        if let (Some((one, there)), Some((two, two_there))) = (compared, standards)
            && one.1 == two_there.1
            && two.1 == there.1
            && one.1 != two.1
        {
            return Some((self.claim_term(one.0).start, self.claim_term(two.0).end));
        }
        let standard =
            (passage_than + 1..end.min(passage_than + 4)).find(|&at| self.passage_term(at).kind.is_content())?;
        let &(index, _) = pairs.iter().find(|pair| pair.1 == standard)?;
        let is_compared = index < claim_than && self.claim_term(index).clause == self.claim_term(claim_than).clause;
        is_compared.then(|| (self.claim_term(index).start, self.claim_term(claim_than).end))
    }

    /// Finds two clauses that have exchanged participants: "38 of the one group and 17 of the other".
    fn crossed_clauses(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let members: Vec<(u32, u32, usize)> = pairs
            .iter()
            .filter(|(index, _)| self.is_participant(self.claim, *index))
            .map(|&(index, place)| (self.claim_term(index).clause, self.passage_term(place).clause, index))
            .collect();
        let known: FxHashMap<(u32, u32), usize> = members
            .iter()
            .map(|&(crossed_clause, passage_clause, index)| ((crossed_clause, passage_clause), index))
            .collect();
        known.iter().find_map(|(&(crossed_clause, passage_clause), &first)| {
            let other = members.iter().find_map(|&(claim_clause, other_clause, index)| {
                let is_crossed = claim_clause == crossed_clause
                    && other_clause != passage_clause
                    && known.keys().any(|&(second, place)| {
                        second != crossed_clause
                            && place == passage_clause
                            && known.contains_key(&(second, other_clause))
                    });
                is_crossed.then_some(index)
            })?;
            let (first, last) = (first.min(other), first.max(other));
            Some((self.claim_term(first).start, self.claim_term(last).end))
        })
    }

    /// Finds two runs of characters that have swapped positions around a term that has not moved, in a script without
    /// spaces.
    ///
    /// A run that has only moved, such as a time phrase at the front, does not count, nor does one with the same particle
    /// after it in both texts. If only one of the texts has a passive marker, nothing counts.
    fn exchanged_runs(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for &(index, place) in pairs {
            match runs.last_mut() {
                Some((start, at, length)) if *start + *length == index && *at + *length == place => *length += 1,
                _ => runs.push((index, place, 1)),
            }
        }
        let term_at = |text: &PreparedReading, at: usize| text.reading.terms.get(at).map(|term| (term.kind, term.key));
        let is_part =
            |particle: Option<(TermKind, u64)>| particle.is_some_and(|(kind, _)| kind == TermKind::Preposition);
        let by = hash(&(TermKind::Preposition, self.lexicon.agent_preposition()));
        let has_agent = |text: &PreparedReading| text.reading.terms.iter().any(|term| term.key == by);
        if has_agent(self.claim) != has_agent(self.passage) {
            return None;
        }
        for (number, &(one, one_place, one_length)) in runs.iter().enumerate() {
            if one_length < 2 {
                continue;
            }
            for &(two, two_place, two_length) in &runs[number + 1..] {
                if two_length < 2 || two_place + two_length > one_place {
                    continue;
                }
                let between = (one + one_length..two).any(|at| {
                    let term = self.claim_term(at);
                    !self.lexicon.is_coordinator(self.claim.reading.form(term))
                        && (two_place + two_length..one_place).any(|place| self.passage_term(place).key == term.key)
                });
                let (claim_particle, passage_particle) =
                    (term_at(self.claim, one + one_length), term_at(self.passage, one_place + one_length));
                let is_kept = is_part(claim_particle) && claim_particle == passage_particle;
                if between && !is_kept {
                    return Some((self.claim_term(one).start, self.claim_term(two + two_length - 1).end));
                }
            }
        }
        None
    }
}

/// Returns the name directly after the first reporting verb, or else the last name before it.
fn speaker(text: &PreparedReading, range: Range<usize>) -> Range<usize> {
    let terms = &text.reading.terms;
    let is_name =
        |index: usize| range.contains(&index) && matches!(terms[index].kind, TermKind::Name | TermKind::Title);
    let Some(reporting) = range.clone().find(|&index| terms[index].is_reporting_verb) else { return 0..0 };
    let name_from = |start: usize| start..(start..range.end).find(|&index| !is_name(index)).unwrap_or(range.end);
    if is_name(reporting + 1) {
        return name_from(reporting + 1);
    }
    let Some(last) = (range.start..reporting).rev().find(|&index| is_name(index)) else { return 0..0 };
    let first = (range.start..last).rev().find(|&index| !is_name(index)).map_or(range.start, |index| index + 1);
    first..last + 1
}
