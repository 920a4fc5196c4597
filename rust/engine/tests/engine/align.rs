//! Checks the alignment of quotes with their passages against the oracle.

use crate::oracle::alignment::{Texts, boundaries};
use crate::oracle::texts::{Random, edited, prose};
use crate::oracle::{Stored, codes};
use groundwire_engine::{
    Bracket, Cutoff, Error, Never, Normalizer, QuoteAlignment, Sequential, Source, UNICODE_VERSION, internals::pairs,
};
use proptest::prelude::*;

fn typographic() -> Normalizer {
    Normalizer::typographic(UNICODE_VERSION, &[Bracket::Angle])
}

/// Generates words and punctuation from few characters, so that they repeat.
fn text(most: usize) -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(prop::sample::select("aabbc  '.,19-".chars().map(u32::from).collect::<Vec<_>>()), 0..most)
}

/// Returns whether `pairs` are in order and inside both texts, and use no position twice.
fn is_alignment(pairs: &[(usize, usize)], quote: &[u32], passage: &[u32]) -> bool {
    pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1)
        && pairs.iter().all(|&(at, other)| at < quote.len() && other < passage.len())
}

proptest! {
    #![proptest_config(crate::config(3000))]

    #[test]
    fn the_table_finds_the_minimum_cost(quote in text(24), passage in text(32), is_free: bool) {
        let texts = Texts { quote: &quote, passage: &passage, is_free };
        let pairs = pairs(&quote, &passage, is_free, true).unwrap();
        prop_assert!(is_alignment(&pairs, &quote, &passage));
        prop_assert_eq!(texts.least_cost(), texts.cost(&pairs));
    }

    #[test]
    fn anchored_alignment_never_costs_less_than_the_minimum(quote in text(80), passage in text(120), is_free: bool) {
        let texts = Texts { quote: &quote, passage: &passage, is_free };
        let pairs = pairs(&quote, &passage, is_free, false).unwrap();
        prop_assert!(is_alignment(&pairs, &quote, &passage));
        prop_assert!(texts.least_cost() <= texts.cost(&pairs));
    }

    #[test]
    fn edits_turn_the_quote_into_the_passage(
        quote in original(60), before in original(20), after in original(20), random: u32, changes in 0..6_usize,
    ) {
        let mut text = before;
        text.extend(edited(&quote, changes, &mut Random(random)));
        text.extend(after);
        let (text, quote) = (Stored::new(&text), Stored::new(&quote));
        let normalizer = typographic();
        let source = Source::new(text.units(), &normalizer, &Never).unwrap();
        let alone = Sequential(&Never);
        let found = source.align_quotes(text.units(), &[quote.units()], &normalizer, Cutoff::Threshold(0.3), &alone);
        if let Some(found) = &found.unwrap()[0] {
            let passage = text.units().slice(found.passage.start..found.passage.end);
            check_edits(found, &quote.units().to_code_points(), &text.units().to_code_points());
            let again = QuoteAlignment::of(quote.units(), passage, &normalizer, &Never).unwrap();
            check_edits(&again, &quote.units().to_code_points(), &passage.to_code_points());
        }
    }

    #[test]
    fn identical_texts_have_no_edits(quote in original(80)) {
        let stored = Stored::new(&quote);
        let aligned = QuoteAlignment::of(stored.units(), stored.units(), &typographic(), &Never).unwrap();
        prop_assert_eq!(&aligned.edits[..], &[]);
    }
}

/// Generates texts as people write them: several scripts, combining marks, accents, ligatures, all kinds of white
/// space.
fn original(most: usize) -> impl Strategy<Value = Vec<u32>> {
    let pieces = [
        "the ",
        "dose ",
        "15 ",
        "½",
        "don’t ",
        "No. ",
        "  ",
        "\n",
        "<laughs>",
        "«",
        "»",
        "—",
        "e\u{301}",
        "é",
        "ﬁ",
        "\u{AD}",
        "-\n",
        "天",
        "気",
        "か\u{3099}",
        "ไม่",
        "Да ",
        "\u{200B}",
        "ΟΔΟΣ ",
        "İ",
        "1,000.5 ",
        "<",
        ">",
        "\u{1F600}",
        "\u{0301}",
    ];
    prop::collection::vec(prop::sample::select(pieces.map(codes).to_vec()), 0..most / 2)
        .prop_map(|pieces| pieces.concat())
}

/// Asserts that the edits are in order, disjoint and inside both texts, and that they describe every difference.
fn check_edits(aligned: &QuoteAlignment, quote: &[u32], text: &[u32]) {
    let (mut result, mut at, mut at_passage) = (Vec::new(), 0, aligned.passage.start);
    for edit in &aligned.edits {
        assert!(at <= edit.quote.start && at_passage <= edit.passage.start, "in order");
        assert_ne!(quote[edit.quote.start..edit.quote.end], text[edit.passage.start..edit.passage.end]);
        result.extend_from_slice(&quote[at..edit.quote.start]);
        result.extend_from_slice(&text[edit.passage.start..edit.passage.end]);
        (at, at_passage) = (edit.quote.end, edit.passage.end);
    }
    result.extend_from_slice(&quote[at..]);
    assert!(at_passage <= aligned.passage.end, "inside the passage");
    assert_eq!(text[aligned.passage.start..aligned.passage.end], result);
}

/// The cheapest alignment leaves the space unpaired between the two inserted words of the passage.
#[test]
fn a_gap_may_lie_inside_another() {
    let (quote, passage) = (codes("1 b'a'"), codes("1a,ab'1'"));
    let texts = Texts { quote: &quote, passage: &passage, is_free: false };
    assert_eq!(24, texts.least_cost());
    assert_eq!(24, texts.cost(&pairs(&quote, &passage, false, true).unwrap()));
}

#[test]
fn a_free_passage_may_start_before_the_first_pair() {
    // Skipping the `a` of `a9` costs less than splitting the word.
    assert_eq!([(0, 5)], pairs(&codes("9"), &codes("9aa a9 aa"), true, true).unwrap()[..]);
}

#[test]
fn anchored_alignment_of_edited_prose_costs_at_most_two_percent_more() {
    let (mut found, mut least) = (0, 0);
    for seed in 0..150 {
        let text = prose(300, seed);
        let mut random = Random(seed + 1);
        let quote = edited(&text[60..180], random.below(12), &mut random);
        let texts = Texts { quote: &quote, passage: &text, is_free: true };
        found += texts.cost(&pairs(&quote, &text, true, false).unwrap());
        least += texts.least_cost();
    }
    assert!(found * 100 <= least * 102, "{found} instead of {least}");
}

#[test]
fn a_planted_passage_is_found_exactly() {
    let normalizer = typographic();
    for seed in 0..200 {
        let mut random = Random(seed);
        let text = prose(4000, seed);
        let ends = boundaries(&text);
        let place = |from: usize| (from..).find(|&at| ends[at] && text[at] != 0x20 && text[at - 1] == 0x20).unwrap();
        let (start, end) = (place(100 + random.below(3000)), 0);
        let end = place(start + 60 + random.below(100)) - 1 + end;
        let middle = place(start + 20);
        let mut quote = text[start..end].to_vec();
        let change = [codes("quite "), codes("not "), codes("a")][random.below(3)].clone();
        quote.splice(middle - start..middle - start, change);
        let (stored, quote) = (Stored::new(&text), Stored::new(&quote));
        let source = Source::new(stored.units(), &normalizer, &Never).unwrap();
        let found = source.align_quotes(
            stored.units(),
            &[quote.units()],
            &normalizer,
            Cutoff::Threshold(0.85),
            &Sequential(&Never),
        );
        let found = found.unwrap().remove(0).unwrap();
        assert_eq!((start, end), (found.passage.start, found.passage.end), "seed {seed}");
        assert_eq!(1, found.edits.len());
    }
}

#[test]
fn long_texts_of_all_kinds_are_aligned() {
    let text = prose(1 << 17, 1);
    let mut random = Random(7);
    let near = edited(&text, 2_000, &mut random);
    let repeated: Vec<u32> = codes("ab ").into_iter().cycle().take(1 << 17).collect();
    let other: Vec<u32> = codes("ba c").into_iter().cycle().take(1 << 17).collect();
    for (quote, passage) in [(&near, &text), (&repeated, &other), (&repeated, &text), (&text, &repeated)] {
        for is_free in [true, false] {
            let pairs = pairs(quote, passage, is_free, false).unwrap();
            assert!(is_alignment(&pairs, quote, passage));
        }
    }
}

#[test]
fn a_long_alignment_can_be_cancelled() {
    let (a, b) = (prose(1 << 20, 1), prose(1 << 20, 2));
    let (a, b) = (Stored::new(&a), Stored::new(&b));
    let stop = || true;
    let stopped = QuoteAlignment::of(a.units(), b.units(), &typographic(), &stop);
    assert_eq!(Some(Error::Cancelled), stopped.err());
}
