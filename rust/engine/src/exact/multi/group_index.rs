//! The patterns in one width, with their prepared indexes.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::anchors::Anchors;
use super::comparison_budget::{ComparisonBudget, SearchStop};
use super::pattern_store::PatternStore;
use super::plan::{self, Plan};
use crate::exact::find_all_in;
use crate::text::{CodeUnit, TextRef};

/// The index for one pass over a text, by q-gram length.
#[derive(Debug)]
enum SearchPass {
    One(Anchors<1>),
    Two(Anchors<2>),
    Three(Anchors<3>),
    Four(Anchors<4>),
    Five(Anchors<5>),
    Eight(Anchors<8>),
    Sixteen(Anchors<16>),
}

/// The prepared indexes of one plan.
#[derive(Debug)]
pub(super) struct GroupIndex {
    each: Vec<u32>,
    passes: Vec<SearchPass>,
}

impl GroupIndex {
    /// Prepares `plan`, with q-gram frequencies from `sample`.
    pub(super) fn new<T: CodeUnit>(patterns: &PatternStore<T>, plan: Plan, sample: &[T]) -> Self {
        let pass = |group: plan::PatternGroup| match group.gram {
            1 => SearchPass::One(Anchors::new(patterns, &group.members, group.step, sample)),
            2 => SearchPass::Two(Anchors::new(patterns, &group.members, group.step, sample)),
            3 => SearchPass::Three(Anchors::new(patterns, &group.members, group.step, sample)),
            4 => SearchPass::Four(Anchors::new(patterns, &group.members, group.step, sample)),
            5 => SearchPass::Five(Anchors::new(patterns, &group.members, group.step, sample)),
            8 => SearchPass::Eight(Anchors::new(patterns, &group.members, group.step, sample)),
            _ => SearchPass::Sixteen(Anchors::new(patterns, &group.members, group.step, sample)),
        };
        Self { each: plan.each, passes: plan.groups.into_iter().map(pass).collect() }
    }

    /// Calls `found(pattern, start)` with every occurrence, in no particular order.
    pub(super) fn search<T: CodeUnit>(
        &self,
        patterns: &PatternStore<T>,
        text: &[T],
        work: &mut ComparisonBudget<'_>,
        mut found: impl FnMut(usize, usize),
    ) -> Result<(), SearchStop> {
        for &index in &self.each {
            let index = index as usize;
            work.charge(text.len())?;
            find_all_in(text, patterns.get(index), |start| {
                found(index, start);
                work.charge(1)
            })?;
        }
        for pass in &self.passes {
            match pass {
                SearchPass::One(anchors) => anchors.search(patterns, text, work, &mut found)?,
                SearchPass::Two(anchors) => anchors.search(patterns, text, work, &mut found)?,
                SearchPass::Three(anchors) => anchors.search(patterns, text, work, &mut found)?,
                SearchPass::Four(anchors) => anchors.search(patterns, text, work, &mut found)?,
                SearchPass::Five(anchors) => anchors.search(patterns, text, work, &mut found)?,
                SearchPass::Eight(anchors) => anchors.search(patterns, text, work, &mut found)?,
                SearchPass::Sixteen(anchors) => anchors.search(patterns, text, work, &mut found)?,
            }
        }
        Ok(())
    }
}

/// Number of preparation levels. Each level is for four times as much text as the previous one.
const LEVELS: usize = 8;

/// The patterns in one width, and their indexes.
///
/// The best index depends on how much text is searched with it: more text justifies longer steps, which insert more
/// q-grams. That amount is unknown in advance, so the index is built for the amount searched so far, and rebuilt when
/// that has quadrupled. All indexes together cost a third more than the last one.
#[derive(Debug)]
pub(super) struct WidthStore<T> {
    patterns: PatternStore<T>,
    indexes: [OnceLock<GroupIndex>; LEVELS],
    fallback: OnceLock<GroupIndex>,
    searched_chars: AtomicUsize,
}

impl<T: CodeUnit> WidthStore<T> {
    /// Copies `patterns`, which have `chars` characters in total, fewer than 2³².
    pub(super) fn new<'a>(patterns: impl ExactSizeIterator<Item = TextRef<'a>>, chars: usize) -> Self {
        Self {
            patterns: PatternStore::new(patterns, chars),
            indexes: [const { OnceLock::new() }; LEVELS],
            fallback: OnceLock::new(),
            searched_chars: AtomicUsize::new(0),
        }
    }

    pub(super) fn patterns(&self) -> &PatternStore<T> {
        &self.patterns
    }

    /// Returns the index for a search of `text`, after building a better one if it is due.
    pub(super) fn index(&self, text: &[T]) -> &GroupIndex {
        let before = self.searched_chars.fetch_add(text.len(), Ordering::Relaxed);
        let level = self.level(before.saturating_add(text.len()));
        self.indexes[level].get_or_init(|| {
            GroupIndex::new(&self.patterns, plan::plan::<T>(self.lens_chars(), self.chars_of(level)), text)
        })
    }

    /// Returns the fallback index, for a search of `text` that had too many candidates with the first index.
    pub(super) fn fallback_index(&self, text: &[T]) -> &GroupIndex {
        self.fallback.get_or_init(|| GroupIndex::new(&self.patterns, plan::fallback(self.lens_chars()), text))
    }

    /// Returns whether the fallback index exists.
    pub(super) fn has_fallback_index(&self) -> bool {
        self.fallback.get().is_some()
    }

    /// Builds an index for the given q-gram length and step.
    pub(super) fn forced_index(&self, gram: usize, step: usize, text: &[T]) -> GroupIndex {
        GroupIndex::new(&self.patterns, plan::forced(self.lens_chars(), gram, step), text)
    }

    fn lens_chars(&self) -> impl Iterator<Item = usize> {
        (0..self.patterns.count()).map(|index| self.patterns.len_chars(index))
    }

    /// Returns the highest level for which `chars` characters are enough, or 0.
    fn level(&self, chars: usize) -> usize {
        let units = (chars / (3 * self.patterns.count().max(1))).max(1);
        (units.ilog2() as usize / 2).min(LEVELS - 1)
    }

    /// Returns the number of characters that a level is built for.
    fn chars_of(&self, level: usize) -> usize {
        (3 * self.patterns.count().max(1)) << (2 * level)
    }
}
