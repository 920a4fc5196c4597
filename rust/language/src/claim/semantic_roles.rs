//! Checks that the terms of a claim keep their semantic roles: agent, patient, and the object of each preposition.

use rustc_hash::FxHashMap;

use super::{Match, PreparedReading, Sides, is_argument, is_word};
use crate::term::Tense;
use crate::term::{Term, TermKind, hash};

impl Sides<'_> {
    /// Returns whether terms on both sides have swapped their roles; adds the first swap to `other` unless
    /// `is_opposite`.
    ///
    /// The role of a term is the preposition that governs it; between two terms without one, their order decides.
    pub(super) fn roles(
        &self,
        matches: &FxHashMap<usize, Match>,
        is_opposite: bool,
        other: &mut Vec<(u32, u32)>,
    ) -> bool {
        let mut pairs: Vec<(usize, usize)> = matches
            .iter()
            .filter(|(_, found)| !found.is_opposite)
            .map(|(&index, found)| (index, found.place))
            .collect();
        pairs.sort_unstable();
        let is_passive = |side: &PreparedReading, places: &[usize]| self.agent(side, places);
        let ours: Vec<usize> = pairs.iter().map(|pair| pair.0).collect();
        let mut theirs: Vec<usize> = pairs.iter().map(|pair| pair.1).collect();
        theirs.sort_unstable();
        let (our_agent, their_agent) = (is_passive(self.claim, &ours), is_passive(self.passage, &theirs));
        let is_voice_changed = our_agent.is_some() != their_agent.is_some();
        // "She had won, said Ann Lee"; "Ann Lee said she had won".
        let sentence = pairs.first().map_or(0..0, |pair| self.passage.sentence(self.theirs(pair.1).sentence as usize));
        let speakers = (speaker(self.claim, 0..self.claim.reading.terms.len()), speaker(self.passage, sentence));
        let speaks = |index: usize, place: usize| speakers.0.contains(&index) && speakers.1.contains(&place);
        let mut swapped = Vec::new();
        for (number, &(one, one_place)) in pairs.iter().enumerate() {
            for &(two, two_place) in &pairs[number + 1..] {
                if one_place <= two_place {
                    continue;
                }
                if self.theirs(one_place).sentence != self.theirs(two_place).sentence
                    || self.ours(one).sentence != self.ours(two).sentence
                {
                    continue;
                }
                let is_speaker = speaks(one, one_place) || speaks(two, two_place);
                if is_voice_changed || is_speaker || self.may_change_places((one, one_place), (two, two_place)) {
                    continue;
                }
                swapped.push((self.ours(one).start, self.ours(two).end));
            }
        }
        if is_voice_changed
            && !self.is_agent_kept(our_agent, their_agent, &pairs)
            && let Some(&first) = ours.first()
        {
            swapped.push((self.ours(first).start, self.ours(first).end));
        }
        swapped.extend(self.other_side(&pairs));
        swapped.extend(self.other_voice(&pairs));
        swapped.extend(self.other_person(&pairs));
        swapped.extend(self.crossed(&pairs));
        swapped.extend(self.compared(&pairs));
        if !self.lexicon.is_spaced {
            swapped.extend(self.exchanged(&pairs));
        }
        let is_swapped = !swapped.is_empty();
        if is_swapped && !is_opposite {
            other.push(swapped[0]);
        }
        is_swapped
    }

    /// Returns the agent of a passive: the first noun after "by".
    fn agent(&self, side: &PreparedReading, places: &[usize]) -> Option<usize> {
        let (&first, &last) = (places.first()?, places.last()?);
        let terms = &side.reading.terms;
        let by = hash(&(TermKind::Preposition, self.lexicon.agent_word()));
        let mut has_be = false;
        for index in first..=last {
            has_be |= terms[index].is_be;
            if terms[index].kind == TermKind::Preposition && terms[index].key == by && has_be {
                let is_noun = |&at: &usize| terms[at].kind.is_content() && terms[at].kind != TermKind::Number;
                let agent = (index + 1..=last).find(is_noun)?;
                return (places.contains(&agent) && is_word(&terms[agent])).then_some(agent);
            }
        }
        None
    }

    /// Returns whether an active and a passive sentence have the same agent: in the active sentence it precedes the
    /// verb.
    fn is_agent_kept(&self, our_agent: Option<usize>, their_agent: Option<usize>, pairs: &[(usize, usize)]) -> bool {
        let (is_ours, agent) = match (our_agent, their_agent) {
            (Some(agent), None) => (true, agent),
            (None, Some(agent)) => (false, agent),
            _ => return true,
        };
        let own = |pair: &(usize, usize)| if is_ours { pair.0 } else { pair.1 };
        let across = |pair: &(usize, usize)| if is_ours { pair.1 } else { pair.0 };
        let Some(active) = pairs.iter().find(|pair| own(pair) == agent).map(across) else { return true };
        // The terms before "by" are patients, so the agent precedes them in the active sentence; a possessor ("Lind's
        // accounts") is not a patient.
        let is_owner = |side: &PreparedReading, at: usize| {
            side.reading.terms.get(at + 1).is_some_and(|next| next.kind == TermKind::Clitic)
        };
        let acted: Vec<usize> = pairs
            .iter()
            .filter(|pair| own(pair) < agent && !is_owner(if is_ours { self.claim } else { self.passage }, own(pair)))
            .filter(
                |pair| {
                    if is_ours { self.takes_part(self.claim, pair.0) } else { self.takes_part(self.passage, pair.1) }
                },
            )
            .map(across)
            .collect();
        let first = acted.iter().min();
        first.is_none_or(|&first| active < first)
    }

    /// Returns whether two terms that are in another order in the passage keep their roles.
    fn may_change_places(&self, one: (usize, usize), two: (usize, usize)) -> bool {
        let kinds = [self.ours(one.0).kind, self.ours(two.0).kind];
        let role = |side: &PreparedReading, index: usize| self.role(side, index);
        let (one_role, one_role_there) = (role(self.claim, one.0), role(self.passage, one.1));
        let (two_role, two_role_there) = (role(self.claim, two.0), role(self.passage, two.1));
        // "From Monday to Friday", "from Friday to Monday".
        if one_role != two_role && kinds[0] == kinds[1] && one_role == two_role_there && two_role == one_role_there {
            return false;
        }
        // Time expressions move freely.
        let is_time = |term: &Term| {
            term.is_period
                || matches!(
                    term.kind,
                    TermKind::Date | TermKind::Time | TermKind::TimeReference | TermKind::ImplicitNegation
                )
        };
        if is_time(self.ours(one.0)) || is_time(self.ours(two.0)) {
            return true;
        }
        let is_kept = |here: Option<u64>, there: Option<u64>| here.is_some() && here == there;
        // Two phrases with the same preposition have different roles: "by the ambassador", not "by her deputy".
        let is_told_apart = one_role != two_role || kinds[0] != kinds[1];
        if is_told_apart && (is_kept(one_role, one_role_there) || is_kept(two_role, two_role_there)) {
            return true;
        }
        // A number next to its noun: "a 40-year-old baker", "a baker aged 40".
        let is_phrase = |side: &PreparedReading, one: usize, two: usize| {
            let between = side.reading.terms.get(one.min(two) + 1..one.max(two));
            between.is_some_and(|between| {
                between
                    .iter()
                    .all(|term| term.kind == TermKind::Content && term.clause == side.reading.terms[one].clause)
            })
        };
        let are_beside = is_phrase(self.claim, one.0, two.0) && is_phrase(self.passage, one.1, two.1);
        if are_beside && kinds.contains(&TermKind::Number) && kinds.contains(&TermKind::Content) {
            return true;
        }
        let is_list = |side: &PreparedReading, one: usize, two: usize| {
            let (first, last) = (one.min(two), one.max(two));
            last - first <= 6
                && side.reading.terms[first + 1..last].iter().all(|term| {
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
                && side.reading.terms[first + 1..last]
                    .iter()
                    .any(|term| self.lexicon.is_coordinator(side.reading.form(term)))
        };
        if is_list(self.claim, one.0, two.0) && is_list(self.passage, one.1, two.1) {
            return true;
        }
        // "Its owner, Mr. Reed"; "Mr. Reed, the owner".
        let is_apposed = |side: &PreparedReading, one: usize, two: usize| {
            let (first, last) = (one.min(two), one.max(two));
            let terms = &side.reading.terms;
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
        let has_symmetric = |side: &PreparedReading, one: usize, two: usize| {
            let (first, last) = (one.min(two), one.max(two));
            side.reading.terms[first..=last].iter().any(|term| self.lexicon.is_symmetric(side.reading.form(term)))
        };
        if has_symmetric(self.claim, one.0, two.0) || has_symmetric(self.passage, one.1, two.1) {
            return true;
        }
        // Only arguments have a role: names, numbers, and nouns after a determiner. A name at the start of a sentence
        // may look like any other word.
        let takes_part = |pair: (usize, usize)| self.takes_part(self.claim, pair.0) || is_argument(self.theirs(pair.1));
        !(takes_part(one) && takes_part(two))
    }

    fn takes_part(&self, side: &PreparedReading, index: usize) -> bool {
        let term = &side.reading.terms[index];
        if is_argument(term) {
            return true;
        }
        let before = index.checked_sub(1).map(|before| &side.reading.terms[before]);
        term.kind == TermKind::Content
            && before.is_some_and(|before| {
                matches!(before.kind, TermKind::Article | TermKind::Pronoun | TermKind::Quantifier | TermKind::Number)
                    || before.kind == TermKind::Clitic
            })
    }

    /// Returns the preposition that governs a term: the closest one before it, past articles and other words of the
    /// same phrase.
    fn role(&self, side: &PreparedReading, index: usize) -> Option<u64> {
        let terms = &side.reading.terms;
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
    fn other_side(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let preposition = |side: &PreparedReading, index: usize| {
            (index.saturating_sub(3)..index)
                .rev()
                .find(|&at| !matches!(side.reading.terms[at].kind, TermKind::Article | TermKind::Pronoun))
                .filter(|&at| side.reading.terms[at].kind == TermKind::Preposition)
        };
        pairs.iter().find_map(|&(index, place)| {
            let (ours, theirs) = (preposition(self.claim, index)?, preposition(self.passage, place)?);
            let (one, other) = (self.ours(ours), self.theirs(theirs));
            let are_opposites = one.key != other.key
                && self.lexicon.are_opposites(self.claim.reading.form(one), self.passage.reading.form(other));
            are_opposites.then(|| (one.start, self.ours(index).end))
        })
    }

    /// Finds a verb that is active on one side and passive on the other, with the same subject: "the army evacuated",
    /// "the army was evacuated".
    fn other_voice(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let is_passive = |side: &PreparedReading, index: usize| {
            index.checked_sub(1).is_some_and(|before| {
                let terms = &side.reading.terms;
                terms[before].is_be && terms[before].clause == terms[index].clause
            })
        };
        let has_be = |side: &PreparedReading, index: usize| {
            (index.saturating_sub(3)..index).any(|at| {
                let term = &side.reading.terms[at];
                term.clause == side.reading.terms[index].clause && (term.is_be || term.kind == TermKind::Clitic)
            })
        };
        let is_past = |side: &PreparedReading, index: usize| side.tense(index, self.lexicon) == Some(Tense::Past);
        pairs.iter().enumerate().find_map(|(number, &(verb, their_verb))| {
            let is_verb = self.ours(verb).kind == TermKind::Content
                && is_past(self.claim, verb)
                && is_past(self.passage, their_verb);
            let (ours, theirs) = (is_passive(self.claim, verb), is_passive(self.passage, their_verb));
            let is_other = ours != theirs
                && !has_be(if ours { self.passage } else { self.claim }, if ours { their_verb } else { verb });
            if !is_verb || !is_other {
                return None;
            }
            let subject = number.checked_sub(1).map(|before| pairs[before]).filter(|&(subject, their_subject)| {
                self.ours(subject).clause == self.ours(verb).clause
                    && self.theirs(their_subject).clause == self.theirs(their_verb).clause
                    && their_subject < their_verb
                    && !(their_subject + 1..their_verb).any(|place| self.theirs(place).kind.is_content())
            });
            let pronouns = (self.pronoun(self.claim, verb), self.pronoun(self.passage, their_verb));
            let is_same_pronoun = match pronouns {
                (Some(ours), Some(theirs)) => self.ours(ours).key == self.theirs(theirs).key,
                _ => false,
            };
            let first = subject.map(|pair| pair.0).or(pronouns.0.filter(|_| is_same_pronoun))?;
            Some((self.ours(first).start, self.ours(verb).end))
        })
    }

    /// Returns the pronoun before a word, if only function words are between them.
    fn pronoun(&self, side: &PreparedReading, index: usize) -> Option<usize> {
        let terms = &side.reading.terms;
        (index.saturating_sub(4)..index)
            .rev()
            .take_while(|&at| {
                at + 1 == index || !terms[at + 1].kind.is_content() && terms[at + 1].kind != TermKind::Pronoun
            })
            .find(|&at| terms[at].kind == TermKind::Pronoun)
            .filter(|&at| terms[at].clause == terms[index].clause)
    }

    /// Finds a pronoun that refers to another person, or that has moved from subject to object: "he met Ann", "Ann
    /// met him".
    fn other_person(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let is_third = |key: u64| self.lexicon.third_person.contains(&key);
        for &(index, place) in pairs {
            if self.ours(index).kind != TermKind::Content {
                continue;
            }
            let (Some(ours), theirs) = (self.pronoun(self.claim, index), self.pronoun(self.passage, place)) else {
                continue;
            };
            let key = self.ours(ours).key;
            if let Some(theirs) = theirs.map(|theirs| self.theirs(theirs).key)
                && theirs != key
                && is_third(theirs)
                && is_third(key)
            {
                return Some((self.ours(ours).start, self.ours(index).end));
            }
        }
        // A verb of saying needs no counterpart, but it has roles.
        let saying = |side: &PreparedReading| side.reading.terms.iter().position(|term| term.is_reporting_verb);
        let both = saying(self.claim).zip(saying(self.passage));
        let told = both.filter(|&(ours, theirs)| self.claim.stems[ours] == self.passage.stems[theirs]);
        for &(verb, their_verb) in pairs.iter().chain(&told) {
            if self.ours(verb).kind != TermKind::Content || self.pronoun(self.passage, their_verb).is_none() {
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
                    && *place > their_verb
                    && self.ours(*index).clause == self.ours(verb).clause
                    && self.theirs(*place).clause == self.theirs(their_verb).clause
                    && (self.takes_part(self.claim, *index) || is_argument(self.theirs(*place)))
                    && self.role(self.claim, *index).is_none()
                    && self.role(self.passage, *place).is_none()
            });
            if let (true, Some(&(index, _))) = (has_object, acts) {
                return Some((self.ours(index).start, self.ours(object).end));
            }
        }
        None
    }

    /// Finds a comparison whose two sides are swapped: "she is taller than her brother", "her brother is taller than
    /// she is".
    fn compared(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let than =
            |side: &PreparedReading, at: usize| self.lexicon.is_comparison(side.reading.form(&side.reading.terms[at]));
        let ours = (0..self.claim.reading.terms.len()).find(|&at| than(self.claim, at))?;
        let sentence = self.passage.sentence(self.theirs(pairs.first()?.1).sentence as usize);
        let end = sentence.end;
        let theirs = sentence.clone().find(|&at| than(self.passage, at))?;
        let person = |side: &PreparedReading, mut range: std::ops::Range<usize>| {
            let terms = &side.reading.terms;
            range.find(|&at| terms[at].kind == TermKind::Pronoun).map(|at| (at, terms[at].key))
        };
        let own_sentence = self.claim.sentence(self.ours(ours).sentence as usize);
        let compared = person(self.claim, own_sentence.start..ours).zip(person(self.passage, sentence.start..theirs));
        let standards = person(self.claim, ours + 1..own_sentence.end.min(ours + 2))
            .zip(person(self.passage, theirs + 1..end.min(theirs + 2)));
        if let (Some((one, there)), Some((two, two_there))) = (compared, standards)
            && one.1 == two_there.1
            && two.1 == there.1
            && one.1 != two.1
        {
            return Some((self.ours(one.0).start, self.ours(two.0).end));
        }
        let standard = (theirs + 1..end.min(theirs + 4)).find(|&at| self.theirs(at).kind.is_content())?;
        let &(index, _) = pairs.iter().find(|pair| pair.1 == standard)?;
        let is_compared = index < ours && self.ours(index).clause == self.ours(ours).clause;
        is_compared.then(|| (self.ours(index).start, self.ours(ours).end))
    }

    /// Finds two clauses that have exchanged arguments: "38 of the one group and 17 of the other".
    fn crossed(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let members: Vec<(u32, u32, usize)> = pairs
            .iter()
            .filter(|(index, _)| self.takes_part(self.claim, *index))
            .map(|&(index, place)| (self.ours(index).clause, self.theirs(place).clause, index))
            .collect();
        let known: FxHashMap<(u32, u32), usize> =
            members.iter().map(|&(ours, theirs, index)| ((ours, theirs), index)).collect();
        known.iter().find_map(|(&(ours, theirs), &first)| {
            let other = members.iter().find_map(|&(mine, there, index)| {
                let is_crossed = mine == ours
                    && there != theirs
                    && known.keys().any(|&(second, place)| {
                        second != ours && place == theirs && known.contains_key(&(second, there))
                    });
                is_crossed.then_some(index)
            })?;
            let (first, last) = (first.min(other), first.max(other));
            Some((self.ours(first).start, self.ours(last).end))
        })
    }

    /// Finds two runs of characters that have swapped positions around a term that has not moved, in a script without
    /// spaces.
    ///
    /// A run that has only moved, such as a time phrase at the front, does not count. Neither does one that keeps the
    /// particle after it, or a pair of sentences of which only one has a passive marker.
    fn exchanged(&self, pairs: &[(usize, usize)]) -> Option<(u32, u32)> {
        let mut runs: Vec<(usize, usize, usize)> = Vec::new();
        for &(index, place) in pairs {
            match runs.last_mut() {
                Some((start, at, length)) if *start + *length == index && *at + *length == place => *length += 1,
                _ => runs.push((index, place, 1)),
            }
        }
        let behind = |side: &PreparedReading, at: usize| side.reading.terms.get(at).map(|term| (term.kind, term.key));
        let is_part =
            |particle: Option<(TermKind, u64)>| particle.is_some_and(|(kind, _)| kind == TermKind::Preposition);
        let by = hash(&(TermKind::Preposition, self.lexicon.agent_word()));
        let has_agent = |side: &PreparedReading| side.reading.terms.iter().any(|term| term.key == by);
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
                    let term = self.ours(at);
                    !self.lexicon.is_coordinator(self.claim.reading.form(term))
                        && (two_place + two_length..one_place).any(|place| self.theirs(place).key == term.key)
                });
                let (ours, theirs) =
                    (behind(self.claim, one + one_length), behind(self.passage, one_place + one_length));
                let is_kept = is_part(ours) && ours == theirs;
                if between && !is_kept {
                    return Some((self.ours(one).start, self.ours(two + two_length - 1).end));
                }
            }
        }
        None
    }
}

/// Returns the name directly after the first verb of saying, or else the last name before it.
fn speaker(side: &PreparedReading, range: std::ops::Range<usize>) -> std::ops::Range<usize> {
    let terms = &side.reading.terms;
    let is_name =
        |index: usize| range.contains(&index) && matches!(terms[index].kind, TermKind::Name | TermKind::Title);
    let Some(saying) = range.clone().find(|&index| terms[index].is_reporting_verb) else { return 0..0 };
    let behind = |start: usize| start..(start..range.end).find(|&index| !is_name(index)).unwrap_or(range.end);
    if is_name(saying + 1) {
        return behind(saying + 1);
    }
    let Some(last) = (range.start..saying).rev().find(|&index| is_name(index)) else { return 0..0 };
    let first = (range.start..last).rev().find(|&index| !is_name(index)).map_or(range.start, |index| index + 1);
    first..last + 1
}
