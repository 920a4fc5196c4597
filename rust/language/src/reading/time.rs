//! Times of day.

use super::Value;
use super::parser::Parser;
use super::quantity::Found;
use crate::lexicon::Role;
use crate::token::Class;

impl Parser<'_> {
    /// A time of day: 18:30, 5 p.m., noon, 6.30 Uhr.
    pub(super) fn time(&mut self, at: usize) -> Option<Found> {
        let (roles, count) = self.entry(at);
        if roles.contains(&Role::Noon) {
            return Some((Value::Time(12 * 60), at + count, false));
        }
        if roles.contains(&Role::Midnight) {
            return Some((Value::Time(0), at + count, false));
        }
        // In front of the hour: 下午6点.
        if roles.iter().any(|role| matches!(role, Role::Am | Role::Pm)) && !self.lexicon.is_spaced {
            let (hour, minute, end) = self.clock(at + count)?;
            return Some((
                Value::Time(minutes(hour, minute, roles.contains(&Role::Pm), roles.contains(&Role::Am))?),
                end,
                false,
            ));
        }
        let token = self.tokens.get(at)?;
        // 十六时 begins with a scale.
        let is_number = |role: &Role| match role {
            Role::Cardinal(_) => true,
            Role::Scale(_) => !self.lexicon.is_spaced,
            _ => false,
        };
        if token.class != Class::Digits && !roles.iter().any(is_number) {
            return None;
        }
        let form = self.tokens.form(at);
        if let Some((hour, minute)) =
            form.split_once(':').and_then(|(hour, minute)| Some((hour.parse().ok()?, minute.get(..2)?.parse().ok()?)))
        {
            let (half, end) = self.half(at + 1);
            let end = self.behind_clock(end);
            return (hour < 25 && minute < 60).then(|| {
                Some((Value::Time(minutes(hour, minute, half == Some(true), half == Some(false))?), end, false))
            })?;
        }
        if !self.lexicon.is_spaced {
            let (hour, minute, end) = self.clock(at)?;
            return Some((Value::Time(minutes(hour, minute, false, false)?), end, false));
        }
        let (hour, minute) = match form.split_once('.') {
            Some((hour, minute)) if minute.len() == 2 => (hour.parse().ok()?, minute.parse().ok()?),
            Some(_) => return None,
            None => (self.small(at)?, 0),
        };
        if hour > 24 || minute > 59 {
            return None;
        }
        let (half, end) = self.half(at + 1);
        let after_clock = self.behind_clock(end);
        if half.is_none() && after_clock == end {
            return None;
        }
        // 18 h 30, 6 Uhr 30.
        if half.is_none()
            && minute == 0
            && self
                .tokens
                .get(after_clock)
                .is_some_and(|token| token.class == Class::Digits && self.tokens.form(after_clock).len() == 2)
        {
            let minute = self.tokens.form(after_clock).parse().ok().filter(|&minute: &u16| minute < 60)?;
            return Some((Value::Time(minutes(hour, minute, false, false)?), after_clock + 1, false));
        }
        Some((Value::Time(minutes(hour, minute, half == Some(true), half == Some(false))?), after_clock, false))
    }

    /// A small whole number in digits or in one word.
    pub(super) fn small(&self, at: usize) -> Option<u16> {
        if self.tokens.get(at)?.class == Class::Digits {
            return self.tokens.form(at).parse().ok();
        }
        self.roles_of(at)
            .iter()
            .find_map(|role| if let Role::Cardinal(value) = role { u16::try_from(*value).ok() } else { None })
    }

    /// Whether p.m. (true) or a.m. (false) stands at `at`, and what follows it.
    pub(super) fn half(&mut self, at: usize) -> (Option<bool>, usize) {
        let (roles, count) = self.entry(at);
        let half = if roles.contains(&Role::Pm) {
            Some(true)
        } else if roles.contains(&Role::Am) {
            Some(false)
        } else {
            None
        };
        (half, if half.is_some() { at + count } else { at })
    }

    pub(super) fn behind_clock(&mut self, at: usize) -> usize {
        let (roles, count) = self.entry(at);
        let is_unit_too = roles.iter().any(|role| matches!(role, Role::Unit(_)));
        // Hours are a duration, unless a time with minutes is in front of them.
        if roles.contains(&Role::Clock) && (!is_unit_too || self.tokens.form(at.saturating_sub(1)).contains(':')) {
            at + count
        } else {
            at
        }
    }

    /// Hour and minute in front of the words for them, in a script without spaces: 6点30分.
    pub(super) fn clock(&mut self, at: usize) -> Option<(u16, u16, usize)> {
        let hour = self.plain(at)?;
        let whole = u16::try_from(hour.value.as_whole()?).ok()?;
        if !self.roles_of(hour.end).contains(&Role::Clock) {
            return None;
        }
        let after = hour.end + 1;
        if self.roles_of(after).iter().any(|role| matches!(role, Role::Fraction(2))) {
            return Some((whole, 30, after + 1));
        }
        if let Some(minute) = self.plain(after)
            && let Some(value) =
                minute.value.as_whole().and_then(|value| u16::try_from(value).ok()).filter(|&value| value < 60)
        {
            let is_minute = self
                .roles_of(minute.end)
                .iter()
                .any(|role| matches!(role, Role::Unit(number) if &*self.lexicon.units[*number as usize] == "min"));
            if is_minute || self.tokens.form(minute.end) == "分" {
                return Some((whole, value, minute.end + 1));
            }
        }
        Some((whole, 0, after))
    }
}

/// Minutes since midnight; twelve in the morning is midnight.
fn minutes(hour: u16, minute: u16, is_afternoon: bool, is_morning: bool) -> Option<u16> {
    let hour = match hour {
        12 if is_morning => 0,
        24 => 0,
        hour if is_afternoon && hour < 12 => hour + 12,
        hour => hour,
    };
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}
