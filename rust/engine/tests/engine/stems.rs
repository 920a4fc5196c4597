//! Sentences by stems, against a program that looks at each of them.

use groundwire_engine::stems::{Least, Near, Postings, Roles, Told, Weighted, Word, Written, words};
use groundwire_engine::text::Units;
use groundwire_engine::{Error, Never, Span};
use proptest::prelude::*;

const LEAST: f64 = 0.3;
const LIMIT: usize = 4;

type Row = Vec<(u32, u8)>;

/// Words of one letter, at their places, each a clause of its own if its roles say so.
fn filed(row: &[(u32, u8)]) -> Vec<([u32; 1], Span, u32, Roles)> {
    let mut clause = 0;
    row.iter()
        .enumerate()
        .map(|(place, &(stem, roles))| {
            let roles = Roles(roles | Roles::IS_FILED.0);
            clause += u32::from(roles.has(Roles::BEGINS_CLAUSE));
            ([stem], Span::new(2 * place, 2 * place + 1), clause, roles)
        })
        .collect()
}

fn postings(rows: &[Row]) -> Postings {
    let mut postings = Postings::default();
    for row in rows {
        let filed = filed(row);
        let own =
            filed.iter().map(|(stem, span, clause, roles)| Word { stem, span: *span, clause: *clause, roles: *roles });
        postings.file(own, std::iter::empty()).unwrap();
    }
    postings.finish();
    postings
}

fn weighted(postings: &Postings, weights: &[f64]) -> Vec<Weighted> {
    let stem = |code: usize| postings.stem(Units::U32(&[code as u32]));
    weights.iter().enumerate().map(|(code, &weight)| Weighted { stem: stem(code), weight }).collect()
}

/// Number and share of the best rows; weights fall, so that leaving out the last words changes nothing.
fn nearest_naive(rows: &[Row], weights: &[f64]) -> Vec<(u32, f64)> {
    let total: f64 = weights.iter().sum();
    let share = |row: &Row| {
        let has = |code: usize| row.iter().any(|&(stem, _)| stem as usize == code);
        let sum: f64 = weights.iter().enumerate().filter(|&(code, _)| has(code)).map(|(_, weight)| weight).sum();
        format!("{:.9}", sum / total).parse::<f64>().unwrap()
    };
    let mut found: Vec<(u32, f64)> = rows.iter().map(share).enumerate().map(|(n, share)| (n as u32, share)).collect();
    found.retain(|&(_, share)| share >= LEAST);
    found.sort_by(|one, other| other.1.total_cmp(&one.1));
    found.truncate(LIMIT);
    found
}

proptest! {
    #![proptest_config(crate::config(256))]

    #[test]
    fn the_nearest_are_those_of_the_naive_program(
        rows in prop::collection::vec(prop::collection::vec((0_u32..6, 0_u8..8), 0..7), 0..20),
        mut weights in prop::collection::vec(1.0_f64..9.0, 1..6),
    ) {
        weights.sort_by(|one, other| other.total_cmp(one));
        let postings = postings(&rows);
        let found = postings.nearest(&weighted(&postings, &weights), LEAST, LIMIT, &Never).unwrap();
        let shares: Vec<(u32, f64)> = found.iter().map(|near| (near.number, near.share)).collect();
        prop_assert_eq!(shares, nearest_naive(&rows, &weights));
        for Near { number, shared, had, roles, .. } in found {
            let row = &rows[number as usize];
            let has = |code: usize| row.iter().any(|&(stem, _)| stem as usize == code);
            prop_assert_eq!(had as usize, (0..weights.len()).filter(|&code| has(code)).count());
            prop_assert_eq!(roles.0, row.iter().fold(Roles::IS_FILED.0, |roles, word| roles | word.1));
            let common: Vec<usize> =
                row.iter().enumerate().filter(|(_, word)| (word.0 as usize) < weights.len()).map(|(at, _)| at).collect();
            let span = shared.unwrap().span;
            prop_assert_eq!((span.start, span.end), (2 * common[0], 2 * common[common.len() - 1] + 1));
        }
    }

    #[test]
    fn words_are_in_order_and_the_same_in_every_width(text in "[a-z'’ .,;_\\-eE日本한é²0-9]{0,60}") {
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        let found = words(Units::U32(&codes));
        prop_assert!(found.iter().all(|word| word.span.start < word.span.end && word.span.end <= codes.len()));
        prop_assert!(found.windows(2).all(|two| two[0].span.start < two[1].span.start));
        let narrow: Vec<u16> = codes.iter().map(|&code| code as u16).collect();
        prop_assert_eq!(words(Units::U16(&narrow)), found);
    }
}

#[test]
fn a_denial_is_seen_in_its_clause_and_in_its_reach() {
    let (denies, softens, begins) = (Roles::DENIES.0, Roles::SOFTENS.0, Roles::BEGINS_CLAUSE.0);
    let seen = |row: &[(u32, u8)]| {
        let postings = postings(&[row.to_vec()]);
        let found = postings.nearest(&weighted(&postings, &[1.0]), 0.0, 1, &Never).unwrap();
        found[0].shared.map(|shared| (shared.has_denial, shared.is_denied))
    };
    assert_eq!(seen(&[(9, denies), (0, 0)]), Some((true, true)));
    assert_eq!(seen(&[(0, 0), (9, denies)]), Some((true, false)));
    assert_eq!(seen(&[(9, denies), (8, softens), (0, 0)]), Some((false, false)));
    assert_eq!(seen(&[(9, denies), (8, begins), (0, 0)]), Some((false, false)));
    assert_eq!(seen(&[(9, denies), (8, 0), (8, 0), (8, 0), (8, 0), (0, 0)]), Some((true, false)));
}

#[test]
fn what_is_beside_a_sentence_counts_and_has_no_place() {
    let mut postings = Postings::default();
    let beside = Word { stem: &[0], span: Span::new(0, 1), clause: 0, roles: Roles::IS_FILED };
    postings.file(std::iter::empty(), std::iter::once(beside)).unwrap();
    let found = postings.nearest(&weighted(&postings, &[1.0]), 0.5, 1, &Never).unwrap();
    assert_eq!(found, [Near { number: 0, share: 1.0, shared: None, had: 1, roles: Roles::default() }]);
    assert_eq!((postings.len(), postings.is_empty()), (1, false));
}

#[test]
fn long_searches_stop() {
    let rows = vec![vec![(0, 0)]; 1 << 18];
    let postings = postings(&rows);
    let stems = weighted(&postings, &[1.0]);
    assert_eq!(postings.nearest(&stems, 0.5, 1, &|| true), Err(Error::Interrupted));
    let numbers = [stems[0].stem];
    assert_eq!(postings.with_any(&numbers, &|| true), Err(Error::Interrupted));
    assert_eq!(postings.with_both(&numbers, &numbers, &|| true), Err(Error::Interrupted));
    assert_eq!(postings.with_both(&numbers, &numbers, &Never).unwrap().len(), rows.len());
    assert_eq!(postings.with_behind(&numbers, &numbers, rows.len(), &|| true), Err(Error::Interrupted));
    assert_eq!(postings.restating(&[told(&[stems[0].stem], 1.0)], &LEAST_TOLD, 4, &|| true), Err(Error::Interrupted));
    let words: Vec<Vec<u32>> = (0..1 << 18).map(|number| codes_of(&format!("{}word", letters(number)))).collect();
    let written = Written::of(words.iter().map(Vec::as_slice));
    assert_eq!(written.like(&codes_of("another"), 0.5, 4, &|| true), Err(Error::Interrupted));
}

const LEAST_TOLD: Least = Least { share: 0.8, alone: 0.2, seeds: 2, most_places: usize::MAX, before: 1, behind: 1 };

fn told(stems: &[Option<u32>], weight: f64) -> Told {
    Told { stems: stems.to_vec(), weight, is_anywhere: false }
}

fn codes_of(word: &str) -> Vec<u32> {
    word.chars().map(u32::from).collect()
}

/// A number in letters.
fn letters(number: u32) -> String {
    format!("{number:x}").chars().map(|digit| char::from(b'a' + digit.to_digit(16).unwrap() as u8)).collect()
}

#[test]
fn a_word_stands_behind_another_one_in_its_clause() {
    let begins = Roles::BEGINS_CLAUSE.0;
    let rows = [vec![(0, 0), (1, 0)], vec![(1, 0), (0, 0)], vec![(0, 0), (1, begins)], vec![(0, 0), (2, 0), (1, 0)]];
    let postings = postings(&rows);
    let numbers: Vec<Option<u32>> = weighted(&postings, &[1.0, 1.0]).iter().map(|each| each.stem).collect();
    let behind = |limit| postings.with_behind(&numbers[1..], &numbers[..1], limit, &Never).unwrap();
    assert_eq!(behind(9), [0, 3]);
    assert_eq!(behind(3), [0]);
}

#[test]
fn two_sentences_may_restate_a_claim_together() {
    let rows = [vec![(0, 0)], vec![(1, 0)], vec![(9, 0)], vec![(1, 0)], vec![(9, 0)], vec![(0, 0), (1, 0)]];
    let postings = postings(&rows);
    let stems = weighted(&postings, &[1.0, 1.0]);
    let words = [told(&[stems[0].stem], 1.0), told(&[stems[1].stem, None], 1.0)];
    assert_eq!(postings.restating(&words, &LEAST_TOLD, 9, &Never).unwrap(), [0, 1, 5]);
    assert_eq!(postings.restating(&words, &Least { alone: 0.6, ..LEAST_TOLD }, 9, &Never).unwrap(), [5]);
    assert_eq!(postings.restating(&words, &LEAST_TOLD, 1, &Never).unwrap(), [0]);
}

#[test]
fn a_sentence_of_too_many_clauses_is_an_error() {
    let word = Word { stem: &[0], span: Span::new(0, 1), clause: 1 << 24, roles: Roles::IS_FILED };
    let mut postings = Postings::default();
    assert_eq!(postings.file(std::iter::once(word), std::iter::empty()), Err(Error::IndexFull));
}

fn grams_naive(word: &str) -> std::collections::HashSet<Vec<char>> {
    let padded: Vec<char> = format!("\0{word}\0").chars().collect();
    padded.windows(3).map(<[char]>::to_vec).collect()
}

proptest! {
    #![proptest_config(crate::config(256))]

    #[test]
    fn words_written_alike_are_those_of_the_naive_program(
        mut words in prop::collection::vec("[abé]{1,9}", 0..30), word in "[abé]{5,9}", least in 0.1_f64..1.0,
    ) {
        words.sort();
        words.dedup();
        let codes: Vec<Vec<u32>> = words.iter().map(|word| codes_of(word)).collect();
        let written = Written::of(codes.iter().map(Vec::as_slice));
        let share = |other: &str| {
            let (ours, theirs) = (grams_naive(&word), grams_naive(other));
            let share = 2.0 * ours.intersection(&theirs).count() as f64 / (ours.len() + theirs.len()) as f64;
            let is_compound = other.ends_with(&word) && other.chars().count() >= word.chars().count() + 3;
            if is_compound && share > 0.0 { share.max(least) } else { share }
        };
        let long = words.iter().filter(|word| word.chars().count() >= 5);
        let mut expected: Vec<(&str, f64)> = long.map(|other| (other.as_str(), share(other))).collect();
        expected.retain(|&(_, share)| share >= least);
        expected.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(other.0)));
        expected.truncate(LIMIT);
        prop_assert_eq!(written.like(&codes_of(&word), least, LIMIT, &Never).unwrap(), expected);
    }
}

#[test]
fn short_words_numbers_and_endings() {
    let codes: Vec<Vec<u32>> = ["strasse", "word", "abc123d", "teacher's"].map(codes_of).to_vec();
    let written = Written::of(codes.iter().map(Vec::as_slice));
    let like = |word: &str| written.like(&codes_of(word), 0.9, 4, &Never).unwrap();
    assert_eq!(like("straße"), [("strasse", 1.0)]);
    assert_eq!(like("teacher"), [("teacher", 1.0)]);
    assert!(like("word").is_empty() && like("abc123d").is_empty() && like(&"a".repeat(99)).is_empty());
}
