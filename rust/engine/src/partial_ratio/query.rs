//! A needle with its plan.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::bitmap::BlockSize;
use super::bitmap::needle::BitmapQuery;
use super::bitmap::tile::{BitmapLayout, BitmapTile};
use super::candidates::Candidate;
use super::lcs::NeedleMasks;
use super::pattern_mask::{MaskUnit, PatternMask, are_small};
use super::plan::{Plan, PlanInput, PlanOverride};
use super::seeds::{self, Seed};
use super::text_index::TextIndex;
use super::{Cutoff, Goal};
use crate::Error;
use crate::cancel::CancelMeter;
use crate::exact;
use crate::text::TextRef;

/// The request that all needles of a call share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    pub(crate) cutoff: Cutoff,
    pub(crate) goal: Goal,
    pub(crate) plan_override: PlanOverride,
}

/// A needle in symbols of the text, at most as long as the text.
#[derive(Clone, Debug)]
pub(crate) struct NeedleInfo {
    pub(crate) symbols: Vec<u32>,
    pub(crate) exact: ExactHint,
    /// The likely start of a similar window.
    pub(crate) likely: Option<isize>,
}

impl NeedleInfo {
    /// Creates a needle whose symbols are code points.
    pub(crate) fn new(units: TextRef<'_>) -> Self {
        Self { symbols: units.to_code_points(), exact: ExactHint::Unknown, likely: None }
    }
}

/// The result of an exact search for the needle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExactHint {
    Unknown,
    /// The leftmost occurrence, or `None` if the needle does not occur.
    Known(Option<usize>),
}

/// Maximum length of a needle whose masks are retained until its search, in characters. A thousand needles may be
/// waiting.
const MAX_KEPT_CHARS: usize = 256;

/// The plan of a needle, with intermediate results of planning.
pub(super) struct Query<T: MaskUnit> {
    /// The leftmost occurrence of the needle, if known.
    pub(super) exact: Option<usize>,
    pub(super) seed: Option<Seed>,
    /// The masks of the needle, if planning needed them and they are small.
    pub(super) masks: Option<PatternMask<T>>,
    pub(super) plan: Plan,
    /// The estimated cost of the plan, in cycles.
    pub(super) cycles: f32,
    pub(super) max_candidates: usize,
    /// The index among the needles that are counted.
    pub(super) rank: usize,
}

/// The parameters that all needles of a call share.
#[derive(Clone, Copy)]
pub(super) struct SharedInput<'a> {
    pub(super) index: &'a TextIndex,
    /// The number of needles that share the cost of the bitmap rows; 0 if the rows exist already.
    pub(super) sharing: usize,
    /// The size of the blocks for bitmap counting.
    pub(super) block: BlockSize,
}

impl<T: MaskUnit> Query<T> {
    pub(super) fn new(
        needle: &NeedleInfo,
        text: &[T],
        request: Request,
        shared: SharedInput<'_>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Self, Error> {
        let len = needle.symbols.len();
        let floor = request.cutoff.min_lcs(len).max(1);
        let mut query =
            Self { exact: None, seed: None, masks: None, plan: Plan::Walk, cycles: 0.0, max_candidates: 0, rank: 0 };
        if let ExactHint::Known(exact) = needle.exact {
            query.exact = exact;
        } else if len == 0 {
            query.exact = Some(0);
        }
        if query.exact.is_some() || floor > len {
            return Ok(query);
        }
        let SharedInput { index, sharing, block } = shared;
        let bigrams = OnceCell::new();

        let mut input =
            PlanInput { needle: &needle.symbols, text, useful: floor, index, bigrams: &bigrams, sharing, block };
        if let Some(place) = needle.likely.filter(|_| are_small::<T>(len)) {
            let masks = PatternMask::new(TextRef::Ucs4(&needle.symbols));
            let borrowed = NeedleMasks::Ready(Cow::Borrowed(&masks));
            let seed = seeds::at(&borrowed, len, text, place.max(0) as usize, meter)?;
            query.record_seed(Some(seed), &mut input, request);
            query.masks = Some(masks).filter(|_| size_of::<T>() == 1 && len <= MAX_KEPT_CHARS);
        }
        let (mut plan, mut cycles) = input.plan(request.plan_override);
        // Counting also finds an exact occurrence.
        let is_left_to_count = matches!(plan, Plan::Count(_)) && !input.is_find_cheap(cycles);
        if needle.exact == ExactHint::Unknown && !is_left_to_count {
            query.exact = find(text, needle);
        }
        if query.exact.is_none() && query.seed.is_none() && input.are_seeds_worthwhile(cycles) {
            let seed = seeds::best(&needle.symbols, text, meter)?;
            if query.record_seed(seed, &mut input, request) {
                (plan, cycles) = input.plan(request.plan_override);
            }
        }
        if query.exact.is_none() {
            (query.plan, query.cycles, query.max_candidates) = (plan, cycles, input.max_candidates());
        }
        Ok(query)
    }

    /// Records a scored window. Returns whether it raises the minimum useful LCS.
    fn record_seed(&mut self, seed: Option<Seed>, input: &mut PlanInput<'_, T>, request: Request) -> bool {
        self.seed = seed;
        let useful = seed.filter(|seed| seed.lcs >= input.useful);
        if let Some(seed) = useful {
            input.useful = request.goal.useful_after(seed.lcs, input.needle.len());
        }
        useful.is_some()
    }

    /// Prepares counting in tiles of `layout`. Other plans count nothing.
    pub(super) fn probes(&self, needle: usize, layout: &BitmapLayout) -> BitmapQueries {
        let probes = match &self.plan {
            Plan::Count(choices) => choices.iter().map(|choice| choice.probe(layout)).collect(),
            _ => Vec::new(),
        };
        BitmapQueries { needle, probes, max_candidates: self.max_candidates }
    }
}

/// A needle prepared for counting.
pub(super) struct BitmapQueries {
    /// The length of the needle, in characters.
    needle: usize,
    /// The probe of each partition.
    probes: Vec<BitmapQuery>,
    max_candidates: usize,
}

impl BitmapQueries {
    /// Estimates the cost of counting in a tile, in cycles.
    pub(super) fn cycles(&self, layout: &BitmapLayout) -> f32 {
        self.probes.iter().map(|probe| probe.cycles(layout)).sum()
    }

    /// Appends the blocks of a tile that may contain a useful window to `candidates`, or sets it to `None` if there are
    /// too many.
    pub(super) fn count(
        &self,
        layout: &BitmapLayout,
        tile: &BitmapTile,
        candidates: &mut Option<Vec<Candidate>>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(), Error> {
        let partitions = self.probes.len();
        let Some(found) = candidates else { return Ok(()) };
        for (partition, probe) in self.probes.iter().enumerate() {
            meter.charge(probe.work_chars(layout))?;
            probe.count(layout, tile, |place, missing| {
                let bound = self.needle - (partitions * missing as usize).div_ceil(3).min(self.needle);
                // All fit, because texts have fewer than 2³¹ characters.
                found.push(Candidate { bound: bound as u32, partition: partition as u32, place: place as i32 });
            });
        }
        if found.len() > self.max_candidates {
            *candidates = None;
        }
        Ok(())
    }
}

fn find<T: MaskUnit>(text: &[T], needle: &NeedleInfo) -> Option<usize> {
    exact::find_in(text, &exact::convert::<T>(TextRef::Ucs4(&needle.symbols))?, 0)
}
