//! Multi-pattern search: all occurrences of many patterns in one or more texts.
//!
//! Patterns and texts are compared as raw code points, including lone surrogates, each text in its own width.
//! Constructing a set only copies the patterns. The first search makes a plan (`plan.rs`) and builds indexes, which
//! later searches reuse (`group_index.rs`).

mod anchors;
mod automaton;
mod comparison_budget;
pub(crate) mod gram_filter;
mod gram_frequencies;
pub(crate) mod gram_table;
mod group_index;
mod nearly_sorted;
mod pattern_ends;
mod pattern_sets;
mod pattern_store;
mod plan;

use std::sync::OnceLock;

use self::automaton::Automaton;
use self::comparison_budget::{ComparisonBudget, SearchStop};
use self::group_index::WidthStore;
use self::nearly_sorted::NearlySorted;
use self::pattern_sets::PatternStores;
use crate::cancel::Cancel;
use crate::error::check_chars_up_to;
use crate::text::word_break::is_word_boundary;
use crate::text::{CodeUnit, Text, TextRef};
use crate::{Error, Span};

/// Cost of comparing one candidate, in characters read by the next strategy.
const CHARS_PER_COMPARISON: usize = 2;

/// Cost of building an automaton, in comparisons per pattern character.
const COMPARISONS_PER_STATE: usize = 4;

/// Minimum number of candidates compared in any text.
const MIN_COMPARISONS: usize = 1 << 12;

/// A set of patterns, for any number of searches in any number of threads.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, PatternSet, Text};
///
/// let patterns = PatternSet::new(&[Text::from("art").units()], true)?;
/// assert_eq!(patterns.find_all("the start of an art", &Never)?.len(), 1);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct PatternSet {
    sets: PatternStores,
    automaton: OnceLock<Option<Automaton>>,
    lens_chars: Vec<u32>,
    chars: usize,
    word_boundaries: bool,
}

/// An occurrence of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternMatch {
    /// The index of the pattern.
    pub pattern: usize,
    /// The span of the occurrence in the text, in characters.
    pub span: Span,
}

/// An iterator over occurrences, sorted by start, then by pattern.
#[derive(Debug)]
pub struct PatternMatches<'a> {
    /// The start in the high half, the pattern in the low half.
    keys: std::vec::IntoIter<u64>,
    lens_chars: &'a [u32],
}

/// The search strategy, which affects the time and never the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "internals"), expect(unreachable_pub, reason = "only tests choose"))]
pub enum Strategy {
    /// The plan, then the fallback plan if the first becomes too expensive.
    Planned,
    /// The fallback plan.
    Fallback,
    /// One pattern after another.
    Each,
    /// Q-grams of `chars` characters at every `step`-th position.
    #[cfg(feature = "internals")]
    GramTable {
        /// Number of characters in a q-gram: 1, 2, 3, 4, 5, 8 or 16.
        chars: usize,
        /// Distance of the positions, in characters.
        step: usize,
    },
    /// One automaton for all patterns.
    #[cfg(feature = "internals")]
    Automaton,
}

/// Maximum length of a text, in characters: the start of an occurrence takes half of a 64-bit key.
const MAX_TEXT_CHARS: usize = u32::MAX as usize;

/// Checks that offsets into `count` patterns with `chars` characters in total fit 32 bits.
fn check_patterns(count: usize, chars: usize) -> Result<(), Error> {
    if u32::try_from(chars).is_err() { Err(Error::TooManyPatterns { count, chars }) } else { Ok(()) }
}

impl PatternSet {
    /// Copies `patterns`. With `word_boundaries`, an occurrence must start and end at a Unicode word boundary. Scripts
    /// without spaces, such as Han, kana and Thai, have a boundary at every character.
    ///
    /// # Errors
    ///
    /// Returns an error if a pattern is empty, or if all patterns together have more than 2³² - 1 characters.
    pub fn new(patterns: &[TextRef<'_>], word_boundaries: bool) -> Result<Self, Error> {
        if let Some(index) = patterns.iter().position(TextRef::is_empty) {
            return Err(Error::EmptyPattern { index });
        }
        let chars = patterns.iter().map(TextRef::len).fold(0, usize::saturating_add);
        check_patterns(patterns.len(), chars)?;
        let sets = PatternStores::default();
        // Stores all patterns in the width of the widest one. Other widths are derived when a text needs them.
        let given = patterns.iter().copied();
        if patterns.iter().any(|pattern| matches!(pattern, TextRef::Ucs4(_))) {
            sets.ucs4.get_or_init(|| WidthStore::new(given, chars));
        } else if patterns.iter().any(|pattern| matches!(pattern, TextRef::Ucs2(_))) {
            sets.ucs2.get_or_init(|| WidthStore::new(given, chars));
        } else {
            sets.ucs1.get_or_init(|| WidthStore::new(given, chars));
        }
        // Fits, because the sum of all lengths does.
        let lens_chars = patterns.iter().map(|pattern| pattern.len() as u32).collect();
        Ok(Self { sets, automaton: OnceLock::new(), lens_chars, chars, word_boundaries })
    }

    /// Returns the number of patterns.
    #[must_use]
    pub fn len(&self) -> usize {
        self.lens_chars.len()
    }

    /// Returns whether there are no patterns.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lens_chars.is_empty()
    }

    /// Returns the total number of characters of all patterns, which the first search reads in addition to its text.
    #[must_use]
    pub fn chars(&self) -> usize {
        self.chars
    }

    /// Returns all occurrences, including overlapping ones, sorted by start, then by pattern.
    ///
    /// # Complexity
    ///
    /// For `n` characters of text, `n / 64` (long patterns) to `n` lookups, plus one comparison for each candidate. If
    /// there are too many candidates, the search looks up every position for the rarest q-gram of each pattern; if
    /// there are still too many, it switches to an automaton. So the worst case is linear in text, patterns and
    /// occurrences.
    ///
    /// # Errors
    ///
    /// Returns an error if `text` has more than 2³² - 1 characters, or if `cancel` requests cancellation.
    pub fn find_all<'t>(&self, text: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<PatternMatches<'_>, Error> {
        self.find_all_by(text.into().units(), Strategy::Planned, cancel)
    }

    /// Returns the result of [`find_all`](Self::find_all), computed by `strategy`.
    pub(crate) fn find_all_by(
        &self,
        text: TextRef<'_>,
        strategy: Strategy,
        cancel: &dyn Cancel,
    ) -> Result<PatternMatches<'_>, Error> {
        check_chars_up_to(text.len(), MAX_TEXT_CHARS)?;
        let keys = match text {
            TextRef::Ucs1(units) => self.search(self.sets.ucs1(), units, text, strategy, cancel),
            TextRef::Ucs2(units) => self.search(self.sets.ucs2(), units, text, strategy, cancel),
            TextRef::Ucs4(units) => self.search(self.sets.ucs4(), units, text, strategy, cancel),
        }?;
        Ok(PatternMatches { keys: keys.into_sorted().into_iter(), lens_chars: &self.lens_chars })
    }

    /// Returns the keys of all occurrences in `units`, the code units of `text`.
    fn search<T: CodeUnit>(
        &self,
        set: &WidthStore<T>,
        units: &[T],
        text: TextRef<'_>,
        strategy: Strategy,
        cancel: &dyn Cancel,
    ) -> Result<NearlySorted, Error> {
        let mut keys = NearlySorted::default();
        let planned = [Strategy::Planned, Strategy::Fallback];
        let tries = if strategy == Strategy::Planned { &planned[..] } else { &[strategy] };
        for &strategy in tries {
            match self.search_index(set, units, strategy, cancel, &mut keys) {
                Ok(()) => return Ok(keys),
                Err(SearchStop::Interrupted(error)) => return Err(error),
                Err(SearchStop::Exhausted) => keys.clear(),
            }
        }
        if let Some(automaton) = self.automaton.get_or_init(|| self.sets.automaton()) {
            automaton.search(text, cancel, |pattern, start| self.keep(units, pattern, start, &mut keys))?;
        } else if let Err(SearchStop::Interrupted(error)) =
            self.search_index(set, units, Strategy::Each, cancel, &mut keys)
        {
            return Err(error);
        }
        Ok(keys)
    }

    fn search_index<T: CodeUnit>(
        &self,
        set: &WidthStore<T>,
        units: &[T],
        strategy: Strategy,
        cancel: &dyn Cancel,
        keys: &mut NearlySorted,
    ) -> Result<(), SearchStop> {
        let forced;
        let comparisons = self.max_comparisons(set, units.len(), strategy);
        let index = match strategy {
            Strategy::Planned => set.index(units),
            Strategy::Fallback => set.fallback_index(units),
            Strategy::Each => {
                forced = set.forced_index(0, 0, units);
                &forced
            }
            #[cfg(feature = "internals")]
            Strategy::GramTable { chars, step } => {
                forced = set.forced_index(chars, step, units);
                &forced
            }
            #[cfg(feature = "internals")]
            Strategy::Automaton => return Err(SearchStop::Exhausted),
        };
        let mut work = ComparisonBudget::new(cancel, comparisons, units.len());
        index.search(set.patterns(), units, &mut work, |pattern, start| self.keep(units, pattern, start, keys))
    }

    /// Appends an occurrence, unless word boundaries are required and it violates them.
    #[inline(always)]
    fn keep<T: CodeUnit>(&self, units: &[T], pattern: usize, start: usize, keys: &mut NearlySorted) {
        let end = start + self.lens_chars[pattern] as usize;
        if !self.word_boundaries || (is_word_boundary(units, start) && is_word_boundary(units, end)) {
            keys.push((start as u64) << 32 | pattern as u64);
        }
    }

    /// Returns the number of comparisons that cost as much as the next strategy, including its preparation.
    fn max_comparisons<T: CodeUnit>(&self, set: &WidthStore<T>, text_chars: usize, strategy: Strategy) -> usize {
        let build = match strategy {
            Strategy::Planned if set.has_fallback_index() => 0,
            Strategy::Planned => self.chars,
            _ if self.automaton.get().is_some() => 0,
            _ => self.chars * COMPARISONS_PER_STATE,
        };
        MIN_COMPARISONS + build + text_chars / CHARS_PER_COMPARISON
    }
}

impl Iterator for PatternMatches<'_> {
    type Item = PatternMatch;

    #[inline]
    fn next(&mut self) -> Option<PatternMatch> {
        let key = self.keys.next()?;
        let (pattern, start) = ((key & 0xFFFF_FFFF) as usize, (key >> 32) as usize);
        Some(PatternMatch { pattern, span: Span::new(start, start + self.lens_chars[pattern] as usize) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.keys.size_hint()
    }
}

impl ExactSizeIterator for PatternMatches<'_> {}

// On 32-bit platforms, every number of characters is allowed.
#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn positions_in_all_patterns_have_32_bits() {
        assert_eq!(Ok(()), check_patterns(2, u32::MAX as usize));
        let error = Err(Error::TooManyPatterns { count: 2, chars: 1 << 32 });
        assert_eq!(error, check_patterns(2, 1 << 32));
    }

    #[test]
    fn positions_in_a_text_have_32_bits() {
        assert_eq!(Ok(()), check_chars_up_to((1 << 32) - 1, MAX_TEXT_CHARS));
        let error = Err(Error::TextTooLong { len: 1 << 32, max: (1 << 32) - 1 });
        assert_eq!(error, check_chars_up_to(1 << 32, MAX_TEXT_CHARS));
        // The key of the last pattern at the last position.
        assert_eq!(u64::MAX, (MAX_TEXT_CHARS as u64) << 32 | u64::from(u32::MAX));
    }
}
