//! The plan: selects the strategy that searches for the best window inside a text.
//!
//! All four strategies give the same result:
//!
//! - **Branch and bound** (`Walk`): cursors step as far as the last score allows ([`super::windows`]). It needs no
//!   preparation, and its steps are long if the score to beat is high.
//! - **Seaweed combing** (`Comb`): scores every window exactly ([`super::seaweed`]). Its cost depends only on the
//!   lengths.
//! - **Bitmap counting** (`Count`): excludes blocks by counting bigrams and scores the others ([`super::bitmap`],
//!   [`super::candidates`]). It is by far the cheapest if the score to beat is high, and all needles share the bitmap
//!   rows of the text.
//! - **Bigram scan** (`Scan`): counts without bitmap rows, for a single needle ([`super::bigram_scan`]).
//!
//! The cost model estimates the cycles of each strategy on one core. Its constants were measured on English prose. It
//! affects the time and never the result.

use std::cell::OnceCell;

use super::bigram_scan::{self, Scan};
use super::bitmap::select::{BigramSelection, Bigrams};
use super::bitmap::{BigramFrequencies, BlockSize};
use super::cost::{
    BLOCK_STEP_CYCLES, COMB_CYCLES, COMMON_SHARE, FIND_CYCLES_PER_CHAR, GROUPING_CYCLES_PER_CHAR, GROUPS,
    INDEX_CYCLES_PER_CHAR, LOOK_CYCLES, MIN_SEEDS_GAIN, PIECE_CHARS, SCAN_CYCLES_PER_CHAR, SEEDS_CYCLES_PER_CHAR,
    STEP_CYCLES,
};
use super::lcs::{LANES, MAX_FIXED_WORDS};
use super::pattern_mask::MaskUnit;
use super::seaweed;
use crate::arch::{Isa, isa};

/// A strategy with its parameters.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    Walk,
    Comb,
    /// The bigrams to count in each partition of the needle.
    Count(Vec<BigramSelection>),
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

/// The input of a plan.
#[derive(Clone, Copy)]
pub(super) struct PlanInput<'a> {
    /// The needle, in symbols of the text.
    pub(super) needle: &'a [u32],
    /// The length of the text, in characters.
    pub(super) text: usize,
    /// The minimum LCS that can change the result.
    pub(super) useful: usize,
    /// The bigram frequencies of the text, if counting is possible.
    pub(super) frequencies: Option<&'a BigramFrequencies>,
    /// The number of needles that share the cost of the bitmap rows; 0 if the rows exist already.
    pub(super) sharing: usize,
    /// The size of the blocks for bitmap counting.
    pub(super) block: BlockSize,
    /// The needle's bigrams, computed on first use.
    pub(super) bigrams: &'a OnceCell<Bigrams<'a>>,
}

/// Returns the cost of finding and summing the bigrams of one group, in cycles per character of the text.
fn group_cycles_per_char() -> f32 {
    if isa() == Isa::Avx512 { 0.15 } else { 0.35 }
}

/// Budget of branch and bound, as a multiple of the cost of combing all windows. In repetitive texts, all windows are
/// similar, and neighbours exclude few of them, so the search is abandoned once it has cost that much.
const BUDGET_SHARE: f32 = 1.0;

/// Returns the number of table cells (of 64 rows each) after which a search is abandoned; unlimited for a needle that
/// cannot be combed.
pub(super) fn cell_budget(needle: usize, text: usize, plan_override: PlanOverride) -> usize {
    match plan_override {
        _ if needle > seaweed::MAX_NEEDLE => usize::MAX,
        #[cfg(feature = "internals")]
        PlanOverride::GiveUp => 0,
        _ => (BUDGET_SHARE * (COMB_CYCLES + seaweed::cycles(needle, text)) / STEP_CYCLES) as usize,
    }
}

impl PlanInput<'_> {
    /// Returns the cheapest plan, or the override, and its cost in cycles.
    pub(super) fn plan<T: MaskUnit>(&self, plan_override: PlanOverride) -> (Plan, f32) {
        if self.useful > self.needle.len() {
            // No window can change the result, so branch and bound ends immediately.
            return (Plan::Walk, 0.0);
        }
        match plan_override {
            PlanOverride::No => self.cheapest::<T>(),
            #[cfg(feature = "internals")]
            plan_override => self.forced::<T>(plan_override),
        }
    }

    #[cfg(feature = "internals")]
    fn forced<T: MaskUnit>(&self, plan_override: PlanOverride) -> (Plan, f32) {
        let plan = match plan_override {
            PlanOverride::No | PlanOverride::Walk | PlanOverride::GiveUp => None,
            PlanOverride::Comb => Some((Plan::Comb, self.comb_cycles())),
            PlanOverride::Count(partitions) => self.count_forced::<T>(partitions.clamp(1, self.needle.len())),
            PlanOverride::Scan(groups) => self.scan::<T>(groups),
        };
        plan.unwrap_or((Plan::Walk, self.walk_cycles()))
    }

    fn cheapest<T: MaskUnit>(&self) -> (Plan, f32) {
        let (mut best, mut plan) = (self.walk_cycles(), Plan::Walk);
        if seaweed::is_possible(self.needle.len()) && self.comb_cycles() < best {
            (best, plan) = (self.comb_cycles(), Plan::Comb);
        }
        // Starts with the strategy that may be so cheap that no other has to be tried.
        if self.index_cycles() < self.scan_cycles(GROUPS[0]) {
            self.try_counts::<T>(&mut best, &mut plan);
            self.try_scans::<T>(&mut best, &mut plan);
        } else {
            self.try_scans::<T>(&mut best, &mut plan);
            self.try_counts::<T>(&mut best, &mut plan);
        }
        (plan, best)
    }

    fn try_scans<T: MaskUnit>(&self, best: &mut f32, plan: &mut Plan) {
        let making = GROUPING_CYCLES_PER_CHAR * self.needle.len() as f32;
        for groups in GROUPS {
            if self.scan_cycles(groups) + making >= *best {
                break;
            }
            if let Some((scan, cycles)) = self.scan::<T>(groups)
                && cycles < *best
            {
                (*best, *plan) = (cycles, scan);
            }
        }
    }

    /// Returns the number of candidates that can be scored in the time of branch and bound.
    pub(super) fn max_candidates(&self) -> usize {
        let look = LOOK_CYCLES + (self.needle.len().min(2 * PIECE_CHARS[0]) as f32) * STEP_CYCLES;
        (self.walk_cycles() / look) as usize + LANES
    }

    /// Returns whether a search for seeds is cheap compared with `cycles`.
    pub(super) fn do_seeds_pay(&self, cycles: f32) -> bool {
        MIN_SEEDS_GAIN * SEEDS_CYCLES_PER_CHAR * (self.text as f32) < cycles
    }

    /// Returns whether an exact search for the needle is cheap compared with `cycles`.
    pub(super) fn is_find_cheap(&self, cycles: f32) -> bool {
        4.0 * FIND_CYCLES_PER_CHAR * (self.text as f32) < cycles
    }

    fn words(&self) -> f32 {
        self.needle.len().div_ceil(64) as f32
    }

    pub(super) fn windows(&self) -> f32 {
        (self.text - self.needle.len() + 1) as f32
    }

    fn walk_cycles(&self) -> f32 {
        let step = if self.words() > MAX_FIXED_WORDS as f32 { BLOCK_STEP_CYCLES } else { STEP_CYCLES };
        let look = LOOK_CYCLES + self.needle.len() as f32 * self.words() * step;
        // Two windows exclude those between them.
        let margin = self.useful as f32 / self.needle.len() as f32 - COMMON_SHARE;
        let apart = 2.0 * margin.max(0.05) * self.needle.len() as f32;
        // Every strategy scores at least one window.
        self.windows() / apart * look + LOOK_CYCLES
    }

    fn comb_cycles(&self) -> f32 {
        COMB_CYCLES + seaweed::cycles(self.needle.len(), self.text)
    }

    /// Returns the cost of a bigram scan without scoring its candidates, in cycles.
    fn scan_cycles(&self, groups: usize) -> f32 {
        (SCAN_CYCLES_PER_CHAR + groups as f32 * group_cycles_per_char()) * self.text as f32
    }

    /// Returns a bigram scan with `groups` groups and its cost in cycles, or `None` if it would exclude nothing.
    fn scan<T: MaskUnit>(&self, groups: usize) -> Option<(Plan, f32)> {
        let len = self.needle.len();
        let out = len.checked_sub(self.useful)?;
        let groups = groups.clamp(1, len.checked_sub(1).filter(|&bigrams| bigrams > 0)?);
        let scan = Scan::new::<T>(self.needle, out, groups, self.frequencies?)?;
        let look = LOOK_CYCLES + (len + bigram_scan::WINDOWS) as f32 * self.words() * STEP_CYCLES;
        let blocks = scan.share * self.windows() / bigram_scan::WINDOWS as f32;
        let cycles = self.scan_cycles(groups) + blocks * look;
        Some((Plan::Scan(scan), cycles))
    }

    /// Returns this needle's share of the cost of the bitmap rows, without the insertions, in cycles.
    pub(super) fn index_cycles(&self) -> f32 {
        if self.sharing == 0 { 0.0 } else { INDEX_CYCLES_PER_CHAR * self.text as f32 / self.sharing as f32 }
    }
}
