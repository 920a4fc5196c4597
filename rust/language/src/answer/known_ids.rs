//! The ids in use, and what looks like one of them.

use std::collections::HashSet;

use groundwire_engine::TextRef;

/// Ids with brackets in them that are longer than this are not looked for.
const MAX_BRACKETED_CHARS: usize = 256;
/// An id may hold so many separators of lists; of one with more only the whole bracket is looked up.
const MAX_SEPARATORS: usize = 8;
/// A run of letters and digits that changes between them as often is taken for a hash.
const MIN_HASH_CHANGES: usize = 2;

/// What an id in an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is in use.
    Valid,
    /// It looks like those in use and is none of them.
    Invalid,
    /// It does not look like them, and is no citation.
    Ignored,
}

/// The ids that an answer can cite, in code points.
#[derive(Clone)]
pub struct Ids {
    known: HashSet<Vec<u32>>,
    shapes: HashSet<Vec<u32>>,
    /// Those with brackets in them, sorted.
    bracketed: Vec<Vec<u32>>,
    /// The most separators of lists that one of them holds.
    separators: usize,
}

impl Ids {
    /// Prepares `ids`; empty ones and duplicates do not matter.
    ///
    /// Two ids look alike if they have the same shape: runs of digits are as good as each other,
    /// runs of letters too, every other character stands for itself. Of a hash, the lengths between
    /// its separators are the shape. Where there are no ids, numbers look like them.
    pub fn new<'a>(ids: impl IntoIterator<Item = TextRef<'a>>) -> Self {
        let known: HashSet<Vec<u32>> = ids.into_iter().map(|id| trim(&id.to_code_points()).to_vec()).collect();
        let mut shapes: HashSet<Vec<u32>> = known.iter().filter(|id| !id.is_empty()).map(|id| shape(id)).collect();
        if shapes.is_empty() {
            shapes.insert(vec![DIGITS]);
        }
        shapes.extend(known.iter().filter(|id| is_hash(id)).map(|id| lengths(id)));
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

    pub(super) fn standing(&self, id: &[u32]) -> Standing {
        if self.is_known(id) {
            Standing::Valid
        } else if !id.is_empty() && (self.shapes.contains(&shape(id)) || self.shapes.contains(&lengths(id))) {
            Standing::Invalid
        } else {
            Standing::Ignored
        }
    }

    /// How many separators of lists an id may hold.
    pub(super) fn separators(&self) -> usize {
        self.separators
    }

    /// The length of the longest id with brackets in it that `codes` begin with, if `]` follows,
    /// and how many characters were looked at.
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

/// Whether `code` parts the ids of one citation.
pub(super) fn is_separator(code: u32) -> bool {
    matches!(char::from_u32(code), Some(',' | ';' | '，' | '；' | '、'))
}

fn is_bracket(code: u32) -> bool {
    matches!(char::from_u32(code), Some('[' | ']' | '【' | '】'))
}

/// `codes` without white space around them.
pub(super) fn trim(codes: &[u32]) -> &[u32] {
    let is_space = |&code: &u32| char::from_u32(code).is_some_and(char::is_whitespace);
    let start = codes.iter().position(|code| !is_space(code)).unwrap_or(codes.len());
    let end = codes.iter().rposition(|code| !is_space(code)).map_or(start, |last| last + 1);
    &codes[start..end]
}

// Beyond Unicode, so that no character is taken for them.
const DIGITS: u32 = 0x11_0000;
const LETTERS: u32 = 0x11_0001;
const LENGTHS: u32 = 0x11_0002;

/// What `code` counts as in a shape.
fn kind(code: u32) -> u32 {
    match char::from_u32(code) {
        Some(character) if character.is_numeric() => DIGITS,
        Some(character) if character.is_alphabetic() => LETTERS,
        _ => code,
    }
}

fn shape(id: &[u32]) -> Vec<u32> {
    let mut shape = Vec::with_capacity(id.len());
    for kind in id.iter().map(|&code| kind(code)) {
        if kind < DIGITS || shape.last() != Some(&kind) {
            shape.push(kind);
        }
    }
    shape
}

/// How long the runs of letters and digits are, and what stands between them.
fn lengths(id: &[u32]) -> Vec<u32> {
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
