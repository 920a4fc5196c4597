//! Search for one needle in one text: seed, full windows, affix windows.

use std::borrow::Cow;

use super::candidates::Candidates;
use super::lcs::{BlockwiseLcs, FixedWords, Kernel, NeedleMasks, with_kernel};
use super::pattern_mask::{MaskUnit, PatternMask};
use super::query::Request;
use super::seeds::Seed;
use super::windows::WindowSearch;
use super::{Goal, Ratio, ScoreAlignment, plan, seaweed};
use crate::cancel::CancelMeter;
use crate::text::TextRef;
use crate::{Error, Span};

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
                    let (largest, leftmost) = seaweed::best_window(self.needle, self.text, windows.meter())?;
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
    seaweed::best_lcs(needle, windows.text(), best, is_window, windows.meter())
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
