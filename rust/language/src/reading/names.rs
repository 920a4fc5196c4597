//! Recognises names.

use super::parser::Parser;
use crate::lexicon::Role;
use crate::term::TermKind;
use crate::token::TokenClass;

impl Parser<'_> {
    /// Returns whether the token at `at` is part of a name: capitalised inside a sentence, or listed as one.
    pub(super) fn is_name(&self, at: usize) -> bool {
        let lexicon = self.lexicon;
        let Some(token) = self.tokens.get(at) else { return false };
        let form = self.tokens.form(at);
        let roles = self.roles_of(at);
        if !token.is_capitalised {
            return !lexicon.has_name_capitals && lexicon.is_spaced && self.follows_title(at);
        }
        if roles.contains(&Role::GivenName) {
            return true;
        }
        if !lexicon.has_name_capitals {
            return self.follows_title(at) || self.follows_name(at);
        }
        if !self.begins_sentence(at) {
            return form.chars().count() > 1 || token.has_full_stop;
        }
        let next = self.tokens.get(at + 1);
        let is_before_name = next.is_some_and(|next| {
            next.is_capitalised && next.class == TokenClass::Word && !self.node(at + 1).is_frequent
        });
        !self.node(at).is_frequent && (is_before_name || lexicon.is_only_name(form))
    }

    /// Returns whether the previous word is a name: "Katharina Brandt", in languages that capitalise all nouns.
    fn follows_name(&self, at: usize) -> bool {
        self.terms.last().is_some_and(|term| term.kind == TermKind::Name && self.gap(term.end, at) == 1)
    }

    pub(super) fn follows_title(&self, at: usize) -> bool {
        self.terms.last().is_some_and(|term| term.kind == TermKind::Title && self.gap(term.end, at) <= 2)
    }

    /// Returns whether only symbols separate the token from the start of its sentence or of a quotation.
    pub(super) fn begins_sentence(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        match self.tokens.get(before) {
            Some(token) if token.class == TokenClass::Symbol => {
                matches!(
                    self.tokens.form(before),
                    "." | "!"
                        | "?"
                        | ":"
                        | "\""
                        | "\u{201c}"
                        | "\u{201d}"
                        | "\u{201e}"
                        | "«"
                        | "\u{2018}"
                        | "'"
                        | "…"
                        | "-"
                        | "\u{2013}"
                        | "\u{2014}"
                        | "*"
                        | "\u{2022}"
                        | "("
                        | "¿"
                        | "¡"
                ) && !(self.tokens.form(before) == "." && self.is_abbreviation(before))
                    && !(self.tokens.form(before) == "-" && self.tokens.get(at).is_some_and(|token| token.is_adjacent))
            }
            Some(token) => {
                let sentence = self.sentences.get(self.sentence as usize);
                token.class == TokenClass::Annotation
                    || sentence.is_some_and(|&(start, _)| self.tokens.get(at).is_some_and(|token| token.start == start))
            }
            None => true,
        }
    }

    /// Returns whether the full stop at `at` belongs to an abbreviation or an initial.
    pub(super) fn is_abbreviation(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| {
            let form = self.tokens.form(before);
            form.chars().count() == 1 || self.roles_of(before).iter().any(|role| matches!(role, Role::Title(_)))
        })
    }
}
