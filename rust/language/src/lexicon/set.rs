//! The lexicons of a folder with their units, and language detection.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use groundwire_engine::TextRef;
use rustc_hash::FxHashMap;

use super::{Language, Lexicon, LexiconError};
use crate::number::Number;
use crate::token::{TokenClass, Tokens, characters};

/// The conversion of a unit to the base unit of its dimension.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    pub(crate) dimension: u16,
    pub(crate) factor: Number,
    pub(crate) offset: Number,
}

/// The lexicons of a folder, each loaded on first use.
pub struct LexiconSet {
    folder: PathBuf,
    slots: [OnceLock<Lexicon>; Language::ALL.len()],
    conversions: FxHashMap<Box<str>, Conversion>,
}

impl LexiconSet {
    /// Creates the set of the lexicons in `folder`, and reads its table of units.
    ///
    /// # Errors
    ///
    /// [`LexiconError`]: the file `units.toml` cannot be read.
    pub fn new(folder: impl Into<PathBuf>) -> Result<Self, LexiconError> {
        let folder = folder.into();
        let path = folder.join("units.toml");
        let text = std::fs::read_to_string(&path).map_err(|error| LexiconError::File(path.clone(), error))?;
        let dimensions: BTreeMap<String, BTreeMap<String, String>> =
            toml::from_str(&text).map_err(|error| LexiconError::Format(path.clone(), error.message().to_owned()))?;
        let mut conversions = FxHashMap::default();
        for (dimension, units) in dimensions.values().enumerate() {
            for (symbol, value) in units {
                let (factor, offset) = value.split_once('+').unwrap_or((value, "0"));
                let (Some(factor), Some(offset)) = (parse_fraction(factor), parse_fraction(offset)) else {
                    return Err(LexiconError::Format(path, format!("{symbol} has no valid factor")));
                };
                conversions.insert(symbol.as_str().into(), Conversion { dimension: dimension as u16, factor, offset });
            }
        }
        Ok(Self { folder, slots: Default::default(), conversions })
    }

    /// Returns the lexicon of `language`.
    ///
    /// # Errors
    ///
    /// [`LexiconError`]: its file cannot be read.
    pub fn get(&self, language: Language) -> Result<&Lexicon, LexiconError> {
        let slot = &self.slots[language as usize];
        if let Some(lexicon) = slot.get() {
            return Ok(lexicon);
        }
        let lexicon = Lexicon::load(&self.folder, language)?;
        Ok(slot.get_or_init(|| lexicon))
    }

    pub(crate) fn conversion(&self, symbol: &str) -> Option<Conversion> {
        self.conversions.get(symbol).copied()
    }

    /// Detects the language of a text by its script, and in Latin script by its frequent words; English if the text
    /// gives no indication.
    ///
    /// # Errors
    ///
    /// [`LexiconError`]: a lexicon cannot be read.
    pub fn detect(&self, text: TextRef<'_>) -> Result<Language, LexiconError> {
        let sample = text.slice(0..text.len().min(SAMPLE_CHARS));
        let characters = characters(sample);
        let mut counts = [0_usize; 5];
        for &character in &characters {
            match u32::from(character) {
                0x41..=0x24F => counts[0] += 1,
                0x400..=0x52F => counts[1] += 1,
                0x600..=0x6FF | 0x750..=0x77F => counts[2] += 1,
                0x3041..=0x30FF => counts[4] += 3,
                0x4E00..=0x9FFF | 0x3400..=0x4DBF => counts[3] += 1,
                _ => {}
            }
        }
        let unspaced = counts[3] + counts[4];
        if unspaced * 2 >= counts[0].max(counts[1]).max(counts[2]).max(1) && unspaced > 0 && unspaced * 3 >= counts[0] {
            return Ok(if counts[4] * 5 > counts[3] { Language::Japanese } else { Language::Chinese });
        }
        if counts[1] > counts[0] && counts[1] >= counts[2] {
            return Ok(Language::Russian);
        }
        if counts[2] > counts[0] {
            return Ok(Language::Arabic);
        }
        self.latin_language(sample, &characters)
    }

    fn latin_language(&self, sample: TextRef<'_>, characters: &[char]) -> Result<Language, LexiconError> {
        let tokens = Tokens::new(sample);
        let words: Vec<&str> = (0..tokens.len())
            .filter(|&index| tokens.get(index).is_some_and(|token| token.class == TokenClass::Word))
            .map(|index| tokens.form(index))
            .collect();
        let share = |language: Language| -> Result<usize, LexiconError> {
            let lexicon = self.get(language)?;
            Ok(words.iter().filter(|word| lexicon.is_frequent(word)).count())
        };
        let english = share(Language::English)?;
        let is_ascii = characters.iter().all(|character| !character.is_alphabetic() || character.is_ascii());
        if words.is_empty() || (is_ascii && english * 3 > words.len()) {
            return Ok(Language::English);
        }
        let mut best = (english, Language::English);
        for language in [Language::German, Language::French, Language::Spanish] {
            let count = share(language)?;
            if count > best.0 {
                best = (count, language);
            }
        }
        Ok(best.1)
    }
}

/// Number of characters that language detection examines.
const SAMPLE_CHARS: usize = 1_500;

fn parse_fraction(value: &str) -> Option<Number> {
    let value = value.trim();
    if let Some((numerator, denominator)) = value.split_once('/') {
        return Number::new(numerator.trim().parse().ok()?, denominator.trim().parse().ok()?);
    }
    crate::number::parse_digits(value, '.')
}
