//! The cache of prepared sources of one process.

use std::sync::Arc;

use arc_swap::ArcSwap;
use groundwire_engine::{Normalizer, batch::SourceCache};

/// A cache and its process. After a fork, another thread may have been changing the cache, and will never
/// finish in the child, so the child begins with an empty one.
pub(super) struct ProcessStore {
    normalizer: &'static Normalizer,
    max_bytes: usize,
    current: ArcSwap<(u32, SourceCache<'static>)>,
}

impl ProcessStore {
    pub(super) fn new(normalizer: &'static Normalizer, max_bytes: usize) -> Self {
        Self {
            normalizer,
            max_bytes,
            current: ArcSwap::from_pointee((std::process::id(), SourceCache::new(normalizer, max_bytes))),
        }
    }

    /// Returns the cache of this process.
    pub(super) fn get(&self) -> Arc<(u32, SourceCache<'static>)> {
        let current = self.current.load_full();
        if current.0 == std::process::id() {
            return current;
        }
        let own = Arc::new((std::process::id(), SourceCache::new(self.normalizer, self.max_bytes)));
        self.current.store(Arc::clone(&own));
        own
    }
}
