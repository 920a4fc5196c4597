//! Bit-parallel LCS: the length of the longest common subsequence, with 64 rows of the table per word.
//!
//! The state has a zero bit for each step of the LCS so far. For a character with mask `M`, `V ← (V + (V & M)) | (V &
//! !M)`. The bits above the needle stay one, so a carry out of the last word means that the character extended the LCS.
//!
//! Source: Hyyrö 2004, "Bit-parallel LCS-length computation revisited"; Crochemore et al. 2001.

use std::borrow::Cow;

use super::pattern_mask::{BLOCK_WORDS, MaskUnit, PatternMask, are_small};
use crate::Error;
use crate::cancel::CancelMeter;
use crate::text::{CodeUnit, Text, TextBuf, TextRef, dispatch};

/// Number of windows scored at once, interleaved so that their dependent operations overlap.
pub(crate) const LANES: usize = 4;

/// A kernel that scores windows against one needle and charges its work to a meter.
pub(crate) trait Kernel<T> {
    /// Returns the LCS of the needle and each window. All windows must have the same length.
    fn lcs_lanes(&mut self, windows: [&[T]; LANES], meter: &mut CancelMeter<'_>) -> Result<[usize; LANES], Error>;

    /// Returns the LCS of the needle and `window`.
    fn lcs(&mut self, window: &[T], meter: &mut CancelMeter<'_>) -> Result<usize, Error>;

    /// Returns the LCS of the needle's prefix of `64 * words` characters and each window, or `None` if there is no fast
    /// kernel for that. The needle must be longer than the prefix.
    fn lcs_lanes_of_prefix(
        &mut self,
        _words: usize,
        _windows: [&[T]; LANES],
        _meter: &mut CancelMeter<'_>,
    ) -> Result<Option<[usize; LANES]>, Error> {
        Ok(None)
    }
}

/// Advances the state by one character. Takes the carry from the words below and returns the carry to the words above.
#[inline(always)]
pub(super) fn step<const W: usize>(state: &mut [u64; W], row: &[u64; W], mut carry: bool) -> bool {
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

/// Maximum number of words per state that a kernel keeps in registers.
pub(crate) const MAX_FIXED_WORDS: usize = 4;

/// The kernel for needles of exactly `W` words, all in registers.
pub(crate) struct FixedWords<'a, T: MaskUnit, const W: usize>(pub(crate) &'a PatternMask<T>);

impl<T: MaskUnit, const W: usize> FixedWords<'_, T, W> {
    /// Scores `N` windows of the same length, interleaved.
    #[inline(always)]
    fn interleaved<const N: usize>(&self, windows: [&[T]; N]) -> [usize; N] {
        self.interleaved_from(windows, [[u64::MAX; W]; N]).map(count_zeros)
    }

    /// Scores the first `B` of the needle's at least `B` words. Later words never affect them.
    #[inline(always)]
    fn prefix_interleaved<const B: usize, const N: usize>(&self, windows: [&[T]; N]) -> [usize; N] {
        self.interleaved_from(windows, [[u64::MAX; B]; N]).map(count_zeros)
    }

    /// Returns the LCS of the needle's first `rows` characters with the first of `ends`, and of its last `rows`
    /// characters with the second. Both texts have the same length; the needle has `needle` characters.
    pub(crate) fn affix_lcs(&self, needle: usize, rows: usize, ends: [&[T]; 2]) -> [usize; 2] {
        // The rows before the last `rows` start as zeros, which never change.
        let starts = [[u64::MAX; W], ones_from(needle - rows)];
        let [first, last] = self.interleaved_from(ends, starts);
        let above: [u64; W] = ones_from(rows);
        let first = std::array::from_fn(|word| first[word] | above[word]);
        [count_zeros::<W>(first), count_zeros(last) - (needle - rows)]
    }

    #[inline(always)]
    fn interleaved_from<const B: usize, const N: usize>(
        &self,
        windows: [&[T]; N],
        mut states: [[u64; B]; N],
    ) -> [[u64; B]; N] {
        let rows = self.0.rows_of::<W>();
        let len = windows[0].len();
        let windows = windows.map(|window| &window[..len]);
        for index in 0..len {
            for (state, window) in states.iter_mut().zip(windows) {
                let row = &rows[self.0.row_of(window[index])];
                step(state, &std::array::from_fn(|word| row[word]), false);
            }
        }
        states
    }
}

/// Returns ones from bit `place` on.
fn ones_from<const W: usize>(place: usize) -> [u64; W] {
    std::array::from_fn(|word| {
        let zeros = place.saturating_sub(64 * word);
        // Fits, because texts have fewer than 2³¹ characters.
        u64::MAX.checked_shl(zeros as u32).unwrap_or(0)
    })
}

impl<T: MaskUnit, const W: usize> Kernel<T> for FixedWords<'_, T, W> {
    #[inline]
    fn lcs_lanes(&mut self, windows: [&[T]; LANES], meter: &mut CancelMeter<'_>) -> Result<[usize; LANES], Error> {
        meter.charge(LANES * windows[0].len())?;
        // Interleaves as many windows as the registers allow.
        Ok(match W {
            1 => self.interleaved(windows),
            2 => {
                let [a, b, c, d] = windows;
                let ([a, b], [c, d]) = (self.interleaved([a, b]), self.interleaved([c, d]));
                [a, b, c, d]
            }
            _ => windows.map(|window| self.interleaved([window])[0]),
        })
    }

    #[inline]
    fn lcs(&mut self, window: &[T], meter: &mut CancelMeter<'_>) -> Result<usize, Error> {
        meter.charge(window.len())?;
        Ok(self.interleaved([window])[0])
    }

    #[inline]
    fn lcs_lanes_of_prefix(
        &mut self,
        words: usize,
        windows: [&[T]; LANES],
        meter: &mut CancelMeter<'_>,
    ) -> Result<Option<[usize; LANES]>, Error> {
        meter.charge(LANES * windows[0].len())?;
        Ok(match words {
            1 => Some(self.prefix_interleaved::<1, LANES>(windows)),
            2 if W > 2 => {
                let [a, b, c, d] = windows;
                let pairs = [[a, b], [c, d]].map(|pair| self.prefix_interleaved::<2, 2>(pair));
                Some([pairs[0][0], pairs[0][1], pairs[1][0], pairs[1][1]])
            }
            _ => None,
        })
    }
}

/// The masks of a needle of any length.
pub(crate) enum NeedleMasks<'a, T: MaskUnit> {
    /// All masks, built in advance.
    Ready(Cow<'a, PatternMask<T>>),
    /// The needle. The masks of a block are built when it is processed, because all masks together would take too much
    /// memory. That takes little time compared with processing the window.
    OnTheFly(Text<'a>),
}

impl<'a, T: MaskUnit> NeedleMasks<'a, T> {
    /// Builds the masks of `needle` in advance if they are small.
    pub(crate) fn new(needle: TextRef<'a>) -> Self {
        if are_small::<T>(needle.len()) {
            Self::Ready(Cow::Owned(PatternMask::new(needle)))
        } else {
            Self::OnTheFly(Text::Borrowed(needle))
        }
    }

    /// Returns the masks of the reversed needle, whose length is `len`.
    pub(crate) fn reversed(self, len: usize) -> Self {
        match self {
            Self::Ready(masks) => Self::Ready(Cow::Owned(masks.into_owned().reversed(len))),
            Self::OnTheFly(needle) => {
                let reversed =
                    dispatch!(needle.units(), units => units.iter().rev().map(|unit| unit.code_point()).collect());
                Self::OnTheFly(Text::Decoded(TextBuf::Ucs4(reversed)))
            }
        }
    }

    /// Processes `window` with the needle's block `block` of `W` words. Consumes the carries of the block below,
    /// replaces them with those of this block, and returns the final state.
    #[inline]
    pub(super) fn pass<'t, const W: usize>(
        &self,
        block: usize,
        window: impl Iterator<Item = &'t T>,
        carries: &mut [bool],
    ) -> [u64; W] {
        match self {
            Self::Ready(masks) => pass(masks, block, window, carries),
            Self::OnTheFly(needle) => {
                let (needle, start) = (needle.units(), block * 64 * W);
                let end = needle.len().min(start + 64 * W);
                pass(&PatternMask::with_words(needle.slice(start..end), W), 0, window, carries)
            }
        }
    }

    /// Returns, for each character of `window`, whether it extended the LCS. Reuses the memory of `carries`.
    fn grows<'c, 't>(
        &self,
        window: impl ExactSizeIterator<Item = &'t T> + Clone,
        carries: &'c mut Vec<bool>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<&'c [bool], Error> {
        carries.clear();
        carries.resize(window.len(), false);
        let words = match self {
            Self::Ready(masks) => masks.words(),
            Self::OnTheFly(needle) => needle.units().len().div_ceil(64),
        };
        for block in 0..words.div_ceil(BLOCK_WORDS) {
            meter.charge(window.len())?;
            self.pass::<BLOCK_WORDS>(block, window.clone(), carries);
        }
        Ok(carries)
    }
}

fn pass<'t, T: MaskUnit, const W: usize>(
    masks: &PatternMask<T>,
    block: usize,
    window: impl Iterator<Item = &'t T>,
    carries: &mut [bool],
) -> [u64; W] {
    let rows = masks.rows_of::<W>();
    let blocks = masks.words() / W;
    let mut state = [u64::MAX; W];
    for (carry, &unit) in carries.iter_mut().zip(window) {
        *carry = step(&mut state, &rows[masks.row_of(unit) * blocks + block], *carry);
    }
    state
}

/// Evaluates `$body` with `$kernel` bound to the fastest kernel for `$masks`.
macro_rules! with_kernel {
    ($masks:expr, $kernel:ident => $body:expr) => {
        match $masks {
            NeedleMasks::Ready(masks) if masks.words() == 1 => with_kernel!(FixedWords::<_, 1>(masks), $kernel, $body),
            NeedleMasks::Ready(masks) if masks.words() == 2 => with_kernel!(FixedWords::<_, 2>(masks), $kernel, $body),
            NeedleMasks::Ready(masks) if masks.words() == 3 => with_kernel!(FixedWords::<_, 3>(masks), $kernel, $body),
            NeedleMasks::Ready(masks) if masks.words() == 4 => with_kernel!(FixedWords::<_, 4>(masks), $kernel, $body),
            masks => with_kernel!(BlockwiseLcs::new(masks), $kernel, $body),
        }
    };
    ($value:expr, $kernel:ident, $body:expr) => {{
        let $kernel = $value;
        $body
    }};
}
pub(super) use with_kernel;

/// The kernel for needles of any length. Each block of the needle processes the whole window; the carries between
/// blocks are stored for each character of the window.
pub(crate) struct BlockwiseLcs<'a, T: MaskUnit> {
    masks: &'a NeedleMasks<'a, T>,
    carries: Vec<bool>,
}

impl<'a, T: MaskUnit> BlockwiseLcs<'a, T> {
    pub(crate) fn new(masks: &'a NeedleMasks<'a, T>) -> Self {
        Self { masks, carries: Vec::new() }
    }
}

impl<T: MaskUnit> Kernel<T> for BlockwiseLcs<'_, T> {
    fn lcs_lanes(&mut self, windows: [&[T]; LANES], meter: &mut CancelMeter<'_>) -> Result<[usize; LANES], Error> {
        let [a, b, c, d] = windows;
        Ok([self.lcs(a, meter)?, self.lcs(b, meter)?, self.lcs(c, meter)?, self.lcs(d, meter)?])
    }

    fn lcs(&mut self, window: &[T], meter: &mut CancelMeter<'_>) -> Result<usize, Error> {
        let grows = self.masks.grows(window.iter(), &mut self.carries, meter)?;
        Ok(grows.iter().filter(|&&grows| grows).count())
    }
}

/// Calls `found` with the length of each prefix of `units` and its LCS with the needle, in ascending order. `O(units ·
/// words)` in total.
pub(crate) fn prefix_lcs<'t, T: MaskUnit>(
    masks: &NeedleMasks<'_, T>,
    units: impl ExactSizeIterator<Item = &'t T> + Clone,
    meter: &mut CancelMeter<'_>,
    mut found: impl FnMut(usize, usize),
) -> Result<(), Error> {
    let mut lcs = 0;
    let count = |(index, grows): (usize, bool)| {
        lcs += usize::from(grows);
        found(index + 1, lcs);
    };
    match masks {
        NeedleMasks::Ready(masks) if masks.words() == 1 => grows::<T, 1>(masks, units).enumerate().for_each(count),
        NeedleMasks::Ready(masks) if masks.words() == 2 => grows::<T, 2>(masks, units).enumerate().for_each(count),
        NeedleMasks::Ready(masks) if masks.words() == 3 => grows::<T, 3>(masks, units).enumerate().for_each(count),
        masks => masks.grows(units, &mut Vec::new(), meter)?.iter().copied().enumerate().for_each(count),
    }
    Ok(())
}

/// Returns, for each character, whether it extended the LCS.
fn grows<'t, T: MaskUnit, const W: usize>(
    masks: &PatternMask<T>,
    units: impl Iterator<Item = &'t T>,
) -> impl Iterator<Item = bool> {
    let rows = masks.rows_of::<W>();
    let mut state = [u64::MAX; W];
    units.map(move |&unit| step(&mut state, &rows[masks.row_of(unit)], false))
}
