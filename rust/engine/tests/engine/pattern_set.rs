//! Checks every strategy for many patterns against the naive search.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::oracle;
use crate::oracle::Stored;
use groundwire_engine::{Error, Never, PatternSet, TextRef, internals, internals::Strategy as SearchStrategy};
use proptest::collection::vec;
use proptest::prelude::*;

type Found = Vec<(usize, usize, usize)>;

/// Returns (start, pattern, end) of every occurrence, comparing each pattern at each position.
fn find_naive(patterns: &[Vec<u32>], text: &[u32]) -> Found {
    let mut all = Vec::new();
    for (index, pattern) in patterns.iter().enumerate() {
        all.extend(oracle::find_all(text, pattern).into_iter().map(|start| (start, index, start + pattern.len())));
    }
    all.sort_unstable();
    all
}

fn prepare(patterns: &[Vec<u32>]) -> PatternSet {
    let stored: Vec<Stored> = patterns.iter().map(|pattern| Stored::new(pattern)).collect();
    let units: Vec<TextRef<'_>> = stored.iter().map(Stored::units).collect();
    PatternSet::new(&units, false).unwrap()
}

fn find_by(patterns: &PatternSet, text: &[u32], strategy: SearchStrategy) -> Found {
    let found = internals::find_all_by(patterns, Stored::new(text).units(), strategy, &Never).unwrap();
    found.map(|found| (found.span.start, found.pattern, found.span.end)).collect()
}

fn strategies() -> Vec<SearchStrategy> {
    let mut strategies =
        vec![SearchStrategy::Planned, SearchStrategy::Fallback, SearchStrategy::Each, SearchStrategy::Automaton];
    for chars in [1, 2, 3, 4, 5, 8, 16] {
        strategies.extend([1, 2, 3, 5, 8, 64].map(|step| SearchStrategy::GramTable { chars, step }));
    }
    strategies
}

fn check(patterns: &[Vec<u32>], text: &[u32]) {
    let expected = find_naive(patterns, text);
    let prepared = prepare(patterns);
    for strategy in strategies() {
        assert_eq!(expected, find_by(&prepared, text, strategy), "{strategy:?}");
    }
    // The state that the first search built is reused for the next one, also for another text.
    let half = &text[text.len() / 2..];
    assert_eq!(find_naive(patterns, half), find_by(&prepared, half, SearchStrategy::Planned));
    assert_eq!(expected, find_by(&prepared, text, SearchStrategy::Planned));
}

/// Alphabets of one, two and four bytes per character, and of all three: Latin-1, Cyrillic, Han, lone surrogates,
/// supplementary planes.
const ALPHABETS: [&[u32]; 6] = [
    &[0x61, 0x62],
    &[0, 0xFF, 0x61],
    &[0x61, 0x436],
    &[0xD800, 0xDC00, 0x61],
    &[0x1_0000, 0x61, 0x62],
    &[0x61, 0xE9, 0x161, 0x4E61, 0x1_F661],
];

fn string(alphabet: &'static [u32], len: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<u32>> {
    vec(prop::sample::select(alphabet), len)
}

/// Generates a text over one alphabet, with patterns cut from it and random ones over any alphabet.
fn texts_and_patterns() -> impl Strategy<Value = (Vec<u32>, Vec<Vec<u32>>)> {
    let alphabet = prop::sample::select(&ALPHABETS[..]);
    (alphabet, prop::sample::select(&ALPHABETS[..])).prop_flat_map(|(alphabet, other)| {
        let cuts = vec((any::<prop::sample::Index>(), 1..40_usize), 0..12);
        let made_up = vec(prop_oneof![string(alphabet, 1..12), string(other, 1..90)], 0..6);
        (string(alphabet, 0..200), cuts, made_up).prop_map(|(text, cuts, mut patterns)| {
            for (start, len) in cuts {
                if !text.is_empty() {
                    let start = start.index(text.len());
                    patterns.push(text[start..text.len().min(start + len)].to_vec());
                }
            }
            (text, patterns)
        })
    })
}

proptest! {
    #![proptest_config(crate::config(400))]

    #[test]
    fn every_strategy_finds_the_same((text, patterns) in texts_and_patterns()) {
        check(&patterns, &text);
    }

    #[test]
    fn overlapping_occurrences_are_found(period in string(ALPHABETS[5], 1..5), times in 1..60_usize, lens in vec(1..70_usize, 1..12)) {
        let text = period.repeat(times);
        let patterns: Vec<Vec<u32>> = lens.into_iter().map(|len| text[..len.min(text.len())].to_vec()).collect();
        check(&patterns, &text);
    }
}

/// Returns the next number of a linear congruential generator, for texts without a period.
fn noise(seed: &mut u64) -> u32 {
    *seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
    (*seed >> 33) as u32
}

#[test]
fn long_texts_are_searched_across_blocks() {
    let mut seed = 1;
    let text: Vec<u32> = (0..400_000).map(|_| 0x61 + noise(&mut seed) % 4).collect();
    for (count, len) in [(1, 30), (40, 30), (40, 3), (500, 25), (30, 1)] {
        let patterns: Vec<Vec<u32>> = (0..count)
            .map(|index| {
                let start =
                    if index < 20 { 65_530 * (index % 6 + 1) - index } else { noise(&mut seed) as usize % 399_000 };
                text[start..start + len + index % 7].to_vec()
            })
            .collect();
        let prepared = prepare(&patterns);
        let expected = find_by(&prepared, &text, SearchStrategy::Automaton);
        for step in [1, 2, 8, 16] {
            assert_eq!(
                expected,
                find_by(&prepared, &text, SearchStrategy::GramTable { chars: 8, step }),
                "{count} {len} {step}"
            );
        }
        for _ in 0..6 {
            assert_eq!(expected, find_by(&prepared, &text, SearchStrategy::Planned), "{count} {len}");
        }
    }
}

#[test]
fn near_misses_at_every_position_are_rejected() {
    // Each pattern agrees with the text almost to its end, at every position.
    let text = vec![0x61; 20_000];
    let mut patterns: Vec<Vec<u32>> = (0..300).map(|index| vec![0x61; 200 + index % 7]).collect();
    patterns.iter_mut().for_each(|pattern| pattern.push(0x62));
    let prepared = prepare(&patterns);
    for strategy in [SearchStrategy::Planned, SearchStrategy::GramTable { chars: 8, step: 1 }] {
        assert_eq!(Found::new(), find_by(&prepared, &text, strategy));
    }
    let text: Vec<u32> = text.into_iter().chain([0x62, 0x161]).collect();
    let found = find_by(&prepared, &text, SearchStrategy::Planned);
    assert_eq!(300, found.len());
    assert_eq!(find_by(&prepared, &text, SearchStrategy::Automaton), found);
}

#[test]
fn the_automaton_excludes_what_no_q_gram_can() {
    // The sequence other, same, other never occurs, but its q-grams do: only q-grams of 42 characters could exclude it.
    let mut seed = 7;
    let [same, other, third] = [0; 3].map(|_| (0..40).map(|_| 0x61 + noise(&mut seed) % 20).collect::<Vec<u32>>());
    let hidden = [&other[..], &same, &other].concat();
    let patterns: Vec<Vec<u32>> =
        (0..300).map(|index| hidden[index % 20..hidden.len() - index % 13].to_vec()).collect();
    let mut text = [&same[..], &other, &same, &third].concat().repeat(1200);
    let prepared = prepare(&patterns);
    for strategy in [SearchStrategy::Planned, SearchStrategy::Fallback] {
        assert_eq!(Found::new(), find_by(&prepared, &text, strategy));
    }
    text.extend(hidden);
    assert_eq!(300, find_by(&prepared, &text, SearchStrategy::Planned).len());
    assert_eq!(
        find_by(&prepared, &text, SearchStrategy::Automaton),
        find_by(&prepared, &text, SearchStrategy::Planned)
    );
}

#[test]
fn patterns_wider_than_the_text_do_not_occur() {
    let patterns = vec![vec![0x61; 2], vec![0x161, 0x61], vec![0x1_F600, 0x61], vec![0x61, 0x1_F600]];
    let prepared = prepare(&patterns);
    for text in [vec![0x61, 0x61], vec![0x161, 0x61, 0x61], vec![0x61, 0x1_F600, 0x61, 0x61], vec![0x61; 40]] {
        for strategy in strategies() {
            assert_eq!(find_naive(&patterns, &text), find_by(&prepared, &text, strategy), "{strategy:?} {text:?}");
        }
    }
}

#[test]
fn word_boundaries_follow_the_script() {
    let find = |patterns: &[&str], text: &str| {
        let stored: Vec<Stored> = patterns.iter().map(|pattern| Stored::new(&oracle::codes(pattern))).collect();
        let units: Vec<TextRef<'_>> = stored.iter().map(Stored::units).collect();
        let patterns = PatternSet::new(&units, true).unwrap();
        let found = patterns.find_all(Stored::new(&oracle::codes(text)).units(), &Never).unwrap();
        found.map(|found| found.span.start).collect::<Vec<_>>()
    };
    assert_eq!(vec![0, 11], find(&["no"], "no another no"));
    assert_eq!(vec![3], find(&["可能"], "他说 可能会"));
    assert_eq!(Vec::<usize>::new(), find(&["no"], "no_1 no\u{301} kno"));
    assert_eq!(vec![1], find(&["да"], "«да»"));
    assert_eq!(vec![2], find(&["ไม่"], "ผมไม่รู้"));
}

#[test]
fn an_empty_pattern_is_refused_by_its_index() {
    let refused = PatternSet::new(&[TextRef::Ucs1(b"a"), TextRef::Ucs2(&[])], false);
    assert_eq!(Some(Error::EmptyPattern { index: 1 }), refused.err());
    assert!(PatternSet::new(&[], false).unwrap().is_empty());
}

#[test]
fn every_strategy_can_be_cancelled() {
    let text = vec![0x61; 3_000_000];
    let prepared = prepare(&vec![vec![0x61, 0x62, 0x63]; 20]);
    for strategy in [
        SearchStrategy::Planned,
        SearchStrategy::Fallback,
        SearchStrategy::Each,
        SearchStrategy::Automaton,
        SearchStrategy::GramTable { chars: 3, step: 1 },
    ] {
        let asked = AtomicUsize::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) == 0;
        let stopped = internals::find_all_by(&prepared, Stored::new(&text).units(), strategy, &stop);
        assert_eq!((Some(Error::Cancelled), 1), (stopped.err(), asked.into_inner()), "{strategy:?}");
    }
}
