//! Plans how to count the bigrams of a needle: as a whole or in partitions.

use super::bitmap::count::{Piece, cycles_per_row};
use super::bitmap::select::{Bigrams, Choice, Cycles};
use super::cost::{CHOICE_CYCLES_PER_CHAR, FILE_CYCLES, LOOK_CYCLES, PIECE_CHARS, STEP_CYCLES};
use super::pattern_mask::Symbol;
use super::plan::{Plan, Task};
use super::windows::prefix_words;

impl Task<'_> {
    /// Replaces the plan with the cheapest way of counting if that costs less than `best`.
    pub(super) fn try_counts<T: Symbol>(&self, best: &mut f32, plan: &mut Plan) {
        let making = CHOICE_CYCLES_PER_CHAR * self.needle.len() as f32;
        let mut cheapest = None;
        for pieces in self.numbers_of_pieces() {
            if self.index_cycles() + making >= *best {
                break;
            }
            let Some((cut, cycles)) = self.cut::<T>(pieces, *best - self.index_cycles()) else { continue };
            (*best, cheapest) = (self.index_cycles() + cycles, Some(cut));
            if cycles < 1.5 * self.rows_cycles() {
                // Few blocks would be scored, so more partitions save nothing.
                break;
            }
        }
        if let Some(count) = cheapest.and_then(|cut| self.count::<T>(&cut)) {
            *plan = count;
        }
    }

    /// Returns the numbers of partitions to try, the most promising first.
    fn numbers_of_pieces(&self) -> impl Iterator<Item = usize> + use<> {
        let len = self.needle.len();
        let more = PIECE_CHARS.map(|chars| len.div_ceil(chars)).into_iter().filter(|&pieces| pieces > 1);
        std::iter::once(1).chain(more)
    }

    /// Returns the plan that counts `pieces` partitions and its cost in cycles, or `None` if it would exclude nothing.
    #[cfg(feature = "internals")]
    pub(super) fn count_forced<T: Symbol>(&self, pieces: usize) -> Option<(Plan, f32)> {
        let (cut, cycles) = self.cut::<T>(pieces, f32::INFINITY)?;
        Some((self.count::<T>(&cut)?, cycles))
    }

    /// Returns the plan that counts the given number of bigrams of each partition, or `None` if it would exclude
    /// nothing.
    fn count<T: Symbol>(&self, cut: &[(Piece, usize)]) -> Option<Plan> {
        let choices = cut.iter().map(|&(piece, rows)| Choice::new(piece, self.bigrams::<T>()?, rows));
        choices.collect::<Option<_>>().map(Plan::Count)
    }

    /// Divides the needle into `pieces` partitions, with the best number of bigrams to count for each. Also returns the
    /// cost in cycles, without that of building rows. Returns `None` if counting would exclude nothing, or would cost
    /// `most` or more.
    fn cut<T: Symbol>(&self, pieces: usize, most: f32) -> Option<(Vec<(Piece, usize)>, f32)> {
        let blocks = self.windows() / self.block.chars() as f32;
        let (mut cut, mut total) = (Vec::with_capacity(pieces), 0.0);
        for index in 0..pieces {
            let piece = self.piece(pieces, index)?;
            let (rows, cycles) = self.bigrams::<T>()?.cheapest_rows(piece, self.cycles_of(piece, pieces))?;
            total += cycles * blocks;
            if total >= most {
                return None;
            }
            cut.push((piece, rows));
        }
        Some((cut, total))
    }

    /// Returns the needle's bigrams, computed on first use, or `None` if counting is not possible.
    fn bigrams<T: Symbol>(&self) -> Option<&Bigrams<'_>> {
        let texts = self.frequencies?;
        Some(self.bigrams.get_or_init(|| Bigrams::new::<T>(self.needle, texts)))
    }

    /// Returns partition `index`, or `None` if it cannot be counted.
    fn piece(&self, pieces: usize, index: usize) -> Option<Piece> {
        let out = self.needle.len().checked_sub(self.useful)?;
        Some(Piece::new(self.needle.len(), out, pieces, index, self.block)).filter(|piece| piece.fits())
    }

    fn cycles_of(&self, piece: Piece, pieces: usize) -> Cycles {
        let file = if self.sharing == 0 { 0.0 } else { FILE_CYCLES / self.sharing as f32 };
        Cycles { look: LOOK_CYCLES + self.look_cells(piece, pieces) as f32 * STEP_CYCLES, file }
    }

    /// Returns the typical number of table cells (of 64 rows each) for scoring a block.
    fn look_cells(&self, piece: Piece, pieces: usize) -> usize {
        let others = piece.block.chars() - 1;
        match prefix_words(piece.len, self.needle.len() - self.useful) {
            Some(words) if pieces == 1 => (64 * words + others) * words,
            _ => (piece.len + piece.right + others) * piece.len.div_ceil(64),
        }
    }

    /// Returns the cost of summing all bigrams of the needle, in cycles.
    fn rows_cycles(&self) -> f32 {
        cycles_per_row() * self.needle.len() as f32 * self.windows() / self.block.chars() as f32
    }
}
