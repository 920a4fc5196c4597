//! The ids that an answer can cite, and ids of the same shape.

use std::collections::HashSet;

use groundwire_engine::TextRef;

/// Maximum length of an id with brackets inside; longer ones are not matched.
const MAX_BRACKETED_CHARS: usize = 256;
/// Maximum number of list separators inside an id. An id with more of them matches only as a whole bracket.
const MAX_SEPARATORS: usize = 8;
/// Minimum number of changes between letters and digits in a run that counts as a hash.
const MIN_HASH_CHANGES: usize = 2;

/// The status of an id or a marker in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerStatus {
    /// The id is known.
    Valid,
    /// The id has the shape of the known ids but is not one of them.
    Invalid,
    /// The id has another shape, so it is not a citation.
    Ignored,
}

/// The ids that an answer can cite, in code points.
#[derive(Clone)]
pub struct KnownIds {
    known: HashSet<Vec<u32>>,
    shapes: HashSet<Vec<u32>>,
    /// The ids with brackets inside, sorted.
    bracketed: Vec<Vec<u32>>,
    /// The maximum number of list separators in any id.
    separators: usize,
}

impl KnownIds {
    /// Prepares `ids`; empty ones and duplicates are ignored.
    ///
    /// In the shape of an id, every run of digits counts as the same symbol, and so does every run of letters; all
    /// other characters stand for themselves. A hash also has the shape of its run lengths. Without any ids, the only
    /// shape is a number.
    pub fn new<'a>(ids: impl IntoIterator<Item = TextRef<'a>>) -> Self {
        let known: HashSet<Vec<u32>> = ids.into_iter().map(|id| trim(&id.to_code_points()).to_vec()).collect();
        let mut shapes: HashSet<Vec<u32>> = known.iter().filter(|id| !id.is_empty()).map(|id| id_shape(id)).collect();
        if shapes.is_empty() {
            shapes.insert(vec![DIGITS]);
        }
        shapes.extend(known.iter().filter(|id| is_hash(id)).map(|id| run_lengths(id)));
        let count = |id: &Vec<u32>| id.iter().filter(|&&code| is_separator(code)).count();
        let separators = known.iter().map(count).max().unwrap_or(0).min(MAX_SEPARATORS);
        let is_bracketed = |id: &&Vec<u32>| id.len() <= MAX_BRACKETED_CHARS && id.iter().any(|&code| is_bracket(code));
        let mut bracketed: Vec<_> = known.iter().filter(is_bracketed).cloned().collect();
        bracketed.sort_unstable();
        Self { known, shapes, bracketed, separators }
    }

    pub(super) fn is_known(&self, id: &[u32]) -> bool {
        !id.is_empty() && self.known.contains(id)
    }

    pub(super) fn status(&self, id: &[u32]) -> MarkerStatus {
        if self.is_known(id) {
            MarkerStatus::Valid
        } else if !id.is_empty() && (self.shapes.contains(&id_shape(id)) || self.shapes.contains(&run_lengths(id))) {
            MarkerStatus::Invalid
        } else {
            MarkerStatus::Ignored
        }
    }

    /// Returns the maximum number of list separators in an id.
    pub(super) fn separators(&self) -> usize {
        self.separators
    }

    /// Returns the length of the longest id with brackets that `codes` begin with and `closing` follows, and the number of
    /// characters examined.
    pub(super) fn bracketed(&self, codes: impl Iterator<Item = u32>, closing: u32) -> (Option<usize>, usize) {
        let mut candidates = &self.bracketed[..];
        let mut longest = None;
        let mut depth = 0;
        for code in codes {
            let complete = candidates.partition_point(|id| id.len() == depth);
            if complete > 0 && code == closing {
                longest = Some(depth);
            }
            candidates = &candidates[complete..];
            let first = candidates.partition_point(|id| id[depth] < code);
            let last = candidates.partition_point(|id| id[depth] <= code);
            candidates = &candidates[first..last];
            if candidates.is_empty() {
                break;
            }
            depth += 1;
        }
        (longest, depth)
    }
}

/// Returns whether `code` separates the ids of one citation.
pub(super) fn is_separator(code: u32) -> bool {
    matches!(char::from_u32(code), Some(',' | ';' | '，' | '；' | '、'))
}

fn is_bracket(code: u32) -> bool {
    matches!(char::from_u32(code), Some('[' | ']' | '【' | '】'))
}

/// Returns `codes` without surrounding white space.
pub(super) fn trim(codes: &[u32]) -> &[u32] {
    let is_space = |&code: &u32| char::from_u32(code).is_some_and(char::is_whitespace);
    let start = codes.iter().position(|code| !is_space(code)).unwrap_or(codes.len());
    let end = codes.iter().rposition(|code| !is_space(code)).map_or(start, |last| last + 1);
    &codes[start..end]
}

// These symbols are above U+10FFFF, so they equal no character.
const DIGITS: u32 = 0x11_0000;
const LETTERS: u32 = 0x11_0001;
const LENGTHS: u32 = 0x11_0002;

/// Returns the symbol of `code` in a shape.
fn kind(code: u32) -> u32 {
    match char::from_u32(code) {
        Some(character) if character.is_numeric() => DIGITS,
        Some(character) if character.is_alphabetic() => LETTERS,
        _ => code,
    }
}

fn id_shape(id: &[u32]) -> Vec<u32> {
    let mut shape = Vec::with_capacity(id.len());
    for kind in id.iter().map(|&code| kind(code)) {
        if kind < DIGITS || shape.last() != Some(&kind) {
            shape.push(kind);
        }
    }
    shape
}

/// Returns the lengths of the runs of letters and digits, and the characters between them.
fn run_lengths(id: &[u32]) -> Vec<u32> {
    let mut lengths = vec![LENGTHS];
    let mut run = 0;
    for kind in id.iter().map(|&code| kind(code)) {
        if kind >= DIGITS {
            run += 1;
        } else {
            lengths.extend([LENGTHS + run, kind]);
            run = 0;
        }
    }
    lengths.push(LENGTHS + run);
    lengths
}

fn is_hash(id: &[u32]) -> bool {
    let kinds: Vec<u32> = id.iter().map(|&code| kind(code)).collect();
    let runs = kinds.split(|&kind| kind < DIGITS);
    runs.into_iter().any(|run| run.windows(2).filter(|pair| pair[0] != pair[1]).count() >= MIN_HASH_CHANGES)
}
