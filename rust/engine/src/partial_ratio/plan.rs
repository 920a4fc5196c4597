//! The plan: which strategy searches for the best window inside a text.
//!
//! Four strategies give the same result:
//!
//! - **walk**: cursors step as far as the last score allows ([`super::windows`]). It needs no preparation, and its steps
//!   are long if the score to beat is high.
//! - **comb**: scores every window exactly ([`super::seaweed`]). Its cost depends on the lengths alone.
//! - **count**: excludes blocks by counting bigrams and scores the rest ([`super::bitmap`], [`super::candidates`]). It is by
//!   far the cheapest if the score to beat is high, and all needles share the rows of the text.
//! - **scan**: counts without rows, for a single needle ([`super::bigram_scan`]).
//!
//! The cost model estimates the cycles of each on one core. Its constants are measured on English prose. It affects the
//! time and never the result.

use std::cell::OnceCell;

use super::bigram_scan::{self, Scan};
use super::bitmap::select::{Bigrams, Choice};
use super::bitmap::{Block, Frequencies};
use super::cost::{
    BLOCK_STEP_CYCLES, COMB_CYCLES, COMMON_SHARE, FIND_CYCLES_PER_CHAR, GROUPING_CYCLES_PER_CHAR, GROUPS,
    INDEX_CYCLES_PER_CHAR, LOOK_CYCLES, MIN_SEEDS_GAIN, PIECE_CHARS, SCAN_CYCLES_PER_CHAR, SEEDS_CYCLES_PER_CHAR,
    STEP_CYCLES,
};
use super::lcs::{LANES, MAX_FIXED_WORDS};
use super::pattern_mask::Symbol;
use super::seaweed;
use crate::arch::{Isa, isa};

/// A strategy with its parameters.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    Walk,
    Comb,
    /// The bigrams to count for each piece of the needle.
    Count(Vec<Choice>),
    Scan(Scan),
}

/// The plan to take. Tests force each in turn, which changes time and never a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(feature = "internals"), expect(unreachable_pub, reason = "only tests choose"))]
pub enum Force {
    /// The cheapest one.
    #[default]
    No,
    /// Walk.
    #[cfg(feature = "internals")]
    Walk,
    /// Comb where there is a kernel for it, else walk.
    #[cfg(feature = "internals")]
    Comb,
    /// Count with a needle in this many pieces where that excludes a window, else walk.
    #[cfg(feature = "internals")]
    Count(usize),
    /// Scan with this many groups where that excludes a window, else walk.
    #[cfg(feature = "internals")]
    Scan(usize),
    /// Walk, and give up at once.
    #[cfg(feature = "internals")]
    GiveUp,
}

/// The task that a plan is made for.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    /// The needle, in symbols of the text.
    pub(super) needle: &'a [u32],
    /// The length of the text, in characters.
    pub(super) text: usize,
    /// The minimum LCS that can change the result.
    pub(super) useful: usize,
    /// The bigram frequencies of the text, if counting is possible.
    pub(super) frequencies: Option<&'a Frequencies>,
    /// The number of needles that share the cost of the rows; 0 if the text has them already.
    pub(super) sharing: usize,
    /// The block of windows that counting judges together.
    pub(super) block: Block,
    /// The needle's bigrams, computed on first use.
    pub(super) bigrams: &'a OnceCell<Bigrams<'a>>,
}

/// Returns the cost of marking and summing a group of bigrams, in cycles for each character of the text.
fn group_cycles_per_char() -> f32 {
    if isa() == Isa::Avx512 { 0.15 } else { 0.35 }
}

/// In repetitive texts, all windows are nearly alike, and hardly any is excluded by its neighbours. Walking is
/// abandoned when it has cost this many times as much as combing all windows.
const PATIENCE: f32 = 1.0;

/// Returns the number of table cells (64 rows each) after which a search is abandoned; unlimited for a needle that
/// cannot be combed.
pub(super) fn patience(needle: usize, text: usize, force: Force) -> usize {
    match force {
        _ if needle > seaweed::MAX_NEEDLE => usize::MAX,
        #[cfg(feature = "internals")]
        Force::GiveUp => 0,
        _ => (PATIENCE * (COMB_CYCLES + seaweed::cycles(needle, text)) / STEP_CYCLES) as usize,
    }
}

impl Task<'_> {
    /// Returns the cheapest plan, or the forced one, and its cost in cycles.
    pub(super) fn plan<T: Symbol>(&self, force: Force) -> (Plan, f32) {
        if self.useful > self.needle.len() {
            // No window can change the result, so walking ends at once.
            return (Plan::Walk, 0.0);
        }
        match force {
            Force::No => self.cheapest::<T>(),
            #[cfg(feature = "internals")]
            force => self.forced::<T>(force),
        }
    }

    #[cfg(feature = "internals")]
    fn forced<T: Symbol>(&self, force: Force) -> (Plan, f32) {
        let plan = match force {
            Force::No | Force::Walk | Force::GiveUp => None,
            Force::Comb => Some((Plan::Comb, self.comb_cycles())),
            Force::Count(pieces) => self.count_forced::<T>(pieces.clamp(1, self.needle.len())),
            Force::Scan(groups) => self.scan::<T>(groups),
        };
        plan.unwrap_or((Plan::Walk, self.walk_cycles()))
    }

    fn cheapest<T: Symbol>(&self) -> (Plan, f32) {
        let (mut best, mut plan) = (self.walk_cycles(), Plan::Walk);
        if seaweed::is_possible(self.needle.len()) && self.comb_cycles() < best {
            (best, plan) = (self.comb_cycles(), Plan::Comb);
        }
        // First the strategy that may be so cheap that no other one has to be tried.
        if self.index_cycles() < self.scan_cycles(GROUPS[0]) {
            self.try_counts::<T>(&mut best, &mut plan);
            self.try_scans::<T>(&mut best, &mut plan);
        } else {
            self.try_scans::<T>(&mut best, &mut plan);
            self.try_counts::<T>(&mut best, &mut plan);
        }
        (plan, best)
    }

    fn try_scans<T: Symbol>(&self, best: &mut f32, plan: &mut Plan) {
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

    /// Returns the number of candidates that can be scored in the time of a walk.
    pub(super) fn max_candidates(&self) -> usize {
        let look = LOOK_CYCLES + (self.needle.len().min(2 * PIECE_CHARS[0]) as f32) * STEP_CYCLES;
        (self.walk_cycles() / look) as usize + LANES
    }

    /// Returns whether searching for seeds costs little compared with `cycles`.
    pub(super) fn do_seeds_pay(&self, cycles: f32) -> bool {
        MIN_SEEDS_GAIN * SEEDS_CYCLES_PER_CHAR * (self.text as f32) < cycles
    }

    /// Returns whether an exact search for the needle costs little compared with `cycles`.
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
        // Every strategy scores one window at least.
        self.windows() / apart * look + LOOK_CYCLES
    }

    fn comb_cycles(&self) -> f32 {
        COMB_CYCLES + seaweed::cycles(self.needle.len(), self.text)
    }

    /// Returns the cost of a scan before its candidates are scored, in cycles.
    fn scan_cycles(&self, groups: usize) -> f32 {
        (SCAN_CYCLES_PER_CHAR + groups as f32 * group_cycles_per_char()) * self.text as f32
    }

    /// Returns a scan with `groups` groups and its cost in cycles; `None` if it would exclude nothing.
    fn scan<T: Symbol>(&self, groups: usize) -> Option<(Plan, f32)> {
        let len = self.needle.len();
        let out = len.checked_sub(self.useful)?;
        let groups = groups.clamp(1, len.checked_sub(1).filter(|&bigrams| bigrams > 0)?);
        let scan = Scan::new::<T>(self.needle, out, groups, self.frequencies?)?;
        let look = LOOK_CYCLES + (len + bigram_scan::WINDOWS) as f32 * self.words() * STEP_CYCLES;
        let blocks = scan.share * self.windows() / bigram_scan::WINDOWS as f32;
        let cycles = self.scan_cycles(groups) + blocks * look;
        Some((Plan::Scan(scan), cycles))
    }

    /// Returns this needle's share of the cost of the rows, without filing, in cycles.
    pub(super) fn index_cycles(&self) -> f32 {
        if self.sharing == 0 { 0.0 } else { INDEX_CYCLES_PER_CHAR * self.text as f32 / self.sharing as f32 }
    }
}
