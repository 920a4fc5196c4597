//! Which way the best window inside a text is searched for.
//!
//! Four ways give the same answer:
//!
//! - **walk**: cursors that step as far as the last score allows ([`super::windows`]); needs no
//!   preparation, and steps are long where the floor is high;
//! - **comb**: every window scored exactly ([`super::seaweed`]); cost depends on lengths alone;
//! - **count**: blocks are excluded by counting bigrams, the rest is looked at ([`super::bitmap`],
//!   [`super::candidates`]); cheapest by far where the floor is high, and the index of the text
//!   is shared by all needles;
//! - **scan**: the same without an index, for a needle that is alone ([`super::bigram_scan`]).
//!
//! The model below says what each costs, in cycles of one core; its constants are measured on
//! English prose. It decides about time only, never about results.

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

/// A way to the best window.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    Walk,
    Comb,
    /// One choice of bigrams for each piece of the needle.
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

/// What a plan is for.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    /// Characters of the needle, of the text's alphabet.
    pub(super) needle: &'a [u32],
    /// Characters of the text.
    pub(super) text: usize,
    /// The least LCS of interest.
    pub(super) useful: usize,
    /// How often which bigram occurs in the text, if counting is possible.
    pub(super) frequencies: Option<&'a Frequencies>,
    /// Needles that share the rows of the text; 0 if the text has them already.
    pub(super) sharing: usize,
    /// Windows that are judged together when counting.
    pub(super) block: Block,
    /// Room for the needle's bigrams.
    pub(super) bigrams: &'a OnceCell<Bigrams<'a>>,
}

/// Marking a group of bigrams and adding up, for each character of the text.
fn group_cycles_per_char() -> f32 {
    if isa() == Isa::Avx512 { 0.15 } else { 0.35 }
}

/// Where texts repeat themselves all windows are nearly alike, and hardly any is excluded by its neighbours.
/// Walking is given up when it has cost as much as so many times combing them all.
const PATIENCE: f32 = 1.0;

/// Cells of tables, 64 rows to one, that may be filled before a search is given up; without end for a
/// needle that cannot be combed.
pub(super) fn patience(needle: usize, text: usize, force: Force) -> usize {
    match force {
        _ if needle > seaweed::MAX_NEEDLE => usize::MAX,
        #[cfg(feature = "internals")]
        Force::GiveUp => 0,
        _ => (PATIENCE * (COMB_CYCLES + seaweed::cycles(needle, text)) / STEP_CYCLES) as usize,
    }
}

impl Task<'_> {
    /// The cheapest plan, or the one that is asked for, and its cycles.
    pub(super) fn plan<T: Symbol>(&self, force: Force) -> (Plan, f32) {
        if self.useful > self.needle.len() {
            // Nothing more matters: walking is over before it begins.
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
        // First what may turn out to be so cheap that nothing else has to be tried.
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

    /// Candidates that are looked at in the time in which the text is walked over.
    pub(super) fn max_candidates(&self) -> usize {
        let look = LOOK_CYCLES + (self.needle.len().min(2 * PIECE_CHARS[0]) as f32) * STEP_CYCLES;
        (self.walk_cycles() / look) as usize + LANES
    }

    /// Whether looking for a good window first costs little beside `cycles`.
    pub(super) fn do_seeds_pay(&self, cycles: f32) -> bool {
        MIN_SEEDS_GAIN * SEEDS_CYCLES_PER_CHAR * (self.text as f32) < cycles
    }

    /// Whether searching the text for the needle itself costs little beside `cycles`.
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
        // Two windows together exclude those between them.
        let margin = self.useful as f32 / self.needle.len() as f32 - COMMON_SHARE;
        let apart = 2.0 * margin.max(0.05) * self.needle.len() as f32;
        // One window is looked at whatever the way.
        self.windows() / apart * look + LOOK_CYCLES
    }

    fn comb_cycles(&self) -> f32 {
        COMB_CYCLES + seaweed::cycles(self.needle.len(), self.text)
    }

    /// Cycles before any candidate is looked at.
    fn scan_cycles(&self, groups: usize) -> f32 {
        (SCAN_CYCLES_PER_CHAR + groups as f32 * group_cycles_per_char()) * self.text as f32
    }

    /// Scanning with so many groups, and its cycles; `None` if it would exclude nothing.
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

    /// What falls upon this needle of the rows, besides filing.
    pub(super) fn index_cycles(&self) -> f32 {
        if self.sharing == 0 { 0.0 } else { INDEX_CYCLES_PER_CHAR * self.text as f32 / self.sharing as f32 }
    }
}
