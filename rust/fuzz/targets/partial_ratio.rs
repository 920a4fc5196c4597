//! Fuzzes partial ratio: every entry point returns the oracle's score to the last bit, and the oracle's window,
//! whatever the cutoff.

#![no_main]

use std::sync::LazyLock;

use groundwire_engine::{
    Cutoff, Never, Normalizer, Sequential, Source, Span, UNICODE_VERSION,
    internals::{PlanOverride, alignments_forced},
    partial_ratio, partial_ratio_alignment, partial_ratio_many,
};
use groundwire_fuzz::TextGenerator;
use groundwire_fuzz::oracle::{self, Stored};
use libfuzzer_sys::fuzz_target;

static SPEC: LazyLock<Normalizer> = LazyLock::new(|| Normalizer::spec(UNICODE_VERSION));

/// Entry points that return the score of `needle` and `text`. A new entry point or strategy needs one more line.
const SCORES: &[fn(&Case, Cutoff) -> f64] = &[
    |case, cutoff| partial_ratio(case.needle.units(), case.text.units(), cutoff, &Never).unwrap(),
    |case, cutoff| partial_ratio(case.text.units(), case.needle.units(), cutoff, &Never).unwrap(),
    |case, cutoff| case.source.scores(&[case.needle.units()], cutoff, &Sequential(&Never)).unwrap()[0],
    |case, cutoff| {
        partial_ratio_many(&[case.needle.units(); 5], case.text.units(), cutoff, &Sequential(&Never)).unwrap()[4]
    },
];

/// The score, and the window in the longer text.
type Window = Option<(f64, Span)>;

/// Entry points that also return the best window.
const WINDOWS: &[fn(&Case, Cutoff) -> Window] = &[
    |case, cutoff| {
        let best = partial_ratio_alignment(case.needle.units(), case.text.units(), cutoff, &Never).unwrap()?;
        assert!(best.ratio.score() == 0.0 || best.is_swapped == case.expected.is_swapped);
        Some((best.ratio.score(), best.window))
    },
    |case, cutoff| {
        let best = partial_ratio_alignment(case.text.units(), case.needle.units(), cutoff, &Never).unwrap()?;
        // With the arguments in the other order, the other direction is preferred if both texts are equally long.
        let is_equally_long = case.needle.units().len() == case.text.units().len();
        Some((best.ratio.score(), if is_equally_long { case.expected.window } else { best.window }))
    },
    |case, cutoff| {
        let near = case.source.find_fuzzy(&[case.needle.units()], cutoff, &Sequential(&Never)).unwrap()[0]?;
        assert_eq!(case.is_inside, near.is_exact);
        // A source is never the needle: the window of a longer needle is the whole source.
        let whole = Span::new(0, case.source.len());
        assert!(near.score == 0.0 || !case.expected.is_swapped || near.window == whole);
        Some((near.score, if case.expected.is_swapped { case.expected.window } else { near.window }))
    },
    |case, cutoff| forced(case, cutoff, PlanOverride::Walk),
    |case, cutoff| forced(case, cutoff, PlanOverride::Comb),
    |case, cutoff| forced(case, cutoff, PlanOverride::Count(1)),
    |case, cutoff| forced(case, cutoff, PlanOverride::Count(2)),
    |case, cutoff| forced(case, cutoff, PlanOverride::Count(5)),
    |case, cutoff| forced(case, cutoff, PlanOverride::Scan(1)),
    |case, cutoff| forced(case, cutoff, PlanOverride::Scan(2)),
    |case, cutoff| forced(case, cutoff, PlanOverride::GiveUp),
];

/// Returns the best window by a fixed strategy.
fn forced(case: &Case, cutoff: Cutoff, plan_override: PlanOverride) -> Window {
    let needles = [case.needle.units()];
    let best = alignments_forced(&needles, case.text.units(), cutoff, plan_override, &Sequential(&Never)).unwrap()[0]?;
    Some((best.ratio.score(), best.window))
}

/// The maximum number of cells of the oracle's tables for one case, which takes 30 ms.
const MAX_CELLS: usize = 24_000_000;

struct Case {
    needle: Stored,
    text: Stored,
    source: Source,
    expected: Expected,
    /// Whether the needle occurs in the text exactly.
    is_inside: bool,
}

struct Expected {
    score: f64,
    window: Span,
    is_swapped: bool,
}

fuzz_target!(|bytes: &[u8]| {
    let mut generator = TextGenerator::new(bytes);
    let case = case(&mut generator);
    let any = f64::from(generator.byte()) / 2.0;
    let score = case.expected.score;
    for cutoff in [0.0, any, score, score.next_up(), score.next_down(), 100.0, 100.0_f64.next_up()] {
        check(&case, Cutoff::Score(cutoff), score >= cutoff);
    }
    let share = score / 100.0;
    for threshold in [any / 100.0, share, share.next_up(), share.next_down()] {
        check(&case, Cutoff::Threshold(threshold), share >= threshold);
    }
});

fn case(generator: &mut TextGenerator<'_>) -> Case {
    let alphabet = generator.alphabet();
    let text = generator.text(&alphabet, 1500);
    let source = Source::new(generator.stored(&text).units(), &SPEC, &Never).unwrap();
    let text = source.normalized().units().to_code_points();
    let needle =
        if generator.below(4) == 0 { generator.text(&alphabet, 400) } else { generator.edited_slice(&text, &alphabet) };
    let (needle, text) = affordable(needle, text);
    let source = Source::new(Stored::new(&text).units(), &SPEC, &Never).unwrap();
    let text = source.normalized().units().to_code_points();
    let (score, start, end, is_swapped) = oracle::partial_ratio(&needle, &text);
    Case {
        is_inside: !oracle::find_all(&text, &needle).is_empty() || (text.is_empty() && needle.is_empty()),
        needle: generator.stored(&needle),
        text: generator.stored(&text),
        source,
        expected: Expected { score, window: Span::new(start, end), is_swapped },
    }
}

/// Shortens both texts to lengths that the oracle scores in reasonable time.
fn affordable(mut needle: Vec<u32>, mut text: Vec<u32>) -> (Vec<u32>, Vec<u32>) {
    loop {
        let (shorter, longer) = (needle.len().min(text.len()), needle.len().max(text.len()));
        let excess = shorter * shorter * (longer + 1) > MAX_CELLS;
        match (excess, needle.len() > text.len()) {
            (false, _) => return (needle, text),
            (true, true) => needle.truncate(longer * 7 / 8),
            (true, false) => text.truncate(longer * 7 / 8),
        }
    }
}

fn check(case: &Case, cutoff: Cutoff, is_accepted: bool) {
    let Expected { score, window, .. } = case.expected;
    for (index, ask) in SCORES.iter().enumerate() {
        assert_eq!(if is_accepted { score } else { 0.0 }, ask(case, cutoff), "entry point {index}, {cutoff:?}");
    }
    for (index, ask) in WINDOWS.iter().enumerate() {
        let found = ask(case, cutoff);
        assert_eq!(is_accepted.then_some(score), found.map(|(score, _)| score), "entry point {index}, {cutoff:?}");
        // With a score of 0, any window is as good as another.
        let is_right = found.is_none_or(|(score, found)| score == 0.0 || found == window);
        assert!(is_right, "entry point {index}, {cutoff:?}: {found:?} instead of {window:?}");
    }
}
