//! Length of the longest common subsequence, 64 rows of the table in one word.
//!
//! The state has a zero bit for each character of the needle that is matched so far. For a
//! character with mask `M`: `V ← (V + (V & M)) | (V & !M)`. The bits above the needle stay one, so
//! the carry out of the last word says whether this character made the LCS longer.
//!
//! Source: Hyyrö 2004, "Bit-parallel LCS-length computation revisited"; Crochemore et al. 2001.

use super::masks::{Masks, Symbol};

/// Windows whose chains of dependent operations run side by side.
pub(crate) const LANES: usize = 4;

/// Scores windows against one needle.
pub(crate) trait Kernel<T> {
    /// LCS of the needle and each window; all windows have the same length.
    fn lcs_lanes(&mut self, windows: [&[T]; LANES]) -> [usize; LANES];

    /// LCS of the needle and `window`.
    fn lcs(&mut self, window: &[T]) -> usize;
}

/// One character: the state moves on. Takes the carry out of the words below, returns the one
/// into the words above.
#[inline(always)]
fn step<const W: usize>(state: &mut [u64; W], row: &[u64; W], mut carry: bool) -> bool {
    for (state, &mask) in state.iter_mut().zip(row) {
        let (sum, out) = state.carrying_add(*state & mask, carry);
        carry = out;
        *state = sum | (*state & !mask);
    }
    carry
}

fn count_zeros<const W: usize>(state: [u64; W]) -> usize {
    state.iter().map(|word| word.count_zeros() as usize).sum()
}

/// Kernel for needles of exactly `W` words, all in registers.
pub(crate) struct Fixed<'a, T: Symbol, const W: usize>(pub(crate) &'a Masks<T>);

impl<T: Symbol, const W: usize> Fixed<'_, T, W> {
    /// `N` windows of the same length side by side.
    #[inline(always)]
    fn side_by_side<const N: usize>(&self, windows: [&[T]; N]) -> [usize; N] {
        let rows = self.0.rows_of::<W>();
        let len = windows[0].len();
        let windows = windows.map(|window| &window[..len]);
        let mut states = [[u64::MAX; W]; N];
        for index in 0..len {
            for (state, window) in states.iter_mut().zip(windows) {
                step(state, &rows[self.0.row_of(window[index])], false);
            }
        }
        states.map(count_zeros)
    }
}

impl<T: Symbol, const W: usize> Kernel<T> for Fixed<'_, T, W> {
    #[inline]
    fn lcs_lanes(&mut self, windows: [&[T]; LANES]) -> [usize; LANES] {
        // As many chains as there are registers for.
        match W {
            1 => self.side_by_side(windows),
            2 => {
                let [a, b, c, d] = windows;
                let ([a, b], [c, d]) = (self.side_by_side([a, b]), self.side_by_side([c, d]));
                [a, b, c, d]
            }
            _ => windows.map(|window| self.lcs(window)),
        }
    }

    #[inline]
    fn lcs(&mut self, window: &[T]) -> usize {
        let [lcs] = self.side_by_side([window]);
        lcs
    }
}

/// Words of a long needle that go through the window together.
pub(crate) const BLOCK_WORDS: usize = 4;

/// Kernel for needles of any length whose masks are whole blocks: one block of words after the
/// other goes through the whole window, and the carries between them are kept for each character.
pub(crate) struct Blocks<'a, T: Symbol> {
    masks: &'a Masks<T>,
    carries: Vec<bool>,
}

impl<'a, T: Symbol> Blocks<'a, T> {
    pub(crate) fn new(masks: &'a Masks<T>) -> Self {
        Self { masks, carries: Vec::new() }
    }

    /// For each character of `window`, whether it made the LCS longer.
    fn grows<'t>(&mut self, window: impl Iterator<Item = &'t T> + Clone) -> &[bool] {
        let rows = self.masks.rows_of::<BLOCK_WORDS>();
        let blocks = self.masks.words() / BLOCK_WORDS;
        self.carries.clear();
        self.carries.extend(window.clone().map(|_| false));
        for block in 0..blocks {
            let mut state = [u64::MAX; BLOCK_WORDS];
            for (carry, &unit) in self.carries.iter_mut().zip(window.clone()) {
                *carry = step(&mut state, &rows[self.masks.row_of(unit) * blocks + block], *carry);
            }
        }
        &self.carries
    }
}

impl<T: Symbol> Kernel<T> for Blocks<'_, T> {
    fn lcs_lanes(&mut self, windows: [&[T]; LANES]) -> [usize; LANES] {
        windows.map(|window| self.lcs(window))
    }

    fn lcs(&mut self, window: &[T]) -> usize {
        self.grows(window.iter()).iter().filter(|&&grows| grows).count()
    }
}

/// LCS of the needle and every prefix of `units`: after each one of them in turn, calls `found`
/// with the length of the prefix and the LCS. `O(units · words)` for all together.
pub(crate) fn lcs_of_prefixes<'t, T: Symbol>(
    masks: &Masks<T>,
    units: impl Iterator<Item = &'t T> + Clone,
    mut found: impl FnMut(usize, usize),
) {
    let mut lcs = 0;
    let count = |(index, grows): (usize, bool)| {
        lcs += usize::from(grows);
        found(index + 1, lcs);
    };
    match masks.words() {
        1 => grows_fixed::<T, 1>(masks, units).enumerate().for_each(count),
        2 => grows_fixed::<T, 2>(masks, units).enumerate().for_each(count),
        3 => grows_fixed::<T, 3>(masks, units).enumerate().for_each(count),
        _ => Blocks::new(masks).grows(units).iter().copied().enumerate().for_each(count),
    }
}

/// For each character, whether it made the LCS longer.
fn grows_fixed<'t, T: Symbol, const W: usize>(
    masks: &Masks<T>,
    units: impl Iterator<Item = &'t T>,
) -> impl Iterator<Item = bool> {
    let rows = masks.rows_of::<W>();
    let mut state = [u64::MAX; W];
    units.map(move |&unit| step(&mut state, &rows[masks.row_of(unit)], false))
}
