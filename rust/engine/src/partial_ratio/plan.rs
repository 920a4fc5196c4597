//! The plan: selects the strategy that searches for the best window inside a text.
//!
//! All four give the same result (`ALGORITHMS.md`). The cost model estimates the cycles of each on one core.
//! Its constants were measured on English prose.

use std::cell::OnceCell;

use super::bigram_scan::{self, Scan};
use super::bitmap::BlockSize;
use super::bitmap::needle::{BigramSelection, Bigrams};
use super::cost::{
    BLOCK_STEP_CYCLES, COMMON_SHARE, FIND_CYCLES_PER_CHAR, GROUP_CYCLES, GROUPING_CYCLES_PER_CHAR, GROUPS,
    INDEX_CYCLES, INDEX_CYCLES_PER_CHAR, MIN_MARGIN, MIN_SEEDS_GAIN, MIN_WINDOWS_IN_LANES, PARTITION_CHARS,
    SCAN_CYCLES, SCAN_CYCLES_PER_CHAR, SCORE_CYCLES, SEEDS_CYCLES, SEEDS_CYCLES_PER_CHAR, STEP_CYCLES, TYPICAL_CHANCE,
    WALK_ALONE_FACTOR, WIDE_COMB_CYCLES_PER_CHAR, WIDE_STEP_FACTOR, share_above,
};
use super::lcs::{LANES, MAX_FIXED_WORDS};
use super::pattern_mask::MaskUnit;
use super::seaweed;
use super::text_index::TextIndex;
use crate::arch::{Isa, isa};

/// A strategy with its parameters.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// Branch and bound ([`super::windows`]).
    Walk,
    /// Seaweed combing ([`super::seaweed`]).
    Comb,
    /// Bitmap counting ([`super::bitmap`]): the bigrams to count in each partition of the needle.
    Count(Vec<BigramSelection>),
    /// A bigram scan ([`super::bigram_scan`]).
    Scan(Scan),
}

/// An override of the plan. Tests select each strategy in turn; the choice affects the time and never the result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "internals"), expect(unreachable_pub, reason = "only tests choose"))]
pub enum PlanOverride {
    /// The cheapest strategy.
    #[default]
    No,
    /// Branch and bound.
    #[cfg(feature = "internals")]
    Walk,
    /// Seaweed combing if there is a kernel for it, otherwise branch and bound.
    #[cfg(feature = "internals")]
    Comb,
    /// Bitmap counting with this many partitions of the needle if that excludes a window, otherwise branch and bound.
    #[cfg(feature = "internals")]
    Count(usize),
    /// A bigram scan with this many groups if that excludes a window, otherwise branch and bound.
    #[cfg(feature = "internals")]
    Scan(usize),
    /// Branch and bound with an exhausted budget.
    #[cfg(feature = "internals")]
    GiveUp,
}

#[derive(Clone, Copy)]
pub(super) struct PlanInput<'a, T> {
    /// The needle, in symbols of the text.
    pub(super) needle: &'a [u32],
    pub(super) text: &'a [T],
    /// The minimum LCS that can change the result.
    pub(super) useful: usize,
    /// The index of the text, which computes the bigram frequencies on first use.
    pub(super) index: &'a TextIndex,
    /// The number of needles that share the cost of the bitmap rows; 0 if the rows exist already.
    pub(super) sharing: usize,
    /// The size of the blocks for bitmap counting.
    pub(super) block: BlockSize,
    /// The needle's bigrams, computed on first use.
    pub(super) bigrams: &'a OnceCell<Bigrams<'a>>,
}

/// Returns the cost of finding and summing the bigrams of one group, in cycles per character of the text.
fn group_cycles_per_char() -> f32 {
    if isa() == Isa::Avx512 { 0.08 } else { 0.35 }
}

/// Returns the number of table cells (of 64 rows each) after which branch and bound ends; unlimited for a needle that
/// cannot be combed. In repetitive texts, all windows are similar, and neighbours exclude few of them, so the search
/// ends once it has cost as much as combing.
pub(super) fn cell_budget(needle: usize, text: usize, plan_override: PlanOverride) -> usize {
    match plan_override {
        _ if needle > seaweed::MAX_NEEDLE => usize::MAX,
        #[cfg(feature = "internals")]
        PlanOverride::GiveUp => 0,
        _ => (seaweed::cycles(needle, text) / STEP_CYCLES) as usize,
    }
}

impl<T: MaskUnit> PlanInput<'_, T> {
    /// Returns the cheapest plan, or the override, and its cost in cycles.
    pub(super) fn plan(&self, plan_override: PlanOverride) -> (Plan, f32) {
        if self.useful > self.needle.len() {
            // No window can change the result, so branch and bound ends immediately.
            return (Plan::Walk, 0.0);
        }
        match plan_override {
            PlanOverride::No => self.cheapest(),
            #[cfg(feature = "internals")]
            plan_override => self.forced(plan_override),
        }
    }

    #[cfg(feature = "internals")]
    fn forced(&self, plan_override: PlanOverride) -> (Plan, f32) {
        let plan = match plan_override {
            PlanOverride::No | PlanOverride::Walk | PlanOverride::GiveUp => None,
            PlanOverride::Comb => Some((Plan::Comb, self.comb_cycles())),
            PlanOverride::Count(partitions) => self.count_forced(partitions.clamp(1, self.needle.len())),
            PlanOverride::Scan(groups) => self.scan(groups),
        };
        plan.unwrap_or((Plan::Walk, self.walk_cycles()))
    }

    fn cheapest(&self) -> (Plan, f32) {
        let (mut plan, mut best) = self.without_counting();
        let frequencies = self.index.frequencies_cycles(self.text);
        let typical = if frequencies > 0.0 { self.typical_scan_cycles() } else { self.scan_cycles(GROUPS[0]) };
        if !self.can_count() || best <= frequencies + typical.min(self.index_cycles()) {
            return (plan, best);
        }
        best -= frequencies;
        // Starts with the strategy that may be so cheap that no other has to be tried.
        if self.index_cycles() < self.scan_cycles(GROUPS[0]) {
            self.try_counts(&mut best, &mut plan);
            self.try_scans(&mut best, &mut plan);
        } else {
            self.try_scans(&mut best, &mut plan);
            self.try_counts(&mut best, &mut plan);
        }
        (plan, best + frequencies)
    }

    /// Returns whether some bigrams of the needle are in every window that can change the result.
    fn can_count(&self) -> bool {
        3 * (self.needle.len() - self.useful) + 1 < self.needle.len()
    }

    /// Returns the cheaper of the strategies that count nothing, and its cost in cycles.
    fn without_counting(&self) -> (Plan, f32) {
        let (walk, comb) = (self.walk_cycles(), self.comb_cycles());
        if seaweed::is_possible(self.needle.len()) && comb < walk { (Plan::Comb, comb) } else { (Plan::Walk, walk) }
    }

    fn try_scans(&self, best: &mut f32, plan: &mut Plan) {
        let making = GROUPING_CYCLES_PER_CHAR * self.needle.len() as f32;
        for groups in GROUPS {
            if self.scan_cycles(groups) + making >= *best {
                break;
            }
            if let Some((scan, cycles)) = self.scan(groups)
                && cycles < *best
            {
                (*best, *plan) = (cycles, scan);
            }
        }
    }

    /// Returns the number of candidates that can be scored in the time of branch and bound.
    pub(super) fn max_candidates(&self) -> usize {
        let per_window = SCORE_CYCLES + (self.needle.len().min(2 * PARTITION_CHARS[0]) as f32) * STEP_CYCLES;
        (self.walk_cycles() / per_window) as usize + LANES
    }

    /// Returns whether a search for seeds is cheap compared with `cycles`.
    pub(super) fn are_seeds_worthwhile(&self, cycles: f32) -> bool {
        MIN_SEEDS_GAIN * (SEEDS_CYCLES + SEEDS_CYCLES_PER_CHAR * self.chars()) < cycles
    }

    /// Returns whether an exact search for the needle is cheap compared with `cycles`.
    pub(super) fn is_find_cheap(&self, cycles: f32) -> bool {
        4.0 * FIND_CYCLES_PER_CHAR * self.chars() < cycles
    }

    fn words(&self) -> f32 {
        self.needle.len().div_ceil(64) as f32
    }

    fn chars(&self) -> f32 {
        self.text.len() as f32
    }

    pub(super) fn windows(&self) -> f32 {
        (self.text.len() - self.needle.len() + 1) as f32
    }

    /// Returns the cost of branch and bound if the needle is absent, in cycles.
    fn walk_cycles(&self) -> f32 {
        let step = if self.words() > MAX_FIXED_WORDS as f32 { BLOCK_STEP_CYCLES } else { STEP_CYCLES };
        let step = if size_of::<T>() > 1 { WIDE_STEP_FACTOR * step } else { step };
        let len = self.needle.len() as f32;
        let per_window = SCORE_CYCLES + len * self.words() * step;
        // Two windows exclude those between them.
        let margin = (self.useful as f32 / len - COMMON_SHARE).max(MIN_MARGIN);
        let apart = 2.0 * margin * len;
        // Without a margin, most windows are scored between two others.
        let is_alone = margin == MIN_MARGIN || self.windows() < MIN_WINDOWS_IN_LANES * apart;
        let alone = if is_alone { WALK_ALONE_FACTOR as f32 } else { 1.0 };
        // Every strategy scores at least one window.
        alone * self.windows() / apart * per_window + SCORE_CYCLES
    }

    fn comb_cycles(&self) -> f32 {
        let wide = if size_of::<T>() > 1 { WIDE_COMB_CYCLES_PER_CHAR } else { 0.0 };
        seaweed::cycles(self.needle.len(), self.text.len()) + wide * self.chars()
    }

    /// Returns the cost of a bigram scan without scoring its candidates, in cycles.
    fn scan_cycles(&self, groups: usize) -> f32 {
        let groups = groups as f32;
        SCAN_CYCLES + groups * GROUP_CYCLES + (SCAN_CYCLES_PER_CHAR + groups * group_cycles_per_char()) * self.chars()
    }

    /// Returns the cost of a scan of typical prose with the best number of groups, in cycles.
    fn typical_scan_cycles(&self) -> f32 {
        let (bigrams, out) = (self.needle.len() - 1, self.needle.len() - self.useful);
        let cycles = GROUPS.map(|groups| {
            let places = bigrams / groups + 2 * out + 2 * bigram_scan::WINDOWS;
            let chance = (places as f32 * TYPICAL_CHANCE).min(1.0);
            let (mean, threshold) = (bigrams as f32 * chance, bigrams.saturating_sub(3 * out));
            let share = share_above(threshold as f32, mean, mean * (1.0 - chance));
            self.scan_cycles(groups) + self.scored_cycles(share)
        });
        cycles.into_iter().fold(f32::INFINITY, f32::min)
    }

    /// Returns the cost of scoring a share of the blocks of a scan, in cycles.
    fn scored_cycles(&self, share: f32) -> f32 {
        let len = self.needle.len();
        let per_window = SCORE_CYCLES + (len + bigram_scan::WINDOWS) as f32 * self.words() * STEP_CYCLES;
        share * self.windows() / bigram_scan::WINDOWS as f32 * per_window
    }

    /// Returns a bigram scan with `groups` groups and its cost in cycles, or `None` if it would exclude nothing.
    fn scan(&self, groups: usize) -> Option<(Plan, f32)> {
        let len = self.needle.len();
        let out = len.checked_sub(self.useful)?;
        let groups = groups.clamp(1, len.checked_sub(1).filter(|&bigrams| bigrams > 0)?);
        let scan = Scan::new::<T>(self.needle, out, groups, self.index.frequencies(self.text))?;
        let cycles = self.scan_cycles(groups) + self.scored_cycles(scan.share);
        Some((Plan::Scan(scan), cycles))
    }

    /// Returns this needle's share of the cost of the bitmap rows, without the insertions, in cycles.
    pub(super) fn index_cycles(&self) -> f32 {
        if self.sharing == 0 {
            0.0
        } else {
            (INDEX_CYCLES + INDEX_CYCLES_PER_CHAR * self.chars()) / self.sharing as f32
        }
    }
}
