//! Whether a passage can contradict a claim at all: what their words can be, without reading either.
//!
//! Reading a sentence by the lexicons takes a tenth of a millisecond, and nearly all pairs come to
//! nothing: there is no number, date, denial or opposite to compare, or too little in common. Only
//! what cannot be found is ruled out here.

use std::collections::{HashMap, HashSet};

use super::glimpse::Glimpse;
use super::surroundings::{READ_CHARS, sentences};
use super::vocabulary::Key;
use super::words::lower;
use crate::folding::Folding;
use crate::interrupt::Meter;
use crate::text::{Units, with_units};
use crate::{Error, Interrupt, Span};

/// What a word can be to a contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Role {
    /// A number or a scale.
    Amount = 1,
    /// It denies.
    Denial = 2,
    /// It joins the words of a number.
    Joiner = 4,
    /// It is no content.
    Common = 8,
    /// Whatever else a lexicon knows, such as a unit.
    Known = 16,
    /// A date.
    Date = 32,
}

/// The roles of one word, and its opposites.
#[derive(Debug, Default)]
pub(super) struct Entry {
    roles: u8,
    number: u32,
    pub(super) has_opposites: bool,
    /// What it is compared by as a unit or a date.
    pub(super) values: Vec<u128>,
}

impl Entry {
    pub(super) fn is(&self, role: Role) -> bool {
        self.roles & role as u8 != 0
    }

    pub(super) fn number(&self) -> u32 {
        self.number
    }
}

/// The telling words of one language. All of them are in small letters.
#[derive(Debug, Default)]
pub struct Telling {
    entries: HashMap<Vec<u32>, Entry, Folding>,
    /// By the numbers of words, those of their opposites.
    opposites: Vec<Vec<u32>>,
    /// The keys of what units and dates are compared by.
    values: HashSet<u128, Folding>,
}

impl Telling {
    /// Notes that `word` can be `role`.
    pub fn add(&mut self, word: &str, role: Role) {
        self.entry(word).roles |= role as u8;
    }

    /// Notes that `one` and `other` are opposites.
    pub fn add_opposites(&mut self, one: &str, other: &str) {
        for (word, opposite) in [(one, other), (other, one)] {
            let opposite = self.entry(opposite).number;
            let entry = self.entry(word);
            entry.has_opposites = true;
            let number = entry.number as usize;
            self.opposites[number].push(opposite);
        }
    }

    /// Notes what `word`, a unit or a date, is compared by.
    pub fn add_value(&mut self, word: &str, value: &str) {
        let mut prefix = Key::prefix();
        value.chars().for_each(|character| prefix.push(lower(character.into())));
        self.values.insert(prefix.packed());
        self.entry(word).values.push(prefix.packed());
    }

    fn entry(&mut self, word: &str) -> &mut Entry {
        let next = self.opposites.len() as u32;
        let codes = word.chars().map(|character| lower(character.into())).collect();
        let entry = self.entries.entry(codes).or_insert_with(|| Entry { number: next, ..Entry::default() });
        if entry.number == next {
            self.opposites.push(Vec::new());
        }
        entry
    }

    pub(super) fn get(&self, word: &[u32]) -> Option<&Entry> {
        self.entries.get(word)
    }

    pub(super) fn opposites(&self, number: u32) -> &[u32] {
        &self.opposites[number as usize]
    }

    pub(super) fn is_value(&self, key: u128) -> bool {
        self.values.contains(&key)
    }

    /// For each of `stretches`, a passage and a part of it, the sentences around that part if they
    /// have to be read for what contradicts `claim`, or `None` if nothing can be found there.
    ///
    /// Of the claim, and of each passage beside the stretch, a thousand characters are looked at.
    ///
    /// # Errors
    ///
    /// The interrupt asked to stop.
    pub fn sentences_to_read(
        &self,
        claim: Units<'_>,
        stretches: &[(Units<'_>, Span)],
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<Option<Span>>, Error> {
        let mut meter = Meter::new(interrupt);
        let claim = claim.slice(0..claim.len().min(READ_CHARS));
        let claim = with_units!(claim, units => Glimpse::of(units, self));
        let mut found = Vec::with_capacity(stretches.len());
        for &(passage, stretch) in stretches {
            meter.add(READ_CHARS)?;
            found.push(with_units!(passage, units => {
                let around = sentences(units, stretch);
                let passage = Glimpse::of(&units[around.start..around.end], self);
                can_contradict(claim.as_ref(), passage.as_ref(), self).then_some(around)
            }));
        }
        Ok(found)
    }
}

/// Where one of them has words that are not told apart here, anything is possible.
fn can_contradict(claim: Option<&Glimpse>, passage: Option<&Glimpse>, telling: &Telling) -> bool {
    let (Some(claim), Some(passage)) = (claim, passage) else { return true };
    claim.may_differ(passage, telling) && claim.may_share(passage, telling)
}
