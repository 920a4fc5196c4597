//! Windows that cannot be good, by the beginning of the needle alone.

use super::{LANES, WindowSearch};
use crate::Error;
use crate::partial_ratio::lcs::Kernel;
use crate::text::CodeUnit;

/// Chance leaves out one of about so many characters of a needle.
const CHARS_PER_LEFT_OUT: usize = 3;

/// Words of a needle's masks whose characters leave out more by chance than a good window, which leaves `out`: `None`
/// if that takes all of them, or too many to be quick.
pub(crate) fn prefix_words(needle: usize, out: usize) -> Option<usize> {
    let words = (CHARS_PER_LEFT_OUT * out).div_ceil(64).max(1);
    (64 * words < needle && words <= 2).then_some(words)
}

impl<T: CodeUnit, K: Kernel<T>> WindowSearch<'_, '_, T, K> {
    /// Whether any of the windows may be useful, as far as the needle's beginning can tell.
    ///
    /// Let it have `j` characters, and let `t` be where the last window has had as many. The path of a window's LCS
    /// comes by `t` somewhere in the needle: after `j` or more characters, then those after the first `j` add no
    /// more than their number; or before, then what is left of the window does, which is no more than `m - j`. So
    /// no LCS is above that of the beginning and the text up to `t`, and `m - j` more.
    pub(super) fn are_promising(&mut self, windows: [(usize, usize); LANES]) -> Result<[bool; LANES], Error> {
        let out = self.needle.saturating_sub(self.useful());
        let Some(words) = prefix_words(self.needle, out) else { return Ok([true; LANES]) };
        let chars = 64 * words;
        let parts = windows.map(|(first, last)| &self.text[first..last + chars]);
        let Some(lcs) = self.kernel.lcs_lanes_of_beginning(words, parts, self.meter)? else { return Ok([true; LANES]) };
        self.budget = self.budget.saturating_sub(LANES * parts[0].len() * words);
        Ok(lcs.map(|lcs| lcs + out >= chars))
    }
}
