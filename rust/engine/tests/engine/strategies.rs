//! Results never depend on the strategy.

use crate::oracle;
use crate::oracle::Stored;
use crate::oracle::texts::{self, Random, edited, needles, noise};
use groundwire_engine::{
    Cutoff, Never, Normalizer, ScoreAlignment, Sequential, Source, Span, TextRef, UNICODE_VERSION, internals,
    internals::{PlanOverride, alignments_forced},
    partial_ratio_many,
};
use proptest::prelude::*;

const OVERRIDES: [PlanOverride; 11] = [
    PlanOverride::No,
    PlanOverride::Comb,
    PlanOverride::Count(1),
    PlanOverride::Count(2),
    PlanOverride::Count(3),
    PlanOverride::Count(4),
    PlanOverride::Count(5),
    PlanOverride::Scan(1),
    PlanOverride::Scan(2),
    PlanOverride::Scan(8),
    PlanOverride::GiveUp,
];

/// Lengths around those at which kernels and partitions change.
const LENGTHS: [usize; 16] = [3, 12, 20, 45, 63, 64, 65, 100, 127, 128, 129, 180, 255, 257, 400, 500];

const ALONE: Sequential<'_> = Sequential(&Never);

fn stored(needles: &[Vec<u32>]) -> Vec<Stored> {
    needles.iter().map(|needle| Stored::new(needle)).collect()
}

fn source(text: &[u32]) -> Source {
    Source::new(Stored::new(text).units(), &Normalizer::spec(UNICODE_VERSION), &Never).unwrap()
}

/// The score, the window, and whether the arguments are swapped. Without a window if nothing agrees, because then any
/// window is as good.
type Found = Option<(f64, Option<(Span, bool)>)>;

fn found(best: Option<ScoreAlignment>) -> Found {
    best.map(|best| (best.ratio.score(), (best.ratio.score() > 0.0).then_some((best.window, best.is_swapped))))
}

fn aligned(needles: &[TextRef<'_>], text: &[u32], cutoff: Cutoff, plan_override: PlanOverride) -> Vec<Found> {
    let best = alignments_forced(needles, Stored::new(text).units(), cutoff, plan_override, &ALONE).unwrap();
    best.into_iter().map(found).collect()
}

fn accepted(truth: &[Found], cutoff: Cutoff) -> Vec<Found> {
    truth.iter().map(|&found| found.filter(|found| cutoff.accepts(found.0))).collect()
}

fn scores(truth: &[Found]) -> Vec<f64> {
    truth.iter().map(|found| found.map_or(0.0, |found| found.0)).collect()
}

/// Returns some fixed cutoffs, and each of `scores` with its neighbours.
fn cutoffs(scores: &[f64]) -> Vec<Cutoff> {
    let mut cutoffs = vec![Cutoff::NONE, Cutoff::Threshold(0.85)];
    cutoffs.extend([50.0, 75.0, 92.0, 100.0].map(Cutoff::Score));
    cutoffs.extend(scores.iter().flat_map(|score| [score.next_down(), *score, score.next_up()]).map(Cutoff::Score));
    cutoffs
}

/// Checks all strategies against `truth`, the result without a cutoff.
fn check(name: &str, needles: &[TextRef<'_>], text: &[u32], truth: &[Found], cutoffs: &[Cutoff]) {
    let stored = Stored::new(text);
    for &cutoff in cutoffs {
        let expected = accepted(truth, cutoff);
        for plan_override in OVERRIDES {
            assert_eq!(
                expected,
                aligned(needles, text, cutoff, plan_override),
                "{name}, {cutoff:?}, {plan_override:?}"
            );
        }
        let scored = partial_ratio_many(needles, stored.units(), cutoff, &ALONE).unwrap();
        assert_eq!(scores(&expected), scored, "{name}, {cutoff:?}, scores");
    }
}

/// Checks all strategies for a source, which uses other symbols.
fn check_source(name: &str, needles: &[TextRef<'_>], text: &[u32], truth: &[Found], cutoffs: &[Cutoff]) {
    let source = source(text);
    assert_eq!(text.len(), source.len(), "{name} is not normalised");
    for &cutoff in cutoffs {
        let expected = scores(&accepted(truth, cutoff));
        for plan_override in OVERRIDES {
            let scored = internals::source_scores(&source, needles, cutoff, plan_override, &ALONE).unwrap();
            assert_eq!(expected, scored, "{name}, {cutoff:?}, {plan_override:?}, source");
        }
        let verdicts: Vec<bool> = accepted(truth, cutoff).iter().map(Option::is_some).collect();
        assert_eq!(verdicts, source.verdicts(needles, cutoff, &ALONE).unwrap(), "{name}, {cutoff:?}, verdicts");
    }
}

/// Generates a text length, the lengths of one to four needles, some of them empty, and a seed.
fn small_batch() -> impl Strategy<Value = (usize, Vec<usize>, u32)> {
    let lengths = proptest::collection::vec(prop_oneof![1 => Just(0_usize), 9 => 1..48_usize], 1..5);
    (1..110_usize, lengths, any::<u32>())
}

proptest! {
    // Every case has at least one needle in each kind of text; `dev.py soak` runs many cases.
    #![proptest_config(crate::config(60))]

    #[test]
    fn every_strategy_matches_the_oracle((chars, lengths, seed) in small_batch()) {
        for (index, (name, text)) in texts::all(chars, seed).into_iter().enumerate() {
            let mut needles = needles(&text, &lengths, seed + index as u32);
            needles.push(needles[0].clone());
            let stored = stored(&needles);
            let units: Vec<TextRef<'_>> = stored.iter().map(Stored::units).collect();
            let truth: Vec<Found> = needles.iter().map(|needle| {
                let (score, start, end, is_swapped) = oracle::partial_ratio(needle, &text);
                Some((score, (score > 0.0).then_some((Span::new(start, end), is_swapped))))
            }).collect();
            let cutoffs = cutoffs(&scores(&truth)[..1]);
            check(name, &units, &text, &truth, &cutoffs);
        }
    }
}

/// Checks texts of every third kind, starting at `from`, so that several tests can run in parallel.
fn check_long_texts(from: usize) {
    for index in (from..texts::KINDS).step_by(3) {
        let seed = index as u32;
        let (name, text) = texts::all([1500, 2600, 4100, 6000][index % 4], 5).swap_remove(index);
        let mut needles = needles(&text, &LENGTHS, seed);
        needles.extend([Vec::new(), needles[2].clone(), noise(60, 20, seed), text[7..50].to_vec()]);
        let stored = stored(&needles);
        let units: Vec<TextRef<'_>> = stored.iter().map(Stored::units).collect();
        let truth = aligned(&units, &text, Cutoff::NONE, PlanOverride::Walk);
        let cutoffs = cutoffs(&scores(&truth)[4..5]);
        // Shorter needles are checked apart, because more strategies apply to them.
        for part in [0..11, 11..units.len()] {
            check(name, &units[part.clone()], &text, &truth[part.clone()], &cutoffs);
            check_source(name, &units[part.clone()], &text, &truth[part], &cutoffs);
        }
    }
}

#[test]
fn every_strategy_matches_branch_and_bound_1() {
    check_long_texts(0);
}

#[test]
fn every_strategy_matches_branch_and_bound_2() {
    check_long_texts(1);
}

#[test]
fn every_strategy_matches_branch_and_bound_3() {
    check_long_texts(2);
}

/// Needles that are searched together affect only the choice of strategy, never the results.
#[test]
fn needles_searched_together_give_the_results_of_each_alone() {
    for (index, (name, text)) in texts::all(5000, 9).into_iter().enumerate() {
        let lengths: Vec<usize> = (0..40).map(|place| LENGTHS[place * 7 % 14].min(200) + place % 3).collect();
        let stored = stored(&needles(&text, &lengths, index as u32));
        let units: Vec<TextRef<'_>> = stored.iter().map(Stored::units).collect();
        for cutoff in [Cutoff::Score(80.0), Cutoff::Threshold(0.92)] {
            let expected = aligned(&units, &text, cutoff, PlanOverride::No);
            for together in [1, 2, 5] {
                let parts = units.chunks(together).flat_map(|part| aligned(part, &text, cutoff, PlanOverride::No));
                assert_eq!(expected, parts.collect::<Vec<_>>(), "{name}, {cutoff:?}, {together}");
            }
        }
    }
}

/// A tile has 3,584 blocks of 8 or 16 characters where vectors are wide, minus the blocks before the start of the text.
#[test]
fn needles_across_tile_boundaries_are_found() {
    let text = texts::prose(80_000, 3);
    let source = source(&text);
    let mut random = Random(1);
    for (len, pieces) in [(40, 1), (95, 1), (160, 2), (250, 3), (300, 4), (500, 5)] {
        let starts = [28_672_usize, 57_344].into_iter().flat_map(|border| (border - len - 80..border + 80).step_by(13));
        let needles: Vec<Vec<u32>> =
            starts.map(|start| edited(&text[start..start + len], len / 40 + 1, &mut random)).collect();
        let stored = stored(&needles);
        let units: Vec<TextRef<'_>> = stored.iter().map(Stored::units).collect();
        for cutoff in [90.0, 96.0].map(Cutoff::Score) {
            let expected = aligned(&units, &text, cutoff, PlanOverride::Walk);
            for plan_override in [PlanOverride::No, PlanOverride::Count(pieces)] {
                assert_eq!(
                    expected,
                    aligned(&units, &text, cutoff, plan_override),
                    "{len}, {cutoff:?}, {plan_override:?}"
                );
                let scored = internals::source_scores(&source, &units, cutoff, plan_override, &ALONE).unwrap();
                assert_eq!(scores(&expected), scored, "{len}, {cutoff:?}, {plan_override:?}, source");
            }
        }
    }
}

/// Returns `passage` without every other one of its first or last characters, padded to the same length at the other
/// end. The remaining characters are as far from their positions as possible.
fn drifted(passage: &[u32], out: usize, is_forward: bool) -> Vec<u32> {
    let len = passage.len();
    let is_left = |place: usize| !place.is_multiple_of(2) || place >= 2 * out;
    let place_of = |place: usize| if is_forward { place } else { len - 1 - place };
    let left = (0..len).filter(|&place| is_left(place_of(place))).map(|place| passage[place]);
    let others = std::iter::repeat_n(0x7A, out);
    if is_forward { left.chain(others).collect() } else { others.chain(left).collect() }
}

/// Checks needles of one to four words, counted as a whole, whose scores just reach the cutoff or just miss it.
#[test]
fn windows_at_the_cutoff_are_found() {
    let text = texts::prose(20_000, 11);
    let source = source(&text);
    for len in [66, 79, 90, 110, 127, 128, 129, 150, 170, 192, 193, 205, 216] {
        let out = len * 15 / 100;
        let starts = (0..24).map(|place| 13 + place * 811);
        let needles: Vec<Vec<u32>> = starts
            .flat_map(|start| {
                let passage = &text[start..start + len];
                [(out, true), (out, false), (out + 1, true), (out + 1, false), (out / 2, true), (out / 2, false)]
                    .map(|(out, is_forward)| drifted(passage, out, is_forward))
            })
            .collect();
        let units: Vec<TextRef<'_>> = units(&needles);
        let cutoff = Cutoff::Threshold(0.85);
        let expected = aligned(&units, &text, cutoff, PlanOverride::Walk);
        assert!(expected.iter().flatten().count() > 48, "needles of {len}");
        for plan_override in [PlanOverride::Count(1), PlanOverride::No] {
            assert_eq!(expected, aligned(&units, &text, cutoff, plan_override), "needles of {len}, {plan_override:?}");
            let scored = internals::source_scores(&source, &units, cutoff, plan_override, &ALONE).unwrap();
            assert_eq!(scores(&expected), scored, "needles of {len}, {plan_override:?}, source");
        }
    }
}

/// Returns `needle` with two characters changed.
fn two_changed(needle: &[u32]) -> Vec<u32> {
    let mut needle = needle.to_vec();
    let len = needle.len();
    (needle[len / 3], needle[len / 2]) = (0x7A, 0x7A);
    needle
}

fn units(needles: &[Vec<u32>]) -> Vec<TextRef<'_>> {
    needles.iter().map(|needle| TextRef::Ucs4(needle)).collect()
}

/// Once a window is accepted, the remaining candidates do not matter, not even those of a partition that are still
/// waiting.
#[test]
fn a_decision_about_a_partitioned_needle_stops_early() {
    for (chars, len) in [(5_000, 300), (5_000, 500), (20_000, 300)] {
        let text = noise(chars, 20, 1);
        let source = source(&text);
        let needles: Vec<Vec<u32>> =
            (0..20).map(|place| two_changed(&text[place * (chars - len) / 20..][..len])).collect();
        let verdicts = source.verdicts(&units(&needles), Cutoff::Threshold(0.85), &ALONE).unwrap();
        assert_eq!(vec![true; 20], verdicts, "needles of {len} in {chars}");
    }
}

/// Counting also finds exact occurrences, after which no window can be better.
#[test]
fn a_partitioned_needle_that_occurs_exactly_scores_100() {
    let text = noise(200_000, 20, 1);
    let needles: Vec<Vec<u32>> = (0..100).map(|place| text[place * 1_900..][..400].to_vec()).collect();
    let scores = partial_ratio_many(&units(&needles), TextRef::Ucs4(&text), Cutoff::Score(92.0), &ALONE).unwrap();
    assert_eq!(vec![100.0; 100], scores);
}

/// A short text has narrow rows, but a needle can still span sixteen of its blocks.
#[test]
fn bitmap_counting_in_a_short_text_loses_no_window() {
    for chars in [300, 600, 900, 1024] {
        let text = noise(chars, 26, 7);
        for len in [100, 130, 160, 180] {
            let needles: Vec<Vec<u32>> = (0..=chars - len).map(|start| two_changed(&text[start..][..len])).collect();
            let ask = |plan_override| aligned(&units(&needles), &text, Cutoff::Score(97.0), plan_override);
            assert_eq!(ask(PlanOverride::Walk), ask(PlanOverride::Count(1)), "needles of {len} in {chars}");
        }
    }
}

/// A partition of 129 to 192 characters has masks of three words, for which the kernel for long needles has no block
/// size. Only a fixed strategy creates such partitions.
#[test]
fn partitions_of_three_words_are_found() {
    let text = noise(2600, 4, 5);
    for len in [260, 380] {
        let with_one_more =
            |start: usize| [&text[start..start + len - 10], &[0x7A], &text[start + len - 10..][..10]].concat();
        let needles: Vec<Vec<u32>> = (0..20).map(|place| with_one_more(place * 105)).collect();
        let ask = |plan_override| aligned(&units(&needles), &text, Cutoff::Score(95.0), plan_override);
        assert_eq!(ask(PlanOverride::Walk), ask(PlanOverride::Count(2)), "needles of {len}");
    }
}

/// A long text is combed in parts, and each part in lanes, so equally good windows may come from different ones.
#[test]
fn combing_finds_the_leftmost_of_equal_windows() {
    let needle: Vec<u32> = (0..40).map(|place| 0x61 + place % 20).collect();
    let near = two_changed(&needle);
    for first in [0, 5, 3_000, 140_000, 270_001] {
        let mut text = vec![0x20; 300_000];
        for start in [first, 280_000, 290_000] {
            text[start..start + needle.len()].copy_from_slice(&near);
        }
        for plan_override in [PlanOverride::Walk, PlanOverride::Comb, PlanOverride::GiveUp] {
            let found = aligned(&units(std::slice::from_ref(&needle)), &text, Cutoff::Score(60.0), plan_override)[0];
            let (_, window) = found.expect("two characters of forty differ");
            assert_eq!(Some((Span::new(first, first + needle.len()), false)), window, "{plan_override:?} from {first}");
        }
    }
}
