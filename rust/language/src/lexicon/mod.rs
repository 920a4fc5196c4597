//! Lexicons: the words of a language and the roles that they can have, from one TOML file per language.

mod builder;
mod file;
mod phrases;
mod senses;
mod set;
mod table;

use std::path::{Path, PathBuf};

use rust_stemmers::Stemmer;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::term::Tense;
use builder::Builder;
use file::File;
pub(crate) use phrases::{PhraseNode, PhraseTrie, UNKNOWN};
use table::Table;

use senses::Spellings;
pub(crate) use senses::{MAX_RARITY, Senses};
pub use set::LexiconSet;

/// A language that has a lexicon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Language {
    English,
    German,
    French,
    Spanish,
    Russian,
    Arabic,
    Chinese,
    Japanese,
}

impl Language {
    /// All languages, those in Latin script first.
    pub const ALL: [Self; 8] = [
        Self::English,
        Self::German,
        Self::French,
        Self::Spanish,
        Self::Russian,
        Self::Arabic,
        Self::Chinese,
        Self::Japanese,
    ];

    /// Returns the language with this ISO 639-1 code.
    ///
    /// # Examples
    ///
    /// ```
    /// use groundwire_language::Language;
    ///
    /// assert_eq!(Language::from_code("de"), Some(Language::German));
    /// assert_eq!(Language::from_code("xx"), None);
    /// ```
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|language| language.code() == code)
    }

    /// Returns the ISO 639-1 code.
    #[must_use]
    pub fn code(self) -> &'static str {
        ["en", "de", "fr", "es", "ru", "ar", "zh", "ja"][self as usize]
    }
}

/// A role that a word can have in a sentence. Words with the same role and group number mean the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    Cardinal(i64),
    Ordinal(i64),
    Multiplier(i64),
    Fraction(i64),
    /// A number of halves: "anderthalb" is three.
    Halves(i64),
    Scale(i64),
    ShortScale(i64),
    /// The first year of a decade: "thirties".
    Decade(i64),
    Unit(u16),
    /// A unit symbol that must be a capital: 5 A, 80 K.
    CapitalUnit,
    Month(u8),
    Weekday(u8),
    Quarter,
    QuarterSign,
    Am,
    Pm,
    Noon,
    Midnight,
    Clock,
    /// Adds the minutes before it to the hour after it: "past".
    ClockPast,
    /// Subtracts the minutes before it from the hour after it: "to".
    ClockTo,
    /// Adds the minutes after it to the hour before it: "y media".
    ClockPlus,
    /// Subtracts the minutes after it from the hour: "menos cuarto", "без четверти".
    ClockMinus,
    /// A preposition before a time: "at".
    ClockAt,
    /// An article before an hour: "a las tres".
    HourArticle,
    YearMark,
    MonthMark,
    DayMark,
    Era(u16),
    TimeReference(u16),
    Period,
    Negation,
    NearNegation(u16),
    Without(u16),
    ImplicitNegation(u16),
    Interjection,
    Idiom,
    Modal(u16),
    Hedge(u16),
    Frequency(u16),
    Quantifier(u16),
    Limiter(u16),
    Approximation,
    MoreThan,
    LessThan,
    AtLeast,
    AtMost,
    Condition(u16),
    /// A modal that means "if" at the start of a sentence: "should".
    InvertedCondition,
    Exception(u16),
    Cause(u16),
    Contrast,
    TimeOrder(u16),
    Article,
    Pronoun(u16),
    Preposition,
    Conjunction,
    Complementizer,
    Be(Tense),
    Have(Tense),
    Do(Tense),
    Filler,
    /// A filler between two punctuation signs, and a content word elsewhere: "right".
    IsolatedFiller,
    TranscriberNote,
    ReportingVerb,
    Title(u16),
    GivenName,
    Particle,
    NumberSign,
    Age,
    NumberedNoun,
    Minus,
    Times,
    RangeStart,
    RangeJoiner,
    /// Separates a part from the whole: "one in five".
    Proportion,
    /// Separates the hundreds from the ones of a spoken year: "nineteen oh five".
    YearZero,
    Joiner,
    /// Joins tens and ones: "treinta y cinco".
    TensJoiner,
    WordForOne,
    /// The word for one inside or at the end of a larger number: "deux cent un".
    OneInNumber,
    Square,
    Cubic,
    Per,
    FractionMark,
    OrdinalPrefix,
    Symmetric,
    /// A preposition that is a verb after a subject: "like".
    PrepositionOrVerb,
}

/// Adds methods that return the value of a role, if it is of one kind.
macro_rules! role_values {
    ($($method:ident: $role:ident($type:ty)),* $(,)?) => {
        impl Role {
            $(pub(crate) fn $method(&self) -> Option<$type> {
                if let Self::$role(value) = self { Some(*value) } else { None }
            })*
        }
    };
}

role_values! {
    cardinal: Cardinal(i64),
    decade: Decade(i64),
    fraction: Fraction(i64),
    halves: Halves(i64),
    month: Month(u8),
    multiplier: Multiplier(i64),
    ordinal: Ordinal(i64),
    scale: Scale(i64),
    short_scale: ShortScale(i64),
    unit: Unit(u16),
    weekday: Weekday(u8),
}

/// The verb of an auxiliary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum AuxiliaryVerb {
    Be,
    Have,
    Do,
}

impl Role {
    /// Returns the verb and the tense of an auxiliary.
    pub(crate) fn auxiliary(&self) -> Option<(AuxiliaryVerb, Tense)> {
        match *self {
            Self::Be(tense) => Some((AuxiliaryVerb::Be, tense)),
            Self::Have(tense) => Some((AuxiliaryVerb::Have, tense)),
            Self::Do(tense) => Some((AuxiliaryVerb::Do, tense)),
            _ => None,
        }
    }
}

/// The reason why a lexicon cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LexiconError {
    /// A file cannot be read.
    #[error("cannot read {0}: {1}")]
    File(PathBuf, std::io::Error),
    /// A file is not a valid lexicon.
    #[error("{0} is not a valid lexicon: {1}")]
    Format(PathBuf, String),
}

/// The words of a language, and their roles.
pub struct Lexicon {
    pub(crate) language: Language,
    pub(crate) is_spaced: bool,
    pub(crate) has_name_capitals: bool,
    pub(crate) decimal_mark: char,
    pub(crate) has_ordinal_point: bool,
    /// Whether a numeric date may begin with the month: 4/30/1997.
    pub(crate) is_month_first: bool,
    /// Joins a scale and a currency: "millones de euros".
    pub(crate) unit_joiner: Box<str>,
    /// Whether years are spoken as two numbers: "nineteen eighty-four".
    pub(crate) has_spoken_years: bool,
    /// Whether a half or a quarter is counted towards the following hour: "halb acht".
    pub(crate) counts_to_hour: bool,
    /// Whether the word for hours also denotes a time of day after "at": "à dix heures".
    pub(crate) has_hours_at: bool,
    pub(crate) proclitics: Vec<char>,
    pub(crate) definite_article: Box<str>,
    pub(crate) negating_prefixes: Vec<Box<str>>,
    pub(crate) negating_suffixes: Vec<Box<str>>,
    agent_preposition: Box<str>,
    pub(crate) distinctive_prefixes: FxHashSet<Box<str>>,
    /// The regular endings of inflected words, and their replacements in the base.
    regular_endings: Vec<(Box<str>, Box<str>)>,
    /// Endings that the stemmer keeps: "arbeitet" has the stem of "Arbeit".
    pub(crate) stem_endings: Vec<Box<str>>,
    pub(crate) first_person: FxHashSet<u64>,
    pub(crate) third_person: FxHashSet<u64>,
    coordinators: FxHashSet<Box<str>>,
    comparisons: FxHashSet<Box<str>>,
    polarity_items: FxHashSet<Box<str>>,
    subjects: FxHashSet<Box<str>>,
    relatives: FxHashSet<Box<str>>,
    intentions: FxHashSet<Box<str>>,
    abilities: FxHashSet<Box<str>>,
    perception: FxHashSet<Box<str>>,
    pub(crate) contractions: FxHashMap<Box<str>, Vec<Box<str>>>,
    /// The years of a decade that a word denotes: "late".
    pub(crate) decade_parts: FxHashMap<Box<str>, (u8, u8)>,
    /// The scales of numbers written in one word, largest first: tausend, hundert.
    compound_scales: Vec<(Box<str>, i64)>,
    compound_joiner: Box<str>,
    /// The endings of ordinals from twenty upwards.
    compound_endings: Vec<Box<str>>,
    pub(crate) units: Vec<Box<str>>,
    pub(crate) phrases: PhraseTrie,
    /// The canonical forms of words in capitals.
    acronyms: FxHashMap<Box<str>, Box<str>>,
    antonyms: FxHashMap<Box<str>, Vec<Box<str>>>,
    synonyms: FxHashMap<Box<str>, Vec<u16>>,
    spellings: Spellings,
    stemmer: Option<Stemmer>,
    tables: WordTables,
}

/// Larger tables, which some languages lack.
#[derive(Default)]
struct WordTables {
    words: Table,
    forms: Table,
    antonyms: Table,
    synonyms: Table,
    broader: Table,
    derivations: Table,
    rarity: Table,
}

impl Lexicon {
    fn load(folder: &Path, language: Language) -> Result<Self, LexiconError> {
        let path = folder.join(format!("{}.toml", language.code()));
        let text = std::fs::read_to_string(&path).map_err(|error| LexiconError::File(path.clone(), error))?;
        let file: File =
            toml::from_str(&text).map_err(|error| LexiconError::Format(path.clone(), error.message().to_owned()))?;
        let tables = folder.join(language.code());
        let table = |name: &str| -> Result<Table, LexiconError> {
            let path = tables.join(name);
            match std::fs::read(&path) {
                Ok(bytes) => Ok(Table::new(bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Table::default()),
                Err(error) => Err(LexiconError::File(path, error)),
            }
        };
        let tables = WordTables {
            words: table("words.txt")?,
            forms: table("forms.txt")?,
            antonyms: table("opposites.txt")?,
            synonyms: table("synonyms.txt")?,
            broader: table("broader.txt")?,
            derivations: table("derivations.txt")?,
            rarity: table("rarity.txt")?,
        };
        Ok(Builder::new(language, &file, tables).build(&file))
    }

    /// Returns the roles of the entry `words` (token forms, separated by spaces).
    pub(crate) fn roles(&self, words: &str) -> &[Role] {
        &self.phrases.find(words).roles
    }

    /// Returns the canonical form of `words`.
    pub(crate) fn canonical(&self, words: &str) -> Option<&str> {
        self.phrases.find(words).canonical.as_deref()
    }

    /// Returns the canonical form of a word in capitals.
    pub(crate) fn canonical_acronym(&self, form: &str) -> Option<&str> {
        if self.acronyms.is_empty() { None } else { self.acronyms.get(form.to_uppercase().as_str()).map(AsRef::as_ref) }
    }

    /// Returns the value of a one-word number that contains a scale or an ordinal ending, and whether it is an
    /// ordinal: "zweihundertfünfter", "dreißigste".
    pub(crate) fn compound(&self, word: &str) -> Option<(i64, bool)> {
        self.compound_of(word, &self.compound_scales)
    }

    /// Does the same with `scales` only. The parts before and after a scale contain only smaller ones.
    fn compound_of(&self, word: &str, scales: &[(Box<str>, i64)]) -> Option<(i64, bool)> {
        let scaled = scales.iter().enumerate().find_map(|(place, (name, scale))| {
            let (front, after) = word.split_once(&**name)?;
            let smaller = &scales[place + 1..];
            let (front, is_ordinal) =
                if front.is_empty() { (1, false) } else { self.part_of_compound(front, smaller)? };
            if is_ordinal || !(1..*scale).contains(&front) {
                return None;
            }
            let (rest, is_ordinal) = if after.is_empty() {
                (0, false)
            } else if self.compound_endings.iter().any(|ending| **ending == *after) {
                (0, true)
            } else {
                let after = after.strip_prefix(&*self.compound_joiner).unwrap_or(after);
                self.part_of_compound(after, smaller).filter(|(value, _)| value < scale)?
            };
            Some((front.checked_mul(*scale)?.checked_add(rest)?, is_ordinal))
        });
        scaled.or_else(|| self.regular_ordinal(word))
    }

    fn part_of_compound(&self, word: &str, scales: &[(Box<str>, i64)]) -> Option<(i64, bool)> {
        let listed = self.roles(word).iter().find_map(|role| match role {
            Role::Cardinal(value) => Some((*value, false)),
            Role::Ordinal(value) => Some((*value, true)),
            _ => None,
        });
        listed.or_else(|| self.compound_of(word, scales))
    }

    /// Returns the value of a cardinal from twenty upwards with an ordinal ending.
    fn regular_ordinal(&self, word: &str) -> Option<(i64, bool)> {
        let stem = self.compound_endings.iter().find_map(|ending| word.strip_suffix(&**ending))?;
        let is_regular = |role: &Role| if let Role::Cardinal(value @ 20..) = role { Some(*value) } else { None };
        Some((self.roles(stem).iter().find_map(is_regular)?, true))
    }

    /// Returns whether a word joins the members of a list: and, or.
    pub(crate) fn is_coordinator(&self, word: &str) -> bool {
        self.coordinators.contains(word)
    }

    /// Returns whether a word is a negative polarity item, which adds nothing to a negation before it: any.
    pub(crate) fn is_polarity_item(&self, word: &str) -> bool {
        self.polarity_items.contains(word)
    }

    /// Returns whether a word begins a relative clause: who.
    pub(crate) fn is_relative(&self, word: &str) -> bool {
        self.relatives.contains(word)
    }

    /// Returns whether a verb leaves open whether its infinitive is done: promise.
    pub(crate) fn is_intention(&self, word: &str) -> bool {
        self.intentions.contains(word)
    }

    /// Returns whether a word precedes the standard of a comparison: than.
    pub(crate) fn is_comparison(&self, word: &str) -> bool {
        self.comparisons.contains(word)
    }

    /// Returns whether a pronoun can be the subject of the verb after it.
    pub(crate) fn is_subject(&self, word: &str) -> bool {
        self.subjects.contains(word)
    }

    /// Returns whether a modal of ability adds no meaning before a verb: "can see".
    pub(crate) fn is_vacuous_ability(&self, modal: &str, verb: &str) -> bool {
        self.abilities.contains(modal) && self.perception.contains(verb)
    }

    pub(crate) fn is_frequent(&self, word: &str) -> bool {
        self.phrases.node(self.phrases.word(word)).is_frequent
    }

    /// Returns whether there is a word list, so that unknown words are probably typos.
    pub(crate) fn has_words(&self) -> bool {
        !self.tables.words.is_empty()
    }

    /// Returns whether a word exists: it has a role, or it is in the word list.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        let node = self.phrases.find(word);
        node.is_frequent || !node.roles.is_empty() || self.tables.words.contains(word)
    }

    /// Returns whether a word is only known as a name, or not at all.
    pub(crate) fn is_only_name(&self, word: &str) -> bool {
        let node = self.phrases.find(word);
        !node.is_frequent && node.roles.is_empty() && self.tables.words.get(word).is_none_or(|mark| !mark.is_empty())
    }

    /// Returns the preposition before the agent of a passive.
    pub(crate) fn agent_preposition(&self) -> &str {
        &self.agent_preposition
    }

    /// Returns whether a word is the word for one, or an article with that meaning.
    pub(crate) fn is_word_for_one(&self, word: &str) -> bool {
        self.roles(word).contains(&Role::WordForOne)
    }

    /// Returns the symbol of the unit that a word names.
    pub(crate) fn unit(&self, word: &str) -> Option<&str> {
        self.roles(word).iter().find_map(|role| match role {
            Role::Unit(number) => self.units.get(usize::from(*number)).map(|unit| &**unit),
            _ => None,
        })
    }

    /// Returns whether a word denotes a symmetric relation.
    pub(crate) fn is_symmetric(&self, word: &str) -> bool {
        self.roles(word).contains(&Role::Symmetric)
    }
}
