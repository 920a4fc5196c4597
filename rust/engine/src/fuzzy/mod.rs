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

mod lcs;
pub(crate) mod masks;
mod score;
mod seaweed;
mod seeds;
mod windows;

use lcs::{Blocks, Fixed, Kernel};
use masks::{Masks, Symbol};
pub use score::{Cutoff, Ratio};
use windows::Windows;

use crate::interrupt::{Interrupt, Meter};
use crate::text::{Unit, Units, with_units};
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
    let best = best_of_sides(a, b, cutoff, Want::Score, interrupt)?;
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
    best_of_sides(a, b, cutoff, Want::Window, interrupt)
}

/// What the caller is going to look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// The score alone; the window may be any.
    Score,
    /// The leftmost, then longest window of the best score.
    Window,
}

pub(crate) fn best_of_sides(
    a: Units<'_>,
    b: Units<'_>,
    cutoff: Cutoff,
    want: Want,
    interrupt: &dyn Interrupt,
) -> Result<Option<Best>, Error> {
    let mut meter = Meter::new(interrupt);
    if a.len() > b.len() {
        let best = best_in_text(b, a, cutoff, want, &mut meter)?;
        return Ok(best.map(|best| Best { is_swapped: true, ..best }));
    }
    let best = best_in_text(a, b, cutoff, want, &mut meter)?;
    if a.len() < b.len() || best.is_some_and(|best| best.ratio.is_perfect()) {
        return Ok(best);
    }
    let other = best_in_text(b, a, cutoff, want, &mut meter)?;
    let beats = |other: &Best| best.is_none_or(|best| other.ratio > best.ratio);
    Ok(other.filter(beats).map(|other| Best { is_swapped: true, ..other }).or(best))
}

fn best_in_text(
    needle: Units<'_>,
    text: Units<'_>,
    cutoff: Cutoff,
    want: Want,
    meter: &mut Meter<'_>,
) -> Result<Option<Best>, Error> {
    with_units!(text, units => {
        best_window(needle, units, find(units, needle), cutoff, want, meter)
    })
}

fn find<T: Unit>(text: &[T], needle: Units<'_>) -> Option<usize> {
    match T::slice_of(needle) {
        Some(needle) => exact::find(text, needle, 0),
        None => exact::find(text, &alphabet::Alphabet::Identity.encode::<T>(needle)?, 0),
    }
}

/// The best window of `text`, which is at least as long as `needle`. `exact` is the leftmost
/// occurrence of the needle, if the caller knows one.
pub(crate) fn best_window<T: Symbol>(
    needle: Units<'_>,
    text: &[T],
    exact: Option<usize>,
    cutoff: Cutoff,
    want: Want,
    meter: &mut Meter<'_>,
) -> Result<Option<Best>, Error> {
    let len = needle.len();
    let accept = |best: Best| cutoff.accepts(best.ratio.score()).then_some(best);
    if len == 0 {
        let ratio = if text.is_empty() { Ratio::new(0, 0) } else { Ratio::NONE };
        return Ok(accept(Best { ratio, window: Span::new(0, 0), is_swapped: false }));
    }
    if let Some(start) = exact {
        let window = Span::new(start, start + len);
        return Ok(accept(Best { ratio: Ratio::new(len, 2 * len), window, is_swapped: false }));
    }
    let masks = Masks::<T>::new(needle);
    let best = match masks.words() {
        1 => best_inside(&masks, Fixed::<T, 1>(&masks), text, needle, cutoff, want, meter),
        2 => best_inside(&masks, Fixed::<T, 2>(&masks), text, needle, cutoff, want, meter),
        3 => best_inside(&masks, Fixed::<T, 3>(&masks), text, needle, cutoff, want, meter),
        4 => best_inside(&masks, Fixed::<T, 4>(&masks), text, needle, cutoff, want, meter),
        _ => best_inside(&masks, Blocks::new(&masks), text, needle, cutoff, want, meter),
    }?;
    Ok(accept(best_at_ends(masks, len, text, best, meter)?))
}

/// The best window as long as the needle.
fn best_inside<T: Symbol, K: Kernel<T>>(
    masks: &Masks<T>,
    kernel: K,
    text: &[T],
    needle: Units<'_>,
    cutoff: Cutoff,
    want: Want,
    meter: &mut Meter<'_>,
) -> Result<Best, Error> {
    let floor = cutoff.min_lcs(needle.len());
    let none = Best { ratio: Ratio::NONE, window: Span::new(0, needle.len()), is_swapped: false };
    if floor > needle.len() {
        return Ok(none);
    }
    let mut windows = Windows::new(text, needle.len(), floor, want, kernel, meter);
    if seeds::pay(needle.len(), floor) {
        windows.sample(&seeds::hints(needle, text))?;
    }
    let combed = seaweed::best_lcs(masks, needle, text, windows.best(), windows.meter())?;
    let lcs = match combed {
        Some(lcs) => windows.settle(lcs)?,
        None => windows.best_lcs()?,
    };
    if lcs < floor.max(1) {
        return Ok(none);
    }
    let start = if want == Want::Window { windows.leftmost()? } else { None };
    let window = start.map_or(none.window, |start| Span::new(start, start + needle.len()));
    Ok(Best { ratio: Ratio::new(lcs, 2 * needle.len()), window, is_swapped: false })
}

/// The better of `best` and the shorter windows at both ends of `text`.
fn best_at_ends<T: Symbol>(
    masks: Masks<T>,
    len: usize,
    text: &[T],
    mut best: Best,
    meter: &mut Meter<'_>,
) -> Result<Best, Error> {
    let mut consider = |lcs: usize, window: Span| {
        let ratio = Ratio::new(lcs, len + window.len());
        let is_before = (window.start, std::cmp::Reverse(window.end)) < (best.window.start, std::cmp::Reverse(best.window.end));
        if ratio > best.ratio || (ratio == best.ratio && is_before) {
            best = Best { ratio, window, is_swapped: false };
        }
    };
    meter.add(2 * len * masks.words())?;
    lcs::lcs_of_prefixes(&masks, text[..len - 1].iter(), |chars, lcs| consider(lcs, Span::new(0, chars)));
    let reversed = masks.reversed(len);
    let end = text.len();
    let suffix = text[end - (len - 1)..].iter().rev();
    lcs::lcs_of_prefixes(&reversed, suffix, |chars, lcs| consider(lcs, Span::new(end - chars, end)));
    Ok(best)
}
