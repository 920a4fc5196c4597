//! Checks that the terms of a claim have the same semantic roles in the passage: agent, patient, object of a
//! preposition.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{ClaimComparison, Matches, Pair, PreparedReading, is_argument};
use crate::term::{Term, TermKind, hash};

impl ClaimComparison<'_> {
    /// Returns whether two terms have swapped their roles. Adds the first swap to `mismatches`, unless `is_antonym`.
    ///
    /// The role of a term is the preposition that governs it. Between two terms without a preposition, their order
    /// decides.
    pub(super) fn roles(&self, matches: &Matches, is_antonym: bool, mismatches: &mut Vec<(u32, u32)>) -> bool {
        let mut pairs: Vec<Pair> =
            matches.iter().filter(|(_, found)| !found.is_antonym).map(|(&index, found)| (index, found.place)).collect();
        pairs.sort_unstable();
        let indices: Vec<usize> = pairs.iter().map(|pair| pair.0).collect();
        let mut places: Vec<usize> = pairs.iter().map(|pair| pair.1).collect();
        places.sort_unstable();
        let agents = (self.agent(self.claim, &indices), self.agent(self.passage, &places));
        let mut swaps = Vec::new();
        if agents.0.is_some() == agents.1.is_some() {
            swaps = self.reordered_terms(&pairs);
        } else if !self.is_agent_kept(agents.0, agents.1, &pairs) {
            swaps.extend(indices.first().map(|&first| self.claim_term(first).span()));
        }
        swaps.extend(self.voice_change(&pairs));
        swaps.extend(self.pronoun_change(&pairs));
        swaps.extend(self.subject_change(&pairs));
        swaps.extend(self.other_subject(&pairs));
        swaps.extend(self.other_agent(&pairs));
        swaps.extend(self.other_bearer(&pairs));
        swaps.extend(self.other_label(&pairs));
        swaps.extend(self.crossed_clauses(&pairs));
        swaps.extend(self.swapped_comparison(&pairs));
        if !self.lexicon.is_spaced {
            swaps.extend(self.exchanged_runs(&pairs));
        }
        if !is_antonym {
            // With an antonym, opposite prepositions swap nothing: "lent it to Ben" is not "borrowed it from Ben".
            mismatches.extend(swaps.first().copied().or_else(|| self.preposition_change(&pairs)));
        }
        !swaps.is_empty()
    }

    /// Returns the spans of two terms whose order is different in the passage, and whose roles are swapped.
    fn reordered_terms(&self, pairs: &[Pair]) -> Vec<(u32, u32)> {
        // "She had won, said Ann Lee"; "Ann Lee said she had won".
        let sentence =
            pairs.first().map_or(0..0, |pair| self.passage.sentence(self.passage_term(pair.1).sentence as usize));
        let speakers = (speaker(self.claim, 0..self.claim.reading.terms.len()), speaker(self.passage, sentence));
        let is_speaker = |pair: Pair| speakers.0.contains(&pair.0) && speakers.1.contains(&pair.1);
        let parallels = self.parallels(pairs);
        let is_separate =
            |one: Pair, two: Pair| parallels.as_ref().is_some_and(|parallels| parallels.separate(one.1, two.1));
        let mut swaps = Vec::new();
        for (number, &one) in pairs.iter().enumerate() {
            for &two in pairs[number + 1..].iter().filter(|two| one.1 > two.1) {
                let is_one_sentence = self.passage_term(one.1).sentence == self.passage_term(two.1).sentence
                    && self.claim_term(one.0).sentence == self.claim_term(two.0).sentence;
                let is_free = is_speaker(one) || is_speaker(two) || is_separate(one, two);
                if is_one_sentence && !is_free && !self.keep_roles(one, two) {
                    swaps.push((self.claim_term(one.0).start, self.claim_term(two.0).end));
                }
            }
        }
        swaps
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
    fn is_agent_kept(&self, claim_agent: Option<usize>, passage_agent: Option<usize>, pairs: &[Pair]) -> bool {
        let (is_claim_passive, agent) = match (claim_agent, passage_agent) {
            (Some(agent), None) => (true, agent),
            (None, Some(agent)) => (false, agent),
            _ => return true,
        };
        let passive_text = if is_claim_passive { self.claim } else { self.passage };
        let passive = |pair: &Pair| if is_claim_passive { pair.0 } else { pair.1 };
        let active = |pair: &Pair| if is_claim_passive { pair.1 } else { pair.0 };
        let Some(active_agent) = pairs.iter().find(|pair| passive(pair) == agent).map(active) else { return true };
        // The terms before "by" are patients, which follow the agent in the active sentence. A possessor ("Lind's
        // accounts") is not a patient.
        let is_possessor =
            |at: usize| passive_text.reading.terms.get(at + 1).is_some_and(|next| next.kind == TermKind::Clitic);
        let is_patient = |pair: &&Pair| {
            passive(pair) < agent && !is_possessor(passive(pair)) && self.is_participant(passive_text, passive(pair))
        };
        pairs.iter().filter(is_patient).map(active).min().is_none_or(|first| active_agent < first)
    }

    /// Returns whether two terms have the same roles in the passage, although their order is different there.
    fn keep_roles(&self, one: Pair, two: Pair) -> bool {
        let is_time = |term: &Term| {
            let kinds = [TermKind::Date, TermKind::Time, TermKind::TimeReference, TermKind::ImplicitNegation];
            term.is_period || kinds.contains(&term.kind)
        };
        if let Some(is_kept) = self.are_prepositions_kept(one, two, is_time) {
            return is_kept;
        }
        let kinds = [self.claim_term(one.0).kind, self.claim_term(two.0).kind];
        let in_both = |holds: &dyn Fn(&PreparedReading, Range<usize>) -> bool| {
            holds(self.claim, ordered(one.0, two.0)) && holds(self.passage, ordered(one.1, two.1))
        };
        // A number next to its noun: "a 40-year-old baker", "a baker aged 40".
        let is_counted_noun = kinds.contains(&TermKind::Number) && kinds.contains(&TermKind::Content);
        if is_counted_noun && is_phrase(self.claim, one.0, two.0) && is_phrase(self.passage, one.1, two.1)
            || in_both(&|text, range| self.is_list(text, range))
            || in_both(&is_apposition)
        {
            return true;
        }
        let has_symmetric = |text: &PreparedReading, range: Range<usize>| {
            text.reading.terms[range.start..=range.end]
                .iter()
                .any(|term| self.lexicon.is_symmetric(text.reading.form(term)))
        };
        if has_symmetric(self.claim, ordered(one.0, two.0)) || has_symmetric(self.passage, ordered(one.1, two.1)) {
            return true;
        }
        // Only participants have a role: names, numbers, and nouns after a determiner. A name at the start of a
        // sentence may look like any other word.
        let is_participant = |(index, place): Pair| {
            self.is_participant(self.claim, index)
                || is_argument(self.passage_term(place))
                || self.is_marked_noun(self.passage, place)
        };
        !(is_participant(one) && is_participant(two))
    }

    /// Returns whether two terms have the same prepositions in the passage, or are free to move because one of them is
    /// a time. Returns `None` if their prepositions decide nothing.
    fn are_prepositions_kept(&self, one: Pair, two: Pair, is_time: impl Fn(&Term) -> bool) -> Option<bool> {
        let (one_role, one_passage_role) = (self.role(self.claim, one.0), self.role(self.passage, one.1));
        let (two_role, two_passage_role) = (self.role(self.claim, two.0), self.role(self.passage, two.1));
        let have_one_kind = self.claim_term(one.0).kind == self.claim_term(two.0).kind;
        // "From Monday to Friday", "from Friday to Monday".
        if one_role != two_role && have_one_kind && one_role == two_passage_role && two_role == one_passage_role {
            return Some(false);
        }
        // Time expressions may be anywhere in a sentence.
        if is_time(self.claim_term(one.0)) || is_time(self.claim_term(two.0)) {
            return Some(true);
        }
        let is_kept = |in_claim: Option<u64>, in_passage: Option<u64>| in_claim.is_some() && in_claim == in_passage;
        // Two phrases with the same preposition have different roles: "by the ambassador", not "by her deputy".
        let is_distinct = one_role != two_role || !have_one_kind;
        let is_any_kept = is_kept(one_role, one_passage_role) || is_kept(two_role, two_passage_role);
        (is_distinct && is_any_kept).then_some(true)
    }

    /// Returns whether the two ends of a range are members of a list.
    fn is_list(&self, text: &PreparedReading, range: Range<usize>) -> bool {
        let between = &text.reading.terms[range.start + 1..range.end];
        let may_be_in_list = |term: &Term| {
            let kinds = [
                TermKind::Conjunction,
                TermKind::Article,
                TermKind::Name,
                TermKind::Title,
                TermKind::Pronoun,
                TermKind::Clitic,
            ];
            kinds.contains(&term.kind) || term.kind == TermKind::Content && range.len() <= 4
        };
        range.len() <= 6
            && between.iter().all(may_be_in_list)
            && between.iter().any(|term| self.lexicon.is_coordinator(text.reading.form(term)))
    }

    pub(super) fn is_participant(&self, text: &PreparedReading, index: usize) -> bool {
        let term = &text.reading.terms[index];
        if is_argument(term) || self.is_marked_noun(text, index) {
            return true;
        }
        let before = index.checked_sub(1).map(|before| &text.reading.terms[before]);
        term.kind == TermKind::Content
            && before.is_some_and(|before| {
                matches!(before.kind, TermKind::Article | TermKind::Pronoun | TermKind::Quantifier | TermKind::Number)
                    || before.kind == TermKind::Clitic
            })
    }

    /// Returns whether a capital inside a sentence marks a noun, as in German. Some of them are names.
    fn is_marked_noun(&self, text: &PreparedReading, index: usize) -> bool {
        let term = &text.reading.terms[index];
        let is_inside = index.checked_sub(1).is_some_and(|before| text.reading.terms[before].sentence == term.sentence);
        !self.lexicon.has_name_capitals && term.is_capitalised && is_inside && term.kind == TermKind::Content
    }

    /// Returns the key of the preposition that governs a term: the closest one before it, if only words of the same
    /// phrase are between them.
    pub(super) fn role(&self, text: &PreparedReading, index: usize) -> Option<u64> {
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

    /// Finds a term or pronoun governed by opposite prepositions: "for the strike", "against the strike".
    fn preposition_change(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
        // "To" is a conjunction too, and "nach" is "after", too.
        let is_preposition =
            |term: &Term| matches!(term.kind, TermKind::Preposition | TermKind::Conjunction | TermKind::TimeOrder);
        let before = |text: &PreparedReading, index: usize| {
            (index.saturating_sub(3)..index)
                .rev()
                .find(|&at| !matches!(text.reading.terms[at].kind, TermKind::Article | TermKind::Pronoun))
                .filter(|&at| is_preposition(&text.reading.terms[at]))
        };
        // "The lake behind them".
        let after = |text: &PreparedReading, index: usize| {
            let [preposition, pronoun] = [text.reading.terms.get(index + 1)?, text.reading.terms.get(index + 2)?];
            let is_last = text.reading.terms.get(index + 3).is_none_or(|next| next.clause != pronoun.clause);
            (is_preposition(preposition) && pronoun.kind == TermKind::Pronoun && is_last).then_some(index + 1)
        };
        let opposite = |index: Option<usize>, place: Option<usize>| {
            let (claim, passage) = (self.claim_term(index?), self.passage_term(place?));
            let are_antonyms = claim.key != passage.key
                && self.lexicon.are_antonyms(self.claim.reading.form(claim), self.passage.reading.form(passage));
            are_antonyms.then_some(claim.span())
        };
        pairs.iter().find_map(|&(index, place)| {
            let span = opposite(before(self.claim, index), before(self.passage, place))
                .or_else(|| opposite(after(self.claim, index), after(self.passage, place)))?;
            let term = self.claim_term(index);
            Some((span.0.min(term.start), span.1.max(term.end)))
        })
    }

    /// Finds a comparison whose operands are swapped: "she is taller than her brother", "her brother is taller than she
    /// is".
    fn swapped_comparison(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
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
        let is_content = |place: &usize| self.passage_term(*place).kind.is_content();
        let standard = (passage_than + 1..end.min(passage_than + 4)).skip_while(|place| !is_content(place));
        standard
            .take_while(|&place| self.passage_term(place).kind != TermKind::Preposition)
            .filter(is_content)
            .find_map(|place| {
                let &(index, _) = pairs.iter().find(|pair| pair.1 == place)?;
                let is_compared =
                    index < claim_than && self.claim_term(index).clause == self.claim_term(claim_than).clause;
                is_compared.then(|| (self.claim_term(index).start, self.claim_term(claim_than).end))
            })
    }

    /// Finds two clauses that have exchanged participants: "38 of the one group and 17 of the other".
    fn crossed_clauses(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
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
    /// A run that has only moved, such as a time phrase at the front, does not count, nor does one with the same
    /// particle after it in both texts. If only one of the texts has a passive marker, nothing counts.
    fn exchanged_runs(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
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

/// Returns the range between two positions in any order.
pub(super) fn ordered(one: usize, two: usize) -> Range<usize> {
    one.min(two)..one.max(two)
}

/// Returns whether two terms are in one phrase: only content words of the first one's clause are between them.
fn is_phrase(text: &PreparedReading, one: usize, two: usize) -> bool {
    let clause = text.reading.terms[one].clause;
    let between = text.reading.terms.get(one.min(two) + 1..one.max(two));
    between.is_some_and(|between| between.iter().all(|term| term.kind == TermKind::Content && term.clause == clause))
}

/// Returns whether one end of a range is an apposition to the other: "its owner, Mr. Reed"; "Mr. Reed, the owner".
fn is_apposition(text: &PreparedReading, range: Range<usize>) -> bool {
    let terms = &text.reading.terms;
    let kinds = [TermKind::Article, TermKind::Pronoun, TermKind::Title, TermKind::Name, TermKind::Clitic];
    terms[range.start].clause != terms[range.end].clause
        && terms[range.start + 1..range.end].iter().all(|term| kinds.contains(&term.kind))
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
