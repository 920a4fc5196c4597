//! Plans how to count the bigrams of a needle: as a whole or in partitions.

use super::bitmap::needle::{BigramSelection, Bigrams, Cycles, Partition, cycles_per_row};
use super::candidates::prefix_words;
use super::cost::{CHOICE_CYCLES_PER_CHAR, INSERT_CYCLES, PARTITION_CHARS, SCORE_CYCLES, STEP_CYCLES, WHOLE_SHARE};
use super::pattern_mask::MaskUnit;
use super::plan::{Plan, PlanInput};

impl<T: MaskUnit> PlanInput<'_, T> {
    /// Replaces the plan with the cheapest bitmap counting if that costs less than `best`.
    pub(super) fn try_counts(&self, best: &mut f32, plan: &mut Plan) {
        let making = CHOICE_CYCLES_PER_CHAR * self.needle.len() as f32;
        let mut cheapest = None;
        for partitions in self.partition_counts() {
            if self.index_cycles() + making >= *best {
                break;
            }
            let Some((cut, cycles)) = self.cut(partitions, *best - self.index_cycles()) else { continue };
            (*best, cheapest) = (self.index_cycles() + cycles, Some(cut));
            if cycles < 1.5 * self.rows_cycles() {
                // Few blocks would be scored, so more partitions save nothing.
                break;
            }
        }
        if let Some(count) = cheapest.and_then(|cut| self.count(&cut)) {
            *plan = count;
        }
    }

    /// Returns the numbers of partitions to try, the most promising first.
    fn partition_counts(&self) -> impl Iterator<Item = usize> + use<T> {
        let len = self.needle.len();
        let more = PARTITION_CHARS.map(|chars| len.div_ceil(chars)).into_iter().filter(|&partitions| partitions > 1);
        std::iter::once(1).chain(more)
    }

    /// Returns the plan that counts `partitions` partitions and its cost in cycles, or `None` if it would exclude
    /// nothing.
    #[cfg(feature = "internals")]
    pub(super) fn count_forced(&self, partitions: usize) -> Option<(Plan, f32)> {
        let (cut, cycles) = self.cut(partitions, f32::INFINITY)?;
        Some((self.count(&cut)?, cycles))
    }

    /// Returns the plan that counts the given number of bigrams of each partition, or `None` if it would exclude
    /// nothing.
    fn count(&self, cut: &[(Partition, usize)]) -> Option<Plan> {
        let mut choices = Vec::with_capacity(cut.len());
        for &(partition, rows) in cut {
            choices.push(BigramSelection::new(partition, self.bigrams(), rows)?);
        }
        Some(Plan::Count(choices))
    }

    /// Divides the needle into `partitions` partitions, with the best number of bigrams to count for each. Also returns
    /// the cost in cycles, without that of building rows. Returns `None` if counting would exclude nothing, or would
    /// cost `most` or more.
    fn cut(&self, partitions: usize, most: f32) -> Option<(Vec<(Partition, usize)>, f32)> {
        let blocks = self.windows() / self.block.chars() as f32;
        let (mut cut, mut total) = (Vec::with_capacity(partitions), 0.0);
        for index in 0..partitions {
            let partition = self.partition(partitions, index)?;
            let choice = self.bigrams().cheapest_rows(partition, self.cycles_of(partition, partitions))?;
            let reported = if partitions == 1 { WHOLE_SHARE } else { 1.0 };
            total += (choice.counting + reported * choice.scoring) * blocks;
            if total >= most {
                return None;
            }
            cut.push((partition, choice.rows));
        }
        Some((cut, total))
    }

    /// Returns the needle's bigrams, computed on first use.
    fn bigrams(&self) -> &Bigrams<'_> {
        self.bigrams.get_or_init(|| Bigrams::new::<T>(self.needle, self.index.frequencies(self.text)))
    }

    /// Returns partition `index`, or `None` if it cannot be counted.
    fn partition(&self, partitions: usize, index: usize) -> Option<Partition> {
        let out = self.needle.len().checked_sub(self.useful)?;
        Some(Partition::new(self.needle.len(), out, partitions, index, self.block)).filter(|partition| partition.fits())
    }

    fn cycles_of(&self, partition: Partition, partitions: usize) -> Cycles {
        let insert = if self.sharing == 0 { 0.0 } else { INSERT_CYCLES / self.sharing as f32 };
        Cycles { score: self.score_cycles(partition, partitions), insert }
    }

    /// Returns the typical cost of scoring a block, in cycles.
    pub(super) fn score_cycles(&self, partition: Partition, partitions: usize) -> f32 {
        let others = partition.block.chars() - 1;
        let cells = match prefix_words(partition.len, self.needle.len() - self.useful) {
            Some(words) if partitions == 1 => (64 * words + others) * words,
            _ => (partition.len + partition.right + others) * partition.len.div_ceil(64),
        };
        SCORE_CYCLES + cells as f32 * STEP_CYCLES
    }

    /// Returns the cost of summing all bigrams of the needle, in cycles.
    fn rows_cycles(&self) -> f32 {
        cycles_per_row() * self.needle.len() as f32 * self.windows() / self.block.chars() as f32
    }
}
