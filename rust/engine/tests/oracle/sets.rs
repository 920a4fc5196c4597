//! Naive comparison of token sets.

use std::collections::{BTreeMap, BTreeSet};

/// Splits a text at white space.
pub fn tokens(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

/// Returns (number, shared, either) of the texts whose similarity without the tokens in `stop_words` is at least
/// `numerator / denominator`, the most similar by all tokens first. Ties are in ascending order of number.
pub fn similar(
    texts: &BTreeMap<u32, String>,
    text: &str,
    stop_words: &BTreeSet<&str>,
    [numerator, denominator]: [usize; 2],
) -> Vec<(u32, usize, usize)> {
    let wanted = tokens(text);
    let mut found: Vec<_> = texts
        .iter()
        .filter_map(|(&number, other)| {
            let other = tokens(other);
            let core = |set: &BTreeSet<&str>| set.difference(stop_words).count();
            let both: BTreeSet<&str> = wanted.intersection(&other).copied().collect();
            let either: BTreeSet<&str> = wanted.union(&other).copied().collect();
            let is_similar = core(&either) > 0 && core(&both) * denominator >= core(&either) * numerator;
            is_similar.then_some((number, both.len(), either.len()))
        })
        .collect();
    found.sort_by(|a, b| (b.1 * a.2).cmp(&(a.1 * b.2)).then(a.0.cmp(&b.0)));
    found
}
