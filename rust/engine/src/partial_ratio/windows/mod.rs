//! Branch and bound: finds the best window as long as the needle without scoring every window.
//!
//! `ALGORITHMS.md` explains the bound ("Walk"). The better the best score, the longer the steps. So a few windows are
//! scored in advance: the seeds, and samples from the whole text.
//!
//! Source: the bound is RapidFuzz's (`partial_ratio` in its C++ library).

mod prefix_bound;
mod sweep;
mod visited;

pub(crate) use prefix_bound::prefix_words;
use visited::VisitedRanges;

use super::Goal;
use super::cost::WALK_ALONE_FACTOR;
use super::lcs::{Kernel, LANES};
use crate::Error;
use crate::cancel::CancelMeter;
use crate::text::CodeUnit;

/// Maximum number of windows sampled in advance.
const MAX_SAMPLES: usize = 32;

/// The search among all windows of one text for one needle.
pub(crate) struct WindowSearch<'a, 'm, T, K> {
    text: &'a [T],
    needle: usize,
    kernel: K,
    meter: &'a mut CancelMeter<'m>,
    goal: Goal,
    /// The minimum LCS of an accepted window.
    floor: usize,
    /// The maximum LCS so far, at least `floor - 1`.
    best: usize,
    /// The windows that had the best LCS when they were scored; recorded only if the caller needs the window.
    scored: Vec<ScoredWindow>,
    /// The ranges that could contain a window as good or better when both of their ends were scored.
    ranges: Vec<UnscoredRange>,
    /// The right halves that remain to be bisected.
    halves: Vec<UnscoredRange>,
    /// The windows that were scored one by one.
    visited: VisitedRanges,
    /// The number of table cells that may still be computed before another strategy is cheaper.
    budget: usize,
}

/// A window, given by its start, and its LCS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ScoredWindow {
    start: usize,
    lcs: usize,
}

/// The unscored range between two scored windows.
#[derive(Clone, Copy)]
struct UnscoredRange {
    left: ScoredWindow,
    right: ScoredWindow,
}

impl UnscoredRange {
    /// Returns an upper bound of the LCS of the windows in between.
    fn bound(self) -> usize {
        usize::midpoint(self.left.lcs + self.right.lcs, self.right.start - self.left.start)
    }

    fn is_empty(self) -> bool {
        self.right.start - self.left.start <= 1
    }
}

impl<'a, 'm, T: CodeUnit, K: Kernel<T>> WindowSearch<'a, 'm, T, K> {
    /// Creates a search among all windows of `text`, which must have at least `needle` characters; `needle` is at least
    /// 1.
    pub(crate) fn new(
        text: &'a [T],
        needle: usize,
        (floor, goal): (usize, Goal),
        kernel: K,
        budget: usize,
        meter: &'a mut CancelMeter<'m>,
    ) -> Self {
        let floor = floor.max(1);
        let (scored, ranges, halves, visited) = (Vec::new(), Vec::new(), Vec::new(), VisitedRanges::default());
        Self { text, needle, kernel, meter, goal, floor, best: floor - 1, scored, ranges, halves, visited, budget }
    }

    pub(crate) fn text(&self) -> &'a [T] {
        self.text
    }

    /// Returns the start of the last window.
    pub(crate) fn last(&self) -> usize {
        self.text.len() - self.needle
    }

    fn window(&self, start: usize) -> &'a [T] {
        &self.text[start..start + self.needle]
    }

    /// Charges the budget for windows with `chars` characters in total.
    fn charge(&mut self, chars: usize) {
        self.budget = self.budget.saturating_sub(chars * self.needle.div_ceil(64));
    }

    /// Returns whether the search was abandoned, so that its results are not reliable.
    pub(crate) fn is_budget_exhausted(&self) -> bool {
        self.budget == 0
    }

    fn score(&mut self, start: usize) -> Result<ScoredWindow, Error> {
        self.charge(WALK_ALONE_FACTOR * self.needle);
        let lcs = self.kernel.lcs(self.window(start), self.meter)?;
        let scored = ScoredWindow { start, lcs };
        self.record(scored);
        Ok(scored)
    }

    fn score_lanes(&mut self, starts: [usize; LANES]) -> Result<[ScoredWindow; LANES], Error> {
        self.charge(LANES * self.needle);
        let scores = self.kernel.lcs_lanes(starts.map(|start| self.window(start)), self.meter)?;
        let scored = std::array::from_fn(|lane| ScoredWindow { start: starts[lane], lcs: scores[lane] });
        scored.iter().for_each(|&scored| self.record(scored));
        Ok(scored)
    }

    fn record(&mut self, scored: ScoredWindow) {
        if scored.lcs >= self.relevance_bound() {
            self.best = scored.lcs;
            if self.goal == Goal::Window {
                self.scored.push(scored);
            }
        }
    }

    /// Returns the minimum LCS that can change the result: a better one, or an equal one if the window matters.
    pub(crate) fn relevance_bound(&self) -> usize {
        if self.best < self.floor { self.floor } else { self.goal.useful_after(self.best, self.needle) }
    }

    /// Returns the maximum LCS so far, at least the floor minus one.
    pub(crate) fn best(&self) -> usize {
        self.best
    }

    /// Returns the meter that the work is charged to.
    pub(crate) fn meter(&mut self) -> &mut CancelMeter<'m> {
        self.meter
    }

    /// Returns the minimum LCS that improves on the best one and can change the result.
    fn improving_bound(&self) -> usize {
        self.relevance_bound().max(self.best + 1)
    }

    /// Returns whether no other window can change the result, or the search was abandoned.
    fn is_settled(&self) -> bool {
        self.relevance_bound() > self.needle || self.is_budget_exhausted()
    }

    /// Records a window that was scored elsewhere.
    pub(crate) fn record_at(&mut self, start: usize, lcs: usize) {
        self.record(ScoredWindow { start, lcs });
    }

    /// Scores some windows spread over the text.
    pub(crate) fn sample(&mut self) -> Result<(), Error> {
        let last = self.last();
        let samples = (last / (4 * self.needle)).min(MAX_SAMPLES);
        (1..=samples).try_for_each(|sample| self.score(last / (samples + 1) * sample).map(drop))
    }

    /// Returns the maximum LCS of any window if it is at least the floor, otherwise a smaller number.
    pub(crate) fn best_lcs(&mut self) -> Result<usize, Error> {
        self.sweep()?;
        let mut ranges = std::mem::take(&mut self.ranges);
        ranges.sort_unstable_by_key(|range| std::cmp::Reverse(range.bound()));
        for &range in &ranges {
            if range.bound() < self.improving_bound() || self.is_budget_exhausted() {
                break;
            }
            self.bisect(range, Self::improving_bound)?;
        }
        self.ranges = ranges;
        Ok(self.best)
    }

    fn push_range(&mut self, range: UnscoredRange) {
        if !range.is_empty() && range.bound() >= self.relevance_bound() {
            self.ranges.push(range);
        }
    }

    /// Scores those windows that start in `first..=last` and could be useful.
    pub(crate) fn score_range(&mut self, (first, last): (usize, usize)) -> Result<(), Error> {
        self.charge(last - first + self.needle);
        let lcs = self.kernel.lcs(&self.text[first..last + self.needle], self.meter)?;
        self.score_range_if_promising(lcs, first, last)
    }

    /// Does the same for up to [`LANES`] ranges of equal length.
    pub(crate) fn score_ranges(&mut self, windows: &[(usize, usize)]) -> Result<(), Error> {
        // Unused lanes repeat the last range.
        let lanes = std::array::from_fn(|lane| windows[lane.min(windows.len() - 1)]);
        let are_promising = self.pass_prefix_bound(lanes)?;
        if are_promising.iter().filter(|&&is_promising| is_promising).count() <= LANES / 2 || windows.len() < LANES {
            let mut promising = windows.iter().zip(are_promising).filter(|(_, is_promising)| *is_promising);
            return promising.try_for_each(|(&windows, _)| self.score_range(windows));
        }
        let parts = lanes.map(|(first, last)| &self.text[first..last + self.needle]);
        self.charge(LANES * parts[0].len());
        let lcs = self.kernel.lcs_lanes(parts, self.meter)?;
        (0..LANES).try_for_each(|lane| self.score_range_if_promising(lcs[lane], lanes[lane].0, lanes[lane].1))
    }

    /// Returns whether all windows that start in `first..=last` were scored one by one.
    pub(crate) fn is_visited(&self, (first, last): (usize, usize)) -> bool {
        self.visited.has(first, last)
    }

    /// Scores the windows that start in `first..=last` if `lcs`, the LCS of the text that spans all of them, is high
    /// enough.
    fn score_range_if_promising(&mut self, lcs: usize, first: usize, last: usize) -> Result<(), Error> {
        if lcs < self.relevance_bound() {
            return Ok(());
        }
        let Some((first, last)) = self.visited.unvisited(first, last) else { return Ok(()) };
        let range = UnscoredRange { left: self.score(first)?, right: self.score(last)? };
        self.bisect(range, Self::improving_bound)?;
        if self.goal == Goal::Window {
            self.push_range(range);
        }
        Ok(())
    }

    /// Scores windows in a range, left before right, as long as one could have an LCS of at least `least`.
    fn bisect(&mut self, range: UnscoredRange, least: impl Fn(&Self) -> usize) -> Result<(), Error> {
        let mut next = Some(range);
        while let Some(range) = next {
            next = if self.is_budget_exhausted() {
                self.halves.clear();
                None
            } else if range.is_empty() || range.bound() < least(self) {
                self.halves.pop()
            } else {
                let middle = self.score(usize::midpoint(range.left.start, range.right.start))?;
                self.halves.push(UnscoredRange { left: middle, right: range.right });
                Some(UnscoredRange { left: range.left, right: middle })
            };
        }
        Ok(())
    }

    /// Returns the start of the leftmost window with the LCS that [`best_lcs`](Self::best_lcs) returned, if that was at
    /// least the floor.
    pub(crate) fn leftmost(&mut self) -> Result<Option<usize>, Error> {
        let mut ranges = std::mem::take(&mut self.ranges);
        ranges.sort_unstable_by_key(|range| range.left.start);
        for range in ranges {
            if self.is_budget_exhausted() || self.leftmost_scored().is_some_and(|start| start <= range.left.start) {
                break;
            }
            self.bisect(range, |windows| windows.best)?;
        }
        Ok(self.leftmost_scored())
    }

    fn leftmost_scored(&self) -> Option<usize> {
        self.scored.iter().filter(|scored| scored.lcs == self.best).map(|scored| scored.start).min()
    }
}
