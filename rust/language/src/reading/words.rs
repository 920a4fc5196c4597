//! Reads words by their roles and their neighbours.

use std::borrow::Cow;

use super::parser::Parser;
use crate::lexicon::{AuxiliaryVerb, Role};
use crate::term::{Tense, Term, TermKind, group_key, hash};
use crate::token::{TokenClass, character_at};

/// Returns the kind of a word and the number of its group, by the highest ranked of its roles. Roles in numbers, dates
/// and times do not count.
pub(super) fn primary_role(roles: &[Role], is_excluded: impl Fn(TermKind) -> bool) -> Option<(TermKind, u64)> {
    let mut best: Option<(u8, TermKind, u64)> = None;
    for &role in roles {
        if let Some(ranked_role) = ranked_role(role)
            && best.is_none_or(|best| ranked_role.0 < best.0)
            && !is_excluded(ranked_role.1)
        {
            best = Some(ranked_role);
        }
    }
    best.map(|(_, kind, group)| (kind, group))
}

/// The groups of weak negations: hardly, rarely.
const WEAK_NEGATIONS: std::ops::Range<u64> = 100..116;

/// Returns whether a negation with this key is weak.
pub(crate) fn is_weak_negation(key: u64) -> bool {
    WEAK_NEGATIONS.into_iter().any(|group| group_key(TermKind::Negation, group) == key)
}

/// Returns the rank of a role, and the kind and group of a word with this role.
fn ranked_role(role: Role) -> Option<(u8, TermKind, u64)> {
    Some(match role {
        Role::Negation => (0, TermKind::Negation, 0),
        Role::NearNegation(group) => (1, TermKind::Negation, WEAK_NEGATIONS.start + u64::from(group)),
        Role::Without(group) => (2, TermKind::Negation, 200 + u64::from(group)),
        Role::Modal(group) => (3, TermKind::Modal, u64::from(group)),
        Role::Hedge(group) => (4, TermKind::Hedge, u64::from(group)),
        Role::Frequency(group) => (5, TermKind::Hedge, 100 + u64::from(group)),
        Role::Limiter(group) => (6, TermKind::Limiter, u64::from(group)),
        Role::Condition(group) => (7, TermKind::Condition, u64::from(group)),
        Role::Exception(group) => (8, TermKind::Exception, u64::from(group)),
        Role::Cause(group) => (9, TermKind::Cause, u64::from(group)),
        Role::TimeOrder(group) => (10, TermKind::TimeOrder, u64::from(group)),
        Role::Quantifier(group) => (11, TermKind::Quantifier, u64::from(group)),
        Role::TimeReference(group) => (12, TermKind::TimeReference, u64::from(group)),
        Role::ImplicitNegation(group) => (13, TermKind::ImplicitNegation, u64::from(group)),
        Role::Article => (14, TermKind::Article, 0),
        Role::Complementizer => (15, TermKind::Conjunction, 0),
        Role::Contrast => (15, TermKind::Conjunction, 1),
        Role::Pronoun(group) => (16, TermKind::Pronoun, u64::from(group)),
        Role::Conjunction => (17, TermKind::Conjunction, 2),
        Role::Preposition => (18, TermKind::Preposition, 0),
        Role::Filler => (19, TermKind::Filler, 0),
        Role::Interjection => (19, TermKind::Filler, 1),
        _ => return None,
    })
}

/// Returns the key of an auxiliary.
pub(super) fn auxiliary_key(verb: AuxiliaryVerb, tense: Tense) -> u64 {
    hash(&(TermKind::Auxiliary, verb as u8, tense))
}

/// Returns whether the meaning of a role depends on the neighbouring words.
fn depends_on_neighbours(role: &Role) -> bool {
    matches!(
        role,
        Role::Idiom
            | Role::NumberSign
            | Role::Approximation
            | Role::MoreThan
            | Role::LessThan
            | Role::AtLeast
            | Role::AtMost
            | Role::Title(_)
            | Role::Be(_)
            | Role::Have(_)
            | Role::Do(_)
            | Role::Filler
            | Role::IsolatedFiller
            | Role::PrepositionOrVerb
            | Role::Preposition
    )
}

impl<'a> Parser<'a> {
    /// Reads the word at `at`, and returns the index after it.
    pub(super) fn word(&mut self, at: usize) -> usize {
        let Some(token) = self.tokens.get(at).copied() else { return at + 1 };
        if token.class == TokenClass::Symbol {
            return self.symbol(at);
        }
        let node = self.node(at);
        if token.class == TokenClass::Word
            && (node.is_contraction || self.tokens.form(at).as_bytes().contains(&b'\''))
            && self.contraction(at)
        {
            return at + 1;
        }
        if self.is_inverted_condition(at) {
            return self.push_word(TermKind::Condition, at, 1, 0);
        }
        if let Some((same, count)) = self.canonical_entry(at) {
            self.push_canonical(at, at + count, same);
            return at + count;
        }
        let (mut roles, mut count) = self.entry(at);
        // "In the morning" is part of a time only after an hour.
        if count > 1 && self.lexicon.is_spaced && roles.iter().all(|role| matches!(role, Role::Am | Role::Pm)) {
            (roles, count) = (self.roles_of(at), 1);
        }
        if roles.is_empty() {
            return self.content(at, 1);
        }
        if roles.iter().any(depends_on_neighbours)
            && let Some(end) = self.by_neighbours(at, count, roles)
        {
            return end;
        }
        let is_this = roles.iter().any(|role| matches!(role, Role::Pronoun(_)))
            && roles.iter().any(|role| matches!(role, Role::TimeReference(_)));
        let is_no_reference = is_this && !self.is_period(at + count);
        let Some((kind, group)) = primary_role(roles, |kind| kind == TermKind::TimeReference && is_no_reference) else {
            return self.content(at, count);
        };
        if kind == TermKind::Conjunction && roles.contains(&Role::Contrast) {
            self.clause += 1;
        }
        self.push_word(kind, at, count, group)
    }

    /// Reads a word whose neighbours show that it is an idiom, bound, title, auxiliary or filler, and returns the index
    /// after it.
    fn by_neighbours(&mut self, at: usize, count: usize, roles: &[Role]) -> Option<usize> {
        if roles.contains(&Role::Idiom) {
            return Some(self.content(at, count));
        }
        if roles.iter().any(|role| matches!(role, Role::NumberSign)) && self.is_number_sign(at, count) {
            return Some(at + count + usize::from(self.tokens.form(at + count) == "."));
        }
        if roles.contains(&Role::PrepositionOrVerb) && self.follows_subject(at) {
            return Some(self.content(at, count));
        }
        if let Some(end) = self.bound(at, count, roles) {
            return Some(end);
        }
        if roles.contains(&Role::Preposition) && self.is_adjective(at, count) {
            return Some(self.content(at, count));
        }
        if let Some(role) = roles.iter().find(|role| matches!(role, Role::Title(_))) {
            let next = at + count + usize::from(self.tokens.form(at + count) == ".");
            let is_before_name =
                self.tokens.get(next).is_some_and(|token| token.is_capitalised) || !self.lexicon.has_name_capitals;
            if is_before_name {
                self.push(TermKind::Title, at, at + count, hash(&role), None);
                return Some(at + count);
            }
        }
        if let Some(auxiliary) = roles.iter().find_map(Role::auxiliary) {
            return Some(self.auxiliary(at, count, auxiliary));
        }
        // Between two symbols, "like" and "well" have no meaning.
        let is_sign = |index: usize| self.tokens.get(index).is_none_or(|token| token.class == TokenClass::Symbol);
        if roles.iter().any(|role| matches!(role, Role::Filler | Role::IsolatedFiller))
            && (at == 0 || is_sign(at - 1))
            && is_sign(at + count)
        {
            return Some(self.push_word(TermKind::Filler, at, count, 0));
        }
        None
    }

    /// Returns whether the word at `at` is an adjective: "the near bank", "the above figure".
    fn is_adjective(&self, at: usize, count: usize) -> bool {
        let follows_article = self.terms.last().is_some_and(|last| {
            last.kind == TermKind::Article && last.clause == self.clause && self.gap(last.end, at) == 1
        });
        let next = self.tokens.get(at + count).is_some_and(|token| token.class == TokenClass::Word);
        follows_article && next && self.lexicon.is_spaced && self.roles_of(at + count).is_empty()
    }

    /// Returns whether a modal at the start of a sentence means "if", because the sentence is not a question: "Should it
    /// rain, we stay".
    fn is_inverted_condition(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at).filter(|_| self.roles_of(at).contains(&Role::InvertedCondition)) else {
            return false;
        };
        let sentence = self.sentences.get(self.sentence as usize).copied().unwrap_or_default();
        let is_question = (sentence.0..sentence.1)
            .rev()
            .filter_map(|place| character_at(self.text, place as usize))
            .find(|each| !each.is_whitespace())
            .is_some_and(|last| last == '?');
        token.start == sentence.0 && !is_question
    }

    /// Returns whether the word at `at` is a period of time, possibly as a possessive: "this year's budget".
    fn is_period(&self, at: usize) -> bool {
        let owner = self.tokens.form(at).strip_suffix("'s").map(|word| &self.lexicon.phrases.find(word).roles);
        self.roles_of(at).contains(&Role::Period) || owner.is_some_and(|roles| roles.contains(&Role::Period))
    }

    /// Returns whether a subject precedes the word at `at`, possibly with "do" and a negation, so that it is a verb.
    fn follows_subject(&self, at: usize) -> bool {
        let in_clause = |back: usize| {
            let place = self.terms.len().checked_sub(back)?;
            self.terms.get(place).filter(|term| term.clause == self.clause)
        };
        // "Would like" is a wish, and means "want".
        let is_verbal = |term: &Term| term.kind == TermKind::Auxiliary && !term.is_be;
        in_clause(1).is_some_and(|last| match last.kind {
            TermKind::Pronoun => at > 0 && self.lexicon.is_subject(self.tokens.form(at - 1)),
            TermKind::Negation => in_clause(2).is_some_and(is_verbal),
            _ => is_verbal(last),
        })
    }

    pub(super) fn push_word(&mut self, kind: TermKind, at: usize, count: usize, group: u64) -> usize {
        // Words of these kinds have no groups: the key is that of the word itself.
        let key = match kind {
            TermKind::Preposition | TermKind::Conjunction | TermKind::Filler => {
                hash(&(kind, &*self.canonical_form(at, count)))
            }
            _ => group_key(kind, group),
        };
        self.push(kind, at, at + count, key, None);
        at + count
    }

    fn auxiliary(&mut self, at: usize, count: usize, (verb, tense): (AuxiliaryVerb, Tense)) -> usize {
        self.push(TermKind::Auxiliary, at, at + count, auxiliary_key(verb, tense), None);
        if let Some(term) = self.terms.last_mut() {
            (term.tense, term.is_be) = (tense, verb == AuxiliaryVerb::Be);
        }
        at + count
    }

    /// Reads a bound such as "about", "more than" or "at least", if it is next to a number or range.
    pub(super) fn bound(&mut self, at: usize, count: usize, roles: &[Role]) -> Option<usize> {
        let group = roles.iter().find_map(|role| match role {
            Role::Approximation => Some(0_u8),
            Role::MoreThan => Some(1),
            Role::LessThan => Some(2),
            Role::AtLeast => Some(3),
            Role::AtMost => Some(4),
            _ => None,
        })?;
        let is_sign = self.tokens.get(at).is_some_and(|token| token.class == TokenClass::Symbol);
        let stop = usize::from(self.tokens.form(at + count) == ".");
        let is_limit = group >= 3;
        if !(is_sign || self.begins_number(at + count + stop) || (is_limit && self.follows_number())) {
            return None;
        }
        self.push(TermKind::Bound, at, at + count, group_key(TermKind::Bound, group), None);
        Some(at + count + stop)
    }

    /// Returns whether a number precedes the next token, with at most one word between them: "40 people at least".
    fn follows_number(&self) -> bool {
        let last = self.terms.iter().rev().take(2).take_while(|term| term.clause == self.clause);
        last.into_iter().any(|term| term.kind == TermKind::Number && !term.is_one)
    }

    pub(super) fn is_number_sign(&self, at: usize, count: usize) -> bool {
        let next = at + count + usize::from(self.tokens.form(at + count) == ".");
        let is_short = self.tokens.form(at).len() <= 3;
        self.tokens.get(next).is_some_and(|token| token.class == TokenClass::Digits) && (!is_short || next > at + count)
    }

    pub(super) fn content(&mut self, at: usize, count: usize) -> usize {
        let key = self.key_of_form(&self.canonical_form(at, count));
        let kind = if count == 1 && self.is_name(at) { TermKind::Name } else { TermKind::Content };
        // After an article, it is not a verb: "the state", "a report".
        let is_noun =
            self.terms.last().is_some_and(|last| last.kind == TermKind::Article && last.clause == self.clause);
        self.push(kind, at, at + count, key, None);
        let roles = if count == 1 { self.roles_of(at) } else { self.lexicon.roles(&self.joined_forms(at, count)) };
        if let Some(term) = self.terms.last_mut() {
            term.is_reporting_verb = !is_noun && roles.contains(&Role::ReportingVerb);
            term.is_period = roles.contains(&Role::Period);
        }
        at + count
    }

    /// Adds words that have a canonical form, as a name or as a content word.
    pub(super) fn push_canonical(&mut self, at: usize, end: usize, same: &str) {
        let key = self.key_of_word(same);
        let is_name = self.tokens.get(at).is_some_and(|token| token.is_all_caps) || self.is_name(at);
        self.push(if is_name { TermKind::Name } else { TermKind::Content }, at, end, key, None);
    }

    /// Returns the canonical form of the longest entry at `at`, and its number of tokens.
    pub(super) fn canonical_entry(&self, at: usize) -> Option<(&'a str, usize)> {
        let lexicon = self.lexicon;
        if self.tokens.get(at).is_some_and(|token| token.is_all_caps)
            && let Some(same) = lexicon.canonical_acronym(self.tokens.form(at))
        {
            return Some((same, 1));
        }
        let node = self.node(at);
        if node.has_longer
            && let Some((same, count)) = self.longest(at, |node| node.canonical.as_deref())
        {
            return Some((same, count));
        }
        let is_other = node.roles.iter().any(|role| !matches!(role, Role::GivenName | Role::Particle));
        node.canonical.as_deref().filter(|_| !is_other).map(|same| (same, 1))
    }

    pub(super) fn key_of_word(&self, word: &str) -> u64 {
        self.key_of_form(self.lexicon.canonical(word).unwrap_or(word))
    }

    fn key_of_form(&self, form: &str) -> u64 {
        match self.lexicon.spelling(form) {
            Some(spelt) => hash(&(TermKind::Content, spelt.as_str())),
            None => hash(&(TermKind::Content, form)),
        }
    }

    /// Returns the canonical form of some tokens, which by default is their own.
    fn canonical_form(&self, at: usize, count: usize) -> Cow<'a, str> {
        if count == 1 {
            return Cow::Borrowed(self.node(at).canonical.as_deref().unwrap_or(self.tokens.form(at)));
        }
        let words = self.joined_forms(at, count);
        self.lexicon.canonical(&words).map_or(words, Cow::Borrowed)
    }
}
