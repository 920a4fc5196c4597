//! Finds the differences between a quote and its source passage (rulings A9, A17, A18).

mod edits;
mod occurrence;
mod relation;

use std::ops::Range;

use crate::lexicon::{Lexicon, Role};
use crate::reading::Reading;
use crate::term::{Term, TermKind, Value};
use edits::gaps;
pub use occurrence::word_occurs;
use relation::Relation;

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DifferenceKind {
    /// A filler, a repetition or an article: words without meaning of their own.
    Filler,
    /// The same word in another spelling or inflection, or a typo that is not a word.
    Spelling,
    /// A function word in the quote only.
    WordAdded,
    /// A function word in the passage only.
    WordDropped,
    /// A function word replaced by another.
    WordReplaced,
    /// Content words.
    Wording,
    /// A name or title.
    Name,
    /// A condition, exception or cause: if, unless, except, because.
    Condition,
    /// A quantifier, limiter or bound: how many, only, at least.
    Quantifier,
    /// A modal verb, a degree of certainty or a frequency.
    Modal,
    /// A negation or an antonym.
    Negation,
    /// A time of day.
    Time,
    /// A date, or a word that refers to one.
    Date,
    /// A unit or currency.
    Unit,
    /// A number.
    Number,
    /// The texts differ too much to be compared.
    TooDifferent,
}

/// A difference, in code points of both texts. Either span may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The kind of the difference.
    pub kind: DifferenceKind,
    /// Start and end in the quote.
    pub quote: (u32, u32),
    /// Start and end in the text of the passage's reading.
    pub passage: (u32, u32),
}

/// Maximum number of the passage's terms that a term of the quote is compared with inside a gap.
const PAIRED_TERMS: usize = 12;

/// Maximum number of terms in a gap that may be a repetition.
const REPEATED_TERMS: usize = 24;

/// Maximum number of terms before and after a passage that may belong to it.
const MARGIN_TERMS: usize = 4;

/// Maximum number of differing words in both texts together. Beyond it, the texts are not compared.
pub const MAX_EDITS: usize = 600;

/// Returns the differences between a quote and its passage, from left to right. Equivalent words do not differ.
///
/// `terms` is the range of the passage's terms in its reading. `occurs` returns whether a word occurs anywhere in the
/// source.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, TextRef};
/// use groundwire_language::compare::{DifferenceKind, differences};
/// use groundwire_language::{Language, LexiconSet, Reader};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/groundwire/language/lexicons");
/// let reader = Reader::new(LexiconSet::new(folder)?);
/// let read = |text: &str| reader.read(TextRef::Ucs1(text.as_bytes()), Language::English, &Never);
/// let (quote, passage) = (read("It cost 40 euros.")?, read("It cost forty dollars.")?);
/// let lexicon = reader.lexicons().get(Language::English)?;
/// let found = differences(&quote, &passage, 0..passage.terms.len(), lexicon, &|_| false);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].kind, DifferenceKind::Unit);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn differences(
    quote: &Reading,
    passage: &Reading,
    terms: Range<usize>,
    lexicon: &Lexicon,
    occurs: &dyn Fn(&str) -> bool,
) -> Vec<Difference> {
    // A character alignment may omit a first or last word with another spelling: 12, twelve.
    let first = terms.start.saturating_sub(MARGIN_TERMS);
    let last = (terms.end + MARGIN_TERMS).min(passage.terms.len());
    let core = terms.start - first..terms.end - first;
    let comparison = QuoteComparison {
        quote,
        passage,
        first,
        quote_terms: &quote.terms,
        passage_terms: &passage.terms[first..last],
        lexicon,
        occurs,
    };
    let Some(gaps) = gaps(comparison.quote_terms, &passage.terms[terms]) else {
        let whole =
            |terms: &[Term]| terms.first().zip(terms.last()).map_or((0, 0), |(first, last)| (first.start, last.end));
        return vec![Difference {
            kind: DifferenceKind::TooDifferent,
            quote: whole(comparison.quote_terms),
            passage: whole(comparison.passage_terms),
        }];
    };
    let mut found = Vec::new();
    for (quote_range, passage_range) in gaps {
        let (quote_range, passage_range) = comparison.with_margins(
            quote_range,
            passage_range.start + core.start..passage_range.end + core.start,
            &core,
        );
        comparison.record_gap(quote_range, passage_range, &mut found);
    }
    found
}

struct QuoteComparison<'a> {
    quote: &'a Reading,
    passage: &'a Reading,
    first: usize,
    quote_terms: &'a [Term],
    passage_terms: &'a [Term],
    lexicon: &'a Lexicon,
    occurs: &'a dyn Fn(&str) -> bool,
}

impl QuoteComparison<'_> {
    fn record_gap(&self, quote_range: Range<usize>, passage_range: Range<usize>, found: &mut Vec<Difference>) {
        if self.is_cut_number(&quote_range, &passage_range) {
            return;
        }
        if self.are_one_word(quote_range.clone(), passage_range.clone()) {
            found.push(self.difference(DifferenceKind::Spelling, quote_range, passage_range));
            return;
        }
        // Equivalent terms pair up in order, and the terms between the pairs differ.
        let (mut quote_start, mut passage_start) = (quote_range.start, passage_range.start);
        for index in quote_range.clone() {
            let last = passage_range.end.min(passage_start + PAIRED_TERMS);
            let related = (passage_start..last).find_map(|place| Some((place, self.relation(index, place)?)));
            let Some((place, relation)) = related else { continue };
            self.record_unpaired(quote_start..index, passage_start..place, found);
            if relation == Relation::Spelling {
                found.push(self.difference(DifferenceKind::Spelling, index..index + 1, place..place + 1));
            }
            (quote_start, passage_start) = (index + 1, place + 1);
        }
        self.record_unpaired(quote_start..quote_range.end, passage_start..passage_range.end, found);
    }

    /// Adjusts the passage range of a gap at the start or end of the quote. It extends to the outermost term in the
    /// margin that is equivalent to a term of the quote, and otherwise excludes words of another sentence.
    fn with_margins(
        &self,
        quote_range: Range<usize>,
        passage_range: Range<usize>,
        core: &Range<usize>,
    ) -> (Range<usize>, Range<usize>) {
        let (mut start, mut end) = (passage_range.start, passage_range.end);
        let is_related = |place: &usize| quote_range.clone().any(|index| self.relation(index, *place).is_some());
        let sentence = |place: usize| self.passage_terms.get(place).map(|term| term.sentence);
        if quote_range.start == 0 && start == core.start {
            let first = (0..start).find(is_related);
            // The character alignment may include words of the previous sentence.
            while first.is_none() && start < end && sentence(start) < sentence(end) && !is_related(&start) {
                start += 1;
            }
            start = first.unwrap_or(start);
        }
        if quote_range.end == self.quote_terms.len() && end == core.end {
            let last = (end..self.passage_terms.len()).rev().find(is_related);
            let before = start.checked_sub(1).and_then(sentence);
            while last.is_none()
                && start < end
                && before.is_some()
                && before < sentence(end - 1)
                && !is_related(&(end - 1))
            {
                end -= 1;
            }
            end = last.map_or(end, |place| place + 1);
        }
        (quote_range, start..end)
    }

    /// Records words without a counterpart, in the quote, the passage or both.
    fn record_unpaired(&self, quote_range: Range<usize>, passage_range: Range<usize>, found: &mut Vec<Difference>) {
        if quote_range.is_empty() && passage_range.is_empty() {
            return;
        }
        let quote_indices: Vec<usize> = quote_range
            .clone()
            .filter(|&index| !self.is_insignificant(&self.quote_terms[index], self.quote, quote_range.clone(), true))
            .collect();
        let passage_indices: Vec<usize> = passage_range
            .clone()
            .filter(|&index| {
                !self.is_insignificant(&self.passage_terms[index], self.passage, passage_range.clone(), false)
            })
            .collect();
        let is_one_sided = quote_indices.is_empty() || passage_indices.is_empty();
        if quote_indices.is_empty() && passage_indices.is_empty() {
            found.push(self.difference(DifferenceKind::Filler, quote_range, passage_range));
            return;
        }
        let kinds = |indices: &[usize], terms: &[Term]| {
            indices.iter().map(|&index| kind_alone(&terms[index], is_one_sided)).max()
        };
        let mut kind = kinds(&quote_indices, self.quote_terms)
            .into_iter()
            .chain(kinds(&passage_indices, self.passage_terms))
            .max()
            .unwrap_or(DifferenceKind::WordReplaced);
        if is_one_sided {
            if kind <= DifferenceKind::WordReplaced {
                kind = if quote_indices.is_empty() { DifferenceKind::WordDropped } else { DifferenceKind::WordAdded };
            }
        } else {
            kind = kind.max(self.kind_of_pairs(&quote_indices, &passage_indices));
            if kind == DifferenceKind::Number {
                kind = self.number_kind(&quote_indices, &passage_indices);
            }
        }
        found.push(self.difference(kind, quote_range, passage_range));
    }

    /// Returns whether a word without a counterpart is insignificant: a filler, an article or a repetition.
    fn is_insignificant(&self, term: &Term, reading: &Reading, gap: Range<usize>, is_quote: bool) -> bool {
        match term.kind {
            TermKind::Article | TermKind::Clitic => true,
            TermKind::Filler => {
                term.touches_punctuation || reading.form(term).len() <= 3 || reading.form(term).contains(' ')
            }
            _ => self.is_repeated(gap, is_quote),
        }
    }

    /// Returns whether the words of a gap only repeat their neighbours, as in speech: "I had a, I had a rash".
    fn is_repeated(&self, gap: Range<usize>, is_quote: bool) -> bool {
        let (terms, offset) = if is_quote { (self.quote_terms, 0) } else { (&self.passage.terms[..], self.first) };
        let range = gap.start + offset..gap.end + offset;
        if range.len() > REPEATED_TERMS {
            return false;
        }
        let reading = if is_quote { self.quote } else { self.passage };
        let spoken: Vec<&str> = terms[range.clone()]
            .iter()
            .filter(|term| term.kind != TermKind::Filler)
            .map(|term| reading.form(term))
            .collect();
        if spoken.is_empty()
            || spoken.len() > 8
            || terms[range.clone()].iter().any(|term| term.kind == TermKind::Number)
        {
            return false;
        }
        let is_spoken = |term: &&Term| term.kind != TermKind::Filler;
        let after: Vec<&str> =
            terms[range.end..].iter().filter(is_spoken).take(spoken.len()).map(|term| reading.form(term)).collect();
        let before: Vec<&str> = terms[..range.start]
            .iter()
            .rev()
            .filter(is_spoken)
            .take(spoken.len())
            .map(|term| reading.form(term))
            .collect();
        after == spoken || before.iter().rev().eq(spoken.iter())
    }

    /// Returns the kind of a difference between words that replace each other.
    fn kind_of_pairs(&self, quote_indices: &[usize], passage_indices: &[usize]) -> DifferenceKind {
        let mut kind = DifferenceKind::WordReplaced;
        for &index in quote_indices.iter().take(8) {
            for &place in passage_indices.iter().take(8) {
                let (quote_term, passage_term) = (&self.quote_terms[index], &self.passage_terms[place]);
                let both = |each: TermKind| quote_term.kind == each && passage_term.kind == each;
                if self.lexicon.are_antonyms(self.quote.form(quote_term), self.passage.form(passage_term)) {
                    return DifferenceKind::Negation;
                }
                // "To" is read as a conjunction.
                let is_preposition = |form: &str| self.lexicon.roles(form).contains(&Role::Preposition);
                let are_prepositions =
                    is_preposition(self.quote.form(quote_term)) && is_preposition(self.passage.form(passage_term));
                let is_replaced = both(TermKind::Pronoun)
                    || are_prepositions
                    || both(TermKind::Conjunction)
                    || both(TermKind::Auxiliary)
                    || both(TermKind::TimeOrder);
                if is_replaced && quote_indices.len() == 1 && passage_indices.len() == 1 {
                    kind = kind.max(DifferenceKind::Wording);
                }
            }
        }
        kind
    }

    fn number_kind(&self, quote_indices: &[usize], passage_indices: &[usize]) -> DifferenceKind {
        fn quantity(term: &Term) -> Option<&crate::term::Quantity> {
            if let Some(Value::Quantity(quantity)) = &term.value { Some(quantity) } else { None }
        }
        let quoted: Vec<_> = quote_indices.iter().filter_map(|&index| quantity(&self.quote_terms[index])).collect();
        let stated: Vec<_> = passage_indices.iter().filter_map(|&index| quantity(&self.passage_terms[index])).collect();
        let is_same = quoted.len() == stated.len()
            && quoted.iter().zip(&stated).all(|(left, right)| {
                (left.low, left.high, left.is_ordinal) == (right.low, right.high, right.is_ordinal)
            });
        if is_same && !quoted.is_empty() { DifferenceKind::Unit } else { DifferenceKind::Number }
    }

    fn difference(&self, kind: DifferenceKind, quote_range: Range<usize>, passage_range: Range<usize>) -> Difference {
        Difference {
            kind,
            quote: span(self.quote_terms, quote_range),
            passage: span(self.passage_terms, passage_range),
        }
    }
}

/// Returns the span of a range of terms; for an empty range, the empty span at its position.
fn span(terms: &[Term], range: Range<usize>) -> (u32, u32) {
    if range.is_empty() {
        let at = range
            .start
            .checked_sub(1)
            .map_or_else(|| terms.first().map_or(0, |term| term.start), |before| terms[before].end);
        return (at, at);
    }
    (terms[range.start].start, terms[range.end - 1].end)
}

/// Returns the kind of a difference that adds, drops or replaces a word of this kind.
fn kind_alone(term: &Term, is_one_sided: bool) -> DifferenceKind {
    match term.kind {
        TermKind::Number => {
            if term.is_one && is_one_sided {
                DifferenceKind::Wording
            } else {
                DifferenceKind::Number
            }
        }
        TermKind::Date | TermKind::TimeReference => DifferenceKind::Date,
        TermKind::Time => DifferenceKind::Time,
        TermKind::Negation | TermKind::ImplicitNegation => DifferenceKind::Negation,
        TermKind::Modal | TermKind::Hedge => DifferenceKind::Modal,
        TermKind::Quantifier | TermKind::Limiter | TermKind::Bound => DifferenceKind::Quantifier,
        TermKind::Condition | TermKind::Exception | TermKind::Cause => DifferenceKind::Condition,
        TermKind::Name | TermKind::Title => DifferenceKind::Name,
        TermKind::Content | TermKind::TimeOrder => DifferenceKind::Wording,
        // Unlike "have" and "do", "be" may form a passive or a predicate.
        TermKind::Auxiliary if term.is_be && is_one_sided => DifferenceKind::Wording,
        TermKind::Filler => DifferenceKind::Wording,
        _ => DifferenceKind::WordReplaced,
    }
}
