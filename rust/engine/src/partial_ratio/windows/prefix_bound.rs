//! The prefix bound: excludes windows by a prefix of the needle.

use super::{LANES, WindowSearch};
use crate::Error;
use crate::partial_ratio::lcs::Kernel;
use crate::text::CodeUnit;

/// About one in this many characters of a needle is outside the LCS with a random window.
const CHARS_PER_LEFT_OUT: usize = 3;

/// Returns the number of words of the needle's masks after which a random window has more characters outside the LCS
/// than a good window, which has at most `out`. Returns `None` if that takes all words, or too many for a fast kernel.
pub(crate) fn prefix_words(needle: usize, out: usize) -> Option<usize> {
    let words = (CHARS_PER_LEFT_OUT * out).div_ceil(64).max(1);
    (64 * words < needle && words <= 2).then_some(words)
}

impl<T: CodeUnit, K: Kernel<T>> WindowSearch<'_, '_, T, K> {
    /// Returns, for each range, whether any of its windows may be useful, by the prefix bound.
    ///
    /// Let the prefix have `j` characters, and let `t` be the position after the first `j` characters of the last
    /// window. The path of a window's LCS passes `t` at some position of the needle. If that is after `j` or more
    /// characters, the needle's characters after the prefix add at most their number, `m - j`. Otherwise the rest of
    /// the window adds at most its length, `m - j`. So no LCS exceeds that of the prefix and the text up to `t`, plus
    /// `m - j`.
    pub(super) fn pass_prefix_bound(&mut self, windows: [(usize, usize); LANES]) -> Result<[bool; LANES], Error> {
        let out = self.needle.saturating_sub(self.relevance_bound());
        let Some(words) = prefix_words(self.needle, out) else { return Ok([true; LANES]) };
        let chars = 64 * words;
        let parts = windows.map(|(first, last)| &self.text[first..last + chars]);
        let Some(lcs) = self.kernel.lcs_lanes_of_prefix(words, parts, self.meter)? else { return Ok([true; LANES]) };
        self.budget = self.budget.saturating_sub(LANES * parts[0].len() * words);
        Ok(lcs.map(|lcs| lcs + out >= chars))
    }
}
