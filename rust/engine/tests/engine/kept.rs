//! Caches of a source, executors and cancellation do not change results.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use crate::oracle::Stored;
use crate::oracle::texts::{self, needles};
use groundwire_engine::{
    Cancel, Cutoff, Error, Executor, Never, Normalizer, Sequential, Source, TextRef, UNICODE_VERSION, internals,
    internals::{PlanOverride, alignments_forced},
    partial_ratio_many, portions,
};

const ALONE: Sequential<'_> = Sequential(&Never);
const CUTOFFS: [Cutoff; 4] = [Cutoff::NONE, Cutoff::Score(80.0), Cutoff::Score(93.0), Cutoff::Threshold(0.85)];

fn source(text: &[u32]) -> Source {
    Source::new(Stored::new(text).units(), &Normalizer::spec(UNICODE_VERSION), &Never).unwrap()
}

fn units(needles: &[Vec<u32>]) -> Vec<TextRef<'_>> {
    needles.iter().map(|needle| TextRef::Ucs4(needle)).collect()
}

/// Returns `count` needles of 20 to 119 characters.
fn some_needles(text: &[u32], count: usize, seed: u32) -> Vec<Vec<u32>> {
    let lengths: Vec<usize> = (0..count).map(|index| 20 + index * 37 % 100).collect();
    needles(text, &lengths, seed)
}

/// An executor that runs the last item first.
struct Backwards;

impl Executor for Backwards {
    fn share<R: Send>(
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

/// An executor with this many threads, each of which takes the next item.
struct Threads<'a>(usize, &'a dyn Cancel);

impl Executor for Threads<'_> {
    fn share<R: Send>(
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
                    let mine = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
                    for index in mine.take_while(|&index| index < count) {
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
struct Portions<F>(F);

impl<F: Fn(usize, Vec<Range<usize>>)> Executor for Portions<F> {
    fn share<R: Send>(
        &self,
        count: usize,
        cycles: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        assert!((0..count).all(|index| cycles(index) >= 0.0 && cycles(index).is_finite()));
        let portions = portions(count, cycles, 2).unwrap_or_else(|| std::iter::once(0..count).collect());
        (self.0)(count, portions.clone());
        portions.into_iter().map(|portion| work(portion, &Never)).collect()
    }
}

#[test]
fn portions_make_up_the_whole_and_none_is_too_dear() {
    for count in [2, 3, 31, 1000] {
        for threads in [2, 3, 64] {
            let cycles = |index: usize| if index % 7 == 3 { 5e6 } else { 1e6 };
            let portions = portions(count, cycles, threads).unwrap();
            assert_eq!((0..count).collect::<Vec<_>>(), portions.iter().cloned().flatten().collect::<Vec<_>>());
            assert!(portions.iter().all(|portion| !portion.is_empty()));
            let total: f32 = (0..count).map(cycles).sum();
            let dearest = portions.iter().map(|portion| portion.clone().map(cycles).sum()).fold(0.0, f32::max);
            assert!(dearest <= total / (4 * threads) as f32 + 5e6, "{count} for {threads}: {dearest} of {total}");
        }
    }
}

#[test]
fn what_is_over_at_once_is_not_dealt_out() {
    assert_eq!(None, portions(0, |_| 1e9, 2));
    assert_eq!(None, portions(1, |_| 1e9, 2));
    assert_eq!(None, portions(100, |_| 1e9, 1));
    assert_eq!(None, portions(100, |_| 1e3, 2));
    let one_is_dear = |index| if index == 50 { 1e9 } else { 1e3 };
    assert_eq!(None, portions(100, one_is_dear, 2));
}

#[test]
fn a_long_call_is_dealt_out_and_a_short_one_is_not() {
    let text = texts::prose(300_000, 29);
    let (source, dealt) = (source(&text), AtomicUsize::new(0));
    let count = |pieces: usize, portions: Vec<Range<usize>>| {
        assert_eq!(Some(pieces), portions.last().map(|last| last.end));
        dealt.fetch_add(usize::from(portions.len() > 1), Ordering::Relaxed);
    };
    for (needles, is_dealt) in [(400, true), (2, false)] {
        let needles = some_needles(&text, needles, 3);
        let expected = source.scores(&units(&needles), Cutoff::Score(85.0), &ALONE).unwrap();
        dealt.store(0, Ordering::Relaxed);
        let scores = source.scores(&units(&needles), Cutoff::Score(85.0), &Portions(count)).unwrap();
        assert_eq!((expected, is_dealt), (scores, dealt.load(Ordering::Relaxed) > 0), "{} needles", needles.len());
    }
}

#[test]
fn a_source_that_was_asked_often_answers_like_a_new_one() {
    for (index, (name, text)) in texts::all(9000, 11).into_iter().enumerate() {
        let asked = source(&text);
        let warm = some_needles(&text, 60, 1);
        asked.scores(&units(&warm), Cutoff::Score(90.0), &ALONE).unwrap();
        for round in 0..6 {
            let needles = some_needles(&text, [1, 2, 5, 40][round % 4], (index + round) as u32);
            for cutoff in CUTOFFS {
                let scores = |source: &Source| source.scores(&units(&needles), cutoff, &ALONE).unwrap();
                assert_eq!(scores(&source(&text)), scores(&asked), "{name}, {cutoff:?}");
                let near = |source: &Source| source.find_fuzzy(&units(&needles), cutoff, &ALONE).unwrap();
                assert_eq!(near(&source(&text)), near(&asked), "{name}, {cutoff:?}");
                let verdicts: Vec<bool> = near(&asked).iter().map(Option::is_some).collect();
                assert_eq!(verdicts, asked.verdicts(&units(&needles), cutoff, &ALONE).unwrap(), "{name}, {cutoff:?}");
            }
        }
    }
}

#[test]
fn what_a_source_keeps_is_bounded() {
    let bytes: Vec<u32> = texts::noise(40_000, 250, 3).iter().map(|code| code - 0x60).collect();
    let mut is_kept = false;
    for (name, text) in [
        ("prose", texts::prose(24_000, 3)),
        ("long prose", texts::prose(300_000, 3)),
        ("two tiles and a little", texts::prose(65_600, 3)),
        ("noise", texts::noise(70_000, 26, 3)),
        ("bytes", bytes),
        ("many characters", texts::many_characters(50_000, 0x4E00, 3)),
        ("many characters of 4 bytes", texts::many_characters(50_000, 0x2_0000, 3)),
    ] {
        let (source, searched) = (source(&text), source(&text));
        (0..100).for_each(|_| assert_eq!(None, searched.find(TextRef::Ucs4(&[text[7]; 12]))));
        let (_, before) = searched.heap_bytes();
        assert!((1..=3 * text.len()).contains(&before), "{name}: {before} bytes for exact searches");
        for (source, seed) in [&source, &searched].into_iter().flat_map(|source| (0..3).map(move |seed| (source, seed)))
        {
            let needles = some_needles(&text, 40, seed);
            source.scores(&units(&needles), Cutoff::Score(90.0), &ALONE).unwrap();
            internals::source_scores(source, &units(&needles), Cutoff::Score(94.0), PlanOverride::Count(1), &ALONE)
                .unwrap();
            let (_, kept) = source.heap_bytes();
            assert!(kept <= 9 * source.len(), "{name}: {kept} bytes for {} characters", source.len());
            is_kept |= kept > 2 * source.len();
        }
    }
    assert!(is_kept, "no rows were kept");
}

#[test]
fn whoever_does_the_work_finds_the_same() {
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

/// Cancels at check number `patience`. Returns the result, and the number of checks.
fn asked(
    patience: usize,
    work: impl FnOnce(&dyn Cancel) -> Result<Vec<f64>, Error>,
) -> (Result<Vec<f64>, Error>, usize) {
    let questions = AtomicUsize::new(0);
    let cancel = || questions.fetch_add(1, Ordering::Relaxed) >= patience;
    let result = work(&cancel);
    (result, questions.into_inner())
}

fn check_interrupts(name: &str, work: impl Fn(&dyn Cancel) -> Result<Vec<f64>, Error>) {
    let (truth, questions) = asked(usize::MAX, &work);
    assert!(questions > 0, "{name} never asks");
    for patience in 0..questions {
        assert_eq!(Err(Error::Cancelled), asked(patience, &work).0, "{name}, {patience} of {questions}");
    }
    assert_eq!(truth, asked(questions, &work).0, "{name}");
}

#[test]
fn every_question_can_be_the_last() {
    let text = texts::prose(200_000, 17);
    let stored = Stored::new(&text);
    let needles: Vec<Vec<u32>> = some_needles(&text, 12, 3).into_iter().chain(needles(&text, &[300, 450], 5)).collect();
    let units = units(&needles);
    for cutoff in [Cutoff::NONE, Cutoff::Score(85.0)] {
        check_interrupts("alone", |cancel| partial_ratio_many(&units, stored.units(), cutoff, &Sequential(cancel)));
        for plan_override in [
            PlanOverride::Walk,
            PlanOverride::Comb,
            PlanOverride::Count(1),
            PlanOverride::Count(3),
            PlanOverride::Scan(2),
        ] {
            check_interrupts(&format!("{plan_override:?}"), |cancel| {
                let executor = Sequential(cancel);
                let best = alignments_forced(&units, stored.units(), cutoff, plan_override, &executor)?;
                Ok(best.into_iter().map(|best| best.map_or(0.0, |best| best.ratio.score())).collect())
            });
        }
    }
}

/// Cancelled work leaves no wrong state behind.
#[test]
fn a_source_is_sound_after_every_interrupt() {
    let text = texts::prose(30_000, 19);
    let needles = some_needles(&text, 40, 3);
    let units = units(&needles);
    for cutoff in [Cutoff::NONE, Cutoff::Score(92.0)] {
        let truth = source(&text).scores(&units, cutoff, &ALONE).unwrap();
        let shared = source(&text);
        for patience in 0..40 {
            let (result, _) = asked(patience, |cancel| shared.scores(&units, cutoff, &Sequential(cancel)));
            assert_eq!(&truth, result.as_ref().unwrap_or(&truth), "{cutoff:?}, {patience}");
            let (result, _) = asked(patience, |cancel| shared.scores(&units, cutoff, &Threads(2, cancel)));
            assert_eq!(&truth, result.as_ref().unwrap_or(&truth), "{cutoff:?}, {patience}, threads");
        }
        assert_eq!(truth, shared.scores(&units, cutoff, &ALONE).unwrap());
    }
}
