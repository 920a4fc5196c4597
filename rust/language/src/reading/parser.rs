//! The parser: one pass over the tokens of a text.

use std::borrow::Cow;

use groundwire_engine::{Cancel, Error, TextRef};

use crate::lexicon::{Lexicon, LexiconSet, PhraseNode, Role, UNKNOWN};
use crate::term::Tense;
use crate::term::{Term, TermKind, Value, value_key};
use crate::token::{TokenClass, Tokens, character_at, is_ignorable};

/// Number of tokens between two checks for cancellation.
const CHECK_INTERVAL_TOKENS: usize = 1 << 14;
/// Maximum number of terms in a speaker label.
const MAX_LABEL_TERMS: usize = 4;

/// One pass over the tokens of a text.
pub(super) struct Parser<'a> {
    pub(super) text: TextRef<'a>,
    pub(super) tokens: &'a Tokens,
    /// The lexicon's word number of each token.
    words: Vec<u32>,
    pub(super) lexicon: &'a Lexicon,
    pub(super) lexicons: &'a LexiconSet,
    pub(super) terms: Vec<Term>,
    pub(super) sentences: &'a [(u32, u32)],
    /// The forms of terms that are not exactly one token. In the reading, they follow the forms of the tokens.
    pub(super) forms: String,
    pub(super) clause: u32,
    pub(super) sentence: u32,
    /// Tokens that belong to an earlier number: "in ten" of "one patient in ten".
    pub(super) skipped: std::ops::Range<usize>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        text: TextRef<'a>,
        tokens: &'a Tokens,
        sentences: &'a [(u32, u32)],
        lexicon: &'a Lexicon,
        lexicons: &'a LexiconSet,
    ) -> Self {
        Self {
            text,
            tokens,
            words: (0..tokens.len()).map(|at| lexicon.phrases.word(tokens.form(at))).collect(),
            lexicon,
            lexicons,
            terms: Vec::with_capacity(tokens.len()),
            sentences,
            forms: String::new(),
            clause: 0,
            sentence: 0,
            skipped: 0..0,
        }
    }

    /// Reads all tokens.
    pub(super) fn read(&mut self, cancel: &dyn Cancel) -> Result<(), Error> {
        let mut at = 0;
        let mut last_check = 0;
        while let Some(token) = self.tokens.get(at) {
            if at >= last_check + CHECK_INTERVAL_TOKENS {
                last_check = at;
                if cancel.is_cancelled() {
                    return Err(Error::Cancelled);
                }
            }
            while self.sentences.get(self.sentence as usize + 1).is_some_and(|next| next.0 <= token.start) {
                self.sentence += 1;
                self.clause += 1;
            }
            if at == self.skipped.start && !self.skipped.is_empty() {
                at = self.skipped.end;
                continue;
            }
            at = match token.class {
                TokenClass::Annotation => self.annotation(at),
                TokenClass::Superscript => at + 1,
                _ => self.read_value(at).unwrap_or_else(|| self.word(at)),
            };
        }
        self.mark_hyphens();
        self.mark_labels();
        Ok(())
    }

    /// Reads a number, date or time that begins at `at`, and returns the index after it.
    pub(super) fn read_value(&mut self, at: usize) -> Option<usize> {
        let found = if self.may_begin_value(at) {
            self.time(at).or_else(|| self.date(at)).or_else(|| self.number(at))
        } else {
            self.label(at)
        };
        let (value, end, is_one) = found?;
        self.push_value(value, at, end, is_one);
        Some(end)
    }

    /// Returns whether a value other than a label may begin at `at`: with digits, a dash, a word of a number or date, or a
    /// currency symbol.
    pub(super) fn may_begin_value(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        let form = self.tokens.form(at);
        token.class == TokenClass::Digits
            || self.node(at).begins_value
            || self.compound(at).is_some()
            || (token.class == TokenClass::Symbol && (is_dash(form) || self.is_elision(at)))
            || (form.len() <= 2 && self.tokens.form(at + 1) == "$")
            || (token.is_capitalised && self.roman_ordinal(at).is_some())
    }

    pub(super) fn push_value(&mut self, value: Value, at: usize, end: usize, is_one: bool) {
        let kind = match value {
            Value::Quantity(_) => TermKind::Number,
            Value::Date(_) => TermKind::Date,
            Value::Time(_) => TermKind::Time,
        };
        let key = value_key(&value);
        self.push(kind, at, end, key, Some(value));
        if let Some(term) = self.terms.last_mut() {
            term.is_one = is_one;
        }
    }

    /// Returns the lexicon's word number of the token at `at`.
    fn word_number(&self, at: usize) -> u32 {
        self.words.get(at).copied().unwrap_or(UNKNOWN)
    }

    /// Returns the original text of the token at `at`, without ignorable characters.
    pub(super) fn original_text(&self, at: usize) -> String {
        let places = self.tokens.get(at).map_or(0..0, |token| token.start as usize..token.end as usize);
        places.filter_map(|place| character_at(self.text, place)).filter(|&each| !is_ignorable(each)).collect()
    }

    /// Returns the number of visible characters, at most 3, between `end` and the token at `at`; 0 past the last
    /// token.
    pub(super) fn gap(&self, end: u32, at: usize) -> usize {
        let start = self.tokens.get(at).map_or(end, |token| token.start);
        let is_visible = |place: &u32| character_at(self.text, *place as usize).is_some_and(|each| !is_ignorable(each));
        (end..start).filter(is_visible).take(3).count()
    }

    /// Returns whether the token at `at` is in the lexicon.
    pub(super) fn is_in_lexicon(&self, at: usize) -> bool {
        self.word_number(at) != UNKNOWN
    }

    /// Returns the lexicon data of the token at `at`.
    #[inline]
    pub(super) fn node(&self, at: usize) -> &'a PhraseNode {
        self.lexicon.phrases.node(self.word_number(at))
    }

    /// Returns the roles of the token at `at` alone.
    #[inline]
    pub(super) fn roles_of(&self, at: usize) -> &'a [Role] {
        &self.node(at).roles
    }

    /// Returns the roles of the longest entry that begins at `at`, and its number of tokens.
    #[inline]
    pub(super) fn entry(&self, at: usize) -> (&'a [Role], usize) {
        let node = self.node(at);
        if node.has_longer {
            let longest = self.longest(at, |node| (!node.roles.is_empty()).then_some(node.roles.as_slice()));
            return longest.unwrap_or((&node.roles, 1));
        }
        (&node.roles, 1)
    }

    /// Returns the result of `choose` for the longest phrase of several words that begins at `at` and for which there is
    /// one, and its number of tokens. A hyphen may join the words.
    pub(super) fn longest<T>(&self, at: usize, choose: impl Fn(&'a PhraseNode) -> Option<T>) -> Option<(T, usize)> {
        let phrases = &self.lexicon.phrases;
        let mut number = self.word_number(at);
        let mut index = at + 1;
        let mut found = None;
        while phrases.node(number).has_longer {
            let is_adjacent = |index: usize| self.tokens.get(index).is_some_and(|token| token.is_adjacent);
            let is_hyphen = self.tokens.form(index) == "-" && is_adjacent(index) && is_adjacent(index + 1);
            index += usize::from(is_hyphen);
            let Some(next) = phrases.transition(number, self.word_number(index)) else { break };
            number = next;
            index += 1;
            if let Some(chosen) = choose(phrases.node(number)) {
                found = Some((chosen, index - at));
            }
        }
        found
    }

    /// Returns the range of the form of some tokens, separated by spaces. That of several tokens is appended to `forms`.
    fn form(&mut self, at: usize, count: usize) -> (u32, u32) {
        if count == 1 {
            return self.tokens.form_range(at);
        }
        let first = self.forms.len();
        for index in at..at + count {
            if index > at {
                self.forms.push(' ');
            }
            self.forms.push_str(self.tokens.form(index));
        }
        self.range_from(first)
    }

    /// Returns the range of what was appended since `forms` had `first` bytes.
    pub(super) fn range_from(&self, first: usize) -> (u32, u32) {
        let before = self.tokens.forms_len();
        ((before + first) as u32, (before + self.forms.len()) as u32)
    }

    /// Returns the forms of some tokens, joined by spaces.
    pub(super) fn joined_forms(&self, at: usize, count: usize) -> Cow<'a, str> {
        let tokens = self.tokens;
        if count == 1 {
            return Cow::Borrowed(tokens.form(at));
        }
        let forms: Vec<&str> = (at..at + count).map(|index| tokens.form(index)).collect();
        Cow::Owned(forms.join(" "))
    }

    pub(super) fn push(&mut self, kind: TermKind, at: usize, end: usize, key: u64, value: Option<Value>) {
        let (Some(first), Some(last)) = (self.tokens.get(at), self.tokens.get(end - 1)) else { return };
        let (start, stop) = (first.start, last.end);
        let form = self.form(at, end - at);
        self.push_form(kind, start, stop, key, value, form, at);
    }

    #[allow(clippy::too_many_arguments, reason = "each is a field of the term")]
    pub(super) fn push_form(
        &mut self,
        kind: TermKind,
        start: u32,
        end: u32,
        key: u64,
        value: Option<Value>,
        form: (u32, u32),
        at: usize,
    ) {
        let is_sign = |index: usize| self.tokens.get(index).is_none_or(|token| token.class == TokenClass::Symbol);
        self.terms.push(Term {
            kind,
            start,
            end,
            sentence: self.sentence,
            clause: self.clause,
            key,
            value,
            is_capitalised: self.tokens.get(at).is_some_and(|token| token.is_capitalised),
            touches_punctuation: at == 0 || is_sign(at - 1) || is_sign(at + 1),
            tense: Tense::None,
            is_one: false,
            is_hyphenated: false,
            is_be: false,
            is_reporting_verb: false,
            is_period: false,
            is_speaker_label: false,
            form,
        });
    }

    /// Marks speaker labels: `Anna Berg: I do.`
    fn mark_labels(&mut self) {
        for first in 0..self.terms.len() {
            let sentence = self.terms[first].sentence;
            if first > 0 && self.terms[first - 1].sentence == sentence {
                continue;
            }
            let may_be_label = |term: &Term| {
                matches!(term.kind, TermKind::Name | TermKind::Title | TermKind::Content | TermKind::Number)
            };
            let names = self.terms[first..].iter().take(MAX_LABEL_TERMS);
            let count = names.take_while(|term| term.sentence == sentence && may_be_label(term)).count();
            let text = self.text;
            let ends = |term: &Term| matches!(character_at(text, term.end as usize), Some(':' | '：'));
            let label = &mut self.terms[first..first + count];
            if let Some(last) = label.iter().position(ends) {
                label[..=last].iter_mut().for_each(|term| term.is_speaker_label = true);
            }
        }
    }

    /// Marks the terms that a hyphen joins to the previous one.
    pub(super) fn mark_hyphens(&mut self) {
        let text = self.text;
        let at = |place: u32| character_at(text, place as usize);
        for index in 1..self.terms.len() {
            let (before, term) = (self.terms[index - 1].end, self.terms[index].start);
            self.terms[index].is_hyphenated = before < term
                && term - before <= 3
                && at(before).is_some_and(is_hyphen)
                && (before + 1..term)
                    .all(|place| at(place).is_some_and(|character| is_hyphen(character) || character.is_whitespace()));
        }
    }
}

fn is_hyphen(character: char) -> bool {
    matches!(character, '-' | '\u{2010}' | '\u{2011}' | '\u{AD}')
}

/// Returns whether a symbol may be a minus.
pub(super) fn is_dash(form: &str) -> bool {
    matches!(form, "-" | "\u{2212}" | "\u{2013}")
}
