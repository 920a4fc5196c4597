//! Sorts occurrences that are found nearly in order.
//!
//! A pass over a text finds occurrences in the order of their q-grams, so an occurrence whose q-gram is far from its
//! start arrives slightly late. Each late occurrence is moved to its position at once. A few long ascending
//! runs remain, one for each pass, and merge in linear time.

/// Maximum number of keys that one key is moved past. A key that belongs further ahead begins a new run.
const MAX_MOVES: usize = 32;

/// Keys in ascending runs.
#[derive(Debug, Default)]
pub(super) struct NearlySorted {
    keys: Vec<u64>,
    /// The start of the last run.
    run: usize,
}

impl NearlySorted {
    /// Appends `key`. `O(1)`.
    #[inline(always)]
    pub(super) fn push(&mut self, key: u64) {
        let is_late = self.keys.last().is_some_and(|&last| last > key);
        self.keys.push(key);
        if is_late {
            self.insert_in_place(key);
        }
    }

    /// Moves the last key, `key`, to its position in the run, or begins a new run.
    fn insert_in_place(&mut self, key: u64) {
        let last = self.keys.len() - 1;
        let first = self.run.max(last.saturating_sub(MAX_MOVES));
        let near = &mut self.keys[first..=last];
        let later = near.iter().rev().skip(1).take_while(|&&other| other > key).count();
        if later == MAX_MOVES {
            self.run = last;
        } else {
            let place = near.len() - 1 - later;
            near[place..].rotate_right(1);
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns all keys in ascending order. Linear in their number if there are few runs.
    pub(super) fn into_sorted(mut self) -> Vec<u64> {
        // The stable sort detects runs and merges them.
        self.keys.sort();
        self.keys
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/nearly_sorted.rs"]
mod tests;
