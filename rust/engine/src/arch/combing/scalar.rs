//! Seaweed combing with plain arrays, for every processor.

use super::{COLUMNS, CombTile};
use crate::text::CodeUnit;

/// See [`Combing::ages`](super::Combing::ages).
pub(super) fn ages<L: CodeUnit, E, const LANES: usize>(
    tile: &CombTile<'_, L, LANES>,
    charge: &mut dyn FnMut(usize) -> Result<(), E>,
) -> Result<Vec<[L; LANES]>, E> {
    let len = tile.window;
    let mut across = vec![[L::zeroed(); LANES]; tile.needle.len()];
    let mut ages = Vec::with_capacity(tile.columns.len());
    // Strands have the same ids as in the vector kernels.
    let room = (L::MAX as usize - len) / COLUMNS * COLUMNS;
    let mut local = 0;
    for columns in tile.columns.as_chunks::<COLUMNS>().0 {
        if local + COLUMNS > room {
            across
                .iter_mut()
                .flatten()
                .for_each(|strand| *strand = strand_id((strand.code_point() as usize).saturating_sub(local)));
            local = 0;
        }
        for (column, text) in columns.iter().enumerate() {
            charge(tile.needle.len())?;
            let newest = len + local + column;
            let down = pass(tile.needle, &mut across, text, [strand_id(newest); LANES]);
            ages.push(down.map(|strand| strand_id(newest - strand.code_point() as usize)));
        }
        local += COLUMNS;
    }
    Ok(ages)
}

/// Passes the strands of one column down through the rows, and returns those that leave at the bottom.
#[inline(always)]
fn pass<L: CodeUnit, const LANES: usize>(
    needle: &[L],
    across: &mut [[L; LANES]],
    text: &[L; LANES],
    mut down: [L; LANES],
) -> [L; LANES] {
    for (&id, over) in needle.iter().zip(across) {
        for lane in 0..LANES {
            let (from_left, from_above) = (over[lane], down[lane]);
            // Strands turn if the characters are equal; otherwise the older one goes across.
            let turns = (id == text[lane]) | (from_above < from_left);
            over[lane] = if turns { from_above } else { from_left };
            down[lane] = if turns { from_left } else { from_above };
        }
    }
    down
}

/// Converts a strand id, which fits a lane.
fn strand_id<L: CodeUnit>(value: usize) -> L {
    L::from_code(value as u32).unwrap_or(L::zeroed())
}
