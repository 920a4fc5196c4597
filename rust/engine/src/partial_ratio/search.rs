//! Search for one needle in one text: seed, full windows, affix windows.
//!
//! Affix windows are the prefixes and suffixes of a text that are shorter than the needle.
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

use std::borrow::Cow;

use super::candidates::Candidates;
use super::lcs::{BlockwiseLcs, FixedWords, Kernel, NeedleMasks, prefix_lcs, with_kernel};
use super::pattern_mask::{MaskUnit, PatternMask};
use super::query::Request;
use super::seeds::Seed;
use super::windows::WindowSearch;
use super::{Goal, Ratio, ScoreAlignment, plan, seaweed};
use crate::cancel::CancelMeter;
use crate::text::TextRef;
use crate::{Error, Span};

/// Number of characters read for each one that may be outside the LCS. In unrelated text, more than one in this many is
/// outside.
const READ_PER_DELETION: usize = 5;

/// Number of characters read in addition to those.
const MIN_READ: usize = 8;

/// A needle, a text that is at least as long, and the request.
pub(super) struct Search<'a, 'm, T: MaskUnit> {
    pub(super) needle: TextRef<'a>,
    pub(super) text: &'a [T],
    pub(super) request: Request,
    /// The masks of the needle, if they exist already.
    pub(super) masks: Option<&'a PatternMask<T>>,
    /// A window known to be good, if any.
    pub(super) seed: Option<Seed>,
    pub(super) meter: &'a mut CancelMeter<'m>,
}

/// The strategy for windows as long as the needle.
#[derive(Clone, Copy)]
pub(super) enum Route<'a> {
    Walk,
    Comb,
    /// Score only these candidates.
    Candidates(&'a Candidates<'a>),
}

impl<T: MaskUnit> Search<'_, '_, T> {
    /// Returns the best window. `exact` is the leftmost occurrence of the needle, if there is one.
    pub(super) fn run(mut self, exact: Option<usize>, route: Route<'_>) -> Result<Option<ScoreAlignment>, Error> {
        let len = self.needle.len();
        let best = if len == 0 {
            let ratio = if self.text.is_empty() { Ratio::new(0, 0) } else { Ratio::NONE };
            ScoreAlignment { ratio, window: Span::new(0, 0), is_swapped: false }
        } else if let Some(start) = exact {
            ScoreAlignment { ratio: Ratio::new(len, 2 * len), window: Span::new(start, start + len), is_swapped: false }
        } else {
            let ready = |masks| NeedleMasks::Ready(Cow::Borrowed(masks));
            let masks = self.masks.map_or_else(|| NeedleMasks::new(self.needle), ready);
            let best = with_kernel!(&masks, kernel => self.best_of_windows(kernel, route))?;
            if self.is_settled(best) { best } else { self.best_affix_window(masks, best)? }
        };
        Ok(Some(best).filter(|best| self.request.cutoff.accepts(best.ratio.score())))
    }

    /// Returns whether no better window can change the result.
    fn is_settled(&self, best: ScoreAlignment) -> bool {
        self.request.goal == Goal::Decision && self.request.cutoff.accepts(best.ratio.score())
    }

    /// Returns the best window as long as the needle.
    fn best_of_windows<K: Kernel<T>>(&mut self, kernel: K, route: Route<'_>) -> Result<ScoreAlignment, Error> {
        let len = self.needle.len();
        let floor = self.request.cutoff.min_lcs(len);
        let none = ScoreAlignment { ratio: Ratio::NONE, window: Span::new(0, len), is_swapped: false };
        if floor > len {
            return Ok(none);
        }
        let budget = plan::cell_budget(len, self.text.len(), self.request.plan_override);
        let mut windows = WindowSearch::new(self.text, len, (floor, self.request.goal), kernel, budget, self.meter);
        if let Some(seed) = self.seed {
            windows.record_at(seed.start, seed.lcs);
        }
        if matches!(route, Route::Walk) && windows.relevance_bound() <= len * 3 / 4 {
            // A high floor allows long steps from the beginning.
            windows.sample()?;
        }
        let mut start = None;
        let mut lcs = match route {
            Route::Candidates(candidates) => windows.best_of(candidates, self.needle)?,
            Route::Comb => match comb(self.needle, &mut windows, self.request.goal)? {
                Some((lcs, leftmost)) => {
                    start = leftmost;
                    lcs
                }
                None => windows.best_lcs()?,
            },
            Route::Walk => windows.best_lcs()?,
        };
        if self.request.goal == Goal::Window && lcs >= floor.max(1) && start.is_none() {
            start = windows.leftmost()?;
        }
        if windows.is_budget_exhausted() {
            (lcs, start) = match comb(self.needle, &mut windows, self.request.goal)? {
                Some(found) => found,
                None => {
                    let (largest, leftmost) = seaweed::best_window(self.needle, self.text, windows.meter)?;
                    (largest, Some(leftmost))
                }
            };
        }
        if lcs < floor.max(1) {
            return Ok(none);
        }
        let window = start.map_or(none.window, |start| Span::new(start, start + len));
        Ok(ScoreAlignment { ratio: Ratio::new(lcs, 2 * len), window, is_swapped: false })
    }

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

/// Combs all windows. Returns the maximum LCS if it exceeds that of the windows scored so far, otherwise the latter; and
/// the start of the leftmost window with it if the goal is a window. Returns `None` if there is no kernel.
fn comb<T: MaskUnit, K: Kernel<T>>(
    needle: TextRef<'_>,
    windows: &mut WindowSearch<'_, '_, T, K>,
    goal: Goal,
) -> Result<Option<(usize, Option<usize>)>, Error> {
    let is_window = goal == Goal::Window;
    // An equally good window may be further to the left.
    let best = if is_window { windows.relevance_bound() - 1 } else { windows.best() };
    seaweed::best_lcs(needle, windows.text, best, is_window, windows.meter)
}

impl ScoreAlignment {
    /// Replaces the window if the new one is better: by score, then the leftmost, then the longest.
    #[inline]
    pub(super) fn consider(&mut self, lcs: usize, needle: usize, window: Span) {
        let ratio = Ratio::new(lcs, needle + window.len());
        // The common case: this runs for every affix of the text, and almost none improves the result.
        if ratio < self.ratio {
            return;
        }
        let place = |window: Span| (window.start, std::cmp::Reverse(window.end));
        if ratio > self.ratio || place(window) < place(self.window) {
            (self.ratio, self.window) = (ratio, window);
        }
    }
}
