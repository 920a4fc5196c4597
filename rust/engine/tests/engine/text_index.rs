//! The indexes of a source stay within their memory limit and do not change results.

use crate::executor::{Threads, count_checks};
use crate::oracle::Stored;
use crate::oracle::texts::{self, needles};
use groundwire_engine::{
    Cutoff, Never, Normalizer, Sequential, Source, TextRef, UNICODE_VERSION, internals, internals::PlanOverride,
};

pub(crate) const ALONE: Sequential<'_> = Sequential(&Never);
const CUTOFFS: [Cutoff; 4] = [Cutoff::NONE, Cutoff::Score(80.0), Cutoff::Score(93.0), Cutoff::Threshold(0.85)];

pub(crate) fn source(text: &[u32]) -> Source {
    Source::new(Stored::new(text).units(), &Normalizer::spec(UNICODE_VERSION), &Never).unwrap()
}

pub(crate) fn units(needles: &[Vec<u32>]) -> Vec<TextRef<'_>> {
    needles.iter().map(|needle| TextRef::Ucs4(needle)).collect()
}

/// Returns `count` needles of 20 to 119 characters.
pub(crate) fn some_needles(text: &[u32], count: usize, seed: u32) -> Vec<Vec<u32>> {
    let lengths: Vec<usize> = (0..count).map(|index| 20 + index * 37 % 100).collect();
    needles(text, &lengths, seed)
}

#[test]
fn a_used_source_returns_the_results_of_a_new_one() {
    for (index, (name, text)) in texts::all(9000, 11).into_iter().enumerate() {
        let used = source(&text);
        let warm = some_needles(&text, 60, 1);
        used.scores(&units(&warm), Cutoff::Score(90.0), &ALONE).unwrap();
        for round in 0..6 {
            let needles = some_needles(&text, [1, 2, 5, 40][round % 4], (index + round) as u32);
            for cutoff in CUTOFFS {
                let scores = |source: &Source| source.scores(&units(&needles), cutoff, &ALONE).unwrap();
                assert_eq!(scores(&source(&text)), scores(&used), "{name}, {cutoff:?}");
                let near = |source: &Source| source.find_fuzzy(&units(&needles), cutoff, &ALONE).unwrap();
                assert_eq!(near(&source(&text)), near(&used), "{name}, {cutoff:?}");
                let verdicts: Vec<bool> = near(&used).iter().map(Option::is_some).collect();
                assert_eq!(verdicts, used.verdicts(&units(&needles), cutoff, &ALONE).unwrap(), "{name}, {cutoff:?}");
            }
        }
    }
}

#[test]
fn the_memory_of_the_indexes_is_bounded() {
    let byte_text: Vec<u32> = texts::noise(40_000, 250, 3).iter().map(|code| code - 0x60).collect();
    let mut has_rows = false;
    for (name, text) in [
        ("prose", texts::prose(24_000, 3)),
        ("long prose", texts::prose(300_000, 3)),
        ("two tiles and a little", texts::prose(65_600, 3)),
        ("noise", texts::noise(70_000, 26, 3)),
        ("bytes", byte_text),
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
            let (_, bytes) = source.heap_bytes();
            assert!(bytes <= 9 * source.len(), "{name}: {bytes} bytes for {} characters", source.len());
            has_rows |= bytes > 2 * source.len();
        }
    }
    assert!(has_rows, "no source retained rows");
}

/// Cancelled work leaves no wrong state behind.
#[test]
fn a_source_stays_valid_after_cancellation() {
    let text = texts::prose(30_000, 19);
    let needles = some_needles(&text, 40, 3);
    let units = units(&needles);
    for cutoff in [Cutoff::NONE, Cutoff::Score(92.0)] {
        let truth = source(&text).scores(&units, cutoff, &ALONE).unwrap();
        let shared = source(&text);
        for allowed in 0..40 {
            let (result, _) = count_checks(allowed, |cancel| shared.scores(&units, cutoff, &Sequential(cancel)));
            assert_eq!(&truth, result.as_ref().unwrap_or(&truth), "{cutoff:?}, {allowed}");
            let (result, _) = count_checks(allowed, |cancel| shared.scores(&units, cutoff, &Threads(2, cancel)));
            assert_eq!(&truth, result.as_ref().unwrap_or(&truth), "{cutoff:?}, {allowed}, threads");
        }
        assert_eq!(truth, shared.scores(&units, cutoff, &ALONE).unwrap());
    }
}
