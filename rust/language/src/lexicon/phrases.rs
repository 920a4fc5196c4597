//! A trie of phrases of one or more words.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Role;

/// The number of a word that no phrase contains.
pub(crate) const UNKNOWN: u32 = 0;

/// The data of a phrase, or of the first words of one.
#[derive(Debug, Default)]
pub(crate) struct PhraseNode {
    /// Its possible roles; empty for words that only begin a phrase.
    pub(crate) roles: Vec<Role>,
    /// Its canonical form.
    pub(crate) canonical: Option<Box<str>>,
    /// Whether longer phrases begin with it.
    pub(crate) has_longer: bool,
    /// Whether a number, date or time may begin with it.
    pub(crate) begins_value: bool,
    /// Whether it is an article.
    pub(crate) is_article: bool,
    /// Whether it is a frequent word.
    pub(crate) is_frequent: bool,
    /// Whether it ends an ordinal in digits: "rd" in "3rd".
    pub(crate) is_ordinal_ending: bool,
    /// Whether it is a day or month only if capitalised: "may".
    pub(crate) needs_capital: bool,
    /// Whether it is a contraction.
    pub(crate) is_contraction: bool,
}

/// All phrases. The number of a word is also that of its node.
#[derive(Debug)]
pub(crate) struct PhraseTrie {
    nodes: Vec<PhraseNode>,
    words: FxHashMap<Box<str>, u32>,
    /// Maps a node and the number of the next word to the longer phrase.
    transitions: FxHashMap<(u32, u32), u32>,
}

impl PhraseTrie {
    pub(super) fn with_capacity(words: usize) -> Self {
        let mut nodes = Vec::with_capacity(words);
        nodes.push(PhraseNode::default());
        Self {
            nodes,
            words: FxHashMap::with_capacity_and_hasher(words, FxBuildHasher),
            transitions: FxHashMap::default(),
        }
    }

    /// Returns the number of a word, or [`UNKNOWN`] if no phrase contains it.
    #[inline]
    pub(crate) fn word(&self, form: &str) -> u32 {
        self.words.get(form).copied().unwrap_or(UNKNOWN)
    }

    #[inline]
    pub(crate) fn node(&self, number: u32) -> &PhraseNode {
        &self.nodes[number as usize]
    }

    /// Returns the number of the node that `word` leads to, if a phrase continues with it.
    #[inline]
    pub(crate) fn transition(&self, number: u32, word: u32) -> Option<u32> {
        if word == UNKNOWN { None } else { self.transitions.get(&(number, word)).copied() }
    }

    /// Returns the node of space-separated words; that of [`UNKNOWN`] if they are no phrase.
    pub(crate) fn find(&self, words: &str) -> &PhraseNode {
        let mut parts = words.split(' ').map(|form| self.word(form));
        let first = parts.next().unwrap_or(UNKNOWN);
        self.node(parts.try_fold(first, |number, word| self.transition(number, word)).unwrap_or(UNKNOWN))
    }

    /// Returns the number of a word, which is added if it is new.
    pub(super) fn add_word(&mut self, form: &str) -> u32 {
        if let Some(&number) = self.words.get(form) {
            return number;
        }
        let number = self.add_node();
        self.words.insert(form.into(), number);
        number
    }

    /// Returns the numbers of the first word and of the node of a phrase; adds the phrase if it is new.
    pub(super) fn add<'a>(&mut self, forms: impl Iterator<Item = &'a str>) -> Option<(u32, u32)> {
        let mut first = None;
        let mut number = UNKNOWN;
        for form in forms {
            let word = self.add_word(form);
            if first.is_none() {
                (first, number) = (Some(word), word);
                continue;
            }
            self.nodes[number as usize].has_longer = true;
            number = match self.transitions.get(&(number, word)) {
                Some(&next) => next,
                None => {
                    let next = self.add_node();
                    self.transitions.insert((number, word), next);
                    next
                }
            };
        }
        first.map(|first| (first, number))
    }

    pub(super) fn node_mut(&mut self, number: u32) -> &mut PhraseNode {
        &mut self.nodes[number as usize]
    }

    fn add_node(&mut self) -> u32 {
        self.nodes.push(PhraseNode::default());
        self.nodes.len() as u32 - 1
    }
}
