//! The best window as long as the needle, without looking at every one.
//!
//! Moving a window by one character changes its LCS by at most one. So between two windows `g`
//! apart with LCS `a` and `b` there is none above `(a + b + g) / 2`. Cursors go over the text in
//! steps as long as that bound allows if the next window is like the last one; a gap whose bound
//! turns out too high is kept and bisected in the end, the most promising gap first, as long as
//! its bound is above the best score.
//!
//! The better the best score, the longer the steps. So a few windows are scored before: where
//! pieces of the needle stand in the text, and samples of all of it.
//!
//! Source: the bound is RapidFuzz's (`partial_ratio` in its C++ library).

mod prefix_bound;
mod sweep;
mod visited;

pub(crate) use prefix_bound::prefix_words;
use visited::VisitedRanges;

use super::Want;
use super::lcs::{Kernel, LANES};
use crate::Error;
use crate::cancel::CancelMeter;
use crate::text::CodeUnit;

/// Most windows scored ahead of the cursors.
const MAX_SAMPLES: usize = 32;

/// The windows of one text for one needle.
pub(crate) struct WindowSearch<'a, 'm, T, K> {
    text: &'a [T],
    needle: usize,
    kernel: K,
    meter: &'a mut CancelMeter<'m>,
    want: Want,
    /// Only an LCS of at least this is of interest.
    floor: usize,
    /// The largest LCS that was seen, at least one less than the floor.
    best: usize,
    /// Windows with the best LCS when they were scored, if the caller wants one.
    scored: Vec<Scored>,
    /// Gaps that could hold such a window (or a better one) when both ends were scored.
    gaps: Vec<Gap>,
    /// Right halves that a bisection still has to look at.
    halves: Vec<Gap>,
    /// Windows that were looked at one by one.
    seen: VisitedRanges,
    /// Cells of tables that may still be filled before another way is cheaper.
    budget: usize,
}

/// A window's start and its LCS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scored {
    start: usize,
    lcs: usize,
}

/// The windows between two scored ones.
#[derive(Clone, Copy)]
struct Gap {
    left: Scored,
    right: Scored,
}

impl Gap {
    /// No window in between has a larger LCS.
    fn bound(self) -> usize {
        usize::midpoint(self.left.lcs + self.right.lcs, self.right.start - self.left.start)
    }

    fn is_empty(self) -> bool {
        self.right.start - self.left.start <= 1
    }
}

impl<'a, 'm, T: CodeUnit, K: Kernel<T>> WindowSearch<'a, 'm, T, K> {
    /// All windows of `text`, which has at least `needle` characters, and `needle` at least one.
    /// Only an LCS of at least `floor` is of interest. What needs more than `budget` cells of tables,
    /// of 64 rows each, is given up.
    pub(crate) fn new(
        text: &'a [T],
        needle: usize,
        (floor, want): (usize, Want),
        kernel: K,
        budget: usize,
        meter: &'a mut CancelMeter<'m>,
    ) -> Self {
        let floor = floor.max(1);
        let (scored, gaps, halves, seen) = (Vec::new(), Vec::new(), Vec::new(), VisitedRanges::default());
        Self { text, needle, kernel, meter, want, floor, best: floor - 1, scored, gaps, halves, seen, budget }
    }

    /// The text.
    pub(crate) fn text(&self) -> &'a [T] {
        self.text
    }

    /// Start of the last window.
    pub(crate) fn last(&self) -> usize {
        self.text.len() - self.needle
    }

    fn window(&self, start: usize) -> &'a [T] {
        &self.text[start..start + self.needle]
    }

    /// Books windows that have `chars` characters together.
    fn book(&mut self, chars: usize) {
        self.budget = self.budget.saturating_sub(chars * self.needle.div_ceil(64));
    }

    /// Whether the budget is used up: nothing that was found is to be relied upon.
    pub(crate) fn is_given_up(&self) -> bool {
        self.budget == 0
    }

    fn score(&mut self, start: usize) -> Result<Scored, Error> {
        self.book(self.needle);
        let lcs = self.kernel.lcs(self.window(start), self.meter)?;
        let scored = Scored { start, lcs };
        self.note(scored);
        Ok(scored)
    }

    fn score_lanes(&mut self, starts: [usize; LANES]) -> Result<[Scored; LANES], Error> {
        self.book(LANES * self.needle);
        let scores = self.kernel.lcs_lanes(starts.map(|start| self.window(start)), self.meter)?;
        let scored = std::array::from_fn(|lane| Scored { start: starts[lane], lcs: scores[lane] });
        scored.iter().for_each(|&scored| self.note(scored));
        Ok(scored)
    }

    fn note(&mut self, scored: Scored) {
        if scored.lcs >= self.useful() {
            self.best = scored.lcs;
            if self.want == Want::Window {
                self.scored.push(scored);
            }
        }
    }

    /// The least LCS that still changes anything: a better one, or where it matters which window
    /// it is, one that is as good.
    pub(crate) fn useful(&self) -> usize {
        if self.best < self.floor { self.floor } else { self.want.useful_after(self.best, self.needle) }
    }

    /// The largest LCS so far, at least one less than the floor.
    pub(crate) fn best(&self) -> usize {
        self.best
    }

    /// The meter that the windows' work is booked on.
    pub(crate) fn meter(&mut self) -> &mut CancelMeter<'m> {
        self.meter
    }

    /// The least LCS that is better than the best one, if a better one matters.
    fn better(&self) -> usize {
        self.useful().max(self.best + 1)
    }

    /// Whether nothing that is still to be found changes anything, or it is not to be found like this.
    fn is_settled(&self) -> bool {
        self.useful() > self.needle || self.is_given_up()
    }

    /// Takes over a window that was scored elsewhere.
    pub(crate) fn note_at(&mut self, start: usize, lcs: usize) {
        self.note(Scored { start, lcs });
    }

    /// Scores some windows from all over the text.
    pub(crate) fn sample(&mut self) -> Result<(), Error> {
        let last = self.last();
        let samples = (last / (4 * self.needle)).min(MAX_SAMPLES);
        (1..=samples).try_for_each(|sample| self.score(last / (samples + 1) * sample).map(drop))
    }

    /// The largest LCS of any window if it is at least the floor; otherwise something smaller.
    pub(crate) fn best_lcs(&mut self) -> Result<usize, Error> {
        self.sweep()?;
        let mut gaps = std::mem::take(&mut self.gaps);
        gaps.sort_unstable_by_key(|gap| std::cmp::Reverse(gap.bound()));
        for &gap in &gaps {
            if gap.bound() < self.better() || self.is_given_up() {
                break;
            }
            self.bisect(gap, Self::better)?;
        }
        self.gaps = gaps;
        Ok(self.best)
    }

    fn keep(&mut self, gap: Gap) {
        if !gap.is_empty() && gap.bound() >= self.useful() {
            self.gaps.push(gap);
        }
    }

    /// Scores those of the windows that begin from `first` to `last` that could be useful.
    pub(crate) fn look(&mut self, (first, last): (usize, usize)) -> Result<(), Error> {
        self.book(last - first + self.needle);
        let lcs = self.kernel.lcs(&self.text[first..last + self.needle], self.meter)?;
        self.look_if(lcs, first, last)
    }

    /// The same for up to [`LANES`] times as many windows each.
    pub(crate) fn look_lanes(&mut self, windows: &[(usize, usize)]) -> Result<(), Error> {
        // The lanes that are left over do what another one does.
        let lanes = std::array::from_fn(|lane| windows[lane.min(windows.len() - 1)]);
        let are_promising = self.are_promising(lanes)?;
        if are_promising.iter().filter(|&&is_promising| is_promising).count() <= LANES / 2 || windows.len() < LANES {
            let mut promising = windows.iter().zip(are_promising).filter(|(_, is_promising)| *is_promising);
            return promising.try_for_each(|(&windows, _)| self.look(windows));
        }
        let parts = lanes.map(|(first, last)| &self.text[first..last + self.needle]);
        self.book(LANES * parts[0].len());
        let lcs = self.kernel.lcs_lanes(parts, self.meter)?;
        (0..LANES).try_for_each(|lane| self.look_if(lcs[lane], lanes[lane].0, lanes[lane].1))
    }

    /// Whether all of the windows that begin from `first` to `last` have been looked at one by one.
    pub(crate) fn has_seen(&self, (first, last): (usize, usize)) -> bool {
        self.seen.has(first, last)
    }

    /// No window has a larger LCS than the part of the text that holds all of them.
    fn look_if(&mut self, lcs: usize, first: usize, last: usize) -> Result<(), Error> {
        if lcs < self.useful() {
            return Ok(());
        }
        let Some((first, last)) = self.seen.unseen(first, last) else { return Ok(()) };
        let gap = Gap { left: self.score(first)?, right: self.score(last)? };
        self.bisect(gap, Self::better)?;
        if self.want == Want::Window {
            self.keep(gap);
        }
        Ok(())
    }

    /// Scores windows in a gap, left before right, as long as one could have the LCS that `least`
    /// asks for.
    fn bisect(&mut self, gap: Gap, least: impl Fn(&Self) -> usize) -> Result<(), Error> {
        let mut next = Some(gap);
        while let Some(gap) = next {
            next = if self.is_given_up() {
                self.halves.clear();
                None
            } else if gap.is_empty() || gap.bound() < least(self) {
                self.halves.pop()
            } else {
                let middle = self.score(usize::midpoint(gap.left.start, gap.right.start))?;
                self.halves.push(Gap { left: middle, right: gap.right });
                Some(Gap { left: gap.left, right: middle })
            };
        }
        Ok(())
    }

    /// Start of the leftmost window with the LCS that [`best_lcs`](Self::best_lcs) returned, if it was at least the
    /// floor.
    pub(crate) fn leftmost(&mut self) -> Result<Option<usize>, Error> {
        let mut gaps = std::mem::take(&mut self.gaps);
        gaps.sort_unstable_by_key(|gap| gap.left.start);
        for gap in gaps {
            if self.is_given_up() || self.leftmost_scored().is_some_and(|start| start <= gap.left.start) {
                break;
            }
            self.bisect(gap, |windows| windows.best)?;
        }
        Ok(self.leftmost_scored())
    }

    fn leftmost_scored(&self) -> Option<usize> {
        self.scored.iter().filter(|scored| scored.lcs == self.best).map(|scored| scored.start).min()
    }
}
