//! Fuzzes readings: tokens equal those of the naive tokeniser; terms and sentences are inside the text and in order,
//! and the same in every width. A text has no differences from itself, and a comparison with another text refers to
//! positions in both.

#![no_main]

use std::sync::LazyLock;

use groundwire_engine::{Never, TextRef};
use groundwire_fuzz::TextGenerator;
use groundwire_fuzz::oracle::{Stored, codes};
use groundwire_language::claim::{PreparedReading, assess};
use groundwire_language::compare::differences;
use groundwire_language::context::QuoteContext;
use groundwire_language::token::Tokens;
use groundwire_language::{Language, LexiconSet, Reader, Reading};
use libfuzzer_sys::fuzz_target;

#[path = "../../language/tests/oracle/tokens.rs"]
#[allow(dead_code, unreachable_pub, reason = "the tests of the oracle are not run here")]
mod oracle;

const LEXICONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/groundwire/language/lexicons");

#[rustfmt::skip]
const PIECES: [&str; 64] = [
    " ", " ", "-", "–", ",", ". ", "$", "US$", "%", "/", "'", "’s", "n't", "l'", "(", ")", "[no]", "<", "=", ":", "\n\n", "\u{AD}", "\u{301}",
    "1", "12", "2024", "1,240", "300 000", "2½", "1/2", "18:30", "10⁶", "m²", "3rd", "9999999999999999999999999", "IV", "Dr. ", "Smith",
    "p.m.", "the ", "a ", "one ", "twenty", "hundred ", "third ", "half ", "between ", "and ", "cubic ", "km ", "May ", "not ", "can't ", "may ",
    "only ", "if ", "said ", "quatre-vingt", "zwanzig", "двадцать ", "三", "百分之", "年", "الكتاب ",
];
const MAX_CHARS: usize = 600;

static READER: LazyLock<Reader> = LazyLock::new(|| Reader::new(LexiconSet::new(LEXICONS).expect("the lexicons load")));

fn text(generator: &mut TextGenerator<'_>) -> Vec<u32> {
    let mut text = Vec::new();
    for _ in 0..generator.below(60) {
        if text.len() >= MAX_CHARS {
            break;
        }
        if generator.below(4) == 0 {
            let alphabet = generator.alphabet();
            text.extend(generator.text(&alphabet, 20));
        } else {
            text.extend(codes(generator.pick(&PIECES)));
        }
    }
    text
}

fn read(units: TextRef<'_>, language: Language) -> Reading {
    READER.read(units, language, &Never).expect("`Never` does not cancel")
}

fn check(reading: &Reading, length: u32) {
    assert!(reading.terms.iter().all(|term| term.start < term.end && term.end <= length));
    assert!(reading.terms.windows(2).all(|two| two[0].start <= two[1].start && two[0].sentence <= two[1].sentence));
    assert!(reading.sentences.iter().all(|span| span.0 < span.1 && span.1 <= length));
    assert!(reading.sentences.windows(2).all(|two| two[0].1 <= two[1].0));
    for term in &reading.terms {
        let _ = reading.form(term);
    }
}

/// Asserts that the tokens equal those of the naive tokeniser.
fn check_tokens(units: TextRef<'_>, text: &[u32]) {
    let characters: Vec<char> =
        text.iter().map(|&code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    let tokens = Tokens::new(units);
    let expected = oracle::tokens(&characters);
    assert_eq!(tokens.len(), expected.len());
    for (index, (token, wanted)) in tokens.iter().zip(&expected).enumerate() {
        assert_eq!((token.start as usize, token.end as usize, token.class), (wanted.start, wanted.end, wanted.class));
        assert_eq!(tokens.form(index), wanted.form);
        assert_eq!(
            (token.is_capitalised, token.is_all_caps, token.is_adjacent, token.has_full_stop),
            (wanted.is_capitalised, wanted.is_all_caps, wanted.is_adjacent, wanted.has_full_stop)
        );
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut generator = TextGenerator::new(bytes);
    let language = Language::ALL[generator.below(Language::ALL.len())];
    let (quote, passage) = (text(&mut generator), text(&mut generator));
    let (quote_len, passage_len) = (quote.len() as u32, passage.len() as u32);
    let stored = Stored::new(&quote);
    check_tokens(stored.units(), &quote);
    READER.detect(stored.units()).expect("the lexicons load");
    let (quote_reading, passage_reading) = (read(stored.units(), language), read(TextRef::Ucs4(&passage), language));
    check(&quote_reading, quote_len);
    check(&passage_reading, passage_len);
    let wide = read(TextRef::Ucs4(&quote), language);
    assert_eq!(quote_reading.sentences, wide.sentences);
    assert_eq!(quote_reading.terms.len(), wide.terms.len());
    for (one, other) in quote_reading.terms.iter().zip(&wide.terms) {
        assert_eq!((one.kind, one.start, one.end, one.key), (other.kind, other.start, other.end, other.key));
        assert_eq!((&one.value, quote_reading.form(one)), (&other.value, wide.form(other)));
    }
    let lexicon = READER.lexicons().get(language).expect("every language has a lexicon");
    assert!(differences(&quote_reading, &wide, 0..wide.terms.len(), lexicon, &|_| true).is_empty());
    for found in differences(&quote_reading, &passage_reading, 0..passage_reading.terms.len(), lexicon, &|_| false) {
        assert!(found.quote.0 <= found.quote.1 && found.quote.1 <= quote_len);
        assert!(found.passage.0 <= found.passage.1 && found.passage.1 <= passage_len);
    }
    let start = generator.below(passage.len() + 1);
    let end = start + generator.below(passage.len() - start + 1);
    let context = QuoteContext::new(TextRef::Ucs4(&passage), read(TextRef::Ucs4(&passage), language), lexicon);
    let beside =
        [context.negation_of_quote(start), context.restriction_after(start, end), context.restriction_before(start)];
    for (from, to) in beside.into_iter().flatten().chain(context.omitted_restrictions(start, end)) {
        assert!(from < to && to <= passage_len);
    }
    let found = assess(
        &PreparedReading::new(quote_reading, lexicon),
        &PreparedReading::new(passage_reading, lexicon),
        lexicon,
        READER.lexicons(),
    );
    assert!(found.matched <= found.required && found.evidence.0 <= found.evidence.1 && found.evidence.1 <= passage_len);
    assert!(found.missing.iter().all(|span| span.0 <= span.1 && span.1 <= quote_len));
});
