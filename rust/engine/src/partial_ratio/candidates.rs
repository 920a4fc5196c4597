//! Scores the windows that counting could not exclude, the most promising ones first.

use std::borrow::Cow;

use super::bitmap::count::Piece;
use super::lcs::{BlockMasks, Blocks, Fixed, Kernel, LANES};
use super::pattern_mask::{PatternMask, Symbol};
use super::windows::WindowSearch;
use crate::Error;
use crate::text::TextRef;

/// A block of windows, or of positions at which a partition of the needle may begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// An upper bound of the LCS of its windows, as far as this partition determines it.
    pub(super) bound: u32,
    /// The index of the partition.
    pub(super) piece: u32,
    /// The first position of the block, which may be before the text.
    pub(super) place: i32,
}

/// All blocks that may contain a window with an LCS of at least the floor.
#[derive(Debug)]
pub(super) struct Candidates<'a> {
    pub(super) needle: usize,
    /// The number of positions per block.
    pub(super) block: usize,
    pub(super) pieces: &'a [Piece],
    pub(super) blocks: Cow<'a, [Candidate]>,
}

impl Candidates<'_> {
    /// Returns the range of windows to score for `candidate` if at most `out` characters of the needle are outside the
    /// LCS. `last` is the start of the last window.
    fn windows(&self, candidate: Candidate, out: usize, last: usize) -> Option<(usize, usize)> {
        let piece = &self.pieces[candidate.piece as usize];
        let drift = if self.pieces.len() == 1 { 0 } else { out as i64 };
        let first = i64::from(candidate.place) - piece.offset as i64;
        let (start, end) = (first - drift, first + self.block as i64 - 1 + drift);
        (end >= 0 && start <= last as i64).then(|| (start.max(0) as usize, (end as usize).min(last)))
    }
}

impl<'a, T: Symbol, K: Kernel<T>> WindowSearch<'a, '_, T, K> {
    /// Returns the maximum LCS of any candidate window if it is at least the floor, otherwise a smaller number.
    pub(super) fn best_of(&mut self, candidates: &Candidates<'_>, needle: TextRef<'_>) -> Result<usize, Error> {
        // The most promising one first: the better its LCS, the fewer of the others have to be scored.
        let Some(&first) = candidates.blocks.iter().max_by_key(|candidate| candidate.bound) else {
            return Ok(self.best());
        };
        self.look_at(candidates, &[first])?;
        if candidates.pieces.len() == 1 {
            self.look_at(candidates, &candidates.blocks)?;
        } else {
            self.look_at_pieces(candidates, needle)?;
        }
        Ok(self.best())
    }

    fn look_at(&mut self, candidates: &Candidates<'_>, blocks: &[Candidate]) -> Result<(), Error> {
        let last = self.last();
        let mut waiting = [(0, 0); LANES];
        let mut count = 0;
        for &block in blocks {
            let useful = self.useful();
            if (block.bound as usize) < useful {
                continue;
            }
            if self.is_given_up() {
                return Ok(());
            }
            let out = candidates.needle - useful;
            let Some(windows) = candidates.windows(block, out, last).filter(|&windows| !self.has_seen(windows)) else {
                continue;
            };
            if windows.1 - windows.0 + 1 != candidates.block {
                self.look(windows)?;
                continue;
            }
            waiting[count] = windows;
            count += 1;
            if count == LANES {
                self.look_lanes(&waiting)?;
                count = 0;
            }
        }
        if count == 0 { Ok(()) } else { self.look_lanes(&waiting[..count]) }
    }

    /// Scores the windows around each candidate whose partition, compared first, is similar enough.
    fn look_at_pieces(&mut self, candidates: &Candidates<'_>, needle: TextRef<'_>) -> Result<(), Error> {
        for (index, piece) in candidates.pieces.iter().enumerate() {
            let masks = PatternMask::<T>::new(needle.slice(piece.offset..piece.offset + piece.len));
            let blocks = candidates.blocks.iter().filter(|block| block.piece as usize == index);
            match masks.words() {
                1 => self.look_at_piece(candidates, index, blocks, Fixed::<T, 1>(&masks))?,
                2 => self.look_at_piece(candidates, index, blocks, Fixed::<T, 2>(&masks))?,
                3 => self.look_at_piece(candidates, index, blocks, Fixed::<T, 3>(&masks))?,
                _ => self.look_at_piece(candidates, index, blocks, Blocks::new(BlockMasks::Ready(&masks)))?,
            }
        }
        Ok(())
    }

    fn look_at_piece<'c>(
        &mut self,
        candidates: &Candidates<'_>,
        index: usize,
        blocks: impl Iterator<Item = &'c Candidate>,
        mut kernel: impl Kernel<T>,
    ) -> Result<(), Error> {
        let mut waiting = [None; LANES];
        let mut count = 0;
        for &block in blocks {
            if (block.bound as usize) < self.useful() {
                continue;
            }
            if self.is_given_up() {
                return Ok(());
            }
            waiting[count] = Some(block);
            count += 1;
            if count == LANES {
                self.look_at_lanes(candidates, index, waiting, &mut kernel)?;
                count = 0;
            }
        }
        waiting[count..].fill(None);
        if count == 0 { Ok(()) } else { self.look_at_lanes(candidates, index, waiting, &mut kernel) }
    }

    /// Scores the windows around those candidates for which the text at their position has enough of the partition.
    fn look_at_lanes(
        &mut self,
        candidates: &Candidates<'_>,
        index: usize,
        blocks: [Option<Candidate>; LANES],
        kernel: &mut impl Kernel<T>,
    ) -> Result<(), Error> {
        let Some(out) = candidates.needle.checked_sub(self.useful()) else { return Ok(()) };
        let block = candidates.pieces[index].block;
        let piece = Piece::new(candidates.needle, out, candidates.pieces.len(), index, block);
        let text = self.text();
        let chars = (candidates.block - 1 + piece.len + piece.right).min(text.len());
        // Near the ends of the text, shifts the part inwards, so that all parts have the same length.
        let part = |block: Candidate| &text[(block.place.max(0) as usize).min(text.len() - chars)..][..chars];
        let parts = blocks.map(|block| block.map_or(&text[..chars], part));
        let lcs = kernel.lcs_lanes(parts, self.meter())?;
        for (block, lcs) in blocks.into_iter().zip(lcs) {
            let Some(block) = block.filter(|_| lcs + piece.left >= piece.len) else { continue };
            let Some(out) = candidates.needle.checked_sub(self.useful()) else { return Ok(()) };
            if let Some(windows) = candidates.windows(block, out, self.last()) {
                self.look(windows)?;
            }
        }
        Ok(())
    }
}
