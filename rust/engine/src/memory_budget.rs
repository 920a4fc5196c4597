//! The memory budget that all indexes of a text share.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of bytes that may still be allocated, shared by all threads.
#[derive(Debug)]
pub(crate) struct MemoryBudget(AtomicUsize);

impl MemoryBudget {
    pub(crate) fn new(bytes: usize) -> Self {
        Self(AtomicUsize::new(bytes))
    }

    /// Takes `bytes` from the budget if enough are left, and returns whether they were.
    pub(crate) fn try_reserve(&self, bytes: usize) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }
}

/// Unlimited, for a text that is searched once.
impl Default for MemoryBudget {
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}
