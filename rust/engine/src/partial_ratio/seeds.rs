//! Where a good window may stand: places at which a part of the needle occurs as it is.
//!
//! Only hints: they make the search for the best window start with a good one, so that fewer of
//! the others are of interest, and change nothing in its result.

use super::lcs::lcs;
use super::pattern_mask::{PatternMask, Symbol, are_small};
use crate::Error;
use crate::cancel::CancelMeter;
use crate::exact::multi::gram_table::{GramTable, Run};
use crate::text::TextRef;

/// Characters that have to stand as they are, at least.
const GRAM: usize = 8;

/// Every so many places of the text are looked at: runs of `GRAM + STEP - 1` characters are found
/// for certain.
const STEP: usize = 8;

/// Windows that are scored.
const MAX_SEEDS: usize = 4;

/// Below this many characters a text is searched faster than its grams are looked up.
const MIN_TEXT_CHARS: usize = 512;

/// Places of the text looked into for each of its characters, before the needle counts as common.
const MAX_PLACES_SHARE: usize = 32;

/// Characters compared there for each character of the text: a long needle has fewer places.
const MAX_COMPARED_SHARE: usize = 64;

/// A window that was scored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) start: usize,
    pub(super) lcs: usize,
}

/// The best of the windows in which parts of the needle stand, if any do.
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

/// The window in which a needle of `needle` characters, whose masks these are, would begin at `place`.
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

/// A window in which a part of the needle stands.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    /// Characters that agree one by one.
    agreeing: usize,
}

/// A few places with the most agreeing characters.
fn best_places<T: Symbol>(needle: &[u32], text: &[T], meter: &mut CancelMeter<'_>) -> Result<Vec<Place>, Error> {
    // Characters that the text cannot have become others: a hint is only a hint.
    let units: Vec<T> = needle.iter().map(|&code| T::from_code(code).unwrap_or(T::zeroed())).collect();
    let run = Run { needle: 0, units: units.as_slice(), offsets: 0..units.len() - GRAM + 1 };
    let grams = GramTable::<GRAM>::new(std::iter::once(run));
    let mut best: Vec<Place> = Vec::with_capacity(MAX_SEEDS + 1);
    let mut budget = MIN_TEXT_CHARS + text.len() / MAX_PLACES_SHARE;
    let mut compared = MAX_COMPARED_SHARE * text.len();
    let stopped = grams.scan(text, 0..text.len(), STEP, |hits| {
        let chars = hits.len() * units.len();
        // Whoever runs out of budget has enough.
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

/// Files a place by how much agrees, once for each window.
fn add(places: &mut Vec<Place>, place: Place) {
    if places.iter().any(|other| other.start == place.start) {
        return;
    }
    let rank = places.partition_point(|other| other.agreeing >= place.agreeing);
    places.insert(rank, place);
    places.truncate(MAX_SEEDS);
}
