//! Fuzzes texts of several tiles: every strategy finds the same scores and windows, none misses a window at a tile
//! boundary, and exact search finds what the oracle finds.

#![no_main]

use std::sync::LazyLock;

use groundwire_engine::internals::{PlanOverride, alignments_forced};
use groundwire_engine::{
    Cutoff, Never, Normalizer, ScoreAlignment, Sequential, Source, Span, TextRef, UNICODE_VERSION, partial_ratio_many,
};
use groundwire_fuzz::TextGenerator;
use groundwire_fuzz::oracle::{self, Stored};
use libfuzzer_sys::fuzz_target;

static SPEC: LazyLock<Normalizer> = LazyLock::new(|| Normalizer::spec(UNICODE_VERSION));

const ALONE: Sequential<'_> = Sequential(&Never);

/// The length of a tile with the largest blocks, in characters.
const TILE: usize = 57_344;

const OVERRIDES: [PlanOverride; 8] = [
    PlanOverride::No,
    PlanOverride::Count(1),
    PlanOverride::Count(2),
    PlanOverride::Count(4),
    PlanOverride::Scan(1),
    PlanOverride::Scan(2),
    PlanOverride::Scan(8),
    PlanOverride::GiveUp,
];

/// The number of needles after which a source retains the bitmap rows of its text.
const MANY: usize = 16;

fuzz_target!(|bytes: &[u8]| {
    let mut generator = TextGenerator::new(bytes);
    let alphabet = generator.alphabet();
    let len = TILE * (1 + generator.below(2)) + generator.below(600);
    let mut text = noise(&mut generator, &alphabet, len);
    let needle = needle(&mut generator, &alphabet, &text);
    if needle.is_empty() {
        return;
    }
    for _ in 0..generator.below(4) {
        plant(&mut generator, &alphabet, &needle, &mut text);
    }
    let source = Source::new(generator.stored(&text).units(), &SPEC, &Never).unwrap();
    let text = source.normalized().units().to_code_points();
    if text.len() >= needle.len() {
        check_scores(&mut generator, &source, &text, &needle);
        check_exact(&source, &text, &needle);
    }
});

/// Returns a text that repeats a generated piece, or noise, in which few windows are similar to a needle.
fn noise(generator: &mut TextGenerator<'_>, alphabet: &[u32], len: usize) -> Vec<u32> {
    let piece = generator.text(alphabet, 300);
    if generator.below(3) == 0 && !piece.is_empty() {
        return piece.into_iter().cycle().take(len).collect();
    }
    let mut state = u32::from(generator.byte());
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        alphabet[(state >> 8) as usize % alphabet.len()]
    };
    (0..len).map(|_| next()).collect()
}

/// Returns an edited part of the text near a tile boundary, or a generated text.
fn needle(generator: &mut TextGenerator<'_>, alphabet: &[u32], text: &[u32]) -> Vec<u32> {
    if generator.below(4) == 0 {
        return generator.text(alphabet, 200);
    }
    let start = place(generator, text.len().saturating_sub(200));
    let len = 1 + generator.below(200);
    let mut needle = text[start..start + len].to_vec();
    for _ in 0..generator.below(6) {
        let at = generator.below(needle.len());
        needle[at] = generator.pick(alphabet);
    }
    needle
}

/// Returns a position near a tile boundary, or near either end of the text.
fn place(generator: &mut TextGenerator<'_>, len: usize) -> usize {
    let edge = generator.pick(&[0, TILE, 2 * TILE, len]);
    (edge + generator.below(300)).saturating_sub(150).min(len)
}

/// Writes the needle, edited, into the text.
fn plant(generator: &mut TextGenerator<'_>, alphabet: &[u32], needle: &[u32], text: &mut [u32]) {
    let start = place(generator, text.len() - needle.len());
    text[start..start + needle.len()].copy_from_slice(needle);
    for _ in 0..generator.below(needle.len() / 4 + 1) {
        let at = generator.below(needle.len());
        text[start + at] = generator.pick(alphabet);
    }
}

/// The score, and the window if the score is positive.
type Found = Option<(f64, Option<Span>)>;

fn found(best: Option<ScoreAlignment>) -> Found {
    best.map(|best| (best.ratio.score(), (best.ratio.score() > 0.0).then_some(best.window)))
}

fn check_scores(generator: &mut TextGenerator<'_>, source: &Source, text: &[u32], needle: &[u32]) {
    let (stored, stored_needle) = (generator.stored(text), generator.stored(needle));
    let units = [stored_needle.units()];
    let ask = |cutoff, plan_override| {
        found(alignments_forced(&units, stored.units(), cutoff, plan_override, &ALONE).unwrap()[0])
    };
    let truth = ask(Cutoff::NONE, PlanOverride::Comb).expect("there is no cutoff");
    check_window(text, needle, truth);
    let score = truth.0;
    for cutoff in [0.0, 85.0, score, score.next_up()].map(Cutoff::Score) {
        let expected = Some(truth).filter(|truth| cutoff.accepts(truth.0));
        for plan_override in OVERRIDES {
            assert_eq!(expected, ask(cutoff, plan_override), "{plan_override:?}, {cutoff:?}");
        }
        check_indexed(source, stored.units(), units[0], cutoff, expected.map_or(0.0, |(score, _)| score));
    }
}

/// Asserts that the window has the score, by the oracle.
fn check_window(text: &[u32], needle: &[u32], truth: (f64, Option<Span>)) {
    if let Some(window) = truth.1 {
        let total = (needle.len() + window.len()) as f64;
        let distance = total - 2.0 * oracle::lcs(needle, &text[window.start..window.end]) as f64;
        assert_eq!((1.0 - distance / total) * 100.0, truth.0);
    }
}

/// Asserts that neither the indexes of a source nor searching for needles together changes the score.
fn check_indexed(source: &Source, text: TextRef<'_>, needle: TextRef<'_>, cutoff: Cutoff, expected: f64) {
    let many = [needle; MANY];
    assert_eq!([expected; MANY], source.scores(&many, cutoff, &ALONE).unwrap()[..]);
    assert_eq!([expected], source.scores(&[needle], cutoff, &ALONE).unwrap()[..]);
    assert_eq!([expected; MANY], partial_ratio_many(&many, text, cutoff, &ALONE).unwrap()[..]);
}

fn check_exact(source: &Source, text: &[u32], needle: &[u32]) {
    let (expected, stored) = (oracle::find_all(text, needle), Stored::new(needle));
    for _ in 0..2 {
        assert_eq!(expected.first().copied(), source.find(stored.units()).map(|span| span.start));
        let found = source.find_all(stored.units(), &Never).unwrap();
        assert!(found.iter().map(|span| span.start).eq(expected.iter().copied()));
        source.announce(1000);
    }
}
