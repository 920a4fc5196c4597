//! Seaweed combing (semi-local LCS): scores every window of a text exactly, at a cost that depends only on the lengths.
//!
//! Strands cross the table of needle (rows) and text (columns), one from the top of each column and one from the left
//! of each row. In a cell with equal characters, two strands turn away from each other; in other cells they cross, but
//! no two strands cross twice. The LCS of the needle and the columns `l..r` is the number of these columns in which a
//! strand from before `l` leaves at the bottom. So one pass over the table scores all windows.
//!
//! Strands from before every window that can end here are equivalent, so ids for the last `m` columns are enough: one
//! byte for short needles, 16 bits for long ones. The lanes of a vector comb different parts of the text, which overlap
//! by the length of the needle minus one.
//!
//! Source: Tiskin 2008, "Semi-local string comparison: algorithmic techniques and applications".

use super::pattern_mask::{MaskUnit, Rows};
use crate::Error;
use crate::alphabet::ABSENT;
use crate::arch::combing::{COLUMNS, CombTile, Combing, transpose_bytes};
use crate::arch::{Isa, isa};
use crate::cancel::CancelMeter;
use crate::text::{CodeUnit, TextRef, dispatch};

/// Maximum length of a needle with one-byte strand ids, in characters.
const MAX_BYTE_NEEDLE: usize = 240;

/// Maximum length of a needle that can be combed, in characters. Strand ids have 16 bits, half of them for new strands.
pub(super) const MAX_NEEDLE: usize = 1 << 15;

/// Maximum number of windows per lane, or four times the needle's length if that is more. This keeps the columns of all
/// lanes in the cache.
const MAX_LANE_WINDOWS: usize = 2048;

/// Calls a method of a search with the lane type and number of lanes for its needle and this processor.
macro_rules! in_lanes {
    ($search:ident.$method:ident($($argument:expr),*)) => {
        match ($search.window <= MAX_BYTE_NEEDLE, isa() == Isa::Avx512) {
            (true, true) => $search.$method::<u8, 64>($($argument),*),
            (true, false) => $search.$method::<u8, 32>($($argument),*),
            (false, true) => $search.$method::<u16, 32>($($argument),*),
            (false, false) => $search.$method::<u16, 16>($($argument),*),
        }
    };
}

/// Returns the maximum LCS of any window if it exceeds `best`, otherwise `best`; if `is_window`, also the start of the
/// leftmost window that has it. Returns `None` if combing is not possible.
pub(super) fn best_lcs<T: MaskUnit>(
    needle: TextRef<'_>,
    text: &[T],
    best: usize,
    is_window: bool,
    meter: &mut CancelMeter<'_>,
) -> Result<Option<(usize, Option<usize>)>, Error> {
    if !is_possible(needle.len()) {
        return Ok(None);
    }
    let search = SeaweedCombing::new(needle, text);
    in_lanes!(search.largest(best, is_window, meter))
}

/// Returns the maximum LCS of any window, and the start of the leftmost window that has it. The needle must have 1 to
/// [`MAX_NEEDLE`] characters, and the text at least as many as the needle.
pub(super) fn best_window<T: MaskUnit>(
    needle: TextRef<'_>,
    text: &[T],
    meter: &mut CancelMeter<'_>,
) -> Result<(usize, usize), Error> {
    let search = SeaweedCombing::new(needle, text);
    in_lanes!(search.leftmost(None, meter))
}

/// Fixed cost of combing, in cycles.
const FIXED_CYCLES: f32 = 2700.0;

/// Cost of moving a character to its lane and scoring the window that begins there, in cycles.
const TRANSPOSE_CYCLES: f32 = 0.7;

/// Returns whether this processor can comb a needle of `needle` characters.
pub(super) fn is_possible(needle: usize) -> bool {
    needle <= MAX_NEEDLE && isa() >= Isa::Avx2
}

/// Returns the cost of combing, in cycles.
pub(super) fn cycles(needle: usize, text: usize) -> f32 {
    let bytes = if isa() == Isa::Avx512 { 64 } else { 32 };
    let lanes = if needle <= MAX_BYTE_NEEDLE { bytes } else { bytes / 2 };
    let columns = (text - needle + 1).div_ceil(lanes) + needle;
    FIXED_CYCLES + TRANSPOSE_CYCLES * text as f32 + (columns * needle) as f32 * CELL_CYCLES
}

/// Cost of a cell in all lanes, with its share of the scoring, in cycles.
const CELL_CYCLES: f32 = 2.1;

/// A needle in ids, and a text.
struct SeaweedCombing<'a, T: MaskUnit> {
    /// The ids of those characters that the text can contain; the others affect no LCS.
    needle: Vec<u32>,
    window: usize,
    text: &'a [T],
    /// The id of each character of the needle in a text with more than one byte per character; 0 for any other one.
    ids: T::Rows,
}

impl<'a, T: MaskUnit> SeaweedCombing<'a, T> {
    fn new(needle: TextRef<'_>, text: &'a [T]) -> Self {
        let mut search =
            Self { needle: Vec::with_capacity(needle.len()), window: needle.len(), text, ids: T::Rows::default() };
        let mut next = 1;
        dispatch!(needle, units => for unit in units.iter().filter_map(|unit| T::from_code(unit.code_point()).filter(|_| unit.code_point() != ABSENT)) {
            if size_of::<T>() > 1 && search.ids.get(unit) == 0 {
                search.ids.set(unit, next);
                next += 1;
            }
            search.needle.push(search.id(unit));
        });
        search
    }

    /// Returns the id of a character: the character itself in a text of bytes.
    #[inline(always)]
    fn id(&self, unit: T) -> u32 {
        if size_of::<T>() == 1 { unit.code_point() } else { self.ids.get(unit) as u32 }
    }

    /// Returns the maximum LCS of any window if it exceeds `best`, otherwise `best`; if `is_window`, also the start of
    /// the leftmost window that has it. Returns `None` if there is no kernel.
    fn largest<L: Combing<LANES> + From<u8>, const LANES: usize>(
        &self,
        best: usize,
        is_window: bool,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Option<(usize, Option<usize>)>, Error> {
        let mut best = Some(best);
        let mut holder = None;
        self.each_tile::<L, LANES>(None, meter, |first, tile, meter| {
            if let Some(least) = best {
                best = L::best_of_tile(tile, least, &mut |chars| meter.charge(chars))?;
                if best.is_some_and(|best| best > least) {
                    holder = Some(first);
                }
            }
            Ok(())
        })?;
        // The first part with the maximum LCS contains the leftmost window.
        let holder = holder.filter(|_| is_window);
        let leftmost = holder.map(|_| self.leftmost::<L, LANES>(holder, meter)).transpose()?;
        Ok(best.map(|best| (best, leftmost.map(|(_, start)| start))))
    }

    /// Returns the maximum LCS of any window, and the start of the leftmost window that has it. If `only` is given,
    /// covers only the part that begins with that window.
    fn leftmost<L: Combing<LANES> + From<u8>, const LANES: usize>(
        &self,
        only: Option<usize>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(usize, usize), Error> {
        let mut best = (0, 0);
        self.each_tile::<L, LANES>(only, meter, |first, tile, meter| {
            let in_lanes = best_in_lanes(tile, &L::ages(tile, &mut |chars| meter.charge(chars))?);
            meter.charge(LANES * tile.columns.len())?;
            for (lane, (lcs, start)) in in_lanes.into_iter().enumerate() {
                if lcs as usize > best.0 {
                    best = (lcs as usize, first + lane * tile.windows + start);
                }
            }
            Ok(())
        })?;
        Ok(best)
    }

    /// Calls `found` with each part of the text and its first window, from left to right. If `only` is given, covers
    /// only the part that begins with that window.
    fn each_tile<L: CodeUnit + From<u8>, const LANES: usize>(
        &self,
        only: Option<usize>,
        meter: &mut CancelMeter<'_>,
        mut found: impl FnMut(usize, &CombTile<'_, L, LANES>, &mut CancelMeter<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        // Fits, because there are fewer ids than values of a lane.
        let mut needle = Vec::with_capacity(self.needle.len());
        needle.extend(self.needle.iter().filter_map(|&id| L::from_code(id)));
        let all = self.text.len() - self.window + 1;
        let windows = all.div_ceil(LANES).min(MAX_LANE_WINDOWS.max(4 * self.window));
        let mut columns = Vec::new();
        let parts = (0..all).step_by(LANES * windows);
        for first in parts.filter(|&first| only.is_none_or(|only| first == only)) {
            self.transpose(first, windows, &mut columns);
            let in_lane = |lane: usize| (all - first).saturating_sub(lane * windows).min(windows);
            let windows_in_lane = std::array::from_fn(in_lane);
            let tile = CombTile { needle: &needle, columns: &columns, window: self.window, windows, windows_in_lane };
            found(first, &tile, meter)?;
            meter.charge(LANES * windows)?;
        }
        Ok(())
    }

    /// Transposes the text from `first` on to the lanes: each lane gets the characters of `lane_windows` windows. Lanes
    /// may read beyond the end of the text, but no window that counts does.
    fn transpose<L: CodeUnit + From<u8>, const LANES: usize>(
        &self,
        first: usize,
        lane_windows: usize,
        columns: &mut Vec<[L; LANES]>,
    ) {
        let count = (lane_windows + self.window - 1).next_multiple_of(COLUMNS);
        columns.clear();
        columns.resize(count, [L::zeroed(); LANES]);
        for (part, columns) in columns.as_chunks_mut::<COLUMNS>().0.iter_mut().enumerate() {
            let start_of = |lane: usize| first + lane * lane_windows + part * COLUMNS;
            if size_of::<T>() == 1 {
                let text: &[u8] = bytemuck::cast_slice(self.text);
                transpose_bytes(&std::array::from_fn(|lane| word_at(text, start_of(lane))), columns);
                continue;
            }
            for lane in 0..LANES {
                let units = self.text.get(start_of(lane)..).unwrap_or_default();
                for (column, &unit) in columns.iter_mut().zip(units) {
                    // Fits, because there are fewer ids than values of a lane.
                    column[lane] = L::from_code(self.id(unit)).unwrap_or(L::zeroed());
                }
            }
        }
    }
}

/// Returns, for each lane, the maximum LCS of any window and the start of the leftmost window that has it.
///
/// Compared with its predecessor, a window loses its first column, gains a column at its end, and also counts the
/// strand that entered at the lost column.
fn best_in_lanes<L: CodeUnit, const LANES: usize>(
    tile: &CombTile<'_, L, LANES>,
    ages: &[[L; LANES]],
) -> [(u32, usize); LANES] {
    let window = tile.window;
    let mut enters = vec![[0_u8; LANES]; ages.len()];
    for (column, ages) in ages.iter().enumerate() {
        for (lane, age) in ages.iter().enumerate() {
            let age = age.code_point() as usize;
            if (1..window).contains(&age) && age <= column {
                enters[column - age][lane] = 1;
            }
        }
    }
    // A column counts if its strand entered before the window.
    let is_before =
        |column: usize, lane: usize, chars: usize| u32::from(ages[column][lane].code_point() as usize >= chars);
    let mut lcs: [u32; LANES] =
        std::array::from_fn(|lane| (0..window).map(|column| is_before(column, lane, column + 1)).sum());
    let mut best = [(0, 0); LANES];
    for (start, enters) in enters.iter().enumerate().take(tile.windows) {
        for (lane, (best, &windows)) in best.iter_mut().zip(&tile.windows_in_lane).enumerate() {
            if lcs[lane] > best.0 && start < windows {
                *best = (lcs[lane], start);
            }
        }
        if start + 1 < tile.windows {
            for (lane, lcs) in lcs.iter_mut().enumerate() {
                *lcs += is_before(start + window, lane, window) + u32::from(enters[lane]);
                *lcs -= is_before(start, lane, 1);
            }
        }
    }
    best
}

/// Returns eight bytes from `start` on, padded with zeros after the end of the text.
#[inline(always)]
fn word_at(text: &[u8], start: usize) -> u64 {
    match text.get(start..).and_then(|text| text.first_chunk()) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => {
            let rest = text.get(start..).unwrap_or_default().iter().rev();
            rest.fold(0, |word, &byte| word << 8 | u64::from(byte))
        }
    }
}
