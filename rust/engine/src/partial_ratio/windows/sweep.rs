//! The sweep: cursors cross the whole text in long steps.

use super::{LANES, ScoredWindow, UnscoredRange, WindowSearch};
use crate::Error;
use crate::partial_ratio::lcs::Kernel;
use crate::text::CodeUnit;

/// Minimum step of a cursor, in characters.
const MIN_STEP: usize = 2;

/// A cursor over the windows from `at` to `last`.
#[derive(Clone, Copy)]
struct SweepCursor {
    at: ScoredWindow,
    last: usize,
}

impl<T: CodeUnit, K: Kernel<T>> WindowSearch<'_, '_, T, K> {
    /// Moves several cursors over the whole text, each over its own part.
    pub(super) fn sweep(&mut self) -> Result<(), Error> {
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
}
