//! Lexical overlap.

use groundwire_language::claim::{PreparedReading, needs_counterpart};
use groundwire_language::overlap::{ClaimTerms, LexicalOverlap, MIN_WEIGHT};
use groundwire_language::{Language, TermKind};
use proptest::prelude::*;

use crate::reading::sentence;
use crate::{READER, config, hostile, languages, lexicon, oracle, read};

fn prepared(text: &str, language: Language) -> PreparedReading {
    PreparedReading::new(read(text, language), lexicon(language))
}

fn overlap_in(claim: &str, passage: &str, language: Language) -> Option<LexicalOverlap> {
    let claim = prepared(claim, language);
    ClaimTerms::new(&claim, lexicon(language), READER.lexicons()).overlap(&prepared(passage, language))
}

fn overlap(claim: &str, passage: &str) -> LexicalOverlap {
    overlap_in(claim, passage, Language::English).expect("there is something to compare")
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
        let found = overlap(claim, passage);
        assert_eq!((found.missing_names, found.missing_numbers), (names, numbers), "{claim}");
    }
    assert_eq!(overlap("Bjork sang.", "Björk sang twice.").missing_names, 0);
}

#[test]
fn rare_words_weigh_more_than_frequent_ones() {
    let claim = "People said that the aqueduct leaks.";
    assert!(overlap(claim, "The aqueduct leaks.").words > overlap(claim, "People said nothing of it.").words);
}

#[test]
fn a_window_has_three_sentences() {
    let claim = "The ferry carries bricks.";
    let near = "The ferry left. It rained. It carries bricks.";
    let apart = "The ferry left. It rained. It snowed. It carries bricks.";
    assert_eq!(overlap(claim, near).words, 1.0);
    assert!(overlap(claim, apart).words < 1.0);
}

#[test]
fn the_evidence_is_the_shortest_span() {
    let passage = "The mill is old. Nobody knows the mill. The mill grinds oats by night. It is dark.";
    let (start, end) = overlap("The mill grinds oats.", passage).evidence;
    assert_eq!(&passage[start as usize..end as usize], "mill grinds oats");
    assert_eq!(overlap("Wolves howl.", passage).evidence, (0, 0));
}

#[test]
fn topics_are_the_most_frequent_words_of_a_passage() {
    let passage = "The aqueduct leaks. An aqueduct needs masons, and masons repair the aqueduct.";
    assert!(overlap("Masons repaired an aqueduct.", passage).topics > overlap("Somebody leaks.", passage).topics);
}

#[test]
fn two_texts_with_terms_can_be_compared() {
    for (claim, passage) in [("It is so.", "The mill is old."), ("The mill is old.", ""), ("", "The mill is old.")] {
        assert_eq!(overlap_in(claim, passage, Language::English), None, "{claim} {passage}");
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn words_and_phrases_equal_the_oracle(claim in plain(), passage in plain()) {
        let (claim, passage) = (prepared(&claim, Language::English), prepared(&passage, Language::English));
        let lexicon = lexicon(Language::English);
        let terms = &claim.reading.terms;
        let required: Vec<(u64, u32)> = (0..terms.len())
            .filter(|&index| needs_counterpart(&claim, index))
            .map(|index| {
                let is_word = matches!(terms[index].kind, TermKind::Content | TermKind::Name | TermKind::Title | TermKind::ImplicitNegation);
                let rarity = if is_word { lexicon.rarity(claim.reading.form(&terms[index])) } else { 100 };
                (claim.stems()[index], rarity.max(MIN_WEIGHT))
            })
            .collect();
        let there: Vec<(u64, u32)> =
            passage.stems().iter().zip(&passage.reading.terms).map(|(&stem, term)| (stem, term.sentence)).collect();
        let found = ClaimTerms::new(&claim, lexicon, READER.lexicons()).overlap(&passage);
        prop_assert_eq!(found.is_some(), !required.is_empty());
        if let Some(found) = found {
            let words = oracle::overlap::words(&required, &there);
            let phrases = oracle::overlap::phrases(&required, &there).unwrap_or(words);
            prop_assert_eq!((found.words, found.phrases), (words, phrases));
        }
    }

    #[test]
    fn a_sentence_overlaps_with_itself_completely(text in sentence(), before in sentence(), after in sentence()) {
        if let Some(found) = overlap_in(&text, &format!("{before} {text} {after}"), Language::English) {
            prop_assert_eq!((found.words, found.phrases), (1.0, 1.0));
            prop_assert_eq!((found.missing_names, found.missing_numbers), (0, 0));
            prop_assert_eq!(found.matched, found.required);
        }
    }

    #[test]
    fn counts_are_in_their_ranges(claim in hostile(), passage in hostile(), language in languages()) {
        if let Some(found) = overlap_in(&claim, &passage, language) {
            for share in [found.words, found.phrases, found.topics] {
                prop_assert!((0.0..=1.0).contains(&share));
            }
            prop_assert!(found.matched <= found.required);
            prop_assert!(found.missing_names + found.missing_numbers <= found.required - found.matched);
            prop_assert!(found.evidence.0 <= found.evidence.1);
            prop_assert!(found.evidence.1 as usize <= passage.chars().count());
        }
    }

    #[test]
    fn have_counterparts_agrees_with_the_overlap(claim in sentence(), passage in sentence()) {
        let (claim, passage) = (prepared(&claim, Language::English), prepared(&passage, Language::English));
        let terms = ClaimTerms::new(&claim, lexicon(Language::English), READER.lexicons());
        let have_counterparts = terms.have_counterparts(&passage);
        prop_assert_eq!(have_counterparts.len(), terms.spans().count());
        if let Some(found) = terms.overlap(&passage) {
            prop_assert_eq!(have_counterparts.iter().filter(|&&has_counterpart| has_counterpart).count(), found.matched as usize);
        }
    }
}
