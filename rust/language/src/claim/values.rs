//! Decides which values of a passage entail a number, date or time of a claim, and which exclude it.

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::{Assessment, ClaimComparison, Contradiction, ContradictionKind, Matches, PreparedReading, Status};
use crate::number::Number;
use crate::term::{Date, Quantity, Term, TermKind, Value, group_key};

/// A word that bounds a number, numbered as in the lexicon's groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    About = 0,
    MoreThan = 1,
    LessThan = 2,
    AtLeast = 3,
    AtMost = 4,
    Other = 5,
}

impl ClaimComparison<'_> {
    /// Returns whether a value of the passage entails the claim's value.
    pub(super) fn entails(&self, index: usize, claim_value: &Value, place: usize, passage_value: &Value) -> bool {
        match (claim_value, passage_value) {
            (Value::Quantity(claim_value), Value::Quantity(passage_value)) => {
                self.quantity_entails(index, claim_value, place, passage_value)
            }
            (Value::Date(claim_value), Value::Date(passage_value)) => {
                self.have_one_bound(index, place) && is_part_of(claim_value, passage_value)
            }
            (Value::Quantity(claim_value), Value::Date(passage_value)) => {
                claim_value.unit.is_empty()
                    && passage_value.year.is_some_and(|year| {
                        claim_value.low == Number::from_integer(i64::from(year)) && claim_value.low == claim_value.high
                    })
            }
            (Value::Date(claim_value), Value::Quantity(passage_value)) => {
                *claim_value
                    == Date {
                        year: passage_value.low.to_integer().and_then(|year| i32::try_from(year).ok()),
                        ..Date::default()
                    }
                    && passage_value.unit.is_empty()
            }
            (Value::Time(claim_value), Value::Time(passage_value)) => {
                self.have_one_bound(index, place) && claim_value.is_entailed_by(*passage_value)
            }
            _ => false,
        }
    }

    /// Returns whether a date or time has the same bound in both texts, but for "about": "at least 2031".
    fn have_one_bound(&self, index: usize, place: usize) -> bool {
        let is_exact = |bound: &Bound| *bound != Bound::About;
        self.bound(self.claim, index).filter(is_exact) == self.bound(self.passage, place).filter(is_exact)
    }

    fn quantity_entails(&self, index: usize, claimed: &Quantity, place: usize, stated: &Quantity) -> bool {
        if claimed.is_ordinal != stated.is_ordinal {
            return false;
        }
        let (claim_bound, passage_bound) = (self.bound(self.claim, index), self.bound(self.passage, place));
        // "Her son, 12" is a son of 12 years.
        let is_age = stated.unit.is_empty() && &*claimed.unit == "year" && self.passage_term(place).touches_punctuation;
        let is_implied = is_age || self.inherits_unit(place, stated, &claimed.unit);
        let unit = if is_implied { "" } else { &*claimed.unit };
        let Some((low, high)) = self.converted(stated, unit) else { return false };
        if are_one_decade(claimed, stated) {
            return true;
        }
        if claimed.low == claimed.high
            && let Some(end) = self.claimed_end(index, place, (low, high))
        {
            return claimed.low == end;
        }
        let is_converted = *unit != *stated.unit;
        let (low, high) = (low.to_f64(), high.to_f64());
        let (claim_low, claim_high) = (claimed.low.to_f64(), claimed.high.to_f64());
        let near = |left: f64, right: f64, share: f64| (left - right).abs() <= share * left.abs().max(right.abs());
        let is_equal = near(low, claim_low, 1e-9) && near(high, claim_high, 1e-9);
        match (claim_bound, passage_bound) {
            (claim, passage) if claim == passage && is_equal => true,
            // The claim may omit "about".
            (None, Some(Bound::About)) => is_equal,
            // "About" means within one twentieth, which includes rounding to two digits.
            (Some(Bound::About), None | Some(Bound::About)) => {
                near(low, claim_low, 0.05) && near(high, claim_high, 0.05)
            }
            // "Four pounds" for 1.8 kg.
            (None, None) if is_converted => near(low, claim_low, 0.01) && near(high, claim_high, 0.01),
            (Some(Bound::MoreThan), None | Some(Bound::About)) => low > claim_low && near(low, claim_low, 0.25),
            (Some(Bound::LessThan), None | Some(Bound::About)) => high < claim_high && near(high, claim_high, 0.25),
            (Some(Bound::AtLeast), None) => low >= claim_low && near(low, claim_low, 0.25),
            (Some(Bound::AtMost), None) => high <= claim_high && near(high, claim_high, 0.25),
            _ => false,
        }
    }

    /// Returns the end of a range that a number of the claim is: "to 12" for "from 9 to 12".
    fn claimed_end(&self, index: usize, place: usize, (low, high): (Number, Number)) -> Option<Number> {
        let claimed = self.claim.reading.form(self.claim_term(index.checked_sub(1)?));
        let (stated, _) = self.passage.reading.form(self.passage_term(place)).split_once(' ')?;
        match claimed == stated {
            _ if low == high => None,
            true => Some(low),
            false => self.lexicon.are_antonyms(claimed, stated).then_some(high),
        }
    }

    /// Returns the lower and upper end of a quantity in another unit, if the units are comparable.
    pub(super) fn converted(&self, quantity: &Quantity, unit: &str) -> Option<(Number, Number)> {
        if &*quantity.unit == unit {
            return Some((quantity.low, quantity.high));
        }
        // A fraction is a percentage: half, 50 percent.
        if unit == "%" && quantity.unit.is_empty() && quantity.high <= Number::from_integer(1) {
            return Some((
                quantity.low.checked_mul(Number::from_integer(100))?,
                quantity.high.checked_mul(Number::from_integer(100))?,
            ));
        }
        if &*quantity.unit == "%" && unit.is_empty() {
            let hundredth = Number::new(1, 100)?;
            return Some((quantity.low.checked_mul(hundredth)?, quantity.high.checked_mul(hundredth)?));
        }
        // A pound is money or weight: compared with grams, it is a weight.
        let from = self.lexicons.conversion(as_weight(&quantity.unit, unit));
        let (from, to) = (from?, self.lexicons.conversion(as_weight(unit, &quantity.unit))?);
        if from.dimension != to.dimension {
            return None;
        }
        let convert = |value: Number| {
            let base = value.checked_add(from.offset)?.checked_mul(from.factor)?;
            let inverse = Number::from_integer(1).checked_div(to.factor)?;
            base.checked_mul(inverse)?.checked_add(to.offset.negated())
        };
        Some((convert(quantity.low)?, convert(quantity.high)?))
    }

    /// Returns the bound that qualifies a number.
    pub(super) fn bound(&self, text: &PreparedReading, index: usize) -> Option<Bound> {
        bound(&text.reading.terms, index)
    }

    /// Records a contradiction if the passage has another value in the place of the only missing term.
    pub(super) fn contradict_by_value(
        &self,
        missing: usize,
        matches: &Matches,
        range: &Range<usize>,
        assessment: &mut Assessment,
    ) {
        let claim_term = self.claim_term(missing);
        let used: FxHashSet<usize> = matches.values().map(|found| found.place).collect();
        let Some(value) = &claim_term.value else { return };
        let found = range.clone().filter(|place| !used.contains(place)).find(|&place| {
            let passage_term = self.passage_term(place);
            let Some(other) = &passage_term.value else { return false };
            self.excludes(missing, value, place, other)
        });
        let Some(place) = found else { return };
        let passage_term = self.passage_term(place);
        let kind =
            if matches!(value, Value::Quantity(_)) { ContradictionKind::Number } else { ContradictionKind::Date };
        assessment.status = Status::Contradicted;
        assessment.contradiction = Some(Contradiction { kind, claim: claim_term.span(), passage: passage_term.span() });
    }

    /// Returns whether two values of comparable units and with the same head word exclude each other.
    pub(crate) fn excludes(&self, missing: usize, claimed: &Value, place: usize, stated: &Value) -> bool {
        match (claimed, stated) {
            (Value::Quantity(claimed), Value::Quantity(stated)) => {
                let is_comparable = claimed.is_ordinal == stated.is_ordinal
                    && (claimed.unit == stated.unit || self.converted(stated, &claimed.unit).is_some());
                // A number of a range does not exclude the range.
                let is_inside = stated.low < stated.high && stated.low <= claimed.low && claimed.high <= stated.high;
                let (claim_bound, passage_bound) = (self.bound(self.claim, missing), self.bound(self.passage, place));
                let is_plain = claim_bound == passage_bound || claim_bound.is_none_or(|bound| bound == Bound::About);
                is_comparable && !is_inside && self.has_same_head(missing, place) && is_plain
            }
            (Value::Date(claimed), Value::Date(stated)) => {
                (claimed.year.is_some() && stated.year.is_some() && claimed.year != stated.year)
                    || (claimed.month.is_some() && stated.month.is_some() && claimed.month != stated.month)
                    || (claimed.day.is_some()
                        && stated.day.is_some()
                        && claimed.day != stated.day
                        && claimed.month == stated.month)
                    || (claimed.weekday.is_some() && stated.weekday.is_some() && claimed.weekday != stated.weekday)
                    || (claimed.quarter.is_some() && stated.quarter.is_some() && claimed.quarter != stated.quarter)
            }
            (Value::Time(claimed), Value::Time(stated)) => claimed.excludes(*stated),
            _ => false,
        }
    }

    /// Returns whether two numbers count the same thing: the word after them is the same, or the word before them.
    fn has_same_head(&self, index: usize, place: usize) -> bool {
        let next = |text: &PreparedReading, at: usize, step: isize| -> Option<u64> {
            let mut at = at as isize;
            for _ in 0..3 {
                at += step;
                let term = text.reading.terms.get(usize::try_from(at).ok()?)?;
                if term.kind.is_word() {
                    return text.stems.get(at as usize).copied();
                }
            }
            None
        };
        [1, -1].into_iter().any(|step| {
            let claim_head = next(self.claim, index, step);
            claim_head.is_some() && claim_head == next(self.passage, place, step)
        })
    }
}

/// Returns the meaning of `unit` compared with `other`: the pound sign compared with a weight is a pound of weight.
fn as_weight<'a>(unit: &'a str, other: &str) -> &'a str {
    if unit == "£" && matches!(other, "g" | "kg" | "mg" | "t" | "oz") { "lb" } else { unit }
}

/// Returns the bound before or after the number at `index`: "at least 40", "40 people at least".
fn bound(terms: &[Term], index: usize) -> Option<Bound> {
    let named = |term: &Term| {
        [Bound::About, Bound::MoreThan, Bound::LessThan, Bound::AtLeast, Bound::AtMost]
            .into_iter()
            .find(|&bound| group_key(TermKind::Bound, bound as u8) == term.key)
    };
    if let Some(term) = index.checked_sub(1).map(|before| &terms[before]) {
        if term.kind == TermKind::Bound {
            return named(term);
        }
        if term.kind == TermKind::Limiter && terms[index].value.is_some() {
            return Some(Bound::Other);
        }
    }
    let after = (index + 1..terms.len().min(index + 3)).take_while(|&at| terms[at].clause == terms[index].clause);
    let at = after.into_iter().find(|&at| terms[at].kind == TermKind::Bound)?;
    let governs_next = terms.get(at + 1).is_some_and(|next| next.value.is_some());
    if governs_next { None } else { named(&terms[at]) }
}

/// Returns whether the number at `index` is only a bound of the value: "over 30", "almost 30".
#[must_use]
pub fn is_bound(terms: &[Term], index: usize) -> bool {
    bound(terms, index).is_some_and(|bound| bound != Bound::About)
}

/// Returns whether two ranges are the same decade, one of them without the century: "the nineties", "the 1990s".
fn are_one_decade(left: &Quantity, right: &Quantity) -> bool {
    let first = |quantity: &Quantity| {
        let (low, high) = (quantity.low.to_integer()?, quantity.high.to_integer()?);
        (low % 10 == 0 && high.checked_sub(low) == Some(9) && quantity.unit.is_empty()).then_some(low)
    };
    let (Some(left), Some(right)) = (first(left), first(right)) else { return false };
    left.min(right) < 100 && left % 100 == right % 100
}

/// Returns whether a stated date contains every part of the claimed one.
fn is_part_of(claimed: &Date, stated: &Date) -> bool {
    fn holds<T: PartialEq>(claimed: Option<T>, stated: Option<T>) -> bool {
        claimed.is_none() || claimed == stated
    }
    holds(claimed.year, stated.year)
        && holds(claimed.quarter, stated.quarter)
        && holds(claimed.month, stated.month)
        && holds(claimed.day, stated.day)
        && holds(claimed.weekday, stated.weekday)
}
