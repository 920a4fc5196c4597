//! Terms: words and values with their kinds and places, and the keys by which two of them say the same.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::number::Number;

/// What a term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A word of content.
    Content,
    /// A part of a name.
    Name,
    /// What is in front of a name: Dr, President.
    Title,
    /// A number with its unit, a range, an ordinal.
    Number,
    /// A day, a month, a year, a quarter, a weekday.
    Date,
    /// A time of day.
    Time,
    /// A negation.
    Negation,
    /// A word that denies what it governs: refuse, lack.
    Denial,
    /// A modal verb.
    Modal,
    /// How sure, or how often.
    Hedge,
    /// How many, without a number.
    Quantifier,
    /// Only, almost, even.
    Limiter,
    /// About, more than, at least.
    Bound,
    /// If, unless.
    Condition,
    /// Except, including.
    Exception,
    /// Because, although.
    Cause,
    /// Before, after, while.
    Order,
    /// Today, last, ago.
    Reference,
    /// An auxiliary verb.
    Auxiliary,
    /// He, this.
    Pronoun,
    /// In, from.
    Preposition,
    /// And, but, that.
    Conjunction,
    /// A, the.
    Article,
    /// Uh, you know.
    Filler,
    /// The 's of a possessive or of is.
    Clitic,
}

impl Kind {
    /// Whether it is a word of content in the sense of ruling A17, or typed.
    #[must_use]
    pub fn is_content(self) -> bool {
        matches!(
            self,
            Self::Content | Self::Name | Self::Number | Self::Date | Self::Time | Self::Denial | Self::Reference
        )
    }
}

/// A number as it is compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quantity {
    /// The value, or the lower end of a range.
    pub low: Number,
    /// The value, or the upper end of a range.
    pub high: Number,
    /// The symbol of the unit; "" without one.
    pub unit: Box<str>,
    /// First, second.
    pub is_ordinal: bool,
}

/// A day or a part of one: whatever is said of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Date {
    pub year: Option<i32>,
    pub quarter: Option<u8>,
    pub month: Option<u8>,
    pub day: Option<u8>,
    pub weekday: Option<u8>,
}

/// What a typed term says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number.
    Quantity(Box<Quantity>),
    /// A date.
    Date(Date),
    /// A time of day.
    Time(Clock),
}

/// A time of day, and how it is told.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Minutes since midnight; of an hour that may be in either half of the day, those of the first.
    pub minutes: u16,
    /// Which half of the day it is in.
    pub half: Half,
}

/// Which half of the day a time is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// A clock of 24 hours tells, or the text says noon or midnight.
    Clear,
    /// A word tells: p.m., in the evening.
    Told,
    /// Nothing tells: half past six.
    Open,
}

impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        self.minutes == other.minutes
    }
}

impl Eq for Clock {}

impl Hash for Clock {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.minutes.hash(state);
    }
}

/// The tense of an auxiliary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Tense {
    Present,
    Past,
    None,
}

/// One term. Positions are code points of the text.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: Kind,
    /// First code point.
    pub start: u32,
    /// One behind the last.
    pub end: u32,
    /// The sentence that it is in, from 0.
    pub sentence: u32,
    /// The clause that it is in, from 0 for the whole text.
    pub clause: u32,
    /// Two terms with the same key say the same.
    pub key: u64,
    /// What a number, date or time says.
    pub value: Option<Value>,
    /// Whether it begins with a capital.
    pub is_capital: bool,
    /// Whether a sign or the end of the text is beside it.
    pub is_apart: bool,
    /// Present or past, of an auxiliary.
    pub tense: Tense,
    /// Whether it is the word for one, which is also an article or a pronoun.
    pub is_one: bool,
    /// Whether a hyphen joins it to the term before.
    pub is_hyphenated: bool,
    /// The verb be: it makes a passive.
    pub is_be: bool,
    /// A verb of saying.
    pub is_saying: bool,
    /// A stretch of time: morning, week.
    pub is_period: bool,
    /// A part of the name in front of a colon at the beginning of a sentence: who speaks.
    pub is_label: bool,
    /// Where its folded words are in the forms of the reading: bytes.
    pub(crate) form: (u32, u32),
}

pub(crate) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the key of the words of `kind` that belong to `group`.
///
/// The group is always hashed as 64 bits: the hasher takes a different number of steps for the widths of integers
/// where words of the processor have 32 bits.
pub(crate) fn key_of_group(kind: Kind, group: impl Into<u64>) -> u64 {
    hash(&(kind, group.into()))
}

/// The key of a typed value: a year is a number like any other, and so is the number of a label.
pub(crate) fn key_of_value(value: &Value) -> u64 {
    match value {
        Value::Date(Date { year: Some(year), quarter: None, month: None, day: None, weekday: None }) => {
            let year = Number::whole(i64::from(*year));
            hash(&Value::Quantity(Box::new(Quantity { low: year, high: year, unit: "".into(), is_ordinal: false })))
        }
        value => hash(value),
    }
}
