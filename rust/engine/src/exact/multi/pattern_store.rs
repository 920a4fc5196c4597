//! Patterns stored contiguously in one width.

use crate::text::{CodeUnit, TextRef, dispatch};

/// Concatenated patterns in code units of one width. A pattern with a character that does not fit is stored as empty,
/// because it occurs in no text of this width.
#[derive(Debug)]
pub(super) struct PatternStore<T> {
    units: Vec<T>,
    /// Pattern `i` is `units[bounds[i]..bounds[i + 1]]`.
    bounds: Vec<u32>,
}

impl<T: CodeUnit> PatternStore<T> {
    /// Concatenates `patterns`, which have fewer than 2³² characters in total.
    pub(super) fn new<'a>(patterns: impl ExactSizeIterator<Item = TextRef<'a>>, chars: usize) -> Self {
        let mut store = Self { units: Vec::with_capacity(chars), bounds: Vec::with_capacity(patterns.len() + 1) };
        store.bounds.push(0);
        for pattern in patterns {
            store.push(pattern);
            store.bounds.push(store.units.len() as u32);
        }
        store
    }

    fn push(&mut self, pattern: TextRef<'_>) {
        if let Some(units) = T::downcast(pattern) {
            self.units.extend_from_slice(units);
            return;
        }
        let start = self.units.len();
        dispatch!(pattern, units => {
            for unit in units {
                let Some(unit) = T::from_code(unit.code_point()) else {
                    self.units.truncate(start);
                    return;
                };
                self.units.push(unit);
            }
        });
    }

    /// Returns the number of patterns, including those stored as empty.
    pub(super) fn count(&self) -> usize {
        self.bounds.len() - 1
    }

    /// Returns the total number of characters.
    pub(super) fn chars(&self) -> usize {
        self.units.len()
    }

    #[inline(always)]
    pub(super) fn get(&self, index: usize) -> &[T] {
        &self.units[self.bounds[index] as usize..self.bounds[index + 1] as usize]
    }

    pub(super) fn len_chars(&self, index: usize) -> usize {
        (self.bounds[index + 1] - self.bounds[index]) as usize
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.count()).map(|index| self.get(index))
    }
}
