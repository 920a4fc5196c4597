//! One Aho–Corasick automaton for all patterns: the strategy with a linear worst case.
//!
//! It is linear in the text and the occurrences, but expensive to build, and visits every character. So it is used only
//! after comparisons have become as expensive ([`SearchStop::Exhausted`](super::comparison_budget::SearchStop)).
//! Patterns and texts are encoded in generalised UTF-8, which includes lone surrogates; ASCII texts are searched
//! unchanged.

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};

use super::pattern_store::PatternStore;
use crate::Error;
use crate::cancel::{Cancel, CancelMeter};
use crate::text::{CodeUnit, TextRef, begins_character, dispatch, push_code};

/// Number of bytes searched between two checks of the meter.
const BLOCK_BYTES: usize = 1 << 22;

/// Maximum total number of pattern bytes for a DFA, which takes up to 1 KiB per byte.
const MAX_DFA_BYTES: usize = 1 << 14;

#[derive(Debug)]
pub(super) struct Automaton {
    automaton: AhoCorasick,
    lens_chars: Vec<u32>,
    max_bytes: usize,
}

impl Automaton {
    /// Builds the automaton. Returns `None` if the patterns need 2³¹ states or more.
    pub(super) fn new<T: CodeUnit>(patterns: &PatternStore<T>) -> Option<Self> {
        let encoded: Vec<Vec<u8>> = patterns.iter().map(encode).collect();
        let is_small = encoded.iter().map(Vec::len).sum::<usize>() <= MAX_DFA_BYTES;
        let kind = if is_small { AhoCorasickKind::DFA } else { AhoCorasickKind::ContiguousNFA };
        let automaton = AhoCorasick::builder().match_kind(MatchKind::Standard).kind(Some(kind)).build(&encoded).ok()?;
        Some(Self {
            automaton,
            lens_chars: patterns.iter().map(|needle| needle.len() as u32).collect(),
            max_bytes: encoded.iter().map(Vec::len).max().unwrap_or(0),
        })
    }

    /// Calls `found(pattern, start)` with every occurrence, ordered by end.
    pub(super) fn search(
        &self,
        text: TextRef<'_>,
        cancel: &dyn Cancel,
        mut found: impl FnMut(usize, usize),
    ) -> Result<(), Error> {
        if let TextRef::Ucs1(bytes) = text
            && bytes.is_ascii()
        {
            return self.search_bytes(bytes, cancel, |index, end| {
                found(index, end - self.lens_chars[index] as usize);
            });
        }
        let bytes = dispatch!(text, units => encode(units));
        let (mut counted_bytes, mut counted_chars) = (0, 0);
        // Occurrences are ordered by end, so each character is counted only once.
        self.search_bytes(&bytes, cancel, |index, end| {
            counted_chars += count_chars(&bytes[counted_bytes..end]);
            counted_bytes = end;
            found(index, counted_chars - self.lens_chars[index] as usize);
        })
    }

    /// Calls `found` with the pattern and the end (in bytes) of every occurrence, ordered by end. Searches the text in
    /// blocks that overlap by the longest pattern, and checks the meter between them.
    fn search_bytes(
        &self,
        bytes: &[u8],
        cancel: &dyn Cancel,
        mut found: impl FnMut(usize, usize),
    ) -> Result<(), Error> {
        let mut meter = CancelMeter::new(cancel);
        let overlap = self.max_bytes.saturating_sub(1);
        let block = BLOCK_BYTES.max(overlap);
        for done in (0..bytes.len()).step_by(block) {
            let window = done.saturating_sub(overlap)..bytes.len().min(done + block);
            for occurrence in self.automaton.find_overlapping_iter(Input::new(bytes).span(window)) {
                meter.charge(1)?;
                if occurrence.end() > done {
                    found(occurrence.pattern().as_usize(), occurrence.end());
                }
            }
            meter.charge(block)?;
        }
        Ok(())
    }
}

fn encode<T: CodeUnit>(units: &[T]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(units.len() + units.len() / 8);
    units.iter().for_each(|unit| push_code(&mut bytes, unit.code_point()));
    bytes
}

fn count_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| begins_character(byte)).count()
}
