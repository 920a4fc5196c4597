//! Checks the partial ratio of two texts against the oracle.

use crate::oracle;
use crate::oracle::Stored;
use groundwire_engine::{
    Cutoff, Error, MAX_CHARS, Never, Normalizer, Ratio, Sequential, Source, Span, TextRef, UNICODE_VERSION,
    check_chars, partial_ratio, partial_ratio_alignment,
};
use proptest::prelude::*;

proptest! {
    #![proptest_config(crate::config(600))]

    #[test]
    fn scores_and_windows_match_the_oracle(
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
    fn a_cutoff_hides_only_lower_scores(a in proptest::collection::vec(0..3_u32, 0..40), b in proptest::collection::vec(0..3_u32, 0..60), cutoff in 0..=100_u32) {
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
        let source = Source::new(Stored::new(&text).units(), &Normalizer::spec(UNICODE_VERSION), &Never).unwrap();
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
fn needles_around_machine_word_lengths_are_scored() {
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
fn edge_cases_score_like_rapidfuzz() {
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
fn the_longest_texts_have_31_bit_positions_and_a_ratio() {
    assert_eq!((1 << 31) - 1, MAX_CHARS);
    assert_eq!((Ok(()), Ok(())), (check_chars(0), check_chars(MAX_CHARS)));
    for len in [1 << 31, usize::MAX] {
        assert_eq!(Err(Error::TextTooLong { len, max: MAX_CHARS }), check_chars(len));
    }
    assert_eq!(100.0, Ratio::new(MAX_CHARS, 2 * MAX_CHARS).score());
}

#[test]
fn a_long_search_can_be_cancelled() {
    let text: Vec<u8> =
        (0..1 << 20).map(|index: u32| (index.wrapping_mul(2_654_435_761) >> 24) as u8 % 26 + b'a').collect();
    let needle: Vec<u8> = text.iter().rev().step_by(3).take(300).copied().collect();
    let cancel = || true;
    let ratio = partial_ratio(TextRef::Ucs1(&needle), TextRef::Ucs1(&text), Cutoff::NONE, &cancel);
    assert_eq!(Error::Cancelled, ratio.unwrap_err());
    let normalizer = Normalizer::spec(UNICODE_VERSION);
    let source = Source::new(TextRef::Ucs1(&text), &normalizer, &Never).unwrap();
    assert_eq!(
        Error::Cancelled,
        source.find_fuzzy(&[TextRef::Ucs1(&needle)], Cutoff::NONE, &Sequential(&cancel)).unwrap_err()
    );
}
