//! Seeds: windows at positions where a part of the needle occurs exactly.
//!
//! Seeds are only hints. A search that starts with a good window can exclude more of the others; its result is the
//! same.

use super::lcs::{BlockwiseLcs, FixedWords, Kernel, NeedleMasks, with_kernel};
use super::pattern_mask::{MaskUnit, are_small};
use crate::Error;
use crate::cancel::CancelMeter;
use crate::exact::multi::gram_table::{GramRun, GramTable};
use crate::text::TextRef;

/// Length of the q-grams of a seed, in characters.
const GRAM: usize = 8;

/// Distance of the text positions looked up, in characters. Finds every common run of `GRAM + STEP - 1` characters.
const STEP: usize = 8;

/// Maximum number of windows scored.
const MAX_SEEDS: usize = 4;

/// Minimum length of a text, in characters. Searching a shorter text is faster than looking up its q-grams.
const MIN_TEXT_CHARS: usize = 512;

/// Number of text characters that allow one more position to be examined. With more positions, the needle's q-grams are
/// too common.
const MAX_PLACES_SHARE: usize = 32;

/// Maximum number of characters compared per character of the text. It limits the number of positions for a long
/// needle.
const MAX_COMPARED_SHARE: usize = 64;

/// A scored window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) start: usize,
    pub(super) lcs: usize,
}

/// Returns the best of the windows that contain parts of the needle, if there are any.
pub(super) fn best<T: MaskUnit>(
    needle: &[u32],
    text: &[T],
    meter: &mut CancelMeter<'_>,
) -> Result<Option<Seed>, Error> {
    if needle.len() < GRAM || text.len() < MIN_TEXT_CHARS.max(4 * needle.len()) || !are_small::<T>(needle.len()) {
        return Ok(None);
    }
    let found = seed_positions(needle, text, meter)?;
    meter.charge(text.len() / STEP)?;
    if found.is_empty() {
        return Ok(None);
    }
    let masks = NeedleMasks::new(TextRef::Ucs4(needle));
    let mut best: Option<Seed> = None;
    for place in found {
        let seed = at(&masks, needle.len(), text, place.start, meter)?;
        best = best.filter(|best| best.lcs >= seed.lcs).or(Some(seed));
    }
    Ok(best)
}

/// Scores the window at `place` for a needle of `needle` characters with the masks `masks`.
pub(super) fn at<T: MaskUnit>(
    masks: &NeedleMasks<'_, T>,
    needle: usize,
    text: &[T],
    place: usize,
    meter: &mut CancelMeter<'_>,
) -> Result<Seed, Error> {
    let start = place.min(text.len() - needle);
    let window = &text[start..start + needle];
    Ok(Seed { start, lcs: with_kernel!(masks, kernel => Kernel::lcs(&mut { kernel }, window, meter))? })
}

/// A window that contains a part of the needle.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    /// The number of positions at which the characters are equal.
    agreeing: usize,
}

/// Returns up to [`MAX_SEEDS`] windows with the most equal characters, in descending order.
fn seed_positions<T: MaskUnit>(needle: &[u32], text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Place>, Error> {
    // Characters that do not fit are replaced, which is harmless in a hint.
    let units: Vec<T> = needle.iter().map(|&code| T::from_code(code).unwrap_or(T::zeroed())).collect();
    let run = GramRun { needle: 0, units: units.as_slice(), offsets: 0..units.len() - GRAM + 1 };
    let grams = GramTable::<GRAM>::new(std::iter::once(run));
    let mut best: Vec<Place> = Vec::with_capacity(MAX_SEEDS + 1);
    let mut budget = MIN_TEXT_CHARS + text.len() / MAX_PLACES_SHARE;
    let mut compared = MAX_COMPARED_SHARE * text.len();
    let stopped = grams.scan(text, 0..text.len(), STEP, |hits| {
        let chars = hits.len() * units.len();
        // If the budget is exhausted, stops with the windows found so far.
        budget = budget.checked_sub(hits.len()).ok_or(None)?;
        compared = compared.checked_sub(chars).ok_or(None)?;
        meter.charge(chars / 8).map_err(Some)?;
        for start in hits.iter().map(|hit| hit.start).filter(|&start| start < text.len()) {
            let window = text[start..].iter().zip(&units);
            let agreeing = window.filter(|(unit, wanted)| unit == wanted).count();
            if best.len() < MAX_SEEDS || best.last().is_some_and(|last| agreeing > last.agreeing) {
                add(&mut best, Place { start, agreeing });
            }
        }
        Ok::<(), Option<Error>>(())
    });
    if let Err(Some(error)) = stopped { Err(error) } else { Ok(best) }
}

/// Inserts a window in descending order of equal characters, once for each start.
fn add(places: &mut Vec<Place>, place: Place) {
    if places.iter().any(|other| other.start == place.start) {
        return;
    }
    let rank = places.partition_point(|other| other.agreeing >= place.agreeing);
    places.insert(rank, place);
    places.truncate(MAX_SEEDS);
}
