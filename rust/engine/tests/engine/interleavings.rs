//! Indexes that are built on first use and then shared: after calls in any order, and with one call inside another, a
//! source returns the same results as a new one.
//!
//! One thread plays the part of several, so that every order is tried and not only the likely ones. The inner call runs
//! when the outer one checks for cancellation.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::oracle::Stored;
use crate::oracle::texts::{self, needles};
use groundwire_engine::internals::{self, PlanOverride};
use groundwire_engine::{Cancel, Cutoff, Never, Normalizer, PatternSet, Sequential, Source, TextRef, UNICODE_VERSION};

/// The length of the text: several tiles, and more than calls process between two checks for cancellation.
const CHARS: usize = 300_000;

/// The result of a call: scores or positions.
type CallResult = Vec<f64>;

/// The text and quotes of the calls.
struct Fixture {
    text: Stored,
    quotes: Vec<Vec<u32>>,
}

/// A kind of call.
type Call = fn(&Fixture, &Source, &dyn Cancel) -> CallResult;

/// The calls, which together build everything that a source caches: both indexes, frequencies and bitmap rows.
const CALLS: [Call; 6] = [
    |fixture, source, cancel| {
        let quotes = fixture.units(16);
        internals::source_scores(source, &quotes, Cutoff::Score(90.0), PlanOverride::Count(1), &Sequential(cancel))
            .unwrap()
    },
    |fixture, source, cancel| source.scores(&fixture.units(3), Cutoff::NONE, &Sequential(cancel)).unwrap(),
    |fixture, source, cancel| {
        let found = source.find_fuzzy(&fixture.units(8), Cutoff::Threshold(0.85), &Sequential(cancel)).unwrap();
        found.into_iter().map(|near| near.map_or(-1.0, |near| near.score + near.window.start as f64)).collect()
    },
    // Builds both indexes.
    |fixture, source, _| (0..40).flat_map(|_| fixture.units(2)).map(|quote| place(source, quote)).collect(),
    |fixture, source, _| {
        source.announce(1_000);
        fixture.units(24).into_iter().map(|quote| place(source, quote)).collect()
    },
    |fixture, source, cancel| {
        let found = source.find_all(TextRef::Ucs4(&fixture.quotes[0][..2]), cancel).unwrap();
        found.into_iter().map(|span| span.start as f64).collect()
    },
];

fn place(source: &Source, quote: TextRef<'_>) -> f64 {
    source.find(quote).map_or(-1.0, |span| span.start as f64)
}

impl Fixture {
    fn new() -> Self {
        let text = texts::prose(CHARS, 31);
        // Short quotes use the fine index; longer ones use the coarse index.
        let mut quotes = needles(&text, &[6, 70].repeat(12), 5);
        quotes.retain(|quote| quote.len() > 2);
        Self { text: Stored::new(&text), quotes }
    }

    fn source(&self) -> Source {
        Source::new(self.text.units(), &Normalizer::spec(UNICODE_VERSION), &Never).unwrap()
    }

    fn units(&self, count: usize) -> Vec<TextRef<'_>> {
        self.quotes.iter().take(count).map(|quote| TextRef::Ucs4(quote)).collect()
    }

    fn results(&self) -> Vec<CallResult> {
        CALLS.iter().map(|call| call(self, &self.source(), &Never)).collect()
    }
}

/// Counts how often `work` checks for cancellation.
fn checks(work: impl FnOnce(&dyn Cancel)) -> usize {
    let count = AtomicUsize::new(0);
    let cancel = || {
        count.fetch_add(1, Ordering::Relaxed);
        false
    };
    work(&cancel);
    count.into_inner()
}

/// Runs `work`, and `other` inside it at the check with number `position`.
fn at<R>(position: usize, other: impl Fn() + Sync, work: impl FnOnce(&dyn Cancel) -> R) -> R {
    let count = AtomicUsize::new(0);
    let cancel = || {
        if count.fetch_add(1, Ordering::Relaxed) == position {
            other();
        }
        false
    };
    work(&cancel)
}

/// Calls `check` with each permutation of `0..count`.
fn permutations(count: usize, check: &mut impl FnMut(&[usize])) {
    fn extend(order: &mut Vec<usize>, count: usize, check: &mut impl FnMut(&[usize])) {
        if order.len() == count {
            return check(order);
        }
        for next in 0..count {
            if !order.contains(&next) {
                order.push(next);
                extend(order, count, check);
                order.pop();
            }
        }
    }
    extend(&mut Vec::new(), count, check);
}

#[test]
fn calls_in_any_order_return_the_results_of_a_new_source() {
    let fixture = Fixture::new();
    let (results, mut most) = (fixture.results(), 0);
    permutations(CALLS.len(), &mut |order| {
        let source = fixture.source();
        for &index in order {
            assert_eq!(results[index], CALLS[index](&fixture, &source, &Never), "call {index} of {order:?}");
        }
        let (_, kept) = source.heap_bytes();
        assert!(kept <= 9 * CHARS, "{kept} bytes after {order:?}");
        most = most.max(kept);
    });
    assert!(most > 2 * CHARS, "no source retained rows");
}

#[test]
fn a_call_inside_another_changes_neither_result() {
    let fixture = Fixture::new();
    let results = fixture.results();
    let mut total = 0;
    for (outer, call) in CALLS.iter().enumerate() {
        let checks = checks(|cancel| drop(call(&fixture, &fixture.source(), cancel)));
        total += checks;
        for (inner, other) in CALLS.iter().enumerate() {
            for position in 0..checks {
                let source = fixture.source();
                let inner_call =
                    || assert_eq!(results[inner], other(&fixture, &source, &Never), "{inner} inside {outer}");
                let result = at(position, inner_call, |cancel| call(&fixture, &source, cancel));
                assert_eq!(results[outer], result, "{outer} around {inner}, at {position} of {checks}");
            }
        }
    }
    assert!(total > 0, "no call checks for cancellation");
}

#[test]
fn a_pattern_search_inside_another_changes_neither_result() {
    let text = texts::prose(700_000, 37);
    let quotes = needles(&text, &[9, 30].repeat(20), 7);
    let quotes: Vec<TextRef<'_>> =
        quotes.iter().filter(|quote| !quote.is_empty()).map(|quote| TextRef::Ucs4(quote)).collect();
    let wide: Vec<u32> = text[..3_000].iter().copied().chain([0x4E00]).collect();
    let all = [Stored::new(&text), Stored::new(&wide), Stored::new(&text[..5_000])];
    let find = |patterns: &PatternSet, text: &Stored, cancel: &dyn Cancel| -> Vec<(usize, usize)> {
        let found = patterns.find_all(text.units(), cancel).unwrap();
        found.into_iter().map(|found| (found.span.start, found.pattern)).collect()
    };
    let new = || PatternSet::new(&quotes, false).unwrap();
    let expected: Vec<_> = all.iter().map(|text| find(&new(), text, &Never)).collect();
    let checks = checks(|cancel| drop(find(&new(), &all[0], cancel)));
    assert!(checks > 0, "the search never checks for cancellation");
    for (inner, other) in all.iter().enumerate() {
        for position in 0..checks {
            let patterns = new();
            let inner_call = || assert_eq!(expected[inner], find(&patterns, other, &Never), "inside, text {inner}");
            let found = at(position, inner_call, |cancel| find(&patterns, &all[0], cancel));
            assert_eq!(expected[0], found, "around text {inner}, at {position} of {checks}");
        }
    }
}
