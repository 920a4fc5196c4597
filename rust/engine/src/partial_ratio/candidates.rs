//! Scores the windows that counting could not exclude, the most promising ones first.

use std::borrow::Cow;

use super::bitmap::needle::Partition;
use super::lcs::{BlockwiseLcs, FixedWords, Kernel, LANES, NeedleMasks, with_kernel};
use super::pattern_mask::MaskUnit;
use super::windows::WindowSearch;
use crate::Error;
use crate::text::TextRef;

/// About one in this many characters of a needle is outside the LCS with a random window.
const CHARS_PER_DELETION: usize = 3;

/// Returns the number of words of the needle's masks after which a random window has more characters outside the LCS
/// than a good window, which has at most `out`. Returns `None` if that takes all words, or too many for a fast kernel.
pub(crate) fn prefix_words(needle: usize, out: usize) -> Option<usize> {
    let words = (CHARS_PER_DELETION * out).div_ceil(64).max(1);
    (64 * words < needle && words <= 2).then_some(words)
}

/// A block of windows, or of positions at which a partition of the needle may begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// An upper bound of the LCS of its windows, as far as this partition determines it.
    pub(super) bound: u32,
    /// The index of the partition.
    pub(super) partition: u32,
    /// The first position of the block, which may be before the text.
    pub(super) place: i32,
}

/// All blocks that may contain a window with an LCS of at least the floor.
#[derive(Debug)]
pub(super) struct Candidates<'a> {
    pub(super) needle: usize,
    /// The number of positions per block.
    pub(super) block: usize,
    pub(super) partitions: &'a [Partition],
    pub(super) blocks: Cow<'a, [Candidate]>,
}

impl Candidates<'_> {
    /// Returns the range of windows to score for `candidate` if at most `out` characters of the needle are outside the
    /// LCS. `last` is the start of the last window.
    fn windows(&self, candidate: Candidate, out: usize, last: usize) -> Option<(usize, usize)> {
        let partition = &self.partitions[candidate.partition as usize];
        let drift = if self.partitions.len() == 1 { 0 } else { out as i64 };
        let first = i64::from(candidate.place) - partition.offset as i64;
        let (start, end) = (first - drift, first + self.block as i64 - 1 + drift);
        (end >= 0 && start <= last as i64).then(|| (start.max(0) as usize, (end as usize).min(last)))
    }
}

impl<'a, T: MaskUnit, K: Kernel<T>> WindowSearch<'a, '_, T, K> {
    /// Returns the maximum LCS of any candidate window if it is at least the floor, otherwise a smaller number.
    pub(super) fn best_of(&mut self, candidates: &Candidates<'_>, needle: TextRef<'_>) -> Result<usize, Error> {
        // The most promising one first: the better its LCS, the fewer of the others have to be scored.
        let Some(&first) = candidates.blocks.iter().max_by_key(|candidate| candidate.bound) else {
            return Ok(self.best());
        };
        self.score_candidates(candidates, &[first])?;
        if candidates.partitions.len() == 1 {
            self.score_candidates(candidates, &candidates.blocks)?;
        } else {
            self.score_by_partition(candidates, needle)?;
        }
        Ok(self.best())
    }

    fn score_candidates(&mut self, candidates: &Candidates<'_>, blocks: &[Candidate]) -> Result<(), Error> {
        let last = self.last();
        let mut waiting = [(0, 0); LANES];
        let mut count = 0;
        for &block in blocks {
            let useful = self.relevance_bound();
            if (block.bound as usize) < useful {
                continue;
            }
            if self.is_budget_exhausted() {
                return Ok(());
            }
            let out = candidates.needle - useful;
            let Some(windows) = candidates.windows(block, out, last).filter(|&windows| !self.is_visited(windows))
            else {
                continue;
            };
            if windows.1 - windows.0 + 1 != candidates.block {
                self.score_range(windows)?;
                continue;
            }
            waiting[count] = windows;
            count += 1;
            if count == LANES {
                self.score_ranges(&waiting)?;
                count = 0;
            }
        }
        if count == 0 { Ok(()) } else { self.score_ranges(&waiting[..count]) }
    }

    /// Scores the windows around each candidate whose partition, compared first, is similar enough.
    fn score_by_partition(&mut self, candidates: &Candidates<'_>, needle: TextRef<'_>) -> Result<(), Error> {
        for (index, partition) in candidates.partitions.iter().enumerate() {
            let masks = NeedleMasks::<T>::new(needle.slice(partition.offset..partition.offset + partition.len));
            let blocks = candidates.blocks.iter().filter(|block| block.partition as usize == index);
            with_kernel!(&masks, kernel => self.score_partition(candidates, index, blocks, kernel))?;
        }
        Ok(())
    }

    fn score_partition<'c>(
        &mut self,
        candidates: &Candidates<'_>,
        index: usize,
        blocks: impl Iterator<Item = &'c Candidate>,
        mut kernel: impl Kernel<T>,
    ) -> Result<(), Error> {
        let mut waiting = [None; LANES];
        let mut count = 0;
        for &block in blocks {
            if (block.bound as usize) < self.relevance_bound() {
                continue;
            }
            if self.is_budget_exhausted() {
                return Ok(());
            }
            waiting[count] = Some(block);
            count += 1;
            if count == LANES {
                self.score_partition_lanes(candidates, index, waiting, &mut kernel)?;
                count = 0;
            }
        }
        waiting[count..].fill(None);
        if count == 0 { Ok(()) } else { self.score_partition_lanes(candidates, index, waiting, &mut kernel) }
    }

    /// Scores the windows around those candidates for which the text at their position has enough of the partition.
    fn score_partition_lanes(
        &mut self,
        candidates: &Candidates<'_>,
        index: usize,
        blocks: [Option<Candidate>; LANES],
        kernel: &mut impl Kernel<T>,
    ) -> Result<(), Error> {
        let Some(out) = candidates.needle.checked_sub(self.relevance_bound()) else { return Ok(()) };
        let block = candidates.partitions[index].block;
        let partition = Partition::new(candidates.needle, out, candidates.partitions.len(), index, block);
        let text = self.text;
        let chars = (candidates.block - 1 + partition.len + partition.right).min(text.len());
        // Near the ends of the text, shifts the part inwards, so that all parts have the same length.
        let part = |block: Candidate| &text[(block.place.max(0) as usize).min(text.len() - chars)..][..chars];
        let parts = blocks.map(|block| block.map_or(&text[..chars], part));
        let lcs = kernel.lcs_lanes(parts, self.meter)?;
        for (block, lcs) in blocks.into_iter().zip(lcs) {
            let Some(block) = block.filter(|_| lcs + partition.left >= partition.len) else { continue };
            let Some(out) = candidates.needle.checked_sub(self.relevance_bound()) else { return Ok(()) };
            if let Some(windows) = candidates.windows(block, out, self.last()) {
                self.score_range(windows)?;
            }
        }
        Ok(())
    }

    /// Scores those windows that start in `first..=last` and could be useful.
    fn score_range(&mut self, (first, last): (usize, usize)) -> Result<(), Error> {
        self.charge(last - first + self.needle);
        let lcs = self.kernel.lcs(&self.text[first..last + self.needle], self.meter)?;
        self.score_range_if_promising(lcs, first, last)
    }

    /// Does the same for up to [`LANES`] ranges of equal length.
    fn score_ranges(&mut self, windows: &[(usize, usize)]) -> Result<(), Error> {
        // Unused lanes repeat the last range.
        let lanes = std::array::from_fn(|lane| windows[lane.min(windows.len() - 1)]);
        let are_promising = self.pass_prefix_bound(lanes)?;
        if are_promising.iter().filter(|&&is_promising| is_promising).count() <= LANES / 2 || windows.len() < LANES {
            let mut promising = windows.iter().zip(are_promising).filter(|(_, is_promising)| *is_promising);
            return promising.try_for_each(|(&windows, _)| self.score_range(windows));
        }
        let parts = lanes.map(|(first, last)| &self.text[first..last + self.needle]);
        self.charge(LANES * parts[0].len());
        let lcs = self.kernel.lcs_lanes(parts, self.meter)?;
        (0..LANES).try_for_each(|lane| self.score_range_if_promising(lcs[lane], lanes[lane].0, lanes[lane].1))
    }

    /// Returns, for each range, whether any of its windows may be useful, by the prefix bound.
    ///
    /// Let the prefix have `j` characters, and let `t` be the position after the first `j` characters of the last
    /// window. The path of a window's LCS passes `t` at some position of the needle. If that is after `j` or more
    /// characters, the needle's characters after the prefix add at most their number, `m - j`. Otherwise the rest of
    /// the window adds at most its length, `m - j`. So no LCS exceeds that of the prefix and the text up to `t`, plus
    /// `m - j`.
    pub(super) fn pass_prefix_bound(&mut self, windows: [(usize, usize); LANES]) -> Result<[bool; LANES], Error> {
        let out = self.needle.saturating_sub(self.relevance_bound());
        let Some(words) = prefix_words(self.needle, out) else { return Ok([true; LANES]) };
        let chars = 64 * words;
        let parts = windows.map(|(first, last)| &self.text[first..last + chars]);
        let Some(lcs) = self.kernel.lcs_lanes_of_prefix(words, parts, self.meter)? else { return Ok([true; LANES]) };
        self.charge_cells(LANES * parts[0].len() * words);
        Ok(lcs.map(|lcs| lcs + out >= chars))
    }
}
