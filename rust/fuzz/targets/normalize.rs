//! Fuzzes normalisation: it returns the oracle's text in every width, with and without an offset map, and the map is
//! monotone.

#![no_main]

use std::sync::LazyLock;

use groundwire_engine::{Bracket, Never, Normalizer, Source, Span, TextRef, UNICODE_VERSION};
use groundwire_fuzz::oracle::{self, Stored};
use groundwire_fuzz::{TextGenerator, unicode};
use libfuzzer_sys::fuzz_target;

static SPEC: LazyLock<Normalizer> = LazyLock::new(|| Normalizer::spec(UNICODE_VERSION));
static TYPOGRAPHIC: LazyLock<Normalizer> =
    LazyLock::new(|| Normalizer::typographic(UNICODE_VERSION, &[Bracket::Angle]));
static ALL_BRACKETS: LazyLock<Normalizer> = LazyLock::new(|| {
    Normalizer::typographic(UNICODE_VERSION, &[Bracket::Angle, Bracket::Brace, Bracket::Square, Bracket::Round])
});

/// Characters that some step treats specially: spaces, annotations, quotation marks, hyphens, characters that combine,
/// expand or are deleted, and letters with an unusual lower case.
const SPECIAL: &str = "aaabBCzZ  \t\n\r\u{B}\u{1C}\u{1F}\u{85}\u{A0}\u{1680}\u{2003}\u{2028}\u{3000}<<>>//{}[]()-\u{AD}\
    \u{2010}\u{2011}\u{2013}\u{2014}\u{2212}'\"‘’“”„‚‹›«»「」『』\u{2032}\u{2033}\u{2036}\u{301D}\u{2E42}\u{FF1C}\u{FF1E}\
    \u{FE64}\u{FF02}\u{FF0D}\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}\u{34F}\u{FE0F}\u{115F}\u{1160}\u{338}\u{301}\u{308}\
    \u{323}\u{345}\u{328}\u{3099}\u{309A}\u{5B0}\u{64B}\u{651}\u{F71}\u{F72}\u{F73}\u{344}\u{9C7}\u{9BE}\u{1100}\u{1161}\
    \u{11A8}가각か\u{FF76}\u{FF9E}éÉßẞµſKÅΣσςΑİıIĳ½…ﷺ´¨Ａ\u{FB01}\u{FACF}\u{2F800}\u{1D15E}\u{1D400}漢дЖبא\u{10400}😀59.,:_";

/// The maximum length of a text, in characters.
const MAX_CHARS: usize = 700;

fuzz_target!(|bytes: &[u8]| {
    let mut generator = TextGenerator::new(bytes);
    let alphabet = alphabet(&mut generator);
    let codes = generator.text(&alphabet, MAX_CHARS);
    let text = unicode::to_string(&codes);
    check(&SPEC, &codes, Some(oracle::normalize(&text)));
    check(&TYPOGRAPHIC, &codes, oracle::typographic::normalize(&text));
    check(&ALL_BRACKETS, &codes, None);
});

/// Returns the special characters and any 64 consecutive code points.
fn alphabet(generator: &mut TextGenerator<'_>) -> Vec<u32> {
    let block = generator.below(0x11_0000 / 64) as u32 * 64;
    oracle::codes(SPECIAL).into_iter().chain((block..block + 64).filter(|&code| unicode::is_agreed(code))).collect()
}

fn check(normalizer: &Normalizer, codes: &[u32], expected: Option<String>) {
    let narrow = Stored::new(codes);
    let normalized = check_map(normalizer, narrow.units());
    if let Some(expected) = expected {
        assert_eq!(unicode::to_code_points(&expected), normalized);
    }
    if let Stored::U8(units) = &narrow {
        let wider: Vec<u16> = units.iter().map(|&unit| u16::from(unit)).collect();
        assert_eq!(normalized, check_map(normalizer, TextRef::Ucs2(&wider)));
    }
    assert_eq!(normalized, check_map(normalizer, TextRef::Ucs4(codes)));
    let source = Source::new(narrow.units(), normalizer, &Never).unwrap();
    assert_eq!(normalized, source.normalized().units().to_code_points());
}

/// Returns the normalised text. Asserts that every character of it comes from a span of the original, and that these
/// spans never go backwards.
fn check_map(normalizer: &Normalizer, units: TextRef<'_>) -> Vec<u32> {
    let normalized = normalizer.normalize(units, &Never).unwrap().units().to_code_points();
    let mapped = normalizer.normalize_mapped(units, &Never).unwrap();
    assert_eq!(normalized, mapped.text.units().to_code_points());
    let mut before = Span::new(0, 0);
    for place in 0..normalized.len() {
        let span = mapped.offsets.to_original(Span::new(place, place + 1));
        assert!(before.start <= span.start && before.end <= span.end, "{before:?} and then {span:?}");
        assert!(span.start < span.end && span.end <= units.len(), "{span:?}");
        before = span;
    }
    normalized
}
