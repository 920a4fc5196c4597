//! Two equally long sides: each is the needle once, and the other one the text.
//!
//! With `m` characters on both sides there is one full window. All other windows are prefixes and
//! suffixes. The prefixes of either side and the whole of the other are the edges of one table
//! ([`super::banded_lcs`]), the suffixes those of the table of both sides read backwards. So two tables
//! are all that there is to compute.
//!
//! And of each only what is near the diagonal. Let `r` be a ratio `LCS / (m + w)` that is reached,
//! or that the cutoff asks for. A window of `w` characters that is as good has an LCS `x` of at
//! least `r · (m + w)`. As `x <= w`, `w` is at least `v = r · m / (1 - r)`; so at least
//! `r · (m + v) = v` characters agree. Of the needle at most `m - v` are left out, and of the
//! window no more, as it is the shorter one: the path of `x` keeps within `m - v` of the diagonal,
//! and the band as wide as that holds it. Windows that are not so good may come out worse than they
//! are, but never better, so they cannot win.
//!
//! What is reached is not known before: a narrow band comes first. The better it turns out, the
//! narrower is the one that proves it. At worst that is a sixteenth more work.

use super::banded_lcs::{Corner, Table};
use super::lcs::BlockMasks;
use super::pattern_mask::{PatternMask, Symbol, are_small};
use super::query::Ask;
use super::{Ratio, ScoreAlignment, Want};
use crate::cancel::CancelMeter;
use crate::text::{CodeUnit, TextRef, dispatch};
use crate::{Error, Span};

/// From this length on it pays to try a narrow band first.
const MIN_TRIED: usize = 768;

/// The needle's share that the band reaches to either side of the diagonal when it is tried.
const TRIED_SHARE: usize = 32;

/// The best window of either side; both are equally long and not empty. The first side is the
/// needle unless the other way is better.
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

/// What is known about two sides of `len` characters.
struct Equals {
    len: usize,
    /// Nothing up to this is accepted.
    below: Ratio,
    /// The best window of the second side, and of the first.
    best: [ScoreAlignment; 2],
}

/// From which end both sides are read.
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

    /// Whether a better window would change nothing.
    fn is_settled(&self, ask: Ask) -> bool {
        let [first, second] = self.best;
        ask.want == Want::Verdict && ask.cutoff.accepts(first.ratio.max(second.ratio).score())
    }

    /// Considers the windows at one end; `tried` is how wide the first band is at most.
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

    /// Characters of either side that are left out at most where a window is as good as what is
    /// known.
    fn width(&self) -> usize {
        let known = self.below.max(self.best[0].ratio).max(self.best[1].ratio);
        self.len - known.min_window(self.len)
    }

    /// Takes a cell of the tables' edges for the window that it is.
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
            // The full window is one of either side.
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
