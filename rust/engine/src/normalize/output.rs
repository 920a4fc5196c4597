//! Where normalised text is written: a vector that grows, or room that the caller has.

use std::ops::DerefMut;

use super::clean::Lane;

/// Receives characters at its end; reads as what has been written.
pub(crate) trait Output: DerefMut<Target = [Self::Unit]> {
    /// What a character is written as.
    type Unit: Lane;

    /// Largest code point that may be written.
    const MAX: u32;

    /// Appends the first `kept` of `units`. All of them may be written, which is quicker.
    fn append<const N: usize>(&mut self, units: &[Self::Unit; N], kept: usize);

    /// Appends one character.
    fn push(&mut self, unit: Self::Unit);

    /// Takes back all but the first `len` characters.
    fn truncate(&mut self, len: usize);
}

impl<O: Lane> Output for Vec<O> {
    type Unit = O;

    const MAX: u32 = O::MAX;

    #[inline(always)]
    fn append<const N: usize>(&mut self, units: &[O; N], kept: usize) {
        self.extend_from_slice(units);
        self.truncate(self.len() - (N - kept));
    }

    #[inline(always)]
    fn push(&mut self, unit: O) {
        self.push(unit);
    }

    #[inline(always)]
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
}
