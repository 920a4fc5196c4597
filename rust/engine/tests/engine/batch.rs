//! A batch returns for each row the result of its quote and source alone. Neither the other rows nor the cache affect
//! it.

use crate::oracle::{Stored, codes};
use groundwire_engine::{
    Cutoff, Error, Never, Normalizer, SearchMode, Sequential, Source, UNICODE_VERSION,
    batch::{GroundOptions, RowError, RowResult, Rows, SourceCache, ground},
};
use proptest::prelude::*;

const ALONE: Sequential<'_> = Sequential(&Never);
const EXACT: GroundOptions = GroundOptions { mode: SearchMode::Substring, threshold: Cutoff::Threshold(0.85) };
const NEAR: GroundOptions = GroundOptions { mode: SearchMode::Fuzzy, threshold: Cutoff::Threshold(0.85) };

fn spec() -> Normalizer {
    Normalizer::spec(UNICODE_VERSION)
}

/// Grounds one row on its own, by characters instead of bytes.
fn ground_naive(quote: Option<&[u8]>, text: Option<&[u8]>, how: GroundOptions, normalizer: &Normalizer) -> RowResult {
    let text = std::str::from_utf8(text.ok_or(RowError::NullSource)?).map_err(|_| RowError::SourceNotUtf8)?;
    let quote = std::str::from_utf8(quote.ok_or(RowError::NullQuote)?).map_err(|_| RowError::QuoteNotUtf8)?;
    let (text, quote) = (codes(text), codes(quote));
    let source = Source::new(Stored::new(&text).units(), normalizer, &Never).unwrap();
    let needle = normalizer.normalize(Stored::new(&quote).units(), &Never).unwrap();
    let reads = |_: usize, span: groundwire_engine::Span| text[span.start..span.end] == quote;
    Ok(source.ground(&[needle.units()], how.mode, how.threshold, reads, &ALONE).unwrap()[0])
}

fn ground_all_naive(rows: &Rows<'_>, how: GroundOptions) -> Vec<RowResult> {
    let one = |(quote, source): (&Option<&[u8]>, &Result<u32, RowError>)| {
        ground_naive(*quote, rows.texts[source.map(|source| source as usize)?], how, &spec())
    };
    rows.quotes.iter().zip(rows.sources).map(one).collect()
}

/// Words with characters of one, two, three and four UTF-8 bytes, annotations, quotation marks and white space.
const WORDS: [&str; 12] =
    ["I", "can't", "can’t", "sleep", "Straße", "naïve", "漢字", "😀", "<laughs>", "\u{a0}", "  ", "ＡＢＣ"];

fn words(count: std::ops::Range<usize>) -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&WORDS[..]), count).prop_map(|words| words.join(" "))
}

fn bytes(texts: &[Option<Vec<u8>>]) -> Vec<Option<&[u8]>> {
    texts.iter().map(Option::as_deref).collect()
}

/// Generates mostly text, sometimes null, sometimes invalid UTF-8.
fn column(words: impl Strategy<Value = String>) -> impl Strategy<Value = Option<Vec<u8>>> {
    prop_oneof![
        10 => words.prop_map(|text| Some(text.into_bytes())),
        1 => Just(None),
        1 => Just(Some(vec![b'a', 0xFF])),
    ]
}

proptest! {
    #![proptest_config(crate::config(256))]

    /// The result of a row is that of its quote and source alone: in both modes; with cache memory for all sources, for
    /// some, and for none; and both when the sources are new and when they are cached.
    #[test]
    fn rows_are_independent(
        texts in prop::collection::vec(column(words(0..200)), 1..6),
        rows in prop::collection::vec((column(words(0..6)), any::<prop::sample::Index>(), 0..12), 0..40),
        is_fuzzy in any::<bool>(),
        max_bytes in prop::sample::select(&[0, 5_000, usize::MAX][..]),
    ) {
        let how = if is_fuzzy { NEAR } else { EXACT };
        let (texts, quotes) = (bytes(&texts), rows.iter().map(|row| row.0.as_deref()).collect::<Vec<_>>());
        let of_row = |row: &(_, prop::sample::Index, i32)| match row.2 {
            0 => Err(RowError::UnknownSource),
            _ => Ok(row.1.index(texts.len()) as u32),
        };
        let sources: Vec<_> = rows.iter().map(of_row).collect();
        let batch = Rows { quotes: &quotes, sources: &sources, texts: &texts };
        let expected = ground_all_naive(&batch, how);
        let normalizer = spec();
        let store = SourceCache::new(&normalizer, max_bytes);
        for _ in 0..2 {
            prop_assert_eq!(&expected, &ground(&batch, how, &store, &ALONE).unwrap());
            prop_assert!(store.size().1 <= max_bytes);
        }
    }
}

/// Equal texts are one source, also with more rows than are searched together.
#[test]
fn equal_texts_share_one_source() {
    let text = "I can't sleep. ".repeat(300);
    let quotes: Vec<String> =
        (0..3000).map(|row| if row % 3 == 0 { "nowhere".into() } else { text[row..row + 40].into() }).collect();
    let quotes: Vec<Option<&[u8]>> = quotes.iter().map(|quote| Some(quote.as_bytes())).collect();
    let sources: Vec<_> = (0..3000).map(|row| Ok(row % 2)).collect();
    let other = text.clone();
    let batch = Rows { quotes: &quotes, sources: &sources, texts: &[Some(text.as_bytes()), Some(other.as_bytes())] };
    let normalizer = spec();
    let store = SourceCache::new(&normalizer, usize::MAX);
    assert_eq!(ground_all_naive(&batch, EXACT), ground(&batch, EXACT, &store, &ALONE).unwrap());
    assert_eq!(1, store.size().0);
}

/// The cache evicts the least recently used sources.
#[test]
fn the_least_recently_used_sources_are_evicted() {
    let texts: Vec<String> = (0..4).map(|number| format!("{number} ").repeat(5000)).collect();
    let texts: Vec<Option<&[u8]>> = texts.iter().map(|text| Some(text.as_bytes())).collect();
    let normalizer = spec();
    let all = SourceCache::new(&normalizer, usize::MAX);
    let ask = |store: &SourceCache<'_>, text: usize| {
        let batch = Rows { quotes: &[Some(b"0 0")], sources: &[Ok(text as u32)], texts: &texts };
        ground(&batch, EXACT, store, &ALONE).unwrap()[0].unwrap().is_some()
    };
    ask(&all, 0);
    let one = all.size().1;
    let some = SourceCache::new(&normalizer, 5 * one / 2);
    let asked = [0, 1, 2, 0, 3, 0];
    assert_eq!(asked.map(|text| text == 0), asked.map(|text| ask(&some, text)));
    assert_eq!(2, some.size().0);
    assert!(some.size().1 <= 5 * one / 2);
}

/// A cancelled batch returns an error and leaves the cache usable.
#[test]
fn a_cancelled_batch_returns_an_error() {
    let text = "I can't sleep. ".repeat(100_000);
    let batch = Rows { quotes: &[Some(b"sleep")], sources: &[Ok(0)], texts: &[Some(text.as_bytes())] };
    let normalizer = spec();
    let store = SourceCache::new(&normalizer, usize::MAX);
    assert_eq!(Err(Error::Cancelled), ground(&batch, EXACT, &store, &Sequential(&|| true)));
    assert!(ground(&batch, EXACT, &store, &ALONE).unwrap()[0].unwrap().is_some());
}
