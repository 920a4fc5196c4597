//! Fixed strategies, for tests and benchmarks of this crate. A strategy changes the time, never the result.

pub use crate::align::pairs;
pub use crate::exact::multi::Strategy;
pub use crate::partial_ratio::{PlanOverride, alignments_forced, scores_forced};
use crate::{Cancel, Cutoff, Error, Executor, PatternMatches, PatternSet, Source, TextRef};

/// Returns the result of [`Source::scores`] with the strategy `plan_override`.
///
/// # Errors
///
/// Those of [`Source::scores`].
pub fn source_scores(
    source: &Source,
    needles: &[TextRef<'_>],
    cutoff: Cutoff,
    plan_override: PlanOverride,
    executor: &impl Executor,
) -> Result<Vec<f64>, Error> {
    source.scores_forced(needles, cutoff, plan_override, executor)
}

/// Returns the result of [`PatternSet::find_all`] with `strategy`.
///
/// # Errors
///
/// Those of [`PatternSet::find_all`].
pub fn find_all_by<'p>(
    patterns: &'p PatternSet,
    text: TextRef<'_>,
    strategy: Strategy,
    cancel: &dyn Cancel,
) -> Result<PatternMatches<'p>, Error> {
    patterns.find_all_by(text, strategy, cancel)
}
