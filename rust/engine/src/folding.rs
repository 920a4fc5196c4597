//! A hash of words: the standard one takes longer than reading them. Its seed is random, so that no
//! text can be made to collide.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A hash of 64 bits in each multiplication.
#[derive(Clone, Debug)]
pub struct Folding {
    seed: u64,
}

impl Default for Folding {
    fn default() -> Self {
        Self::new()
    }
}

impl Folding {
    /// One with a seed of its own.
    #[must_use]
    pub fn new() -> Self {
        Self { seed: RandomState::new().hash_one(0_u8) }
    }
}

impl BuildHasher for Folding {
    type Hasher = Folded;

    fn build_hasher(&self) -> Folded {
        Folded(self.seed)
    }
}

/// The hash of one word in the making.
#[derive(Debug)]
pub struct Folded(u64);

/// An odd number without pattern: the golden ratio in 64 bits.
const MULTIPLIER: u128 = 0x9E37_79B9_7F4A_7C15;

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        let (eights, rest) = bytes.as_chunks::<8>();
        eights.iter().for_each(|&eight| self.write_u64(u64::from_ne_bytes(eight)));
        rest.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }

    #[inline]
    fn write_u64(&mut self, value: u64) {
        let product = u128::from(self.0 ^ value) * MULTIPLIER;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    #[inline]
    fn write_u128(&mut self, value: u128) {
        self.write_u64(value as u64);
        self.write_u64((value >> 64) as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
