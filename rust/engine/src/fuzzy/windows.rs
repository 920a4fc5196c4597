//! The best window as long as the needle, without looking at every one.
//!
//! Moving a window by one character changes its LCS by at most one. So between two windows `g`
//! apart with LCS `a` and `b` there is none above `(a + b + g) / 2`. Windows on a grid of half a
//! needle are scored first, four at a time; then the gaps are bisected, the most promising first,
//! as long as their bound is above the best score so far.
//!
//! Source: the bound is RapidFuzz's (`partial_ratio` in its C++ library).

use super::lcs::{Kernel, LANES};
use crate::Error;
use crate::interrupt::Meter;
use crate::text::Unit;

/// The windows of one text for one needle.
pub(crate) struct Windows<'a, 'm, T, K> {
    text: &'a [T],
    needle: usize,
    kernel: K,
    meter: &'a mut Meter<'m>,
    /// Start and LCS of the windows scored first, ascending.
    grid: Vec<Scored>,
}

/// A window's start and its LCS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scored {
    pub(crate) start: usize,
    pub(crate) lcs: usize,
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
        (self.left.lcs + self.right.lcs + (self.right.start - self.left.start)) / 2
    }

    fn is_empty(self) -> bool {
        self.right.start - self.left.start <= 1
    }
}

impl<'a, 'm, T: Unit, K: Kernel<T>> Windows<'a, 'm, T, K> {
    /// Scores the grid. `text` has at least `needle` characters, `needle` at least one.
    pub(crate) fn new(text: &'a [T], needle: usize, kernel: K, meter: &'a mut Meter<'m>) -> Result<Self, Error> {
        let last = text.len() - needle;
        let starts = (0..last).step_by((needle / 2).max(1)).chain([last]);
        let mut windows = Self { text, needle, kernel, meter, grid: Vec::new() };
        windows.score_grid(&starts.collect::<Vec<_>>())?;
        Ok(windows)
    }

    fn window(&self, start: usize) -> &'a [T] {
        &self.text[start..start + self.needle]
    }

    fn score_grid(&mut self, starts: &[usize]) -> Result<(), Error> {
        self.grid.reserve_exact(starts.len());
        let (lanes, rest) = starts.as_chunks::<LANES>();
        for lane in lanes {
            self.meter.add(LANES * self.needle)?;
            let scores = self.kernel.lcs_lanes(lane.map(|start| self.window(start)));
            self.grid.extend(lane.iter().zip(scores).map(|(&start, lcs)| Scored { start, lcs }));
        }
        for &start in rest {
            let scored = self.score(start)?;
            self.grid.push(scored);
        }
        Ok(())
    }

    fn score(&mut self, start: usize) -> Result<Scored, Error> {
        self.meter.add(self.needle)?;
        Ok(Scored { start, lcs: self.kernel.lcs(self.window(start)) })
    }

    fn gaps(&self) -> impl DoubleEndedIterator<Item = Gap> + '_ {
        self.grid.array_windows().map(|&[left, right]| Gap { left, right })
    }

    /// The largest LCS of any window if it is at least `floor`; otherwise something smaller.
    pub(crate) fn best_lcs(&mut self, floor: usize) -> Result<usize, Error> {
        let mut best = self.grid.iter().map(|scored| scored.lcs).max().unwrap_or(0).max(floor.saturating_sub(1));
        let mut open: Vec<Gap> = self.gaps().filter(|gap| !gap.is_empty() && gap.bound() > best).collect();
        open.sort_unstable_by_key(|gap| std::cmp::Reverse(gap.bound()));
        for gap in open {
            if gap.bound() <= best {
                break;
            }
            let wanted = best + 1;
            self.bisect(gap, wanted, |scored| {
                best = best.max(scored.lcs);
                best + 1
            })?;
        }
        Ok(best)
    }

    /// Scores windows in a gap, left before right, as long as one could have the `wanted` LCS.
    /// `visit` sees each and says what is wanted from then on.
    fn bisect(&mut self, gap: Gap, mut wanted: usize, mut visit: impl FnMut(Scored) -> usize) -> Result<(), Error> {
        let mut open = vec![gap];
        while let Some(gap) = open.pop() {
            if gap.is_empty() || gap.bound() < wanted {
                continue;
            }
            let middle = self.score(usize::midpoint(gap.left.start, gap.right.start))?;
            wanted = visit(middle);
            open.push(Gap { left: middle, right: gap.right });
            open.push(Gap { left: gap.left, right: middle });
        }
        Ok(())
    }

    /// Start of the leftmost window with at least `lcs`, which some window has.
    pub(crate) fn leftmost(&mut self, lcs: usize) -> Result<Option<usize>, Error> {
        for index in 0..self.grid.len() {
            let right = self.grid[index];
            if let Some(left) = index.checked_sub(1).map(|index| self.grid[index]) {
                let mut found = None;
                self.bisect(Gap { left, right }, lcs, |scored| {
                    if scored.lcs >= lcs && found.is_none_or(|start| scored.start < start) {
                        found = Some(scored.start);
                    }
                    lcs
                })?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            if right.lcs >= lcs {
                return Ok(Some(right.start));
            }
        }
        Ok(None)
    }
}
