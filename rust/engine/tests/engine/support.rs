//! What passages have of a claim, against the counts of a naive program on words of one form.

use std::collections::HashSet;
use std::sync::Arc;

use groundwire_engine::support::{Agreement, Common, Passages};
use groundwire_engine::text::Units;
use groundwire_engine::{Error, Never, Span};
use proptest::prelude::*;

const WINDOW: usize = 120;

fn common(words: &[&str]) -> Arc<Common> {
    let units: Vec<_> = words.iter().map(|word| Units::U8(word.as_bytes())).collect();
    Arc::new(Common::new(&units, &Never).expect("nobody interrupts"))
}

fn agreement(claim: &str, passage: &str) -> Agreement {
    let passages = Passages::new(&[Units::U8(passage.as_bytes())], common(&["with", "should"]), &Never).unwrap();
    passages.support(&[Units::U8(claim.as_bytes())], &Never).unwrap()[0][0]
}

/// Words that are content and no details, and keys of their own.
fn texts(max_words: usize) -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["alpha", "beta", "gamma", "delta", "omega", "kappa"]);
    prop::collection::vec(word, 0..max_words).prop_map(|words| words.join(" "))
}

fn distinct<'a>(words: &[&'a str]) -> HashSet<&'a str> {
    words.iter().copied().collect()
}

fn found(window: &[&str], claim: &HashSet<&str>) -> usize {
    distinct(window).intersection(claim).count()
}

/// The first best window, by looking at each.
fn window_naive<'a>(words: &'a [&'a str], claim: &HashSet<&str>) -> &'a [&'a str] {
    let last = words.len().saturating_sub(WINDOW);
    let starts: Vec<_> = (0..=last).map(|start| &words[start..words.len().min(start + WINDOW)]).collect();
    let most = starts.iter().map(|window| found(window, claim)).max().unwrap_or(0);
    starts.into_iter().find(|window| found(window, claim) == most).unwrap_or(&[])
}

fn pairs_naive(window: &[&str], sequence: &[&str]) -> (usize, usize) {
    let is_near = |one: &str, other: &str| {
        (0..window.len()).any(|at| {
            let near = &window[at.saturating_sub(3)..window.len().min(at + 4)];
            window[at] == one && near.contains(&other)
        })
    };
    let pairs: Vec<_> = sequence.windows(2).filter(|pair| pair[0] != pair[1]).collect();
    (pairs.len(), pairs.iter().filter(|pair| is_near(pair[0], pair[1])).count())
}

proptest! {
    #![proptest_config(crate::config(256))]

    #[test]
    fn counts_are_those_of_the_naive_program(claim in texts(8), passage in texts(300)) {
        let (sequence, words): (Vec<_>, Vec<_>) = (claim.split(' ').collect(), passage.split(' ').collect());
        let (sequence, words) = (without_empty(sequence), without_empty(words));
        let asked = distinct(&sequence);
        let window = window_naive(&words, &asked);
        let counted = agreement(&claim, &passage);
        prop_assert_eq!((counted.words, counted.words_found), (asked.len(), found(window, &asked)));
        prop_assert_eq!((counted.pairs, counted.pairs_found), pairs_naive(window, &sequence));
        prop_assert_eq!((counted.details, counted.details_found), (0, 0));
        prop_assert_eq!(counted.main, distinct(window).len().min(5));
        let stretch = &passage[counted.stretch.start..counted.stretch.end];
        prop_assert_eq!(stretch.is_empty(), counted.words_found == 0);
        prop_assert!(stretch.is_empty() || stretch.split(' ').next().is_some_and(|word| asked.contains(word)));
    }
}

fn without_empty(words: Vec<&str>) -> Vec<&str> {
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

/// Endings, case, thousands and capitals: what is the same word, and what is one at all.
#[test]
fn words_are_compared_as_people_would() {
    for (claim, passage, expected) in [
        ("vaccinated", "Vaccines", (1, 1)),
        ("with shoulder", "should with", (1, 0)),
        ("1,000 units", "1000 units", (2, 2)),
        ("1,00 units", "100 units", (3, 1)),
        ("3.5 units", "35 units", (2, 1)),
        ("WHO", "who", (1, 0)),
        ("12345678", "12345679", (1, 0)),
    ] {
        let counted = agreement(claim, passage);
        assert_eq!((counted.words, counted.words_found), expected, "{claim} in {passage}");
    }
}

/// Names inside a sentence and numbers are details; the first word of a sentence is not.
#[test]
fn details_are_names_and_numbers() {
    let counted = agreement("Yesterday Meyer paid 40 dollars. Today Weber did.", "meyer had 40");
    assert_eq!((counted.details, counted.details_found), (3, 2));
}

/// The stretch begins and ends with a word of the claim.
#[test]
fn the_stretch_is_the_closest() {
    let passage = "alpha filler filler filler filler beta alpha filler";
    assert_eq!(agreement("alpha beta", passage).stretch, Span::new(34, 44));
}

/// All three widths of texts are read, and pairs of Han are words.
#[test]
fn texts_of_any_width() {
    let wide: Vec<u16> = "機器學習 alpha".encode_utf16().collect();
    let wider: Vec<u32> = "𠀀 機器 alpha".chars().map(u32::from).collect();
    let passages = Passages::new(&[Units::U16(&wide), Units::U32(&wider)], common(&[]), &Never).unwrap();
    assert_eq!((passages.len(), passages.is_empty(), passages.words()), (2, false, 7));
    let supports = passages.support(&[Units::U16(&wide)], &Never).unwrap();
    let found: Vec<_> = supports[0].iter().map(|agreement| agreement.words_found).collect();
    assert_eq!(found, [4, 2]);
}

/// A long comparison is given up when asked to.
#[test]
fn it_can_be_interrupted() {
    let text = "alpha ".repeat(100_000);
    let units = Units::U8(text.as_bytes());
    let stop = || true;
    assert_eq!(Passages::new(&[units], common(&[]), &stop).unwrap_err(), Error::Interrupted);
    let passages = Passages::new(&[units], common(&[]), &Never).unwrap();
    let claim = Units::U8(b"alpha");
    assert_eq!(passages.support(&[claim; 4], &stop).unwrap_err(), Error::Interrupted);
}
