//! Executors and cancellation do not change results, and work is divided into chunks only if it is expensive.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::oracle::Stored;
use crate::oracle::texts::{self, needles};
use crate::text_index::{ALONE, some_needles, source, units};
use groundwire_engine::{
    Cancel, Cutoff, Error, Executor, Never, Sequential, balanced_ranges,
    internals::{PlanOverride, alignments_forced},
    partial_ratio_many,
};

/// An executor that runs the last item first.
struct Backwards;

impl Executor for Backwards {
    fn map_ranges<R: Send>(
        &self,
        count: usize,
        _: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        let mut results =
            (0..count).rev().map(|index| work(index..index + 1, &Never)).collect::<Result<Vec<_>, _>>()?;
        results.reverse();
        Ok(results)
    }
}

/// An executor with this many threads. Each thread takes the next item when it is free.
pub(crate) struct Threads<'a>(pub(crate) usize, pub(crate) &'a dyn Cancel);

impl Executor for Threads<'_> {
    fn map_ranges<R: Send>(
        &self,
        count: usize,
        _: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        let next = AtomicUsize::new(0);
        let (sender, results) = mpsc::channel();
        std::thread::scope(|scope| {
            for _ in 0..self.0 {
                let (sender, next, work) = (sender.clone(), &next, &work);
                scope.spawn(move || {
                    let own = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
                    for index in own.take_while(|&index| index < count) {
                        sender.send((index, work(index..index + 1, self.1))).unwrap();
                    }
                });
            }
        });
        drop(sender);
        let mut results: Vec<_> = results.into_iter().collect();
        results.sort_unstable_by_key(|&(index, _)| index);
        results.into_iter().map(|(_, result)| result).collect()
    }
}

/// An executor that calls its function with the number of items and their division into chunks.
struct Chunked<F>(F);

impl<F: Fn(usize, Vec<Range<usize>>)> Executor for Chunked<F> {
    fn map_ranges<R: Send>(
        &self,
        count: usize,
        cycles: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        assert!((0..count).all(|index| cycles(index) >= 0.0 && cycles(index).is_finite()));
        let ranges = balanced_ranges(count, cycles, 2).unwrap_or_else(|| std::iter::once(0..count).collect());
        (self.0)(count, ranges.clone());
        ranges.into_iter().map(|range| work(range, &Never)).collect()
    }
}

#[test]
fn chunks_cover_all_items_and_none_is_too_expensive() {
    for count in [2, 3, 31, 1000] {
        for threads in [2, 3, 64] {
            let cycles = |index: usize| if index % 7 == 3 { 5e6 } else { 1e6 };
            let ranges = balanced_ranges(count, cycles, threads).unwrap();
            assert_eq!((0..count).collect::<Vec<_>>(), ranges.iter().cloned().flatten().collect::<Vec<_>>());
            assert!(ranges.iter().all(|range| !range.is_empty()));
            let total: f32 = (0..count).map(cycles).sum();
            let largest = ranges.iter().map(|range| range.clone().map(cycles).sum()).fold(0.0, f32::max);
            assert!(largest <= total / (4 * threads) as f32 + 5e6, "{count} for {threads}: {largest} of {total}");
        }
    }
}

#[test]
fn cheap_work_is_not_divided() {
    assert_eq!(None, balanced_ranges(0, |_| 1e9, 2));
    assert_eq!(None, balanced_ranges(1, |_| 1e9, 2));
    assert_eq!(None, balanced_ranges(100, |_| 1e9, 1));
    assert_eq!(None, balanced_ranges(100, |_| 1e3, 2));
    let one_is_expensive = |index| if index == 50 { 1e9 } else { 1e3 };
    assert_eq!(None, balanced_ranges(100, one_is_expensive, 2));
}

#[test]
fn only_long_calls_are_divided() {
    let text = texts::prose(300_000, 29);
    let (source, divided) = (source(&text), AtomicUsize::new(0));
    let count = |items: usize, ranges: Vec<Range<usize>>| {
        assert_eq!(Some(items), ranges.last().map(|last| last.end));
        divided.fetch_add(usize::from(ranges.len() > 1), Ordering::Relaxed);
    };
    for (needles, is_divided) in [(400, true), (2, false)] {
        let needles = some_needles(&text, needles, 3);
        let expected = source.scores(&units(&needles), Cutoff::Score(85.0), &ALONE).unwrap();
        divided.store(0, Ordering::Relaxed);
        let scores = source.scores(&units(&needles), Cutoff::Score(85.0), &Chunked(count)).unwrap();
        assert_eq!((expected, is_divided), (scores, divided.load(Ordering::Relaxed) > 0), "{} needles", needles.len());
    }
}

#[test]
fn every_executor_returns_the_same_results() {
    for (name, text) in texts::all(40_000, 13).into_iter().skip(2).step_by(4) {
        let stored = Stored::new(&text);
        let needles = some_needles(&text, 50, 7);
        let units = units(&needles);
        for cutoff in [Cutoff::Score(88.0), Cutoff::Threshold(0.93)] {
            let expected = alignments_forced(&units, stored.units(), cutoff, PlanOverride::No, &ALONE).unwrap();
            for plan_override in [PlanOverride::No, PlanOverride::Count(1)] {
                let backwards = alignments_forced(&units, stored.units(), cutoff, plan_override, &Backwards).unwrap();
                assert_eq!(expected, backwards, "{name}, {cutoff:?}, {plan_override:?}, backwards");
                let threads =
                    alignments_forced(&units, stored.units(), cutoff, plan_override, &Threads(3, &Never)).unwrap();
                assert_eq!(expected, threads, "{name}, {cutoff:?}, {plan_override:?}, threads");
            }
            let scores: Vec<f64> = expected.iter().map(|best| best.map_or(0.0, |best| best.ratio.score())).collect();
            let shared = source(&text);
            for _ in 0..2 {
                assert_eq!(scores, shared.scores(&units, cutoff, &Backwards).unwrap(), "{name}, {cutoff:?}");
                assert_eq!(scores, shared.scores(&units, cutoff, &Threads(3, &Never)).unwrap(), "{name}, {cutoff:?}");
            }
        }
    }
}

/// Runs `work`, cancelling after `allowed` checks. Returns the result and the number of checks.
pub(crate) fn count_checks(
    allowed: usize,
    work: impl FnOnce(&dyn Cancel) -> Result<Vec<f64>, Error>,
) -> (Result<Vec<f64>, Error>, usize) {
    let checks = AtomicUsize::new(0);
    let cancel = || checks.fetch_add(1, Ordering::Relaxed) >= allowed;
    let result = work(&cancel);
    (result, checks.into_inner())
}

fn check_cancellation(name: &str, work: impl Fn(&dyn Cancel) -> Result<Vec<f64>, Error>) {
    let (truth, checks) = count_checks(usize::MAX, &work);
    assert!(checks > 0, "{name} never checks");
    for allowed in 0..checks {
        assert_eq!(Err(Error::Cancelled), count_checks(allowed, &work).0, "{name}, {allowed} of {checks}");
    }
    assert_eq!(truth, count_checks(checks, &work).0, "{name}");
}

#[test]
fn a_call_can_be_cancelled_at_every_check() {
    let text = texts::prose(200_000, 17);
    let stored = Stored::new(&text);
    let needles: Vec<Vec<u32>> = some_needles(&text, 12, 3).into_iter().chain(needles(&text, &[300, 450], 5)).collect();
    let units = units(&needles);
    for cutoff in [Cutoff::NONE, Cutoff::Score(85.0)] {
        check_cancellation("alone", |cancel| partial_ratio_many(&units, stored.units(), cutoff, &Sequential(cancel)));
        for plan_override in [
            PlanOverride::Walk,
            PlanOverride::Comb,
            PlanOverride::Count(1),
            PlanOverride::Count(3),
            PlanOverride::Scan(2),
        ] {
            check_cancellation(&format!("{plan_override:?}"), |cancel| {
                let executor = Sequential(cancel);
                let best = alignments_forced(&units, stored.units(), cutoff, plan_override, &executor)?;
                Ok(best.into_iter().map(|best| best.map_or(0.0, |best| best.ratio.score())).collect())
            });
        }
    }
}
