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

/// One character: the state moves on, and the carry says whether the LCS grew.
#[inline(always)]
fn step(state: &mut [u64], row: &[u64]) -> bool {
    let mut carry = false;
    for (state, &mask) in state.iter_mut().zip(row) {
        let matched = *state & mask;
        let (sum, carry_of_matched) = state.overflowing_add(matched);
        let (sum, carry_of_carry) = sum.overflowing_add(u64::from(carry));
        carry = carry_of_matched | carry_of_carry;
        *state = sum | (*state & !mask);
    }
    carry
}

fn count_zeros(state: &[u64]) -> usize {
    state.iter().map(|word| word.count_zeros() as usize).sum()
}

/// Kernel for needles of exactly `W` words.
pub(crate) struct Fixed<'a, T: Symbol, const W: usize>(pub(crate) &'a Masks<T>);

impl<T: Symbol, const W: usize> Kernel<T> for Fixed<'_, T, W> {
    #[inline]
    fn lcs_lanes(&mut self, windows: [&[T]; LANES]) -> [usize; LANES] {
        let [a, b, c, d] = windows;
        let mut states = [[u64::MAX; W]; LANES];
        for (((&a, &b), &c), &d) in a.iter().zip(b).zip(c).zip(d) {
            for (state, unit) in states.iter_mut().zip([a, b, c, d]) {
                step(state, self.0.row_fixed::<W>(unit));
            }
        }
        states.map(|state| count_zeros(&state))
    }

    #[inline]
    fn lcs(&mut self, window: &[T]) -> usize {
        let mut state = [u64::MAX; W];
        for &unit in window {
            step(&mut state, self.0.row_fixed::<W>(unit));
        }
        count_zeros(&state)
    }
}

/// Kernel for needles of any length. Its words are a chain of their own, so lanes would add
/// nothing.
pub(crate) struct Long<'a, T: Symbol> {
    masks: &'a Masks<T>,
    state: Vec<u64>,
}

impl<'a, T: Symbol> Long<'a, T> {
    pub(crate) fn new(masks: &'a Masks<T>) -> Self {
        Self { masks, state: vec![u64::MAX; masks.words()] }
    }
}

impl<T: Symbol> Kernel<T> for Long<'_, T> {
    fn lcs_lanes(&mut self, windows: [&[T]; LANES]) -> [usize; LANES] {
        windows.map(|window| self.lcs(window))
    }

    fn lcs(&mut self, window: &[T]) -> usize {
        self.state.fill(u64::MAX);
        for &unit in window {
            step(&mut self.state, self.masks.row(unit));
        }
        count_zeros(&self.state)
    }
}

/// LCS of the needle and every prefix of `units`: after each one of them in turn, calls `found`
/// with the length of the prefix and the LCS. `O(units · words)` for all together.
pub(crate) fn lcs_of_prefixes<'t, T: Symbol>(
    masks: &Masks<T>,
    units: impl Iterator<Item = &'t T>,
    mut found: impl FnMut(usize, usize),
) {
    let mut state = vec![u64::MAX; masks.words()];
    let mut lcs = 0;
    for (index, &unit) in units.enumerate() {
        lcs += usize::from(step(&mut state, masks.row(unit)));
        found(index + 1, lcs);
    }
}
