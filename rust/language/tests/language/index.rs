//! The texts that share terms with a claim.

use std::collections::BTreeSet;

use groundwire_language::claim::{PreparedReading, needs_counterpart};
use groundwire_language::index::ClaimIndex;
use groundwire_language::{Language, TermKind};
use proptest::prelude::*;

use crate::{READER, config, lexicon, read};

fn prepared(text: &str) -> PreparedReading {
    PreparedReading::new(read(text, Language::English), lexicon(Language::English))
}

fn nearest(texts: &[String], claim: &str, limit: usize) -> Vec<(usize, f64)> {
    let index = ClaimIndex::new(texts.iter().map(|text| prepared(text)).collect());
    let found = index.nearest(&prepared(claim), limit, lexicon(Language::English), READER.lexicons());
    found.into_iter().map(|each| (each.text, each.share)).collect()
}

/// Returns the stems of each sentence that retrieve it.
fn sentences(text: &PreparedReading) -> Vec<BTreeSet<u64>> {
    let mut found = vec![BTreeSet::new(); text.reading.sentences.len()];
    for (term, &stem) in text.reading.terms.iter().zip(text.stems()) {
        if term.kind.is_content() || matches!(term.kind, TermKind::Title | TermKind::Filler) {
            found[term.sentence as usize].insert(stem);
        }
    }
    found
}

/// Scores every sentence and takes the best one of each text.
fn naive(texts: &[String], claim: &str, limit: usize) -> Vec<(usize, f64)> {
    let claim = prepared(claim);
    let texts: Vec<_> = texts.iter().map(|text| sentences(&prepared(text))).collect();
    let count = texts.iter().flatten().count() as f64 + 1.0;
    let places = |stem: u64| texts.iter().flatten().filter(|sentence| sentence.contains(&stem)).count();
    let required = (0..claim.reading.terms.len()).filter(|&index| needs_counterpart(&claim, index));
    let required: BTreeSet<u64> = required.map(|index| claim.stems()[index]).collect();
    let weigh = |stem: u64| (stem, (1.0 + count / (places(stem) as f64 + 0.5)).ln());
    let mut weighted: Vec<(u64, f64)> = required.into_iter().map(weigh).collect();
    weighted.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    weighted.sort_by_key(|&(stem, _)| places(stem) == 0);
    let total: f64 = weighted.iter().map(|(_, weight)| weight).sum();
    let share = |sentence: &BTreeSet<u64>| -> f64 {
        let shared = weighted.iter().filter(|(stem, _)| sentence.contains(stem));
        shared.map(|(_, weight)| weight).sum::<f64>() / total
    };
    let best = |text: &Vec<BTreeSet<u64>>| text.iter().map(share).fold(0.0, f64::max);
    let mut ranked: Vec<(usize, f64)> = texts.iter().map(best).enumerate().filter(|(_, share)| *share > 0.0).collect();
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    ranked.truncate(limit);
    ranked
}

/// Sentences from a small vocabulary, so that many texts share some words and several are similar.
fn plain() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec!["mill", "river", "ferry", "bread", "bricks", "bakes", "slow", "wheel", "the"]);
    let sentence = prop::collection::vec(word, 1..5).prop_map(|words| format!("Then {}. ", words.join(" ")));
    prop::collection::vec(sentence, 0..4).prop_map(|sentences| sentences.concat())
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn the_texts_with_most_of_a_claim_are_found(
        texts in prop::collection::vec(plain(), 0..12),
        claim in plain(),
        limit in 0..6_usize,
    ) {
        prop_assert_eq!(nearest(&texts, &claim, limit), naive(&texts, &claim, limit));
    }
}

#[test]
fn a_word_in_very_many_sentences_finds_no_text_by_itself() {
    let mut texts = vec!["The ferry left.".to_owned(); 2_001];
    texts.push("The ferry carried bricks.".to_owned());
    texts.push("They sold bricks.".to_owned());
    let found = nearest(&texts, "A ferry with bricks.", 5);
    assert_eq!(found.iter().map(|(text, _)| *text).collect::<Vec<_>>(), [2_001, 2_002]);
    assert!(found[0].1 > found[1].1);
}
