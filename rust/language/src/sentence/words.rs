//! The word lists of the rules.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde::Deserialize;

/// The text that may follow the full stop of an abbreviation inside a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Abbreviation {
    /// Any text: no sentence ends here (`Dr.`, `e.g.`).
    Inside,
    /// Any text, if the abbreviation is capitalised (`Gen.`; a *gen.* may end a sentence).
    Title,
    /// A number (`No.`, `p.`).
    Number,
    /// Any text, except a word that often begins sentences (`Inc.`).
    Name,
    /// Any text, except a capital (`etc.`).
    Last,
    /// Any text, except a capital; a capital too among the first words of a sentence (`At 5 a.m. Mr. Chen`).
    Time,
}

/// The content of `words.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sentence_starters: String,
    names_with_exclamation_mark: String,
    ordinal_nouns: String,
    quotation_particles: String,
    abbreviations: HashMap<Abbreviation, String>,
}

/// The word lists, in lower case.
pub(super) struct Words {
    starters: HashSet<Box<str>>,
    exclamations: HashSet<Box<str>>,
    ordinal_nouns: HashSet<Box<str>>,
    particles: Box<str>,
    abbreviations: HashMap<Box<str>, Abbreviation>,
}

/// Maximum length of a listed word, in characters.
pub(super) const MAX_WORD_CHARS: usize = 12;

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("words.toml")).expect("the file is part of the crate");
    Words::new(&file)
});

/// Returns the word lists.
pub(super) fn words() -> &'static Words {
    &WORDS
}

impl Words {
    fn new(file: &File) -> Self {
        let set = |list: &str| list.split_whitespace().map(Into::into).collect();
        let abbreviations = file.abbreviations.iter();
        Self {
            starters: set(&file.sentence_starters),
            exclamations: set(&file.names_with_exclamation_mark),
            ordinal_nouns: set(&file.ordinal_nouns),
            particles: file.quotation_particles.as_str().into(),
            abbreviations: abbreviations
                .flat_map(|(&kind, list)| list.split_whitespace().map(move |word| (word.into(), kind)))
                .collect(),
        }
    }

    /// Returns the kind of the abbreviation `word`, given without its last full stop.
    pub(super) fn abbreviation(&self, word: &str) -> Option<Abbreviation> {
        self.abbreviations.get(word).copied()
    }

    /// Returns whether a word often begins sentences and is rarely a name.
    pub(super) fn is_sentence_starter(&self, word: &str) -> bool {
        self.starters.contains(word)
    }

    /// Returns whether a word is a name that ends in an exclamation mark.
    pub(super) fn ends_in_exclamation(&self, word: &str) -> bool {
        self.exclamations.contains(word)
    }

    /// Returns whether a German ordinal such as "3." may precede a word.
    pub(super) fn follows_ordinal(&self, word: &str) -> bool {
        self.ordinal_nouns.contains(word)
    }

    /// Returns whether a character is a Japanese particle that continues a sentence after a quotation.
    pub(super) fn follows_quotation(&self, character: char) -> bool {
        self.particles.contains(character)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_in_one_list_in_lower_case_and_short() {
        let file: File = toml::from_str(include_str!("words.toml")).unwrap();
        let abbreviations: Vec<&str> = file.abbreviations.values().map(String::as_str).collect();
        for list in
            [&abbreviations.join(" "), &file.sentence_starters, &file.names_with_exclamation_mark, &file.ordinal_nouns]
        {
            let words: Vec<&str> = list.split_whitespace().collect();
            let distinct: HashSet<&str> = words.iter().copied().collect();
            assert_eq!(distinct.len(), words.len(), "a word is listed twice");
            assert!(words.iter().all(|word| (1..=MAX_WORD_CHARS).contains(&word.chars().count())));
            assert!(words.iter().all(|word| word.to_lowercase() == **word));
        }
    }
}
