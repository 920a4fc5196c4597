//! How much a text may keep for later searches, all kinds of them together.

use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that may still be kept. Threads share it.
#[derive(Debug)]
pub(crate) struct MemoryBudget(AtomicUsize);

impl MemoryBudget {
    pub(crate) fn new(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// Takes `bytes`, if so many are left, and says whether they were.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }
}

/// No limit, for what is not kept.
impl Default for MemoryBudget {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}
