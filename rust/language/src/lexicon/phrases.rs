//! Entries of one or more words, looked up by word numbers.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Role;

/// The number of a word that is in no entry.
pub(crate) const UNKNOWN: u32 = 0;

/// The data of a word, or of the first words of an entry.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// Its possible roles; empty for a prefix that is not an entry itself.
    pub(crate) roles: Vec<Role>,
    /// Its canonical form.
    pub(crate) same: Option<Box<str>>,
    /// Whether longer entries begin with it.
    pub(crate) has_more: bool,
    /// Whether a number, date or time may begin with it.
    pub(crate) begins_value: bool,
    /// Whether it is an article.
    pub(crate) is_article: bool,
    /// Whether it is one of the frequent words.
    pub(crate) is_frequent: bool,
    /// Whether it is the ending of an ordinal in digits.
    pub(crate) is_ordinal_ending: bool,
    /// Whether it is the name of a day or month only if capitalised.
    pub(crate) needs_capital: bool,
    /// Whether it is a contraction.
    pub(crate) is_contraction: bool,
}

/// All entries. The node of a single word has the word's number.
#[derive(Debug)]
pub(crate) struct Phrases {
    nodes: Vec<Node>,
    words: FxHashMap<Box<str>, u32>,
    /// Maps an entry and the number of the next word to the longer entry.
    steps: FxHashMap<(u32, u32), u32>,
}

impl Phrases {
    pub(super) fn with_capacity(words: usize) -> Self {
        let mut nodes = Vec::with_capacity(words);
        nodes.push(Node::default());
        Self { nodes, words: FxHashMap::with_capacity_and_hasher(words, FxBuildHasher), steps: FxHashMap::default() }
    }

    /// Returns the number of a word, or [`UNKNOWN`] if it is in no entry.
    #[inline]
    pub(crate) fn word(&self, form: &str) -> u32 {
        self.words.get(form).copied().unwrap_or(UNKNOWN)
    }

    #[inline]
    pub(crate) fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    /// Returns the entry of `number` extended by the next word.
    #[inline]
    pub(crate) fn step(&self, number: u32, word: u32) -> Option<u32> {
        if word == UNKNOWN { None } else { self.steps.get(&(number, word)).copied() }
    }

    /// Returns the entry of space-separated words.
    pub(crate) fn find(&self, words: &str) -> &Node {
        let mut parts = words.split(' ').map(|form| self.word(form));
        let first = parts.next().unwrap_or(UNKNOWN);
        self.node(parts.try_fold(first, |number, word| self.step(number, word)).unwrap_or(UNKNOWN))
    }

    /// Returns the number of a word; adds the word if it is new.
    pub(super) fn add_word(&mut self, form: &str) -> u32 {
        if let Some(&number) = self.words.get(form) {
            return number;
        }
        let number = self.add_node();
        self.words.insert(form.into(), number);
        number
    }

    /// Returns the first word and the entry of a sequence of words; adds the entry if it is new.
    pub(super) fn add<'a>(&mut self, forms: impl Iterator<Item = &'a str>) -> Option<(u32, u32)> {
        let mut first = None;
        let mut number = UNKNOWN;
        for form in forms {
            let word = self.add_word(form);
            if first.is_none() {
                (first, number) = (Some(word), word);
                continue;
            }
            self.nodes[number as usize].has_more = true;
            number = match self.steps.get(&(number, word)) {
                Some(&next) => next,
                None => {
                    let next = self.add_node();
                    self.steps.insert((number, word), next);
                    next
                }
            };
        }
        first.map(|first| (first, number))
    }

    pub(super) fn node_mut(&mut self, number: u32) -> &mut Node {
        &mut self.nodes[number as usize]
    }

    fn add_node(&mut self) -> u32 {
        self.nodes.push(Node::default());
        self.nodes.len() as u32 - 1
    }
}
