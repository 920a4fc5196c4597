//! Excludes blocks of windows by counting bigrams without bitmap rows, for a single needle.
//!
//! As in [`super::bitmap`], a good window has at least `m - 1 - 3k` of the needle's bigrams, each shifted by at most
//! `k`. The scan divides the needle's bigrams into a few groups by offset. For each group, it sets an occurrence bit at
//! each position of the text with one of its bigrams. The bigrams of a group that remain in the window are among the
//! bits from the group's first offset minus `k` to its last offset plus `k`, and their number is at most the size of
//! the group. So for eight consecutive windows, the number of bits in that range, capped at the size of the group and
//! summed over all groups, is an upper bound of the number of remaining bigrams.
//!
//! With one group, this is the sliding count of the q-gram lemma. More groups make better use of the positions of the
//! bigrams.

use super::bitmap::{BigramFrequencies, LowBytes, bigram_in, classes};
use super::candidates::Candidate;
use super::cost::{FEW_WINDOWS, share_above};
use crate::Error;
use crate::arch::bigram_marks::{
    HASH_CLASSES, MAX_BYTES, SPARE_BYTES, STEP, find_bigrams, for_each_at_least, sum_windows,
};
use crate::cancel::CancelMeter;
use crate::text::CodeUnit;

/// Number of windows per block; one bound covers them all.
pub(super) const WINDOWS: usize = 8;

/// Number of positions processed at a time, so that the buffers fit a first-level cache.
const CHUNK: usize = 1 << 14;

/// A group of the needle's bigrams at neighbouring offsets.
#[derive(Clone, Debug)]
struct Group {
    /// The bigrams as pairs of hash classes, one row for each first class.
    pairs: [u32; HASH_CLASSES],
    /// The number of bigrams in the group.
    size: u8,
    /// The range of bytes of occurrence bits to sum, relative to the byte of the first window.
    from: usize,
    to: usize,
}

/// A needle prepared for the scan.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    needle: usize,
    groups: Vec<Group>,
    /// The minimum number of bigrams in a good window.
    threshold: u8,
    /// The estimated share of blocks that reach the threshold by chance.
    pub(super) share: f32,
}

impl Scan {
    /// Divides the bigrams of `needle` into `groups` groups. A good window has at most `out` characters outside the
    /// LCS. Returns `None` if a scan would exclude nothing.
    pub(super) fn new<T: CodeUnit>(
        needle: &[u32],
        out: usize,
        groups: usize,
        text: &BigramFrequencies,
    ) -> Option<Self> {
        let bigrams = needle.len() - 1;
        let threshold = bigrams.checked_sub(3 * out).filter(|&threshold| threshold > 0)?;
        if bigrams > usize::from(u8::MAX) {
            return None;
        }
        let (mut mean, mut variance) = (0.0, 0.0);
        let groups = (0..groups).map(|index| {
            let (first, end) = (index * bigrams / groups, (index + 1) * bigrams / groups);
            let mut pairs = [0; HASH_CLASSES];
            let mut chance = 0.0;
            for pair in needle[first..=end].windows(2).filter_map(bigram_in::<T>) {
                let (row, bit) = classes(pair);
                chance += if pairs[row] >> bit & 1 == 0 { text.get(pair) } else { 0.0 };
                pairs[row] |= 1 << bit;
            }
            let last = (end - 1 + out).min(bigrams - 1) + WINDOWS - 1;
            let (from, to) = (first.saturating_sub(out) / 8, last / 8 + 1);
            let marks = ((to - from) * 8) as f32 * chance;
            mean += marks.min((end - first) as f32);
            variance += marks * (1.0 - chance).max(0.0);
            // Fits, because the number of all bigrams does.
            Group { pairs, size: (end - first) as u8, from, to }
        });
        let groups: Vec<Group> = groups.collect();
        if groups.iter().any(|group| group.to - group.from > MAX_BYTES) {
            return None;
        }
        let share = share_above(threshold as f32, mean, variance);
        // Fits, because the number of all bigrams does.
        Some(Self { needle: needle.len(), groups, threshold: threshold as u8, share })
    }

    /// Returns the blocks of `text` that may contain a good window.
    pub(super) fn candidates<T: CodeUnit>(
        &self,
        text: &[T],
        meter: &mut CancelMeter<'_>,
    ) -> Result<Vec<Candidate>, Error> {
        let mut candidates = Vec::with_capacity(FEW_WINDOWS);
        let (mut front, mut back) = (LowBytes::default(), LowBytes::default());
        // The occurrence bits of a group, and an upper bound of the number of remaining bigrams for each block.
        let (mut marks, mut totals) = (Vec::new(), Vec::new());
        for start in (0..text.len()).step_by(CHUNK) {
            let windows = (text.len() - start).min(CHUNK);
            meter.charge(windows)?;
            // Up to the end of the last group's range. The kernel reads beyond it, and ignores what it reads.
            let places = (windows + self.needle + 2 * WINDOWS).next_multiple_of(STEP);
            marks.resize(places / 8 + SPARE_BYTES, 0);
            // Only the end of the text has to be copied.
            let inside = (text.len() - start - 1).min(places) / STEP * STEP;
            let parts = [
                (front.read(text, start as isize, inside + 1), 0..inside / 8),
                (back.read(text, (start + inside) as isize, places - inside + 1), inside / 8..places / 8),
            ];
            totals.clear();
            totals.resize(windows.div_ceil(WINDOWS), 0);
            for group in &self.groups {
                for (classes, bytes) in parts.iter().filter(|(_, bytes)| !bytes.is_empty()) {
                    find_bigrams(classes, &group.pairs, &mut marks[bytes.clone()]);
                }
                sum_windows(&marks, group.from, group.to - group.from, group.size, &mut totals);
            }
            for_each_at_least(&totals, self.threshold, &mut |block, total| {
                let missing = self.needle - 1 - usize::from(total).min(self.needle - 1);
                let bound = self.needle - missing.div_ceil(3);
                // Both fit, because texts have fewer than 2³¹ characters.
                candidates.push(Candidate {
                    bound: bound as u32,
                    partition: 0,
                    place: (start + block * WINDOWS) as i32,
                });
            });
        }
        Ok(candidates)
    }
}
