//! Two sequences of the same length: each is the needle once, with the other one as the text.
//!
//! If both sequences have `m` characters, there is one full window. All other windows are prefixes and suffixes. The
//! LCS values of the prefixes of either sequence with the whole other one are the last row and column of one table
//! ([`super::banded_lcs`]); those of the suffixes are the last row and column of the table of both sequences reversed.
//! So two tables score all windows.
//!
//! Only a band around the diagonal of each table is computed. Let `r` be the ratio `LCS / (m + w)` to beat, or the
//! cutoff. A window of `w` characters that reaches it has an LCS `x` of at least `r · (m + w)`. Because `x <= w`, `w`
//! is at least `v = r · m / (1 - r)`, so at least `r · (m + v) = v` characters are in the LCS. At most `m - v`
//! characters of the needle are outside it, and no more of the window, which is not longer. So the path of `x` stays
//! within `m - v` of the diagonal, and a band of that width contains it. Windows that do not reach the ratio may score
//! lower in the band, but never higher, so they cannot win.
//!
//! The score to beat is unknown in advance, so the search tries a narrow band first. The better its result, the
//! narrower the band that proves it optimal. In the worst case, this adds a sixteenth to the work.

use super::banded_lcs::{BandedTable, BoundaryCell};
use super::lcs::NeedleMasks;
use super::pattern_mask::MaskUnit;
use super::query::Request;
use super::{Goal, Ratio, ScoreAlignment};
use crate::cancel::CancelMeter;
use crate::text::{TextRef, dispatch, eq_code_points};
use crate::{Error, Span};

/// Minimum length for which trying a narrow band first is worthwhile, in characters.
const MIN_TRIED: usize = 768;

/// Width of the first band on either side of the diagonal: this fraction of the needle (one in `TRIED_SHARE`).
const TRIED_SHARE: usize = 32;

/// Returns the best window of either sequence. Both have the same length and are not empty. Ties go to the direction in
/// which the first sequence is the needle.
pub(super) fn best_of_equal_length<T: MaskUnit>(
    a: TextRef<'_>,
    b: &[T],
    request: Request,
    meter: &mut CancelMeter<'_>,
) -> Result<Option<ScoreAlignment>, Error> {
    let len = b.len();
    let whole = ScoreAlignment { ratio: Ratio::NONE, window: Span::new(0, len), is_swapped: false };
    let below = request.cutoff.below(len);
    let mut search = EqualLengthSearch { len, below, best: [whole, ScoreAlignment { is_swapped: true, ..whole }] };
    if below.is_perfect() {
        return Ok(None);
    }
    if dispatch!(a, units => eq_code_points(units, b)) {
        search.best[0].ratio = Ratio::new(len, 2 * len);
    } else {
        search.search(a, b, request, meter)?;
    }
    let [first, second] = search.best;
    let best = if second.ratio > first.ratio { second } else { first };
    Ok(Some(best).filter(|best| request.cutoff.accepts(best.ratio.score())))
}

/// The state of a search in two sequences of `len` characters.
struct EqualLengthSearch {
    len: usize,
    /// Ratios up to this one are not accepted.
    below: Ratio,
    /// The best window of the second sequence, and that of the first.
    best: [ScoreAlignment; 2],
}

/// The direction in which both sequences are read.
#[derive(Clone, Copy)]
enum Direction {
    Forward,
    Backward,
}

impl EqualLengthSearch {
    fn search<T: MaskUnit>(
        &mut self,
        a: TextRef<'_>,
        b: &[T],
        request: Request,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(), Error> {
        let tried = if self.len < MIN_TRIED { usize::MAX } else { self.len / TRIED_SHARE };
        let masks = NeedleMasks::new(a);
        self.read(&masks, b, tried, Direction::Forward, meter)?;
        if !self.is_settled(request) {
            let text: Vec<T> = b.iter().rev().copied().collect();
            self.read(&masks.reversed(self.len), &text, tried, Direction::Backward, meter)?;
        }
        Ok(())
    }

    /// Returns whether no better window can change the result.
    fn is_settled(&self, request: Request) -> bool {
        let [first, second] = self.best;
        request.goal == Goal::Decision && request.cutoff.accepts(first.ratio.max(second.ratio).score())
    }

    /// Scores the windows at one end of the sequences. `tried` is the maximum width of the first band.
    fn read<T: MaskUnit>(
        &mut self,
        masks: &NeedleMasks<'_, T>,
        text: &[T],
        tried: usize,
        direction: Direction,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(), Error> {
        let mut width = self.width().min(tried);
        loop {
            BandedTable { masks, text, width }.boundary_cells(meter, &mut |cell| self.consider(cell, direction))?;
            if width >= self.width() {
                return Ok(());
            }
            width = self.width();
        }
    }

    /// Returns the maximum number of characters of either sequence outside the LCS with a window that is as good as the
    /// best so far.
    fn width(&self) -> usize {
        let known = self.below.max(self.best[0].ratio).max(self.best[1].ratio);
        self.len - known.min_window(self.len)
    }

    /// Considers the window of a cell in the last row or column.
    #[inline]
    fn consider(&mut self, cell: BoundaryCell, direction: Direction) {
        let BoundaryCell { needle, text, lcs } = cell;
        let window = |chars: usize| match direction {
            Direction::Forward => Span::new(0, chars),
            Direction::Backward => Span::new(self.len - chars, self.len),
        };
        let (direction_index, span) = if needle == self.len { (0, window(text)) } else { (1, window(needle)) };
        self.best[direction_index].consider(lcs, self.len, span);
        if needle == text {
            // The full window is a window of both sequences.
            self.best[1].consider(lcs, self.len, span);
        }
    }
}
