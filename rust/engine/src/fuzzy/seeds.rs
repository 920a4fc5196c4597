//! Where a good window may stand: places at which a piece of the needle occurs as it is.
//!
//! Only hints: they make the search for the best window start with a good one, and change nothing
//! in its result.

use crate::exact;
use crate::text::{Unit, Units};

/// Most pieces that are looked for, one for each so many characters of the needle.
const MAX_PIECES: usize = 16;
const CHARS_PER_PIECE: usize = 12;

/// Shorter pieces stand in too many places.
const MIN_PIECE_CHARS: usize = 6;

/// Longer ones are rarely left as they are.
const MAX_PIECE_CHARS: usize = 12;

/// Below this many characters the search for pieces costs more than it saves.
const MIN_TEXT_CHARS: usize = 512;

/// Whether to look for hints: a high floor makes long steps from the beginning.
pub(super) fn pay(needle: usize, floor: usize) -> bool {
    floor <= needle * 3 / 4
}

/// Starts of windows in which a piece of `needle` stands at its place. Text positions may be past
/// the last window.
pub(super) fn hints<T: Unit>(needle: Units<'_>, text: &[T]) -> Vec<usize> {
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
