//! Claims have the same citations in every width, and rows the same results whatever is read with them.

use std::ops::Range;

use groundwire_engine::{Cancel, Error, Executor, Never, PatternSet, Sequential, TextBuf, TextRef, batch::RowError};
use groundwire_language::batch::{ClaimOptions, ClaimRow, HedgeMatches, read_claims};
use groundwire_language::provenance::{CitationKind, citations};
use proptest::prelude::*;

const SEQUENTIAL: Sequential<'_> = Sequential(&Never);

/// Citations and texts that resemble them, hedges, and characters of every width that folding changes or keeps.
const PIECES: [&str; 33] = [
    "ADR-3",
    "adr-3",
    "Adr 7",
    "[ADR 12]",
    "ADR-3.5",
    "GH-7",
    "gh-7",
    "#12",
    "#123456",
    "acme/app#3",
    "https://a.org/b",
    "http://",
    "(",
    ")",
    "]",
    ".",
    " ",
    "  ",
    "10.1000/x",
    "a1b2c3d",
    "commit ",
    "fixed  in ",
    "defaced",
    "提交",
    "-0a1b-",
    "may",
    "MAYBE",
    "_",
    "*",
    "’",
    "é",
    "😀",
    "Σ",
];

fn texts() -> impl Strategy<Value = Vec<String>> {
    let text = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..8).prop_map(|pieces| pieces.concat());
    prop::collection::vec(text, 0..8)
}

/// Runs each row as a separate task.
struct RowByRow;

impl Executor for RowByRow {
    fn map_ranges<R: Send>(
        &self,
        count: usize,
        _: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        (0..count).map(|row| work(row..row + 1, &Never)).collect()
    }
}

fn patterns() -> PatternSet {
    let codes = ["may", "maybe", "é"].map(|pattern| pattern.chars().map(u32::from).collect::<Vec<_>>());
    PatternSet::new(&codes.each_ref().map(|codes| TextRef::Ucs4(codes)), true).unwrap()
}

fn bytes(texts: &[String]) -> Vec<Option<&[u8]>> {
    texts.iter().map(|text| Some(text.as_bytes())).collect()
}

fn cited(text: &str) -> Vec<(CitationKind, String)> {
    let characters: Vec<char> = text.chars().collect();
    let codes: Vec<u32> = characters.iter().map(|&character| character as u32).collect();
    let value = |range: Range<usize>| characters[range].iter().collect();
    let found = citations(TextRef::Ucs4(&codes), &Never).unwrap().into_iter();
    found.map(|one| (one.kind, value(one.value.start..one.value.end))).collect()
}

#[test]
fn every_kind_of_citation_is_found() {
    let text =
        "Per [ADR-003] and https://a.org/b?c=(d), fixed in a1b2c3d (see acme/app#12, GH-7); 10.1000/x1, rev defaced";
    let expected = [
        (CitationKind::DecisionRecord, "003"),
        (CitationKind::Url, "https://a.org/b?c=(d)"),
        (CitationKind::Commit, "a1b2c3d"),
        (CitationKind::Issue, "acme/app#12"),
        (CitationKind::Issue, "7"),
        (CitationKind::Doi, "10.1000/x1"),
        (CitationKind::Commit, "defaced"),
    ];
    assert_eq!(cited(text), expected.map(|(kind, value)| (kind, value.to_owned())));
    assert_eq!(cited("ADR-3.5, C#7, #123456, &#39; the defaced 20240115 of 123e4567-e89b-12d3-a456-426614174000"), []);
}

/// C18: detection ignores case.
#[test]
fn records_and_issues_are_found_in_any_case() {
    let expected = [
        (CitationKind::DecisionRecord, "001"),
        (CitationKind::DecisionRecord, "2"),
        (CitationKind::DecisionRecord, "3"),
        (CitationKind::Issue, "4"),
    ];
    assert_eq!(cited("adr-001, [Adr 2], aDr3, gh-4"), expected.map(|(kind, value)| (kind, value.to_owned())));
    assert_eq!(cited("quadr-003 adr-003b adr-3.5 adr_3 adr igh-4"), []);
}

#[test]
fn each_row_has_a_result_or_an_error() {
    let patterns = patterns();
    let options = ClaimOptions { patterns: Some(&patterns), citations: true };
    let texts =
        [Some(&b"It MAY be, see #12"[..]), None, Some(b"a\xff"), Some(b"it  may"), Some(b"Tea is hot."), Some(b"")];
    let rows = read_claims(&texts, options, &SEQUENTIAL).unwrap();
    let (first, last) = (rows[0].as_ref().unwrap(), rows[4].as_ref().unwrap());
    assert_eq!((first.text, first.citations[0].value.as_str()), ("It MAY be, see #12", "12"));
    let HedgeMatches::Found(found) = &first.hedges else { panic!("it is plain") };
    assert_eq!((found.len(), found[0].pattern, found[0].span.start, found[0].span.end), (1, 0, 3, 6));
    assert_eq!((&rows[1], &rows[2]), (&Err(RowError::NullText), &Err(RowError::TextNotUtf8)));
    assert_eq!(rows[3].as_ref().unwrap().hedges, HedgeMatches::NotSearched);
    assert_eq!(last, &ClaimRow { text: "Tea is hot.", citations: Vec::new(), hedges: HedgeMatches::Found(Vec::new()) });
    let unread = read_claims(&texts, ClaimOptions { patterns: None, citations: false }, &SEQUENTIAL).unwrap();
    assert!(unread.iter().flatten().all(|row| row.hedges == HedgeMatches::NotSearched && row.citations.is_empty()));
}

#[test]
fn reading_stops_when_cancelled() {
    let text = "Tea is hot. ".repeat(1 << 16);
    let options = ClaimOptions { patterns: None, citations: true };
    assert_eq!(read_claims(&[Some(text.as_bytes())], options, &Sequential(&|| true)), Err(Error::Cancelled));
}

proptest! {
    #![proptest_config(crate::config(256))]

    #[test]
    fn a_row_has_the_same_result_in_any_batch(texts in texts()) {
        let patterns = patterns();
        let options = ClaimOptions { patterns: Some(&patterns), citations: true };
        let rows = bytes(&texts);
        prop_assert_eq!(read_claims(&rows, options, &SEQUENTIAL), read_claims(&rows, options, &RowByRow));
    }

    #[test]
    fn citations_are_the_same_in_every_width(texts in texts()) {
        for text in texts {
            let codes: Vec<u32> = text.chars().map(u32::from).collect();
            let found = citations(TextRef::Ucs4(&codes), &Never).unwrap();
            prop_assert!(found.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start));
            if codes.iter().all(|&code| code <= 0xFFFF) {
                let wide = TextBuf::Ucs2(codes.iter().map(|&code| code as u16).collect());
                prop_assert_eq!(&found, &citations(wide.units(), &Never).unwrap());
            }
            if codes.iter().all(|&code| code <= 0xFF) {
                let narrow = TextBuf::Ucs1(codes.iter().map(|&code| code as u8).collect());
                prop_assert_eq!(&found, &citations(narrow.units(), &Never).unwrap());
            }
        }
    }
}
