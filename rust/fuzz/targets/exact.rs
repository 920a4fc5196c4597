//! Fuzzes exact search: it finds every occurrence that the oracle finds, and no other.

#![no_main]

use std::sync::LazyLock;

use groundwire_engine::{Never, Normalizer, PatternSet, Source, TextRef, UNICODE_VERSION};
use groundwire_fuzz::TextGenerator;
use groundwire_fuzz::oracle::{self, Stored};
use libfuzzer_sys::fuzz_target;

static SPEC: LazyLock<Normalizer> = LazyLock::new(|| Normalizer::spec(UNICODE_VERSION));

/// A number of searches that makes a source build its index.
const MANY: usize = 1000;

/// The maximum length of a text, in characters: twice the minimum length for an index.
const MAX_CHARS: usize = 4500;

fuzz_target!(|bytes: &[u8]| {
    let mut generator = TextGenerator::new(bytes);
    let alphabet = generator.alphabet();
    let text = generator.text(&alphabet, MAX_CHARS);
    let source = Source::new(generator.stored(&text).units(), &SPEC, &Never).unwrap();
    let text = source.normalized().units().to_code_points();
    let patterns: Vec<Vec<u32>> =
        (0..1 + generator.below(8)).map(|_| pattern(&mut generator, &text, &alphabet)).collect();
    let stored: Vec<Stored> = patterns.iter().map(|pattern| generator.stored(pattern)).collect();
    check_source(&source, &text, &patterns, &stored);
    source.announce(MANY);
    check_source(&source, &text, &patterns, &stored);
    check_patterns(generator.stored(&text).units(), &text, &patterns, &stored);
});

fn pattern(generator: &mut TextGenerator<'_>, text: &[u32], alphabet: &[u32]) -> Vec<u32> {
    if generator.below(4) == 0 { generator.text(alphabet, 64) } else { generator.edited_slice(text, alphabet) }
}

fn check_source(source: &Source, text: &[u32], patterns: &[Vec<u32>], stored: &[Stored]) {
    for (pattern, stored) in patterns.iter().zip(stored) {
        let expected = oracle::find_all(text, pattern);
        assert_eq!(expected.first().copied(), source.find(stored.units()).map(|span| span.start));
        let found = source.find_all(stored.units(), &Never).unwrap();
        assert_eq!(expected, found.iter().map(|span| span.start).collect::<Vec<_>>());
        assert!(found.iter().all(|span| span.len() == pattern.len()));
    }
}

fn check_patterns(units: TextRef<'_>, text: &[u32], patterns: &[Vec<u32>], stored: &[Stored]) {
    let (patterns, stored): (Vec<_>, Vec<_>) =
        patterns.iter().zip(stored).filter(|(pattern, _)| !pattern.is_empty()).unzip();
    let stored: Vec<TextRef<'_>> = stored.into_iter().map(Stored::units).collect();
    let mut expected: Vec<(usize, usize, usize)> = Vec::new();
    for (index, pattern) in patterns.into_iter().enumerate() {
        let starts = oracle::find_all(text, pattern).into_iter();
        expected.extend(starts.map(|start| (start, index, start + pattern.len())));
    }
    expected.sort_unstable();
    let find = |word_boundaries| -> Vec<(usize, usize, usize)> {
        let patterns = PatternSet::new(&stored, word_boundaries).unwrap();
        let found = patterns.find_all(units, &Never).unwrap();
        found.into_iter().map(|found| (found.span.start, found.pattern, found.span.end)).collect()
    };
    assert_eq!(expected, find(false));
    let words = find(true);
    assert!(words.is_sorted() && words.iter().all(|found| expected.binary_search(found).is_ok()));
}
