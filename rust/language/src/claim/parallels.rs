//! Checks that a value of a claim has the same label in the passage: "62 % in Kent and 58 % in Essex" is not "58 % in
//! Kent".

use std::ops::Range;

use super::{ClaimComparison, Pair, PreparedReading};
use crate::lexicon::Lexicon;
use crate::term::{Quantity, Term, TermKind, Value};

/// Maximum length of a sentence with parallel values, in terms. Lists and tables without full stops are longer.
const MAX_TERMS: usize = 120;

/// Maximum number of parallel values.
const MAX_VALUES: usize = 16;

/// The parts of a sentence that give parallel values. What is before the first value may belong to all of them.
pub(super) struct Parallels {
    sentence: Range<usize>,
    /// The first value of each part.
    values: Vec<usize>,
    /// The start of each part but the first.
    starts: Vec<usize>,
}

impl Parallels {
    /// Returns the parts of the sentence around the value at `at`, or `None` if it gives no other value of that kind,
    /// or too many.
    fn new(text: &PreparedReading, at: usize, lexicon: &Lexicon) -> Option<Self> {
        let terms = &text.reading.terms;
        let sentence = text.sentence(terms[at].sentence as usize);
        if sentence.len() > MAX_TERMS {
            return None;
        }
        let mut parts = Self { sentence: sentence.clone(), values: Vec::new(), starts: Vec::new() };
        for value in sentence.filter(|&other| are_parallel(&terms[at], &terms[other])) {
            let start = match parts.values.last() {
                Some(&last) => boundary(text, last + 1..value, lexicon),
                None => Some(value),
            };
            if let Some(start) = start {
                parts.values.push(value);
                parts.starts.push(start);
            }
        }
        parts.starts.drain(..parts.starts.len().min(1));
        (2..=MAX_VALUES).contains(&parts.values.len()).then_some(parts)
    }

    /// Returns the number of the part that contains a term.
    fn part(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at)
    }

    /// Returns the terms of a part.
    fn range(&self, part: usize) -> Range<usize> {
        let start = part.checked_sub(1).map_or(self.sentence.start, |before| self.starts[before]);
        start..self.starts.get(part).copied().unwrap_or(self.sentence.end)
    }

    /// Returns whether two terms are in different parts of the sentence.
    pub(super) fn separate(&self, one: usize, two: usize) -> bool {
        self.sentence.contains(&one) && self.sentence.contains(&two) && self.part(one) != self.part(two)
    }
}

impl ClaimComparison<'_> {
    /// Returns the parts of the passage's sentence around the first value of the claim that has parallel ones.
    pub(super) fn parallels(&self, pairs: &[Pair]) -> Option<Parallels> {
        let values = pairs.iter().filter(|pair| is_value(self.passage_term(pair.1)));
        values.into_iter().find_map(|&(_, place)| Parallels::new(self.passage, place, self.lexicon))
    }

    /// Finds a value that has another label in the passage: "Ann is 41" for "Ann is 34 and Ben is 41".
    pub(super) fn other_label(&self, pairs: &[Pair]) -> Option<(u32, u32)> {
        let values =
            pairs.iter().filter(|pair| is_value(self.claim_term(pair.0)) && is_value(self.passage_term(pair.1)));
        values.into_iter().find_map(|&(index, place)| {
            let parts = Parallels::new(self.passage, place, self.lexicon)?;
            let claimed = Parallels::new(self.claim, index, self.lexicon);
            let kind = self.passage_term(place).kind;
            // What the claim says of this value.
            let said: Vec<Pair> = pairs
                .iter()
                .copied()
                .filter(|&(label, _)| {
                    self.claim_term(label).sentence == self.claim_term(index).sentence
                        && claimed.as_ref().is_none_or(|claimed| claimed.part(label) == claimed.part(index))
                })
                .collect();
            let is_other_label = |at: usize| {
                parts.sentence.contains(&at) && self.passage_term(at).kind != kind && self.is_label(&parts, at)
            };
            // The label of a part in the place of the one at `at`: the nearest of its kind on that side of the value.
            let nearest = |part: usize, at: usize| {
                let side = |at: usize| at < parts.values[parts.part(at)];
                let is_like = |other: &usize| {
                    are_alike(self.passage_term(*other), self.passage_term(at))
                        && side(*other) == side(at)
                        && self.is_label(&parts, *other)
                };
                parts.range(part).filter(is_like).min_by_key(|other| other.abs_diff(parts.values[part]))
            };
            let has_rival = |part: usize, at: usize| {
                let rival = nearest(part, at).filter(|rival| said.iter().all(|pair| pair.1 != *rival));
                rival.is_some() && nearest(parts.part(at), at) == Some(at)
            };
            let labels: Vec<Pair> = said.iter().copied().filter(|pair| is_other_label(pair.1)).collect();
            let fits = |part: usize| !labels.iter().any(|&(_, at)| parts.part(at) != part && has_rival(part, at));
            let mut places = parts.values.iter().filter(|&&value| value == place || self.is_same(index, value));
            if places.any(|&value| fits(parts.part(value))) {
                return None;
            }
            let (label, _) = labels.iter().find(|pair| has_rival(parts.part(place), pair.1))?;
            let (label, value) = (self.claim_term(*label), self.claim_term(index));
            Some((label.start.min(value.start), label.end.max(value.end)))
        })
    }

    /// Returns whether a term of the passage may say what a value belongs to: a name, a date, a noun after a determiner
    /// or preposition, or the first word of its part.
    fn is_label(&self, parts: &Parallels, at: usize) -> bool {
        let terms = &self.passage.reading.terms;
        match terms[at].kind {
            TermKind::Name | TermKind::Date | TermKind::Time => true,
            TermKind::Content => {
                let mut words = parts.range(parts.part(at)).filter(|&word| terms[word].kind.is_word());
                words.next() == Some(at)
                    || self.is_participant(self.passage, at)
                    || self.role(self.passage, at).is_some()
            }
            _ => false,
        }
    }

    /// Returns whether a number has its unit from one before it in the sentence: "12 euros for adults and 7 for
    /// children".
    pub(super) fn inherits_unit(&self, place: usize, stated: &Quantity, unit: &str) -> bool {
        let terms = &self.passage.reading.terms;
        let has_unit = |before: &Term| matches!(&before.value, Some(Value::Quantity(other)) if &*other.unit == unit);
        let counts_noun = terms.get(place + 1).is_some_and(|next| {
            next.clause == terms[place].clause && matches!(next.kind, TermKind::Content | TermKind::Name)
        });
        stated.unit.is_empty()
            && !unit.is_empty()
            && !counts_noun
            && Parallels::new(self.passage, place, self.lexicon).is_some()
            && terms[self.passage.sentence(terms[place].sentence as usize).start..place].iter().any(has_unit)
    }
}

fn is_value(term: &Term) -> bool {
    match &term.value {
        Some(Value::Quantity(quantity)) => !quantity.is_ordinal && !term.is_one,
        Some(Value::Date(_) | Value::Time(_)) => true,
        _ => false,
    }
}

/// Returns whether two values may be given side by side: two days or years, or two numbers whose units do not differ.
fn are_parallel(one: &Term, two: &Term) -> bool {
    let is_unit_alike = match (&one.value, &two.value) {
        (Some(Value::Quantity(one)), Some(Value::Quantity(two))) => {
            one.unit == two.unit || one.unit.is_empty() || two.unit.is_empty()
        }
        (Some(Value::Date(one)), Some(Value::Date(two))) => {
            one.year.is_some() == two.year.is_some() && one.day.is_some() == two.day.is_some()
        }
        _ => true,
    };
    one.kind == two.kind && is_value(two) && is_unit_alike
}

/// Returns whether two labels are of one kind. The first word of a sentence may be a name.
fn are_alike(one: &Term, two: &Term) -> bool {
    let may_be_name = |term: &Term| term.kind.is_word() && term.is_capitalised;
    one.kind == two.kind || may_be_name(one) && may_be_name(two)
}

/// Returns where a new part begins between two values: at the last coordinator, or else at the last clause. Of dates, one
/// may tell when all the rest was, so they need a coordinator.
fn boundary(text: &PreparedReading, mut between: Range<usize>, lexicon: &Lexicon) -> Option<usize> {
    let terms = &text.reading.terms;
    let is_coordinator = |&at: &usize| lexicon.is_coordinator(text.reading.form(&terms[at]));
    let mut ends = between.clone().chain([between.end]).rev().filter(|_| terms[between.end].kind != TermKind::Date);
    let clause = ends.find(|&at| terms[at].clause != terms[at - 1].clause);
    between.rfind(is_coordinator).or(clause)
}
