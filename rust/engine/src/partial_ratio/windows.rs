//! Branch and bound: finds the best window as long as the needle without scoring every window.
//!
//! `ALGORITHMS.md` explains the bound ("Walk"). The better the best score, the longer the steps. So a few windows are
//! scored in advance: the seeds, and samples from the whole text.
//!
//! Source: the bound is RapidFuzz's (`partial_ratio` in its C++ library).

use super::Goal;
use super::cost::WALK_ALONE_FACTOR;
use super::lcs::{Kernel, LANES};
use super::visited_ranges::VisitedRanges;
use crate::Error;
use crate::cancel::CancelMeter;
use crate::text::CodeUnit;

/// Maximum number of windows sampled in advance.
const MAX_SAMPLES: usize = 32;

/// Minimum step of a cursor, in characters.
const MIN_STEP: usize = 2;

/// The search among all windows of one text for one needle.
pub(super) struct WindowSearch<'a, 'm, T, K> {
    pub(super) text: &'a [T],
    pub(super) needle: usize,
    pub(super) kernel: K,
    /// The meter that the work is charged to.
    pub(super) meter: &'a mut CancelMeter<'m>,
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

/// A cursor of the sweep, which crosses the windows from `at` to `last`.
#[derive(Clone, Copy)]
struct SweepCursor {
    at: ScoredWindow,
    last: usize,
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
    pub(super) fn new(
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

    /// Returns the start of the last window.
    pub(super) fn last(&self) -> usize {
        self.text.len() - self.needle
    }

    fn window(&self, start: usize) -> &'a [T] {
        &self.text[start..start + self.needle]
    }

    /// Charges the budget for windows with `chars` characters in total.
    pub(super) fn charge(&mut self, chars: usize) {
        self.charge_cells(chars * self.needle.div_ceil(64));
    }

    /// Charges the budget for table cells of 64 rows each.
    pub(super) fn charge_cells(&mut self, cells: usize) {
        self.budget = self.budget.saturating_sub(cells);
    }

    /// Returns whether the search was abandoned, so that its results are not reliable.
    pub(super) fn is_budget_exhausted(&self) -> bool {
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
    pub(super) fn relevance_bound(&self) -> usize {
        if self.best < self.floor { self.floor } else { self.goal.useful_after(self.best, self.needle) }
    }

    /// Returns the maximum LCS so far, at least the floor minus one.
    pub(super) fn best(&self) -> usize {
        self.best
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
    pub(super) fn record_at(&mut self, start: usize, lcs: usize) {
        self.record(ScoredWindow { start, lcs });
    }

    /// Scores some windows spread over the text.
    pub(super) fn sample(&mut self) -> Result<(), Error> {
        let last = self.last();
        let samples = (last / (4 * self.needle)).min(MAX_SAMPLES);
        (1..=samples).try_for_each(|sample| self.score(last / (samples + 1) * sample).map(drop))
    }

    /// Returns the maximum LCS of any window if it is at least the floor, otherwise a smaller number.
    pub(super) fn best_lcs(&mut self) -> Result<usize, Error> {
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

    /// Moves several cursors over the whole text, each over its own part.
    fn sweep(&mut self) -> Result<(), Error> {
        let last = self.last();
        if last < LANES * self.needle {
            return self.sweep_alone(0, last);
        }
        let border = |lane: usize| last / LANES * lane;
        let starts = self.score_lanes(std::array::from_fn(border))?;
        let mut cursors: [SweepCursor; LANES] = std::array::from_fn(|lane| SweepCursor {
            at: starts[lane],
            last: if lane + 1 < LANES { starts[lane + 1].start } else { last },
        });
        while !self.is_settled() && cursors.iter().all(|cursor| cursor.at.start < cursor.last) {
            let next = self.score_lanes(cursors.map(|cursor| self.next(cursor)))?;
            for (cursor, next) in cursors.iter_mut().zip(next) {
                self.advance(cursor, next);
            }
        }
        cursors.into_iter().try_for_each(|cursor| self.finish(cursor))
    }

    fn sweep_alone(&mut self, first: usize, last: usize) -> Result<(), Error> {
        let at = self.score(first)?;
        self.finish(SweepCursor { at, last })
    }

    fn finish(&mut self, mut cursor: SweepCursor) -> Result<(), Error> {
        while !self.is_settled() && cursor.at.start < cursor.last {
            let next = self.score(self.next(cursor))?;
            self.advance(&mut cursor, next);
        }
        Ok(())
    }

    /// Returns the next position of a cursor: as far as the bound reaches if the next window scores like the last one,
    /// minus a margin because it may score higher. The margin is small, because a better score may still exclude the
    /// range.
    fn next(&self, cursor: SweepCursor) -> usize {
        let reach = 2 * (self.improving_bound() - cursor.at.lcs);
        let step = reach.saturating_sub(1 + self.needle / 16).max(self.needle / 4).max(MIN_STEP);
        cursor.last.min(cursor.at.start + step)
    }

    fn advance(&mut self, cursor: &mut SweepCursor, next: ScoredWindow) {
        self.push_range(UnscoredRange { left: cursor.at, right: next });
        cursor.at = next;
    }

    fn push_range(&mut self, range: UnscoredRange) {
        if !range.is_empty() && range.bound() >= self.relevance_bound() {
            self.ranges.push(range);
        }
    }

    /// Returns whether all windows that start in `first..=last` were scored one by one.
    pub(super) fn is_visited(&self, (first, last): (usize, usize)) -> bool {
        self.visited.has(first, last)
    }

    /// Scores the windows that start in `first..=last` if `lcs`, the LCS of the text that spans all of them, is high
    /// enough.
    pub(super) fn score_range_if_promising(&mut self, lcs: usize, first: usize, last: usize) -> Result<(), Error> {
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
    pub(super) fn leftmost(&mut self) -> Result<Option<usize>, Error> {
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
