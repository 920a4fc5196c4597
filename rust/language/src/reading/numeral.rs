//! Reads numbers in words: "two hundred and five", "deux cent un", "treinta y cinco", "zweihundertfünfter".

use super::number::PlainNumber;
use super::parser::Parser;
use crate::lexicon::Role;
use crate::number::Number;

/// The running sum of a number in words: groups that a scale has multiplied, and the part before the next scale.
#[derive(Clone, Default)]
struct NumeralSum {
    /// Values and scales, the largest scale first.
    groups: Vec<(i128, i64)>,
    current: Option<i64>,
}

impl NumeralSum {
    fn value(&self) -> Option<Number> {
        let groups = self.groups.iter().try_fold(0_i128, |sum, group| sum.checked_add(group.0))?;
        Number::new(groups + i128::from(self.current.unwrap_or(0)), 1)
    }

    /// Adds a number without a scale, after a larger one: "twenty one", "hundred twelve". Returns whether it fits.
    fn add(&mut self, value: i64) -> bool {
        let sum = match self.current {
            None => value,
            Some(before) if self.can_add(before, value) => before + value,
            Some(_) => return false,
        };
        let fits = self.groups.last().is_none_or(|&(_, scale)| sum < scale);
        if fits {
            self.current = Some(sum);
        }
        fits
    }

    fn can_add(&self, before: i64, value: i64) -> bool {
        let is_tens = before % 10 == 0 && (20..100).contains(&(before % 100));
        (is_tens && (1..10).contains(&value)) || (before > 0 && before % 100 == 0 && value < 100)
    }

    /// Multiplies the number before a scale, or one if there is none and `implies_one`. Returns whether the scale fits.
    fn multiply(&mut self, scale: i64, implies_one: bool) -> bool {
        let smaller = self.groups.iter().rev().take_while(|group| group.1 < scale).count();
        let (larger, multiplied) = self.groups.split_at(self.groups.len() - smaller);
        if larger.last().is_some_and(|group| group.1 == scale) {
            return false;
        }
        let front = match self.current {
            Some(current) => multiplied.iter().map(|group| group.0).sum::<i128>() + i128::from(current),
            None if smaller > 0 => multiplied.iter().map(|group| group.0).sum(),
            None if implies_one => 1,
            None => return false,
        };
        let Some(value) = front.checked_mul(i128::from(scale)) else { return false };
        let limit = larger.last().map_or(i128::MAX, |group| i128::from(group.1));
        if value >= limit || (scale == 100 && front >= 100) {
            return false;
        }
        self.groups.truncate(larger.len());
        if scale == 100 {
            self.current = i64::try_from(value).ok();
        } else {
            self.groups.push((value, scale));
            self.current = None;
        }
        true
    }
}

impl Parser<'_> {
    /// Reads a cardinal or ordinal in words that begins at `at`.
    pub(super) fn numeral(&mut self, at: usize) -> Option<PlainNumber> {
        let (mut sum, mut end, mut words) = (NumeralSum::default(), at, 0);
        // The number up to its last scale, where another number may begin: "two hundred, three hundred".
        let mut whole: Option<(Number, usize)> = None;
        let mut is_ordinal = false;
        loop {
            let (roles, count) = self.numeral_entry(end);
            let scale = roles.iter().find_map(Role::scale);
            let cardinal = self.cardinal(end, roles);
            if let Some(scale) = scale {
                // "A dozen" is a number by itself; "hundreds of people" is not.
                let implies_one = cardinal == Some(scale) || (words == 0 && scale == 12);
                let fits = sum.multiply(scale, implies_one) || (implies_one && sum.add(scale));
                if !fits {
                    if words == 0 {
                        return None;
                    }
                    if let Some((value, end)) = whole {
                        return Some(PlainNumber::new(value, end));
                    }
                    break;
                }
                whole = Some((sum.value()?, end + count));
            } else if let Some(value) = cardinal {
                if !sum.add(value) {
                    break;
                }
            } else if let Some(value) = self.ordinal(end, roles) {
                if let Some(fraction) = self.fraction(sum.current, end, words) {
                    return Some(fraction);
                }
                let is_multiple = value >= 100 && sum.current.is_some_and(|front| front < value);
                let fits = (is_multiple && sum.multiply(value, false)) || sum.add(value);
                if !fits {
                    break;
                }
                (is_ordinal, end) = (true, end + count);
                // Tens and ones may both be ordinals: "vigésimo primero".
                let ones = self.ordinal(end, self.roles_of(end)).filter(|ones| (1..10).contains(ones));
                if let Some(ones) = ones.filter(|_| value % 10 == 0 && (20..100).contains(&value))
                    && sum.add(ones)
                {
                    end += 1;
                }
                break;
            } else if let Some(fraction) = self.fraction(sum.current, end, words) {
                return Some(fraction);
            } else if !self.is_one_inside(roles, words, end) || !sum.add(1) {
                break;
            }
            words += 1;
            end = self.skip_joiner(end + count, sum.current);
        }
        if end == at {
            return None;
        }
        let end = self.without_trailing_joiner(end);
        let value = sum.value()?;
        let is_one = words == 1
            && !is_ordinal
            && self.roles_of(at).contains(&Role::WordForOne)
            && value == Number::from_integer(1);
        Some(PlainNumber { value, end, is_ordinal, is_digits: false, is_one })
    }

    /// Returns the roles of the longest entry at `at` that is a number, and its number of tokens.
    fn numeral_entry(&self, at: usize) -> (&[Role], usize) {
        let is_number = |roles: &[Role]| roles.iter().any(|role| matches!(role, Role::Cardinal(_) | Role::Ordinal(_)));
        self.longest(at, |node| is_number(&node.roles).then_some(node.roles.as_slice()))
            .unwrap_or((self.roles_of(at), 1))
    }

    fn cardinal(&self, at: usize, roles: &[Role]) -> Option<i64> {
        let listed = roles.iter().find_map(Role::cardinal);
        listed.or_else(|| self.compound(at).filter(|compound| !compound.1).map(|compound| compound.0))
    }

    fn ordinal(&self, at: usize, roles: &[Role]) -> Option<i64> {
        let listed = roles.iter().find_map(Role::ordinal);
        listed.or_else(|| self.compound(at).filter(|compound| compound.1).map(|compound| compound.0))
    }

    /// Returns the value of a number in one word that is not in the lexicon, and whether it is an ordinal.
    pub(super) fn compound(&self, at: usize) -> Option<(i64, bool)> {
        if self.is_in_lexicon(at) { None } else { self.lexicon.compound(self.tokens.form(at)) }
    }

    /// Returns whether the word for one is part of a larger number: "a million", "deux cent un".
    pub(super) fn is_one_inside(&self, roles: &[Role], words: usize, at: usize) -> bool {
        let next = at + 1 + usize::from(self.tokens.form(at + 1) == "-");
        let is_before_scale = self.roles_of(next).iter().any(|role| role.scale().is_some());
        (words == 0 && is_before_scale && roles.contains(&Role::WordForOne))
            || (words > 0 && roles.contains(&Role::OneInNumber))
    }

    /// Returns the index after a joiner: the hyphen of "twenty-four", the "and" of "two hundred and five".
    fn skip_joiner(&self, at: usize, current: Option<i64>) -> usize {
        let (roles, next) = (self.roles_of(at), self.roles_of(at + 1));
        let number = self.cardinal(at + 1, next).or_else(|| self.ordinal(at + 1, next));
        let number = number.or_else(|| next.contains(&Role::OneInNumber).then_some(1));
        let is_number = number.is_some() || next.iter().any(|role| role.scale().is_some());
        let is_hyphen = self.tokens.form(at) == "-" && self.tokens.get(at).is_some_and(|token| token.is_adjacent);
        let follows_scale = current.is_none_or(|value| value >= 100 && value % 100 == 0);
        let follows_tens = current.is_some_and(|value| value % 10 == 0 && (20..100).contains(&(value % 100)));
        let is_and = (roles.contains(&Role::Joiner) && follows_scale && number.is_some())
            || (roles.contains(&Role::TensJoiner)
                && follows_tens
                && number.is_some_and(|value| (1..10).contains(&value)));
        let is_part = current.is_some() && next.iter().any(|role| role.fraction().is_some());
        if (is_hyphen && (is_number || is_part)) || is_and { at + 1 } else { at }
    }

    /// Returns the end of a number without a trailing joiner.
    fn without_trailing_joiner(&self, end: usize) -> usize {
        let before = end.saturating_sub(1);
        let roles = self.roles_of(before);
        let is_joiner = self.tokens.form(before) == "-"
            || (roles.iter().any(|role| matches!(role, Role::Joiner | Role::TensJoiner))
                && !roles.iter().any(|role| role.cardinal().is_some()));
        if is_joiner { before } else { end }
    }

    /// Reads a fraction word after a number below twenty: "two thirds".
    fn fraction(&self, current: Option<i64>, at: usize, words: usize) -> Option<PlainNumber> {
        let count = current.filter(|&count| words == 1 && (1..20).contains(&count))?;
        let part = self.roles_of(at).iter().find_map(Role::fraction)?;
        let value = Number::new(i128::from(count), i128::from(part))?;
        Some(PlainNumber::new(value, at + 1))
    }
}
