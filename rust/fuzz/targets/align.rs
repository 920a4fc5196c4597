//! Fuzzes alignment: every result is a valid alignment, costs no less than the oracle's minimum (exactly the minimum
//! where one table is filled), and has edits that turn the quote into the passage.

#![no_main]

use std::sync::LazyLock;

use groundwire_engine::{
    Bracket, Cutoff, Never, Normalizer, QuoteAlignment, Sequential, Source, UNICODE_VERSION, internals::pairs,
};
use groundwire_fuzz::TextGenerator;
use groundwire_fuzz::oracle::{alignment::Texts, codes};
use libfuzzer_sys::fuzz_target;

static TYPOGRAPHIC: LazyLock<Normalizer> =
    LazyLock::new(|| Normalizer::typographic(UNICODE_VERSION, &[Bracket::Angle]));

/// Alphabets whose word boundaries the oracle knows.
const ALPHABETS: [&str; 6] = ["a", "ab ", "aabbc  '.,19-", "абв 1.", "天気か a", "abcdefgh  "];

/// The maximum lengths that the oracle aligns in reasonable time, in characters.
const MAX_QUOTE: usize = 40;
const MAX_PASSAGE: usize = 56;

/// The maximum number of cells that the engine fills as one table, without searching for exact matches.
const TABLE_CELLS: usize = 1 << 8;

fuzz_target!(|bytes: &[u8]| {
    let mut generator = TextGenerator::new(bytes);
    let is_free = generator.below(2) == 0;
    if generator.below(2) == 0 {
        let alphabet = codes(generator.pick(&ALPHABETS));
        let (quote, passage) = texts(&mut generator, &alphabet, MAX_PASSAGE);
        check_costs(&quote[..quote.len().min(MAX_QUOTE)], &passage, is_free);
        check_edits(&mut generator, &quote, &passage);
    } else {
        let alphabet = generator.alphabet();
        let (quote, passage) = texts(&mut generator, &alphabet, 6000);
        check_pairs(&pairs(&quote, &passage, is_free, false).unwrap(), &quote, &passage);
        check_edits(&mut generator, &quote, &passage);
    }
});

/// Returns a quote and a passage. The quote is from the passage, or unrelated.
fn texts(generator: &mut TextGenerator<'_>, alphabet: &[u32], most: usize) -> (Vec<u32>, Vec<u32>) {
    let passage = generator.text(alphabet, most);
    let is_other = generator.below(4) == 0;
    let quote = if is_other { generator.text(alphabet, most) } else { generator.edited_slice(&passage, alphabet) };
    (quote, passage)
}

fn check_costs(quote: &[u32], passage: &[u32], is_free: bool) {
    let texts = Texts { quote, passage, is_free };
    let least = texts.least_cost();
    for by_table in [true, false] {
        let pairs = pairs(quote, passage, is_free, by_table).unwrap();
        check_pairs(&pairs, quote, passage);
        let cost = texts.cost(&pairs);
        assert!(cost >= least, "{cost} is less than {least}");
        if by_table || (quote.len() + 1) * (passage.len() + 1) <= TABLE_CELLS {
            assert_eq!(cost, least);
        }
    }
}

/// Asserts that `pairs` are in order and inside both texts, and use no position twice.
fn check_pairs(pairs: &[(usize, usize)], quote: &[u32], passage: &[u32]) {
    assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
    assert!(pairs.last().is_none_or(|last| last.0 < quote.len() && last.1 < passage.len()));
}

/// Asserts that the edits of both entry points rebuild the passage.
fn check_edits(generator: &mut TextGenerator<'_>, quote: &[u32], text: &[u32]) {
    let (stored_quote, stored_text) = (generator.stored(quote), generator.stored(text));
    let whole = QuoteAlignment::of(stored_quote.units(), stored_text.units(), &TYPOGRAPHIC, &Never).unwrap();
    assert_eq!((0, text.len()), (whole.passage.start, whole.passage.end));
    check_rebuilt(&whole, quote, text);
    let source = Source::new(stored_text.units(), &TYPOGRAPHIC, &Never).unwrap();
    let cutoff = Cutoff::Threshold(f64::from(generator.byte()) / 255.0);
    let quotes = [stored_quote.units()];
    let found = source.align_quotes(stored_text.units(), &quotes, &TYPOGRAPHIC, cutoff, &Sequential(&Never)).unwrap();
    if let Some(found) = &found[0] {
        assert!(cutoff.accepts(found.score));
        check_rebuilt(found, quote, text);
    }
}

fn check_rebuilt(aligned: &QuoteAlignment, quote: &[u32], text: &[u32]) {
    let (mut result, mut at) = (Vec::new(), 0);
    let mut at_passage = aligned.passage.start;
    for edit in &aligned.edits {
        // The texts between two edits are equal.
        assert_eq!(quote[at..edit.quote.start], text[at_passage..edit.passage.start]);
        result.extend_from_slice(&quote[at..edit.quote.start]);
        result.extend_from_slice(&text[edit.passage.start..edit.passage.end]);
        (at, at_passage) = (edit.quote.end, edit.passage.end);
    }
    result.extend_from_slice(&quote[at..]);
    assert_eq!(text[aligned.passage.start..aligned.passage.end], result);
}
