//! Reads times of day.

use super::parser::Parser;
use super::quantity::ParsedValue;
use crate::lexicon::Role;
use crate::term::{Meridiem, TimeOfDay, Value};
use crate::token::TokenClass;

/// A time of day, and the index of the token after it.
type ParsedTime = (TimeOfDay, usize);

/// The minutes of a spoken time.
struct SpokenMinutes {
    minutes: u16,
    end: usize,
    /// Whether they are a half or a quarter.
    is_fraction: bool,
    /// Whether they can only be minutes: "ten minutes", "a quarter".
    is_minutes_only: bool,
}

impl Parser<'_> {
    /// Reads a time of day: "18:30", "5 p.m.", "noon", "half past six", "6.30 Uhr".
    pub(super) fn time(&mut self, at: usize) -> Option<ParsedValue> {
        let (clock, end) = self
            .noon(at)
            .or_else(|| self.minutes_first(at))
            .or_else(|| self.meridiem_first(at))
            .or_else(|| self.hour_first(at))?;
        Some((Value::Time(clock), end, false))
    }

    fn noon(&self, at: usize) -> Option<ParsedTime> {
        let (roles, count) = self.entry(at);
        let minutes = if roles.contains(&Role::Noon) {
            12 * 60
        } else if roles.contains(&Role::Midnight) {
            0
        } else {
            return None;
        };
        Some((TimeOfDay { minutes, meridiem: Meridiem::Implied }, at + count))
    }

    /// Reads minutes before an hour: "a quarter to six", "half past ten", "halb acht", "без десяти девять".
    fn minutes_first(&mut self, at: usize) -> Option<ParsedTime> {
        if !self.lexicon.is_spaced {
            return None;
        }
        let is_less = self.roles_of(at).contains(&Role::ClockMinus);
        let part = self.minutes_of(at + usize::from(is_less))?;
        let follows_at = self.follows(at, &Role::ClockAt);
        let roles = self.roles_of(part.end);
        if !is_less && roles.iter().any(|role| matches!(role, Role::ClockPast | Role::ClockTo)) {
            let is_past = roles.contains(&Role::ClockPast);
            // "Ten to six" may be a score.
            let is_time = part.is_minutes_only || is_past || follows_at;
            let is_half = part.is_fraction && part.minutes == 30;
            if !is_time || (is_half && !is_past) {
                return None;
            }
            if let Some((clock, end)) = self.noon(part.end + 1) {
                return Some((clock.shifted(part.minutes, is_past), end));
            }
            let hour = self.small_integer(part.end + 1).filter(|hour| (1..=12).contains(hour))?;
            // "Ten minutes to two hours" is a range.
            if self.is_counted(part.end + 2, part.is_fraction) {
                return None;
            }
            return self
                .after_hour(hour, 0, part.end + 2)
                .map(|(clock, end)| (clock.shifted(part.minutes, is_past), end));
        }
        if !self.lexicon.counts_to_hour || !(is_less || part.is_fraction || part.is_minutes_only) {
            return None;
        }
        // The minutes may count towards the next hour: "halb acht", in Russian an ordinal, "половина девятого".
        let hour = self.plain(part.end).filter(|hour| !hour.is_ordinal || follows_at)?;
        let whole =
            hour.value.to_integer().and_then(|hour| u16::try_from(hour).ok()).filter(|hour| (1..=12).contains(hour))?;
        let (clock, end) = self.after_hour(whole, 0, hour.end)?;
        if is_less {
            return Some((clock.shifted(part.minutes, false), end));
        }
        let counts_to_hour = hour.is_ordinal || (part.is_fraction && part.minutes == 30);
        counts_to_hour.then(|| (clock.shifted(60 - part.minutes, false), end))
    }

    /// Reads a time with the half of the day before the hour: 下午6点.
    fn meridiem_first(&mut self, at: usize) -> Option<ParsedTime> {
        let (roles, count) = self.entry(at);
        let is_afternoon = roles.contains(&Role::Pm);
        if self.lexicon.is_spaced || !(is_afternoon || roles.contains(&Role::Am)) {
            return None;
        }
        // 上午8:30.
        if let Some((hour, minute)) = self.tokens.form(at + count).split_once(':') {
            let clock = TimeOfDay::new(hour.parse().ok()?, minute.parse().ok()?, Some(is_afternoon))?;
            return Some((clock, at + count + 1));
        }
        let (hour, minute, end) = self.clock(at + count)?;
        Some((TimeOfDay::new(hour, minute, Some(is_afternoon))?, end))
    }

    /// Reads an hour in digits or one word, and the words that show that it is a time.
    fn hour_first(&mut self, at: usize) -> Option<ParsedTime> {
        let token = self.tokens.get(at)?;
        // 十六时 begins with a scale.
        let is_number = |role: &Role| match role {
            Role::Cardinal(_) => true,
            Role::Scale(_) => !self.lexicon.is_spaced,
            _ => false,
        };
        if token.class != TokenClass::Digits && !self.roles_of(at).iter().any(is_number) {
            return None;
        }
        let form = self.tokens.form(at);
        if let Some((hour, minute)) =
            form.split_once(':').and_then(|(hour, minute)| Some((hour.parse().ok()?, minute.get(..2)?.parse().ok()?)))
        {
            let (meridiem, end) = self.meridiem(at + 1);
            let mut clock = TimeOfDay::new(hour, minute, meridiem)?;
            if form.starts_with('0') && meridiem.is_none() {
                clock.meridiem = Meridiem::Implied;
            }
            return Some((clock, self.after_clock(end)));
        }
        if !self.lexicon.is_spaced {
            let (hour, minute, end) = self.clock(at)?;
            return Some((TimeOfDay::new(hour, minute, None)?, end));
        }
        if let Some((hour, minute)) = form.split_once('.') {
            let (hour, minute) = (hour.parse().ok()?, (minute.len() == 2).then(|| minute.parse().ok())??);
            let (clock, end) = self.after_hour(hour, minute, at + 1)?;
            // "21.20 h" is not a decimal in languages with a decimal comma.
            let is_clock = self.lexicon.decimal_mark == ',' && self.roles_of(end).contains(&Role::Clock);
            return (is_clock || end > at + 1).then_some((clock, end + usize::from(is_clock && end == at + 1)));
        }
        let hour = self.small_integer(at).filter(|&hour| hour <= 24)?;
        let (clock, end) = self.after_hour(hour, 0, at + 1)?;
        if end > at + 1 {
            // "6 Uhr 30".
            let is_minute = |at: usize| {
                self.tokens.get(at).is_some_and(|token| token.class == TokenClass::Digits)
                    && self.tokens.form(at).len() == 2
            };
            if clock.meridiem != Meridiem::Stated && is_minute(end) {
                let minute = self.small_integer(end)?;
                return Some((TimeOfDay::new(hour, minute, None)?, end + 1));
            }
            return Some((clock, end));
        }
        self.hour_with_words(at, hour)
    }

    /// Reads an hour after an article or before the word for hours: "a las tres y media", "à dix heures et quart", "в три
    /// часа дня".
    fn hour_with_words(&mut self, at: usize, hour: u16) -> Option<ParsedTime> {
        let has_article = self.follows(at, &Role::HourArticle);
        let has_word = self.roles_of(at + 1).contains(&Role::Clock);
        let follows_at = self.follows(at - usize::from(has_article), &Role::ClockAt);
        if !has_article && !has_word {
            return None;
        }
        let after = at + 1 + usize::from(has_word);
        let roles = self.roles_of(after);
        let sign = if roles.contains(&Role::ClockPlus) {
            Some(true)
        } else if roles.contains(&Role::ClockMinus) {
            Some(false)
        } else {
            None
        };
        let part = match sign {
            Some(_) => self.minutes_of(after + 1),
            // "10 h 15", "dix heures vingt".
            None if has_word && (follows_at || self.lexicon.has_hours_at) => {
                self.minutes_of(after).filter(|part| !part.is_fraction && (!part.is_minutes_only || follows_at))
            }
            None => None,
        };
        if let Some(part) = part
            && (follows_at || (part.is_fraction && part.minutes == 15) || sign.is_none())
        {
            let (clock, end) = self.after_hour(hour, 0, part.end)?;
            let clock = clock.shifted(part.minutes, sign != Some(false));
            return Some((clock, end));
        }
        let (meridiem, end) = self.meridiem(after);
        // "À dix heures de route" is a distance.
        let is_duration = meridiem.is_none() && has_word && self.roles_of(end).contains(&Role::Preposition);
        let is_time = meridiem.is_some() || (follows_at && (has_article || self.lexicon.has_hours_at) && !is_duration);
        is_time.then(|| Some((TimeOfDay::new(hour, 0, meridiem)?, end)))?
    }

    /// Reads the minutes of a spoken time: "a half", "a quarter", "ten", "ten minutes".
    fn minutes_of(&mut self, at: usize) -> Option<SpokenMinutes> {
        let part_of_hour = |at: usize| {
            self.roles_of(at).iter().find_map(|role| match role {
                Role::Fraction(2) => Some(30),
                Role::Fraction(4) => Some(15),
                _ => None,
            })
        };
        let is_article = self.roles_of(at).iter().any(|role| matches!(role, Role::WordForOne | Role::Article));
        let start = at + usize::from(is_article);
        if let Some(minutes) = part_of_hour(start) {
            return Some(SpokenMinutes { minutes, end: start + 1, is_fraction: true, is_minutes_only: true });
        }
        let number = self.plain(at).filter(|number| !number.is_ordinal && !number.is_one)?;
        let minutes = u16::try_from(number.value.to_integer()?).ok().filter(|minutes| (1..60).contains(minutes))?;
        let is_minutes_only = self.is_minute(number.end);
        Some(SpokenMinutes {
            minutes,
            end: number.end + usize::from(is_minutes_only),
            is_fraction: false,
            is_minutes_only,
        })
    }

    /// Reads the optional words after an hour: the word for hours, and the half of the day.
    fn after_hour(&mut self, hour: u16, minute: u16, at: usize) -> Option<ParsedTime> {
        let (first, end) = self.meridiem(at);
        let end = self.after_clock(end);
        let (meridiem, end) = if first.is_none() && end > at { self.meridiem(end) } else { (first, end) };
        Some((TimeOfDay::new(hour, minute, meridiem)?, end))
    }

    fn follows(&self, at: usize, role: &Role) -> bool {
        at.checked_sub(1).is_some_and(|before| self.roles_of(before).contains(role))
    }

    /// Returns whether the number before `at` counts the token there.
    fn is_counted(&self, at: usize, is_rare: bool) -> bool {
        let Some(next) = self.tokens.get(at) else { return false };
        let roles = self.roles_of(at);
        let is_unit = roles.iter().any(|role| matches!(role, Role::Unit(_) | Role::Scale(_)))
            && !roles.contains(&Role::Preposition);
        is_unit || (!is_rare && next.class == TokenClass::Word && !next.is_capitalised && roles.is_empty())
    }

    fn is_minute(&self, at: usize) -> bool {
        self.roles_of(at)
            .iter()
            .any(|role| matches!(role, Role::Unit(number) if &*self.lexicon.units[*number as usize] == "min"))
    }

    /// Returns a small whole number in digits or one word.
    pub(super) fn small_integer(&self, at: usize) -> Option<u16> {
        if self.tokens.get(at)?.class == TokenClass::Digits {
            return self.tokens.form(at).parse().ok();
        }
        self.roles_of(at)
            .iter()
            .find_map(|role| if let Role::Cardinal(value) = role { u16::try_from(*value).ok() } else { None })
    }

    /// Reads p.m. (true) or a.m. (false) at `at`, and returns the index after it.
    pub(super) fn meridiem(&mut self, at: usize) -> (Option<bool>, usize) {
        let (roles, count) = self.entry(at);
        let meridiem = if roles.contains(&Role::Pm) {
            Some(true)
        } else if roles.contains(&Role::Am) {
            Some(false)
        } else {
            None
        };
        (meridiem, if meridiem.is_some() { at + count } else { at })
    }

    pub(super) fn after_clock(&mut self, at: usize) -> usize {
        let (roles, count) = self.entry(at);
        let is_unit_too = roles.iter().any(|role| role.unit().is_some());
        // "Hours" is a duration, unless a time with minutes precedes it.
        if roles.contains(&Role::Clock) && (!is_unit_too || self.tokens.form(at.saturating_sub(1)).contains(':')) {
            at + count
        } else {
            at
        }
    }

    /// Reads an hour and a minute before the words for them, in a script without spaces: 6点30分.
    fn clock(&mut self, at: usize) -> Option<(u16, u16, usize)> {
        let hour = self.plain(at)?;
        let whole = u16::try_from(hour.value.to_integer()?).ok()?;
        if !self.roles_of(hour.end).contains(&Role::Clock) {
            return None;
        }
        let after = hour.end + 1;
        if self.roles_of(after).iter().any(|role| matches!(role, Role::Fraction(2))) {
            return Some((whole, 30, after + 1));
        }
        if let Some(minute) = self.plain(after)
            && let Some(value) =
                minute.value.to_integer().and_then(|value| u16::try_from(value).ok()).filter(|&value| value < 60)
            && (self.is_minute(minute.end) || self.tokens.form(minute.end) == "分")
        {
            return Some((whole, value, minute.end + 1));
        }
        Some((whole, 0, after))
    }
}

impl TimeOfDay {
    /// Creates a time; `is_afternoon` is the half of the day, if it is stated. Twelve in the morning is midnight.
    fn new(hour: u16, minute: u16, is_afternoon: Option<bool>) -> Option<Self> {
        let own = match (hour, is_afternoon) {
            (12, Some(false)) | (24, _) => 0,
            (hour, Some(true)) if hour < 12 => hour + 12,
            (hour, _) => hour,
        };
        let meridiem = match is_afternoon {
            Some(_) => Meridiem::Stated,
            None if (1..=12).contains(&hour) => Meridiem::Unknown,
            None => Meridiem::Implied,
        };
        (own < 24 && minute < 60).then(|| Self { minutes: own * 60 + minute, meridiem })
    }

    /// Returns the time `minutes` later or earlier.
    fn shifted(self, minutes: u16, is_later: bool) -> Self {
        let day = 24 * 60;
        let shift = if is_later { minutes } else { day - minutes };
        let moved = (self.minutes + shift) % day;
        // With an unknown meridiem, the time stays between 1:00 and 12:59.
        let minutes = if self.meridiem == Meridiem::Unknown { moved % (day / 2) } else { moved };
        Self {
            minutes: if self.meridiem == Meridiem::Unknown && minutes < 60 { minutes + day / 2 } else { minutes },
            ..self
        }
    }

    /// Returns whether `other` entails this time: it is the same, or this one lacks the half of the day.
    pub(crate) fn is_entailed_by(self, other: Self) -> bool {
        self == other
            || (self.meridiem == Meridiem::Unknown && other.meridiem == Meridiem::Stated && self.is_same_on_dial(other))
    }

    /// Returns whether the two cannot be the same time.
    pub(crate) fn excludes(self, other: Self) -> bool {
        if self.meridiem == Meridiem::Unknown || other.meridiem == Meridiem::Unknown {
            !self.is_same_on_dial(other)
        } else {
            self != other
        }
    }

    fn is_same_on_dial(self, other: Self) -> bool {
        self.minutes % (12 * 60) == other.minutes % (12 * 60)
    }
}
