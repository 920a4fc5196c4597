//! Adversarial texts: every call ends after an amount of work that the lengths of the texts bound.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::oracle::texts::{Random, edited, prose};
use crate::oracle::{Stored, codes};
use groundwire_engine::{
    Bracket, Cutoff, Error, MAX_PATTERN_CHARS_SEAWEED, Never, Normalizer, QuoteAlignment, Sequential, Source,
    UNICODE_VERSION,
    internals::{PlanOverride, alignments_forced},
    partial_ratio,
};

/// The work between two checks for cancellation, in characters.
const CHARS_PER_CHECK: usize = 1 << 18;

fn typographic() -> Normalizer {
    Normalizer::typographic(UNICODE_VERSION, &[Bracket::Angle])
}

fn repeated(pattern: &str, chars: usize) -> Vec<u32> {
    codes(pattern).into_iter().cycle().take(chars).collect()
}

/// Returns a Fibonacci word: every part of it occurs again and again, but it has no period.
fn fibonacci(chars: usize) -> Vec<u32> {
    let (mut last, mut word) = (codes("b "), codes("a"));
    while word.len() < chars {
        let next = [&word[..], &last[..]].concat();
        last = std::mem::replace(&mut word, next);
    }
    word.truncate(chars);
    word
}

/// Returns `text` with one space in place of several.
fn squeezed(text: &[u32]) -> Vec<u32> {
    let mut squeezed = text.to_vec();
    squeezed.dedup_by(|next, last| (*next, *last) == (0x20, 0x20));
    squeezed
}

/// Returns `text` with a foreign word in the middle.
fn with_foreign_word(text: &[u32]) -> Vec<u32> {
    let (before, after) = text.split_at(text.len() / 2);
    [before, &codes(" zebra "), after].concat()
}

/// Returns the best alignment of `quote` in `text`, if any reaches 0.85, and the number of checks for cancellation.
fn aligned(quote: &[u32], text: &[u32]) -> (Option<QuoteAlignment>, usize) {
    let (quote, text, normalizer) = (Stored::new(quote), Stored::new(text), typographic());
    let source = Source::new(text.units(), &normalizer, &Never).unwrap();
    let checks = AtomicUsize::new(0);
    let count = || {
        checks.fetch_add(1, Ordering::Relaxed);
        false
    };
    let quotes = [quote.units()];
    let found = source.align_quotes(text.units(), &quotes, &normalizer, Cutoff::Threshold(0.85), &Sequential(&count));
    (found.unwrap().remove(0), checks.into_inner())
}

/// Asserts that applying all edits turns the quote into the passage.
fn check_edits(aligned: &QuoteAlignment, quote: &[u32], text: &[u32]) {
    let (mut result, mut at) = (Vec::new(), 0);
    for edit in &aligned.edits {
        result.extend_from_slice(&quote[at..edit.quote.start]);
        result.extend_from_slice(&text[edit.passage.start..edit.passage.end]);
        at = edit.quote.end;
    }
    result.extend_from_slice(&quote[at..]);
    assert!(text[aligned.passage.start..aligned.passage.end] == result, "the edits say all that differs");
}

#[test]
fn a_quote_from_a_repetitive_text_costs_at_most_its_table() {
    for text in [repeated("the cat sat on the mat ", 60_000), repeated("ab ", 60_000), fibonacci(60_000)] {
        for chars in [200, 1_000, 6_000] {
            let quote = with_foreign_word(&text[..chars]);
            let (found, checks) = aligned(&quote, &text);
            let found = found.unwrap();
            check_edits(&found, &quote, &text);
            // One operation processes 64 rows of the table, and branch and bound may cost as much as seaweed combing.
            let cells = quote.len().div_ceil(16) * text.len();
            assert!(checks <= 8 + 4 * cells / CHARS_PER_CHECK, "{checks} checks for {chars} characters");
        }
    }
}

#[test]
fn a_quote_too_long_for_combing_is_aligned_in_linear_time() {
    let chars = 3 * MAX_PATTERN_CHARS_SEAWEED;
    for (text, half) in [
        (repeated("the cat sat on the mat ", chars), "the cat sat on the mat "),
        (repeated("a", chars), "a"),
        (fibonacci(chars), "a"),
        (repeated("ab", chars), "a"),
        (prose(chars, 3), "c"),
    ] {
        for quote in
            [with_foreign_word(&text[..2 * MAX_PATTERN_CHARS_SEAWEED]), repeated(half, 2 * MAX_PATTERN_CHARS_SEAWEED)]
        {
            let (found, checks) = aligned(&quote, &text);
            if let Some(found) = found {
                assert!((85.0..=100.0).contains(&found.score));
                check_edits(&found, &quote, &text);
            }
            // The table of a tile has some hundred cells for each character.
            assert!(checks <= 2_000 * chars / CHARS_PER_CHECK, "{checks} checks");
        }
    }
}

#[test]
fn the_score_of_a_long_similar_quote_is_at_most_its_partial_ratio() {
    let text = prose(100_000, 1);
    let (start, end) = (30_000, 30_000 + MAX_PATTERN_CHARS_SEAWEED + 2_000);
    for changes in [0, 1, 300] {
        let quote = edited(&text[start..end], changes, &mut Random(9));
        let found = aligned(&quote, &text).0.unwrap();
        check_edits(&found, &quote, &text);
        assert!(found.passage.start.abs_diff(start) < 64 && found.passage.end.abs_diff(end) < 64);
        let truth =
            partial_ratio(Stored::new(&quote).units(), Stored::new(&text).units(), Cutoff::NONE, &Never).unwrap();
        assert!((truth - 2.0..=truth).contains(&found.score), "{} of {truth}", found.score);
        assert_eq!(changes == 0, found.score == 100.0);
    }
}

#[test]
fn huge_similar_texts_are_aligned_word_by_word() {
    let text = prose((1 << 16) + 321, 5);
    for changes in [0, 1, 500] {
        let quote = edited(&text, changes, &mut Random(4));
        let (a, b) = (Stored::new(&quote), Stored::new(&text));
        let aligned = QuoteAlignment::of(a.units(), b.units(), &typographic(), &Never).unwrap();
        check_edits(&aligned, &quote, &text);
        assert!(aligned.edits.len() <= 2 * changes);
        assert!(aligned.score > 95.0);
        // A second space is not a difference.
        assert_eq!(squeezed(&quote) == squeezed(&text), aligned.score == 100.0);
        let swapped = QuoteAlignment::of(b.units(), a.units(), &typographic(), &Never).unwrap();
        check_edits(&swapped, &text, &quote);
    }
}

#[test]
fn an_exhausted_budget_finds_the_same_window() {
    let text = prose(30_000, 2);
    for (chars, changes) in [(230, 20), (9_000, 40), (9_000, 0)] {
        let needle = Stored::new(&edited(&text[20_000..20_000 + chars], changes, &mut Random(3)));
        let ask = |plan_override| {
            let text = Stored::new(&text);
            alignments_forced(&[needle.units()], text.units(), Cutoff::NONE, plan_override, &Sequential(&Never))
                .unwrap()
                .remove(0)
        };
        assert_eq!(ask(PlanOverride::Walk), ask(PlanOverride::GiveUp), "{chars} characters, {changes} changes");
    }
}

#[test]
fn alignment_in_an_adversarial_text_can_be_cancelled() {
    let text = repeated("the cat sat on the mat ", 200_000);
    for chars in [3_000, 20_000, 50_000] {
        let (quote, stored, normalizer) = (with_foreign_word(&text[..chars]), Stored::new(&text), typographic());
        let source = Source::new(stored.units(), &normalizer, &Never).unwrap();
        let quote = Stored::new(&quote);
        for allowed in 0..4 {
            let checks = AtomicUsize::new(0);
            let stop = || checks.fetch_add(1, Ordering::Relaxed) >= allowed;
            let alone = Sequential(&stop);
            let stopped = source.align_quotes(stored.units(), &[quote.units()], &normalizer, Cutoff::NONE, &alone);
            assert_eq!(Some(Error::Cancelled), stopped.err(), "{chars} characters");
            assert_eq!(allowed + 1, checks.into_inner());
        }
    }
}
