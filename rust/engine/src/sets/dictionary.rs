//! Tokens by number and numbers by token.

use std::hash::{BuildHasher, RandomState};

use super::pool::push_all;
use crate::Error;

/// Most tokens: their numbers share 32 bits with a mark.
const MAX_TOKENS: usize = 1 << 31;

/// A token at the place of its hash, or behind it: the number plus one, of which 0 is a free place,
/// and the half of the hash that did not choose the place.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    number: u32,
    tag: u32,
}

/// Each token once, one behind the other, found by open addressing. The hash has keys of its own,
/// so that nobody can write texts whose tokens all collide.
#[derive(Debug)]
pub(super) struct Dictionary {
    keys: [u64; 2],
    slots: Vec<Slot>,
    bytes: Vec<u8>,
    /// Where in `bytes` each token ends.
    ends: Vec<u32>,
}

impl Dictionary {
    pub(super) fn new() -> Self {
        let random = RandomState::new();
        let keys = [0, 1].map(|key: u64| random.hash_one(key) | 1);
        Self { keys, slots: vec![Slot::default(); 16], bytes: Vec::new(), ends: Vec::new() }
    }

    /// Number of tokens.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The token of a number.
    pub(super) fn token(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start as usize..self.ends[number] as usize]
    }

    /// The number of `token`, if it has one.
    #[inline]
    pub(super) fn find(&self, token: &[u8]) -> Option<u32> {
        self.slots[self.slot(token, hash(token, self.keys))].number.checked_sub(1)
    }

    /// The number of `token`: the next one if it is new.
    pub(super) fn number(&mut self, token: &[u8]) -> Result<u32, Error> {
        let hash = hash(token, self.keys);
        let slot = self.slot(token, hash);
        if let Some(number) = self.slots[slot].number.checked_sub(1) {
            return Ok(number);
        }
        let end = self.bytes.len() + token.len();
        if self.len() + 1 >= MAX_TOKENS || end > u32::MAX as usize {
            return Err(Error::IndexFull);
        }
        push_all(&mut self.bytes, token);
        push_all(&mut self.ends, &[end as u32]);
        self.slots[slot] = Slot { number: self.len() as u32, tag: tag(hash) };
        if 8 * self.len() > 7 * self.slots.len() {
            self.grow();
        }
        Ok(self.len() as u32 - 1)
    }

    /// Where `token` stands, or would.
    #[inline]
    fn slot(&self, token: &[u8], hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        loop {
            let slot = self.slots[place];
            let Some(number) = slot.number.checked_sub(1) else { return place };
            if slot.tag == tag(hash) && self.token(number) == token {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mask = 2 * self.slots.len() - 1;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); mask + 1]);
        for slot in old {
            let Some(number) = slot.number.checked_sub(1) else { continue };
            let mut place = hash(self.token(number), self.keys) as usize & mask;
            while self.slots[place].number != 0 {
                place = (place + 1) & mask;
            }
            self.slots[place] = slot;
        }
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Slot>() * self.slots.capacity() + size_of::<u32>() * self.ends.capacity() + self.bytes.capacity()
    }
}

/// A hash of `token` that depends on secret `keys`: each eight bytes are multiplied into a product
/// of twice the width, whose halves are folded. Several times as fast as the standard library's.
#[inline]
fn hash(token: &[u8], keys: [u64; 2]) -> u64 {
    let fold = |state: u64, word: u64| {
        let product = u128::from(state ^ word) * u128::from(keys[1]);
        product as u64 ^ (product >> 64) as u64
    };
    let (words, rest) = token.as_chunks::<8>();
    let state = words.iter().fold(keys[0] ^ token.len() as u64, |state, word| fold(state, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    fold(fold(state, u64::from_le_bytes(last)), keys[0])
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}
