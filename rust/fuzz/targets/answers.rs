//! Fuzzes the reading of answers: all spans are inside the answer and in order, and the results are the same in every
//! width, and with U+FFFD in place of lone surrogates.

#![no_main]

use std::ops::Range;

use groundwire_engine::{Never, Span, TextRef};
use groundwire_fuzz::TextGenerator;
use groundwire_fuzz::oracle::{Stored, codes};
use groundwire_language::answer::{Answer, KnownIds, MarkerStatus, read};
use groundwire_language::sentence::sentences;
use libfuzzer_sys::fuzz_target;

/// Building blocks of Markdown, citations and sentences.
#[rustfmt::skip]
const PIECES: [&str; 64] = [
    "[1]", "[2]", "[9]", "[1, 2]", "[1-3]", "[1-9999]", "[^1]", "【1】", "【2†s】", "[source: 1]", "[doc [a]]", "[a,b]",
    "[", "]", "[[1]]", "【", "】", "［1］", "[sic]", "[x](y)", "![x](y)", "[1]: u\n", "[^1]: note\n", "[1][2]",
    "arr[0]", "\\[", "\\", "`", "``", "```\n", "~~~\n", "*", "**", "_", "~~", "# ", "- ", "1. ", "> ", "| ", "|",
    "\n| --- | --- |\n", "<b>", "</pre>", "<!--", "-->", "<pre>", "<a@b.c>", "\n", "\n\n", "\r\n", ". ", "! ", "?",
    "。", "…", "\"", "“", "”", "(", ") ", ": ", "I am ", "Dr. ",
];

/// Characters of words, with combining marks, joiners and an invisible character.
const ALPHABETS: [&str; 5] = ["ab c", "Aa. 1", "水 很。", "é\u{301}\u{200D} ا", "😀 a\u{FEFF}"];
/// Lone surrogates, which are not characters.
const SURROGATES: Range<u32> = 0xD800..0xD804;
const REPLACEMENT: u32 = 0xFFFD;

/// The maximum length of an answer, in characters.
const MAX_CHARS: usize = 2_000;

fuzz_target!(|bytes: &[u8]| {
    let mut generator = TextGenerator::new(bytes);
    let names = ["1", "2", "a,b", "doc [a]", "ab12cd34"].map(codes);
    let ids = KnownIds::new(names[..generator.below(names.len() + 1)].iter().map(|name| TextRef::Ucs4(name)));
    let text = answer(&mut generator);
    let stored = Stored::new(&text);
    let found = read(stored.units(), &ids, &Never).unwrap();
    check(&found, &text);
    let plain = sentences(stored.units(), &Never).unwrap();
    check_order(&plain, text.len());
    check_widths(&stored, &text, |units| (read(units, &ids, &Never).unwrap(), sentences(units, &Never).unwrap()));
    let (mut found, other) = (found, replaced(&text));
    // Ids are returned unchanged.
    for item in found.markers.iter_mut().flat_map(|marker| &mut marker.items) {
        item.id = replaced(&item.id);
    }
    let units = TextRef::Ucs4(&other);
    assert_eq!((found, plain), (read(units, &ids, &Never).unwrap(), sentences(units, &Never).unwrap()));
});

/// Returns the text with replacement characters for lone surrogates.
fn replaced(text: &[u32]) -> Vec<u32> {
    text.iter().map(|&code| if char::from_u32(code).is_none() { REPLACEMENT } else { code }).collect()
}

/// Returns pieces and words, some of them repeated many times.
fn answer(generator: &mut TextGenerator<'_>) -> Vec<u32> {
    let mut text = Vec::new();
    while !generator.is_done() && text.len() < MAX_CHARS {
        match generator.below(4) {
            0 => {
                let alphabet = codes(generator.pick(&ALPHABETS));
                text.extend(generator.text(&alphabet, 60));
            }
            1 if generator.below(8) == 0 => text.push(SURROGATES.start + generator.below(SURROGATES.len()) as u32),
            2 => {
                let piece = codes(generator.pick(&PIECES));
                let times = 1 + generator.below(40);
                (0..times).for_each(|_| text.extend_from_slice(&piece));
            }
            _ => text.extend(codes(generator.pick(&PIECES))),
        }
    }
    text.truncate(MAX_CHARS);
    text
}

fn check(found: &Answer, text: &[u32]) {
    check_order(&found.sentences, text.len());
    let markers: Vec<Span> = found.markers.iter().map(|marker| marker.span).collect();
    check_order(&markers, text.len());
    let claims: Vec<Span> = found.claims.iter().map(|claim| claim.span).collect();
    check_order(&claims, text.len());
    for marker in &found.markers {
        let signs = [text[marker.span.start], text[marker.span.end - 1]].map(char::from_u32);
        assert!(matches!(signs, [Some('[' | '【' | '［'), Some(']' | '】' | '］')]), "{signs:?}");
        assert!(!marker.items.is_empty());
    }
    for claim in &found.claims {
        let sentence = found.sentences.iter().find(|sentence| sentence.start == claim.span.start);
        assert!(sentence.is_some_and(|sentence| claim.span.end <= sentence.end), "a claim starts a sentence");
        assert!(claim.width > 20 && claim.width <= 2 * claim.span.len());
        assert!(claim.markers.is_sorted() && claim.markers.iter().all(|&index| found.markers[index].is_citation()));
    }
    let counts = found.counts();
    assert!(counts.cited + counts.uncited <= found.claims.len());
    let has_valid = found.markers.iter().any(|marker| marker.status() == MarkerStatus::Valid);
    assert_eq!(has_valid, !counts.valid.is_empty());
}

/// Asserts that spans are in order, not empty, and disjoint.
fn check_order(spans: &[Span], len: usize) {
    assert!(spans.iter().all(|span| span.start < span.end && span.end <= len), "{spans:?}");
    assert!(spans.windows(2).all(|two| two[0].end <= two[1].start), "{spans:?}");
}

fn check_widths<R: PartialEq + std::fmt::Debug>(stored: &Stored, text: &[u32], read: impl Fn(TextRef<'_>) -> R) {
    let wanted = read(TextRef::Ucs4(text));
    assert_eq!(read(stored.units()), wanted);
    if let Stored::U8(units) = stored {
        let wider: Vec<u16> = units.iter().map(|&unit| u16::from(unit)).collect();
        assert_eq!(read(TextRef::Ucs2(&wider)), wanted);
    }
}
