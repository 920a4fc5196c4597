//! Reads dates and their parts.

use super::parser::Parser;
use super::quantity::ParsedValue;
use crate::lexicon::{PhraseNode, Role};
use crate::term::{Date, Value};
use crate::token::TokenClass;

/// Lowest two-digit year of the 20th century. Lower ones are in the 21st, as in spreadsheets.
const FIRST_SHORT_YEAR: i32 = 30;

impl Parser<'_> {
    /// Reads a date: "13 September 1959", "June 4th", "1821-06-04", "Friday", "Q4", "the fourth quarter".
    pub(super) fn date(&mut self, at: usize) -> Option<ParsedValue> {
        self.iso_date(at)
            .or_else(|| self.numeric_date(at))
            .or_else(|| self.day_and_month(at))
            .or_else(|| self.short_year(at))
            .or_else(|| self.weekday(at))
            .or_else(|| self.quarter(at))
            .or_else(|| self.marked_date(at))
            .or_else(|| self.month_date(at))
            .map(|(date, end)| (Value::Date(date), end, false))
    }

    pub(super) fn iso_date(&self, at: usize) -> Option<(Date, usize)> {
        let digits = |index: usize, count: usize| {
            let token = self.tokens.get(index)?;
            (token.class == TokenClass::Digits && self.tokens.form(index).len() == count)
                .then(|| self.tokens.form(index).parse::<i32>().ok())?
        };
        let glued = (at + 1..at + 5).all(|index| self.tokens.get(index).is_some_and(|token| token.is_adjacent));
        if !glued || self.tokens.form(at + 1) != "-" || self.tokens.form(at + 3) != "-" {
            return None;
        }
        let (year, month, day) = (digits(at, 4)?, digits(at + 2, 2)?, digits(at + 4, 2)?);
        let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
        is_date.then_some((
            Date { year: Some(year), month: Some(month as u8), day: Some(day as u8), ..Date::default() },
            at + 5,
        ))
    }

    /// Reads 03.05.1968, 14/04/1902 or 1988/4/10. The part with four digits is the year. Where the month may come first,
    /// the order is known only if the day is above 12.
    pub(super) fn numeric_date(&self, at: usize) -> Option<(Date, usize)> {
        self.tokens.get(at).filter(|token| token.class == TokenClass::Digits)?;
        let form = self.tokens.form(at);
        let (parts, end): (Vec<&str>, usize) = if form.matches('.').count() == 2 && form.len() <= 10 {
            (form.split('.').collect(), at + 1)
        } else {
            let is_slash =
                |at: usize| self.tokens.form(at) == "/" && self.tokens.get(at).is_some_and(|token| token.is_adjacent);
            let is_adjacent = |at: usize| {
                self.tokens.get(at).is_some_and(|token| token.is_adjacent && token.class == TokenClass::Digits)
            };
            if form.len() > 4 || !is_slash(at + 1) || !is_adjacent(at + 2) || !is_slash(at + 3) || !is_adjacent(at + 4)
            {
                return None;
            }
            (vec![form, self.tokens.form(at + 2), self.tokens.form(at + 4)], at + 5)
        };
        let [first, second, third] = parts.as_slice() else { return None };
        let (year, month, day) = if first.len() == 4 {
            (first, second, third)
        } else if third.len() != 4 {
            return None;
        } else if self.lexicon.is_month_first && first.parse::<u8>().is_ok_and(|first| first <= 12) {
            if second.parse::<u8>().is_ok_and(|second| second <= 12) && first != second {
                return None;
            }
            (third, first, second)
        } else {
            (third, second, first)
        };
        let (year, month, day) = (year.parse().ok()?, month.parse::<u8>().ok()?, day.parse::<u8>().ok()?);
        let is_date = (1..=12).contains(&month) && (1..=31).contains(&day);
        is_date.then_some((Date { year: Some(year), month: Some(month), day: Some(day), ..Date::default() }, end))
    }

    /// Reads a day and a month, "14.7.", in languages that write ordinals with a point.
    fn day_and_month(&self, at: usize) -> Option<(Date, usize)> {
        self.tokens.get(at).filter(|token| token.class == TokenClass::Digits && token.has_full_stop)?;
        let (day, month) = self.tokens.form(at).split_once('.')?;
        let is_labelled = at.checked_sub(1).is_some_and(|before| self.roles_of(before).contains(&Role::NumberedNoun));
        let (day, month) = (day.parse::<u8>().ok()?, month.parse::<u8>().ok()?);
        let is_date = (1..=12).contains(&month) && (1..=31).contains(&day) && self.tokens.form(at).len() <= 5;
        (is_date && self.lexicon.has_ordinal_point && !is_labelled)
            .then_some((Date { month: Some(month), day: Some(day), ..Date::default() }, at + 2))
    }

    /// Reads a year without its century: "in '21".
    fn short_year(&self, at: usize) -> Option<(Date, usize)> {
        let may_precede = |role: &Role| matches!(role, Role::Preposition | Role::TimeOrder(_) | Role::Month(_));
        let is_date = self.is_elision(at) && self.roles_of(at.checked_sub(1)?).iter().any(may_precede);
        let is_open = self.tokens.get(at + 2).is_none_or(|next| !next.is_adjacent || next.class != TokenClass::Word);
        let year: i32 = self.tokens.form(at + 1).parse().ok().filter(|_| is_date && is_open)?;
        let year = year + if year < FIRST_SHORT_YEAR { 2000 } else { 1900 };
        Some((Date { year: Some(year), ..Date::default() }, at + 2))
    }

    pub(super) fn weekday(&self, at: usize) -> Option<(Date, usize)> {
        let token = self.tokens.get(at)?;
        let (weekday, count) = self.weekday_of(at)?;
        let is_listed = self.node(at).needs_capital;
        (token.is_capitalised || !is_listed).then_some((Date { weekday: Some(weekday), ..Date::default() }, at + count))
    }

    pub(super) fn weekday_of(&self, at: usize) -> Option<(u8, usize)> {
        fn day(node: &PhraseNode) -> Option<u8> {
            node.roles.iter().find_map(Role::weekday)
        }
        self.longest(at, day).or_else(|| Some((day(self.node(at))?, 1)))
    }

    pub(super) fn quarter(&mut self, at: usize) -> Option<(Date, usize)> {
        let found = |quarter: i64, end: usize| {
            u8::try_from(quarter)
                .ok()
                .filter(|quarter| (1..=4).contains(quarter))
                .map(|quarter| (Date { quarter: Some(quarter), ..Date::default() }, end))
        };
        if self.roles_of(at).contains(&Role::QuarterSign)
            && self.tokens.get(at)?.is_capitalised
            && self.tokens.get(at + 1)?.is_adjacent
        {
            return found(self.tokens.form(at + 1).parse().ok()?, at + 2);
        }
        let ordinal = self.plain(at)?;
        if ordinal.is_ordinal && self.roles_of(ordinal.end).contains(&Role::Quarter) {
            return found(ordinal.value.to_integer()?, ordinal.end + 1);
        }
        None
    }

    /// Reads 1821年6月4日.
    pub(super) fn marked_date(&mut self, at: usize) -> Option<(Date, usize)> {
        if self.lexicon.is_spaced {
            return None;
        }
        let (mut date, mut end) = (Date::default(), at);
        for _ in 0..3 {
            let Some(number) = self.plain(end) else { break };
            let Some(value) = number.value.to_integer() else { break };
            let roles = self.roles_of(number.end);
            if roles.contains(&Role::YearMark) && (100..3000).contains(&value) {
                date.year = i32::try_from(value).ok();
            } else if roles.contains(&Role::MonthMark) && (1..=12).contains(&value) {
                date.month = u8::try_from(value).ok();
            } else if roles.contains(&Role::DayMark) && (1..=31).contains(&value) && date.month.is_some() {
                date.day = u8::try_from(value).ok();
            } else {
                break;
            }
            end = number.end + 1;
        }
        (date != Date::default()).then_some((date, end))
    }

    /// Reads a month, with the day and the year next to it.
    pub(super) fn month_date(&mut self, at: usize) -> Option<(Date, usize)> {
        if let Some(month) = self.month(at) {
            let mut date = Date { month: Some(month), ..Date::default() };
            let mut end = at + 1;
            if self.tokens.form(end) == "." && self.begins_number(end + 1) {
                end += 1;
            }
            if let Some((day, after)) = self.day(end) {
                (date.day, end) = (Some(day), after);
            }
            let skip = usize::from(self.tokens.form(end) == ",") + usize::from(self.is_of(end));
            if let Some(year) = self.year(end + skip) {
                (date.year, end) = (Some(year), end + skip + 1);
            }
            let is_listed = self.node(at).needs_capital;
            let is_sure = date.day.is_some() || date.year.is_some();
            let is_month = !is_listed || is_sure || (self.tokens.get(at)?.is_capitalised && !self.begins_sentence(at));
            return is_month.then_some((date, end));
        }
        let (day, after) = self.day(at)?;
        let skip = usize::from(self.is_of(after));
        let month = self.month(after + skip)?;
        let mut end = after + skip + 1;
        if self.tokens.form(end) == "." && self.year(end + 1).is_some() {
            end += 1;
        }
        let skip = usize::from(self.tokens.form(end) == ",") + usize::from(self.is_of(end));
        let year = self.year(end + skip);
        if year.is_some() {
            end += skip + 1;
        }
        Some((Date { year, month: Some(month), day: Some(day), ..Date::default() }, end))
    }

    /// Returns whether the token at `at` is a preposition between day, month and year: "4 de junio de 1821".
    pub(super) fn is_of(&self, at: usize) -> bool {
        let roles = self.roles_of(at);
        self.tokens.form(at).chars().count() <= 3 && roles.contains(&Role::Preposition)
    }

    pub(super) fn month(&self, at: usize) -> Option<u8> {
        let token = self.tokens.get(at)?;
        let month = self.roles_of(at).iter().find_map(Role::month)?;
        (token.is_capitalised || !self.node(at).needs_capital).then_some(month)
    }

    pub(super) fn day(&mut self, at: usize) -> Option<(u8, usize)> {
        let number = self.plain(at)?;
        let day =
            number.value.to_integer().and_then(|day| u8::try_from(day).ok()).filter(|day| (1..=31).contains(day))?;
        (number.is_digits || number.is_ordinal).then_some((day, number.end))
    }

    /// Returns the year of four digits.
    pub(super) fn year(&self, at: usize) -> Option<i32> {
        let token = self.tokens.get(at)?;
        let is_year = token.class == TokenClass::Digits && self.tokens.form(at).len() == 4;
        is_year.then(|| self.tokens.form(at).parse().ok())?
    }
}
