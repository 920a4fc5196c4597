//! Expands contractions.

use super::parser::Parser;
use super::words::choose;
use crate::lexicon::Role;
use crate::term::Tense;
use crate::term::{TermKind, group_key, hash};

impl Parser<'_> {
    /// Expands a contraction: "don't" is "do" and "not".
    pub(super) fn contraction(&mut self, at: usize) -> bool {
        let word = self.tokens.form(at).to_owned();
        let Some(parts) = self.parts_of(&word) else { return false };
        let Some(token) = self.tokens.get(at).copied() else { return false };
        // Each part spans the letters of the contraction that it shares, and at least one of those that are left.
        let mut start = token.start;
        for (number, part) in parts.iter().enumerate() {
            let left = token.end - start;
            let rest = (parts.len() - number - 1) as u32;
            let written = part.chars().zip(word.chars().skip((start - token.start) as usize));
            let length = written.take_while(|(one, other)| one == other).count() as u32;
            let length = if rest == 0 { left } else { length.max(1).min(left.saturating_sub(rest).max(1)) };
            self.part(part, start.min(token.end - 1), start + length, at, number == 0);
            start = (start + length).min(token.end);
        }
        true
    }

    pub(super) fn parts_of(&self, word: &str) -> Option<Vec<Box<str>>> {
        let lexicon = self.lexicon;
        if let Some(parts) = lexicon.contractions.get(word) {
            return Some(parts.clone());
        }
        let apostrophe = word.rfind('\'')?;
        let (stem, ending) = word.split_at(apostrophe);
        if stem.is_empty() {
            return None;
        }
        if ending == "'t" && stem.ends_with('n') && stem.len() > 1 {
            return Some(vec![stem[..stem.len() - 1].into(), "not".into()]);
        }
        if ending == "'s" {
            return Some(vec![stem.into(), "'s".into()]);
        }
        if let Some(parts) = lexicon.contractions.get(ending) {
            return Some(std::iter::once(Box::from(stem)).chain(parts.iter().cloned()).collect());
        }
        // A clitic written together with the next word: "l'eau", "qu'il".
        let first = word.find('\'')?;
        let (start, rest) = word.split_at(first + 1);
        let parts = lexicon.contractions.get(start)?;
        (!rest.is_empty()).then(|| parts.iter().cloned().chain(std::iter::once(rest.into())).collect())
    }

    /// Adds one part of a contraction as a term.
    pub(super) fn part(&mut self, word: &str, start: u32, end: u32, at: usize, is_first: bool) {
        let roles = self.lexicon.roles(word);
        let (kind, key, tense, is_be) = if word == "'s" {
            (TermKind::Clitic, hash(&(TermKind::Auxiliary, 0_u8, Tense::Present)), Tense::None, false)
        } else if let Some(&Role::Be(tense)) = roles.iter().find(|role| matches!(role, Role::Be(_))) {
            (TermKind::Auxiliary, hash(&(TermKind::Auxiliary, 0_u8, tense)), tense, true)
        } else if let Some(&Role::Have(tense)) = roles.iter().find(|role| matches!(role, Role::Have(_))) {
            (TermKind::Auxiliary, hash(&(TermKind::Auxiliary, 1_u8, tense)), tense, false)
        } else if let Some(&Role::Do(tense)) = roles.iter().find(|role| matches!(role, Role::Do(_))) {
            (TermKind::Auxiliary, hash(&(TermKind::Auxiliary, 2_u8, tense)), tense, false)
        } else {
            match choose(roles, |_| false) {
                Some((kind @ (TermKind::Preposition | TermKind::Conjunction | TermKind::Filler), _)) => {
                    (kind, hash(&(kind, word)), Tense::None, false)
                }
                Some((kind, group)) => (kind, group_key(kind, group), Tense::None, false),
                None => {
                    let kind = if is_first && self.is_name(at) { TermKind::Name } else { TermKind::Content };
                    (kind, self.key_of_word(word), Tense::None, false)
                }
            }
        };
        let first = self.forms.len();
        self.forms.push_str(word);
        let form = self.range_from(first);
        self.push_form(kind, start, end, key, None, form, at);
        if let Some(term) = self.terms.last_mut() {
            (term.tense, term.is_be) = (tense, is_be);
        }
    }
}
