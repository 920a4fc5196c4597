//! Decides whether terms of a quote and a passage are equivalent.

use std::cmp::Ordering;
use std::ops::Range;

use super::QuoteComparison;
use crate::reading::Reading;
use crate::spelling::{are_same_name, is_within};
use crate::term::{Tense, Term, TermKind, Value};

/// The relation of two equivalent terms.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    Spelling,
}

/// Currency symbols, which distinguish amounts.
const CURRENCIES: &str = "$€£¥₹₽₩¢";

/// Kinds of function words, of which a real content word may be a typo: "mill" for "will".
const FUNCTION_WORDS: [TermKind; 7] = [
    TermKind::Preposition,
    TermKind::Pronoun,
    TermKind::Conjunction,
    TermKind::Article,
    TermKind::Auxiliary,
    TermKind::Modal,
    TermKind::Filler,
];

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
        let is_spelling = || self.lexicon.spelling(&quote_letters).as_deref() == Some(&*passage_letters);
        if quote_letters != passage_letters && !is_spelling() {
            return has_unknown
                && self.lexicon.is_spaced
                && have_typo_and_boundaries(quote_part, passage_part, &quote_letters, &passage_letters);
        }
        let is_word = self.lexicon.is_word(&quote_letters);
        match quote_part.len().cmp(&passage_part.len()) {
            Ordering::Equal => has_unknown && quote_part.len() > 1,
            Ordering::Greater => self.may_be_joined(quote_part, self.quote, passage_part, is_word),
            Ordering::Less => self.may_be_joined(passage_part, self.passage, quote_part, is_word),
        }
    }

    /// Returns whether terms keep their meaning when joined: "now here" is not "nowhere", and "re-sign" is not
    /// "resign".
    fn may_be_joined(&self, parts: &[Term], reading: &Reading, joined: &[Term], is_word: bool) -> bool {
        let is_one = joined.len() == 1 && is_word;
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

    /// Returns the relation of a term of the quote to one of the passage, if they are equivalent.
    pub(super) fn relation(&self, index: usize, place: usize) -> Option<Relation> {
        let (quote_term, passage_term) = (&self.quote_terms[index], &self.passage_terms[place]);
        let (quote_form, passage_form) = (self.quote.form(quote_term), self.passage.form(passage_term));
        if quote_term.key == passage_term.key
            || quote_form == passage_form && quote_term.value == passage_term.value
            || self.is_cut_phrase(index, place)
        {
            return Some(Relation::Same);
        }
        let is_number_or_date = |term: &Term| matches!(term.kind, TermKind::Number | TermKind::Date);
        let is_spelling = if is_number_or_date(quote_term) && is_number_or_date(passage_term) {
            have_same_value(quote_term, passage_term)
        } else {
            may_be_same_function_word(quote_term, passage_term)
                || self.are_variants(index, place)
                || self.is_typo(index, place)
                || self.is_cut(index, place)
        };
        is_spelling.then_some(Relation::Spelling)
    }

    /// Returns whether two words are inflections of the same word, or two names spellings of the same name.
    fn are_variants(&self, index: usize, place: usize) -> bool {
        let (quote_term, passage_term) = (&self.quote_terms[index], &self.passage_terms[place]);
        let (quote_form, passage_form) = (self.quote.form(quote_term), self.passage.form(passage_term));
        let is_word_like = |term: &Term| term.kind.is_word() || term.kind == TermKind::TimeReference;
        if !is_word_like(quote_term) || !is_word_like(passage_term) {
            return false;
        }
        if quote_term.kind == TermKind::Name || passage_term.kind == TermKind::Name {
            return are_same_name(quote_form, passage_form);
        }
        self.is_inflected(quote_form, passage_form)
    }

    /// Returns whether the quote begins or ends inside a phrase or date of the passage: "had" from "had to", "June
    /// 2012" from "26 June 2012".
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
        let is_near = |left: &str, right: &str| {
            let shared = left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count();
            2 * shared >= left.chars().count().max(right.chars().count())
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
        if quote_term.kind == TermKind::Content
            && FUNCTION_WORDS.contains(&passage_term.kind)
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
        is_within(quote_form, passage_form, limit)
            && (is_corrected || !self.is_known(quote_form) && !self.lexicon.are_antonyms(quote_form, passage_form))
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

/// Returns whether two terms may be the same function word: "a" and "one", "'s" and "is", "'d" and "had".
fn may_be_same_function_word(quote: &Term, passage: &Term) -> bool {
    let is_short = |term: &Term| term.end - term.start <= 2;
    match (quote.kind, passage.kind) {
        (TermKind::Number, TermKind::Article) => quote.is_one,
        (TermKind::Article, TermKind::Number) => passage.is_one,
        (TermKind::Clitic, TermKind::Auxiliary) | (TermKind::Auxiliary, TermKind::Clitic) => {
            quote.tense != Tense::Past && passage.tense != Tense::Past
        }
        (TermKind::Modal, TermKind::Auxiliary) => is_short(quote) && passage.tense == Tense::Past,
        (TermKind::Auxiliary, TermKind::Modal) => is_short(passage) && quote.tense == Tense::Past,
        _ => false,
    }
}

/// Returns whether a typo explains the different letters of terms with different word boundaries: "in stead", "insted".
fn have_typo_and_boundaries(quote: &[Term], passage: &[Term], quote_letters: &str, passage_letters: &str) -> bool {
    let length = passage_letters.chars().count();
    // Names with a typo each are different names.
    let are_names = quote.iter().chain(passage).all(|term| term.kind == TermKind::Name);
    let has_other_boundaries = quote.len() != passage.len() || (quote.len() > 1 && !are_names);
    let has_value = quote.iter().chain(passage).any(|term| term.value.is_some());
    has_other_boundaries
        && !has_value
        && length > 4
        && is_within(quote_letters, passage_letters, if length < 7 { 1 } else { 2 })
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
