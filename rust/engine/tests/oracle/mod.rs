//! Oracles: slow and simple definitions of "correct", which every kernel is tested against.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "tests and fuzz targets use some of the oracles each")]

pub mod alignment;
pub mod sets;
pub mod texts;
pub mod typographic;

use groundwire_engine::TextRef;
use unicode_normalization::UnicodeNormalization;

/// Characters as the engine accepts them, in the narrowest width that holds all.
pub enum Stored {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
}

impl Stored {
    pub fn new(codes: &[u32]) -> Self {
        match codes.iter().max().copied().unwrap_or(0) {
            0..=0xFF => Self::U8(codes.iter().map(|&code| code as u8).collect()),
            0x100..=0xFFFF => Self::U16(codes.iter().map(|&code| code as u16).collect()),
            _ => Self::U32(codes.to_vec()),
        }
    }

    pub fn units(&self) -> TextRef<'_> {
        match self {
            Self::U8(units) => TextRef::Ucs1(units),
            Self::U16(units) => TextRef::Ucs2(units),
            Self::U32(units) => TextRef::Ucs4(units),
        }
    }
}

pub fn codes(text: &str) -> Vec<u32> {
    text.chars().map(u32::from).collect()
}

/// Performs the specification's steps one after the other, each over the whole text.
pub fn normalize(text: &str) -> String {
    let text: String =
        text.nfkc().map(fold_quotes).filter(|c| !"\u{200B}\u{200C}\u{200D}\u{FEFF}".contains(*c)).collect();
    words(&without_tags(&text)).to_lowercase()
}

fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1C}'..='\u{1F}').contains(&character)
}

/// Returns the words, joined by single spaces.
fn words(text: &str) -> String {
    text.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn fold_quotes(character: char) -> char {
    match character {
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        other => other,
    }
}

/// Replaces `<[^>]+>` by a space.
fn without_tags(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(open) = rest.find('<') {
        out.push_str(&rest[..open]);
        match rest[open..].find('>') {
            Some(close) if close > 1 => {
                out.push(' ');
                rest = &rest[open + close + 1..];
            }
            _ => {
                out.push('<');
                rest = &rest[open + 1..];
            }
        }
    }
    out + rest
}

/// Returns every start position of `pattern` in `text`.
pub fn find_all(text: &[u32], pattern: &[u32]) -> Vec<usize> {
    if pattern.is_empty() || pattern.len() > text.len() {
        return Vec::new();
    }
    (0..=text.len() - pattern.len()).filter(|&start| text[start..].starts_with(pattern)).collect()
}

/// Returns the length of the longest common subsequence, by the textbook table.
pub fn lcs(a: &[u32], b: &[u32]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for x in a {
        let mut diagonal = 0;
        for (index, y) in b.iter().enumerate() {
            let above = row[index + 1];
            row[index + 1] = if x == y { diagonal + 1 } else { above.max(row[index]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

/// Returns (score, start, end, is_swapped): the best score, the leftmost and then longest window with it in the longer
/// text, and whether that text is `a`.
pub fn partial_ratio(a: &[u32], b: &[u32]) -> (f64, usize, usize, bool) {
    let forward = best_window(a, b);
    let backward = best_window(b, a);
    match a.len().cmp(&b.len()) {
        std::cmp::Ordering::Less => (forward.0, forward.1, forward.2, false),
        std::cmp::Ordering::Greater => (backward.0, backward.1, backward.2, true),
        std::cmp::Ordering::Equal if backward.0 > forward.0 => (backward.0, backward.1, backward.2, true),
        std::cmp::Ordering::Equal => (forward.0, forward.1, forward.2, false),
    }
}

fn best_window(needle: &[u32], text: &[u32]) -> (f64, usize, usize) {
    let (m, n) = (needle.len(), text.len());
    if m > n {
        return (0.0, 0, 0);
    }
    if m == 0 {
        return (if n == 0 { 100.0 } else { 0.0 }, 0, 0);
    }
    let windows = (0..=n - m).map(|i| (i, i + m)).chain((1..m).map(|i| (0, i))).chain((1..m).map(|i| (n - i, n)));
    let scored = windows.map(|(start, end)| {
        let total = (m + end - start) as f64;
        let distance = total - 2.0 * lcs(needle, &text[start..end]) as f64;
        ((1.0 - distance / total) * 100.0, start, end)
    });
    scored.reduce(|best, next| if is_better(next, best) { next } else { best }).unwrap_or((0.0, 0, 0))
}

fn is_better(a: (f64, usize, usize), b: (f64, usize, usize)) -> bool {
    a.0 > b.0 || (a.0 == b.0 && (a.1 < b.1 || (a.1 == b.1 && a.2 > b.2)))
}

#[test]
fn the_oracles_reproduce_known_examples() {
    assert_eq!("i can't sleep < 5", normalize("  I can’t \u{200B}<laughs> sleep < 5"));
    assert_eq!(vec![0, 2], find_all(&codes("ababa"), &codes("aba")));
    assert_eq!(3, lcs(&codes("abcd"), &codes("zbycxd")));
    assert_eq!((80.0, 0, 2, false), partial_ratio(&codes("aba"), &codes("aab")));
    assert_eq!((100.0, 1, 3, true), partial_ratio(&codes("zabz"), &codes("ab")));
}
