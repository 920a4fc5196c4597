//! Checks normalisation against the step-by-step oracle, and the map back to the original.

use std::mem::MaybeUninit;

use crate::oracle;
use crate::oracle::Stored;
use groundwire_engine::{Bracket, Error, Never, Normalizer, Source, Span, TextBuf, TextRef, UNICODE_VERSION};
use proptest::prelude::*;

fn normalized(normalizer: &Normalizer, codes: &[u32]) -> Vec<u32> {
    normalizer.normalize(Stored::new(codes).units(), &Never).unwrap().units().to_code_points()
}

fn spec(text: &str) -> String {
    let codes = normalized(&Normalizer::spec(UNICODE_VERSION), &oracle::codes(text));
    codes.into_iter().map(|code| char::from_u32(code).unwrap()).collect()
}

/// Generates strings that are hard to normalise.
fn nasty() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        5 => "[a-zA-Z .,\n\t-]{1,40}",
        4 => proptest::sample::select(vec![
            "<", ">", "<x>", "</laughs>", "<>", "\u{FF1C}", "\u{FF1E}", "\u{338}", "\u{301}", "\u{323}", "\u{345}", "é",
            "\u{1100}", "\u{1161}", "\u{11A8}", "가", "\u{3099}", "\u{FF9E}", "か", "\u{FF76}", "\u{200B}", "\u{200D}",
            "\u{FEFF}", "’", "“", "\u{A0}", "\u{3000}", "\u{1C}", "\u{85}", "\u{2028}", "Σ", "σ", "İ", "ß", "½", "ﷺ", "´",
            "…", "Ａ", "µ", "\u{FACF}", "\u{1D15E}", "\u{F71}", "\u{F72}", "\u{F73}", "\u{344}", "\u{9C7}", "\u{9BE}", "漢",
            "д", "ب", "😀", "—", "–", "”", "a—b – c’s", "  ", "\r\n", ":", ".", "'",
        ]).prop_map(str::to_owned),
        // Blocks that no Unicode version can extend, because the step-by-step oracle uses a newer version.
        1 => prop_oneof![
            prop::char::range('\u{1}', '\u{24F}'), prop::char::range('\u{3A3}', '\u{52F}'), prop::char::range('\u{1E00}', '\u{1EFF}'),
            prop::char::range('\u{3041}', '\u{3096}'), prop::char::range('\u{30A1}', '\u{30FF}'), prop::char::range('\u{3200}', '\u{9FFF}'),
            prop::char::range('\u{AC00}', '\u{D7A3}'), prop::char::range('\u{F900}', '\u{FA6D}'), prop::char::range('\u{FF01}', '\u{FFBE}'),
            prop::char::range('\u{1D400}', '\u{1D454}'), prop::char::range('\u{2F800}', '\u{2FA1D}'),
        ].prop_map(String::from),
    ];
    proptest::collection::vec(part, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(crate::config(2000))]

    #[test]
    fn the_spec_profile_equals_its_steps(text in nasty()) {
        prop_assert_eq!(oracle::normalize(&text), spec(&text));
    }

    #[test]
    fn the_typographic_profile_equals_its_steps(text in nasty()) {
        if let Some(expected) = oracle::typographic::normalize(&text) {
            prop_assert_eq!(expected, typographic(&text, &[Bracket::Angle]));
        }
    }

    #[test]
    fn recording_offsets_does_not_change_the_text(text in nasty()) {
        let normalizer = Normalizer::spec(UNICODE_VERSION);
        let stored = Stored::new(&oracle::codes(&text));
        let mapped = normalizer.normalize_mapped(stored.units(), &Never).unwrap();
        prop_assert_eq!(spec(&text), String::from_iter(mapped.text.units().to_code_points().into_iter().map(|c| char::from_u32(c).unwrap())));
    }

    /// Cutting the original at a mapped span gives a piece that normalises to at least the same text, so no part of a
    /// quote is lost. Sigmas are excluded, because their form depends on their neighbours.
    #[test]
    fn an_original_span_normalises_to_its_text(text in nasty().prop_map(|text| text.replace(['Σ', 'σ'], "s")), place: prop::sample::Index, len in 1..40_usize) {
        let normalizer = Normalizer::spec(UNICODE_VERSION);
        let codes = oracle::codes(&text);
        let mapped = normalizer.normalize_mapped(Stored::new(&codes).units(), &Never).unwrap();
        let out = mapped.text.units().to_code_points();
        prop_assume!(!out.is_empty());
        let start = place.index(out.len());
        let end = out.len().min(start + len);
        let span = mapped.offsets.to_original(Span::new(start, end));
        prop_assert!(span.start < span.end && span.end <= codes.len());
        let part = normalized(&normalizer, &codes[span.start..span.end]);
        let expected: Vec<u32> = out[start..end].to_vec();
        let trimmed: &[u32] = expected.strip_prefix(&[0x20]).unwrap_or(&expected);
        let trimmed = trimmed.strip_suffix(&[0x20]).unwrap_or(trimmed);
        prop_assert!(trimmed.is_empty() || !oracle::find_all(&part, trimmed).is_empty(), "{:?} lost in {:?}", expected, part);
    }

    /// Spans of successive characters do not go backwards.
    #[test]
    fn the_offset_map_is_monotone(text in nasty()) {
        let stored = Stored::new(&oracle::codes(&text));
        let mapped = Normalizer::spec(UNICODE_VERSION).normalize_mapped(stored.units(), &Never).unwrap();
        let spans: Vec<Span> = (0..mapped.text.units().len()).map(|at| mapped.offsets.to_original(Span::new(at, at + 1))).collect();
        prop_assert!(spans.array_windows().all(|[a, b]| a.start <= b.start && a.end <= b.end));
    }

    #[test]
    fn chunk_boundaries_do_not_affect_the_result(pad in 0..70_usize, tail in 0..70_usize, middle in nasty()) {
        let text = format!("{}{middle}{}", "ab ".repeat(pad), "c".repeat(tail));
        prop_assert_eq!(oracle::normalize(&text), spec(&text));
    }
}

/// Special characters at every alignment to chunks, in every width.
#[test]
fn special_characters_are_found_at_every_alignment() {
    for stop in [
        "",
        "<",
        ">",
        "<x>",
        "  ",
        " \t",
        "é",
        "\u{7F}",
        "\n",
        "{",
        "-",
        "-\n",
        "Z[`@",
        "\u{1C}\u{1F}",
        "’",
        "“",
        "—",
        "…",
        "漢",
        "😀",
    ] {
        for before in 0..70 {
            for after in [0, 1, 31, 32, 33, 63, 64, 65, 140] {
                let text = format!("{}{stop}{}", &"aB ".repeat(30)[..before], "x".repeat(after));
                assert_eq!(oracle::normalize(&text), spec(&text));
                if let Some(expected) = oracle::typographic::normalize(&text) {
                    assert_eq!(expected, typographic(&text, &[Bracket::Angle]), "{text:?}");
                }
            }
        }
    }
}

/// A segment with so many marks that it is normalised step by step.
#[test]
fn thousands_of_marks_are_ordered_and_composed() {
    for marks in
        ["\u{316}\u{301}", "\u{345}\u{300}\u{31B}", "\u{5B0}\u{5C7}", "\u{3099}", "\u{1161}\u{11A8}", "\u{9BE}\u{9C7}"]
    {
        for letter in ["a", "А", "か", "\u{1100}", "가", "\u{9C7}", "ﷺ"] {
            let text = letter.to_owned() + &marks.repeat(5_000);
            assert_eq!(oracle::normalize(&text), spec(&text), "{letter} {marks}");
        }
    }
}

#[test]
fn lone_surrogates_are_characters() {
    let normalizer = Normalizer::spec(UNICODE_VERSION);
    assert_eq!(vec![0xD800, 0x20, 0x61, 0xDC00, 0x301], normalized(&normalizer, &[0xD800, 0xA0, 0x41, 0xDC00, 0x301]));
}

#[test]
fn an_older_unicode_version_leaves_newer_characters_unchanged() {
    // U+A7DC LATIN CAPITAL LETTER LAMBDA WITH STROKE was added in 16.0; its lower case is U+019B.
    assert_eq!(vec![0x19B], normalized(&Normalizer::spec((16, 0)), &[0xA7DC]));
    assert_eq!(vec![0xA7DC], normalized(&Normalizer::spec((15, 1)), &[0xA7DC]));
    // U+11382 and U+113C9 compose to U+11383 since 16.0.
    assert_eq!(vec![0x11383], normalized(&Normalizer::spec((16, 0)), &[0x11382, 0x113C9]));
    assert_eq!(vec![0x11382, 0x113C9], normalized(&Normalizer::spec((14, 0)), &[0x11382, 0x113C9]));
}

#[test]
fn final_sigma_depends_on_the_unicode_version() {
    assert_eq!(vec![0x295, 0x3C2], normalized(&Normalizer::spec((16, 0)), &[0x295, 0x3A3]));
    assert_eq!(vec![0x295, 0x3C3], normalized(&Normalizer::spec((17, 0)), &[0x295, 0x3A3]));
}

fn typographic(text: &str, brackets: &[Bracket]) -> String {
    let codes = normalized(&Normalizer::typographic(UNICODE_VERSION, brackets), &oracle::codes(text));
    codes.into_iter().map(|code| char::from_u32(code).unwrap()).collect()
}

#[test]
fn typographic_annotations_are_short_and_start_with_a_letter() {
    // Ruling A2.
    let angle = [Bracket::Angle];
    assert_eq!("bp < 90 and hr > 100", typographic("BP < 90 and HR > 100", &angle));
    assert_eq!("a b", typographic("a<laughter>b", &angle));
    assert_eq!("a b", typographic("a</i>b", &angle));
    assert_eq!("a <b c", typographic("a <b <i> c", &angle));
    assert_eq!("a<b c>d", typographic("a<b\nc>d", &angle));
    assert_eq!("a d", typographic(&format!("a<{}>d", "b".repeat(41)), &angle));
    assert_eq!(format!("a<{}>d", "b".repeat(42)), typographic(&format!("a<{}>d", "b".repeat(42)), &angle));
    assert_eq!(format!("a<{} c>d", "b".repeat(38)), typographic(&format!("a<{}   c>d", "b".repeat(38)), &angle));
}

#[test]
fn typographic_annotations_are_selected_by_bracket() {
    let text = "a {vocalsound} b [inaudible] c (laughs) d";
    assert_eq!("a {vocalsound} b [inaudible] c (laughs) d", typographic(text, &[Bracket::Angle]));
    assert_eq!("a b [inaudible] c (laughs) d", typographic(text, &[Bracket::Brace]));
    assert_eq!("a b c d", typographic(text, &[Bracket::Brace, Bracket::Square, Bracket::Round]));
    assert_eq!("a (b] c", typographic("a (b] c", &[Bracket::Square, Bracket::Round]));
}

#[test]
fn typographic_joins_words_hyphenated_at_a_line_break() {
    // Ruling A3.
    let none = [];
    for text in ["exam-\nple", "exam\u{AD}\nple", "exam\u{2010}\n  ple", "exam- \r\n ple", "exam\u{AD}ple"] {
        assert_eq!("example", typographic(text, &none), "{text:?}");
    }
    assert_eq!("half- -done", typographic("half-\n-done", &none));
    assert_eq!("HALFDONE".to_lowercase(), typographic("HALF-\nDONE", &none));
    assert_eq!("1- a", typographic("1-\na", &none));
    assert_eq!("ab", typographic("a-\u{AD}\nb", &none));
    assert_eq!("q\u{301}abc", typographic("q\u{301}-\nabc", &none));
    assert_eq!("so-- said", typographic("so--\nsaid", &none));
    assert_eq!("so-- said", typographic("so\u{2010}–\nsaid", &none));
    assert_eq!("so- said", typographic("so\u{AD}–\nsaid", &none));
    assert_eq!("half- 5", typographic("half-\n5", &none));
    assert_eq!("so - said", typographic("so — said", &none));
    assert_eq!("so- said", typographic("so—\nsaid", &none));
    assert_eq!("ab cd e", typographic("ab<x-y>\ncd e", &[Bracket::Angle]));
    assert_eq!(" \n".trim(), typographic("<a-b>\n", &[Bracket::Angle]));
    assert_eq!("a- b", typographic("a- b", &none));
}

#[test]
fn joined_words_map_to_both_halves() {
    let codes = oracle::codes("an exam-\n  ple here");
    let normalizer = Normalizer::typographic(UNICODE_VERSION, &[]);
    let mapped = normalizer.normalize_mapped(Stored::new(&codes).units(), &Never).unwrap();
    assert_eq!(Span::new(3, 14), mapped.offsets.to_original(Span::new(3, 10)));
}

#[test]
fn an_annotation_and_its_neighbours_map_to_themselves() {
    let codes = oracle::codes("ab<laughs>cd");
    let mapped = Normalizer::spec(UNICODE_VERSION).normalize_mapped(Stored::new(&codes).units(), &Never).unwrap();
    assert_eq!(oracle::codes("ab cd"), mapped.text.units().to_code_points());
    assert_eq!(Span::new(0, 2), mapped.offsets.to_original(Span::new(0, 2)));
    assert_eq!(Span::new(2, 10), mapped.offsets.to_original(Span::new(2, 3)));
    assert_eq!(Span::new(10, 12), mapped.offsets.to_original(Span::new(3, 5)));
    assert_eq!(Span::new(0, 0), mapped.offsets.to_original(Span::new(0, 0)));
}

#[test]
fn the_output_has_the_narrowest_width() {
    let normalizer = Normalizer::spec(UNICODE_VERSION);
    assert!(matches!(normalizer.normalize(Stored::new(&oracle::codes("é")).units(), &Never), Ok(TextBuf::Ucs1(_))));
    assert!(matches!(normalizer.normalize(Stored::new(&oracle::codes("µ")).units(), &Never), Ok(TextBuf::Ucs2(_))));
    assert!(matches!(normalizer.normalize(Stored::new(&[0xFACF]).units(), &Never), Ok(TextBuf::Ucs4(_))));
}

#[test]
fn a_long_normalisation_can_be_cancelled() {
    let text = vec![0x4E00_u16; 1 << 20];
    let cancel = || true;
    let result = Normalizer::spec(UNICODE_VERSION).normalize(TextRef::Ucs2(&text), &cancel);
    assert_eq!(Error::Cancelled, result.unwrap_err());
}

#[test]
fn typographic_folds_quotation_marks_and_primes() {
    // Ruling A3.
    assert_eq!("'''''''''", typographic("‘’‚‛‹›『』′", &[]));
    assert_eq!("\"\"\"\"\"\"\"\"\"\"\"", typographic("“”„‟«»「」″〝⹂", &[]));
    assert_eq!("5'10\"", typographic("5′10″", &[]));
    // A double prime with a combining mark goes through the Unicode normaliser, which would decompose it to two primes.
    assert_eq!("5\"\u{323}", typographic("5″\u{323}", &[]));
}

/// Normalises into buffers with and without capacity for padding, from all widths that can hold the text.
fn check_buffers(normalizer: &Normalizer, text: &str) {
    let codes = oracle::codes(text);
    let expected = normalized(normalizer, &codes);
    let wide: Option<Vec<u16>> = codes.iter().map(|&code| code.try_into().ok()).collect();
    let narrow: Option<Vec<u8>> = codes.iter().map(|&code| code.try_into().ok()).collect();
    let widths =
        [Some(TextRef::Ucs4(&codes)), wide.as_deref().map(TextRef::Ucs2), narrow.as_deref().map(TextRef::Ucs1)];
    for units in widths.into_iter().flatten() {
        for capacity in [0, codes.len(), codes.len() + 63, 256, codes.len() + 64] {
            for has_wide in [false, true] {
                let (mut buffer, mut wide) = (vec![MaybeUninit::uninit(); capacity], Vec::new());
                let wide = has_wide.then_some(&mut wide);
                let more = |chars| {
                    let wide: &mut Vec<_> = wide?;
                    wide.resize(chars, MaybeUninit::uninit());
                    Some(wide.as_mut_slice())
                };
                let written = normalizer.normalize_into(units, &mut buffer, more, &Never).unwrap();
                assert_eq!(expected, written.units().to_code_points(), "{text:?} in {capacity}, {has_wide}");
            }
        }
    }
}

fn check_buffers_of_all(text: &str) {
    check_buffers(&Normalizer::spec(UNICODE_VERSION), text);
    check_buffers(&Normalizer::typographic(UNICODE_VERSION, &[Bracket::Angle]), text);
}

proptest! {
    #![proptest_config(crate::config(256))]

    #[test]
    fn every_buffer_size_gives_the_same_text(
        ordinary in "[ A-Za-z\t.’“—-]{0,300}",
        ascii in "[ -~\n]{0,100}",
        nasty in nasty(),
    ) {
        for text in [&ordinary, &ascii, &nasty] {
            check_buffers_of_all(text);
        }
    }
}

/// Asserts that the normalised text and offset map of a source equal those of the normaliser, however the source stores
/// them.
fn check_source(normalizer: &Normalizer, text: &str) {
    let stored = Stored::new(&oracle::codes(text));
    let mapped = normalizer.normalize_mapped(stored.units(), &Never).unwrap();
    let source = Source::new(stored.units(), normalizer, &Never).unwrap();
    assert_eq!(mapped.text.units().to_code_points(), source.normalized().units().to_code_points(), "{text:?}");
    for at in 0..source.len() {
        let span = Span::new(at, at + 1);
        assert_eq!(mapped.offsets.to_original(span), source.to_original(span), "{text:?} at {at}");
    }
}

proptest! {
    #![proptest_config(crate::config(256))]

    #[test]
    fn a_source_preserves_characters_and_offsets(
        dashed in "[ A-Za-z\t.’“—–]{0,300}",
        marked in "[ a-zA-Z<>—–é…]{0,200}",
        nasty in nasty(),
    ) {
        for text in [&dashed, &marked, &nasty] {
            check_source(&Normalizer::spec(UNICODE_VERSION), text);
            check_source(&Normalizer::typographic(UNICODE_VERSION, &[Bracket::Angle]), text);
        }
    }

    /// Characters that become longer, in buffers with little spare capacity.
    #[test]
    fn text_that_grows_overflows_into_new_memory(
        before in "[a-z —]{0,200}",
        pieces in proptest::collection::vec(proptest::sample::select(vec!["ﷺ", "…", "İ", "½", "—", "é", "漢", "\u{FDFA}\u{301}", " a"]), 0..60),
        after in "[a-z —]{0,200}",
    ) {
        let text = format!("{before}{}{after}", pieces.concat());
        check_buffers_of_all(&text);
        check_source(&Normalizer::spec(UNICODE_VERSION), &text);
    }
}

#[test]
fn dashes_stored_as_symbols_are_found() {
    let text = format!("{}a—b–c‒d―e{}", "x ’ ".repeat(40), " y —".repeat(40));
    let normalizer = Normalizer::spec(UNICODE_VERSION);
    let source = Source::new(Stored::new(&oracle::codes(&text)).units(), &normalizer, &Never).unwrap();
    let find = |needle: &str| source.find(Stored::new(&oracle::codes(needle)).units()).map(|span| span.start);
    let normalized = oracle::normalize(&text);
    for needle in ["a—b", "—", "–", "‒d", "―e y", "x ' a—b–c‒d―e y —"] {
        let start = normalized.find(needle).map(|bytes| normalized[..bytes].chars().count());
        assert_eq!(start, find(needle), "{needle}");
    }
    assert_eq!((None, None), (find("b—c"), find("\u{80}")));
}

#[test]
fn a_text_may_end_anywhere_in_a_chunk() {
    for len in 0..270 {
        for text in ["aB c", "word  ", "it’s “so” ", "x-", "-\n", "—", "e\u{301}"] {
            let text: String = text.chars().cycle().take(len).collect();
            check_buffers_of_all(&text);
        }
    }
}
