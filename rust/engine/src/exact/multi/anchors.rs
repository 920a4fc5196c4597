//! Anchors: patterns found by a few grams each, without looking at every character.
//!
//! Each pattern files a run of `step` grams at offsets `r, r + 1, …, r + step - 1`, the rarest run
//! it has, and a text is probed at every `step`-th place only.
//!
//! Nothing is missed and nothing found twice: an occurrence that starts at `x` holds the run's
//! grams at the places `x + r, …, x + r + step - 1` of the text. Of `step` places in a row exactly
//! one is a multiple of `step`, so exactly one of those grams is probed, and as it is filed, it is
//! found there. It leads back to `x`, where the whole pattern is compared.
//!
//! Longer steps read less of the text and file more grams. `pattern - gram + 1` is the longest
//! that a pattern allows; the plan (`plan.rs`) takes less, so that there are runs to choose from.

use std::ops::Range;

use super::comparison_budget::{ComparisonBudget, Stop};
use super::gram_frequencies::GramFrequencies;
use super::gram_table::{GramTable, Hit, MAX_HITS, Run};
use super::pattern_ends::PatternEnds;
use super::pattern_store::PatternStore;
use crate::arch::gram_filter::BLOCK_POSITIONS;
use crate::text::CodeUnit;

/// Places probed between two looks at the clock and at what may be spent.
const BLOCK_PLACES: usize = 16 * BLOCK_POSITIONS;

/// Characters compared in the time of one look-up.
const CHARS_PER_COMPARISON: usize = 64;

/// Samples that show which long grams are frequent enough to be worth avoiding.
const SAMPLES: usize = 1 << 12;

/// More samples than this show nothing that matters where patterns have many grams.
const MAX_SAMPLES: usize = 1 << 15;

/// Samples where patterns have few: one of a pattern's grams is as frequent as one in 100,000,
/// another as one in 1,000.
const MANY_SAMPLES: usize = 1 << 17;

/// A text with fewer characters says less about what is rare than the patterns do themselves.
const MIN_SAMPLED_CHARS: usize = 1 << 17;

/// The grams of some patterns and the distance of the places that are probed for them.
#[derive(Debug)]
pub(super) struct Anchors<const CHARS: usize> {
    /// The patterns by their number here.
    grams: GramTable<CHARS>,
    step: usize,
    edges: Vec<PatternEnds<CHARS>>,
}

impl<const CHARS: usize> Anchors<CHARS> {
    /// Files the runs of the needles with an index in `members`, which have at least
    /// `CHARS + step - 1` characters each. What is rare is read off `sample`.
    pub(super) fn new<T: CodeUnit>(needles: &PatternStore<T>, members: &[u32], step: usize, sample: &[T]) -> Self {
        let rarity: GramFrequencies<CHARS> = rarity(needles, members, step, sample);
        let runs = members.iter().enumerate().map(|(member, &index)| {
            let units = needles.get(index as usize);
            let first = rarity.rarest_run(units, step);
            Run { needle: member, units, offsets: first..first + step }
        });
        let grams = GramTable::new(runs);
        let edges = members.iter().map(|&index| PatternEnds::new(needles.get(index as usize), index)).collect();
        Self { grams, step, edges }
    }

    /// Calls `found(needle, start)` with every occurrence of every member, by the place that it
    /// was found at.
    pub(super) fn search<T: CodeUnit>(
        &self,
        needles: &PatternStore<T>,
        text: &[T],
        work: &mut ComparisonBudget<'_>,
        mut found: impl FnMut(usize, usize),
    ) -> Result<(), Stop> {
        let block = self.step * BLOCK_PLACES;
        for first in (0..text.len()).step_by(block) {
            let places = first..text.len().min(first + block);
            work.book(places.len())?;
            self.search_block(needles, text, places, work, &mut found)?;
        }
        Ok(())
    }

    fn search_block<T: CodeUnit>(
        &self,
        needles: &PatternStore<T>,
        text: &[T],
        places: Range<usize>,
        work: &mut ComparisonBudget<'_>,
        found: &mut impl FnMut(usize, usize),
    ) -> Result<(), Stop> {
        self.grams.scan(text, places, self.step, |hits| {
            work.compare(hits.len())?;
            let mut candidates = [Hit::default(); MAX_HITS];
            let mut count = 0;
            for hit in hits {
                candidates[count] = *hit;
                count += usize::from(self.edges[hit.needle as usize].agree(text, hit.start));
            }
            let mut occurrences = 0;
            for &Hit { start, needle } in &candidates[..count] {
                let edges = &self.edges[needle as usize];
                if !edges.are_whole::<T>() {
                    let pattern = needles.get(edges.index());
                    work.compare(1 + pattern.len() / CHARS_PER_COMPARISON)?;
                    if text[start..start + pattern.len()] != *pattern {
                        continue;
                    }
                }
                occurrences += 1;
                found(edges.index(), start);
            }
            work.give_back(occurrences);
            Ok(())
        })
    }
}

/// What is rare in `sample` and, where that is short, among the patterns.
fn rarity<T: CodeUnit, const CHARS: usize>(
    needles: &PatternStore<T>,
    members: &[u32],
    step: usize,
    sample: &[T],
) -> GramFrequencies<CHARS> {
    let has_few_grams = CHARS < 8 || (CHARS == 8 && step == 1);
    let samples = if has_few_grams { MANY_SAMPLES } else { (SAMPLES + members.len() * step * 2).min(MAX_SAMPLES) };
    let missing = samples.min(MIN_SAMPLED_CHARS).saturating_sub(sample.len());
    let mut rarity = GramFrequencies::new(samples.min(sample.len() + missing));
    rarity.sample(sample, samples);
    let evenly = members.iter().step_by(members.len() * 16 / missing.max(1) + 1).take(missing);
    evenly.for_each(|&index| rarity.sample(needles.get(index as usize), 16));
    rarity
}
