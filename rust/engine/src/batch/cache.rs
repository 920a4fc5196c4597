//! A cache of prepared sources with bounded memory.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxBuildHasher;

use super::RowError;
use super::prepared::Prepared;
use crate::Error;
use crate::cancel::Cancel;
use crate::normalize::Normalizer;

/// The memory of a cached source in addition to its own, in bytes.
const SLOT_BYTES: usize = 512;

/// A cache of prepared sources by text. It evicts the least recently used ones when it exceeds its memory. Sources in
/// use may exceed it. The cache can be shared between threads.
#[derive(Debug)]
pub struct SourceCache<'n> {
    normalizer: &'n Normalizer,
    max_bytes: usize,
    state: Mutex<CacheState>,
}

#[derive(Debug, Default)]
struct CacheState {
    entries: HashMap<u64, Entry>,
    /// The hashes, in the order of their last use.
    order: BTreeMap<u64, u64>,
    clock: u64,
    bytes: usize,
}

#[derive(Debug)]
struct Entry {
    slot: Arc<Slot>,
    used: u64,
    bytes: usize,
}

/// A text with its prepared source.
#[derive(Debug)]
pub(super) struct Slot {
    hash: u64,
    text: Box<str>,
    prepared: Mutex<Option<Arc<Prepared>>>,
}

impl Slot {
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the prepared source. The first caller prepares it, and the others wait.
    pub(super) fn prepared(&self, normalizer: &Normalizer, cancel: &dyn Cancel) -> Result<Arc<Prepared>, Error> {
        let mut prepared = lock(&self.prepared);
        if let Some(prepared) = &*prepared {
            return Ok(Arc::clone(prepared));
        }
        Ok(Arc::clone(prepared.insert(Arc::new(Prepared::new(&self.text, normalizer, cancel)?))))
    }

    fn own_bytes(&self) -> usize {
        SLOT_BYTES + self.text.len()
    }

    fn bytes(&self) -> usize {
        self.own_bytes() + lock(&self.prepared).as_ref().map_or(0, |prepared| prepared.heap_bytes())
    }
}

/// Returns a fast, insecure hash of a text. A collision of two texts only causes one of them to be prepared again.
pub(super) fn hash(text: &[u8]) -> u64 {
    FxBuildHasher.hash_one(text)
}

impl<'n> SourceCache<'n> {
    /// Creates an empty cache of at most `max_bytes` bytes. `normalizer` normalises sources and quotes.
    #[must_use]
    pub fn new(normalizer: &'n Normalizer, max_bytes: usize) -> Self {
        Self { normalizer, max_bytes, state: Mutex::default() }
    }

    /// Returns the number of cached sources, and their memory in bytes.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        let state = lock(&self.state);
        (state.entries.len(), state.bytes)
    }

    pub(super) fn normalizer(&self) -> &'n Normalizer {
        self.normalizer
    }

    /// Returns the slot of `text`, which has this hash.
    pub(super) fn slot(&self, hash: u64, text: Option<&[u8]>) -> Result<Arc<Slot>, RowError> {
        let bytes = text.ok_or(RowError::NullSource)?;
        let known = lock(&self.state).entries.get(&hash).map(|entry| Arc::clone(&entry.slot));
        // Compares without holding the lock. A different text with the same hash is replaced.
        if let Some(slot) = known.filter(|slot| slot.text.as_bytes() == bytes) {
            return Ok(slot);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| RowError::SourceNotUtf8)?.into();
        let slot = Arc::new(Slot { hash, text, prepared: Mutex::default() });
        Ok(lock(&self.state).insert_or_get(slot))
    }

    /// Updates the memory of a slot after its use, which may evict others.
    pub(super) fn evict(&self, slot: &Arc<Slot>) {
        let bytes = slot.bytes();
        let evicted = lock(&self.state).evict(slot, bytes, self.max_bytes);
        drop(evicted);
    }
}

impl CacheState {
    /// Inserts a slot, or returns the one that another thread has inserted in the meantime.
    fn insert_or_get(&mut self, slot: Arc<Slot>) -> Arc<Slot> {
        match self.entries.get(&slot.hash) {
            Some(entry) if entry.slot.text == slot.text => return Arc::clone(&entry.slot),
            Some(_) => drop(self.remove(slot.hash)),
            None => {}
        }
        self.insert(&slot, slot.own_bytes());
        slot
    }

    fn insert(&mut self, slot: &Arc<Slot>, bytes: usize) {
        self.clock += 1;
        self.bytes += bytes;
        self.order.insert(self.clock, slot.hash);
        self.entries.insert(slot.hash, Entry { slot: Arc::clone(slot), used: self.clock, bytes });
    }

    fn remove(&mut self, hash: u64) -> Option<Entry> {
        let entry = self.entries.remove(&hash)?;
        self.order.remove(&entry.used);
        self.bytes -= entry.bytes;
        Some(entry)
    }

    /// Returns the removed entries, so that they are dropped without holding the lock.
    fn evict(&mut self, slot: &Arc<Slot>, bytes: usize, max_bytes: usize) -> Vec<Entry> {
        let mut evicted: Vec<Entry> = self.remove(slot.hash).into_iter().collect();
        self.insert(slot, bytes);
        while self.bytes > max_bytes
            && let Some((_, &oldest)) = self.order.first_key_value()
        {
            evicted.extend(self.remove(oldest));
        }
        evicted
    }
}

/// Locks a mutex, even after a panic: no thread leaves its data inconsistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
