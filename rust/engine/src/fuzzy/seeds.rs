//! Where a good window may stand: places at which a part of the needle occurs as it is.
//!
//! Only hints: they make the search for the best window start with a good one, so that fewer of
//! the others are of interest, and change nothing in its result.

use super::lcs::lcs;
use super::masks::{Masks, Symbol, are_small};
use crate::Error;
use crate::exact::grams::{Grams, Run};
use crate::interrupt::Meter;
use crate::text::Units;

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

/// A window that was scored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) start: usize,
    pub(super) lcs: usize,
}

/// The best of the windows in which the longest parts of the needle stand, if any do.
pub(super) fn best<T: Symbol>(needle: &[u32], text: &[T], meter: &mut Meter<'_>) -> Result<Option<Seed>, Error> {
    if needle.len() < GRAM || text.len() < MIN_TEXT_CHARS.max(4 * needle.len()) || !are_small::<T>(needle.len()) {
        return Ok(None);
    }
    let found = longest_runs(needle, text);
    meter.add(text.len() / STEP)?;
    if found.is_empty() {
        return Ok(None);
    }
    let masks = Masks::new(Units::U32(needle));
    let mut best: Option<Seed> = None;
    for place in found {
        let start = place.start.min(text.len() - needle.len());
        let lcs = lcs(&masks, &text[start..start + needle.len()], meter)?;
        if best.is_none_or(|best| lcs > best.lcs) {
            best = Some(Seed { start, lcs });
        }
    }
    Ok(best)
}

/// A part of the needle that stands in the text.
#[derive(Clone, Copy)]
struct Place {
    /// Start of the window in which it stands at its place.
    start: usize,
    /// Characters that agree in a row.
    len: usize,
}

/// A few places with the longest runs.
fn longest_runs<T: Symbol>(needle: &[u32], text: &[T]) -> Vec<Place> {
    // Characters that the text cannot have become others; runs are compared with the needle.
    let units: Vec<T> = needle.iter().map(|&code| T::from_code(code).unwrap_or(T::zeroed())).collect();
    let run = Run { needle: 0, units: units.as_slice(), offsets: 0..units.len() - GRAM + 1 };
    let grams = Grams::<GRAM>::new(std::iter::once(run));
    let mut longest: Vec<Place> = Vec::with_capacity(MAX_SEEDS + 1);
    let mut budget = MIN_TEXT_CHARS + text.len() / MAX_PLACES_SHARE;
    // Whoever runs out of budget has enough.
    let _ = grams.scan(text, 0..text.len(), STEP, |_, offset, place| {
        budget = budget.checked_sub(1).ok_or(())?;
        let after = needle[offset..].iter().zip(&text[place..]).take_while(|(code, unit)| **code == unit.code());
        let before = needle[..offset].iter().rev().zip(text[..place].iter().rev());
        let len = after.count() + before.take_while(|(code, unit)| **code == unit.code()).count();
        let start = place.saturating_sub(offset);
        if longest.len() < MAX_SEEDS || longest.last().is_some_and(|last| len > last.len) {
            add(&mut longest, Place { start, len });
        }
        Ok::<(), ()>(())
    });
    longest
}

/// Files a place by its length, once for each window.
fn add(longest: &mut Vec<Place>, place: Place) {
    if longest.iter().any(|other| other.start == place.start) {
        return;
    }
    let rank = longest.partition_point(|other| other.len >= place.len);
    longest.insert(rank, place);
    longest.truncate(MAX_SEEDS);
}
