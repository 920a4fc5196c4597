//! Tokens by number and numbers by token.

use std::hash::{BuildHasher, RandomState};

use super::pool::push_all;
use crate::Error;

/// Most tokens: their numbers share 32 bits with a mark.
const MAX_TOKENS: usize = 1 << 31;

/// Each token once, one behind the other, found by open addressing. The hash has a key of its own,
/// so that nobody can write texts whose tokens all collide.
#[derive(Debug)]
pub(super) struct Dictionary {
    hasher: RandomState,
    /// The numbers of tokens plus one, at the place of their hash or behind it; 0 is free.
    slots: Vec<u32>,
    bytes: Vec<u8>,
    /// Where in `bytes` each token ends.
    ends: Vec<u32>,
}

impl Dictionary {
    pub(super) fn new() -> Self {
        Self { hasher: RandomState::new(), slots: vec![0; 16], bytes: Vec::new(), ends: Vec::new() }
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
        self.slots[self.slot(token)].checked_sub(1)
    }

    /// The number of `token`: the next one if it is new.
    pub(super) fn number(&mut self, token: &[u8]) -> Result<u32, Error> {
        let slot = self.slot(token);
        if let Some(number) = self.slots[slot].checked_sub(1) {
            return Ok(number);
        }
        let end = self.bytes.len() + token.len();
        if self.len() + 1 >= MAX_TOKENS || end > u32::MAX as usize {
            return Err(Error::IndexFull);
        }
        push_all(&mut self.bytes, token);
        push_all(&mut self.ends, &[end as u32]);
        self.slots[slot] = self.len() as u32;
        if 8 * self.len() > 7 * self.slots.len() {
            self.grow();
        }
        Ok(self.len() as u32 - 1)
    }

    /// Where `token` stands, or would.
    #[inline]
    fn slot(&self, token: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.hasher.hash_one(token) as usize & mask;
        while let Some(number) = self.slots[slot].checked_sub(1) {
            if self.token(number) == token {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        let mask = self.slots.len() - 1;
        for number in 0..self.len() as u32 {
            let mut slot = self.hasher.hash_one(self.token(number)) as usize & mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            self.slots[slot] = number + 1;
        }
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of::<u32>() * (self.slots.capacity() + self.ends.capacity()) + self.bytes.capacity()
    }
}
