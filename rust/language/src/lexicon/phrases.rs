//! Entries of one or several words, found by the numbers of their words.

use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Role;

/// The number of a word that is in no entry.
pub(crate) const UNKNOWN: u32 = 0;

/// What is known of a word, or of the words so far of an entry.
#[derive(Debug, Default)]
pub(crate) struct Node {
    /// What it can be; empty for the beginning of an entry that is none itself.
    pub(crate) roles: Vec<Role>,
    /// The form that stands for it.
    pub(crate) same: Option<Box<str>>,
    /// Whether entries go on behind it.
    pub(crate) has_more: bool,
    /// Whether a number, a date or a time may begin with it.
    pub(crate) begins_value: bool,
    /// Whether it is an article.
    pub(crate) is_article: bool,
    /// Whether it is one of the frequent words.
    pub(crate) is_frequent: bool,
    /// Whether it is the ending of an ordinal in digits.
    pub(crate) is_ordinal_ending: bool,
    /// Whether it is a name of a day or a month only with a capital.
    pub(crate) is_capitalised: bool,
    /// Whether it is a contraction.
    pub(crate) is_contraction: bool,
}

/// All entries. The node of a single word has the word's number.
#[derive(Debug)]
pub(crate) struct Phrases {
    nodes: Vec<Node>,
    words: FxHashMap<Box<str>, u32>,
    /// From an entry and the number of the word behind it to the longer entry.
    steps: FxHashMap<(u32, u32), u32>,
}

impl Phrases {
    pub(super) fn with_capacity(words: usize) -> Self {
        let mut nodes = Vec::with_capacity(words);
        nodes.push(Node::default());
        Self { nodes, words: FxHashMap::with_capacity_and_hasher(words, FxBuildHasher), steps: FxHashMap::default() }
    }

    /// The number of a word, [`UNKNOWN`] for one in no entry.
    #[inline]
    pub(crate) fn word(&self, form: &str) -> u32 {
        self.words.get(form).copied().unwrap_or(UNKNOWN)
    }

    #[inline]
    pub(crate) fn node(&self, number: u32) -> &Node {
        &self.nodes[number as usize]
    }

    /// The entry of `number` and the word behind it.
    #[inline]
    pub(crate) fn step(&self, number: u32, word: u32) -> Option<u32> {
        if word == UNKNOWN { None } else { self.steps.get(&(number, word)).copied() }
    }

    /// The entry of some words with a space between.
    pub(crate) fn find(&self, words: &str) -> &Node {
        let mut parts = words.split(' ').map(|form| self.word(form));
        let first = parts.next().unwrap_or(UNKNOWN);
        self.node(parts.try_fold(first, |number, word| self.step(number, word)).unwrap_or(UNKNOWN))
    }

    /// The number of a word, which becomes one if it was none.
    pub(super) fn add_word(&mut self, form: &str) -> u32 {
        if let Some(&number) = self.words.get(form) {
            return number;
        }
        let number = self.add_node();
        self.words.insert(form.into(), number);
        number
    }

    /// The first word and the entry of some words, which becomes one if it was none.
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
