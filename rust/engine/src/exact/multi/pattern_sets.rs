//! The same patterns in each text width used so far.

use std::sync::OnceLock;

use super::automaton::Automaton;
use super::group_index::Set;
use super::pattern_store::PatternStore;
use crate::text::{CodeUnit, TextRef};

/// The patterns in up to three widths. The widest existing set contains all patterns.
#[derive(Debug, Default)]
pub(super) struct Sets {
    pub(super) narrow: OnceLock<Set<u8>>,
    pub(super) wide: OnceLock<Set<u16>>,
    pub(super) widest: OnceLock<Set<u32>>,
}

impl Sets {
    /// Returns the patterns for texts with one byte per character.
    pub(super) fn narrow(&self) -> &Set<u8> {
        self.narrow.get_or_init(|| self.derive())
    }

    /// Returns the patterns for texts with two bytes per character.
    pub(super) fn wide(&self) -> &Set<u16> {
        self.wide.get_or_init(|| self.derive())
    }

    /// Returns the patterns for texts with four bytes per character.
    pub(super) fn widest(&self) -> &Set<u32> {
        self.widest.get_or_init(|| self.derive())
    }

    fn derive<T: CodeUnit>(&self) -> Set<T> {
        if let Some(set) = self.widest.get() {
            convert(set.needles(), TextRef::Ucs4)
        } else if let Some(set) = self.wide.get() {
            convert(set.needles(), TextRef::Ucs2)
        } else {
            self.narrow.get().map_or_else(|| Set::new([].into_iter(), 0), |set| convert(set.needles(), TextRef::Ucs1))
        }
    }

    pub(super) fn automaton(&self) -> Option<Automaton> {
        if let Some(set) = self.widest.get() {
            Automaton::new(set.needles())
        } else if let Some(set) = self.wide.get() {
            Automaton::new(set.needles())
        } else {
            Automaton::new(self.narrow().needles())
        }
    }
}

fn convert<'a, S: CodeUnit, T: CodeUnit>(needles: &'a PatternStore<S>, units: fn(&'a [S]) -> TextRef<'a>) -> Set<T> {
    Set::new(needles.iter().map(units), needles.chars())
}
