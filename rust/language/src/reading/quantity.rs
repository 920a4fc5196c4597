//! Reads numbers with their signs, ranges and units.

use super::number::PlainNumber;
use super::parser::{Parser, is_dash};
use crate::lexicon::Role;
use crate::number::{Number, parse_roman};
use crate::term::{Date, Quantity, Value};
use crate::token::TokenClass;

/// A value, the index of the token after it, and whether it is the word for one alone.
pub(super) type ParsedValue = (Value, usize, bool);

impl Parser<'_> {
    /// Returns whether a number, or a currency symbol before one, begins at `at`.
    pub(super) fn begins_number(&self, at: usize) -> bool {
        let is_number = |at: usize| {
            self.tokens.get(at).is_some_and(|token| token.class == TokenClass::Digits)
                || self.roles_of(at).iter().any(|role| {
                    matches!(
                        role,
                        Role::Cardinal(_)
                            | Role::Scale(_)
                            | Role::Fraction(_)
                            | Role::Halves(_)
                            | Role::Decade(_)
                            | Role::Noon
                            | Role::Midnight
                    )
                })
                || self.roman_ordinal(at).is_some()
                || self.compound(at).is_some()
        };
        if is_number(at) {
            return true;
        }
        let roles = self.roles_of(at);
        let leads = roles
            .iter()
            .any(|role| matches!(role, Role::Unit(_) | Role::WordForOne | Role::RangeStart | Role::Article));
        (leads || self.tokens.form(at) == "-" || self.tokens.form(at) == "−") && is_number(at + 1)
    }

    /// Reads a number with its sign, range and unit.
    pub(super) fn number(&mut self, at: usize) -> Option<ParsedValue> {
        if let Some(found) = self
            .label(at)
            .or_else(|| self.decade(at))
            .or_else(|| self.spoken_year(at))
            .or_else(|| self.age(at))
            .or_else(|| self.one_and_half(at))
        {
            return Some(found);
        }
        let (sign, start) = self.sign(at);
        let (range_start, start) = self.range_start(start);
        if let Some(found) = self.percent_prefix(start) {
            return Some(found);
        }
        let (currency, start) = self.currency(start);
        let first = self.number_or_multiplier(start)?;
        if first.1 {
            let value = Quantity::new(first.0.value, TIMES);
            return Some((Value::from(value), first.0.end, false));
        }
        let first = first.0;
        if let Some(found) = self.proportion(first).filter(|_| !sign && currency.is_none()) {
            return Some(found);
        }
        let mut low = if sign { first.value.negated() } else { first.value };
        let (mut high, mut end, mut is_ordinal) = (low, first.end, first.is_ordinal);
        let mut unit = self.unit_after(end, currency.is_some());
        if let Some((other, after)) =
            self.range_end(unit.as_ref().map_or(end, |(_, end)| *end), low, range_start, currency.as_deref())
        {
            (high, end, is_ordinal) = (other.value, after, other.is_ordinal);
            unit = self.unit_after(end, currency.is_some());
        } else if range_start {
            // "From" and "between" without a range are not part of a number.
            return None;
        }
        let scale = self.short_scale(end, currency.is_some());
        if let Some((factor, after)) = scale {
            (low, high) = (low.checked_mul(factor)?, high.checked_mul(factor)?);
            end = after;
            unit = self.unit_after(end, currency.is_some());
        }
        let (mut symbol, end) = match (unit, &currency) {
            (Some((symbol, after)), _) => (symbol, after),
            (None, Some(symbol)) => (symbol.clone(), end),
            (None, None) => ("".into(), end),
        };
        if let Some(symbol_before) = currency {
            symbol = symbol_before;
        }
        if &*symbol == "¢" {
            let cent = Number::new(1, 100)?;
            (low, high, symbol) = (low.checked_mul(cent)?, high.checked_mul(cent)?, "$".into());
        }
        let (low, high, end) = match self.smaller_part(low, &symbol, end) {
            Some((sum, end)) if low == high && !is_ordinal && !range_start => (sum, sum, end),
            _ => (low, high, end),
        };
        if first.is_digits && symbol.is_empty() && low == high && end == start + 1 && self.is_year(start) {
            let year = low.to_integer().and_then(|year| i32::try_from(year).ok());
            return Some((Value::Date(Date { year, ..Date::default() }), end, false));
        }
        let is_one = first.is_one && symbol.is_empty() && low == high;
        Some((Value::from(Quantity { low, high, unit: symbol, is_ordinal }), end, is_one))
    }

    /// Reads an age after the word for it: "aged 40", "at the age of 40".
    fn age(&mut self, at: usize) -> Option<ParsedValue> {
        let (roles, count) = self.entry(at);
        if !roles.contains(&Role::Age) {
            return None;
        }
        let (value, end, _) = self.number(at + count)?;
        let Value::Quantity(mut age) = value else { return None };
        if age.unit.is_empty() && !age.is_ordinal {
            age.unit = "year".into();
        }
        (&*age.unit == "year").then_some((Value::Quantity(age), end, false))
    }

    /// Reads "a year and a half".
    fn one_and_half(&mut self, at: usize) -> Option<ParsedValue> {
        if !self.roles_of(at).contains(&Role::WordForOne) {
            return None;
        }
        let (unit, end) = self.simple_unit(at + 1)?;
        let (value, end) = self.smaller_part(Number::from_integer(1), &unit, end)?;
        let quantity = Quantity::new(value, unit);
        Some((Value::from(quantity), end, false))
    }

    /// Reads a Roman numeral or an ordinal after a name, or a number after a noun that it labels.
    pub(super) fn label(&mut self, at: usize) -> Option<ParsedValue> {
        let before = at.checked_sub(1)?;
        let token = self.tokens.get(at)?;
        let may_be_roman = token.class == TokenClass::Word
            && token.is_capitalised
            && self.tokens.form(at).starts_with(['c', 'x', 'l', 'v', 'i']);
        if !may_be_roman && !self.node(at).is_article {
            return None;
        }
        let as_number = |value: i64| {
            let value = Number::from_integer(value);
            Value::from(Quantity::new(value, ""))
        };
        let follows_name =
            self.tokens.get(before).is_some_and(|token| token.is_capitalised && token.class == TokenClass::Word)
                && !self.node(before).is_frequent;
        let is_labelled = self.roles_of(before).contains(&Role::NumberedNoun);
        if may_be_roman && (follows_name || is_labelled) {
            let written = self.original_text(at);
            let is_single = written.chars().count() == 1;
            let next_is_word = self.tokens.get(at + 1).is_some_and(|next| {
                next.class == TokenClass::Word
                    && self.roles_of(at + 1).iter().any(|role| matches!(role, Role::Be(_) | Role::Modal(_)))
            });
            if let Some(value) = parse_roman(&written)
                && !(is_single && next_is_word && written == "I")
            {
                return Some((as_number(value), at + 1, false));
            }
        }
        // "Mehmed the Second".
        let next = self.tokens.get(at + 1)?;
        if follows_name
            && next.is_capitalised
            && self.roles_of(at).contains(&Role::Article)
            && self.lexicon.has_name_capitals
        {
            let ordinal = self.plain(at + 1).filter(|ordinal| ordinal.is_ordinal)?;
            return Some((as_number(ordinal.value.to_integer()?), ordinal.end, false));
        }
        None
    }

    /// Reads a decade as a range of years, or the part of it that the previous word denotes: "the 1990s", "in her late
    /// thirties".
    fn decade(&mut self, at: usize) -> Option<ParsedValue> {
        let listed = self.roles_of(at).iter().find_map(Role::decade).map(|first| (first, at + 1));
        let (first, end) = listed.or_else(|| self.decade_in_digits(at))?;
        let (from, to) = self.decade_part(at).unwrap_or((0, 9));
        let (low, high) = (Number::from_integer(first + i64::from(from)), Number::from_integer(first + i64::from(to)));
        let quantity = Quantity { low, high, unit: "".into(), is_ordinal: false };
        Some((Value::from(quantity), end, false))
    }

    /// Reads "1990s" and "30's"; "30s" alone means seconds.
    fn decade_in_digits(&self, at: usize) -> Option<(i64, usize)> {
        let token = self.tokens.get(at).filter(|token| token.class == TokenClass::Digits)?;
        let first: i64 = self.tokens.form(at).parse().ok().filter(|first| first % 10 == 0)?;
        let is_adjacent = |at: usize| self.tokens.get(at).is_some_and(|token| token.is_adjacent);
        let end = at + 1 + usize::from(self.tokens.form(at + 1) == "'" && is_adjacent(at + 1));
        let is_plural = is_adjacent(end) && self.tokens.form(end) == "s";
        let before = at.checked_sub(1).map(|before| self.roles_of(before)).unwrap_or_default();
        let is_determined = before.iter().any(|role| matches!(role, Role::Article | Role::Pronoun(_)))
            || (token.is_adjacent && self.is_elision(at - 1));
        let is_year = self.tokens.form(at).len() == 4;
        (is_plural && (is_year || is_determined || self.decade_part(at).is_some())).then_some((first, end + 1))
    }

    /// Returns whether an apostrophe at `at` replaces the century of a year: "in '21", "the '60s".
    pub(super) fn is_elision(&self, at: usize) -> bool {
        self.tokens.form(at) == "'"
            && self.tokens.get(at).is_some_and(|token| !token.is_adjacent)
            && self.tokens.get(at + 1).is_some_and(|year| {
                year.is_adjacent && year.class == TokenClass::Digits && self.tokens.form(at + 1).len() == 2
            })
    }

    /// Reads a year spoken as two numbers: "nineteen eighty-four", "nineteen oh five".
    fn spoken_year(&self, at: usize) -> Option<ParsedValue> {
        let word = |at: usize| {
            self.tokens.get(at).filter(|token| token.class == TokenClass::Word).and_then(|_| self.small_integer(at))
        };
        let hundreds = word(at).filter(|hundreds| (11..=20).contains(hundreds))?;
        let (rest, end) = if self.roles_of(at + 1).contains(&Role::YearZero) {
            (word(at + 2).filter(|&ones| (1..10).contains(&ones))?, at + 3)
        } else {
            let tens = word(at + 1).filter(|&tens| (10..100).contains(&tens))?;
            let next = at + 2 + usize::from(self.tokens.form(at + 2) == "-");
            match word(next).filter(|&ones| (1..10).contains(&ones) && tens >= 20 && tens % 10 == 0) {
                Some(ones) => (tens + ones, next + 1),
                None => (tens, at + 2),
            }
        };
        // "Twenty thirty-minute talks".
        let is_joined = self.tokens.form(end) == "-" && self.tokens.get(end).is_some_and(|token| token.is_adjacent);
        let year = Some(i32::from(hundreds) * 100 + i32::from(rest));
        let may_be = !is_joined && self.lexicon.has_spoken_years;
        may_be.then(|| (Value::Date(Date { year, ..Date::default() }), end, false))
    }

    /// Reads a proportion of integers: "one in five".
    fn proportion(&mut self, part: PlainNumber) -> Option<ParsedValue> {
        let (mut roles, mut count) = self.entry(part.end);
        // In "one patient in ten", the noun is a separate term.
        let has_noun = part.value == Number::from_integer(1)
            && roles.is_empty()
            && self.tokens.get(part.end).is_some_and(|noun| noun.class == TokenClass::Word);
        let after_noun = part.end + usize::from(has_noun);
        if has_noun {
            (roles, count) = self.entry(after_noun);
        }
        let part_value = part.value.to_integer().filter(|_| !part.is_ordinal && roles.contains(&Role::Proportion))?;
        let whole = self.plain(after_noun + count).filter(|whole| !whole.is_ordinal)?;
        let whole_value = whole.value.to_integer().filter(|&whole| part_value < whole && whole <= 1000)?;
        // "Two in three days".
        if part_value < 1 || self.unit_after(whole.end, false).is_some() {
            return None;
        }
        if has_noun {
            let next = self.tokens.get(whole.end);
            let is_counted =
                next.is_some_and(|next| next.class == TokenClass::Word) && self.roles_of(whole.end).is_empty();
            let is_contraction = self.tokens.form(whole.end).contains('\'');
            if is_counted && !is_contraction {
                return None;
            }
            self.skipped = after_noun..whole.end;
        }
        let value = Number::new(i128::from(part_value), i128::from(whole_value))?;
        let quantity = Quantity::new(value, "");
        let end = if has_noun { part.end } else { whole.end };
        Some((Value::from(quantity), end, false))
    }

    /// Returns the first and last year that the word before a decade denotes.
    fn decade_part(&self, at: usize) -> Option<(u8, u8)> {
        let before = at.checked_sub(1)?;
        let before = if self.tokens.form(before) == "-" { before.checked_sub(1)? } else { before };
        self.lexicon.decade_parts.get(self.tokens.form(before)).copied()
    }

    /// Returns whether a four-digit number is a year, because it counts no noun.
    pub(super) fn is_year(&self, at: usize) -> bool {
        let next = self.tokens.get(at + 1);
        let counts = next.is_some_and(|next| next.class == TokenClass::Word) && self.roles_of(at + 1).is_empty();
        self.year(at).is_some_and(|year| (1000..=2100).contains(&year)) && !counts
    }

    /// Reads 百分之十 as 10 %.
    pub(super) fn percent_prefix(&mut self, at: usize) -> Option<ParsedValue> {
        let is_hundred = !self.lexicon.is_spaced && self.roles_of(at).contains(&Role::Scale(100));
        let (roles, count) = self.entry(at + 1);
        if !is_hundred || !roles.contains(&Role::FractionMark) {
            return None;
        }
        let part = self.plain(at + 1 + count)?;
        let quantity = Quantity::new(part.value, "%");
        Some((Value::from(quantity), part.end, false))
    }

    pub(super) fn sign(&mut self, at: usize) -> (bool, usize) {
        let is_minus = self.roles_of(at).contains(&Role::Minus);
        let is_dash = is_dash(self.tokens.form(at));
        let is_detached = at == 0
            || self
                .tokens
                .get(at)
                .is_some_and(|token| !token.is_adjacent || matches!(self.tokens.form(at - 1), "(" | "\"" | "\u{201c}"));
        let next_is_glued =
            self.tokens.get(at + 1).is_some_and(|token| token.is_adjacent && token.class == TokenClass::Digits);
        let is_sign = (is_minus && self.tokens.get(at + 1).is_some()) || (is_dash && is_detached && next_is_glued);
        (is_sign, at + usize::from(is_sign))
    }

    pub(super) fn range_start(&mut self, at: usize) -> (bool, usize) {
        let is_start = self.roles_of(at).contains(&Role::RangeStart);
        (is_start, at + usize::from(is_start))
    }

    /// Reads the currency symbol before the number.
    pub(super) fn currency(&mut self, at: usize) -> (Option<Box<str>>, usize) {
        let prefix = usize::from(
            self.tokens.form(at).len() <= 2
                && matches!(self.tokens.form(at + 1), "$")
                && self.tokens.get(at + 1).is_some_and(|token| token.is_adjacent),
        );
        let form = self.tokens.form(at + prefix);
        if !self
            .tokens
            .get(at + prefix)
            .is_some_and(|token| token.class == TokenClass::Symbol || (form.len() == 3 && token.is_all_caps))
        {
            return (None, at);
        }
        let unit = self.roles_of(at + prefix).iter().find_map(Role::unit);
        match unit {
            Some(unit) if self.tokens.get(at + prefix + 1).is_some_and(|token| token.class == TokenClass::Digits) => {
                (Some(self.lexicon.units[unit as usize].clone()), at + prefix + 1)
            }
            _ => (None, at),
        }
    }

    pub(super) fn number_or_multiplier(&mut self, at: usize) -> Option<(PlainNumber, bool)> {
        if let Some(value) = self.roles_of(at).iter().find_map(Role::multiplier)
            && (value != 1 || self.is_count(at))
        {
            return Some((PlainNumber::new(Number::from_integer(value), at + 1), true));
        }
        let plain = self.plain(at)?;
        if !plain.is_ordinal
            && self.roles_of(plain.end).contains(&Role::Times)
            && self.lexicon.is_spaced
            && !plain.is_one
        {
            return Some((PlainNumber { end: plain.end + 1, ..plain }, true));
        }
        Some((plain, false))
    }

    /// Returns whether "once" is a number and no conjunction: "called once", "met him once in May".
    fn is_count(&self, at: usize) -> bool {
        let follows_verb = self.terms.last().is_some_and(|last| {
            last.clause == self.clause
                && matches!(last.kind, crate::term::TermKind::Content | crate::term::TermKind::Pronoun)
        });
        let roles = self.roles_of(at + 1);
        let is_last = self.tokens.get(at + 1).is_none_or(|next| next.class == TokenClass::Symbol);
        let is_rate = roles.contains(&Role::WordForOne) && self.roles_of(at + 2).contains(&Role::Period);
        follows_verb && (is_last || is_rate || roles.contains(&Role::Preposition))
    }

    /// Reads the upper end of a range: "5–8", "5 to 8", "between 5 and 8".
    pub(super) fn range_end(
        &mut self,
        at: usize,
        low: Number,
        is_started: bool,
        currency: Option<&str>,
    ) -> Option<(PlainNumber, usize)> {
        let form = self.tokens.form(at);
        let is_dash = matches!(form, "-" | "\u{2013}" | "\u{2012}" | "\u{2014}" | "~" | "\u{301c}" | "\u{ff5e}");
        let roles = self.roles_of(at);
        let is_and = roles.contains(&Role::Joiner);
        let is_joiner = roles.contains(&Role::RangeJoiner) && (!is_and || is_started);
        if !is_dash && !is_joiner {
            return None;
        }
        let (other_currency, start) = self.currency(at + 1);
        // A range has one unit.
        if other_currency.is_some() && other_currency.as_deref() != currency {
            return None;
        }
        let other = self.plain(start).filter(|other| !other.is_one || other.is_digits)?;
        // A vote of 8 to 5 is no range, nor is a repeated century.
        if is_joiner && !is_started && low >= other.value {
            return None;
        }
        let is_time = self.meridiem(other.end).0.is_some() || self.tokens.form(start).contains(':');
        (!is_time).then_some((other, other.end))
    }

    /// Reads a one-letter scale in an amount of money, or where it cannot be a unit: "$3.1m", "5m euros", "12k".
    pub(super) fn short_scale(&mut self, at: usize, is_money: bool) -> Option<(Number, usize)> {
        let scale = self.roles_of(at).iter().find_map(Role::short_scale)?;
        let is_unit = |at: usize| self.may_be_unit(at) && self.roles_of(at).iter().any(|role| role.unit().is_some());
        (is_money || !is_unit(at) || (self.tokens.get(at)?.is_adjacent && is_unit(at + 1)))
            .then(|| (Number::from_integer(scale), at + 1))
    }

    /// Returns whether the case of the token at `at` is that of a unit symbol: "a" and "k" are no units.
    fn may_be_unit(&self, at: usize) -> bool {
        !self.roles_of(at).contains(&Role::CapitalUnit) || self.tokens.get(at).is_some_and(|token| token.is_capitalised)
    }

    /// Reads the unit after a number: "kg", "cubic metres per second", "m3/s".
    pub(super) fn unit_after(&mut self, at: usize, is_money: bool) -> Option<(Box<str>, usize)> {
        let hyphen =
            usize::from(self.tokens.form(at) == "-" && self.tokens.get(at).is_some_and(|token| token.is_adjacent));
        let start = at + hyphen;
        if is_money && hyphen == 0 && self.roles_of(start).iter().any(|role| role.short_scale().is_some()) {
            return None;
        }
        let (mut symbol, mut end) = self.simple_unit(start).or_else(|| self.unit_after_joiner(start))?;
        let is_slash = self.tokens.form(end) == "/";
        let per = self.roles_of(end).contains(&Role::Per);
        if is_slash || per {
            let is_word = !is_slash
                && self.roles_of(end).iter().any(|role| {
                    matches!(role, Role::Article | Role::Preposition | Role::Quantifier(_) | Role::WordForOne)
                });
            if let Some((other, after)) = self.simple_unit(end + 1)
                && (!is_word
                    || self.lexicons.conversion(&other).is_none_or(|conversion| self.is_time(conversion.dimension))
                    || self.tokens.form(end) == "per")
            {
                symbol = format!("{symbol}/{other}").into();
                end = after;
            }
        }
        Some((symbol, end))
    }

    pub(super) fn is_time(&self, dimension: u16) -> bool {
        ["s", "month"]
            .iter()
            .any(|symbol| self.lexicons.conversion(symbol).is_some_and(|conversion| conversion.dimension == dimension))
    }

    /// Reads a smaller unit after a quantity, and returns the sum in the larger unit: "3 hours and 15 minutes", "a year and
    /// a half".
    fn smaller_part(&mut self, value: Number, unit: &str, at: usize) -> Option<(Number, usize)> {
        let whole = self.lexicons.conversion(unit)?;
        let is_joined = self.roles_of(at).contains(&Role::Joiner);
        let start = at + usize::from(is_joined);
        let is_article = self.roles_of(start).contains(&Role::WordForOne);
        let half = start + usize::from(is_article);
        let is_half = is_joined && self.roles_of(half).contains(&Role::Fraction(2));
        let is_bare = self.tokens.get(half + 1).is_none_or(|next| next.class == TokenClass::Symbol)
            || !self.roles_of(half + 1).is_empty() && self.simple_unit(half + 1).is_none();
        if is_half && is_article && is_bare {
            return Some((value.checked_add(Number::new(1, 2)?)?, half + 1));
        }
        let part =
            self.plain(start).filter(|part| !part.is_ordinal && !part.is_one && part.value.to_integer().is_some())?;
        let (symbol, end) = self.simple_unit(part.end)?;
        let smaller = self.lexicons.conversion(&symbol)?;
        let is_next = ["month", "week", "day", "h", "min", "s", "in", "oz", "g", "m", "cm"].contains(&&*symbol);
        let share =
            part.value.checked_mul(smaller.factor)?.checked_mul(Number::from_integer(1).checked_div(whole.factor)?)?;
        let fits = is_next
            && smaller.dimension == whole.dimension
            && share < Number::from_integer(1)
            && smaller.factor < whole.factor;
        fits.then(|| Some((value.checked_add(share)?, end)))?
    }

    /// Reads a currency after a scale and a preposition: "millones de euros", "million d'euros".
    fn unit_after_joiner(&mut self, at: usize) -> Option<(Box<str>, usize)> {
        let follows_scale =
            at.checked_sub(1).is_some_and(|before| self.roles_of(before).iter().any(|role| role.scale().is_some()));
        let joiner = self.lexicon.unit_joiner.as_ref();
        if joiner.is_empty() || !follows_scale {
            return None;
        }
        let form = self.tokens.form(at);
        if form == joiner {
            return self.simple_unit(at + 1);
        }
        // "De" is elided before a vowel.
        let rest = form.split_once('\'').filter(|(elided, _)| joiner.starts_with(elided) && elided.len() == 1)?.1;
        let roles = &self.lexicon.phrases.find(rest).roles;
        let unit = roles.iter().find_map(Role::unit)?;
        Some((self.lexicon.units[unit as usize].clone(), at + 1))
    }

    pub(super) fn simple_unit(&mut self, at: usize) -> Option<(Box<str>, usize)> {
        let roles = self.roles_of(at);
        let power = if roles.contains(&Role::Square) {
            2
        } else if roles.contains(&Role::Cubic) {
            3
        } else {
            1
        };
        let start = at + usize::from(power > 1);
        let (roles, count) = self.entry(start);
        let unit = roles.iter().find_map(Role::unit)?;
        if count == 1 && !self.may_be_unit(start) {
            return None;
        }
        // A unit that is also a preposition must be last, or before a symbol: "five in total".
        let is_at_end = self.tokens.get(start + count).is_none_or(|next| next.class == TokenClass::Symbol);
        if roles.contains(&Role::Preposition) && !is_at_end {
            return None;
        }
        let symbol = &self.lexicon.units[unit as usize];
        let mut end = start + count;
        let mut power = power;
        if power == 1 {
            let is_raised = |at: usize| {
                self.tokens.get(at).is_some_and(|token| {
                    token.is_adjacent
                        && (token.class == TokenClass::Superscript || token.class == TokenClass::Digits)
                        && matches!(self.tokens.form(at), "2" | "3")
                })
            };
            if is_raised(end) {
                power = self.tokens.form(end).parse().unwrap_or(1);
                end += 1;
            }
        }
        let symbol = if power > 1 { format!("{symbol}{power}").into() } else { symbol.clone() };
        Some((symbol, end))
    }
}

/// The unit of "twice" and "two times".
pub(super) const TIMES: &str = "times";
