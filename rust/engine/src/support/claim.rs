//! A claim as numbers: its different words are its slots.

use super::vocabulary::{Common, Vocabulary};
use super::words::Words;
use crate::Error;
use crate::interrupt::Meter;
use crate::text::{Units, with_units};

/// A claim, read against the words of the passages.
#[derive(Debug)]
pub(super) struct Claim {
    /// The slots of its words in their order.
    pub(super) sequence: Vec<u32>,
    /// For each slot, whether it is a number or a name.
    pub(super) is_detail: Vec<bool>,
}

impl Claim {
    /// Number of different words.
    pub(super) fn len(&self) -> usize {
        self.is_detail.len()
    }

    /// Two words that follow each other, unless they are the same.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        self.sequence.windows(2).map(|pair| (pair[0], pair[1])).filter(|(one, other)| one != other)
    }
}

/// Which slot of a claim each word of the passages is. One for all claims of a call.
#[derive(Debug)]
pub(super) struct Slots {
    by_word: Vec<u32>,
    taken: Vec<u32>,
}

const NO_SLOT: u32 = u32::MAX;

impl Slots {
    /// None of `words` words is in a claim.
    pub(super) fn new(words: usize) -> Self {
        Self { by_word: vec![NO_SLOT; words], taken: Vec::new() }
    }

    #[inline]
    pub(super) fn of(&self, word: u32) -> Option<u32> {
        Some(self.by_word[word as usize]).filter(|&slot| slot != NO_SLOT)
    }

    /// Reads `text`, and forgets the claim before.
    pub(super) fn read(
        &mut self,
        text: Units<'_>,
        vocabulary: &Vocabulary,
        common: &Common,
        meter: &mut Meter<'_>,
    ) -> Result<Claim, Error> {
        for word in self.taken.drain(..) {
            self.by_word[word as usize] = NO_SLOT;
        }
        let mut claim = Claim { sequence: Vec::new(), is_detail: Vec::new() };
        let mut elsewhere = Vocabulary::new();
        let mut slots_elsewhere = Vec::new();
        with_units!(text, units => Words::new(units, common).each(meter, |word| {
            let next = claim.len() as u32;
            let slot = match vocabulary.get(&word.key) {
                Some(known) => self.take(known, next),
                None => {
                    let number = elsewhere.intern(word.key) as usize;
                    if number == slots_elsewhere.len() {
                        slots_elsewhere.push(next);
                    }
                    slots_elsewhere[number]
                }
            };
            if slot == next {
                claim.is_detail.push(false);
            }
            claim.is_detail[slot as usize] |= word.is_detail;
            claim.sequence.push(slot);
        }))?;
        Ok(claim)
    }

    /// The slot of `word`, which is `next` if it has none yet.
    fn take(&mut self, word: u32, next: u32) -> u32 {
        let slot = &mut self.by_word[word as usize];
        if *slot == NO_SLOT {
            *slot = next;
            self.taken.push(word);
        }
        *slot
    }
}
