//! Fuzzes texts of several tiles: every strategy finds the same scores and windows, none misses a window at the border
//! of a tile, and exact search finds what the oracle finds.

#![no_main]

use std::sync::LazyLock;

use groundwire_engine::internals::{PlanOverride, alignments_forced};
use groundwire_engine::{
    Cutoff, Never, Normalizer, ScoreAlignment, Sequential, Source, Span, TextRef, UNICODE_VERSION, partial_ratio_many,
};
use groundwire_fuzz::Recipe;
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
    PlanOverride::Scan(4),
    PlanOverride::Scan(8),
    PlanOverride::GiveUp,
];

/// The number of needles after which a source keeps the bitmap rows of its text.
const MANY: usize = 16;

fuzz_target!(|bytes: &[u8]| {
    let mut recipe = Recipe::new(bytes);
    let alphabet = recipe.alphabet();
    let len = TILE * (1 + recipe.below(2)) + recipe.below(600);
    let mut text = noise(&mut recipe, &alphabet, len);
    let needle = needle(&mut recipe, &alphabet, &text);
    if needle.is_empty() {
        return;
    }
    for _ in 0..recipe.below(4) {
        plant(&mut recipe, &alphabet, &needle, &mut text);
    }
    let source = Source::new(recipe.stored(&text).units(), &SPEC, &Never).unwrap();
    let text = source.normalized().units().to_code_points();
    if text.len() >= needle.len() {
        check_scores(&mut recipe, &source, &text, &needle);
        check_exact(&source, &text, &needle);
    }
});

/// Returns a text that repeats a piece from the recipe, or noise, in which hardly any window is similar to a needle.
fn noise(recipe: &mut Recipe<'_>, alphabet: &[u32], len: usize) -> Vec<u32> {
    let piece = recipe.text(alphabet, 300);
    if recipe.below(3) == 0 && !piece.is_empty() {
        return piece.into_iter().cycle().take(len).collect();
    }
    let mut state = u32::from(recipe.byte());
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        alphabet[(state >> 8) as usize % alphabet.len()]
    };
    (0..len).map(|_| next()).collect()
}

/// Returns an edited part of the text near the border of a tile, or a text from the recipe.
fn needle(recipe: &mut Recipe<'_>, alphabet: &[u32], text: &[u32]) -> Vec<u32> {
    if recipe.below(4) == 0 {
        return recipe.text(alphabet, 200);
    }
    let start = place(recipe, text.len().saturating_sub(200));
    let len = 1 + recipe.below(200);
    let mut needle = text[start..start + len].to_vec();
    for _ in 0..recipe.below(6) {
        let at = recipe.below(needle.len());
        needle[at] = recipe.pick(alphabet);
    }
    needle
}

/// Returns a position near the border of a tile, or near either end of the text.
fn place(recipe: &mut Recipe<'_>, len: usize) -> usize {
    let edge = recipe.pick(&[0, TILE, 2 * TILE, len]);
    (edge + recipe.below(300)).saturating_sub(150).min(len)
}

/// Writes the needle, edited, into the text.
fn plant(recipe: &mut Recipe<'_>, alphabet: &[u32], needle: &[u32], text: &mut [u32]) {
    let start = place(recipe, text.len() - needle.len());
    text[start..start + needle.len()].copy_from_slice(needle);
    for _ in 0..recipe.below(needle.len() / 4 + 1) {
        let at = recipe.below(needle.len());
        text[start + at] = recipe.pick(alphabet);
    }
}

/// The score, and the window if anything agrees.
type Found = Option<(f64, Option<Span>)>;

fn found(best: Option<ScoreAlignment>) -> Found {
    best.map(|best| (best.ratio.score(), (best.ratio.score() > 0.0).then_some(best.window)))
}

fn check_scores(recipe: &mut Recipe<'_>, source: &Source, text: &[u32], needle: &[u32]) {
    let (stored, stored_needle) = (recipe.stored(text), recipe.stored(needle));
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
        check_kept(source, stored.units(), units[0], cutoff, expected.map_or(0.0, |(score, _)| score));
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

/// Asserts that neither the caches of a source nor needles that are searched together change the score.
fn check_kept(source: &Source, text: TextRef<'_>, needle: TextRef<'_>, cutoff: Cutoff, expected: f64) {
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
