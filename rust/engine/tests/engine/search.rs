//! Checks exact and fuzzy search against the oracles.

use crate::oracle;
use crate::oracle::Stored;
use groundwire_engine::{
    Cutoff, Error, Never, Normalizer, PatternSet, Ratio, Sequential, Source, Span, TextRef, UNICODE_VERSION,
    partial_ratio, partial_ratio_alignment,
};
use proptest::prelude::*;

fn spec() -> Normalizer {
    Normalizer::spec(UNICODE_VERSION)
}

fn source(codes: &[u32]) -> Source {
    Source::new(Stored::new(codes).units(), &spec(), &Never).unwrap()
}

/// Generates texts over few characters, so that patterns repeat and overlap. Half of them start with 300 distinct
/// characters from `wide`: more than 256, so that they take 2 or 4 bytes per character.
fn periodic(wide: u32, len: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u32>> {
    (proptest::collection::vec(0..3_u32, len), any::<bool>()).prop_map(move |(text, is_wide)| {
        let alphabet: Vec<u32> = if is_wide { (0..300).map(|index| wide + index).collect() } else { Vec::new() };
        let first = if is_wide { wide } else { 0x61 };
        alphabet.into_iter().chain(text.into_iter().map(|index| first + index)).collect()
    })
}

proptest! {
    #![proptest_config(crate::config(600))]

    #[test]
    fn every_occurrence_is_found(wide in prop_oneof![Just(0x4E00), Just(0x2_0000)], text in periodic(0x4E00, 0..80), start: prop::sample::Index, len in 1..20_usize) {
        let text: Vec<u32> = text.into_iter().map(|code| if code >= 0x4E00 { code - 0x4E00 + wide } else { code }).collect();
        prop_assume!(!text.is_empty());
        let start = start.index(text.len());
        let pattern = &text[start..text.len().min(start + len)];
        let source = source(&text);
        let found = source.find_all(Stored::new(pattern).units(), &Never).unwrap();
        let expected = oracle::find_all(&text, pattern);
        prop_assert_eq!(&expected, &found.iter().map(|span| span.start).collect::<Vec<_>>());
        prop_assert_eq!(expected.first().copied(), source.find(Stored::new(pattern).units()).map(|span| span.start));
    }

    #[test]
    fn many_patterns_are_found(text in periodic(0x4E00, 0..60), patterns in proptest::collection::vec(proptest::collection::vec(0..3_u32, 1..5), 0..6)) {
        let patterns: Vec<Vec<u32>> = patterns.into_iter().map(|pattern| pattern.into_iter().map(|index| 0x61 + index).collect()).collect();
        let stored: Vec<Stored> = patterns.iter().map(|pattern| Stored::new(pattern)).collect();
        let units: Vec<TextRef<'_>> = stored.iter().map(Stored::units).collect();
        let prepared = PatternSet::new(&units, false).unwrap();
        let found = prepared.find_all(Stored::new(&text).units(), &Never).unwrap();
        let mut expected: Vec<(usize, usize, usize)> = Vec::new();
        for (index, pattern) in patterns.iter().enumerate() {
            expected.extend(oracle::find_all(&text, pattern).into_iter().map(|start| (start, index, start + pattern.len())));
        }
        expected.sort_unstable();
        prop_assert_eq!(expected, found.map(|found| (found.span.start, found.pattern, found.span.end)).collect::<Vec<_>>());
    }

    #[test]
    fn partial_ratio_equals_the_table(
        a in proptest::collection::vec(0..4_u32, 0..150),
        b in proptest::collection::vec(0..4_u32, 0..150),
        base in proptest::sample::select(vec![0x61, 0x430, 0x4E00, 0xD800, 0x1_F600]),
    ) {
        let a: Vec<u32> = a.into_iter().map(|code| code + base).collect();
        let b: Vec<u32> = b.into_iter().map(|code| code + base).collect();
        check_ratio(&a, &b);
    }

    #[test]
    fn windows_of_large_alphabets_are_scored(a in proptest::collection::vec(0..400_u32, 1..70), cut: prop::sample::Index, noise in proptest::collection::vec(0..400_u32, 0..200)) {
        let a: Vec<u32> = a.into_iter().map(|code| code + 0x4E00).collect();
        let mut b: Vec<u32> = noise.into_iter().map(|code| code + 0x4E00).collect();
        let place = cut.index(b.len() + 1);
        b.splice(place..place, a.iter().copied().filter(|code| code % 7 != 0));
        check_ratio(&a, &b);
    }

    #[test]
    fn a_cutoff_hides_lower_scores_and_nothing_else(a in proptest::collection::vec(0..3_u32, 0..40), b in proptest::collection::vec(0..3_u32, 0..60), cutoff in 0..=100_u32) {
        let (a, b) = (Stored::new(&a), Stored::new(&b));
        let full = partial_ratio(a.units(), b.units(), Cutoff::NONE, &Never).unwrap();
        for cutoff in [f64::from(cutoff), full, full.next_up(), full.next_down()] {
            let expected = if full >= cutoff { full } else { 0.0 };
            prop_assert_eq!(expected, partial_ratio(a.units(), b.units(), Cutoff::Score(cutoff), &Never).unwrap());
        }
        let is_found = partial_ratio_alignment(a.units(), b.units(), Cutoff::Threshold(full / 100.0), &Never).unwrap().is_some();
        prop_assert!(is_found);
    }

    #[test]
    fn a_source_scores_like_its_text(text in "[a-d ]{0,300}", quote in "[a-dx ]{1,90}") {
        let text = oracle::codes(&oracle::normalize(&text));
        let quote = oracle::codes(&oracle::normalize(&quote));
        let (score, start, end, is_swapped) = oracle::partial_ratio(&quote, &text);
        let source = source(&text);
        prop_assert_eq!(score, source.scores(&[Stored::new(&quote).units()], Cutoff::NONE, &Sequential(&Never)).unwrap()[0]);
        let found = source.find_fuzzy(&[Stored::new(&quote).units()], Cutoff::NONE, &Sequential(&Never)).unwrap()[0];
        let window = if is_swapped { Span::new(0, text.len()) } else { Span::new(start, end) };
        prop_assert_eq!(Some((window, score)), found.map(|near| (near.window, near.score)));
        let is_inside = !oracle::find_all(&text, &quote).is_empty() || text == quote;
        prop_assert_eq!(Some(is_inside), found.map(|near| near.is_exact));
    }
}

fn check_ratio(a: &[u32], b: &[u32]) {
    let (stored_a, stored_b) = (Stored::new(a), Stored::new(b));
    let (score, start, end, is_swapped) = oracle::partial_ratio(a, b);
    assert_eq!(score, partial_ratio(stored_a.units(), stored_b.units(), Cutoff::NONE, &Never).unwrap());
    let best = partial_ratio_alignment(stored_a.units(), stored_b.units(), Cutoff::NONE, &Never).unwrap().unwrap();
    assert_eq!(score, best.ratio.score());
    if score > 0.0 {
        assert_eq!((Span::new(start, end), is_swapped), (best.window, best.is_swapped));
    }
}

#[test]
fn words_of_a_needle_meet_at_their_borders() {
    for len in [1, 2, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320] {
        let needle: Vec<u32> = (0..len).map(|index| 0x61 + index * index % 7).collect();
        for extra in [0, 1, 5, 140] {
            let mut text: Vec<u32> = (0..extra).map(|index| 0x61 + index % 5).collect();
            text.extend(needle.iter().enumerate().filter(|(index, _)| index % 9 != 8).map(|(_, &code)| code));
            text.extend((0..len / 8).map(|index| 0x61 + index % 3));
            check_ratio(&needle, &text);
        }
    }
}

#[test]
fn the_corner_rows_hold() {
    for (a, b, expected) in
        [("", "", 100.0), ("a", "", 0.0), ("a", "b", 0.0), ("aba", "aab", 80.0), ("abc", "zabcz", 100.0)]
    {
        let (a, b) = (Stored::new(&oracle::codes(a)), Stored::new(&oracle::codes(b)));
        assert_eq!(expected, partial_ratio(a.units(), b.units(), Cutoff::NONE, &Never).unwrap());
    }
    let empty = Stored::new(&[]);
    assert_eq!(0.0, partial_ratio(empty.units(), empty.units(), Cutoff::Score(101.0), &Never).unwrap());
}

#[test]
fn scores_compare_like_their_fractions() {
    assert!(Ratio::new(3, 4) > Ratio::new(5, 8));
    assert_eq!(Ratio::new(3, 4), Ratio::new(6, 8));
    assert!(Ratio::new(4, 8).is_perfect());
}

/// The index agrees with scanning, on texts long enough for it and searched often enough to build it.
#[test]
fn the_index_answers_like_a_scan() {
    let mut state = 1_u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    for (base, distinct) in [(0x61, 20), (0x4E00, 900), (0x2_0000, 900), (0x61, 2)] {
        let text: Vec<u32> = (0..6000).map(|_| base + random(distinct)).collect();
        let source = source(&text);
        for round in 0..1200 {
            let len = 1 + random(60) as usize;
            let start = random((text.len() - len) as u32) as usize;
            let mut pattern = text[start..start + len].to_vec();
            if round % 3 == 0 {
                let place = random(len as u32) as usize;
                pattern[place] = base + random(distinct);
            }
            let found = source.find(Stored::new(&pattern).units()).map(|span| span.start);
            assert_eq!(oracle::find_all(&text, &pattern).first().copied(), found, "round {round}, base {base:x}");
            let at_once = source.find_without_scan(Stored::new(&pattern).units()).expect("the text is short");
            assert_eq!(found, at_once.map(|span| span.start), "round {round}, base {base:x}");
        }
        assert!(source.heap_bytes().1 > 0, "the index was never built");
    }
}

#[test]
fn short_texts_are_searched_like_long_ones() {
    for len in 1..200_u32 {
        let text: Vec<u32> = (0..len).map(|place| 0x61 + place * place % 11 % 5).collect();
        let source = source(&text);
        for round in 0..200 {
            let start = round * 7 % text.len();
            let end = text.len().min(start + 1 + (round + len as usize) % 40);
            let expected = oracle::find_all(&text, &text[start..end]).first().copied();
            let found = source.find(TextRef::Ucs4(&text[start..end])).map(|span| span.start);
            assert_eq!(expected, found, "{len} characters, {start}..{end}");
        }
    }
}

#[test]
fn a_long_text_is_searched_at_once_when_there_is_an_index() {
    let text: Vec<u32> = (0..200_000_u32).map(|place| 0x61 + (place * 7 + place / 26 * 3 + place / 676) % 26).collect();
    let source = source(&text);
    let (present, absent) = (TextRef::Ucs4(&text[150_000..150_012]), TextRef::Ucs4(&[0x61; 12]));
    assert_eq!(None, source.find_without_scan(present));
    let expected = source.find(present);
    (0..80).for_each(|_| assert_eq!(None, source.find(absent)));
    assert_eq!((Some(expected), Some(None)), (source.find_without_scan(present), source.find_without_scan(absent)));
    assert_eq!(None, source.find_without_scan(TextRef::Ucs4(&text[150_000..150_003])), "too short for the index");
    assert_eq!(Some(None), source.find_without_scan(TextRef::Ucs4(&[0x4E00; 3])), "no such character");
}

#[test]
fn a_text_of_one_character_is_searched_in_time() {
    let text = vec![0x61_u32; 50_000];
    let source = source(&text);
    for _ in 0..20 {
        assert_eq!(Some(Span::new(0, 1000)), source.find(TextRef::Ucs4(&text[..1000])));
        let mut absent = text[..1000].to_vec();
        absent[999] = 0x62;
        assert_eq!(None, source.find(TextRef::Ucs4(&absent)));
    }
    assert_eq!(49_001, source.find_all(TextRef::Ucs4(&text[..1000]), &Never).unwrap().len());
}

#[test]
fn hits_between_characters_are_no_hits() {
    // In memory, the text is the bytes 62 61 62 61 …, and so is the pattern from its second byte on.
    let mut text: Vec<u32> = (0x4E00..0x5000).collect();
    text.extend([0x6162; 500]);
    let source = source(&text);
    assert_eq!(None, source.find(TextRef::Ucs2(&[0x6261; 3])));
    assert_eq!(Some(Span::new(512, 515)), source.find(TextRef::Ucs2(&[0x6162; 3])));
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
fn bad_patterns_are_named() {
    let (a, empty) = (Stored::new(&[0x61]), Stored::new(&[]));
    let result = PatternSet::new(&[a.units(), empty.units()], false);
    assert_eq!(Error::EmptyPattern { index: 1 }, result.unwrap_err());
    assert!(PatternSet::new(&[], false).unwrap().is_empty());
}

#[test]
fn long_searches_can_be_interrupted() {
    let text: Vec<u8> =
        (0..1 << 20).map(|index: u32| (index.wrapping_mul(2_654_435_761) >> 24) as u8 % 26 + b'a').collect();
    let needle: Vec<u8> = text.iter().rev().step_by(3).take(300).copied().collect();
    let cancel = || true;
    let ratio = partial_ratio(TextRef::Ucs1(&needle), TextRef::Ucs1(&text), Cutoff::NONE, &cancel);
    assert_eq!(Error::Cancelled, ratio.unwrap_err());
    let pattern = PatternSet::new(&[TextRef::Ucs1(b"a")], false).unwrap();
    assert_eq!(Error::Cancelled, pattern.find_all(TextRef::Ucs1(&text), &cancel).unwrap_err());
    let source = Source::new(TextRef::Ucs1(&text), &spec(), &Never).unwrap();
    assert_eq!(
        Error::Cancelled,
        source.find_fuzzy(&[TextRef::Ucs1(&needle)], Cutoff::NONE, &Sequential(&cancel)).unwrap_err()
    );
}
