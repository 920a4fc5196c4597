//! Seeds: windows at positions where a part of the needle occurs exactly.
//!
//! They are only hints. A search that starts with a good window can exclude more of the others; its result is the same.

use super::lcs::lcs;
use super::pattern_mask::{PatternMask, Symbol, are_small};
use crate::Error;
use crate::cancel::CancelMeter;
use crate::exact::multi::gram_table::{GramTable, Run};
use crate::text::TextRef;

/// Length of the q-grams of a seed, in characters.
const GRAM: usize = 8;

/// Every `STEP`-th position of the text is looked up, so that every common run of `GRAM + STEP - 1` characters is
/// found.
const STEP: usize = 8;

/// Maximum number of windows that are scored.
const MAX_SEEDS: usize = 4;

/// Minimum length of a text. A shorter one is searched faster than its q-grams are looked up.
const MIN_TEXT_CHARS: usize = 512;

/// Text characters for each position examined; beyond that, the needle's q-grams are too common.
const MAX_PLACES_SHARE: usize = 32;

/// Maximum number of characters compared for each character of the text; a long needle has fewer positions.
const MAX_COMPARED_SHARE: usize = 64;

/// A scored window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) start: usize,
    pub(super) lcs: usize,
}

/// Returns the best window that contains parts of the needle, if there is one.
pub(super) fn best<T: Symbol>(needle: &[u32], text: &[T], meter: &mut CancelMeter<'_>) -> Result<Option<Seed>, Error> {
    if needle.len() < GRAM || text.len() < MIN_TEXT_CHARS.max(4 * needle.len()) || !are_small::<T>(needle.len()) {
        return Ok(None);
    }
    let found = best_places(needle, text, meter)?;
    meter.add(text.len() / STEP)?;
    if found.is_empty() {
        return Ok(None);
    }
    let masks = PatternMask::new(TextRef::Ucs4(needle));
    let mut best: Option<Seed> = None;
    for place in found {
        let seed = score(&masks, needle.len(), text, place.start, meter)?;
        best = best.filter(|best| best.lcs >= seed.lcs).or(Some(seed));
    }
    Ok(best)
}

/// Scores the window at `place` for a needle of `needle` characters with these masks.
pub(super) fn at<T: Symbol>(
    masks: &PatternMask<T>,
    needle: usize,
    text: &[T],
    place: isize,
    meter: &mut CancelMeter<'_>,
) -> Result<Seed, Error> {
    score(masks, needle, text, place.max(0) as usize, meter)
}

fn score<T: Symbol>(
    masks: &PatternMask<T>,
    needle: usize,
    text: &[T],
    place: usize,
    meter: &mut CancelMeter<'_>,
) -> Result<Seed, Error> {
    let start = place.min(text.len() - needle);
    Ok(Seed { start, lcs: lcs(masks, &text[start..start + needle], meter)? })
}

/// A window with a part of the needle.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    /// The number of positions with equal characters.
    agreeing: usize,
}

/// Returns the few windows with the most equal characters.
fn best_places<T: Symbol>(needle: &[u32], text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Place>, Error> {
    // Characters that do not fit are replaced, which is harmless in a hint.
    let units: Vec<T> = needle.iter().map(|&code| T::from_code(code).unwrap_or(T::zeroed())).collect();
    let run = Run { needle: 0, units: units.as_slice(), offsets: 0..units.len() - GRAM + 1 };
    let grams = GramTable::<GRAM>::new(std::iter::once(run));
    let mut best: Vec<Place> = Vec::with_capacity(MAX_SEEDS + 1);
    let mut budget = MIN_TEXT_CHARS + text.len() / MAX_PLACES_SHARE;
    let mut compared = MAX_COMPARED_SHARE * text.len();
    let stopped = grams.scan(text, 0..text.len(), STEP, |hits| {
        let chars = hits.len() * units.len();
        // Stops with the windows so far when the budget is exhausted.
        budget = budget.checked_sub(hits.len()).ok_or(None)?;
        compared = compared.checked_sub(chars).ok_or(None)?;
        meter.add(chars / 8).map_err(Some)?;
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

/// Inserts a window by its number of equal characters, once for each start.
fn add(places: &mut Vec<Place>, place: Place) {
    if places.iter().any(|other| other.start == place.start) {
        return;
    }
    let rank = places.partition_point(|other| other.agreeing >= place.agreeing);
    places.insert(rank, place);
    places.truncate(MAX_SEEDS);
}
