//! The rules of the standard, at a terminator.
//!
//! Source: Unicode Standard Annex #29, rules SB6 to SB11.

use super::{Block, Class, Ending};
use crate::text::Unit;

impl<T: Unit> Block<'_, T> {
    /// Whether the standard ends a sentence here. Something follows the ending.
    pub(super) fn ends_by_standard(&self, ending: &Ending) -> bool {
        let classes = self.reading.classes;
        let next = classes[ending.next];
        if matches!(next, Class::Continue | Class::Stop | Class::End | Class::Wide) {
            return false; // SB8a
        }
        if classes[ending.last] != Class::Stop {
            return true; // SB11
        }
        let is_direct = classes[ending.last + 1..ending.next].iter().all(|&class| class == Class::Hidden);
        if is_direct && next == Class::Digit {
            return false; // SB6
        }
        if is_direct && next == Class::Upper && matches!(self.before(ending.first), Class::Upper | Class::Lower) {
            return false; // SB7
        }
        !self.goes_on_small(ending.next) // SB8
    }

    /// Whether the first letter from `at` on, if no terminator is before it, is a small one.
    fn goes_on_small(&self, at: usize) -> bool {
        use Class::{End, Letter, Line, Lower, Stop, Upper, Wide};
        let decides = |class: &&Class| matches!(class, Lower | Letter | Upper | Line | Stop | End | Wide);
        self.reading.classes[at..self.end].iter().find(decides) == Some(&Lower)
    }

    /// The class of what stands before `at`.
    pub(super) fn before(&self, at: usize) -> Class {
        let classes = self.reading.classes[..at].iter().rev();
        classes.copied().find(|&class| class != Class::Hidden).unwrap_or_default()
    }
}
