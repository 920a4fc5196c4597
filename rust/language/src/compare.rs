//! Finds the differences between a quote and its source passage (rulings A9, A17, A18).

mod edits;
mod relation;

use std::ops::Range;

use crate::lexicon::Lexicon;
use crate::reading::Reading;
use crate::term::{Term, TermKind, Value};
use edits::gaps;
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
    Unread,
}

/// One difference, in code points of both texts. Either span may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The kind of the difference.
    pub kind: DifferenceKind,
    /// Start and end in the quote.
    pub quote: (u32, u32),
    /// Start and end in the passage's text.
    pub passage: (u32, u32),
}

/// Maximum number of the other side's terms that one term is compared with inside a gap.
const PAIRED_TERMS: usize = 12;

/// Maximum number of terms in a speaker's repetition.
const REPEATED_TERMS: usize = 24;

/// Maximum number of terms beside a passage that may belong to it.
const EDGE_TERMS: usize = 4;

/// Maximum number of differing words, in both texts together; beyond it, the texts are not compared.
pub const MAX_EDITS: usize = 600;

/// Returns the differences from left to right; equivalent words do not differ.
///
/// `terms` is the passage, as a range of term indices in its reading. `occurs` returns whether a word occurs anywhere
/// in the whole source.
#[must_use]
pub fn differences(
    quote: &Reading,
    passage: &Reading,
    terms: Range<usize>,
    lexicon: &Lexicon,
    occurs: &dyn Fn(&str) -> bool,
) -> Vec<Difference> {
    // A character alignment may leave out a first or last word with another spelling: 12, twelve.
    let first = terms.start.saturating_sub(EDGE_TERMS);
    let last = (terms.end + EDGE_TERMS).min(passage.terms.len());
    let core = terms.start - first..terms.end - first;
    let comparison =
        Comparison { quote, passage, first, ours: &quote.terms, theirs: &passage.terms[first..last], lexicon, occurs };
    let Some(gaps) = gaps(comparison.ours, &passage.terms[terms]) else {
        let whole =
            |terms: &[Term]| terms.first().zip(terms.last()).map_or((0, 0), |(first, last)| (first.start, last.end));
        return vec![Difference {
            kind: DifferenceKind::Unread,
            quote: whole(comparison.ours),
            passage: whole(comparison.theirs),
        }];
    };
    let mut found = Vec::new();
    for (ours, theirs) in gaps {
        let (ours, theirs) = comparison.with_edges(ours, theirs.start + core.start..theirs.end + core.start, &core);
        comparison.gap(ours, theirs, &mut found);
    }
    found
}

struct Comparison<'a> {
    quote: &'a Reading,
    passage: &'a Reading,
    first: usize,
    ours: &'a [Term],
    theirs: &'a [Term],
    lexicon: &'a Lexicon,
    occurs: &'a dyn Fn(&str) -> bool,
}

impl Comparison<'_> {
    fn gap(&self, ours: Range<usize>, theirs: Range<usize>, found: &mut Vec<Difference>) {
        if self.is_cut_number(&ours, &theirs) {
            return;
        }
        if self.are_one_word(ours.clone(), theirs.clone()) {
            found.push(self.difference(DifferenceKind::Spelling, ours, theirs));
            return;
        }
        // Pair equivalent terms in order; the terms between the pairs differ.
        let (mut one, mut other) = (ours.start, theirs.start);
        for index in ours.clone() {
            let last = theirs.end.min(other + PAIRED_TERMS);
            let related = (other..last).find_map(|place| Some((place, self.relation(index, place)?)));
            let Some((place, relation)) = related else { continue };
            self.rest(one..index, other..place, found);
            if relation == Relation::Spelling {
                found.push(self.difference(DifferenceKind::Spelling, index..index + 1, place..place + 1));
            }
            (one, other) = (index + 1, place + 1);
        }
        self.rest(one..ours.end, other..theirs.end, found);
    }

    /// Extends a gap at the start or end of the quote by the neighbouring terms of the passage, from the outermost
    /// one that is equivalent to a term of the quote.
    fn with_edges(
        &self,
        ours: Range<usize>,
        theirs: Range<usize>,
        core: &Range<usize>,
    ) -> (Range<usize>, Range<usize>) {
        let (mut start, mut end) = (theirs.start, theirs.end);
        let is_related = |place: &usize| ours.clone().any(|index| self.relation(index, *place).is_some());
        let sentence = |place: usize| self.theirs.get(place).map(|term| term.sentence);
        if ours.start == 0 && start == core.start {
            let first = (0..start).find(is_related);
            // Words of the previous sentence that the character alignment included do not belong to the passage.
            while first.is_none() && start < end && sentence(start) < sentence(end) && !is_related(&start) {
                start += 1;
            }
            start = first.unwrap_or(start);
        }
        if ours.end == self.ours.len() && end == core.end {
            let last = (end..self.theirs.len()).rev().find(is_related);
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
        (ours, start..end)
    }

    /// Records words without a counterpart: in the quote, in the passage, or in both.
    fn rest(&self, ours: Range<usize>, theirs: Range<usize>, found: &mut Vec<Difference>) {
        if ours.is_empty() && theirs.is_empty() {
            return;
        }
        let own: Vec<usize> =
            ours.clone().filter(|&index| !self.is_idle(&self.ours[index], self.quote, ours.clone(), true)).collect();
        let their_own: Vec<usize> = theirs
            .clone()
            .filter(|&index| !self.is_idle(&self.theirs[index], self.passage, theirs.clone(), false))
            .collect();
        let is_one_sided = own.is_empty() || their_own.is_empty();
        if own.is_empty() && their_own.is_empty() {
            found.push(self.difference(DifferenceKind::Filler, ours, theirs));
            return;
        }
        let kinds = |indices: &[usize], terms: &[Term]| {
            indices.iter().map(|&index| kind_alone(&terms[index], is_one_sided)).max()
        };
        let mut kind = kinds(&own, self.ours)
            .into_iter()
            .chain(kinds(&their_own, self.theirs))
            .max()
            .unwrap_or(DifferenceKind::WordReplaced);
        if is_one_sided {
            if kind <= DifferenceKind::WordReplaced {
                kind = if own.is_empty() { DifferenceKind::WordDropped } else { DifferenceKind::WordAdded };
            }
        } else {
            kind = kind.max(self.kind_of_pairs(&own, &their_own));
            if kind == DifferenceKind::Number {
                kind = self.number_kind(&own, &their_own);
            }
        }
        found.push(self.difference(kind, ours, theirs));
    }

    /// Returns whether a word without a counterpart is insignificant: a filler, an article or a repetition.
    fn is_idle(&self, term: &Term, reading: &Reading, gap: Range<usize>, is_quote: bool) -> bool {
        match term.kind {
            TermKind::Article | TermKind::Clitic => true,
            TermKind::Filler => {
                term.touches_punctuation || reading.form(term).len() <= 3 || reading.form(term).contains(' ')
            }
            _ => self.is_repeated(gap, is_quote),
        }
    }

    /// Returns whether the words of a gap only repeat their neighbours, as speakers do: "I had a, I had a rash".
    fn is_repeated(&self, gap: Range<usize>, is_quote: bool) -> bool {
        let (terms, offset) = if is_quote { (self.ours, 0) } else { (&self.passage.terms[..], self.first) };
        let range = gap.start + offset..gap.end + offset;
        if range.len() > REPEATED_TERMS {
            return false;
        }
        let reading = if is_quote { self.quote } else { self.passage };
        let said: Vec<&str> = terms[range.clone()]
            .iter()
            .filter(|term| term.kind != TermKind::Filler)
            .map(|term| reading.form(term))
            .collect();
        if said.is_empty() || said.len() > 8 || terms[range.clone()].iter().any(|term| term.kind == TermKind::Number) {
            return false;
        }
        let spoken = |term: &&Term| term.kind != TermKind::Filler;
        let after: Vec<&str> =
            terms[range.end..].iter().filter(spoken).take(said.len()).map(|term| reading.form(term)).collect();
        let before: Vec<&str> =
            terms[..range.start].iter().rev().filter(spoken).take(said.len()).map(|term| reading.form(term)).collect();
        after == said || before.iter().rev().eq(said.iter())
    }

    /// Returns the kind of a difference between words that replace each other.
    fn kind_of_pairs(&self, own: &[usize], their_own: &[usize]) -> DifferenceKind {
        let mut kind = DifferenceKind::WordReplaced;
        for &one in own.iter().take(8) {
            for &other in their_own.iter().take(8) {
                let (ours, theirs) = (&self.ours[one], &self.theirs[other]);
                let both = |each: TermKind| ours.kind == each && theirs.kind == each;
                if self.lexicon.are_opposites(self.quote.form(ours), self.passage.form(theirs)) {
                    return DifferenceKind::Negation;
                }
                let is_replaced = both(TermKind::Pronoun)
                    || both(TermKind::Preposition)
                    || both(TermKind::Conjunction)
                    || both(TermKind::Auxiliary)
                    || both(TermKind::TimeOrder);
                if is_replaced && own.len() == 1 && their_own.len() == 1 {
                    kind = kind.max(DifferenceKind::Wording);
                }
            }
        }
        kind
    }

    fn number_kind(&self, own: &[usize], their_own: &[usize]) -> DifferenceKind {
        fn quantity(term: &Term) -> Option<&crate::term::Quantity> {
            if let Some(Value::Quantity(quantity)) = &term.value { Some(quantity) } else { None }
        }
        let ours: Vec<_> = own.iter().filter_map(|&index| quantity(&self.ours[index])).collect();
        let theirs: Vec<_> = their_own.iter().filter_map(|&index| quantity(&self.theirs[index])).collect();
        let is_same = ours.len() == theirs.len()
            && ours
                .iter()
                .zip(&theirs)
                .all(|(one, other)| (one.low, one.high, one.is_ordinal) == (other.low, other.high, other.is_ordinal));
        if is_same && !ours.is_empty() { DifferenceKind::Unit } else { DifferenceKind::Number }
    }

    fn difference(&self, kind: DifferenceKind, ours: Range<usize>, theirs: Range<usize>) -> Difference {
        Difference { kind, quote: span(self.ours, ours), passage: span(self.theirs, theirs) }
    }
}

/// Returns the start and end of a range of terms, or the empty span at their position if there are none.
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
        // "Be" forms a passive or a predicate; "have" and "do" are only auxiliaries.
        TermKind::Auxiliary if term.is_be && is_one_sided => DifferenceKind::Wording,
        TermKind::Filler => DifferenceKind::Wording,
        _ => DifferenceKind::WordReplaced,
    }
}
