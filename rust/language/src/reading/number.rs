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
    /// Whether it consists of digits only, so that it may be a year, day or hour.
    pub(super) is_digits: bool,
    pub(super) is_one: bool,
}

impl PlainNumber {
    /// Creates a cardinal in words.
    pub(super) fn new(value: Number, end: usize) -> Self {
        Self { value, end, is_ordinal: false, is_digits: false, is_one: false }
    }
}

impl Parser<'_> {
    /// Reads a number in digits or words, with the fraction and the scales after it.
    pub(super) fn plain(&mut self, at: usize) -> Option<PlainNumber> {
        let token = *self.tokens.get(at)?;
        let mut plain = if token.class == TokenClass::Digits { self.digits(at)? } else { self.words(at)? };
        if plain.is_ordinal {
            return Some(plain);
        }
        plain = self.with_fraction(plain)?;
        // An integer in words already includes its scales.
        let may_have_scale = plain.is_digits || plain.value.to_integer().is_none() || !self.lexicon.is_spaced;
        while let Some((scale, end)) = self.scale(plain.end).filter(|_| may_have_scale) {
            plain =
                PlainNumber { value: plain.value.checked_mul(scale)?, end, is_digits: false, is_one: false, ..plain };
        }
        Some(plain)
    }

    /// Reads the fraction after a number: "two and a half", "one and a quarter".
    pub(super) fn with_fraction(&mut self, plain: PlainNumber) -> Option<PlainNumber> {
        if !self.roles_of(plain.end).contains(&Role::Joiner)
            || !self.roles_of(plain.end + 1).contains(&Role::WordForOne)
        {
            return Some(plain);
        }
        let part = self.roles_of(plain.end + 2).iter().find_map(Role::fraction);
        let Some(part) = part else { return Some(plain) };
        let value = plain.value.checked_add(Number::new(1, i128::from(part))?)?;
        Some(PlainNumber { value, end: plain.end + 3, is_digits: false, is_one: false, ..plain })
    }

    pub(super) fn scale(&mut self, at: usize) -> Option<(Number, usize)> {
        let hyphen =
            usize::from(self.tokens.form(at) == "-" && self.tokens.get(at + 1).is_some_and(|token| token.is_adjacent));
        let scale = self.roles_of(at + hyphen).iter().find_map(Role::scale)?;
        let is_dot = self.tokens.form(at + hyphen + 1) == "."
            && self.tokens.form(at + hyphen).chars().count() <= 4
            && self.lexicon.has_ordinal_point;
        Some((Number::from_integer(scale), at + hyphen + 1 + usize::from(is_dot)))
    }

    /// Reads a number in digits, with the fraction, power or ordinal ending after it.
    pub(super) fn digits(&mut self, at: usize) -> Option<PlainNumber> {
        let form = self.tokens.form(at);
        let plain = |value: Number, end: usize| PlainNumber { is_digits: true, ..PlainNumber::new(value, end) };
        if let Some((numerator, denominator)) = form.split_once('\u{2044}') {
            return Some(plain(Number::new(numerator.parse().ok()?, denominator.parse().ok()?)?, at + 1));
        }
        let value = parse_digits(form, self.lexicon.decimal_mark)?;
        let next = self.tokens.get(at + 1).copied().filter(|next| next.is_adjacent);
        // 10⁶.
        if form == "10" && next.is_some_and(|next| next.class == TokenClass::Superscript) {
            let power = self.tokens.form(at + 1).replace('−', "-").parse().ok().and_then(Number::power_of_ten)?;
            return Some(plain(power, at + 2));
        }
        // 2½.
        if next.is_some_and(|next| next.class == TokenClass::Digits) && self.tokens.form(at + 1).contains('\u{2044}') {
            let part = self.digits(at + 1)?;
            return Some(plain(value.checked_add(part.value)?, at + 2));
        }
        if self.is_before_slash(at) {
            let denominator = self.tokens.form(at + 2).parse::<i128>().ok()?;
            let is_small = |numerator: &i64| *numerator < 100 && denominator < 1000 && denominator > 1;
            if let Some(numerator) = value.to_integer().filter(is_small) {
                return Some(plain(Number::new(i128::from(numerator), denominator)?, at + 3));
            }
        }
        Some(match self.ordinal_end(at) {
            Some(end) => PlainNumber { is_ordinal: true, ..plain(value, end) },
            None => plain(value, at + 1),
        })
    }

    /// Returns whether a slash and digits follow the digits at `at`: 1/2, but not 1/2/2024.
    fn is_before_slash(&self, at: usize) -> bool {
        self.tokens.form(at + 1) == "/"
            && self.tokens.get(at + 2).is_some_and(|token| token.class == TokenClass::Digits && token.is_adjacent)
            && self.tokens.form(at + 3) != "/"
    }

    /// Returns the end of the ordinal whose digits are at `at`, if they are one: "3rd", "3-й день", "3. Mai".
    fn ordinal_end(&self, at: usize) -> Option<usize> {
        let is_ending = |at: usize| {
            let token = self.tokens.get(at).filter(|token| token.is_adjacent && token.class == TokenClass::Word);
            token.is_some() && self.node(at).is_ordinal_ending
        };
        let next = self.tokens.get(at + 1).filter(|next| next.is_adjacent)?;
        if next.class == TokenClass::Word && self.node(at + 1).is_ordinal_ending {
            return Some(at + 2);
        }
        if self.tokens.form(at + 1) == "-" && is_ending(at + 2) {
            return Some(at + 3);
        }
        let has_point =
            self.lexicon.has_ordinal_point && self.tokens.form(at + 1) == "." && self.tokens.form(at).len() <= 2;
        (has_point && self.continues_after_point(at)).then_some(at + 2)
    }

    /// Returns whether the point after the digits at `at` does not end a sentence: a month or a lower-case word follows,
    /// or an article precedes it ("am 3. Werktag").
    fn continues_after_point(&self, at: usize) -> bool {
        let Some(after) = self.tokens.get(at + 2).filter(|after| after.class == TokenClass::Word) else { return false };
        let follows_article = at.checked_sub(1).is_some_and(|before| {
            self.roles_of(before).contains(&Role::Article)
                || self.lexicon.contractions.contains_key(self.tokens.form(before))
        });
        self.month(at + 2).is_some() || follows_article || !after.is_capitalised
    }

    /// Reads a number in words.
    pub(super) fn words(&mut self, at: usize) -> Option<PlainNumber> {
        if !self.lexicon.is_spaced {
            return self.han_numeral(at);
        }
        if let Some(value) = self.roman_ordinal(at) {
            return Some(PlainNumber { is_ordinal: true, ..PlainNumber::new(Number::from_integer(value), at + 1) });
        }
        let roles = self.roles_of(at);
        let is_cardinal = roles.iter().any(|role| role.cardinal().is_some());
        // "A third of", "half a million".
        if roles.contains(&Role::WordForOne) && !is_cardinal && !self.is_one_inside(roles, 0, at) {
            return self.fraction_after_one(at);
        }
        let is_ordinal = roles.iter().any(|role| role.ordinal().is_some());
        if let Some(part) = roles.iter().find_map(Role::fraction).filter(|_| !is_ordinal) {
            return self.half(part, at);
        }
        if let Some(halves) = roles.iter().find_map(Role::halves) {
            return Some(PlainNumber::new(Number::new(i128::from(halves), 2)?, at + 1));
        }
        self.numeral(at)
    }

    /// Reads a half, possibly before the word for one: "half a million", "half an hour". Other fractions are no numbers by
    /// themselves, since a quarter may be part of a year.
    fn half(&mut self, part: i64, at: usize) -> Option<PlainNumber> {
        let is_unit = self.roles_of(at + 2).iter().any(|role| role.unit().is_some());
        let is_one = self.roles_of(at + 1).contains(&Role::WordForOne);
        let skip = usize::from(is_one && (is_unit || self.scale(at + 2).is_some()));
        let half = Number::new(1, 2)?;
        (part == 2).then(|| PlainNumber::new(half, at + 1 + skip))
    }

    /// Reads a fraction after the word for one: "a third of the staff", "a quarter of a million".
    fn fraction_after_one(&mut self, at: usize) -> Option<PlainNumber> {
        let next = self.roles_of(at + 1);
        let part = next.iter().find_map(Role::fraction)?;
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
            return Some(PlainNumber::new(value.checked_mul(scale)?, end));
        }
        is_part.then_some(PlainNumber::new(value, at + 2))
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
        let is_numeral =
            |token: &&Token| token.class == TokenClass::Word && token.is_capitalised && !self.is_in_lexicon(at);
        self.tokens.get(at).filter(is_numeral)?;
        let written = self.original_text(at);
        let split = written.find(|letter: char| !letter.is_ascii_uppercase())?;
        let (numeral, ending) = written.split_at(split);
        self.lexicon.phrases.find(ending).is_ordinal_ending.then(|| parse_roman(numeral)).flatten()
    }

    /// Reads a numeral in Han characters: 三百二十, 二〇二四, 三分之一, 第三, 半.
    fn han_numeral(&mut self, at: usize) -> Option<PlainNumber> {
        let is_ordinal = self.roles_of(at).contains(&Role::OrdinalPrefix);
        let start = at + usize::from(is_ordinal);
        if is_ordinal && self.tokens.get(start).is_some_and(|token| token.class == TokenClass::Digits) {
            let digits = self.digits(start)?;
            return Some(PlainNumber { is_ordinal: true, ..digits });
        }
        let (value, end) = self.han_value(start)?;
        if end == start {
            return if is_ordinal { None } else { self.han_half(start) };
        }
        // 三分之一 is a third.
        let (roles, count) = self.entry(end);
        if roles.contains(&Role::FractionMark) && !is_ordinal {
            let part = self.plain(end + count)?;
            let value = part.value.checked_mul(Number::new(1, i128::from(value.to_integer()?))?)?;
            return Some(PlainNumber::new(value, part.end));
        }
        let is_one = !is_ordinal && end == start + 1 && value == Number::from_integer(1);
        Some(PlainNumber { value, end, is_ordinal, is_digits: false, is_one })
    }

    /// Returns the value of the digits and scales from `start` on, and their end. Returns `None` on overflow, and if a
    /// scale of at least ten thousand comes first.
    fn han_value(&self, start: usize) -> Option<(Number, usize)> {
        let (mut total, mut section, mut digit, mut end) = (Number::from_integer(0), 0_i64, None::<i64>, start);
        let mut digits: Vec<i64> = Vec::new();
        let mut has_scale = false;
        while end == start || !self.entry(end).0.contains(&Role::Idiom) {
            let roles = self.roles_of(end);
            if let Some(value) = roles.iter().filter_map(Role::cardinal).find(|value| (0..10).contains(value)) {
                digit = Some(value);
                digits.push(value);
            } else if let Some(scale) = roles.iter().find_map(Role::scale) {
                has_scale = true;
                if scale < 10_000 {
                    section += digit.take().unwrap_or(1).checked_mul(scale)?;
                } else {
                    if end == start {
                        return None;
                    }
                    section += digit.take().unwrap_or(0);
                    total =
                        total.checked_add(Number::from_integer(section))?.checked_mul(Number::from_integer(scale))?;
                    section = 0;
                }
            } else {
                break;
            }
            end += 1;
        }
        let value = if has_scale {
            total.checked_add(Number::from_integer(section + digit.unwrap_or(0)))?
        } else {
            Number::from_integer(digits.iter().take(MAX_HAN_DIGITS).fold(0, |value, digit| value * 10 + digit))
        };
        Some((value, end))
    }

    /// Reads the half in 半小时, half an hour.
    fn han_half(&self, at: usize) -> Option<PlainNumber> {
        let (roles, count) = self.entry(at);
        let is_before_unit = self.entry(at + count).0.iter().any(|role| role.unit().is_some());
        let half = Number::new(1, 2)?;
        (roles.contains(&Role::Fraction(2)) && is_before_unit).then(|| PlainNumber::new(half, at + count))
    }
}

/// Maximum number of Han digits without a scale that fit into an `i64`; later ones are ignored.
const MAX_HAN_DIGITS: usize = 18;
