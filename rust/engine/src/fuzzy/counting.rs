//! How a needle is best counted: as a whole, or in pieces.

use super::blocks::choice::{Choice, Cycles};
use super::blocks::probe::{Piece, cycles_per_row};
use super::plan::{CHOICE_CYCLES_PER_CHAR, FILE_CYCLES, LOOK_CYCLES, Plan, STEP_CYCLES, Task};
use super::windows::telling_words;

/// Characters in a piece of a long needle: shorter ones have too few bigrams, longer ones too many
/// places for each.
pub(super) const PIECE_CHARS: [usize; 3] = [100, 64, 44];

impl Task<'_> {
    /// Counting in the cheapest way becomes the plan if it costs less than the `best` one so far.
    pub(super) fn try_counts(&self, best: &mut f32, plan: &mut Plan) {
        let making = CHOICE_CYCLES_PER_CHAR * self.needle.len() as f32;
        let mut cheapest = None;
        for pieces in self.numbers_of_pieces() {
            if self.index_cycles() + making >= *best {
                break;
            }
            let Some((rows, cycles)) = self.cheapest_rows(pieces) else { continue };
            if self.index_cycles() + cycles < *best {
                (*best, cheapest) = (self.index_cycles() + cycles, Some((pieces, rows)));
            }
            if cycles < 1.5 * self.rows_cycles() {
                // Hardly any block would have to be looked at: other pieces save nothing.
                break;
            }
        }
        if let Some(count) = cheapest.and_then(|(pieces, rows)| self.count(pieces, rows)) {
            *plan = count;
        }
    }

    /// Numbers of pieces to try, the likeliest first.
    fn numbers_of_pieces(&self) -> impl Iterator<Item = usize> + use<> {
        let len = self.needle.len();
        let more = PIECE_CHARS.map(|chars| len.div_ceil(chars)).into_iter().filter(|&pieces| pieces > 1);
        std::iter::once(1).chain(more)
    }

    /// Counting with so many pieces, and its cycles; `None` if it would exclude nothing.
    pub(super) fn count_forced(&self, pieces: usize) -> Option<(Plan, f32)> {
        let (rows, cycles) = self.cheapest_rows(pieces)?;
        Some((self.count(pieces, rows)?, cycles))
    }

    /// Counting so many bigrams of each of so many pieces; `None` if it would exclude nothing.
    fn count(&self, pieces: usize, rows: usize) -> Option<Plan> {
        let bigrams = self.bigrams?;
        let choice = |index| Choice::new(self.piece(pieces, index)?, bigrams, rows);
        (0..pieces).map(choice).collect::<Option<_>>().map(Plan::Count)
    }

    /// How many bigrams of each of so many pieces to count, and the cycles of that without those for the rows; `None`
    /// if it would exclude nothing.
    fn cheapest_rows(&self, pieces: usize) -> Option<(usize, f32)> {
        // One piece is like the others.
        let piece = self.piece(pieces, 0)?;
        let (rows, cycles) = self.bigrams?.cheapest_rows(piece, self.cycles_of(piece, pieces))?;
        Some((rows, pieces as f32 * cycles * self.windows() / self.block.chars() as f32))
    }

    /// Piece number `index`; `None` if it cannot be counted.
    fn piece(&self, pieces: usize, index: usize) -> Option<Piece> {
        let out = self.needle.len().checked_sub(self.useful)?;
        Some(Piece::new(self.needle.len(), out, pieces, index, self.block)).filter(|piece| piece.fits())
    }

    fn cycles_of(&self, piece: Piece, pieces: usize) -> Cycles {
        let file = if self.sharing == 0 { 0.0 } else { FILE_CYCLES / self.sharing as f32 };
        Cycles { look: LOOK_CYCLES + self.look_cells(piece, pieces) as f32 * STEP_CYCLES, file }
    }

    /// Cells of tables, 64 rows to one, that looking at a block takes mostly.
    fn look_cells(&self, piece: Piece, pieces: usize) -> usize {
        let others = piece.block.chars() - 1;
        match telling_words(piece.len, self.needle.len() - self.useful) {
            Some(words) if pieces == 1 => (64 * words + others) * words,
            _ => (piece.len + piece.right + others) * piece.len.div_ceil(64),
        }
    }

    /// Adding up all bigrams of the needle.
    fn rows_cycles(&self) -> f32 {
        cycles_per_row() * self.needle.len() as f32 * self.windows() / self.block.chars() as f32
    }
}
