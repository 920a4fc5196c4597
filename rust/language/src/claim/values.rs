//! Compares the numbers, dates and times of a claim with the passage's: which values make one true, and which exclude
//! it.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Assessment, Conflict, Match, PreparedReading, Sides, Status, is_word};
use crate::number::Number;
use crate::term::{Date, Quantity, Term, TermKind, Value, group_key};

/// The bound that qualifies a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    About = 0,
    MoreThan = 1,
    LessThan = 2,
    AtLeast = 3,
    AtMost = 4,
    Other = 5,
}

impl Sides<'_> {
    /// Returns whether a value of the passage makes the claim's value true.
    pub(super) fn holds(&self, index: usize, ours: &Value, place: usize, theirs: &Value) -> bool {
        match (ours, theirs) {
            (Value::Quantity(ours), Value::Quantity(theirs)) => self.quantity_holds(index, ours, place, theirs),
            (Value::Date(ours), Value::Date(theirs)) => is_part(ours, theirs),
            (Value::Quantity(ours), Value::Date(theirs)) => {
                ours.unit.is_empty()
                    && theirs
                        .year
                        .is_some_and(|year| ours.low == Number::from_integer(i64::from(year)) && ours.low == ours.high)
            }
            (Value::Date(ours), Value::Quantity(theirs)) => {
                *ours
                    == Date {
                        year: theirs.low.to_integer().and_then(|year| i32::try_from(year).ok()),
                        ..Date::default()
                    }
                    && theirs.unit.is_empty()
            }
            (Value::Time(ours), Value::Time(theirs)) => ours.is_part_of(*theirs),
            _ => false,
        }
    }

    fn quantity_holds(&self, index: usize, ours: &Quantity, place: usize, theirs: &Quantity) -> bool {
        if ours.is_ordinal != theirs.is_ordinal {
            return false;
        }
        let (our_bound, their_bound) = (self.bound(self.claim, index), self.bound(self.passage, place));
        // "Her son, 12" is a son of 12 years.
        let is_age = theirs.unit.is_empty() && &*ours.unit == "year" && self.theirs(place).touches_punctuation;
        let unit = if is_age { "" } else { &*ours.unit };
        let Some((low, high)) = self.converted(theirs, unit) else { return false };
        if are_one_decade(ours, theirs) {
            return true;
        }
        let is_converted = *unit != *theirs.unit;
        let (low, high) = (low.to_f64(), high.to_f64());
        let (least, most) = (ours.low.to_f64(), ours.high.to_f64());
        let near = |one: f64, other: f64, share: f64| (one - other).abs() <= share * one.abs().max(other.abs());
        let is_equal = near(low, least, 1e-9) && near(high, most, 1e-9);
        match (our_bound, their_bound) {
            (ours, theirs) if ours == theirs && is_equal => true,
            // Dropping "about" leaves the same number.
            (None, Some(Bound::About)) => is_equal,
            // "About" means within one twentieth, which also covers rounding to two digits.
            (Some(Bound::About), None | Some(Bound::About)) => near(low, least, 0.05) && near(high, most, 0.05),
            // Four pounds for 1.8 kg.
            (None, None) if is_converted => near(low, least, 0.01) && near(high, most, 0.01),
            (Some(Bound::MoreThan), None | Some(Bound::About)) => low > least && near(low, least, 0.25),
            (Some(Bound::LessThan), None | Some(Bound::About)) => high < most && near(high, most, 0.25),
            (Some(Bound::AtLeast), None) => low >= least && near(low, least, 0.25),
            (Some(Bound::AtMost), None) => high <= most && near(high, most, 0.25),
            _ => false,
        }
    }

    /// Converts the lower and upper end of a quantity to another unit.
    pub(super) fn converted(&self, quantity: &Quantity, unit: &str) -> Option<(Number, Number)> {
        if &*quantity.unit == unit {
            return Some((quantity.low, quantity.high));
        }
        // A share of one is a percentage: half, 50 percent.
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
        // "Pound" is money or weight: next to grams it is a weight.
        let from = self.lexicons.conversion(weight(&quantity.unit, unit));
        let (from, to) = (from?, self.lexicons.conversion(weight(unit, &quantity.unit))?);
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
    pub(super) fn bound(&self, side: &PreparedReading, index: usize) -> Option<Bound> {
        bound(&side.reading.terms, index)
    }

    /// Looks for another value in the passage in the place of the only missing term, and records the contradiction.
    pub(super) fn excluded(
        &self,
        missing: usize,
        matches: &FxHashMap<usize, Match>,
        range: &std::ops::Range<usize>,
        assessment: &mut Assessment,
    ) {
        let ours = self.ours(missing);
        let used: FxHashSet<usize> = matches.values().map(|found| found.place).collect();
        let Some(value) = &ours.value else { return };
        let found = range.clone().filter(|place| !used.contains(place)).find(|&place| {
            let theirs = self.theirs(place);
            let Some(other) = &theirs.value else { return false };
            self.excludes(missing, value, place, other)
        });
        let Some(place) = found else { return };
        let theirs = self.theirs(place);
        let kind = if matches!(value, Value::Quantity(_)) { Conflict::Number } else { Conflict::Date };
        assessment.status = Status::Contradicted;
        assessment.conflict = Some((kind, (ours.start, ours.end), (theirs.start, theirs.end)));
    }

    /// Returns whether two values exclude each other: they have comparable units and the same head word.
    pub(crate) fn excludes(&self, missing: usize, ours: &Value, place: usize, theirs: &Value) -> bool {
        match (ours, theirs) {
            (Value::Quantity(one), Value::Quantity(two)) => {
                let is_comparable = one.is_ordinal == two.is_ordinal
                    && (one.unit == two.unit || self.converted(two, &one.unit).is_some());
                let (our_bound, their_bound) = (self.bound(self.claim, missing), self.bound(self.passage, place));
                let is_plain = our_bound == their_bound || our_bound.is_none_or(|bound| bound == Bound::About);
                is_comparable && self.has_same_head(missing, place) && is_plain
            }
            (Value::Date(one), Value::Date(two)) => {
                (one.year.is_some() && two.year.is_some() && one.year != two.year)
                    || (one.month.is_some() && two.month.is_some() && one.month != two.month)
                    || (one.day.is_some() && two.day.is_some() && one.day != two.day && one.month == two.month)
                    || (one.weekday.is_some() && two.weekday.is_some() && one.weekday != two.weekday)
                    || (one.quarter.is_some() && two.quarter.is_some() && one.quarter != two.quarter)
            }
            (Value::Time(one), Value::Time(two)) => one.excludes(*two),
            _ => false,
        }
    }

    /// Returns whether two numbers count the same thing: the word after them, or else the one before, is the same.
    fn has_same_head(&self, index: usize, place: usize) -> bool {
        let next = |side: &PreparedReading, at: usize, step: isize| -> Option<u64> {
            let mut at = at as isize;
            for _ in 0..3 {
                at += step;
                let term = side.reading.terms.get(usize::try_from(at).ok()?)?;
                if is_word(term) {
                    return side.stems.get(at as usize).copied();
                }
            }
            None
        };
        [1, -1].into_iter().any(|step| {
            let ours = next(self.claim, index, step);
            ours.is_some() && ours == next(self.passage, place, step)
        })
    }
}

/// Resolves `unit` next to a quantity in `other`: the pound sign next to a weight is a pound of weight.
fn weight<'a>(unit: &'a str, other: &str) -> &'a str {
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
    let behind = (index + 1..terms.len().min(index + 3)).take_while(|&at| terms[at].clause == terms[index].clause);
    let at = behind.into_iter().find(|&at| terms[at].kind == TermKind::Bound)?;
    let governs_next = terms.get(at + 1).is_some_and(|next| next.value.is_some());
    if governs_next { None } else { named(&terms[at]) }
}

/// Returns whether the number at `index` is a limit or an approach to one instead of the exact value: "over 30",
/// "almost 30".
#[must_use]
pub fn is_bound(terms: &[Term], index: usize) -> bool {
    bound(terms, index).is_some_and(|bound| bound != Bound::About)
}

/// Returns whether two ranges are the same decade, with the century on one side only: "the nineties", "the 1990s".
fn are_one_decade(one: &Quantity, other: &Quantity) -> bool {
    let first = |quantity: &Quantity| {
        let (low, high) = (quantity.low.to_integer()?, quantity.high.to_integer()?);
        (low % 10 == 0 && high.checked_sub(low) == Some(9) && quantity.unit.is_empty()).then_some(low)
    };
    let (Some(one), Some(other)) = (first(one), first(other)) else { return false };
    one.min(other) < 100 && one % 100 == other % 100
}

/// Returns whether the passage's date contains every part of the claim's date.
fn is_part(ours: &Date, theirs: &Date) -> bool {
    fn holds<T: PartialEq>(ours: Option<T>, theirs: Option<T>) -> bool {
        ours.is_none() || ours == theirs
    }
    holds(ours.year, theirs.year)
        && holds(ours.quarter, theirs.quarter)
        && holds(ours.month, theirs.month)
        && holds(ours.day, theirs.day)
        && holds(ours.weekday, theirs.weekday)
}
