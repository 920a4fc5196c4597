//! Expands contractions.

use super::parser::Parser;
use super::words::{auxiliary_key, primary_role};
use crate::lexicon::{AuxiliaryVerb, Role};
use crate::term::{Tense, TermKind, group_key, hash};

impl Parser<'_> {
    /// Adds the parts of a contraction, if the token at `at` is one: "do" and "not" for "don't".
    pub(super) fn contraction(&mut self, at: usize) -> bool {
        let word = self.tokens.form(at).to_owned();
        let Some(parts) = self.parts_of(&word) else { return false };
        let Some(token) = self.tokens.get(at).copied() else { return false };
        // The span of a part contains the letters that it shares with the contraction, and at least one letter.
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
        // A proclitic is joined to the next word: "l'eau", "qu'il".
        let first = word.find('\'')?;
        let (start, rest) = word.split_at(first + 1);
        let parts = lexicon.contractions.get(start)?;
        (!rest.is_empty()).then(|| parts.iter().cloned().chain(std::iter::once(rest.into())).collect())
    }

    /// Adds one part of a contraction as a term.
    pub(super) fn part(&mut self, word: &str, start: u32, end: u32, at: usize, is_first: bool) {
        let auxiliaries = self.lexicon.roles(word).iter().filter_map(Role::auxiliary);
        let (kind, key, tense, is_be) = match auxiliaries.min_by_key(|(verb, _)| *verb) {
            _ if word == "'s" => {
                (TermKind::Clitic, auxiliary_key(AuxiliaryVerb::Be, Tense::Present), Tense::None, false)
            }
            Some((verb, tense)) => (TermKind::Auxiliary, auxiliary_key(verb, tense), tense, verb == AuxiliaryVerb::Be),
            None => {
                let (kind, key) = self.kind_of_part(word, at, is_first);
                (kind, key, Tense::None, false)
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

    fn kind_of_part(&self, word: &str, at: usize, is_first: bool) -> (TermKind, u64) {
        match primary_role(self.lexicon.roles(word), |_| false) {
            Some((kind @ (TermKind::Preposition | TermKind::Conjunction | TermKind::Filler), _)) => {
                (kind, hash(&(kind, word)))
            }
            Some((kind, group)) => (kind, group_key(kind, group)),
            None => {
                let kind = if is_first && self.is_name(at) { TermKind::Name } else { TermKind::Content };
                (kind, self.key_of_word(word))
            }
        }
    }
}
