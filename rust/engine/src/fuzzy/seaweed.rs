//! The best window by combing: every window of a text scored exactly, whatever is in them.
//!
//! The table of needle (rows) and text (columns) is crossed by strands, one from each column's top
//! and one from each row's left. In a cell whose characters agree two strands turn away from each
//! other; elsewhere they cross, but no two cross twice. The LCS of the needle and the columns
//! `l..r` is the number of these columns that are left at the bottom by a strand from before `l`.
//! So one pass over the table knows all windows, at a cost that depends on nothing but its size.
//!
//! Strands from before any window that can end here are alike, so a name for each of the last
//! `m` columns is enough: bytes for short needles, 16 bits for long ones. Lanes of a vector comb
//! different parts of the text, which overlap by the needle's length less one.
//!
//! Source: Tiskin 2008, "Semi-local string comparison: algorithmic techniques and applications".

use super::masks::{Masks, Symbol};
use crate::Error;
use crate::arch::{Comb, Level, Tile, level};
use crate::interrupt::Meter;
use crate::text::{Unit, Units, with_units};

/// Longest needle whose strands are named by bytes.
const MAX_BYTE_NEEDLE: usize = 240;

/// Longest needle that is combed.
const MAX_NEEDLE: usize = 8192;

/// Windows that one lane does at a time: the columns of all lanes stay in the cache.
const MIN_LANE_WINDOWS: usize = 2048;

/// The largest LCS of any window if it is above `best`, else `best`. `None` if combing is not
/// possible.
pub(super) fn best_lcs<T: Symbol>(
    masks: &Masks<T>,
    needle: Units<'_>,
    text: &[T],
    best: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<usize>, Error> {
    let len = needle.len();
    if !is_possible(len) {
        return Ok(None);
    }
    let ids: Vec<u16> = with_units!(needle, units => units.iter().map(|unit| id(masks, unit.code())).collect());
    if len <= MAX_BYTE_NEEDLE {
        // Fits: there are no more ids than characters, and `NOWHERE` stays the largest.
        let ids: Vec<u8> = ids.into_iter().map(|id| id.min(u16::from(u8::MAX)) as u8).collect();
        comb::<T, u8, 32>(masks, &ids, text, best, meter)
    } else {
        comb::<T, u16, 16>(masks, &ids, text, best, meter)
    }
}

/// Stands for a character of the needle that no text of this width has.
const NOWHERE: u16 = u16::MAX;

/// A character's id: its row in the masks. Characters that the needle does not have are 0.
fn id<T: Symbol>(masks: &Masks<T>, code: u32) -> u16 {
    T::from_code(code).map(|unit| masks.row_of(unit)).filter(|&row| row != 0).map_or(NOWHERE, |row| row as u16)
}

/// What a tile costs before the first column.
const FIXED_CYCLES: usize = 3000;

/// Whether needles of this length are combed.
pub(super) fn is_possible(needle: usize) -> bool {
    needle <= MAX_NEEDLE && level() >= Level::Avx2
}

/// Cycles that combing takes, whatever is in the text.
pub(super) fn cycles(needle: usize, text: usize) -> f32 {
    let windows = text - needle + 1;
    let lanes = if needle <= MAX_BYTE_NEEDLE { 32 } else { 16 };
    (FIXED_CYCLES + (windows.div_ceil(lanes) + needle) * needle * 5 / 2) as f32
}

fn comb<T: Symbol, L: Comb<LANES> + Unit, const LANES: usize>(
    masks: &Masks<T>,
    needle: &[L],
    text: &[T],
    mut best: usize,
    meter: &mut Meter<'_>,
) -> Result<Option<usize>, Error> {
    let windows = text.len() - needle.len() + 1;
    let lane_windows = windows.div_ceil(LANES).min(MIN_LANE_WINDOWS.max(4 * needle.len()));
    let mut columns = Vec::new();
    for first in (0..windows).step_by(LANES * lane_windows) {
        deal(masks, &text[first..], lane_windows, needle.len(), &mut columns);
        let in_lane = |lane: usize| (windows - first).saturating_sub(lane * lane_windows).min(lane_windows);
        let windows_in_lane = std::array::from_fn(in_lane);
        let tile = Tile { needle, columns: &columns, windows: lane_windows, windows_in_lane };
        let Some(better) = L::best_of_tile(&tile, best) else { return Ok(None) };
        best = better;
        meter.add(LANES * lane_windows * (1 + needle.len() / 16))?;
    }
    Ok(Some(best))
}

/// Deals the text to the lanes: each gets the characters of `lane_windows` windows. After the
/// text's end come zeros, which agree with nothing.
fn deal<T: Symbol, L: Unit, const LANES: usize>(
    masks: &Masks<T>,
    text: &[T],
    lane_windows: usize,
    needle: usize,
    columns: &mut Vec<[L; LANES]>,
) {
    let zero = [L::zeroed(); LANES];
    columns.clear();
    columns.resize((lane_windows + needle - 1).next_multiple_of(4), zero);
    for lane in 0..LANES {
        let part = text.get(lane * lane_windows..).unwrap_or_default();
        for (column, &unit) in columns.iter_mut().zip(part) {
            // Fits: ids of a needle of at most 240 characters are bytes.
            column[lane] = L::from_code(masks.row_of(unit) as u32).unwrap_or(L::zeroed());
        }
    }
}
