//! Decides whether two terms, or two sequences of terms, are spelling variants of each other.

use std::ops::Range;

use super::Comparison;
use crate::names::are_same_name;
use crate::reading::Reading;
use crate::slips::is_within;
use crate::term::Tense;
use crate::term::{Term, TermKind, Value};

/// How two terms are related.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    Spelling,
}

/// Symbols that distinguish amounts.
const CURRENCIES: &str = "$€£¥₹₽₩¢";

impl Comparison<'_> {
    /// Returns whether the quote begins after the digits of a number, with its scale or unit: "million" from "20
    /// million".
    pub(super) fn is_cut_number(&self, ours: &Range<usize>, theirs: &Range<usize>) -> bool {
        if ours.start > 0 || ours.is_empty() || theirs.len() != 1 || self.theirs[theirs.start].kind != TermKind::Number
        {
            return false;
        }
        let written: Vec<&str> = self.ours[ours.clone()].iter().map(|term| self.quote.form(term)).collect();
        let meant = self.passage.form(&self.theirs[theirs.start]);
        let written = written.join(" ");
        !written.contains(|character: char| character.is_ascii_digit())
            && meant
                .strip_suffix(&*written)
                .is_some_and(|rest| rest.ends_with(' ') && rest.chars().all(|character| !character.is_alphabetic()))
    }

    /// Returns whether both sides have the same letters with other word boundaries, up to a typo: "Wi-Fi", "WiFi";
    /// "fo rme", "for me".
    pub(super) fn are_one_word(&self, ours: Range<usize>, theirs: Range<usize>) -> bool {
        let (own, their_own) = (&self.ours[ours.clone()], &self.theirs[theirs.clone()]);
        if own.is_empty()
            || their_own.is_empty()
            || own.len() + their_own.len() > 12
            || digits(self.quote, own) != digits(self.passage, their_own)
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
        let (written, meant) = (letters(self.quote, own), letters(self.passage, their_own));
        let has_unknown =
            own.iter().any(|term| !self.is_known(self.quote.form(term)) || self.quote.form(term).chars().count() == 1);
        if written != meant && self.lexicon.spelling(&written).as_deref() != Some(&*meant) {
            let limit = if meant.chars().count() < 7 { 1 } else { 2 };
            // Two names with a typo each are different names.
            let are_names = own.iter().chain(their_own).all(|term| term.kind == TermKind::Name);
            let is_parted = own.len() != their_own.len() || (own.len() > 1 && !are_names);
            let has_value = own.iter().chain(their_own).any(|term| term.value.is_some());
            return is_parted
                && !has_value
                && has_unknown
                && self.lexicon.is_spaced
                && meant.chars().count() > 4
                && is_within(&written, &meant, limit);
        }
        if own.len() == their_own.len() {
            return has_unknown && own.len() > 1;
        }
        // "Now here" is not "nowhere", and "re-sign" is not "resign", although the letters are the same.
        let (parts, reading, joined) =
            if own.len() > their_own.len() { (own, self.quote, their_own) } else { (their_own, self.passage, own) };
        let is_one = joined.len() == 1 && self.lexicon.is_word(&written);
        let has_telling_prefix =
            parts.first().is_some_and(|first| self.lexicon.telling_prefixes.contains(reading.form(first)));
        if is_one && has_telling_prefix {
            return false;
        }
        let is_adjacent = parts.windows(2).all(|pair| pair[0].end == pair[1].start);
        let is_hyphenated = parts.iter().skip(1).all(|term| term.is_hyphenated);
        let are_words = parts.iter().all(|term| self.lexicon.is_word(reading.form(term)));
        let are_plain = joined.iter().chain(parts).all(|term| term.kind == TermKind::Content);
        !is_one || is_adjacent || is_hyphenated || !are_words || are_plain
    }

    pub(super) fn relation(&self, one: usize, other: usize) -> Option<Relation> {
        let (ours, theirs) = (&self.ours[one], &self.theirs[other]);
        if ours.key == theirs.key {
            return Some(Relation::Same);
        }
        let (written, meant) = (self.quote.form(ours), self.passage.form(theirs));
        if written == meant && ours.value == theirs.value {
            return Some(Relation::Same);
        }
        if self.is_cut_phrase(one, other) {
            return Some(Relation::Same);
        }
        match (ours.kind, theirs.kind) {
            (TermKind::Number, TermKind::Number)
            | (TermKind::Date, TermKind::Date)
            | (TermKind::Date, TermKind::Number)
            | (TermKind::Number, TermKind::Date) => {
                return same_value(ours, theirs).then_some(Relation::Spelling);
            }
            // The word for one is also an article.
            (TermKind::Number, TermKind::Article) if ours.is_one => return Some(Relation::Spelling),
            (TermKind::Article, TermKind::Number) if theirs.is_one => return Some(Relation::Spelling),
            // "She's", "he'd": "is" or "has", "would" or "had".
            (TermKind::Clitic, TermKind::Auxiliary) | (TermKind::Auxiliary, TermKind::Clitic)
                if ours.tense != Tense::Past && theirs.tense != Tense::Past =>
            {
                return Some(Relation::Spelling);
            }
            (TermKind::Modal, TermKind::Auxiliary) if ours.end - ours.start <= 2 && theirs.tense == Tense::Past => {
                return Some(Relation::Spelling);
            }
            (TermKind::Auxiliary, TermKind::Modal) if theirs.end - theirs.start <= 2 && ours.tense == Tense::Past => {
                return Some(Relation::Spelling);
            }
            _ => {}
        }
        let is_wordlike = |term: &Term| {
            matches!(
                term.kind,
                TermKind::Content
                    | TermKind::Name
                    | TermKind::ImplicitNegation
                    | TermKind::Title
                    | TermKind::TimeReference
            )
        };
        let both_names = ours.kind == TermKind::Name || theirs.kind == TermKind::Name;
        if both_names && is_wordlike(ours) && is_wordlike(theirs) && are_same_name(written, meant) {
            return Some(Relation::Spelling);
        }
        if is_wordlike(ours) && is_wordlike(theirs) && !both_names && self.is_inflected(written, meant) {
            return Some(Relation::Spelling);
        }
        if self.is_slip(one, other) || self.is_cut(one, other) {
            return Some(Relation::Spelling);
        }
        None
    }

    /// Returns whether the quote ends or begins inside a phrase or date of the passage: "had" from "had to"; "June
    /// 2012" from "26 June 2012".
    fn is_cut_phrase(&self, one: usize, other: usize) -> bool {
        let (ours, theirs) = (&self.ours[one], &self.theirs[other]);
        let (written, meant) = (self.quote.form(ours), self.passage.form(theirs));
        let is_end =
            one + 1 == self.ours.len() && meant.strip_prefix(written).is_some_and(|rest| rest.starts_with(' '));
        let is_start = one == 0 && meant.strip_suffix(written).is_some_and(|rest| rest.ends_with(' '));
        (is_end || is_start) && (matches!(theirs.kind, TermKind::Date) || theirs.value.is_none())
    }

    /// Returns whether two words are inflections of the same word: "walk", "walked".
    fn is_inflected(&self, written: &str, meant: &str) -> bool {
        if !self.lexicon.is_spaced || self.lexicon.differ_by_affix(written, meant) {
            return false;
        }
        let is_near = |one: &str, other: &str| {
            let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
            2 * shared >= one.chars().count().max(other.chars().count())
        };
        self.lexicon.stem(written) == self.lexicon.stem(meant)
            && (is_near(written, meant) || is_near(self.lexicon.base(written), self.lexicon.base(meant)))
    }

    /// Returns whether the quote's word is the passage's with a typo that is not a word (rulings A9, A17).
    fn is_slip(&self, one: usize, other: usize) -> bool {
        let (ours, theirs) = (&self.ours[one], &self.theirs[other]);
        let (written, meant) = (self.quote.form(ours), self.passage.form(theirs));
        let is_plain = |word: &str| word.chars().all(|letter| letter.is_alphabetic() || letter == '\'');
        if !self.lexicon.is_spaced || !is_plain(written) || !is_plain(meant) || ours.value.is_some() {
            return false;
        }
        let (length, own_length) = (meant.chars().count(), written.chars().count());
        // "Undisplaced" is not a typo of "displaced", even if no lexicon has it.
        if self.lexicon.differ_by_affix(written, meant) {
            return false;
        }
        // Only a typo turns a function word into a content word: "will", "mill".
        let is_function = matches!(
            theirs.kind,
            TermKind::Preposition
                | TermKind::Pronoun
                | TermKind::Conjunction
                | TermKind::Article
                | TermKind::Auxiliary
                | TermKind::Modal
                | TermKind::Filler
        );
        if ours.kind == TermKind::Content
            && is_function
            && (own_length > 1 || !self.lexicon.is_frequent(written))
            && length > 1
        {
            return is_within(written, meant, 1);
        }
        if length < 3 || ours.kind != TermKind::Content && ours.kind != TermKind::Name {
            return false;
        }
        let is_name = theirs.kind == TermKind::Name;
        // Without a word list, a short word with two typos cannot be told from another word.
        let shortest = if self.lexicon.has_words() { 5 } else { 7 };
        let limit = if length < shortest || is_name { 1 } else { 2 };
        // Another ending makes another name: Haig and Haigh, Dario and Daria. "Norwya" is a typo.
        if is_name && has_other_ending(written, meant) {
            return false;
        }
        // The quote corrects a typo of the source.
        let is_corrected = self.lexicon.has_words()
            && !self.lexicon.is_word(meant)
            && theirs.kind == TermKind::Content
            && !theirs.is_capitalised
            && theirs.value.is_none();
        if is_corrected && is_within(written, meant, limit) {
            return true;
        }
        is_within(written, meant, limit) && !self.is_known(written) && !self.lexicon.are_opposites(written, meant)
    }

    fn is_known(&self, word: &str) -> bool {
        self.lexicon.is_word(word) || (self.occurs)(word)
    }

    /// Returns whether the quote ends or begins inside the passage's word, and its part is not a word.
    fn is_cut(&self, one: usize, other: usize) -> bool {
        let (written, meant) = (self.quote.form(&self.ours[one]), self.passage.form(&self.theirs[other]));
        let is_end = one + 1 == self.ours.len() && meant.starts_with(written);
        let is_start = one == 0 && meant.ends_with(written);
        (is_end || is_start)
            && self.lexicon.is_spaced
            && self.ours[one].kind == TermKind::Content
            && !self.is_known(written)
    }
}

/// Returns whether two words end in different letters, other than a swap of the last two.
fn has_other_ending(one: &str, other: &str) -> bool {
    let mut ends = one.chars().rev().zip(other.chars().rev());
    let (last, before) = (ends.next(), ends.next());
    let is_exchanged = last.zip(before).is_some_and(|(last, before)| last.0 == before.1 && last.1 == before.0);
    last.is_some_and(|(one, other)| one != other) && !is_exchanged
}

/// Returns the digits of a sequence of terms.
fn digits(reading: &Reading, terms: &[Term]) -> String {
    terms.iter().flat_map(|term| reading.form(term).chars()).filter(char::is_ascii_digit).collect()
}

/// Returns whether two numbers or dates are equal although their notation differs: "3." and "third", 1821 as a year
/// and as a number.
fn same_value(one: &Term, other: &Term) -> bool {
    match (&one.value, &other.value) {
        (Some(Value::Quantity(one)), Some(Value::Quantity(other))) => {
            (one.low, one.high) == (other.low, other.high)
                && (one.unit == other.unit)
                && (one.is_ordinal == other.is_ordinal)
        }
        (one, other) => one == other,
    }
}
