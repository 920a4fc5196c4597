//! Many fixed patterns in many texts: one automaton, all occurrences.
//!
//! Patterns and texts are compared as raw code points, lone surrogates included, so both are
//! written in the generalised UTF-8 that encodes surrogates like other characters. A text that is
//! ASCII already is searched where it stands.

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};

use crate::interrupt::{Interrupt, Meter};
use crate::text::{Unit, Units, with_units};
use crate::words::is_word_boundary;
use crate::{Error, Span};

/// Bytes searched between two looks at the clock.
const BLOCK_BYTES: usize = 1 << 22;

/// Up to this many bytes of patterns the faster kind of automaton is affordable: it takes up to a
/// KB for each of them.
const MAX_DFA_BYTES: usize = 1 << 14;

/// Patterns prepared once.
#[derive(Debug)]
pub struct Patterns {
    automaton: AhoCorasick,
    lens_chars: Vec<u32>,
    max_bytes: usize,
    word_boundaries: bool,
}

/// An occurrence of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternMatch {
    /// The pattern's place in the list.
    pub pattern: usize,
    /// Where it stands, in characters of the text.
    pub span: Span,
}

impl Patterns {
    /// Prepares `patterns`. With `word_boundaries`, only occurrences count that start and end
    /// between words (of Unicode; anywhere in Han, Kana, Thai and other scripts without spaces).
    ///
    /// # Errors
    ///
    /// A pattern is empty, or all together are too large for an automaton.
    pub fn new(patterns: &[Units<'_>], word_boundaries: bool) -> Result<Self, Error> {
        if let Some(index) = patterns.iter().position(Units::is_empty) {
            return Err(Error::EmptyPattern { index });
        }
        let encoded: Vec<Vec<u8>> = patterns.iter().map(|&pattern| encode(pattern)).collect();
        let chars = patterns.iter().map(Units::len).sum();
        let is_small = encoded.iter().map(Vec::len).sum::<usize>() <= MAX_DFA_BYTES;
        let kind = if is_small { AhoCorasickKind::DFA } else { AhoCorasickKind::ContiguousNFA };
        let automaton = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .kind(Some(kind))
            .build(&encoded)
            .map_err(|_| Error::TooManyPatterns { count: patterns.len(), chars })?;
        Ok(Self {
            automaton,
            // Fits: the automaton would have been refused.
            lens_chars: patterns.iter().map(|pattern| pattern.len() as u32).collect(),
            max_bytes: encoded.iter().map(Vec::len).max().unwrap_or(0),
            word_boundaries,
        })
    }

    /// Number of patterns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lens_chars.len()
    }

    /// Whether there is no pattern.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lens_chars.is_empty()
    }

    /// Every occurrence, overlapping ones included, by start and then by pattern.
    ///
    /// # Errors
    ///
    /// `interrupt` asked to stop.
    pub fn find_all(&self, text: Units<'_>, interrupt: &dyn Interrupt) -> Result<Vec<PatternMatch>, Error> {
        let mut matches = match text {
            Units::U8(bytes) if bytes.is_ascii() => self.find_ascii(bytes, interrupt)?,
            _ => self.find_encoded(text, interrupt)?,
        };
        if self.word_boundaries {
            with_units!(text, units => matches.retain(|found| {
                is_word_boundary(units, found.span.start) && is_word_boundary(units, found.span.end)
            }));
        }
        matches.sort_unstable_by_key(|found| (found.span.start, found.pattern));
        Ok(matches)
    }

    fn find_ascii(&self, bytes: &[u8], interrupt: &dyn Interrupt) -> Result<Vec<PatternMatch>, Error> {
        let mut matches = Vec::new();
        self.search(bytes, interrupt, |pattern, end| {
            let start = end - self.lens_chars[pattern] as usize;
            matches.push(PatternMatch { pattern, span: Span::new(start, end) });
        })?;
        Ok(matches)
    }

    fn find_encoded(&self, text: Units<'_>, interrupt: &dyn Interrupt) -> Result<Vec<PatternMatch>, Error> {
        let bytes = encode(text);
        let (mut seen_bytes, mut seen_chars) = (0, 0);
        let mut matches = Vec::new();
        // Occurrences come by their ends, so the characters are counted once.
        self.search(&bytes, interrupt, |pattern, end| {
            seen_chars += count_chars(&bytes[seen_bytes..end]);
            seen_bytes = end;
            let start = seen_chars - self.lens_chars[pattern] as usize;
            matches.push(PatternMatch { pattern, span: Span::new(start, seen_chars) });
        })?;
        Ok(matches)
    }

    /// Calls `found` with pattern and end (in bytes) of every occurrence, by end. The text is
    /// searched in blocks that overlap by the longest pattern, so that a look at the clock fits
    /// in between.
    fn search(
        &self,
        bytes: &[u8],
        interrupt: &dyn Interrupt,
        mut found: impl FnMut(usize, usize),
    ) -> Result<(), Error> {
        let mut meter = Meter::new(interrupt);
        let overlap = self.max_bytes.saturating_sub(1);
        let block = BLOCK_BYTES.max(overlap);
        for done in (0..bytes.len()).step_by(block) {
            let window = done.saturating_sub(overlap)..bytes.len().min(done + block);
            for occurrence in self.automaton.find_overlapping_iter(Input::new(bytes).span(window)) {
                meter.add(1)?;
                if occurrence.end() > done {
                    found(occurrence.pattern().as_usize(), occurrence.end());
                }
            }
            meter.add(block)?;
        }
        Ok(())
    }
}

fn encode(text: Units<'_>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + text.len() / 8);
    with_units!(text, units => units.iter().for_each(|unit| push_code(&mut bytes, unit.code())));
    bytes
}

/// UTF-8 of any code point, surrogates included.
#[inline(always)]
fn push_code(bytes: &mut Vec<u8>, code: u32) {
    let tail = |shift: u32| 0x80 | (code >> shift & 0x3F) as u8;
    match code {
        0..0x80 => bytes.push(code as u8),
        0x80..0x800 => bytes.extend_from_slice(&[0xC0 | (code >> 6) as u8, tail(0)]),
        0x800..0x1_0000 => bytes.extend_from_slice(&[0xE0 | (code >> 12) as u8, tail(6), tail(0)]),
        _ => bytes.extend_from_slice(&[0xF0 | (code >> 18) as u8, tail(12), tail(6), tail(0)]),
    }
}

fn count_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}
