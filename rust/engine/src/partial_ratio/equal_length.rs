//! Two sides of the same length: each is the needle once, with the other one as the text.
//!
//! With `m` characters on both sides there is one full window. All other windows are prefixes and suffixes. The LCS of
//! the prefixes of either side and the whole other side are the edges of one table ([`super::banded_lcs`]), those of
//! the suffixes the edges of the table of both sides reversed. So two tables score everything.
//!
//! Only a band around the diagonal of each table is computed. Let `r` be the ratio `LCS / (m + w)` to beat, or the
//! cutoff. A window of `w` characters that is as good has an LCS `x` of at least `r · (m + w)`. Because `x <= w`, `w`
//! is at least `v = r · m / (1 - r)`, so at least `r · (m + v) = v` characters are in the LCS. At most `m - v`
//! characters of the needle are outside it, and no more of the window, which is shorter. So the path of `x` stays
//! within `m - v` of the diagonal, and a band of that width contains it. Windows that are not as good may score lower
//! in the band, but never higher, so they cannot win.
//!
//! The score to beat is unknown in advance, so a narrow band is tried first. The better its result, the narrower is the
//! band that proves it. In the worst case, that is a sixteenth more work.

use super::banded_lcs::{Corner, Table};
use super::lcs::BlockMasks;
use super::pattern_mask::{PatternMask, Symbol, are_small};
use super::query::Ask;
use super::{Ratio, ScoreAlignment, Want};
use crate::cancel::CancelMeter;
use crate::text::{CodeUnit, TextRef, dispatch};
use crate::{Error, Span};

/// Minimum length for which trying a narrow band first pays.
const MIN_TRIED: usize = 768;

/// Width of the tried band on either side of the diagonal, as a fraction of the needle.
const TRIED_SHARE: usize = 32;

/// Returns the best window of either side; both have the same length and are not empty. The first side is the needle
/// unless the other direction is better.
pub(super) fn best_of_equals<T: Symbol>(
    a: TextRef<'_>,
    b: &[T],
    ask: Ask,
    meter: &mut CancelMeter<'_>,
) -> Result<Option<ScoreAlignment>, Error> {
    let len = b.len();
    let whole = ScoreAlignment { ratio: Ratio::NONE, window: Span::new(0, len), is_swapped: false };
    let below = ask.cutoff.below(len);
    let mut equals = Equals { len, below, best: [whole, ScoreAlignment { is_swapped: true, ..whole }] };
    if below.is_perfect() {
        return Ok(None);
    }
    if is_same(a, b) {
        equals.best[0].ratio = Ratio::new(len, 2 * len);
    } else {
        equals.search(a, b, ask, meter)?;
    }
    let [first, second] = equals.best;
    let best = if second.ratio > first.ratio { second } else { first };
    Ok(Some(best).filter(|best| ask.cutoff.accepts(best.ratio.score())))
}

/// The state of the search in two sides of `len` characters.
struct Equals {
    len: usize,
    /// Ratios up to this one are not accepted.
    below: Ratio,
    /// The best windows of the second side and of the first side.
    best: [ScoreAlignment; 2],
}

/// The direction in which both sides are read.
#[derive(Clone, Copy)]
enum Way {
    Forward,
    Backward,
}

impl Equals {
    fn search<T: Symbol>(
        &mut self,
        a: TextRef<'_>,
        b: &[T],
        ask: Ask,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(), Error> {
        let tried = if self.len < MIN_TRIED { usize::MAX } else { self.len / TRIED_SHARE };
        if !are_small::<T>(self.len) {
            self.read(BlockMasks::OnTheWay(a), b, tried, Way::Forward, meter)?;
            if !self.is_settled(ask) {
                let codes: Vec<u32> = dispatch!(a, units => units.iter().rev().map(|unit| unit.code()).collect());
                self.read(BlockMasks::OnTheWay(TextRef::Ucs4(&codes)), &reversed(b), tried, Way::Backward, meter)?;
            }
            return Ok(());
        }
        let masks = PatternMask::new(a);
        self.read(BlockMasks::Ready(&masks), b, tried, Way::Forward, meter)?;
        if !self.is_settled(ask) {
            self.read(BlockMasks::Ready(&masks.reversed(self.len)), &reversed(b), tried, Way::Backward, meter)?;
        }
        Ok(())
    }

    /// Returns whether no better window can change the result.
    fn is_settled(&self, ask: Ask) -> bool {
        let [first, second] = self.best;
        ask.want == Want::Verdict && ask.cutoff.accepts(first.ratio.max(second.ratio).score())
    }

    /// Scores the windows at one end; `tried` is the maximum width of the first band.
    fn read<T: Symbol>(
        &mut self,
        masks: BlockMasks<'_, T>,
        text: &[T],
        tried: usize,
        way: Way,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(), Error> {
        let mut width = self.width().min(tried);
        loop {
            Table { masks, text, width }.edges(meter, &mut |corner| self.consider(corner, way))?;
            if width >= self.width() {
                return Ok(());
            }
            width = self.width();
        }
    }

    /// Returns the maximum number of characters of either side outside the LCS if a window is as good as the best so
    /// far.
    fn width(&self) -> usize {
        let known = self.below.max(self.best[0].ratio).max(self.best[1].ratio);
        self.len - known.min_window(self.len)
    }

    /// Considers the window of a cell on the edges of the table.
    #[inline]
    fn consider(&mut self, corner: Corner, way: Way) {
        let Corner { needle, text, lcs } = corner;
        let window = |chars: usize| match way {
            Way::Forward => Span::new(0, chars),
            Way::Backward => Span::new(self.len - chars, self.len),
        };
        let (side, span) = if needle == self.len { (0, window(text)) } else { (1, window(needle)) };
        self.best[side].consider(lcs, self.len, span);
        if needle == text {
            // The full window is a window of both sides.
            self.best[1].consider(lcs, self.len, span);
        }
    }
}

fn is_same<T: CodeUnit>(a: TextRef<'_>, b: &[T]) -> bool {
    dispatch!(a, units => units.iter().map(|unit| unit.code()).eq(b.iter().map(|unit| unit.code())))
}

fn reversed<T: Copy>(text: &[T]) -> Vec<T> {
    text.iter().rev().copied().collect()
}
