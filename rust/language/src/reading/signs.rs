//! Reads symbols that are not part of a number, and bracketed notes.

use super::parser::Parser;
use crate::lexicon::Role;
use crate::term::{TermKind, group_key, hash};

impl Parser<'_> {
    /// Reads a symbol that ends a clause, opens a note, or bounds a number, and returns the index after it.
    pub(super) fn symbol(&mut self, at: usize) -> usize {
        let tokens = self.tokens;
        let form = tokens.form(at);
        if is_clause_end(form) {
            self.clause += 1;
        }
        if let Some(end) = self.transcriber_note(at) {
            return end;
        }
        if is_bound_symbol(form) && self.begins_number(at + 1) {
            let key = bound_key(form);
            self.push(TermKind::Bound, at, at + 1, key, None);
        } else if matches!(form, "<" | ">") && tokens.form(at + 1) == "=" && self.begins_number(at + 2) {
            let key = bound_key(if form == "<" { "≤" } else { "≥" });
            self.push(TermKind::Bound, at, at + 2, key, None);
            return at + 2;
        }
        at + 1
    }

    /// Skips an annotation, unless its only word is a negation.
    pub(super) fn annotation(&mut self, at: usize) -> usize {
        let form = self.tokens.form(at);
        let word = form.trim_matches(|character| matches!(character, '[' | ']' | '<' | '>'));
        if self.lexicon.roles(word).contains(&Role::Negation) {
            self.push(TermKind::Negation, at, at + 1, group_key(TermKind::Negation, 0_u64), None);
        }
        at + 1
    }

    /// Returns the index after a transcriber's note in brackets or asterisks: "(laughs)", "*laughter*".
    pub(super) fn transcriber_note(&self, at: usize) -> Option<usize> {
        let close = match self.tokens.form(at).as_bytes() {
            b"(" => ")",
            b"*" => "*",
            b"[" => "]",
            b"{" => "}",
            b"<" => ">",
            _ => return None,
        };
        let words = (at + 1..at + 4).take_while(|&index| self.roles_of(index).contains(&Role::TranscriberNote)).count();
        (words > 0 && self.tokens.form(at + 1 + words) == close).then_some(at + 2 + words)
    }
}

/// Returns the character of a form that has only one.
fn character_of(form: &str) -> Option<char> {
    let mut characters = form.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Returns whether a symbol bounds the number after it.
fn is_bound_symbol(form: &str) -> bool {
    matches!(character_of(form), Some('<' | '>' | '=' | '±' | '≤' | '≥' | '≠' | '×' | '÷'))
}

/// Returns the key of a symbol before a number, which is also that of the words with the same meaning.
fn bound_key(form: &str) -> u64 {
    match form {
        ">" => group_key(TermKind::Bound, 1_u8),
        "<" => group_key(TermKind::Bound, 2_u8),
        "≥" => group_key(TermKind::Bound, 3_u8),
        "≤" => group_key(TermKind::Bound, 4_u8),
        _ => hash(&(TermKind::Bound, form)),
    }
}

fn is_clause_end(form: &str) -> bool {
    matches!(
        character_of(form),
        Some(
            ',' | ';'
                | ':'
                | '.'
                | '!'
                | '?'
                | '('
                | ')'
                | '\u{2014}'
                | '\u{2013}'
                | '，'
                | '；'
                | '：'
                | '。'
                | '！'
                | '？'
                | '、'
                | '（'
                | '）'
                | '،'
                | '؛'
                | '؟'
                | '…'
        )
    )
}
