//! Terms: words and values with a kind, offsets, and a key that is equal for terms of the same meaning.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use crate::number::Number;

/// The kind of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// A content word.
    Content,
    /// A part of a name.
    Name,
    /// A title before a name: Dr, President.
    Title,
    /// A number with its unit, a range, an ordinal.
    Number,
    /// A day, month, year, quarter or weekday.
    Date,
    /// A time of day.
    Time,
    /// A negation.
    Negation,
    /// A content word that negates its object or complement: refuse, lack, absence.
    ImplicitNegation,
    /// A modal verb.
    Modal,
    /// A degree of certainty or a frequency.
    Hedge,
    /// A quantity without a number.
    Quantifier,
    /// A limiter: only, almost, even.
    Limiter,
    /// A word that bounds a number: about, more than, at least.
    Bound,
    /// A condition: if, unless.
    Condition,
    /// An exception or inclusion: except, including.
    Exception,
    /// A cause or concession: because, although.
    Cause,
    /// A temporal connective: before, after, while.
    TimeOrder,
    /// A word that refers to a time: today, last, ago.
    TimeReference,
    /// An auxiliary verb.
    Auxiliary,
    /// A pronoun: he, this.
    Pronoun,
    /// A preposition: in, from.
    Preposition,
    /// A conjunction: and, but, that.
    Conjunction,
    /// An article: a, the.
    Article,
    /// A filler: uh, you know.
    Filler,
    /// The clitic "'s" of a possessive or of "is".
    Clitic,
}

impl TermKind {
    /// Returns whether terms of this kind are words with a stem.
    #[must_use]
    pub fn is_word(self) -> bool {
        matches!(self, Self::Content | Self::Name | Self::Title | Self::ImplicitNegation)
    }

    /// Returns whether terms of this kind negate others.
    #[must_use]
    pub fn is_negation(self) -> bool {
        matches!(self, Self::Negation | Self::ImplicitNegation)
    }

    /// Returns whether terms of this kind carry content: content words as ruling A17 defines them, and values.
    #[must_use]
    pub fn is_content(self) -> bool {
        matches!(
            self,
            Self::Content
                | Self::Name
                | Self::Number
                | Self::Date
                | Self::Time
                | Self::ImplicitNegation
                | Self::TimeReference
        )
    }
}

/// A number in comparable form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quantity {
    /// The value, or the lower end of a range.
    pub low: Number,
    /// The value, or the upper end of a range.
    pub high: Number,
    /// The symbol of the unit; "" without one.
    pub unit: Box<str>,
    /// Whether it is an ordinal: first, second.
    pub is_ordinal: bool,
}

impl Quantity {
    /// Creates a single number with a unit.
    ///
    /// # Examples
    ///
    /// ```
    /// use groundwire_language::number::Number;
    /// use groundwire_language::term::Quantity;
    ///
    /// let weight = Quantity::new(Number::from_integer(40), "kg");
    /// assert_eq!(weight.low, weight.high);
    /// ```
    #[must_use]
    pub fn new(value: Number, unit: impl Into<Box<str>>) -> Self {
        Self { low: value, high: value, unit: unit.into(), is_ordinal: false }
    }
}

/// The parts of a date that a text states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct Date {
    pub year: Option<i32>,
    pub quarter: Option<u8>,
    pub month: Option<u8>,
    pub day: Option<u8>,
    pub weekday: Option<u8>,
}

/// The value of a typed term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number.
    Quantity(Box<Quantity>),
    /// A date.
    Date(Date),
    /// A time of day.
    Time(TimeOfDay),
}

impl From<Quantity> for Value {
    fn from(quantity: Quantity) -> Self {
        Self::Quantity(Box::new(quantity))
    }
}

/// A time of day.
#[derive(Clone, Copy, Debug)]
pub struct TimeOfDay {
    /// Minutes since midnight, in the first half of the day if the meridiem is unknown.
    pub minutes: u16,
    /// How the half of the day is known.
    pub meridiem: Meridiem,
}

/// How a text tells the half of the day of a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meridiem {
    /// By the 24-hour clock, or by noon or midnight.
    Implied,
    /// By a word: p.m., in the evening.
    Stated,
    /// Not at all: half past six.
    Unknown,
}

impl PartialEq for TimeOfDay {
    fn eq(&self, other: &Self) -> bool {
        self.minutes == other.minutes
    }
}

impl Eq for TimeOfDay {}

impl Hash for TimeOfDay {
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

/// One term. Offsets are code points of the text.
#[derive(Clone, Debug)]
pub struct Term {
    /// Its kind.
    pub kind: TermKind,
    /// Offset of the first code point.
    pub start: u32,
    /// Offset after the last code point.
    pub end: u32,
    /// Index of its sentence.
    pub sentence: u32,
    /// Index of its clause, counted through the whole text.
    pub clause: u32,
    /// Comparison key: terms with the same key have the same meaning.
    pub key: u64,
    /// The value of a number, date or time.
    pub value: Option<Value>,
    /// Whether it begins with a capital.
    pub is_capitalised: bool,
    /// Whether it is next to a punctuation mark, or at an end of the text.
    pub touches_punctuation: bool,
    /// The tense of an auxiliary: present or past.
    pub tense: Tense,
    /// Whether it is the word for one, which may also be an article or a pronoun.
    pub is_one: bool,
    /// Whether a hyphen joins it to the previous term.
    pub is_hyphenated: bool,
    /// Whether it is a form of "be".
    pub is_be: bool,
    /// Whether it is a reporting verb: say, write.
    pub is_reporting_verb: bool,
    /// Whether it is a period of time: morning, week.
    pub is_period: bool,
    /// Whether it is part of a speaker label: the name before a colon at the start of a sentence.
    pub is_speaker_label: bool,
    /// The byte range of its folded form in the forms of the reading.
    pub(crate) form: (u32, u32),
}

impl Term {
    /// Returns the start and end.
    #[must_use]
    pub fn span(&self) -> (u32, u32) {
        (self.start, self.end)
    }
}

pub(crate) fn hash(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the key that all words of `kind` in `group` share.
///
/// The group is always hashed as 64 bits, because on 32-bit processors the hash of a number depends on its width.
pub(crate) fn group_key(kind: TermKind, group: impl Into<u64>) -> u64 {
    hash(&(kind, group.into()))
}

/// Returns the key of a value. A year alone has the key of the number.
pub(crate) fn value_key(value: &Value) -> u64 {
    match value {
        Value::Date(Date { year: Some(year), quarter: None, month: None, day: None, weekday: None }) => {
            hash(&Value::from(Quantity::new(Number::from_integer(i64::from(*year)), "")))
        }
        value => hash(value),
    }
}
