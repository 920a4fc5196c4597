//! Texts of equal length, where either can be the needle.

use crate::oracle;
use crate::oracle::Stored;
use crate::oracle::texts::{self, Random, edited, noise};
use groundwire_engine::{
    Cutoff, Never, Normalizer, Sequential, Source, Span, UNICODE_VERSION, partial_ratio, partial_ratio_alignment,
};
use proptest::prelude::*;

/// Lengths around those at which words and blocks are full, and those at which a narrow band is tried first.
const LENGTHS: [usize; 20] =
    [1, 2, 3, 63, 64, 65, 127, 128, 129, 191, 193, 255, 256, 257, 383, 512, 513, 767, 768, 1025];

/// The score, the start and end of the window, and whether the second text is the needle.
type Found = (f64, usize, usize, bool);

/// Computes [`oracle::partial_ratio`] for texts of equal length: one LCS table gives all prefixes of either text, the
/// table of both reversed all suffixes.
fn best(a: &[u32], b: &[u32]) -> Found {
    let len = a.len();
    let backward = |side: &[u32]| side.iter().rev().copied().collect::<Vec<_>>();
    let (prefixes, suffixes) = (edges(a, b), edges(&backward(a), &backward(b)));
    let scored = |is_swapped: bool| {
        let side = usize::from(is_swapped);
        let windows = (0..=len).map(|chars| (prefixes[side][chars], 0, chars));
        let windows = windows.chain((0..=len).map(|chars| (suffixes[side][chars], len - chars, len)));
        let scored = windows.filter(|(_, start, end)| start < end).map(|(lcs, start, end)| {
            let total = (len + end - start) as f64;
            ((1.0 - (total - 2.0 * lcs as f64) / total) * 100.0, start, end, is_swapped)
        });
        let place = |found: &Found| (found.1, usize::MAX - found.2);
        scored.reduce(|best, next| {
            let is_better = next.0 > best.0 || next.0 == best.0 && place(&next) < place(&best);
            if is_better { next } else { best }
        })
    };
    let (first, second) = (scored(false).unwrap(), scored(true).unwrap());
    if second.0 > first.0 { second } else { first }
}

/// Returns the LCS of `a` with each prefix of `b`, and of each prefix of `a` with `b`.
fn edges(a: &[u32], b: &[u32]) -> [Vec<usize>; 2] {
    let mut row = vec![0; b.len() + 1];
    let mut column = vec![0];
    for x in a {
        let mut diagonal = 0;
        for (index, y) in b.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if x == y { diagonal + 1 } else { above.max(row[index]) };
            diagonal = above;
        }
        column.push(row[b.len()]);
    }
    [row, column]
}

/// Checks every entry point against `truth`, with cutoffs around its score.
fn check(name: &str, a: &[u32], b: &[u32], truth: Found) {
    let (first, second) = (Stored::new(a), Stored::new(b));
    let (a, b) = (first.units(), second.units());
    let score = truth.0;
    let cutoffs = [0.0, 40.0, 85.0, score.next_down(), score, score.next_up(), 100.0, f64::NAN];
    for cutoff in cutoffs {
        let accepted = Some(truth).filter(|_| score >= cutoff);
        let cutoff = Cutoff::Score(cutoff);
        let scored = partial_ratio(a, b, cutoff, &Never).unwrap();
        assert_eq!(accepted.map_or(0.0, |found| found.0), scored, "{name}, {cutoff:?}");
        let found = partial_ratio_alignment(a, b, cutoff, &Never).unwrap();
        assert_eq!(accepted.is_some(), found.is_some(), "{name}, {cutoff:?}");
        if let Some(found) = found.filter(|_| score > 0.0) {
            let found = (found.ratio.score(), found.window.start, found.window.end, found.is_swapped);
            assert_eq!(truth, found, "{name}, {cutoff:?}");
        }
    }
}

/// Returns `needle` with edits, at the same length.
fn copy(needle: &[u32], edits: usize, random: &mut Random) -> Vec<u32> {
    let mut copy = edited(needle, edits, random);
    let last = needle[random.below(needle.len())];
    copy.resize(needle.len(), last);
    copy
}

proptest! {
    #![proptest_config(crate::config(300))]

    #[test]
    fn short_texts_match_the_oracle(
        sides in proptest::collection::vec((0..4_u32, 0..4_u32), 1..40),
        base in proptest::sample::select(vec![0x61, 0x4E00, 0xD800, 0x1_F600]),
    ) {
        let (a, b): (Vec<u32>, Vec<u32>) = sides.into_iter().map(|(x, y)| (base + x, base + y)).unzip();
        let truth = oracle::partial_ratio(&a, &b);
        if truth.0 > 0.0 {
            prop_assert_eq!(truth, best(&a, &b));
        }
        check("small", &a, &b, truth);
    }

    #[test]
    fn edited_copies_match_the_tables(len in 1..700_usize, letters in 1..30_usize, edits in 0..60_usize, turn in 0..50_usize, seed: u32) {
        let mut random = Random(seed);
        let a = noise(len, letters, seed);
        let mut b = copy(&a, edits, &mut random);
        b.rotate_left(turn % len);
        check("a copy", &a, &b, best(&a, &b));
    }
}

#[test]
fn texts_of_every_kind_match_the_tables() {
    for len in LENGTHS {
        let mut random = Random(len as u32);
        let others = texts::all(len, 77);
        for (index, (name, text)) in texts::all(len, 5).into_iter().enumerate() {
            for other in [&others[index].1, &others[(index + 1) % others.len()].1] {
                check(&format!("{name}, {len}"), &text, other, best(&text, other));
            }
            for edits in [1, len / 40, len / 8] {
                let other = copy(&text, edits, &mut random);
                check(&format!("{name}, {len}, {edits} edits"), &text, &other, best(&text, &other));
            }
        }
    }
}

/// A deleted passage and an inserted one move most of the copy far off the diagonal, where the first band does not find
/// it.
#[test]
fn a_copy_far_off_the_diagonal_is_found() {
    for (len, moved) in [(800, 30), (1000, 300), (2000, 900), (3000, 80)] {
        let text = texts::prose(len, 3);
        let mut other = text.clone();
        other.drain(len / 4..len / 4 + moved);
        other.extend(noise(moved, 26, 9));
        check("moved", &text, &other, best(&text, &other));
        check("moved back", &other, &text, best(&other, &text));
    }
}

#[test]
fn masks_built_block_by_block_give_the_same_result() {
    // With this many distinct characters, the bit masks of the whole needle would take too much memory.
    let len = 24_000;
    let text: Vec<u32> = (0..len).map(|index| 0x4E00 + index * 7 % 20_000).collect();
    let mut other = text.clone();
    (25..len as usize).step_by(50).for_each(|place| other[place] = 0x61);
    let truth = (98.0, 0, len as usize, false);
    check("many characters", &text, &other, truth);
}

#[test]
fn a_source_as_long_as_its_quote_gives_the_same_result() {
    let text = texts::prose(900, 11);
    let source = Source::new(Stored::new(&text).units(), &Normalizer::spec(UNICODE_VERSION), &Never).unwrap();
    let quote = copy(&text, 30, &mut Random(4));
    let (score, start, end, is_swapped) = best(&quote, &text);
    let stored = Stored::new(&quote);
    let found = source.find_fuzzy(&[stored.units()], Cutoff::Score(80.0), &Sequential(&Never)).unwrap()[0].unwrap();
    assert_eq!(score, found.score);
    assert_eq!(if is_swapped { Span::new(0, 900) } else { Span::new(start, end) }, found.window);
    for (threshold, expected) in [(score / 100.0, true), ((score / 100.0).next_up(), false), (0.5, true), (2.0, false)]
    {
        let verdicts = source.verdicts(&[stored.units()], Cutoff::Threshold(threshold), &Sequential(&Never)).unwrap();
        assert_eq!(vec![expected], verdicts, "{threshold}");
    }
}
