//! Checks exact search for one pattern against the naive search.

use crate::oracle;
use crate::oracle::Stored;
use groundwire_engine::{Never, Normalizer, Source, Span, TextRef, UNICODE_VERSION, find};
use proptest::prelude::*;

fn source(codes: &[u32]) -> Source {
    Source::new(Stored::new(codes).units(), &Normalizer::spec(UNICODE_VERSION), &Never).unwrap()
}

/// Generates texts over few characters, so that patterns repeat and overlap. Half of them start with 300 distinct
/// characters from `wide`: more than 256, so that they take 2 or 4 bytes per character.
fn periodic(wide: u32, len: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u32>> {
    (proptest::collection::vec(0..3_u32, len), any::<bool>()).prop_map(move |(text, is_wide)| {
        let alphabet: Vec<u32> = if is_wide { (0..300).map(|index| wide + index).collect() } else { Vec::new() };
        let first = if is_wide { wide } else { 0x61 };
        alphabet.into_iter().chain(text.into_iter().map(|index| first + index)).collect()
    })
}

proptest! {
    #![proptest_config(crate::config(600))]

    #[test]
    fn every_occurrence_is_found(wide in prop_oneof![Just(0x4E00), Just(0x2_0000)], text in periodic(0x4E00, 0..80), start: prop::sample::Index, len in 1..20_usize) {
        let text: Vec<u32> = text.into_iter().map(|code| if code >= 0x4E00 { code - 0x4E00 + wide } else { code }).collect();
        prop_assume!(!text.is_empty());
        let start = start.index(text.len());
        let pattern = &text[start..text.len().min(start + len)];
        let source = source(&text);
        let found = source.find_all(Stored::new(pattern).units(), &Never).unwrap();
        let expected = oracle::find_all(&text, pattern);
        prop_assert_eq!(&expected, &found.iter().map(|span| span.start).collect::<Vec<_>>());
        prop_assert_eq!(expected.first().copied(), source.find(Stored::new(pattern).units()).map(|span| span.start));
    }
}

/// The index agrees with scanning, on texts long enough for it and searched often enough to build it.
#[test]
fn the_index_finds_what_a_scan_finds() {
    let mut state = 1_u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    for (base, distinct) in [(0x61, 20), (0x4E00, 900), (0x2_0000, 900), (0x61, 2)] {
        let text: Vec<u32> = (0..6000).map(|_| base + random(distinct)).collect();
        let source = source(&text);
        for round in 0..1200 {
            let len = 1 + random(60) as usize;
            let start = random((text.len() - len) as u32) as usize;
            let mut pattern = text[start..start + len].to_vec();
            if round % 3 == 0 {
                let place = random(len as u32) as usize;
                pattern[place] = base + random(distinct);
            }
            let found = source.find(Stored::new(&pattern).units()).map(|span| span.start);
            assert_eq!(oracle::find_all(&text, &pattern).first().copied(), found, "round {round}, base {base:x}");
            let at_once = source.find_without_scan(Stored::new(&pattern).units()).expect("the text is short");
            assert_eq!(found, at_once.map(|span| span.start), "round {round}, base {base:x}");
        }
        assert!(source.heap_bytes().1 > 0, "the index was never built");
    }
}

#[test]
fn patterns_are_found_in_short_texts() {
    for len in 1..200_u32 {
        let text: Vec<u32> = (0..len).map(|place| 0x61 + place * place % 11 % 5).collect();
        let source = source(&text);
        for round in 0..200 {
            let start = round * 7 % text.len();
            let end = text.len().min(start + 1 + (round + len as usize) % 40);
            let expected = oracle::find_all(&text, &text[start..end]).first().copied();
            let found = source.find(TextRef::Ucs4(&text[start..end])).map(|span| span.start);
            assert_eq!(expected, found, "{len} characters, {start}..{end}");
        }
    }
}

#[test]
fn a_long_text_with_an_index_is_searched_without_a_scan() {
    let text: Vec<u32> = (0..200_000_u32).map(|place| 0x61 + (place * 7 + place / 26 * 3 + place / 676) % 26).collect();
    let source = source(&text);
    let (present, absent) = (TextRef::Ucs4(&text[150_000..150_012]), TextRef::Ucs4(&[0x61; 12]));
    assert_eq!(None, source.find_without_scan(present));
    let expected = source.find(present);
    (0..80).for_each(|_| assert_eq!(None, source.find(absent)));
    assert_eq!((Some(expected), Some(None)), (source.find_without_scan(present), source.find_without_scan(absent)));
    assert_eq!(None, source.find_without_scan(TextRef::Ucs4(&text[150_000..150_003])), "too short for the index");
    assert_eq!(Some(None), source.find_without_scan(TextRef::Ucs4(&[0x4E00; 3])), "no such character");
}

/// With at most 256 distinct characters, a source takes one byte for each, whatever the width of its text.
#[test]
fn a_source_takes_the_narrowest_width_of_its_symbols() {
    for others in [1, 2, 100, 128, 129, 200, 240, 256, 257, 300] {
        for ascii in [0, 1, 10, 16, 40] {
            let letters = oracle::codes(&"abcdefghijklmnopqrstuvwxyz0123456789!?*,"[..ascii]);
            let ascii_run = letters.into_iter().cycle().take(48);
            let mut text: Vec<u32> = ascii_run.chain((0..others).map(|other| 0x4E00 + other * 3)).collect();
            text = text.repeat(40_000 / text.len());
            let source = source(&text);
            let bytes = if others as usize + ascii <= 256 { 1 } else { 2 };
            assert_eq!(bytes, source.heap_bytes().0 / text.len(), "{others} and {ascii} characters");
            assert!(text == source.normalized().units().to_code_points(), "{others} and {ascii} characters");
            let last = TextRef::Ucs4(&text[text.len() - 60..]);
            assert_eq!(oracle::find_all(&text, &last.to_code_points())[0], source.find(last).unwrap().start);
        }
    }
}

#[test]
fn a_text_of_one_repeated_character_is_searched_in_linear_time() {
    let text = vec![0x61_u32; 50_000];
    let source = source(&text);
    for _ in 0..20 {
        assert_eq!(Some(Span::new(0, 1000)), source.find(TextRef::Ucs4(&text[..1000])));
        let mut absent = text[..1000].to_vec();
        absent[999] = 0x62;
        assert_eq!(None, source.find(TextRef::Ucs4(&absent)));
    }
    assert_eq!(49_001, source.find_all(TextRef::Ucs4(&text[..1000]), &Never).unwrap().len());
}

#[test]
fn byte_matches_between_characters_are_rejected() {
    // In memory, the text is the bytes 62 61 62 61 …, and so is the pattern from its second byte on.
    let mut text: Vec<u32> = (0x4E00..0x5000).collect();
    text.extend([0x6162; 500]);
    let source = source(&text);
    assert_eq!(None, source.find(TextRef::Ucs2(&[0x6261; 3])));
    assert_eq!(Some(Span::new(512, 515)), source.find(TextRef::Ucs2(&[0x6162; 3])));
}

/// Checks `find` with two and with four bytes per character.
fn check_wide(text: &[u16], pattern: &[u16]) {
    let expected = text.windows(pattern.len()).position(|window| window == pattern);
    assert_eq!(expected, find(TextRef::Ucs2(text), TextRef::Ucs2(pattern)).map(|span| span.start));
    let [text, pattern] =
        [text, pattern].map(|units| units.iter().map(|&unit| u32::from(unit) << 4).collect::<Vec<_>>());
    assert_eq!(expected, find(TextRef::Ucs4(&text), TextRef::Ucs4(&pattern)).map(|span| span.start));
}

/// A pattern at every alignment, surrounded by one of its own characters.
#[test]
fn a_wide_pattern_is_found_at_every_alignment() {
    for before in 0..140 {
        for after in [0, 1, 63, 64, 65, 130] {
            for pattern in [&[0x416_u16][..], &[0x416, 0x436], &[0x436, 0x416, 0x416], &[0x416; 70]] {
                check_wide(&[&vec![0x436; before], pattern, &vec![0x436; after]].concat(), pattern);
            }
        }
    }
}

/// The rarest two characters of the pattern are so common in the text that the search switches to another algorithm.
#[test]
fn a_wide_pattern_of_common_characters_is_found() {
    let mut pattern = [0x436, 0x437].repeat(500);
    pattern[900] = 0x416;
    let text = [0x436, 0x437].repeat(50_000);
    check_wide(&text, &pattern);
    check_wide(&[&text[..], &pattern, &text].concat(), &pattern);
}
