//! Results never depend on the plan by which they were found.

mod oracle;

use groundwire_engine::fuzzy::{Best, Cutoff, Force, alignments_forced, partial_ratios};
use groundwire_engine::normalize::{Normalizer, UNICODE_VERSION};
use groundwire_engine::source::Source;
use groundwire_engine::text::Units;
use groundwire_engine::{Alone, Never};

/// Letters that are as good as random, the first `letters` of the alphabet.
fn noise(chars: usize, letters: u32, mut state: u32) -> Vec<u32> {
    let mut letter = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        0x61 + (state >> 16) % letters
    };
    (0..chars).map(|_| letter()).collect()
}

/// The same with two characters changed.
fn edited(needle: &[u32]) -> Vec<u32> {
    let mut needle = needle.to_vec();
    let len = needle.len();
    (needle[len / 3], needle[len / 2]) = (0x7A, 0x7A);
    needle
}

fn units(needles: &[Vec<u32>]) -> Vec<Units<'_>> {
    needles.iter().map(|needle| Units::U32(needle)).collect()
}

fn aligned(needles: &[Vec<u32>], text: &[u32], cutoff: Cutoff, force: Force) -> Vec<Option<Best>> {
    alignments_forced(&units(needles), Units::U32(text), cutoff, force, &Alone(&Never)).unwrap()
}

/// Once a window is accepted nothing else is of interest, also not the candidates of a piece that
/// are still waiting.
#[test]
fn a_verdict_about_a_needle_in_pieces_stops() {
    for (chars, len) in [(5_000, 300), (5_000, 500), (20_000, 300)] {
        let text = noise(chars, 20, 1);
        let source = Source::new(Units::U32(&text), &Normalizer::spec(UNICODE_VERSION), &Never).unwrap();
        let needles: Vec<Vec<u32>> = (0..20).map(|place| edited(&text[place * (chars - len) / 20..][..len])).collect();
        let verdicts = source.verdicts(&units(&needles), Cutoff::Threshold(0.85), &Alone(&Never)).unwrap();
        assert_eq!(vec![true; 20], verdicts, "needles of {len} in {chars}");
    }
}

/// Counting finds the needle itself too; then no window can be better.
#[test]
fn a_needle_in_pieces_that_occurs_as_it_is_scores_100() {
    let text = noise(200_000, 20, 1);
    let needles: Vec<Vec<u32>> = (0..100).map(|place| text[place * 1_900..][..400].to_vec()).collect();
    let scores = partial_ratios(&units(&needles), Units::U32(&text), Cutoff::Score(92.0), &Alone(&Never)).unwrap();
    assert_eq!(vec![100.0; 100], scores);
}

/// A short text has narrow rows; a needle still reaches over sixteen blocks of it.
#[test]
fn counting_in_a_short_text_loses_no_window() {
    for chars in [300, 600, 900, 1024] {
        let text = noise(chars, 26, 7);
        for len in [100, 130, 160, 180] {
            let needles: Vec<Vec<u32>> = (0..=chars - len).map(|start| edited(&text[start..][..len])).collect();
            let ask = |force| aligned(&needles, &text, Cutoff::Score(97.0), force);
            assert_eq!(ask(Force::Walk), ask(Force::Count(1)), "needles of {len} in {chars}");
        }
    }
}
