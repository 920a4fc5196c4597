//! Banded LCS: the last row and the last column of the LCS table of a needle and a text of the same length.
//!
//! The last row has the LCS of the whole needle and each prefix of the text; the last column has that of each prefix of
//! the needle and the whole text. The bit-parallel step gives both: a carry out of the last word is a step along the
//! last row, and the zero bits after the last character are the steps down the last column.
//!
//! A path that skips at most `width` characters of the needle and of the text stays within `width` of the diagonal. So
//! each block of the needle processes only the part of the text within that distance of one of its rows. Outside that
//! part, characters count as different:
//!
//! - Before the first column, the rows add nothing, so the state is still the initial one.
//! - After the last column, the last row does not change, so the block below gets no carries.
//!
//! The result never exceeds the true LCS, and equals it wherever a longest path stays within the band. `O(m · (width +
//! 256) / 64)`.
//!
//! Source: Ukkonen 1985, "Algorithms for approximate string matching", for the band.

use super::lcs::NeedleMasks;
use super::pattern_mask::{BLOCK_WORDS, MaskUnit};
use crate::Error;
use crate::cancel::CancelMeter;

/// A cell of the last row or column: the numbers of needle and text characters before it, and their LCS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BoundaryCell {
    pub(super) needle: usize,
    pub(super) text: usize,
    pub(super) lcs: usize,
}

/// An LCS table restricted to a band around the diagonal.
pub(super) struct BandedTable<'a, T: MaskUnit> {
    pub(super) masks: &'a NeedleMasks<'a, T>,
    /// The text, nonempty and as long as the needle.
    pub(super) text: &'a [T],
    /// The maximum number of characters of either sequence that a path may skip.
    pub(super) width: usize,
}

impl<T: MaskUnit> BandedTable<'_, T> {
    /// Calls `found` for the cells of the last row and column within the band, and for some cells around them. It may
    /// be called repeatedly for the last cell.
    pub(super) fn boundary_cells(
        &self,
        meter: &mut CancelMeter<'_>,
        found: &mut impl FnMut(BoundaryCell),
    ) -> Result<(), Error> {
        match self.masks {
            NeedleMasks::Ready(masks) if masks.words() == 1 => self.blocks::<1>(meter, found),
            NeedleMasks::Ready(masks) if masks.words() == 2 => self.blocks::<2>(meter, found),
            NeedleMasks::Ready(masks) if masks.words() == 3 => self.blocks::<3>(meter, found),
            _ => self.blocks::<BLOCK_WORDS>(meter, found),
        }
    }

    /// Processes the needle in blocks of `W` words.
    fn blocks<const W: usize>(
        &self,
        meter: &mut CancelMeter<'_>,
        found: &mut impl FnMut(BoundaryCell),
    ) -> Result<(), Error> {
        let (len, chars) = (self.text.len(), 64 * W);
        let mut carries = vec![false; len];
        // The LCS at the upper left corner of the current block.
        let (mut lcs, mut start) = (0, 0);
        for block in 0..len.div_ceil(chars) {
            let (top, bottom) = (block * chars, len.min((block + 1) * chars));
            let (first, last) = (top.saturating_sub(self.width), len.min(bottom.saturating_add(self.width)));
            meter.charge(last - first)?;
            lcs += count(&carries[start..first]);
            start = first;
            let right = lcs + if last == len { count(&carries[first..]) } else { 0 };
            let state = self.masks.pass::<W>(block, self.text[first..last].iter(), &mut carries[first..last]);
            if last == len {
                column(&state, top..bottom, right, |needle, lcs| found(BoundaryCell { needle, text: len, lcs }));
            }
        }
        for (index, &grows) in carries.iter().enumerate().skip(start) {
            lcs += usize::from(grows);
            found(BoundaryCell { needle: len, text: index + 1, lcs });
        }
        Ok(())
    }
}

fn count(carries: &[bool]) -> usize {
    carries.iter().map(|&grows| usize::from(grows)).sum()
}

/// Reports the LCS in the last column after each of the rows in `range`. `lcs` is the LCS above them.
fn column<const W: usize>(
    state: &[u64; W],
    range: std::ops::Range<usize>,
    mut lcs: usize,
    mut found: impl FnMut(usize, usize),
) {
    for (place, row) in range.enumerate() {
        lcs += usize::from(state[place / 64] >> (place % 64) & 1 == 0);
        found(row + 1, lcs);
    }
}
