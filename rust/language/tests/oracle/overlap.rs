//! The share of a claim in a passage, by examining each window and each pair of positions.

use std::collections::BTreeMap;

const WINDOW_SENTENCES: u32 = 3;
const PHRASE_TERMS: usize = 5;

/// Returns the share of the weight of the claim's distinct stems that the best three consecutive sentences contain.
///
/// `claim` has the stem and the weight of each term, `passage` the stem and the sentence of each.
pub fn words(claim: &[(u64, u32)], passage: &[(u64, u32)]) -> f64 {
    let wanted: BTreeMap<u64, u32> = claim.iter().copied().collect();
    let last = passage.iter().map(|(_, sentence)| *sentence).max().unwrap_or(0);
    let weight = |first: u32| -> u32 {
        let is_inside = |sentence: u32| (first..first + WINDOW_SENTENCES).contains(&sentence);
        let has = |stem: u64| passage.iter().any(|&(other, sentence)| other == stem && is_inside(sentence));
        wanted.iter().filter(|(stem, _)| has(**stem)).map(|(_, weight)| weight).sum()
    };
    f64::from((0..=last).map(weight).max().unwrap_or(0)) / f64::from(wanted.values().sum::<u32>())
}

/// Returns the share of the weight of the claim's pairs of different neighbours that are together somewhere; `None`
/// without a pair.
pub fn phrases(claim: &[(u64, u32)], passage: &[(u64, u32)]) -> Option<f64> {
    let (mut wanted, mut found, mut count) = (0, 0, 0);
    for pair in claim.windows(2).filter(|pair| pair[0].0 != pair[1].0) {
        let places = |stem: u64| (0..passage.len()).filter(move |&place| passage[place].0 == stem);
        let is_near = places(pair[0].0).any(|one| places(pair[1].0).any(|other| one.abs_diff(other) <= PHRASE_TERMS));
        count += 1;
        wanted += pair[0].1 + pair[1].1;
        found += if is_near { pair[0].1 + pair[1].1 } else { 0 };
    }
    (count > 0).then(|| f64::from(found) / f64::from(wanted))
}

#[test]
fn shares_are_known() {
    let claim = [(1, 2), (2, 1), (1, 2), (3, 1)];
    assert_eq!(words(&claim, &[]), 0.0);
    assert_eq!(words(&claim, &[(1, 0), (2, 3)]), 0.5);
    assert_eq!(words(&claim, &[(1, 1), (2, 3)]), 0.75);
    assert_eq!(phrases(&claim, &[(1, 0), (2, 0)]), Some(6.0 / 9.0));
    assert_eq!(phrases(&claim, &[(1, 0), (9, 0), (9, 0), (9, 0), (9, 0), (9, 0), (2, 0)]), Some(0.0));
    assert_eq!(phrases(&[(1, 2)], &[(1, 0)]), None);
}
