//! Estimates the cost of steps in advance, in cycles, so that threads are woken only for steps that are worth it.

use super::bitmap::BlockSize;
use super::bitmap::needle::cycles_per_row;
use super::candidates::Candidate;
use super::cost::{
    CHOICE_CYCLES_PER_CHAR, FEW_WINDOWS, FIND_CYCLES_PER_CHAR, NEEDLE_CYCLES, NEEDLE_CYCLES_PER_CHAR, PROBE_CYCLES,
    SCORE_CYCLES, SEEDS_CYCLES_PER_CHAR, STEP_CYCLES,
};
use super::query::{ExactHint, NeedleInfo};

/// Returns the cost of searching sequences of `a` and `b` characters in each other without an index.
pub(super) fn of_pair(a: usize, b: usize) -> f32 {
    STEP_CYCLES * a.min(b).div_ceil(64) as f32 * a.max(b) as f32
}

/// Returns the cost of making a plan. That includes the exact search if it has not been done and `floor` is so low that
/// counting is unlikely to find the needle.
pub(super) fn of_plan(needle: usize, text: usize, exact: ExactHint, floor: usize) -> f32 {
    let is_searched = exact == ExactHint::Unknown && 4 * floor < 3 * needle;
    let search = if is_searched { (FIND_CYCLES_PER_CHAR + SEEDS_CYCLES_PER_CHAR) * text as f32 } else { 0.0 };
    CHOICE_CYCLES_PER_CHAR * needle as f32 + search
}

/// Returns the cost of a needle in a text of `text` characters that has its bitmap rows already: planning, counting,
/// and scoring a few windows.
pub(super) fn with_rows(needle: &NeedleInfo, text: usize) -> f32 {
    if let ExactHint::Known(Some(_)) = needle.exact {
        return 0.0;
    }
    let len = needle.symbols.len();
    let rows = cycles_per_row() * (len * text) as f32 / BlockSize::Large.chars() as f32;
    CHOICE_CYCLES_PER_CHAR * len as f32 + of_probes(len) + rows + of_windows(len, FEW_WINDOWS)
}

/// Returns the cost of preparing to count.
pub(super) fn of_probes(needle: usize) -> f32 {
    PROBE_CYCLES * needle as f32
}

/// Returns the cost of scoring candidates and the affixes of the text, estimated from about `sample` candidates.
///
/// The candidate with the highest bound is scored first. If its score confirms its bound, candidates in the lower half
/// of the range of bounds need no scoring.
pub(super) fn of_candidates(needle: usize, blocks: &[&[Candidate]], sample: usize) -> f32 {
    let candidates: usize = blocks.iter().map(|block| block.len()).sum();
    let step = candidates.div_ceil(sample).max(1);
    let bounds = blocks.iter().flat_map(|block| block.iter().step_by(step)).map(|candidate| candidate.bound);
    let (least, most) = bounds.clone().fold((u32::MAX, 0), |(least, most), bound| (least.min(bound), most.max(bound)));
    of_windows(needle, step * bounds.filter(|&bound| bound - least >= most - bound).count())
}

/// Returns the cost of scoring `windows` windows and the affixes of the text.
pub(super) fn of_windows(needle: usize, windows: usize) -> f32 {
    let per_window = SCORE_CYCLES + STEP_CYCLES * (needle * needle.div_ceil(64)) as f32;
    NEEDLE_CYCLES + NEEDLE_CYCLES_PER_CHAR * needle as f32 + per_window * windows as f32
}
