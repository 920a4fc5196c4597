//! Partial ratio: the best score of a needle against any window of a text.
//!
//! Bit for bit RapidFuzz's `partial_ratio` (3.14.6). `needle` is the shorter side with `m`
//! characters. Windows of the text are its `m`-character pieces, and at both ends the shorter
//! ones. The score of a window of `w` characters is `(1 - d / M) · 100` with `M = m + w` and
//! `d = M - 2·LCS`. Of equally long sides each is the needle once. Of equal scores the leftmost
//! window wins, then the longest, and the first direction before the second.
//!
//! Windows in the middle: [`windows`]. Windows at the ends: one pass over each end scores all of
//! them, `O(m²/64)` ([`lcs::lcs_of_prefixes`]).

mod blocks;
mod candidates;
mod lcs;
mod many;
pub(crate) mod masks;
mod plan;
mod score;
mod search;
mod seaweed;
mod seeds;
mod windows;

pub use score::{Cutoff, Ratio};
pub(crate) use many::{Ask, Needle, best_of_many};
pub use plan::Force;

use crate::interrupt::Interrupt;
use crate::text::{Unit, Units, with_units};
use crate::workers::{Alone, Workers};
use crate::{Error, Span, alphabet, exact};

/// The best window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Best {
    /// How well it agrees with the needle.
    pub ratio: Ratio,
    /// Where it stands in the longer side.
    pub window: Span,
    /// Whether the first argument was the text and the second one the needle.
    pub is_swapped: bool,
}

/// The best score of one side in the other, 0–100; 0 below `cutoff`.
///
/// # Errors
///
/// `interrupt` asked to stop.
pub fn partial_ratio(a: Units<'_>, b: Units<'_>, cutoff: Cutoff, interrupt: &dyn Interrupt) -> Result<f64, Error> {
    let ask = Ask { cutoff, want: Want::Score, force: Force::No };
    let best = best_of_sides(a, b, ask, interrupt)?;
    Ok(best.map_or(0.0, |best| best.ratio.score()))
}

/// The best window of the longer side; `None` below `cutoff`.
///
/// # Errors
///
/// `interrupt` asked to stop.
pub fn partial_ratio_alignment(
    a: Units<'_>,
    b: Units<'_>,
    cutoff: Cutoff,
    interrupt: &dyn Interrupt,
) -> Result<Option<Best>, Error> {
    best_of_sides(a, b, Ask { cutoff, want: Want::Window, force: Force::No }, interrupt)
}

/// What the caller is going to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// The score alone; the window may be any.
    Score,
    /// The leftmost, then longest window of the best score.
    Window,
}

/// Partial ratios of many needles and one text, 0–100, 0 below `cutoff`: as [`partial_ratio`] for
/// each of them.
///
/// # Errors
///
/// The workers were asked to stop.
pub fn partial_ratios(
    needles: &[Units<'_>],
    text: Units<'_>,
    cutoff: Cutoff,
    workers: &impl Workers,
) -> Result<Vec<f64>, Error> {
    let ask = Ask { cutoff, want: Want::Score, force: Force::No };
    let best = best_of_each(needles, text, ask, workers)?;
    Ok(best.into_iter().map(|best| best.map_or(0.0, |best| best.ratio.score())).collect())
}

/// The best window of each pair of a needle and the text.
pub(crate) fn best_of_each(
    needles: &[Units<'_>],
    text: Units<'_>,
    ask: Ask,
    workers: &impl Workers,
) -> Result<Vec<Option<Best>>, Error> {
    let inside: Vec<usize> = (0..needles.len()).filter(|&index| needles[index].len() < text.len()).collect();
    let outside: Vec<usize> = (0..needles.len()).filter(|&index| needles[index].len() >= text.len()).collect();
    let prepared = workers.map(inside.len(), |index, _| {
        let needle = needles[inside[index]];
        Ok(Needle { symbols: needle.to_codes(), exact: with_units!(text, units => find(units, needle)) })
    })?;
    let found = with_units!(text, units => best_of_many(&prepared, units, ask, workers))?;
    let others = workers.map(outside.len(), |index, interrupt| {
        best_of_sides(needles[outside[index]], text, ask, interrupt)
    })?;
    let mut best = vec![None; needles.len()];
    inside.into_iter().zip(found).chain(outside.into_iter().zip(others)).for_each(|(index, found)| best[index] = found);
    Ok(best)
}

pub(crate) fn best_of_sides(
    a: Units<'_>,
    b: Units<'_>,
    ask: Ask,
    interrupt: &dyn Interrupt,
) -> Result<Option<Best>, Error> {
    if a.len() > b.len() {
        let best = best_in_text(b, a, ask, interrupt)?;
        return Ok(best.map(|best| Best { is_swapped: true, ..best }));
    }
    let best = best_in_text(a, b, ask, interrupt)?;
    if a.len() < b.len() || best.is_some_and(|best| best.ratio.is_perfect()) {
        return Ok(best);
    }
    let other = best_in_text(b, a, ask, interrupt)?;
    let beats = |other: &Best| best.is_none_or(|best| other.ratio > best.ratio);
    Ok(other.filter(beats).map(|other| Best { is_swapped: true, ..other }).or(best))
}

fn best_in_text(
    needle: Units<'_>,
    text: Units<'_>,
    ask: Ask,
    interrupt: &dyn Interrupt,
) -> Result<Option<Best>, Error> {
    with_units!(text, units => {
        let needle = Needle { symbols: needle.to_codes(), exact: find(units, needle) };
        Ok(best_of_many(&[needle], units, ask, &Alone(interrupt))?.pop().flatten())
    })
}

fn find<T: Unit>(text: &[T], needle: Units<'_>) -> Option<usize> {
    match T::slice_of(needle) {
        Some(needle) => exact::find(text, needle, 0),
        None => exact::find(text, &alphabet::Alphabet::Identity.encode::<T>(needle)?, 0),
    }
}
