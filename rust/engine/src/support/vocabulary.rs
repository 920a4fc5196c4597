//! Words as numbers.

use std::collections::HashMap;

use super::words::lower;
use crate::Error;
use crate::folding::Folding;
use crate::interrupt::{Interrupt, Meter};
use crate::text::{Unit, Units, with_units};

/// So many first characters tell words apart.
pub(super) const PREFIX_CHARS: usize = 6;

const CODE_BITS: u32 = 21;

/// What makes a word that word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// Up to six characters in 21 bits each, the last one lowest.
    Short(u128),
    /// A longer one: only words with digits have more.
    Long(Box<[u32]>),
}

impl Key {
    /// The key of a word that is compared as a whole.
    pub(super) fn of(codes: impl Iterator<Item = u32> + Clone) -> Self {
        let mut prefix = Self::prefix();
        codes.clone().take(PREFIX_CHARS + 1).for_each(|code| prefix.push(code));
        if prefix.len > PREFIX_CHARS { Self::Long(codes.collect()) } else { Self::Short(prefix.packed) }
    }

    /// The beginning of a word.
    pub(super) fn prefix() -> Prefix {
        Prefix { packed: 0, len: 0 }
    }
}

/// The first six of the characters that are pushed.
pub(super) struct Prefix {
    packed: u128,
    len: usize,
}

impl Prefix {
    #[inline]
    pub(super) fn push(&mut self, code: u32) {
        if self.len < PREFIX_CHARS {
            self.packed = self.packed << CODE_BITS | u128::from(code);
        }
        self.len += 1;
    }

    pub(super) fn packed(&self) -> u128 {
        self.packed
    }
}

/// What looking a word up takes, in characters that are looked at.
const WORD_CHARS: usize = 32;

/// A list of common words, which are no content. Only the first six characters of a word and its
/// length are compared.
#[derive(Debug)]
pub struct Common(HashMap<u128, Vec<usize>, Folding>);

impl Common {
    /// The list of `words`.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn new(words: &[Units<'_>], interrupt: &dyn Interrupt) -> Result<Self, Error> {
        let mut meter = Meter::new(interrupt);
        let mut lengths: HashMap<u128, Vec<usize>, Folding> = HashMap::with_hasher(Folding::new());
        for &word in words {
            let mut prefix = Key::prefix();
            with_units!(word, units => units.iter().for_each(|unit| prefix.push(lower(unit.code()))));
            // As much work as some dozen characters, however short the word.
            meter.add(word.len() + WORD_CHARS)?;
            let known = lengths.entry(prefix.packed()).or_default();
            if !known.contains(&word.len()) {
                known.push(word.len());
            }
        }
        Ok(Self(lengths))
    }

    #[inline]
    pub(super) fn has(&self, prefix: u128, len: usize) -> bool {
        self.0.get(&prefix).is_some_and(|lengths| lengths.contains(&len))
    }
}

/// Numbers words in the order in which they first come.
#[derive(Debug)]
pub(super) struct Vocabulary {
    short: HashMap<u128, u32, Folding>,
    long: HashMap<Box<[u32]>, u32>,
}

impl Vocabulary {
    pub(super) fn new() -> Self {
        Self { short: HashMap::with_hasher(Folding::new()), long: HashMap::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.short.len() + self.long.len()
    }

    pub(super) fn get(&self, key: &Key) -> Option<u32> {
        match key {
            Key::Short(packed) => self.short.get(packed).copied(),
            Key::Long(codes) => self.long.get(codes).copied(),
        }
    }

    /// The number of `key`, a new one if need be. A text has less than 2³² words.
    pub(super) fn intern(&mut self, key: Key) -> u32 {
        let next = self.len() as u32;
        match key {
            Key::Short(packed) => *self.short.entry(packed).or_insert(next),
            Key::Long(codes) => *self.long.entry(codes).or_insert(next),
        }
    }
}
