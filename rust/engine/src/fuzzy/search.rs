//! One needle in one text: which steps are taken.

use super::candidates::Candidates;
use super::lcs::{BlockMasks, Blocks, Fixed, Kernel, lcs_of_prefixes};
use super::many::Ask;
use super::masks::{Masks, Symbol, are_small};
use super::seeds::Seed;
use super::windows::Windows;
use super::{Best, Ratio, Want, seaweed};
use crate::interrupt::Meter;
use crate::text::{Unit, Units, with_units};
use crate::{Error, Span};

/// A needle, a text that is at least as long, and what is wanted of them.
pub(super) struct Search<'a, 'm, T> {
    pub(super) needle: Units<'a>,
    pub(super) text: &'a [T],
    pub(super) ask: Ask,
    /// A window that is known to be good.
    pub(super) seed: Option<Seed>,
    pub(super) meter: &'a mut Meter<'m>,
}

/// How the best window as long as the needle is found.
#[derive(Clone, Copy)]
pub(super) enum Route<'a> {
    Walk,
    Comb,
    /// It is among these.
    Candidates(&'a Candidates<'a>),
}

impl<T: Symbol> Search<'_, '_, T> {
    /// The best window. `exact` is the leftmost occurrence of the needle, if there is one.
    pub(super) fn run(mut self, exact: Option<usize>, route: Route<'_>) -> Result<Option<Best>, Error> {
        let len = self.needle.len();
        let best = if len == 0 {
            let ratio = if self.text.is_empty() { Ratio::new(0, 0) } else { Ratio::NONE };
            Best { ratio, window: Span::new(0, 0), is_swapped: false }
        } else if let Some(start) = exact {
            Best { ratio: Ratio::new(len, 2 * len), window: Span::new(start, start + len), is_swapped: false }
        } else if are_small::<T>(len) {
            let masks = Masks::new(self.needle);
            let best = self.best_inside(&masks, route)?;
            if self.is_settled(best) { best } else { self.best_at_ends(masks, best)? }
        } else {
            let kernel = Blocks::new(BlockMasks::OnTheWay(self.needle));
            let best = self.best_of_windows(None, kernel, route)?;
            if self.is_settled(best) { best } else { self.best_at_ends_of_long(best)? }
        };
        Ok(Some(best).filter(|best| self.ask.cutoff.accepts(best.ratio.score())))
    }

    /// Whether a better window would change nothing.
    fn is_settled(&self, best: Best) -> bool {
        self.ask.want == Want::Verdict && self.ask.cutoff.accepts(best.ratio.score())
    }

    /// The best window as long as the needle.
    fn best_inside(&mut self, masks: &Masks<T>, route: Route<'_>) -> Result<Best, Error> {
        match masks.words() {
            1 => self.best_of_windows(Some(masks), Fixed::<T, 1>(masks), route),
            2 => self.best_of_windows(Some(masks), Fixed::<T, 2>(masks), route),
            3 => self.best_of_windows(Some(masks), Fixed::<T, 3>(masks), route),
            4 => self.best_of_windows(Some(masks), Fixed::<T, 4>(masks), route),
            _ => self.best_of_windows(Some(masks), Blocks::new(BlockMasks::Ready(masks)), route),
        }
    }

    fn best_of_windows<K: Kernel<T>>(
        &mut self,
        masks: Option<&Masks<T>>,
        kernel: K,
        route: Route<'_>,
    ) -> Result<Best, Error> {
        let len = self.needle.len();
        let floor = self.ask.cutoff.min_lcs(len);
        let none = Best { ratio: Ratio::NONE, window: Span::new(0, len), is_swapped: false };
        if floor > len {
            return Ok(none);
        }
        let mut windows = Windows::new(self.text, len, floor, self.ask.want, kernel, self.meter);
        if let Some(seed) = self.seed {
            windows.note_at(seed.start)?;
        }
        if matches!(route, Route::Walk) && windows.useful() <= len * 3 / 4 {
            // A high floor makes long steps from the beginning.
            windows.sample()?;
        }
        let lcs = match (route, masks) {
            (Route::Candidates(candidates), _) => windows.best_of(candidates, self.needle)?,
            (Route::Comb, Some(masks)) => {
                let best = windows.best();
                match seaweed::best_lcs(masks, self.needle, self.text, best, windows.meter())? {
                    Some(lcs) => windows.settle(lcs)?,
                    None => windows.best_lcs()?,
                }
            }
            _ => windows.best_lcs()?,
        };
        if lcs < floor.max(1) {
            return Ok(none);
        }
        let start = if self.ask.want == Want::Window { windows.leftmost()? } else { None };
        let window = start.map_or(none.window, |start| Span::new(start, start + len));
        Ok(Best { ratio: Ratio::new(lcs, 2 * len), window, is_swapped: false })
    }

    /// The better of `best` and the shorter windows at both ends of the text.
    fn best_at_ends(&mut self, masks: Masks<T>, best: Best) -> Result<Best, Error> {
        let len = self.needle.len();
        let best = self.best_prefix(BlockMasks::Ready(&masks), best)?;
        self.best_suffix(BlockMasks::Ready(&masks.reversed(len)), best)
    }

    fn best_at_ends_of_long(&mut self, best: Best) -> Result<Best, Error> {
        let best = self.best_prefix(BlockMasks::OnTheWay(self.needle), best)?;
        let reversed: Vec<u32> =
            with_units!(self.needle, units => units.iter().rev().map(|unit| unit.code()).collect());
        self.best_suffix(BlockMasks::OnTheWay(Units::U32(&reversed)), best)
    }

    fn best_prefix(&mut self, masks: BlockMasks<'_, T>, mut best: Best) -> Result<Best, Error> {
        let len = self.needle.len();
        let prefix = self.text[..len - 1].iter();
        lcs_of_prefixes(masks, prefix, self.meter, |chars, lcs| best.consider(lcs, len, Span::new(0, chars)))?;
        Ok(best)
    }

    /// `masks` are those of the needle read backwards.
    fn best_suffix(&mut self, masks: BlockMasks<'_, T>, mut best: Best) -> Result<Best, Error> {
        let (len, end) = (self.needle.len(), self.text.len());
        let suffix = self.text[end - (len - 1)..].iter().rev();
        lcs_of_prefixes(masks, suffix, self.meter, |chars, lcs| best.consider(lcs, len, Span::new(end - chars, end)))?;
        Ok(best)
    }
}

impl Best {
    /// Becomes another window for a needle of `needle` characters if that is better: by score, then
    /// the leftmost, then the longest.
    #[inline]
    fn consider(&mut self, lcs: usize, needle: usize, window: Span) {
        let ratio = Ratio::new(lcs, needle + window.len());
        // Asked for every end of the text, and nearly always answered no.
        if ratio < self.ratio {
            return;
        }
        let place = |window: Span| (window.start, std::cmp::Reverse(window.end));
        if ratio > self.ratio || place(window) < place(self.window) {
            *self = Self { ratio, window, is_swapped: false };
        }
    }
}
