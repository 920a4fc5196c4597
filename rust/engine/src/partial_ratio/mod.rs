//! Partial ratio: the best score of a needle against any window of a text.
//!
//! Scores equal those of RapidFuzz's `partial_ratio` (3.14.6) to the last bit. The needle is the shorter sequence, with
//! `m` characters. The windows are all substrings of the text with `m` characters, and its shorter prefixes and
//! suffixes. The score of a window of `w` characters is `(1 - d / M) · 100` with `M = m + w` and `d = M - 2·LCS`. If
//! both sequences have the same length, each is the needle once. Ties go to the leftmost window, then to the longest,
//! then to the first direction.
//!
//! `windows` scores the windows of `m` characters. One pass over each end of the text scores its prefixes or suffixes,
//! in `O(m²/64)` (`lcs::prefix_lcs`). Sequences of the same length have only one full window besides their affixes:
//! `equal_length`.

mod banded_lcs;
mod bigram_scan;
mod bitmap;
mod candidates;
mod cost;
mod equal_length;
mod estimates;
mod lcs;
mod many;
pub(crate) mod pattern_mask;
mod plan;
mod plan_counting;
mod query;
mod score;
mod search;
mod seaweed;
mod seeds;
mod text_index;
mod visited_ranges;
mod windows;

pub(crate) use many::{IndexedText, best_of_many};
#[cfg(feature = "internals")]
pub use plan::PlanOverride;
#[cfg(not(feature = "internals"))]
pub(crate) use plan::PlanOverride;
pub(crate) use query::{ExactHint, NeedleInfo, Request};
pub use score::{Cutoff, Ratio};
pub(crate) use text_index::TextIndex;

use crate::cancel::{Cancel, CancelMeter};
use crate::executor::{Executor, Sequential};
use crate::text::{Text, TextRef, dispatch};
use crate::{Error, Span, check_chars};

/// Maximum length of a needle with a bounded search time for any text, in characters. In the worst case, the search
/// fills the LCS table of needle and text once, many cells at a time. A longer needle is fast only if few windows are
/// similar.
pub const MAX_PATTERN_CHARS_SEAWEED: usize = seaweed::MAX_NEEDLE;

/// The best window and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreAlignment {
    /// The similarity of needle and window.
    pub ratio: Ratio,
    /// The span of the window in the longer sequence.
    pub window: Span,
    /// Whether the first argument is the text and the second one the needle.
    pub is_swapped: bool,
}

/// Returns the best score of the shorter sequence in the longer one, in 0–100; 0 if it is below `cutoff`.
///
/// # Errors
///
/// Returns an error if a sequence is longer than [`MAX_CHARS`](crate::MAX_CHARS), or if `cancel` requests cancellation.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Cutoff, Never, partial_ratio};
///
/// let score = partial_ratio("second Tuesday", "on the second Thursday of May", Cutoff::NONE, &Never)?;
/// assert!((80.0..90.0).contains(&score));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn partial_ratio<'t, 'q>(
    a: impl Into<Text<'t>>,
    b: impl Into<Text<'q>>,
    cutoff: Cutoff,
    cancel: &dyn Cancel,
) -> Result<f64, Error> {
    let request = Request { cutoff, goal: Goal::Score, plan_override: PlanOverride::No };
    let best = best_of_pair(a.into().units(), b.into().units(), request, cancel)?;
    Ok(best.map_or(0.0, |best| best.ratio.score()))
}

/// Returns the best window of the longer sequence, or `None` if its score is below `cutoff`.
///
/// # Errors
///
/// The same as those of [`partial_ratio`].
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Cutoff, Never, partial_ratio_alignment};
///
/// assert_eq!(partial_ratio_alignment("xyz", "abc", Cutoff::Score(50.0), &Never)?, None);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn partial_ratio_alignment<'t, 'q>(
    a: impl Into<Text<'t>>,
    b: impl Into<Text<'q>>,
    cutoff: Cutoff,
    cancel: &dyn Cancel,
) -> Result<Option<ScoreAlignment>, Error> {
    let request = Request { cutoff, goal: Goal::Window, plan_override: PlanOverride::No };
    best_of_pair(a.into().units(), b.into().units(), request, cancel)
}

/// The part of the result that the caller needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// Only the score; the window may be any window.
    Score,
    /// The score and its window: the leftmost one with the best score, then the longest.
    Window,
    /// Only whether a window is accepted; score and window may be those of any accepted window.
    Decision,
}

impl Goal {
    /// Returns the minimum LCS that can still change the result for a needle of `needle` characters, after a window
    /// with an LCS of `best` was accepted.
    fn useful_after(self, best: usize, needle: usize) -> usize {
        match self {
            Self::Score => best + 1,
            Self::Window => best,
            Self::Decision => needle + 1,
        }
    }
}

/// Returns the partial ratio of each needle and one text, in 0–100, or 0 below `cutoff`, like [`partial_ratio`].
///
/// # Errors
///
/// Returns an error if the text or a needle is longer than [`MAX_CHARS`](crate::MAX_CHARS), or if the executor is
/// cancelled.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Cutoff, Never, Sequential, Text, partial_ratio_many};
///
/// let quotes = ["a red door", "a blue roof"].map(Text::from);
/// let quotes = quotes.each_ref().map(Text::units);
/// let text = Text::from("It has a red door.");
/// let scores = partial_ratio_many(&quotes, text.units(), Cutoff::Score(90.0), &Sequential(&Never))?;
/// assert_eq!(scores, [100.0, 0.0]);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn partial_ratio_many(
    needles: &[TextRef<'_>],
    text: TextRef<'_>,
    cutoff: Cutoff,
    executor: &impl Executor,
) -> Result<Vec<f64>, Error> {
    scores_forced(needles, text, cutoff, PlanOverride::No, executor)
}

/// Returns the result of [`partial_ratio_many`] with an overridden plan, for tests and benchmarks. The plan affects
/// only the time.
///
/// # Errors
///
/// Returns an error if the text or a needle is longer than [`MAX_CHARS`](crate::MAX_CHARS), or if the executor is
/// cancelled.
#[cfg_attr(not(feature = "internals"), expect(unreachable_pub, reason = "tests choose"))]
pub fn scores_forced(
    needles: &[TextRef<'_>],
    text: TextRef<'_>,
    cutoff: Cutoff,
    plan_override: PlanOverride,
    executor: &impl Executor,
) -> Result<Vec<f64>, Error> {
    let best = best_of_each(needles, text, Request { cutoff, goal: Goal::Score, plan_override }, executor)?;
    Ok(best.into_iter().map(|best| best.map_or(0.0, |best| best.ratio.score())).collect())
}

/// Returns the best window for each needle and `text` with an overridden plan, for tests. The plan affects only the
/// time.
///
/// # Errors
///
/// Returns an error if the text or a needle is longer than [`MAX_CHARS`](crate::MAX_CHARS), or if the executor is
/// cancelled.
#[cfg(feature = "internals")]
pub fn alignments_forced(
    needles: &[TextRef<'_>],
    text: TextRef<'_>,
    cutoff: Cutoff,
    plan_override: PlanOverride,
    executor: &impl Executor,
) -> Result<Vec<Option<ScoreAlignment>>, Error> {
    best_of_each(needles, text, Request { cutoff, goal: Goal::Window, plan_override }, executor)
}

/// Returns the best window for each pair of a needle and the text.
pub(crate) fn best_of_each(
    needles: &[TextRef<'_>],
    text: TextRef<'_>,
    request: Request,
    executor: &impl Executor,
) -> Result<Vec<Option<ScoreAlignment>>, Error> {
    // Positions are `i32` in this module, and sums of two lengths `u32`.
    needles.iter().chain([&text]).try_for_each(|text| check_chars(text.len()))?;
    let (inside, outside): (Vec<usize>, Vec<usize>) =
        (0..needles.len()).partition(|&index| needles[index].len() < text.len());
    let prepared: Vec<NeedleInfo> = inside.iter().map(|&index| NeedleInfo::new(needles[index])).collect();
    let found = dispatch!(text, units => best_of_many(&prepared, IndexedText::once(units), request, executor))?;
    let others = best_of_pairs(&outside, needles, text, request, executor)?;
    let mut best = vec![None; needles.len()];
    inside.into_iter().zip(found).chain(outside.into_iter().zip(others)).for_each(|(index, found)| best[index] = found);
    Ok(best)
}

/// Returns the best window for each of the needles `numbers`, none of which is shorter than the text.
pub(crate) fn best_of_pairs(
    numbers: &[usize],
    needles: &[TextRef<'_>],
    text: TextRef<'_>,
    request: Request,
    executor: &impl Executor,
) -> Result<Vec<Option<ScoreAlignment>>, Error> {
    let needle = |index: usize| needles[numbers[index]];
    let cycles = |index| estimates::of_pair(needle(index).len(), text.len());
    executor.map(numbers.len(), cycles, |index, cancel| best_of_pair(needle(index), text, request, cancel))
}

fn best_of_pair(
    a: TextRef<'_>,
    b: TextRef<'_>,
    request: Request,
    cancel: &dyn Cancel,
) -> Result<Option<ScoreAlignment>, Error> {
    check_chars(a.len().max(b.len()))?;
    if a.len() > b.len() {
        let best = best_in_text(b, a, request, cancel)?;
        return Ok(best.map(|best| ScoreAlignment { is_swapped: true, ..best }));
    }
    if a.len() < b.len() || a.is_empty() {
        return best_in_text(a, b, request, cancel);
    }
    dispatch!(b, units => equal_length::best_of_equal_length(a, units, request, &mut CancelMeter::new(cancel)))
}

fn best_in_text(
    needle: TextRef<'_>,
    text: TextRef<'_>,
    request: Request,
    cancel: &dyn Cancel,
) -> Result<Option<ScoreAlignment>, Error> {
    let needle = NeedleInfo::new(needle);
    let best =
        dispatch!(text, units => best_of_many(&[needle], IndexedText::once(units), request, &Sequential(cancel)))?;
    Ok(best.into_iter().next().flatten())
}
