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
type Answer = Vec<f64>;

/// The text and quotes of the calls.
struct Asked {
    text: Stored,
    quotes: Vec<Vec<u32>>,
}

/// A kind of call.
type Call = fn(&Asked, &Source, &dyn Cancel) -> Answer;

/// The calls, which together build everything that a source caches: both indexes, frequencies and bitmap rows.
const CALLS: [Call; 6] = [
    |asked, source, cancel| {
        let quotes = asked.units(16);
        internals::source_scores(source, &quotes, Cutoff::Score(90.0), PlanOverride::Count(1), &Sequential(cancel))
            .unwrap()
    },
    |asked, source, cancel| source.scores(&asked.units(3), Cutoff::NONE, &Sequential(cancel)).unwrap(),
    |asked, source, cancel| {
        let found = source.find_fuzzy(&asked.units(8), Cutoff::Threshold(0.85), &Sequential(cancel)).unwrap();
        found.into_iter().map(|near| near.map_or(-1.0, |near| near.score + near.window.start as f64)).collect()
    },
    // Builds both indexes.
    |asked, source, _| (0..40).flat_map(|_| asked.units(2)).map(|quote| place(source, quote)).collect(),
    |asked, source, _| {
        source.announce(1_000);
        asked.units(24).into_iter().map(|quote| place(source, quote)).collect()
    },
    |asked, source, cancel| {
        let found = source.find_all(TextRef::Ucs4(&asked.quotes[0][..2]), cancel).unwrap();
        found.into_iter().map(|span| span.start as f64).collect()
    },
];

fn place(source: &Source, quote: TextRef<'_>) -> f64 {
    source.find(quote).map_or(-1.0, |span| span.start as f64)
}

impl Asked {
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

    fn answers(&self) -> Vec<Answer> {
        CALLS.iter().map(|call| call(self, &self.source(), &Never)).collect()
    }
}

/// Counts how often `work` checks for cancellation.
fn questions(work: impl FnOnce(&dyn Cancel)) -> usize {
    let count = AtomicUsize::new(0);
    let ask = || {
        count.fetch_add(1, Ordering::Relaxed);
        false
    };
    work(&ask);
    count.into_inner()
}

/// Runs `work`, and `other` inside it at the check with number `moment`.
fn at<R>(moment: usize, other: impl Fn() + Sync, work: impl FnOnce(&dyn Cancel) -> R) -> R {
    let count = AtomicUsize::new(0);
    let ask = || {
        if count.fetch_add(1, Ordering::Relaxed) == moment {
            other();
        }
        false
    };
    work(&ask)
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
    let asked = Asked::new();
    let (answers, mut most) = (asked.answers(), 0);
    permutations(CALLS.len(), &mut |order| {
        let source = asked.source();
        for &index in order {
            assert_eq!(answers[index], CALLS[index](&asked, &source, &Never), "call {index} of {order:?}");
        }
        let (_, kept) = source.heap_bytes();
        assert!(kept <= 9 * CHARS, "{kept} bytes after {order:?}");
        most = most.max(kept);
    });
    assert!(most > 2 * CHARS, "no rows were kept");
}

#[test]
fn a_call_inside_another_changes_neither_result() {
    let asked = Asked::new();
    let answers = asked.answers();
    let mut moments = 0;
    for (outer, call) in CALLS.iter().enumerate() {
        let questions = questions(|cancel| drop(call(&asked, &asked.source(), cancel)));
        moments += questions;
        for (inner, other) in CALLS.iter().enumerate() {
            for moment in 0..questions {
                let source = asked.source();
                let come_in = || assert_eq!(answers[inner], other(&asked, &source, &Never), "{inner} inside {outer}");
                let answer = at(moment, come_in, |cancel| call(&asked, &source, cancel));
                assert_eq!(answers[outer], answer, "{outer} around {inner}, at {moment} of {questions}");
            }
        }
    }
    assert!(moments > 0, "no call could be met half way");
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
    let questions = questions(|cancel| drop(find(&new(), &all[0], cancel)));
    assert!(questions > 0, "the search could not be met half way");
    for (inner, other) in all.iter().enumerate() {
        for moment in 0..questions {
            let patterns = new();
            let come_in = || assert_eq!(expected[inner], find(&patterns, other, &Never), "inside, text {inner}");
            let found = at(moment, come_in, |cancel| find(&patterns, &all[0], cancel));
            assert_eq!(expected[0], found, "around text {inner}, at {moment} of {questions}");
        }
    }
}
