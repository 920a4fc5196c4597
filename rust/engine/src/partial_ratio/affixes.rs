//! Affix windows: the prefixes and suffixes of a text that are shorter than the needle.
//!
//! One pass over each end of the text scores all of them ([`prefix_lcs`]). Usually none of them is good enough, and a
//! shorter test proves it. Let `r` be the ratio to beat, or just below the cutoff. A window of `w` characters that
//! reaches it has an LCS `x` of at least `r · (m + w)`.
//!
//! - Because `x <= w`, `w` is at least `v = r · m / (1 - r)`. So all such prefixes start with the same `t <= v`
//!   characters. And `x >= v`, so at most `m - v` characters of the needle are outside the LCS.
//! - At most `k = w - x` characters of the window are outside the LCS. That is at most `w · (1 - r) - r · m`, with its
//!   maximum at `w = m - 1`.
//!
//! So at least `t - k` of the first `t` characters are in a common subsequence with the needle's first `t + m - v`. One
//! short pass tests both ends, interleaved. Suffixes are prefixes of both sequences reversed, which does not change the
//! LCS.

use super::ScoreAlignment;
use super::lcs::{FixedWords, NeedleMasks, prefix_lcs};
use super::pattern_mask::MaskUnit;
use super::search::Search;
use crate::{Error, Span};

/// Number of characters read for each one that may be outside the LCS. In unrelated text, more than one in this many is
/// outside.
const READ_PER_DELETION: usize = 5;

/// Number of characters read in addition to those.
const MIN_READ: usize = 8;

impl<T: MaskUnit> Search<'_, '_, T> {
    /// Returns the best of `best` and the affix windows of the text.
    pub(super) fn best_affix_window(
        &mut self,
        masks: NeedleMasks<'_, T>,
        mut best: ScoreAlignment,
    ) -> Result<ScoreAlignment, Error> {
        let len = self.needle.len();
        let [prefixes, suffixes] = self.are_useful(&masks, best)?;
        if prefixes {
            best = self.best_prefix(&masks, best)?;
        }
        if suffixes {
            best = self.best_suffix(&masks.reversed(len), best)?;
        }
        Ok(best)
    }

    /// Returns whether a prefix can be better than `best`, and whether a suffix can.
    fn are_useful(&mut self, masks: &NeedleMasks<'_, T>, best: ScoreAlignment) -> Result<[bool; 2], Error> {
        let (len, end) = (self.needle.len(), self.text.len());
        let known = best.ratio.max(self.request.cutoff.below(len));
        let shortest = known.min_window(len);
        if shortest >= len {
            return Ok([false; 2]);
        }
        let deletions = known.max_deletions(len);
        let read = shortest.min(READ_PER_DELETION * deletions + MIN_READ);
        if read < 2 * deletions {
            return Ok([true; 2]);
        }
        let (ends, rows) = ([&self.text[..read], &self.text[end - read..]], len.min(read + len - shortest));
        let lcs = match masks {
            NeedleMasks::Ready(masks) if masks.words() == 1 => FixedWords::<T, 1>(masks).affix_lcs(len, rows, ends),
            NeedleMasks::Ready(masks) if masks.words() == 2 => FixedWords::<T, 2>(masks).affix_lcs(len, rows, ends),
            NeedleMasks::Ready(masks) if masks.words() == 3 => FixedWords::<T, 3>(masks).affix_lcs(len, rows, ends),
            NeedleMasks::Ready(masks) if masks.words() == 4 => FixedWords::<T, 4>(masks).affix_lcs(len, rows, ends),
            _ => return Ok([true; 2]),
        };
        self.meter.charge(2 * read)?;
        Ok(lcs.map(|lcs| lcs + deletions >= read))
    }

    fn best_prefix(&mut self, masks: &NeedleMasks<'_, T>, mut best: ScoreAlignment) -> Result<ScoreAlignment, Error> {
        let len = self.needle.len();
        let prefix = self.text[..len - 1].iter();
        prefix_lcs(masks, prefix, self.meter, |chars, lcs| best.consider(lcs, len, Span::new(0, chars)))?;
        Ok(best)
    }

    /// Returns the best of `best` and all suffixes. `masks` are those of the reversed needle.
    fn best_suffix(&mut self, masks: &NeedleMasks<'_, T>, mut best: ScoreAlignment) -> Result<ScoreAlignment, Error> {
        let (len, end) = (self.needle.len(), self.text.len());
        let suffix = self.text[end - (len - 1)..].iter().rev();
        prefix_lcs(masks, suffix, self.meter, |chars, lcs| best.consider(lcs, len, Span::new(end - chars, end)))?;
        Ok(best)
    }
}
