//! The features of the support score.

use groundwire_language::claim::{PreparedReading, is_wanted};
use groundwire_language::support::{ClaimTerms, LEAST_WEIGHT, Support};
use groundwire_language::{Language, TermKind};
use proptest::prelude::*;

use crate::reading::sentence;
use crate::{READER, config, hostile, languages, lexicon, oracle, read};

fn prepared(text: &str, language: Language) -> PreparedReading {
    PreparedReading::new(read(text, language), lexicon(language))
}

fn support_in(claim: &str, passage: &str, language: Language) -> Option<Support> {
    let claim = prepared(claim, language);
    ClaimTerms::new(&claim, lexicon(language), READER.lexicons()).support(&prepared(passage, language))
}

fn support(claim: &str, passage: &str) -> Support {
    support_in(claim, passage, Language::English).expect("there is something to compare")
}

/// Sentences from a small vocabulary, so that there are many possible windows and pairs.
fn plain() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "mill", "river", "ferry", "bakes", "bread", "the", "slow", "people", "said", "bricks", "and", "new",
    ]);
    let sentence = prop::collection::vec(word, 1..8).prop_map(|words| format!("Then {}. ", words.join(" ")));
    prop::collection::vec(sentence, 1..9).prop_map(|sentences| sentences.concat())
}

#[test]
fn names_and_values_without_a_counterpart_are_counted() {
    let passage = "The mill in Ghent opened on 3 March 1994. Rosa Lind paid 1,200 euros for its wheel.";
    for (claim, names, numbers) in [
        ("Rosa Lind paid 1200 euros in March 1994.", 0, 0),
        ("Rosa Adler paid 1200 euros in April 1994.", 1, 1),
        ("Marc Adler paid 1,300 euros in 1995.", 2, 2),
        ("The mill has a wheel.", 0, 0),
    ] {
        let found = support(claim, passage);
        assert_eq!((found.names_missing, found.numbers_missing), (names, numbers), "{claim}");
    }
    assert_eq!(support("Bjork sang.", "Björk sang twice.").names_missing, 0);
}

#[test]
fn rare_words_weigh_more_than_frequent_ones() {
    let claim = "People said that the aqueduct leaks.";
    assert!(support(claim, "The aqueduct leaks.").words > support(claim, "People said nothing of it.").words);
}

#[test]
fn three_sentences_in_a_row_support_together_and_four_do_not() {
    let claim = "The ferry carries bricks.";
    let near = "The ferry left. It rained. It carries bricks.";
    let apart = "The ferry left. It rained. It snowed. It carries bricks.";
    assert_eq!(support(claim, near).words, 1.0);
    assert!(support(claim, apart).words < 1.0);
}

#[test]
fn the_evidence_is_the_shortest_stretch() {
    let passage = "The mill is old. Nobody knows the mill. The mill grinds oats by night. It is dark.";
    let (start, end) = support("The mill grinds oats.", passage).evidence;
    assert_eq!(&passage[start as usize..end as usize], "mill grinds oats");
    assert_eq!(support("Wolves howl.", passage).evidence, (0, 0));
}

#[test]
fn topics_are_what_a_passage_speaks_of_most() {
    let passage = "The aqueduct leaks. An aqueduct needs masons, and masons repair the aqueduct.";
    assert!(support("Masons repaired an aqueduct.", passage).topics > support("Somebody leaks.", passage).topics);
}

#[test]
fn without_terms_on_both_sides_there_is_nothing_to_compare() {
    for (claim, passage) in [("It is so.", "The mill is old."), ("The mill is old.", ""), ("", "The mill is old.")] {
        assert_eq!(support_in(claim, passage, Language::English), None, "{claim} {passage}");
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn words_and_phrases_are_those_of_the_oracle(claim in plain(), passage in plain()) {
        let (ours, theirs) = (prepared(&claim, Language::English), prepared(&passage, Language::English));
        let lexicon = lexicon(Language::English);
        let terms = &ours.reading.terms;
        let wanted: Vec<(u64, u32)> = (0..terms.len())
            .filter(|&index| is_wanted(&ours, index))
            .map(|index| {
                let is_word = matches!(terms[index].kind, TermKind::Content | TermKind::Name | TermKind::Title | TermKind::ImplicitNegation);
                let rarity = if is_word { lexicon.rarity(ours.reading.form(&terms[index])) } else { 100 };
                (ours.stems()[index], rarity.max(LEAST_WEIGHT))
            })
            .collect();
        let there: Vec<(u64, u32)> =
            theirs.stems().iter().zip(&theirs.reading.terms).map(|(&stem, term)| (stem, term.sentence)).collect();
        let found = ClaimTerms::new(&ours, lexicon, READER.lexicons()).support(&theirs);
        prop_assert_eq!(found.is_some(), !wanted.is_empty());
        if let Some(found) = found {
            let words = oracle::support::words(&wanted, &there);
            let phrases = oracle::support::phrases(&wanted, &there).unwrap_or(words);
            prop_assert_eq!((found.words, found.phrases), (words, phrases));
        }
    }

    #[test]
    fn a_sentence_has_all_of_itself(text in sentence(), before in sentence(), after in sentence()) {
        if let Some(found) = support_in(&text, &format!("{before} {text} {after}"), Language::English) {
            prop_assert_eq!((found.words, found.phrases), (1.0, 1.0));
            prop_assert_eq!((found.names_missing, found.numbers_missing), (0, 0));
            prop_assert_eq!(found.found, found.wanted);
        }
    }

    #[test]
    fn counts_are_in_their_ranges(claim in hostile(), passage in hostile(), language in languages()) {
        if let Some(found) = support_in(&claim, &passage, language) {
            for share in [found.words, found.phrases, found.topics] {
                prop_assert!((0.0..=1.0).contains(&share));
            }
            prop_assert!(found.found <= found.wanted);
            prop_assert!(found.names_missing + found.numbers_missing <= found.wanted - found.found);
            prop_assert!(found.evidence.0 <= found.evidence.1);
            prop_assert!(found.evidence.1 as usize <= passage.chars().count());
        }
    }

    #[test]
    fn the_carriers_of_a_claim_are_those_that_have_its_terms(claim in sentence(), passage in sentence()) {
        let (ours, theirs) = (prepared(&claim, Language::English), prepared(&passage, Language::English));
        let terms = ClaimTerms::new(&ours, lexicon(Language::English), READER.lexicons());
        let carried = terms.carried(&theirs);
        prop_assert_eq!(carried.len(), terms.spans().count());
        if let Some(found) = terms.support(&theirs) {
            prop_assert_eq!(carried.iter().filter(|&&is_carried| is_carried).count(), found.found as usize);
        }
    }
}
