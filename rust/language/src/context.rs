//! Finds the words that restrict or negate a quote: beside it, or omitted inside it.

use groundwire_engine::TextRef;

use crate::lexicon::{Lexicon, Role};
use crate::reading::Reading;
use crate::term::{Term, TermKind, group_key};
use crate::token::characters;

/// Number of terms before a quote that are searched for a negation of the whole quote.
const MAX_TERMS_BEFORE: usize = 7;

/// Maximum number of content words between a negation and the quote that it negates.
const MAX_CONTENT_BETWEEN: usize = 2;

/// Maximum number of words, and of characters in a script without spaces, of a sentence that negates its neighbours:
/// "Not really."
const BARE_NEGATION_TERMS: (usize, usize) = (3, 2);

/// Maximum number of words of a sentence that is a condition of its neighbours: "Unless it rains."
const BARE_CONDITION_TERMS: usize = 6;

/// Number of words of a clause that are searched for a subject or verb.
const CLAUSE_TERMS: usize = 16;

/// Maximum length of an annotation between a quote and the word beside it, in characters.
const MAX_ANNOTATION_CHARS: usize = 40;

/// Number of groups of limiters that restrict the word they govern: "only", "almost". The other group, "even", does
/// not.
const RESTRICTING_LIMITERS: u64 = 2;

/// The text around quotes.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, TextRef};
/// use groundwire_language::context::QuoteContext;
/// use groundwire_language::{Language, LexiconSet, Reader};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/groundwire/language/lexicons");
/// let reader = Reader::new(LexiconSet::new(folder)?);
/// let text = TextRef::Ucs1(b"The mill is open unless it rains.");
/// let reading = reader.read(text, Language::English, &Never)?;
/// let context = QuoteContext::new(text, reading, reader.lexicons().get(Language::English)?);
/// assert_eq!(context.restriction_after(0, 16), Some((17, 23)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct QuoteContext<'a> {
    text: Vec<char>,
    reading: Reading,
    lexicon: &'a Lexicon,
}

impl<'a> QuoteContext<'a> {
    /// Creates the context of quotes from `text` and its `reading` in the language of `lexicon`.
    #[must_use]
    pub fn new(text: TextRef<'_>, reading: Reading, lexicon: &'a Lexicon) -> Self {
        Self { text: characters(text), reading, lexicon }
    }

    /// Returns the span of the word directly after the quote at `start..end` that restricts or negates it, if there is
    /// one.
    ///
    /// The word is a condition, exception or contrast (if, unless, except, but), or a negation without a comma before
    /// it, or the bound of a number if the quote denies or counts something ("not for children under twelve"). White
    /// space, commas, dashes and annotations may come between. No word restricts a quote that ends its sentence.
    #[must_use]
    pub fn restriction_after(&self, start: usize, end: usize) -> Option<(u32, u32)> {
        let quote = &self.text[start.min(end)..end];
        let is_closing = |character: &&char| character.is_whitespace() || "\"'”’»)]」』".contains(**character);
        if quote.iter().rev().find(|character| !is_closing(character)).is_some_and(|&last| ".!?。！？؟…".contains(last))
        {
            return None;
        }
        let at = self.reading.terms.partition_point(|term| (term.start as usize) < end);
        let next = self.reading.terms.get(at)?;
        let has_comma = self.gap_has_comma(end, next.start as usize)?;
        let roles = self.lexicon.roles(self.reading.form(next));
        let is_contrast =
            matches!(next.kind, TermKind::Conjunction | TermKind::Cause) && roles.contains(&Role::Contrast);
        let is_restriction = is_contrast || next.kind == TermKind::Condition || self.is_exception(next);
        let is_negation = next.kind == TermKind::Negation && !has_comma && self.follows_its_word(next) != Some(false);
        (is_restriction || is_negation || !has_comma && self.is_bound_of(at, start)).then(|| self.whole_word(next))
    }

    /// Returns whether the term at `at` bounds a number, and a negation or quantifier between `start` and it applies to
    /// what is bounded.
    fn is_bound_of(&self, at: usize, start: usize) -> bool {
        let terms = &self.reading.terms;
        let quoted = terms[..at].iter().rev().take_while(|term| term.start as usize >= start);
        terms[at].kind == TermKind::Bound
            && terms.get(at + 1).is_some_and(|next| next.kind == TermKind::Number)
            && quoted
                .take_while(|term| term.clause == terms[at].clause)
                .any(|term| matches!(term.kind, TermKind::Negation | TermKind::Quantifier))
    }

    /// Returns the span of the negation, limiter, bound or condition directly before the quote at `start`, if there is
    /// one. A separate answer ("No, …") does not count.
    #[must_use]
    pub fn restriction_before(&self, start: usize) -> Option<(u32, u32)> {
        let at = self.reading.terms.partition_point(|term| (term.end as usize) <= start);
        if let Some(negation) = self.cut_negation(at, start) {
            return Some(negation);
        }
        let last = &self.reading.terms[at.checked_sub(1)?];
        let has_comma = self.gap_has_comma(last.end as usize, start)?;
        let is_answer = has_comma && self.lexicon.roles(self.reading.form(last)).contains(&Role::Interjection);
        if is_answer || self.follows_its_word(last) == Some(true) {
            return None;
        }
        let is_restriction = matches!(last.kind, TermKind::Negation | TermKind::Bound | TermKind::Condition)
            || self.is_limiter(last)
            || self.is_exception(last);
        (is_restriction && (self.lexicon.is_spaced || !has_comma)).then(|| self.whole_word(last))
    }

    /// Returns the negation at the start of a phrase that the quote begins inside: 不 of 不想.
    fn cut_negation(&self, at: usize, start: usize) -> Option<(u32, u32)> {
        let term = self.reading.terms.get(at).filter(|term| (term.start as usize) < start)?;
        let written: String = self.text[term.start as usize..start].iter().collect();
        let word = written.trim_end();
        let is_negation = self.lexicon.roles(&word.to_lowercase()).contains(&Role::Negation);
        is_negation.then(|| (term.start, term.start + word.chars().count() as u32))
    }

    /// Returns whether there is a comma between two offsets, or `None` if there are other characters than white space,
    /// commas, dashes and annotations.
    fn gap_has_comma(&self, from: usize, to: usize) -> Option<bool> {
        let (mut at, mut has_comma, mut breaks) = (from, false, 0);
        while at < to {
            let character = self.text[at];
            breaks = if character == '\n' {
                breaks + 1
            } else if character.is_whitespace() {
                breaks
            } else {
                0
            };
            let close = match character {
                '<' => Some('>'),
                '[' => Some(']'),
                '(' => Some(')'),
                '{' => Some('}'),
                _ => None,
            };
            if let Some(close) = close {
                let inside =
                    self.text[at + 1..to].iter().take(MAX_ANNOTATION_CHARS).position(|&other| other == close)?;
                at += inside + 1;
            } else if matches!(character, ',' | '、' | '،' | '，') {
                has_comma = true;
            } else if breaks > 1 || !(character.is_whitespace() || ";–—-\u{AD}\u{200B}".contains(character)) {
                return None;
            }
            at += 1;
        }
        Some(has_comma)
    }

    /// Returns whether a negation in a script without spaces follows the word that it negates, as in kana, or `None` in
    /// other scripts.
    fn follows_its_word(&self, term: &Term) -> Option<bool> {
        if self.lexicon.is_spaced {
            return None;
        }
        let first = *self.text.get(term.start as usize)?;
        Some(matches!(first, '\u{3040}'..='\u{30FF}'))
    }

    fn is_limiter(&self, term: &Term) -> bool {
        term.kind == TermKind::Limiter
            && (0..RESTRICTING_LIMITERS).any(|group| term.key == group_key(TermKind::Limiter, group))
    }

    fn is_only(&self, term: &Term) -> bool {
        term.kind == TermKind::Limiter && term.key == group_key(TermKind::Limiter, 0_u64)
    }

    fn is_exception(&self, term: &Term) -> bool {
        term.kind == TermKind::Exception && term.key == group_key(TermKind::Exception, 0_u64)
    }

    /// Returns the span of the whole word that contains a term: "didn't".
    fn whole_word(&self, term: &Term) -> (u32, u32) {
        let (mut start, mut end) = (term.start as usize, term.end as usize);
        if self.lexicon.is_spaced {
            let is_inside = |at: usize| {
                self.text.get(at).is_some_and(|&each| each.is_alphanumeric() || matches!(each, '\'' | '’' | '\u{2BC}'))
            };
            while start > 0 && is_inside(start - 1) && is_inside(start) {
                start -= 1;
            }
            while end > 0 && is_inside(end - 1) && is_inside(end) {
                end += 1;
            }
        }
        (start as u32, end as u32)
    }

    /// Returns the span of each word that a quote omits between `start` and `end`, and whose omission changes the
    /// meaning.
    ///
    /// Negations, conditions, exceptions and limiters count if they share a clause with a quoted word, and conditions
    /// also if they govern a neighbouring clause. A negation in a separate clause (", who did not go,") negates no
    /// quoted word, nor does one in a separate sentence, unless that sentence is only a negation or a condition. A
    /// bound or "almost" belongs to the number or word after it.
    #[must_use]
    pub fn omitted_restrictions(&self, start: usize, end: usize) -> Vec<(u32, u32)> {
        let terms = &self.reading.terms;
        let first = terms.partition_point(|term| (term.end as usize) <= start);
        let last = terms.partition_point(|term| (term.start as usize) < end).max(first);
        let before = first.checked_sub(1).map(|index| &terms[index]);
        let after = terms.get(last);
        let mut found: Vec<(u32, u32)> = Vec::new();
        for (index, term) in terms.iter().enumerate().take(last).skip(first) {
            let is_condition = term.kind == TermKind::Condition || self.is_exception(term);
            let goes_with_next = term.kind == TermKind::Bound || (self.is_limiter(term) && !self.is_only(term));
            let is_restriction = is_condition || goes_with_next || term.kind.is_negation() || self.is_limiter(term);
            if is_restriction && self.changes_meaning(first..last, index, is_condition, goes_with_next, before, after) {
                let word = self.whole_word(term);
                if found.last() != Some(&word) {
                    found.push(word);
                }
            }
        }
        found
    }

    /// Returns whether the quoted words before and after a gap change their meaning without the restriction at `index`.
    fn changes_meaning(
        &self,
        gap: std::ops::Range<usize>,
        index: usize,
        is_condition: bool,
        goes_with_next: bool,
        before: Option<&Term>,
        after: Option<&Term>,
    ) -> bool {
        let terms = &self.reading.terms;
        let term = &terms[index];
        let shares_sentence = |other: &Term| other.sentence == term.sentence;
        let shares_clause = |other: &Term| other.clause == term.clause;
        let is_quoted_before = before.is_some_and(shares_sentence);
        let is_quoted_after = after.is_some_and(shares_sentence);
        if !is_quoted_before && !is_quoted_after {
            let own = equal_range(&terms[gap], |other| other.sentence.cmp(&term.sentence));
            let begins = own.first().is_some_and(|first| first.start == term.start);
            let most = if self.lexicon.is_spaced { BARE_NEGATION_TERMS.0 } else { BARE_NEGATION_TERMS.1 };
            return own.len() <= most || (is_condition && begins && own.len() <= BARE_CONDITION_TERMS);
        }
        if self.follows_its_word(term) == Some(true) && term.kind == TermKind::Negation {
            // The negated verb is quoted if it directly precedes the gap, or if the negation ends the quoted sentence.
            let is_last = !is_quoted_after && self.ends_sentence(index) || self.ends_quotation(term);
            return index == gap.start || (is_quoted_before && is_last);
        }
        if goes_with_next {
            return index + 1 == gap.end;
        }
        let shares_a_clause = before.is_some_and(shares_clause) || after.is_some_and(shares_clause);
        // A reason may be omitted as a whole, with its negation: "since no boat came".
        let is_reason = |other: &Term| other.kind == TermKind::Cause && shares_clause(other);
        let is_in_reason = term.kind.is_negation()
            && !after.is_some_and(shares_clause)
            && terms[gap.start..index].iter().any(is_reason);
        if shares_a_clause {
            return !is_in_reason;
        }
        let own = equal_range(&terms[gap], |other| other.clause.cmp(&term.clause));
        if is_condition {
            return own.iter().take(2).any(|first| first.start == term.start);
        }
        // A clause without a subject or verb of its own is part of the surrounding one: "in no way".
        let has_own = own
            .iter()
            .take(CLAUSE_TERMS)
            .any(|other| matches!(other.kind, TermKind::Auxiliary | TermKind::Modal | TermKind::Pronoun));
        !has_own || (term.kind == TermKind::Negation && own.len() <= BARE_NEGATION_TERMS.1)
    }

    /// Returns whether a closing quotation mark follows.
    fn ends_quotation(&self, term: &Term) -> bool {
        self.text.get(term.end as usize).is_some_and(|&next| "」』”»".contains(next))
    }

    /// Returns whether no content word follows in the sentence.
    fn ends_sentence(&self, index: usize) -> bool {
        let terms = &self.reading.terms;
        terms[index + 1..]
            .iter()
            .take_while(|term| term.sentence == terms[index].sentence)
            .all(|term| !term.kind.is_content())
    }

    /// Returns the span of the negation before the quote at `start` whose scope is the whole quote, if there is one:
    /// "There is no way that", "It is not true that", 并不是.
    ///
    /// The negation is in the clause of the quote, and the words between them end in a complementizer. In a script
    /// without spaces, the negation directly precedes the quote. A quote that merely begins after a negation ("did
    /// not") is a cut phrase, which [`QuoteContext::restriction_before`] reports.
    #[must_use]
    pub fn negation_of_quote(&self, start: usize) -> Option<(u32, u32)> {
        let (source, lexicon) = (&self.reading, self.lexicon);
        let at = source.terms.partition_point(|term| (term.end as usize) <= start);
        let first = source.terms.get(at)?;
        let before = &source.terms[at.checked_sub(1)?];
        let is_same_clause = |term: &Term| term.sentence == first.sentence && term.clause == first.clause;
        if !lexicon.is_spaced {
            let is_negated =
                before.kind == TermKind::Negation && before.end - before.start > 1 && is_same_clause(before);
            return (is_negated && before.end as usize == start).then_some((before.start, before.end));
        }
        if !lexicon.roles(source.form(before)).contains(&Role::Complementizer) || !is_same_clause(before) {
            return None;
        }
        // Many languages have a comma before the complementizer: "nicht wahr, dass".
        let is_near = |term: &Term| term.sentence == first.sentence && term.clause + 1 >= first.clause;
        let mut content = 0;
        for term in source.terms[at.saturating_sub(MAX_TERMS_BEFORE)..at - 1].iter().rev() {
            if !is_near(term) || content > MAX_CONTENT_BETWEEN {
                return None;
            }
            match term.kind {
                TermKind::Negation | TermKind::ImplicitNegation => return Some((term.start, term.end)),
                TermKind::Condition | TermKind::Cause | TermKind::TimeOrder | TermKind::Conjunction => return None,
                kind if kind.is_content() => content += 1,
                _ => {}
            }
        }
        None
    }
}

/// Returns the terms that `order` calls equal, of terms sorted by it.
fn equal_range(terms: &[Term], order: impl Fn(&Term) -> std::cmp::Ordering) -> &[Term] {
    let first = terms.partition_point(|term| order(term).is_lt());
    let last = terms.partition_point(|term| order(term).is_le());
    &terms[first..last]
}

#[cfg(test)]
mod tests {
    use groundwire_engine::Never;

    use super::*;
    use crate::lexicon::{Language, LexiconSet};
    use crate::reading::Reader;

    fn hidden(before: &str, gap: &str, after: &str) -> Vec<String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/groundwire/language/lexicons");
        let reader = Reader::new(LexiconSet::new(folder).unwrap());
        let text = format!("{before}{gap}{after}");
        let units = TextRef::Ucs1(text.as_bytes());
        let reading = reader.read(units, Language::English, &Never).unwrap();
        let context = QuoteContext::new(units, reading, reader.lexicons().get(Language::English).unwrap());
        let spans = context.omitted_restrictions(before.len(), before.len() + gap.len());
        spans.into_iter().map(|(start, end)| text[start as usize..end as usize].to_owned()).collect()
    }

    #[test]
    fn omitted_words_that_govern_quoted_words_are_found() {
        let none: [&str; 0] = [];
        assert_eq!(hidden("The mayor", ", who did not vote, ", "opened the fair."), none);
        assert_eq!(hidden("I", " do not, as you know, ", "support the law."), ["not"]);
        assert_eq!(hidden("They met", " about twenty people ", "in the hall."), none);
        assert_eq!(hidden("They met", " in the hall with about ", "twenty people."), ["about"]);
        assert_eq!(hidden("The ferry stopped, and", " since no pilot was on duty, ", "we walked."), none);
        assert_eq!(hidden("The ferry", " could not leave since it rained, and ", "we walked."), ["not"]);
    }
}
