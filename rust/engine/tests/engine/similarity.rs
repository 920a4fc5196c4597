//! Checks searches in a changing collection against comparisons with each text.

use std::collections::{BTreeMap, BTreeSet};

use crate::oracle::sets::similar;
use groundwire_engine::{
    Error, Never, TextRef,
    similarity::{JaccardIndex, MinHashIndex, Neighbor, Threshold, TokenRule, Tokens, VectorIndex},
};
use proptest::prelude::*;

/// Thresholds as decimals and as fractions.
const THRESHOLDS: [(f64, [usize; 2]); 6] =
    [(0.1, [1, 10]), (0.3, [3, 10]), (0.5, [1, 2]), (0.75, [3, 4]), (0.92, [23, 25]), (1.0, [1, 1])];

fn threshold(value: f64) -> Threshold {
    Threshold::new(value).unwrap()
}

fn units(text: &str) -> TextRef<'_> {
    TextRef::Ucs1(text.as_bytes())
}

fn found(hits: Vec<Neighbor>) -> Vec<(u32, usize, usize)> {
    hits.into_iter().map(|hit| (hit.number, hit.shared, hit.either)).collect()
}

fn text_of(words: Vec<u8>) -> String {
    words.into_iter().map(|word| format!("{} ", char::from(b'a' + word))).collect()
}

fn texts() -> impl Strategy<Value = String> {
    prop::collection::vec(0..12_u8, 0..9).prop_map(text_of)
}

proptest! {
    #![proptest_config(crate::config(500))]

    #[test]
    fn insert_and_query_equals_query_then_insert(
        texts in prop::collection::vec(texts(), 1..40),
        removed in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        (decimal, _) in prop::sample::select(&THRESHOLDS[..]),
    ) {
        let floor = threshold(decimal);
        let index = || JaccardIndex::new(Tokens::new(TokenRule::Spec, &[]), floor, None);
        let (mut one, mut two) = (index(), index());
        for (place, text) in texts.iter().enumerate() {
            let expected = two.query(units(text), floor, 1, &Never).unwrap();
            two.insert(units(text), &Never).unwrap();
            let hit = one.insert_and_query(units(text), floor, &Never).unwrap();
            prop_assert_eq!(found(expected), found(hit.into_iter().collect()));
            // Numbers of removed texts are reused, so a later text may have a lower one.
            if let Some(removed) = removed.get(place) {
                let number = removed.index(place + 1) as u32;
                prop_assert_eq!(one.remove(number).unwrap(), two.remove(number).unwrap());
            }
        }
        prop_assert_eq!(one.len(), two.len());
    }

    #[test]
    fn queries_match_the_naive_comparison(
        steps in prop::collection::vec((any::<bool>(), texts(), 0..64_usize), 0..80),
        text in texts(),
        stop_words in prop::collection::btree_set(0..12_u8, 0..4),
        floor in 0..THRESHOLDS.len(),
    ) {
        let stop_words: Vec<String> = stop_words.into_iter().map(|word| text_of(vec![word]).trim().to_owned()).collect();
        let list: Vec<TextRef<'_>> = stop_words.iter().map(|word| units(word)).collect();
        let tokens = Tokens::new(TokenRule::Unicode, &list);
        let mut index = JaccardIndex::new(tokens, threshold(THRESHOLDS[floor].0), Some(threshold(0.5)));
        let mut left = BTreeMap::new();
        for (is_removal, other, place) in steps {
            if let (true, Some(&number)) = (is_removal, left.keys().nth(place)) {
                prop_assert!(index.remove(number).unwrap());
                left.remove(&number);
            } else {
                let number = index.insert(units(&other), &Never).unwrap();
                prop_assert!(left.insert(number, other).is_none());
            }
        }
        prop_assert_eq!(left.len(), index.len());
        for &(value, fraction) in &THRESHOLDS[floor..] {
            let hits = index.query(units(&text), threshold(value), usize::MAX, &Never).unwrap();
            prop_assert_eq!(similar(&left, &text, &BTreeSet::new(), fraction), found(hits));
        }
        let stop_words = stop_words.iter().map(String::as_str).collect();
        let hits = index.query_without_stop_tokens(units(&text), usize::MAX, &Never).unwrap();
        let all = similar(&left, &text, &stop_words, [1, 2]);
        prop_assert_eq!(&all, &found(hits));
        for limit in 0..4 {
            let hits = index.query_without_stop_tokens(units(&text), limit, &Never).unwrap();
            prop_assert_eq!(&all[..limit.min(all.len())], found(hits));
        }
    }

    #[test]
    fn sets_of_all_sizes_are_found(
        stored in prop::collection::vec(prop::collection::vec(0..48_u8, 0..45), 1..24),
        near in prop::collection::vec((0..48_u8, any::<bool>()), 0..6),
        removed in 0..24_u32,
        floor in 0..6_usize,
    ) {
        let named = |word: u8| format!("w{}", char::from(b'0' + word));
        let text_of = |words: &[u8]| words.iter().map(|&word| named(word) + " ").collect::<String>();
        let mut index = JaccardIndex::new(Tokens::new(TokenRule::Spec, &[]), threshold(THRESHOLDS[floor].0), Some(threshold(0.5)));
        let mut left = BTreeMap::new();
        for words in &stored {
            left.insert(index.insert(units(&text_of(words)), &Never).unwrap(), text_of(words));
        }
        if left.remove(&removed).is_some() {
            prop_assert!(index.remove(removed).unwrap());
        }
        // A query similar to the first set.
        let mut query = stored[0].clone();
        for (word, is_added) in near {
            if is_added { query.push(word) } else { query.retain(|&other| other != word) }
        }
        let text = text_of(&query);
        for &(value, fraction) in &THRESHOLDS[floor..] {
            let hits = index.query(units(&text), threshold(value), usize::MAX, &Never).unwrap();
            prop_assert_eq!(similar(&left, &text, &BTreeSet::new(), fraction), found(hits));
        }
        // Searches without stop tokens use lists with several parts.
        let hits = index.query_without_stop_tokens(units(&text), usize::MAX, &Never).unwrap();
        prop_assert_eq!(similar(&left, &text, &BTreeSet::new(), [1, 2]), found(hits));
    }

    #[test]
    fn minhash_finds_all_copies_after_removals(
        steps in prop::collection::vec((any::<bool>(), texts(), 0..64_usize), 0..60),
    ) {
        let mut index = MinHashIndex::new(Tokens::new(TokenRule::Spec, &[]), 0.92);
        let mut left = BTreeMap::new();
        for (is_removal, other, place) in steps {
            if let (true, Some(&number)) = (is_removal, left.keys().nth(place)) {
                prop_assert!(index.remove(number));
                left.remove(&number);
            } else {
                left.insert(index.insert(units(&other), &Never).unwrap(), other);
            }
        }
        for text in left.values() {
            let copies = similar(&left, text, &BTreeSet::new(), [1, 1]);
            let numbers: BTreeSet<u32> = index.query(units(text), &Never).unwrap().iter().map(|hit| hit.0).collect();
            prop_assert!(copies.iter().all(|copy| numbers.contains(&copy.0)));
            prop_assert!(numbers.iter().all(|number| left.contains_key(number)));
        }
    }
}

/// Returns the dot product in double precision.
fn product(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

#[test]
fn vectors_are_found_by_their_cosines_in_double_precision() {
    let noise: Vec<f32> =
        (0..2000_u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 8) as f32 / 8_388_608.0 - 1.0).collect();
    for dimensions in (1..=200).chain([384, 500]) {
        let vectors: Vec<&[f32]> = (0..70).map(|place| &noise[place * 7..][..dimensions]).collect();
        let mut index = VectorIndex::new(dimensions);
        vectors.iter().for_each(|vector| assert!(index.insert(vector).is_ok()));
        let cosine = |at: usize| {
            product(vectors[3], vectors[at])
                / (product(vectors[3], vectors[3]) * product(vectors[at], vectors[at])).sqrt()
        };
        let found = index.query(vectors[3], 0.05, usize::MAX, &Never).unwrap();
        for number in 0..vectors.len() {
            let hit = found.iter().find(|hit| hit.0 as usize == number);
            match hit {
                Some(&(_, given)) => assert!((given - cosine(number)).abs() < 1e-12, "{dimensions} dimensions"),
                None => assert!(cosine(number) < 0.05, "{dimensions} dimensions"),
            }
        }
    }
}

#[test]
fn equal_minima_estimate_the_similarity() {
    let words = |from: usize, len: usize| (from..from + len).map(|word| format!("w{word} ")).collect::<String>();
    let mut index = MinHashIndex::new(Tokens::new(TokenRule::Spec, &[]), 0.5);
    // Each text shares 800 of 1,200 words with the query.
    for place in 0..40 {
        index.insert(units(&(words(0, 800) + &words(5_000 + 200 * place, 200))), &Never).unwrap();
    }
    let found = index.query(units(&words(0, 1_000)), &Never).unwrap();
    let mean = found.iter().map(|hit| hit.1).sum::<f64>() / found.len() as f64;
    assert!((mean - 2.0 / 3.0).abs() < 0.2, "{mean}");
}

#[test]
fn a_threshold_is_its_decimal_notation() {
    assert_eq!(Threshold::new(0.92), Threshold::new(23.0 / 25.0));
    for outside in [0.0, -0.5, 1.000_001, f64::NAN, f64::INFINITY] {
        assert_eq!(None, Threshold::new(outside));
    }
}

#[test]
fn sets_around_the_maximum_signature_size_are_found() {
    let words = |from: usize, len: usize| (from..from + len).map(|word| format!("w{word} ")).collect::<String>();
    for (least, lens) in [(15, [14, 20, 29, 30, 31, 32, 33, 60]), (200, [150, 200, 254, 255, 256, 257, 300, 500])] {
        for (value, fraction) in [(0.5, [1, 2]), (0.75, [3, 4]), (0.8, [4, 5]), (0.92, [23, 25])] {
            let mut index = JaccardIndex::new(Tokens::new(TokenRule::Spec, &[]), threshold(value), None);
            let mut all = BTreeMap::new();
            for place in 0..300 {
                let text = words(place % 37, least + place % (least / 2 + 25));
                all.insert(index.insert(units(&text), &Never).unwrap(), text);
            }
            for len in lens {
                let text = words(11, len);
                let hits = index.query(units(&text), threshold(value), usize::MAX, &Never).unwrap();
                assert_eq!(similar(&all, &text, &BTreeSet::new(), fraction), found(hits));
            }
        }
    }
}

#[test]
fn long_queries_can_be_cancelled() {
    let mut index = JaccardIndex::new(Tokens::new(TokenRule::Spec, &[]), threshold(0.5), None);
    let mut vectors = VectorIndex::new(64);
    for _ in 0..100_000 {
        index.insert(units("a b c"), &Never).unwrap();
        vectors.insert(&[1.0; 64]).unwrap();
    }
    let stop = || true;
    assert_eq!(Err(Error::Cancelled), index.query(units("a b c"), threshold(0.5), usize::MAX, &stop).map(|_| ()));
    assert_eq!(Err(Error::Cancelled), vectors.query(&[1.0; 64], 0.5, usize::MAX, &stop).map(|_| ()));
}

#[test]
fn the_best_of_thousands_of_similar_texts_are_returned() {
    let text = |place: usize| {
        let negation = if place.is_multiple_of(3) { "not " } else { "" };
        format!("the gauge in hall {} does {negation}report its level {} times a day", place % 700, place % 31)
    };
    let stop_words = ["not"];
    let mut index =
        JaccardIndex::new(Tokens::new(TokenRule::Spec, &stop_words.map(units)), threshold(0.92), Some(threshold(0.5)));
    let mut left = BTreeMap::new();
    for place in 0..3_000 {
        left.insert(index.insert(units(&text(place)), &Never).unwrap(), text(place));
    }
    for place in (0..3_500).step_by(97) {
        let query = text(place) + if place % 2 == 0 { "" } else { " indeed" };
        let all = similar(&left, &query, &BTreeSet::from(stop_words), [1, 2]);
        assert!(all.len() > 1_000);
        for limit in [1, 2, 16, 700] {
            assert_eq!(all[..limit], found(index.query_without_stop_tokens(units(&query), limit, &Never).unwrap()));
        }
        let same = similar(&left, &query, &BTreeSet::new(), [23, 25]);
        assert_eq!(same[..same.len().min(4)], found(index.query(units(&query), threshold(0.92), 4, &Never).unwrap()));
    }
}
