//! Blocks of windows that cannot hold a good one, found without an index: for a single needle.
//!
//! As in [`super::bitmap`], a window of interest keeps at least `m - 1 - 3k` of the needle's
//! bigrams, each shifted by at most `k`. Here the needle's bigrams are put into a few groups by
//! their offsets, and for each group the text's places are marked at which one of the group's
//! bigrams stands. The bigrams that survive of the group are marked places from the group's first
//! offset less `k` to its last one plus `k`, inside the window; and there are no more of them than
//! the group has. So for eight windows that start next to each other, the marks in that range,
//! but not more than the group's size, added up for all groups, are at least what survives.
//!
//! With one group this is the sliding count of the q-gram lemma; more groups know better where the
//! bigrams have to be.

use super::bitmap::{Frequencies, bigram_in, classes};
use super::candidates::Candidate;
use super::cost::share_above;
use crate::Error;
use crate::arch::bigram_marks::{CLASSES, MAX_BYTES, SPARE_BYTES, STEP, add_marks, each_at_least, mark};
use crate::cancel::CancelMeter;
use crate::text::CodeUnit;

/// Windows that are judged together.
pub(super) const WINDOWS: usize = 8;

/// Places marked at a time; what is known of them stays in a first-level cache.
const CHUNK: usize = 1 << 14;

/// Some of the needle's bigrams, next to each other.
#[derive(Clone, Debug)]
struct Group {
    /// The pairs of classes, one row for each first class.
    pairs: [u32; CLASSES],
    /// Bigrams in the group.
    size: u8,
    /// Bytes of marks to look at, from the byte of the first window on.
    from: usize,
    to: usize,
}

/// A needle made ready.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    needle: usize,
    groups: Vec<Group>,
    /// Bigrams that survive in a window of interest.
    threshold: u8,
    /// Share of the blocks that reach the threshold by chance, roughly.
    pub(super) share: f32,
}

impl Scan {
    /// Splits the bigrams of `needle` into so many groups; a window of interest leaves out at most
    /// `out` of its characters. `None` if that excludes nothing.
    pub(super) fn new<T: CodeUnit>(needle: &[u32], out: usize, groups: usize, text: &Frequencies) -> Option<Self> {
        let bigrams = needle.len() - 1;
        let threshold = bigrams.checked_sub(3 * out).filter(|&threshold| threshold > 0)?;
        if bigrams > usize::from(u8::MAX) {
            return None;
        }
        let (mut mean, mut variance) = (0.0, 0.0);
        let groups = (0..groups).map(|index| {
            let (first, end) = (index * bigrams / groups, (index + 1) * bigrams / groups);
            let mut pairs = [0; CLASSES];
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
            // Fits, as all bigrams do.
            Group { pairs, size: (end - first) as u8, from, to }
        });
        let groups: Vec<Group> = groups.collect();
        if groups.iter().any(|group| group.to - group.from > MAX_BYTES) {
            return None;
        }
        let share = share_above(threshold as f32, mean, variance);
        // Fits, as all bigrams do.
        Some(Self { needle: needle.len(), groups, threshold: threshold as u8, share })
    }

    /// The blocks of `text` that may hold a window of interest.
    pub(super) fn candidates<T: CodeUnit>(
        &self,
        text: &[T],
        meter: &mut CancelMeter<'_>,
    ) -> Result<Vec<Candidate>, Error> {
        let mut candidates = Vec::new();
        let mut buffers = Buffers::default();
        // As far as the last group reaches, and what is read beyond.
        let ahead = self.needle + 2 * WINDOWS + 8 * SPARE_BYTES;
        for start in (0..text.len()).step_by(CHUNK) {
            let windows = (text.len() - start).min(CHUNK);
            meter.add(windows)?;
            let places = (windows + ahead).next_multiple_of(STEP);
            buffers.read(&text[start..], places);
            buffers.totals.clear();
            buffers.totals.resize(windows.div_ceil(WINDOWS), 0);
            for group in &self.groups {
                buffers.add(group);
            }
            each_at_least(&buffers.totals, self.threshold, &mut |block, total| {
                let missing = self.needle - 1 - usize::from(total).min(self.needle - 1);
                let bound = self.needle - missing.div_ceil(3);
                // Both fit: texts have fewer than 2³¹ characters.
                candidates.push(Candidate { bound: bound as u32, piece: 0, place: (start + block * WINDOWS) as i32 });
            });
        }
        Ok(candidates)
    }
}

/// Everything about one chunk of the text.
#[derive(Default)]
struct Buffers {
    classes: Vec<u8>,
    marks: Vec<u8>,
    /// What may survive in each block.
    totals: Vec<u8>,
}

impl Buffers {
    /// Takes the low bytes of the first `places` characters and one more, which have the classes in
    /// them. After the text's end stands class 0: that only adds marks.
    fn read<T: CodeUnit>(&mut self, text: &[T], places: usize) {
        self.classes.clear();
        self.classes.resize(places + 1, 0);
        for (class, unit) in self.classes.iter_mut().zip(text) {
            *class = unit.code() as u8;
        }
        self.marks.resize(places / 8, 0);
    }

    /// Adds what may survive of a group.
    fn add(&mut self, group: &Group) {
        mark(&self.classes, &group.pairs, &mut self.marks);
        add_marks(&self.marks, group.from, group.to - group.from, group.size, &mut self.totals);
    }
}
