//! Decides whether terms of a quote and a passage are equivalent.

use std::ops::Range;

use super::QuoteComparison;
use crate::reading::Reading;
use crate::spelling::are_same_name;
use crate::spelling::is_within;
use crate::term::{Tense, Term, TermKind, Value};

/// The relation of two equivalent terms.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    Spelling,
}

/// Currency symbols, which distinguish amounts.
const CURRENCIES: &str = "$€£¥₹₽₩¢";

impl QuoteComparison<'_> {
    /// Returns whether the quote begins inside a number of the passage, with its scale or unit: "million" from "20
    /// million".
    pub(super) fn is_cut_number(&self, quote_range: &Range<usize>, passage_range: &Range<usize>) -> bool {
        if quote_range.start > 0
            || quote_range.is_empty()
            || passage_range.len() != 1
            || self.passage_terms[passage_range.start].kind != TermKind::Number
        {
            return false;
        }
        let quote_form: Vec<&str> =
            self.quote_terms[quote_range.clone()].iter().map(|term| self.quote.form(term)).collect();
        let passage_form = self.passage.form(&self.passage_terms[passage_range.start]);
        let quote_form = quote_form.join(" ");
        !quote_form.contains(|character: char| character.is_ascii_digit())
            && passage_form
                .strip_suffix(&*quote_form)
                .is_some_and(|rest| rest.ends_with(' ') && rest.chars().all(|character| !character.is_alphabetic()))
    }

    /// Returns whether both texts have the same letters with different word boundaries, except for a typo: "Wi-Fi",
    /// "WiFi"; "fo rme", "for me".
    pub(super) fn are_one_word(&self, quote_range: Range<usize>, passage_range: Range<usize>) -> bool {
        let (quote_part, passage_part) =
            (&self.quote_terms[quote_range.clone()], &self.passage_terms[passage_range.clone()]);
        if quote_part.is_empty()
            || passage_part.is_empty()
            || quote_part.len() + passage_part.len() > 12
            || digits(self.quote, quote_part) != digits(self.passage, passage_part)
        {
            return false;
        }
        let letters = |reading: &Reading, terms: &[Term]| -> String {
            terms
                .iter()
                .flat_map(|term| reading.form(term).chars())
                .filter(|&character| character.is_alphanumeric() || CURRENCIES.contains(character))
                .collect()
        };
        let (quote_letters, passage_letters) = (letters(self.quote, quote_part), letters(self.passage, passage_part));
        let has_unknown = quote_part
            .iter()
            .any(|term| !self.is_known(self.quote.form(term)) || self.quote.form(term).chars().count() == 1);
        if quote_letters != passage_letters
            && self.lexicon.spelling(&quote_letters).as_deref() != Some(&*passage_letters)
        {
            let limit = if passage_letters.chars().count() < 7 { 1 } else { 2 };
            // Names with a typo each are different names.
            let are_names = quote_part.iter().chain(passage_part).all(|term| term.kind == TermKind::Name);
            let has_other_boundaries = quote_part.len() != passage_part.len() || (quote_part.len() > 1 && !are_names);
            let has_value = quote_part.iter().chain(passage_part).any(|term| term.value.is_some());
            return has_other_boundaries
                && !has_value
                && has_unknown
                && self.lexicon.is_spaced
                && passage_letters.chars().count() > 4
                && is_within(&quote_letters, &passage_letters, limit);
        }
        if quote_part.len() == passage_part.len() {
            return has_unknown && quote_part.len() > 1;
        }
        // "Now here" is not "nowhere", and "re-sign" is not "resign".
        let (parts, reading, joined) = if quote_part.len() > passage_part.len() {
            (quote_part, self.quote, passage_part)
        } else {
            (passage_part, self.passage, quote_part)
        };
        let is_one = joined.len() == 1 && self.lexicon.is_word(&quote_letters);
        let has_distinctive_prefix =
            parts.first().is_some_and(|first| self.lexicon.distinctive_prefixes.contains(reading.form(first)));
        if is_one && has_distinctive_prefix {
            return false;
        }
        let is_adjacent = parts.windows(2).all(|pair| pair[0].end == pair[1].start);
        let is_hyphenated = parts.iter().skip(1).all(|term| term.is_hyphenated);
        let are_words = parts.iter().all(|term| self.lexicon.is_word(reading.form(term)));
        let are_plain = joined.iter().chain(parts).all(|term| term.kind == TermKind::Content);
        !is_one || is_adjacent || is_hyphenated || !are_words || are_plain
    }

    pub(super) fn relation(&self, index: usize, place: usize) -> Option<Relation> {
        let (quote_term, passage_term) = (&self.quote_terms[index], &self.passage_terms[place]);
        if quote_term.key == passage_term.key {
            return Some(Relation::Same);
        }
        let (quote_form, passage_form) = (self.quote.form(quote_term), self.passage.form(passage_term));
        if quote_form == passage_form && quote_term.value == passage_term.value {
            return Some(Relation::Same);
        }
        if self.is_cut_phrase(index, place) {
            return Some(Relation::Same);
        }
        match (quote_term.kind, passage_term.kind) {
            (TermKind::Number, TermKind::Number)
            | (TermKind::Date, TermKind::Date)
            | (TermKind::Date, TermKind::Number)
            | (TermKind::Number, TermKind::Date) => {
                return have_same_value(quote_term, passage_term).then_some(Relation::Spelling);
            }
            // The word for one is also an article.
            (TermKind::Number, TermKind::Article) if quote_term.is_one => return Some(Relation::Spelling),
            (TermKind::Article, TermKind::Number) if passage_term.is_one => return Some(Relation::Spelling),
            // "She's", "he'd": "is" or "has", "would" or "had".
            (TermKind::Clitic, TermKind::Auxiliary) | (TermKind::Auxiliary, TermKind::Clitic)
                if quote_term.tense != Tense::Past && passage_term.tense != Tense::Past =>
            {
                return Some(Relation::Spelling);
            }
            (TermKind::Modal, TermKind::Auxiliary)
                if quote_term.end - quote_term.start <= 2 && passage_term.tense == Tense::Past =>
            {
                return Some(Relation::Spelling);
            }
            (TermKind::Auxiliary, TermKind::Modal)
                if passage_term.end - passage_term.start <= 2 && quote_term.tense == Tense::Past =>
            {
                return Some(Relation::Spelling);
            }
            _ => {}
        }
        let is_word_like = |term: &Term| {
            matches!(
                term.kind,
                TermKind::Content
                    | TermKind::Name
                    | TermKind::ImplicitNegation
                    | TermKind::Title
                    | TermKind::TimeReference
            )
        };
        let both_names = quote_term.kind == TermKind::Name || passage_term.kind == TermKind::Name;
        if both_names
            && is_word_like(quote_term)
            && is_word_like(passage_term)
            && are_same_name(quote_form, passage_form)
        {
            return Some(Relation::Spelling);
        }
        if is_word_like(quote_term)
            && is_word_like(passage_term)
            && !both_names
            && self.is_inflected(quote_form, passage_form)
        {
            return Some(Relation::Spelling);
        }
        if self.is_typo(index, place) || self.is_cut(index, place) {
            return Some(Relation::Spelling);
        }
        None
    }

    /// Returns whether the quote begins or ends inside a phrase or date of the passage: "had" from "had to", "June 2012"
    /// from "26 June 2012".
    fn is_cut_phrase(&self, index: usize, place: usize) -> bool {
        let (quote_term, passage_term) = (&self.quote_terms[index], &self.passage_terms[place]);
        let (quote_form, passage_form) = (self.quote.form(quote_term), self.passage.form(passage_term));
        let is_end = index + 1 == self.quote_terms.len()
            && passage_form.strip_prefix(quote_form).is_some_and(|rest| rest.starts_with(' '));
        let is_start = index == 0 && passage_form.strip_suffix(quote_form).is_some_and(|rest| rest.ends_with(' '));
        (is_end || is_start) && (matches!(passage_term.kind, TermKind::Date) || passage_term.value.is_none())
    }

    /// Returns whether two words are inflections of the same word: "walk", "walked".
    fn is_inflected(&self, quote_form: &str, passage_form: &str) -> bool {
        if !self.lexicon.is_spaced || self.lexicon.differ_by_affix(quote_form, passage_form) {
            return false;
        }
        let is_near = |one: &str, other: &str| {
            let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
            2 * shared >= one.chars().count().max(other.chars().count())
        };
        self.lexicon.stem(quote_form) == self.lexicon.stem(passage_form)
            && (is_near(quote_form, passage_form)
                || is_near(self.lexicon.base(quote_form), self.lexicon.base(passage_form)))
    }

    /// Returns whether the word of the quote is a typo of the passage's word, and not a word itself (rulings A9, A17).
    fn is_typo(&self, index: usize, place: usize) -> bool {
        let (quote_term, passage_term) = (&self.quote_terms[index], &self.passage_terms[place]);
        let (quote_form, passage_form) = (self.quote.form(quote_term), self.passage.form(passage_term));
        let is_plain = |word: &str| word.chars().all(|letter| letter.is_alphabetic() || letter == '\'');
        if !self.lexicon.is_spaced || !is_plain(quote_form) || !is_plain(passage_form) || quote_term.value.is_some() {
            return false;
        }
        let (length, own_length) = (passage_form.chars().count(), quote_form.chars().count());
        // "Undisplaced" is not a typo of "displaced", even if the lexicon lacks it.
        if self.lexicon.differ_by_affix(quote_form, passage_form) {
            return false;
        }
        // Between a function word and a content word, even a real word is a typo: "mill" for "will".
        let is_function = matches!(
            passage_term.kind,
            TermKind::Preposition
                | TermKind::Pronoun
                | TermKind::Conjunction
                | TermKind::Article
                | TermKind::Auxiliary
                | TermKind::Modal
                | TermKind::Filler
        );
        if quote_term.kind == TermKind::Content
            && is_function
            && (own_length > 1 || !self.lexicon.is_frequent(quote_form))
            && length > 1
        {
            return is_within(quote_form, passage_form, 1);
        }
        if length < 3 || quote_term.kind != TermKind::Content && quote_term.kind != TermKind::Name {
            return false;
        }
        let is_name = passage_term.kind == TermKind::Name;
        // Without a word list, a short word with two typos may be another word.
        let shortest = if self.lexicon.has_words() { 5 } else { 7 };
        let limit = if length < shortest || is_name { 1 } else { 2 };
        // Names with different endings are different: Haig and Haigh, Dario and Daria. "Norwya" is a typo.
        if is_name && has_other_ending(quote_form, passage_form) {
            return false;
        }
        // The quote may correct a typo of the source.
        let is_corrected = self.lexicon.has_words()
            && !self.lexicon.is_word(passage_form)
            && passage_term.kind == TermKind::Content
            && !passage_term.is_capitalised
            && passage_term.value.is_none();
        if is_corrected && is_within(quote_form, passage_form, limit) {
            return true;
        }
        is_within(quote_form, passage_form, limit)
            && !self.is_known(quote_form)
            && !self.lexicon.are_antonyms(quote_form, passage_form)
    }

    fn is_known(&self, word: &str) -> bool {
        self.lexicon.is_word(word) || (self.occurs)(word)
    }

    /// Returns whether the quote begins or ends inside a word of the passage, and its part of the word is not a word.
    fn is_cut(&self, index: usize, place: usize) -> bool {
        let (quote_form, passage_form) =
            (self.quote.form(&self.quote_terms[index]), self.passage.form(&self.passage_terms[place]));
        let is_end = index + 1 == self.quote_terms.len() && passage_form.starts_with(quote_form);
        let is_start = index == 0 && passage_form.ends_with(quote_form);
        (is_end || is_start)
            && self.lexicon.is_spaced
            && self.quote_terms[index].kind == TermKind::Content
            && !self.is_known(quote_form)
    }
}

/// Returns whether two words end in different letters, unless the last two are only transposed.
fn has_other_ending(left: &str, right: &str) -> bool {
    let mut ends = left.chars().rev().zip(right.chars().rev());
    let (last, before) = (ends.next(), ends.next());
    let is_transposed = last.zip(before).is_some_and(|(last, before)| last.0 == before.1 && last.1 == before.0);
    last.is_some_and(|(left, right)| left != right) && !is_transposed
}

/// Returns the digits of a sequence of terms.
fn digits(reading: &Reading, terms: &[Term]) -> String {
    terms.iter().flat_map(|term| reading.form(term).chars()).filter(char::is_ascii_digit).collect()
}

/// Returns whether two numbers or dates are equal although their notation may differ: "3." and "third".
fn have_same_value(left: &Term, right: &Term) -> bool {
    match (&left.value, &right.value) {
        (Some(Value::Quantity(left)), Some(Value::Quantity(right))) => {
            (left.low, left.high) == (right.low, right.high)
                && (left.unit == right.unit)
                && (left.is_ordinal == right.is_ordinal)
        }
        (left, right) => left == right,
    }
}
