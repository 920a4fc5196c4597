//! The dictionary of an index, which numbers its tokens.
//!
//! A new token gets the highest number, and the first texts contain the frequent words, so a higher number usually
//! means a rarer token. Counting makes that exact, and drops the tokens of removed sets.

use std::hash::{BuildHasher, RandomState};

use super::posting_lists::push_all;
use super::set_store::SetStore;
use super::token_set::{TokenRef, sort_and_dedup};
use crate::Error;

/// The maximum number of tokens: a token number shares 32 bits with a flag.
const MAX_TOKENS: usize = 1 << 31;

/// The maximum length of a token that is stored in its slot, in bytes. Most words are shorter.
const SHORT: usize = size_of::<u64>();

/// A slot of the hash table, at the position of its token's hash or after it.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The token, padded with zeros. For a longer token, the lower half is its start in `long`, and the upper half is
    /// the half of the hash that does not select the slot.
    word: u64,
    /// The length of the token, in bytes.
    len: u32,
    /// The number of the token plus one; 0 for a free slot.
    number: u32,
}

/// A hash table of tokens with open addressing. The hash has secret keys, so that an attacker cannot craft a text
/// whose tokens all collide.
#[derive(Debug)]
pub(super) struct Dictionary {
    keys: [u64; 2],
    slots: Vec<Slot>,
    len: usize,
    /// The tokens that are too long for a slot, concatenated.
    long: Vec<u8>,
}

impl Dictionary {
    pub(super) fn new() -> Self {
        let random = RandomState::new();
        let keys = [0, 1].map(|key: u64| random.hash_one(key) | 1);
        Self { keys, slots: vec![Slot::default(); 16], len: 0, long: Vec::new() }
    }

    /// Returns the number of tokens.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Calls `found` with each token and its number, in no particular order.
    pub(super) fn each(&self, mut found: impl FnMut(&[u8], u32)) {
        for slot in self.slots.iter().filter(|slot| slot.number > 0) {
            found(self.token(slot, &mut [0; SHORT]), slot.number - 1);
        }
    }

    #[inline]
    pub(super) fn find(&self, token: &[u8]) -> Option<u32> {
        self.slots[self.place(token, self.word_of(token))].number.checked_sub(1)
    }

    /// Returns the number of `token`, which is the next free number if the token is new.
    pub(super) fn number(&mut self, token: &[u8]) -> Result<u32, Error> {
        let hashed = self.word_of(token);
        let place = self.place(token, hashed);
        if let Some(number) = self.slots[place].number.checked_sub(1) {
            return Ok(number);
        }
        if self.len + 1 >= MAX_TOKENS || self.long.len() + token.len() > u32::MAX as usize {
            return Err(Error::IndexFull);
        }
        let mut word = hashed.word;
        if token.len() > SHORT {
            word |= self.long.len() as u64;
            push_all(&mut self.long, token);
        }
        self.len += 1;
        self.slots[place] = Slot { word, len: token.len() as u32, number: self.len as u32 };
        if 4 * self.len > 3 * self.slots.len() {
            self.grow();
        }
        Ok(self.len as u32 - 1)
    }

    #[inline(always)]
    fn word_of(&self, token: &[u8]) -> Hashed {
        if token.len() > SHORT {
            let hash = hash(token, self.keys);
            return Hashed { word: hash >> 32 << 32, hash };
        }
        let word = padded(token);
        Hashed { word, hash: hash_word(word, token.len(), self.keys) }
    }

    /// Returns the index of the slot of `token`, or of the free slot for it.
    #[inline(always)]
    fn place(&self, token: &[u8], hashed: Hashed) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hashed.hash as usize & mask;
        loop {
            let slot = &self.slots[place];
            if slot.number == 0 || (slot.len as usize == token.len() && self.holds(slot, token, hashed.word)) {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    /// Returns whether the token of a slot, which is as long as `token`, equals it.
    #[inline]
    fn holds(&self, slot: &Slot, token: &[u8], word: u64) -> bool {
        if token.len() <= SHORT {
            return slot.word == word;
        }
        slot.word >> 32 == word >> 32 && self.token(slot, &mut [0; SHORT]) == token
    }

    fn token<'a>(&'a self, slot: &Slot, buffer: &'a mut [u8; SHORT]) -> &'a [u8] {
        let len = slot.len as usize;
        if len > SHORT {
            return &self.long[slot.word as u32 as usize..][..len];
        }
        *buffer = slot.word.to_le_bytes();
        &buffer[..len]
    }

    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); mask + 1]);
        for slot in old.iter().filter(|slot| slot.number > 0) {
            let mut place = self.word_of(self.token(slot, &mut [0; SHORT])).hash as usize & mask;
            while self.slots[place].number != 0 {
                place = (place + 1) & mask;
            }
            self.slots[place] = *slot;
        }
    }

    /// Returns the number of bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Slot>() * self.slots.capacity() + self.long.capacity()
    }
}

/// The hash of a token, and the `word` of its slot apart from a position in `long`.
#[derive(Clone, Copy, Debug)]
struct Hashed {
    word: u64,
    hash: u64,
}

/// Returns a short token as a number, padded with zeros. Uses two overlapping loads instead of a loop.
#[inline]
fn padded(token: &[u8]) -> u64 {
    let len = token.len();
    if let (Some(first), Some(last)) = (token.first_chunk::<4>(), token.last_chunk::<4>()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4));
    }
    let byte = |at: usize| u64::from(token[at]) << (8 * at);
    if len == 0 { 0 } else { byte(0) | byte(len / 2) | byte(len - 1) }
}

/// Returns a hash of `token` that depends on the secret `keys`. It multiplies each eight bytes into a 128-bit product
/// and folds the halves. It is several times as fast as the standard library's hash.
#[inline]
fn hash(token: &[u8], keys: [u64; 2]) -> u64 {
    let (words, rest) = token.as_chunks::<SHORT>();
    let state =
        words.iter().fold(keys[0] ^ token.len() as u64, |state, word| fold(state, u64::from_le_bytes(*word), keys[1]));
    fold(fold(state, padded(rest), keys[1]), keys[0], keys[1])
}

/// Returns the [`hash`] of a token of at most one word.
#[inline]
fn hash_word(word: u64, len: usize, keys: [u64; 2]) -> u64 {
    fold(fold(keys[0] ^ len as u64, word, keys[1]), keys[0], keys[1])
}

#[inline]
fn fold(state: u64, word: u64, key: u64) -> u64 {
    let product = u128::from(state ^ word) * u128::from(key);
    product as u64 ^ (product >> 64) as u64
}

/// Renumbers the tokens of `sets`, with 0 for the most frequent one, and returns their new dictionary.
pub(super) fn reorder_by_frequency(dictionary: &Dictionary, sets: &mut SetStore) -> Result<Dictionary, Error> {
    let mut counts = vec![0_u32; dictionary.len()];
    for member in sets.iter().flat_map(|(_, set)| set) {
        counts[member.number() as usize] += 1;
    }
    let mut order: Vec<u32> = (0..counts.len() as u32).filter(|&number| counts[number as usize] > 0).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(counts[number as usize]));
    let mut tokens = vec![Box::default(); dictionary.len()];
    dictionary.each(|token, number| tokens[number as usize] = Box::<[u8]>::from(token));
    let mut ranked = Dictionary::new();
    let mut renumbered = counts;
    for number in order {
        renumbered[number as usize] = ranked.number(&tokens[number as usize])?;
    }
    sets.remap(|set| {
        let member = |member: &TokenRef| TokenRef::new(renumbered[member.number() as usize], member.is_stop());
        let mut set: Vec<TokenRef> = set.iter().map(member).collect();
        sort_and_dedup(&mut set);
        set
    });
    Ok(ranked)
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{Dictionary, SHORT, padded};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_dictionary_numbers_tokens_like_a_map(
            tokens in prop::collection::vec(prop::collection::vec(0..3_u8, 0..20), 0..300),
        ) {
            let (mut dictionary, mut map) = (Dictionary::new(), HashMap::new());
            for token in &tokens {
                prop_assert_eq!(map.get(token).copied(), dictionary.find(token));
                let next = map.len() as u32;
                prop_assert_eq!(*map.entry(token.clone()).or_insert(next), dictionary.number(token).unwrap());
            }
            let mut found = HashMap::new();
            dictionary.each(|token, number| assert!(found.insert(token.to_vec(), number).is_none()));
            prop_assert_eq!(map, found);
        }

        #[test]
        fn a_short_token_is_padded_with_zeros(token in prop::collection::vec(any::<u8>(), 0..=SHORT)) {
            let mut bytes = [0; SHORT];
            bytes[..token.len()].copy_from_slice(&token);
            prop_assert_eq!(u64::from_le_bytes(bytes), padded(&token));
        }
    }
}
