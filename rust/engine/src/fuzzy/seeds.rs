//! Where a good window may stand: places at which a piece of the needle occurs as it is.
//!
//! Only hints: they make the search for the best window start with a good one, and change nothing
//! in its result.

use super::lcs::lcs;
use super::masks::{Masks, Symbol, are_small};
use crate::interrupt::Meter;
use crate::text::{Unit, Units};
use crate::{Error, exact};

/// Most pieces that are looked for, one for each so many characters of the needle.
const MAX_PIECES: usize = 16;
const CHARS_PER_PIECE: usize = 12;

/// Shorter pieces stand in too many places.
const MIN_PIECE_CHARS: usize = 6;

/// Longer ones are rarely left as they are.
const MAX_PIECE_CHARS: usize = 12;

/// Below this many characters the search for pieces costs more than it saves.
const MIN_TEXT_CHARS: usize = 512;

/// A window that was scored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seed {
    pub(super) start: usize,
    pub(super) lcs: usize,
}

/// Whether to look for hints: a high floor makes long steps from the beginning.
pub(super) fn pay(needle: usize, floor: usize) -> bool {
    floor <= needle * 3 / 4
}

/// The best of the windows that the hints lead to, if there are any.
pub(super) fn best<T: Symbol>(needle: Units<'_>, text: &[T], meter: &mut Meter<'_>) -> Result<Option<Seed>, Error> {
    let hints = hints(needle, text);
    if hints.is_empty() || !are_small::<T>(needle.len()) {
        return Ok(None);
    }
    let masks = Masks::new(needle);
    let mut best: Option<Seed> = None;
    for hint in hints {
        let start = hint.min(text.len() - needle.len());
        let lcs = lcs(&masks, &text[start..start + needle.len()], meter)?;
        if best.is_none_or(|best| lcs > best.lcs) {
            best = Some(Seed { start, lcs });
        }
    }
    Ok(best)
}

/// Starts of windows in which a piece of `needle` stands at its place. Text positions may be past
/// the last window.
fn hints<T: Unit>(needle: Units<'_>, text: &[T]) -> Vec<usize> {
    if text.len() < MIN_TEXT_CHARS || text.len() < 4 * needle.len() || needle.len() < MIN_PIECE_CHARS {
        return Vec::new();
    }
    let needle = needle.to_codes();
    let pieces = (needle.len() / CHARS_PER_PIECE).clamp(1, MAX_PIECES);
    let part = needle.len() / pieces;
    let len = part.min(MAX_PIECE_CHARS);
    let hint = |piece: usize| {
        let offset = piece * part;
        let units: Vec<T> =
            needle[offset..offset + len].iter().map(|&code| T::from_code(code)).collect::<Option<_>>()?;
        Some(exact::find(text, &units, 0)?.saturating_sub(offset))
    };
    let mut hints: Vec<usize> = (0..pieces).filter_map(hint).collect();
    hints.sort_unstable();
    hints.dedup();
    hints
}
