//! Anchors: finds patterns by a few of their q-grams, without reading every character.
//!
//! `ALGORITHMS.md` explains why this finds each occurrence exactly once ("Exact search"). Longer steps read less of the
//! text and insert more q-grams. A pattern allows steps up to `pattern - gram + 1`; the plan (`plan.rs`) uses shorter
//! ones, to leave a choice of runs.

use std::ops::Range;

use super::comparison_budget::{ComparisonBudget, SearchStop};
use super::gram_frequencies::GramFrequencies;
use super::gram_table::{GramHit, GramRun, GramTable, MAX_HITS};
use super::pattern_ends::PatternEnds;
use super::pattern_store::PatternStore;
use crate::arch::gram_filter::BLOCK_POSITIONS;
use crate::text::CodeUnit;

/// Number of positions looked up between two checks of the meter and the budget.
const BLOCK_PLACES: usize = 16 * BLOCK_POSITIONS;

/// Number of characters compared in the time of one lookup.
const CHARS_PER_COMPARISON: usize = 64;

/// Base number of samples: enough to show which long q-grams are too frequent.
const SAMPLES: usize = 1 << 12;

/// Maximum number of samples for patterns with many q-grams; more do not improve the choice.
const MAX_SAMPLES: usize = 1 << 15;

/// Number of samples for patterns with few q-grams, whose frequencies range from 1 in 100,000 to 1 in 1,000.
const MANY_SAMPLES: usize = 1 << 17;

/// Minimum length of a sampled text, in characters. For a shorter text, the patterns themselves are the better sample.
const MIN_SAMPLED_CHARS: usize = 1 << 17;

/// The inserted q-grams of some patterns, and the step of the lookups.
#[derive(Debug)]
pub(super) struct Anchors<const CHARS: usize> {
    /// The q-grams. Patterns are numbered by their position in `edges`.
    grams: GramTable<CHARS>,
    step: usize,
    edges: Vec<PatternEnds<CHARS>>,
}

impl<const CHARS: usize> Anchors<CHARS> {
    /// Inserts the rarest run of each of the patterns `members`, by the frequencies in `sample`. Each pattern must have
    /// at least `CHARS + step - 1` characters.
    pub(super) fn new<T: CodeUnit>(patterns: &PatternStore<T>, members: &[u32], step: usize, sample: &[T]) -> Self {
        let rarity: GramFrequencies<CHARS> = rarity(patterns, members, step, sample);
        let runs = members.iter().enumerate().map(|(member, &index)| {
            let units = patterns.get(index as usize);
            let first = rarity.rarest_run(units, step);
            GramRun { needle: member, units, offsets: first..first + step }
        });
        let grams = GramTable::new(runs);
        let edges = members.iter().map(|&index| PatternEnds::new(patterns.get(index as usize), index)).collect();
        Self { grams, step, edges }
    }

    /// Calls `found(pattern, start)` with every occurrence of every member, in the order of the positions looked up.
    pub(super) fn search<T: CodeUnit>(
        &self,
        patterns: &PatternStore<T>,
        text: &[T],
        work: &mut ComparisonBudget<'_>,
        mut found: impl FnMut(usize, usize),
    ) -> Result<(), SearchStop> {
        let block = self.step * BLOCK_PLACES;
        for first in (0..text.len()).step_by(block) {
            let places = first..text.len().min(first + block);
            work.charge(places.len())?;
            self.search_block(patterns, text, places, work, &mut found)?;
        }
        Ok(())
    }

    fn search_block<T: CodeUnit>(
        &self,
        patterns: &PatternStore<T>,
        text: &[T],
        places: Range<usize>,
        work: &mut ComparisonBudget<'_>,
        found: &mut impl FnMut(usize, usize),
    ) -> Result<(), SearchStop> {
        self.grams.scan(text, places, self.step, |hits| {
            work.compare(hits.len())?;
            let mut candidates = [GramHit::default(); MAX_HITS];
            let mut count = 0;
            for hit in hits {
                candidates[count] = *hit;
                count += usize::from(self.edges[hit.needle as usize].matches_at(text, hit.start));
            }
            let mut occurrences = 0;
            for &GramHit { start, needle } in &candidates[..count] {
                let edges = &self.edges[needle as usize];
                if !edges.cover_pattern::<T>() {
                    let pattern = patterns.get(edges.index());
                    work.compare(1 + pattern.len() / CHARS_PER_COMPARISON)?;
                    if text[start..start + pattern.len()] != *pattern {
                        continue;
                    }
                }
                occurrences += 1;
                found(edges.index(), start);
            }
            work.refund(occurrences);
            Ok(())
        })
    }
}

/// Counts the q-grams of `sample` and, if `sample` is short, of the patterns.
fn rarity<T: CodeUnit, const CHARS: usize>(
    patterns: &PatternStore<T>,
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
    evenly.for_each(|&index| rarity.sample(patterns.get(index as usize), 16));
    rarity
}
