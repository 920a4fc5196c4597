//! The dictionary of an index, which numbers its tokens.
//!
//! A new token gets the highest number, and the first texts contain the frequent words, so a higher number usually
//! means a rarer token. Counting makes that exact, and drops the tokens of removed sets.

use std::hash::BuildHasher;

use hashbrown::hash_table::Entry;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::posting_lists::push_all;
use super::set_store::SetStore;
use super::token_set::{TokenRef, sort_and_dedup};
use crate::Error;

/// The maximum number of tokens: a token number shares 32 bits with a flag.
const MAX_TOKENS: usize = 1 << 31;

/// A hash table of tokens. The hash has secret keys, so that an attacker cannot craft a text whose tokens all collide.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    hasher: DefaultHashBuilder,
    numbers: HashTable<u32>,
    /// The tokens, concatenated by number, and the end of each.
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Dictionary {
    #[inline]
    fn token(&self, number: u32) -> &[u8] {
        token(&self.bytes, &self.ends, number)
    }

    #[inline]
    pub(super) fn find(&self, token: &[u8]) -> Option<u32> {
        self.numbers.find(self.hasher.hash_one(token), |&number| self.token(number) == token).copied()
    }

    /// Returns the number of `token`, which is the next free number if the token is new.
    pub(super) fn number(&mut self, token: &[u8]) -> Result<u32, Error> {
        let Self { hasher, numbers, bytes, ends } = self;
        let token_of = |number: &u32| self::token(bytes, ends, *number);
        let hash = |number: &u32| hasher.hash_one(token_of(number));
        match numbers.entry(hasher.hash_one(token), |number| token_of(number) == token, hash) {
            Entry::Occupied(number) => Ok(*number.get()),
            Entry::Vacant(_) if ends.len() + 1 >= MAX_TOKENS || bytes.len() + token.len() > u32::MAX as usize => {
                Err(Error::IndexFull)
            }
            Entry::Vacant(free) => {
                let number = *free.insert(ends.len() as u32).get();
                push_all(bytes, token);
                push_all(ends, &[bytes.len() as u32]);
                Ok(number)
            }
        }
    }

    /// Returns the number of bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.numbers.allocation_size() + self.bytes.capacity() + size_of::<u32>() * self.ends.capacity()
    }
}

#[inline]
fn token<'a>(bytes: &'a [u8], ends: &[u32], number: u32) -> &'a [u8] {
    let start = number.checked_sub(1).map_or(0, |before| ends[before as usize]);
    &bytes[start as usize..ends[number as usize] as usize]
}

/// Renumbers the tokens of `sets`, with 0 for the most frequent one, and returns their new dictionary.
pub(super) fn reorder_by_frequency(dictionary: &Dictionary, sets: &mut SetStore) -> Result<Dictionary, Error> {
    let mut counts = vec![0_u32; dictionary.ends.len()];
    for member in sets.iter().flat_map(|(_, set)| set) {
        counts[member.number() as usize] += 1;
    }
    let mut order: Vec<u32> = (0..counts.len() as u32).filter(|&number| counts[number as usize] > 0).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(counts[number as usize]));
    let mut ranked = Dictionary::default();
    let mut renumbered = counts;
    for number in order {
        renumbered[number as usize] = ranked.number(dictionary.token(number))?;
    }
    sets.remap(|set| {
        let member = |member: &TokenRef| TokenRef::new(renumbered[member.number() as usize], member.is_stop());
        let mut set: Vec<TokenRef> = set.iter().map(member).collect();
        sort_and_dedup(&mut set);
        set
    });
    Ok(ranked)
}
