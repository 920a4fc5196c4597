//! Windows shorter than the needle, at the start or end of a text.

use crate::oracle;
use crate::oracle::Stored;
use crate::oracle::texts::{Random, edited, noise, prose};
use groundwire_engine::{
    Cutoff, Never, Sequential,
    internals::{PlanOverride, alignments_forced},
    partial_ratio,
};
use proptest::prelude::*;

/// Checks score and window with cutoffs around the score, for each strategy that handles windows at the ends.
fn check(needle: &[u32], text: &[u32]) {
    let (score, start, end, is_swapped) = oracle::partial_ratio(needle, text);
    let (needle, text) = (Stored::new(needle), Stored::new(text));
    for cutoff in [0.0, 30.0, 60.0, 85.0, 95.0, score.next_down(), score, score.next_up()] {
        let expected = if score >= cutoff { score } else { 0.0 };
        let cutoff = Cutoff::Score(cutoff);
        assert_eq!(expected, partial_ratio(needle.units(), text.units(), cutoff, &Never).unwrap(), "{cutoff:?}");
        for plan_override in [PlanOverride::No, PlanOverride::Walk, PlanOverride::Count(1)] {
            let found = alignments_forced(&[needle.units()], text.units(), cutoff, plan_override, &Sequential(&Never))
                .unwrap()[0];
            assert_eq!(expected, found.map_or(0.0, |found| found.ratio.score()), "{cutoff:?}, {plan_override:?}");
            if expected > 0.0 {
                let found = found.map(|found| (found.window.start, found.window.end, found.is_swapped));
                assert_eq!(Some((start, end, is_swapped)), found, "{cutoff:?}, {plan_override:?}");
            }
        }
    }
}

/// Returns a text that ends with a prefix of `needle`, or starts with a suffix of it.
fn cut(needle: &[u32], missing: usize, text: &[u32], is_at_start: bool) -> Vec<u32> {
    let missing = missing.min(needle.len() - 1);
    if is_at_start { [&needle[missing..], text].concat() } else { [text, &needle[..needle.len() - missing]].concat() }
}

proptest! {
    #![proptest_config(crate::config(500))]

    #[test]
    fn needles_truncated_at_an_end_of_the_text_are_found(
        len in 1..150_usize,
        letters in 1..30_usize,
        (missing, edits) in (0..40_usize, 0..12_usize),
        is_at_start: bool,
        seed: u32,
    ) {
        let needle = noise(len, letters, seed);
        let text = noise(len + 10, letters, seed ^ 0xAAAA);
        let near = edited(&needle, edits, &mut Random(seed));
        prop_assume!(!near.is_empty());
        check(&needle, &cut(&near, missing, &text, is_at_start));
    }
}

#[test]
fn needles_around_machine_word_lengths_are_found_at_both_ends() {
    let text = prose(300, 8);
    for len in [1, 2, 5, 9, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257] {
        let needle = prose(len, 21);
        for missing in [0, 1, len / 20, len / 10, len / 5, len / 3] {
            let near = edited(&needle, len / 25, &mut Random(len as u32));
            check(&needle, &cut(&near, missing, &text[..len.min(40)], true));
            check(&needle, &cut(&near, missing, &text[..len.min(40)], false));
        }
    }
}
