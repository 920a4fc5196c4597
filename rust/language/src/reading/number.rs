//! Reads numbers without sign and unit, in digits and in words.

use super::parser::Parser;
use crate::lexicon::Role;
use crate::number::{Number, parse_digits, parse_roman};
use crate::token::{Token, TokenClass};

/// A plain number.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlainNumber {
    pub(super) value: Number,
    pub(super) end: usize,
    pub(super) is_ordinal: bool,
    /// Whether it consists of digits only, and so may be a year, a day or an hour.
    pub(super) is_digits: bool,
    pub(super) is_one: bool,
}

impl Parser<'_> {
    /// Reads a number without sign and unit: digits, words and fractions, with the scales after it.
    pub(super) fn plain(&mut self, at: usize) -> Option<PlainNumber> {
        let token = *self.tokens.get(at)?;
        let mut plain = if token.class == TokenClass::Digits { self.digits(at)? } else { self.words(at)? };
        if plain.is_ordinal {
            return Some(plain);
        }
        plain = self.with_half(plain)?;
        // A whole number in words already includes its scales.
        let may_have_scale = plain.is_digits || plain.value.to_integer().is_none() || !self.lexicon.is_spaced;
        while let Some((scale, end)) = self.scale(plain.end).filter(|_| may_have_scale) {
            plain =
                PlainNumber { value: plain.value.checked_mul(scale)?, end, is_digits: false, is_one: false, ..plain };
        }
        Some(plain)
    }

    /// Reads the fraction after a number: "two and a half", "one and a quarter".
    pub(super) fn with_half(&mut self, plain: PlainNumber) -> Option<PlainNumber> {
        if !self.roles_of(plain.end).contains(&Role::Joiner)
            || !self.roles_of(plain.end + 1).contains(&Role::WordForOne)
        {
            return Some(plain);
        }
        let part = self
            .roles_of(plain.end + 2)
            .iter()
            .find_map(|role| if let Role::Fraction(part) = role { Some(*part) } else { None });
        let Some(part) = part else { return Some(plain) };
        let value = plain.value.checked_add(Number::new(1, i128::from(part))?)?;
        Some(PlainNumber { value, end: plain.end + 3, is_digits: false, is_one: false, ..plain })
    }

    pub(super) fn scale(&mut self, at: usize) -> Option<(Number, usize)> {
        let hyphen =
            usize::from(self.tokens.form(at) == "-" && self.tokens.get(at + 1).is_some_and(|token| token.is_adjacent));
        let scale = self
            .roles_of(at + hyphen)
            .iter()
            .find_map(|role| if let Role::Scale(scale) = role { Some(*scale) } else { None })?;
        let is_dot = self.tokens.form(at + hyphen + 1) == "."
            && self.tokens.form(at + hyphen).chars().count() <= 4
            && self.lexicon.has_ordinal_point;
        Some((Number::from_integer(scale), at + hyphen + 1 + usize::from(is_dot)))
    }

    pub(super) fn digits(&mut self, at: usize) -> Option<PlainNumber> {
        let form = self.tokens.form(at);
        let plain =
            |value: Number, end: usize| PlainNumber { value, end, is_ordinal: false, is_digits: true, is_one: false };
        if let Some((numerator, denominator)) = form.split_once('\u{2044}') {
            return Some(plain(Number::new(numerator.parse().ok()?, denominator.parse().ok()?)?, at + 1));
        }
        let value = parse_digits(form, self.lexicon.decimal_mark)?;
        let next = self.tokens.get(at + 1).copied();
        // 10⁶.
        if let Some(next) = next
            && next.class == TokenClass::Superscript
            && next.is_adjacent
            && form == "10"
        {
            let power = self.tokens.form(at + 1).replace('−', "-").parse().ok().and_then(Number::power_of_ten)?;
            return Some(plain(power, at + 2));
        }
        // 2½.
        if let Some(next) = next
            && next.class == TokenClass::Digits
            && self.tokens.form(at + 1).contains('\u{2044}')
            && next.is_adjacent
        {
            let part = self.digits(at + 1)?;
            return Some(plain(value.checked_add(part.value)?, at + 2));
        }
        // 1/2, but not 1/2/2024.
        if self.tokens.form(at + 1) == "/"
            && self.tokens.get(at + 2).is_some_and(|token| token.class == TokenClass::Digits && token.is_adjacent)
            && self.tokens.form(at + 3) != "/"
        {
            let other = self.tokens.form(at + 2).parse::<i128>().ok()?;
            if let Some(whole) = value.to_integer().filter(|&whole| whole < 100 && other < 1000 && other > 1) {
                return Some(plain(Number::new(i128::from(whole), other)?, at + 3));
            }
        }
        if next.is_some_and(|next| next.is_adjacent && next.class == TokenClass::Word)
            && self.node(at + 1).is_ordinal_ending
        {
            return Some(PlainNumber { is_ordinal: true, ..plain(value, at + 2) });
        }
        // "3-й день".
        let is_joined = next.is_some_and(|next| next.is_adjacent)
            && self.tokens.form(at + 1) == "-"
            && self.tokens.get(at + 2).is_some_and(|ending| ending.is_adjacent && ending.class == TokenClass::Word);
        if is_joined && self.node(at + 2).is_ordinal_ending {
            return Some(PlainNumber { is_ordinal: true, ..plain(value, at + 3) });
        }
        if self.lexicon.has_ordinal_point
            && self.tokens.form(at + 1) == "."
            && next.is_some_and(|next| next.is_adjacent)
            && form.len() <= 2
        {
            let after = self.tokens.get(at + 2).copied();
            let is_month = self.month(at + 2).is_some();
            // After an article it does not end a sentence: "am 3. Werktag".
            let is_behind_article = at.checked_sub(1).is_some_and(|before| {
                self.roles_of(before).contains(&Role::Article)
                    || self.lexicon.contractions.contains_key(self.tokens.form(before))
            });
            if after.is_some_and(|after| after.class == TokenClass::Word)
                && (is_month || is_behind_article || !after.is_some_and(|after| after.is_capitalised))
            {
                return Some(PlainNumber { is_ordinal: true, ..plain(value, at + 2) });
            }
        }
        Some(plain(value, at + 1))
    }

    /// Reads a number in words.
    pub(super) fn words(&mut self, at: usize) -> Option<PlainNumber> {
        let lexicon = self.lexicon;
        let first = self.roles_of(at);
        if !lexicon.is_spaced {
            return self.han(at);
        }
        if let Some(value) = self.roman_ordinal(at) {
            let value = Number::from_integer(value);
            return Some(PlainNumber { value, end: at + 1, is_ordinal: true, is_digits: false, is_one: false });
        }
        let has = |roles: &[Role], holds: fn(&Role) -> bool| roles.iter().any(holds);
        let is_one = first.contains(&Role::WordForOne);
        // "A third of", "half a million".
        if is_one && !has(first, |role| matches!(role, Role::Cardinal(_))) && !self.is_one_inside(first, 0, at) {
            return self.behind_one(at);
        }
        if let Some(Role::Fraction(part)) = first.iter().find(|role| matches!(role, Role::Fraction(_)))
            && !has(first, |role| matches!(role, Role::Ordinal(_)))
        {
            let value = Number::new(1, i128::from(*part))?;
            let is_unit = self.roles_of(at + 2).iter().any(|role| matches!(role, Role::Unit(_)));
            let is_one = self.roles_of(at + 1).contains(&Role::WordForOne);
            // "Half a million", "half an hour".
            let skip = usize::from(is_one && (is_unit || self.scale(at + 2).is_some()));
            // "Quarter" is a date as part of a year, and otherwise a plain noun; only a half is a number here.
            if *part != 2 {
                return None;
            }
            return Some(PlainNumber { value, end: at + 1 + skip, is_ordinal: false, is_digits: false, is_one: false });
        }
        if let Some(Role::Halves(halves)) = first.iter().find(|role| matches!(role, Role::Halves(_))) {
            let value = Number::new(i128::from(*halves), 2)?;
            return Some(PlainNumber { value, end: at + 1, is_ordinal: false, is_digits: false, is_one: false });
        }
        self.numeral(at)
    }

    /// Reads a fraction after the word for one: "a third of the staff", "a quarter of a million".
    fn behind_one(&mut self, at: usize) -> Option<PlainNumber> {
        let next = self.roles_of(at + 1);
        let part = next.iter().find_map(|role| if let Role::Fraction(part) = role { Some(*part) } else { None })?;
        let is_last = self.tokens.get(at + 2).is_none_or(|token| token.class == TokenClass::Symbol);
        let is_last = is_last || !self.roles_of(at + 2).is_empty();
        let is_part = part == 2
            || self.roles_of(at + 2).contains(&Role::Preposition)
            || self.scale(at + 2).is_some()
            || (is_last && self.is_amount_before(at));
        let value = Number::new(1, i128::from(part))?;
        // "A quarter of a million".
        let is_of =
            self.roles_of(at + 2).contains(&Role::Preposition) && self.roles_of(at + 3).contains(&Role::WordForOne);
        if let Some((scale, end)) = self.scale(at + 4).filter(|_| is_of) {
            return Some(PlainNumber {
                value: value.checked_mul(scale)?,
                end,
                is_ordinal: false,
                is_digits: false,
                is_one: false,
            });
        }
        is_part.then_some(PlainNumber { value, end: at + 2, is_ordinal: false, is_digits: false, is_one: false })
    }

    /// Returns whether the word before `at` introduces an amount: "by a fifth", "as much as a third".
    fn is_amount_before(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| {
            self.roles_of(before)
                .iter()
                .any(|role| matches!(role, Role::Preposition | Role::Approximation | Role::AtMost | Role::AtLeast))
                || self.terms.last().is_some_and(|term| term.kind == crate::term::TermKind::Bound)
        })
    }

    /// Reads a Roman numeral with an ordinal ending: "XIVe siècle".
    pub(super) fn roman_ordinal(&self, at: usize) -> Option<i64> {
        // "Le" and "Ces" are words.
        let is_numeral = |token: &&Token| token.class == TokenClass::Word && token.is_capitalised && !self.is_known(at);
        self.tokens.get(at).filter(is_numeral)?;
        let written = self.written(at);
        let split = written.find(|letter: char| !letter.is_ascii_uppercase())?;
        let (numeral, ending) = written.split_at(split);
        self.lexicon.phrases.find(ending).is_ordinal_ending.then(|| parse_roman(numeral)).flatten()
    }

    /// Reads a numeral in Han characters: 三百二十, 二〇二四, 三分之一, 第三.
    pub(super) fn han(&mut self, at: usize) -> Option<PlainNumber> {
        let is_ordinal = self.roles_of(at).contains(&Role::OrdinalPrefix);
        let start = at + usize::from(is_ordinal);
        if is_ordinal && self.tokens.get(start).is_some_and(|token| token.class == TokenClass::Digits) {
            let digits = self.digits(start)?;
            return Some(PlainNumber { is_ordinal: true, ..digits });
        }
        let (mut total, mut section, mut digit, mut end) = (Number::from_integer(0), 0_i64, None::<i64>, start);
        let mut places: Vec<i64> = Vec::new();
        let mut has_scale = false;
        loop {
            if end > start && self.entry(end).0.contains(&Role::Idiom) {
                break;
            }
            let roles = self.roles_of(end);
            if let Some(Role::Cardinal(value)) =
                roles.iter().find(|role| matches!(role, Role::Cardinal(value) if (0..10).contains(value)))
            {
                digit = Some(*value);
                places.push(*value);
            } else if let Some(Role::Scale(scale)) = roles.iter().find(|role| matches!(role, Role::Scale(_))) {
                has_scale = true;
                if *scale < 10_000 {
                    section += digit.take().unwrap_or(1).checked_mul(*scale)?;
                } else {
                    if end == start {
                        return None;
                    }
                    section += digit.take().unwrap_or(0);
                    total =
                        total.checked_add(Number::from_integer(section))?.checked_mul(Number::from_integer(*scale))?;
                    section = 0;
                }
            } else {
                break;
            }
            end += 1;
        }
        let (roles, count) = self.entry(end);
        let is_half = roles.contains(&Role::Fraction(2))
            && self.entry(end + count).0.iter().any(|role| matches!(role, Role::Unit(_)));
        // 半小时 is half an hour.
        if end == start && is_half && !is_ordinal {
            let value = Number::new(1, 2)?;
            return Some(PlainNumber { value, end: end + count, is_ordinal: false, is_digits: false, is_one: false });
        }
        if end == start {
            return None;
        }
        let value = if has_scale {
            total.checked_add(Number::from_integer(section + digit.unwrap_or(0)))?
        } else {
            let value = places.iter().take(18).fold(0_i64, |value, place| value * 10 + place);
            Number::from_integer(value)
        };
        // 三分之一 is a third.
        let (roles, count) = self.entry(end);
        if roles.contains(&Role::FractionMark) && !is_ordinal {
            let part = self.plain(end + count)?;
            return Some(PlainNumber {
                value: part.value.checked_mul(Number::new(1, i128::from(value.to_integer()?))?)?,
                end: part.end,
                is_ordinal: false,
                is_digits: false,
                is_one: false,
            });
        }
        let is_one = !is_ordinal && end == start + 1 && value == Number::from_integer(1);
        Some(PlainNumber { value, end, is_ordinal, is_digits: false, is_one })
    }
}
