//! The same patterns in each text width used so far.

use std::sync::OnceLock;

use super::automaton::Automaton;
use super::group_index::WidthStore;
use super::pattern_store::PatternStore;
use crate::text::{CodeUnit, TextRef};

/// The patterns in up to three widths. The widest existing set contains all patterns.
#[derive(Debug, Default)]
pub(super) struct PatternStores {
    pub(super) ucs1: OnceLock<WidthStore<u8>>,
    pub(super) ucs2: OnceLock<WidthStore<u16>>,
    pub(super) ucs4: OnceLock<WidthStore<u32>>,
}

impl PatternStores {
    /// Returns the patterns for texts with one byte per character.
    pub(super) fn ucs1(&self) -> &WidthStore<u8> {
        self.ucs1.get_or_init(|| self.derive())
    }

    /// Returns the patterns for texts with two bytes per character.
    pub(super) fn ucs2(&self) -> &WidthStore<u16> {
        self.ucs2.get_or_init(|| self.derive())
    }

    /// Returns the patterns for texts with four bytes per character.
    pub(super) fn ucs4(&self) -> &WidthStore<u32> {
        self.ucs4.get_or_init(|| self.derive())
    }

    fn derive<T: CodeUnit>(&self) -> WidthStore<T> {
        if let Some(set) = self.ucs4.get() {
            convert(set.patterns(), TextRef::Ucs4)
        } else if let Some(set) = self.ucs2.get() {
            convert(set.patterns(), TextRef::Ucs2)
        } else {
            self.ucs1
                .get()
                .map_or_else(|| WidthStore::new([].into_iter(), 0), |set| convert(set.patterns(), TextRef::Ucs1))
        }
    }

    pub(super) fn automaton(&self) -> Option<Automaton> {
        if let Some(set) = self.ucs4.get() {
            Automaton::new(set.patterns())
        } else if let Some(set) = self.ucs2.get() {
            Automaton::new(set.patterns())
        } else {
            Automaton::new(self.ucs1().patterns())
        }
    }
}

fn convert<'a, S: CodeUnit, T: CodeUnit>(
    patterns: &'a PatternStore<S>,
    units: fn(&'a [S]) -> TextRef<'a>,
) -> WidthStore<T> {
    WidthStore::new(patterns.iter().map(units), patterns.chars())
}
