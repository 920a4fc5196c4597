//! Builds a lexicon from its file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::{FxHashMap, FxHashSet};

use super::file::{Compounds, Dates, File, Function, Units};
use super::phrases::{PhraseNode, PhraseTrie};
use super::senses::{STEM_MARK, Spellings};
use super::{Language, Lexicon, Role, WordTables};
use crate::term::{Tense, TermKind, group_key};
use crate::token::{Tokens, is_plain_word};

pub(super) struct Builder {
    lexicon: Lexicon,
}

impl Builder {
    pub(super) fn new(language: Language, file: &File, tables: WordTables) -> Self {
        let contractions: FxHashMap<Box<str>, Vec<Box<str>>> = file
            .contractions
            .iter()
            .map(|(word, parts)| (word.as_str().into(), parts.split_whitespace().map(Into::into).collect()))
            .collect();
        let mut negating_prefixes: Vec<Box<str>> = file.polarity.prefixes.split_whitespace().map(Into::into).collect();
        negating_prefixes.sort_by_key(|prefix| std::cmp::Reverse(prefix.len()));
        let lexicon = Lexicon {
            language,
            is_spaced: file.spaced,
            has_name_capitals: file.name_capitals,
            decimal_mark: file.decimal_mark.chars().next().unwrap_or('.'),
            has_ordinal_point: file.ordinal_point,
            is_month_first: file.month_first,
            unit_joiner: file.numbers.unit_joiner.as_str().into(),
            has_spoken_years: !file.numbers.year_zero.is_empty(),
            counts_to_hour: file.dates.counts_to_hour,
            has_hours_at: file.dates.has_hours_at,
            proclitics: file.joined.chars().filter(|letter| !letter.is_whitespace()).collect(),
            definite_article: file.article.as_str().into(),
            negating_prefixes,
            negating_suffixes: file.polarity.suffixes.split_whitespace().map(Into::into).collect(),
            agent_preposition: file.function.agent.as_str().into(),
            coordinators: folded(&file.function.coordinators),
            polarity_items: folded(&file.quantity.any),
            comparisons: folded(&file.function.comparisons),
            first_person: FxHashSet::default(),
            third_person: FxHashSet::default(),
            subjects: folded(&file.function.subjects),
            relatives: folded(&file.function.relatives),
            intentions: folded(&file.modality.intentions),
            abilities: folded(&file.modality.abilities),
            perception: folded(&file.modality.perception),
            distinctive_prefixes: folded(&file.forms.telling_prefixes),
            regular_endings: endings(&file.forms.regular_endings),
            stem_endings: file.forms.stem_endings.split_whitespace().map(Into::into).collect(),
            contractions,
            decade_parts: FxHashMap::default(),
            compound_scales: Vec::new(),
            compound_joiner: file.numbers.compounds.joiner.as_str().into(),
            compound_endings: file.numbers.compounds.ordinal_endings.split_whitespace().map(Into::into).collect(),
            units: Vec::new(),
            phrases: PhraseTrie::with_capacity(EXPECTED_WORDS),
            acronyms: FxHashMap::default(),
            antonyms: FxHashMap::default(),
            synonyms: FxHashMap::default(),
            spellings: Spellings::default(),
            stemmer: stemmer(&file.snowball),
            tables,
        };
        Self { lexicon }
    }

    pub(super) fn build(mut self, file: &File) -> Lexicon {
        self.mark(&file.frequent, |node| node.is_frequent = true);
        self.mark(&file.numbers.ordinal_endings.endings, |node| node.is_ordinal_ending = true);
        self.mark(&file.dates.capitalised, |node| node.needs_capital = true);
        for word in file.contractions.keys() {
            let number = self.lexicon.phrases.add_word(word);
            self.lexicon.phrases.node_mut(number).is_contraction = true;
        }
        self.numbers(file);
        self.dates(&file.dates);
        self.function(&file.function);
        self.meaning(file);
        self.units(&file.units);
        self.groups(&file.names.titles, Role::Title);
        self.all(&file.names.particles, Role::Particle);
        self.all(&file.names.given, Role::GivenName);
        self.all(&file.synonyms.symmetric, Role::Symmetric);
        self.forms(file);
        self.lexicon
    }

    fn add(&mut self, word: &str, role: Role) {
        let forms = words_of(word);
        let phrases = &mut self.lexicon.phrases;
        let Some((first, entry)) = phrases.add(forms.iter().map(AsRef::as_ref)) else { return };
        if begins_value(role, forms[0].as_ref()) {
            phrases.node_mut(first).begins_value = true;
        }
        let node = phrases.node_mut(entry);
        node.is_article |= role == Role::Article;
        if !node.roles.contains(&role) {
            node.roles.push(role);
        }
    }

    /// Calls `mark` with the node of each word of a list.
    fn mark(&mut self, list: &str, mark: fn(&mut PhraseNode)) {
        for word in list.split_whitespace() {
            let forms = words_of(word);
            if let Some((_, entry)) = self.lexicon.phrases.add(forms.iter().map(AsRef::as_ref)) {
                mark(self.lexicon.phrases.node_mut(entry));
            }
        }
    }

    fn all(&mut self, list: &str, role: Role) {
        list.split_whitespace().for_each(|word| self.add(word, role));
    }

    fn groups(&mut self, groups: &[String], role: impl Fn(u16) -> Role) {
        for (number, group) in groups.iter().enumerate() {
            self.all(group, role(number as u16));
        }
    }

    fn numbers(&mut self, file: &File) {
        let numbers = &file.numbers;
        for (word, &value) in &numbers.cardinals {
            if value.fract() == 0.0 {
                self.add(word, Role::Cardinal(value as i64));
            } else if value == 0.5 {
                self.add(word, Role::Fraction(2));
            } else if (value * 2.0).fract() == 0.0 {
                self.add(word, Role::Halves((value * 2.0) as i64));
            }
        }
        for (place, digit) in file.digits.chars().enumerate() {
            // Zero has two characters: 〇零.
            let value = if file.digits.chars().count() > 10 { place.saturating_sub(1) } else { place };
            self.add(&digit.to_string(), Role::Cardinal(value as i64));
        }
        self.compounds(&numbers.compounds, &numbers.cardinals);
        for (word, &value) in &numbers.ordinals {
            self.add(word, Role::Ordinal(value));
        }
        for (word, &value) in &numbers.fractions {
            self.add(word, Role::Fraction(value));
        }
        for (word, &value) in &numbers.decades {
            self.add(word, Role::Decade(value));
        }
        self.lexicon.decade_parts =
            numbers.decade_parts.iter().map(|(word, &years)| (word.as_str().into(), years)).collect();
        for (word, &value) in &numbers.multipliers {
            self.add(word, Role::Multiplier(value));
        }
        for (word, &value) in numbers.scales.iter().chain(&file.digit_scales) {
            let is_short = file.spaced && word.chars().count() <= 2;
            self.add(word, if is_short { Role::ShortScale(value) } else { Role::Scale(value) });
        }
        self.number_markers(file);
    }

    /// Adds the words that combine, bound or label numbers.
    fn number_markers(&mut self, file: &File) {
        let numbers = &file.numbers;
        self.all(&numbers.joiners, Role::Joiner);
        self.all(&numbers.tens_joiners, Role::TensJoiner);
        self.all(&numbers.ones, Role::OneInNumber);
        self.all(&numbers.minus, Role::Minus);
        for sign in numbers.number_signs.split_whitespace() {
            self.add(sign, Role::NumberSign);
        }
        self.all(&numbers.ages, Role::Age);
        self.all(&numbers.labelled, Role::NumberedNoun);
        self.all(&numbers.times, Role::Times);
        self.all(&numbers.range_starts, Role::RangeStart);
        self.all(&numbers.range_joiners, Role::RangeJoiner);
        self.all(&numbers.proportions, Role::Proportion);
        self.all(&numbers.year_zero, Role::YearZero);
        self.all(&numbers.one_words, Role::WordForOne);
        self.all(&numbers.fraction_mark, Role::FractionMark);
        self.all(&file.ordinal_prefixes, Role::OrdinalPrefix);
    }

    /// Adds the numbers below a hundred that a language writes in one word with the ones first: German 21 to 99. Larger
    /// numbers are parsed by their scales.
    fn compounds(&mut self, compounds: &Compounds, cardinals: &BTreeMap<String, f64>) {
        let ones: Vec<&str> = compounds.ones.split_whitespace().collect();
        let scales: Vec<&str> = compounds.scales.split_whitespace().collect();
        let [hundred, thousand] = scales.as_slice() else { return };
        let mut below: Vec<(String, i64)> = cardinals
            .iter()
            .filter(|(_, value)| value.fract() == 0.0)
            .map(|(word, &value)| (word.clone(), value as i64))
            .collect();
        below.push((ones.first().copied().unwrap_or_default().to_owned(), 1));
        for (decade, ten) in compounds.tens.split_whitespace().enumerate() {
            for (unit, one) in ones.iter().enumerate() {
                below.push((format!("{one}{}{ten}", compounds.joiner), (decade as i64 + 2) * 10 + unit as i64 + 1));
            }
        }
        for (word, value) in &below {
            self.add(word, Role::Cardinal(*value));
        }
        self.lexicon.compound_scales = vec![((*thousand).into(), 1000), ((*hundred).into(), 100)];
    }

    fn dates(&mut self, dates: &Dates) {
        for (number, group) in dates.months.iter().enumerate() {
            self.all(group, Role::Month(number as u8 + 1));
        }
        for (number, group) in dates.weekdays.iter().enumerate() {
            self.all(group, Role::Weekday(number as u8 + 1));
        }
        self.all(&dates.quarters, Role::Quarter);
        self.all(&dates.quarter_signs, Role::QuarterSign);
        self.all(&dates.am, Role::Am);
        self.all(&dates.pm, Role::Pm);
        self.all(&dates.noon, Role::Noon);
        self.all(&dates.midnight, Role::Midnight);
        self.all(&dates.clock, Role::Clock);
        self.all(&dates.clock_past, Role::ClockPast);
        self.all(&dates.clock_to, Role::ClockTo);
        self.all(&dates.clock_plus, Role::ClockPlus);
        self.all(&dates.clock_minus, Role::ClockMinus);
        self.all(&dates.clock_at, Role::ClockAt);
        self.all(&dates.hour_articles, Role::HourArticle);
        self.all(&dates.year_mark, Role::YearMark);
        self.all(&dates.month_mark, Role::MonthMark);
        self.all(&dates.day_mark, Role::DayMark);
        self.groups(&dates.eras, Role::Era);
        self.groups(&dates.references, Role::TimeReference);
        self.all(&dates.periods, Role::Period);
    }

    /// Returns the keys of the groups of pronouns.
    fn pronouns(&self, words: &str) -> FxHashSet<u64> {
        let roles =
            words.split_whitespace().flat_map(|word| &self.lexicon.phrases.find(&words_of(word).join(" ")).roles);
        roles
            .filter_map(|role| match role {
                Role::Pronoun(group) => Some(group_key(TermKind::Pronoun, *group)),
                _ => None,
            })
            .collect()
    }

    fn function(&mut self, function: &Function) {
        self.all(&function.articles, Role::Article);
        self.groups(&function.pronouns, Role::Pronoun);
        self.lexicon.first_person = self.pronouns(&function.first_person);
        self.lexicon.third_person = self.pronouns(&function.third_person);
        self.all(&function.prepositions, Role::Preposition);
        self.all(&function.conjunctions, Role::Conjunction);
        self.all(&function.complementizers, Role::Complementizer);
        let present: FxHashSet<&str> = function.present.split_whitespace().collect();
        let past: FxHashSet<&str> = function.past.split_whitespace().collect();
        let tense = |word: &str| {
            if past.contains(word) {
                Tense::Past
            } else if present.contains(word) {
                Tense::Present
            } else {
                Tense::None
            }
        };
        for word in function.auxiliaries_be.split_whitespace() {
            self.add(word, Role::Be(tense(word)));
        }
        for word in function.auxiliaries_have.split_whitespace() {
            self.add(word, Role::Have(tense(word)));
        }
        for word in function.auxiliaries_do.split_whitespace() {
            self.add(word, Role::Do(tense(word)));
        }
        self.all(&function.verbs_too, Role::PrepositionOrVerb);
        self.all(&function.fillers, Role::Filler);
        self.all(&function.fillers_apart, Role::IsolatedFiller);
        self.all(&function.notes, Role::TranscriberNote);
        self.all(&function.saying, Role::ReportingVerb);
    }

    fn meaning(&mut self, file: &File) {
        let polarity = &file.polarity;
        self.all(&polarity.negations, Role::Negation);
        self.groups(&polarity.near_negations, Role::NearNegation);
        self.groups(&polarity.without, Role::Without);
        self.groups(&polarity.negative_words, Role::ImplicitNegation);
        self.all(&polarity.interjections, Role::Interjection);
        self.all(&polarity.denying_idioms, Role::Idiom);
        self.all(&file.idioms, Role::Idiom);
        self.groups(&file.modality.modals, Role::Modal);
        self.groups(&file.modality.hedges, Role::Hedge);
        self.groups(&file.modality.frequencies, Role::Frequency);
        let quantity = &file.quantity;
        self.groups(&quantity.quantifiers, Role::Quantifier);
        self.groups(&quantity.limiters, Role::Limiter);
        self.all(&quantity.approximations, Role::Approximation);
        self.all(&quantity.more_than, Role::MoreThan);
        self.all(&quantity.less_than, Role::LessThan);
        self.all(&quantity.at_least, Role::AtLeast);
        self.all(&quantity.at_most, Role::AtMost);
        let conditions = &file.conditions;
        self.groups(&conditions.conditions, Role::Condition);
        self.all(&conditions.inverted, Role::InvertedCondition);
        self.groups(&conditions.exceptions, Role::Exception);
        self.groups(&conditions.causes, Role::Cause);
        self.all(&conditions.contrasts, Role::Contrast);
        self.groups(&conditions.order, Role::TimeOrder);
    }

    fn units(&mut self, units: &Units) {
        for group in units.groups.iter().chain(&units.cldr) {
            let Some(symbol) = group.split_whitespace().next() else { continue };
            let known = self.lexicon.units.iter().position(|unit| **unit == *symbol);
            let number = known.unwrap_or(self.lexicon.units.len()) as u16;
            if known.is_none() {
                self.lexicon.units.push(symbol.into());
            }
            self.all(group, Role::Unit(number));
        }
        self.all(&units.capitals, Role::CapitalUnit);
        self.all(&units.square, Role::Square);
        self.all(&units.cubic, Role::Cubic);
        self.all(&units.per, Role::Per);
    }

    fn forms(&mut self, file: &File) {
        for group in &file.forms.same {
            let Some(first) = group.split_whitespace().next() else { continue };
            let head: Box<str> = words_of(first).join(" ").into();
            for word in group.split_whitespace() {
                if word.chars().all(char::is_uppercase) {
                    self.lexicon.acronyms.insert(word.into(), head.clone());
                } else if let Some((_, entry)) = self.lexicon.phrases.add(words_of(word).iter().map(AsRef::as_ref)) {
                    self.lexicon.phrases.node_mut(entry).canonical = Some(head.clone());
                }
            }
        }
        for rule in file.forms.spellings.split_whitespace() {
            if let Some((from, to)) = rule.split_once('>') {
                let (from, is_at_end) = from.strip_suffix('$').map_or((from, false), |from| (from, true));
                self.lexicon.spellings.push(from, to.trim_end_matches('$'), is_at_end);
            }
        }
        for pair in &file.opposites.pairs {
            let words: Vec<String> = pair.split_whitespace().map(|word| word.replace('_', " ")).collect();
            let [first, second] = words.as_slice() else { continue };
            for (word, opposite) in [(first, second), (second, first)] {
                let stem = format!("{}{STEM_MARK}", self.lexicon.stem(word));
                let opposite_stem = format!("{}{STEM_MARK}", self.lexicon.stem(opposite));
                self.lexicon.antonyms.entry(word.as_str().into()).or_default().push(opposite.as_str().into());
                self.lexicon.antonyms.entry(stem.into()).or_default().push(opposite_stem.into());
            }
        }
        for (number, group) in file.synonyms.groups.iter().enumerate() {
            for word in group.split_whitespace() {
                let word = word.replace('_', " ");
                let stem = self.lexicon.stem(&word);
                for key in [word, stem] {
                    let groups = self.lexicon.synonyms.entry(key.into()).or_default();
                    if !groups.contains(&(number as u16)) {
                        groups.push(number as u16);
                    }
                }
            }
        }
    }
}

/// Initial capacity, in words.
const EXPECTED_WORDS: usize = 4_096;

/// Returns whether a number, date or time may begin with a word that has `role`. Articles begin only labels, which are
/// handled separately.
fn begins_value(role: Role, word: &str) -> bool {
    match role {
        Role::Noon
        | Role::Midnight
        | Role::Am
        | Role::Pm
        | Role::ClockMinus
        | Role::Cardinal(_)
        | Role::Decade(_)
        | Role::Ordinal(_)
        | Role::Multiplier(_)
        | Role::Fraction(_)
        | Role::Halves(_)
        | Role::Scale(_)
        | Role::WordForOne
        | Role::Weekday(_)
        | Role::QuarterSign
        | Role::Month(_)
        | Role::Minus
        | Role::Age
        | Role::RangeStart
        | Role::OrdinalPrefix => true,
        // Currency symbols and codes.
        Role::Unit(_) => word.len() == 3 || !word.starts_with(char::is_alphabetic),
        _ => false,
    }
}

/// Returns the Snowball stemmer of a language; Chinese and Japanese have none.
fn stemmer(name: &str) -> Option<Stemmer> {
    let algorithm = match name {
        "english" => Algorithm::English,
        "german" => Algorithm::German,
        "french" => Algorithm::French,
        "spanish" => Algorithm::Spanish,
        "russian" => Algorithm::Russian,
        "arabic" => Algorithm::Arabic,
        _ => return None,
    };
    Some(Stemmer::create(algorithm))
}

/// Returns the endings of a list such as "ies>y es>", and their replacements.
fn endings(list: &str) -> Vec<(Box<str>, Box<str>)> {
    list.split_whitespace().filter_map(|rule| rule.split_once('>')).map(|(from, to)| (from.into(), to.into())).collect()
}

/// Returns the words of a list in folded form.
fn folded(list: &str) -> FxHashSet<Box<str>> {
    list.split_whitespace().map(|word| words_of(word).join(" ").into()).collect()
}

/// Returns the folded forms of the tokens of an entry.
fn words_of(word: &str) -> Vec<Cow<'_, str>> {
    if is_plain_word(word) {
        return vec![Cow::Borrowed(word)];
    }
    let tokens = Tokens::from_string(&word.replace('_', " "));
    let mut forms: Vec<&str> = (0..tokens.len()).map(|index| tokens.form(index)).collect();
    // Hyphenated words also match without the hyphen.
    if forms.len() > 1 {
        forms.retain(|form| *form != "-");
    }
    // The full stop after an abbreviation is a separate token, and no part of the entry.
    if forms.len() > 1 && forms.last() == Some(&".") {
        forms.pop();
    }
    forms.into_iter().map(|form| Cow::Owned(form.to_owned())).collect()
}
