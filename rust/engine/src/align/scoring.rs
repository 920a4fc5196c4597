//! The costs of an alignment.
//!
//! An unpaired character of the quote costs as much as a replaced one. One of the passage costs a quarter of that, so
//! that the alignment continues after inserted text of up to four times the length of the rest. Opening a gap costs
//! extra, and more inside a word of either side, so that whole consecutive words are unpaired rather than scattered
//! letters.

use crate::text::word_break::Class;

/// Opening a gap of the quote: words that the passage lacks.
pub(super) const QUOTE_GAP: i32 = 5;

/// Each character of the gap.
pub(super) const QUOTE_CHAR: i32 = 4;

/// Opening a gap of the passage: words that the quote lacks.
pub(super) const PASSAGE_GAP: i32 = 2;

/// Each character of the gap.
pub(super) const PASSAGE_CHAR: i32 = 1;

/// Each end of a gap inside a word.
pub(super) const INSIDE_WORD: i32 = 2;

/// A gap inside a word of the other side, or an end of the passage inside a word, which splits the word.
pub(super) const WITHIN_WORD: i32 = 6;

/// Replacing a character by another one of the same kind.
const REPLACED: i32 = 4;

/// Replacing a character by one of another kind, which never happens.
pub(super) const NEVER: i32 = i32::MAX / 4;

/// The kind of a character. Only characters of the same kind can be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word character of any script.
    Letter,
    /// Punctuation and symbols.
    Sign,
    /// The one kind of white space that normalised texts have.
    Space,
}

/// Returns the kind of `code`, which has this class.
#[inline]
pub(super) fn kind(code: u32, class: Class) -> Kind {
    match class {
        Class::Word | Class::Unspaced => Kind::Letter,
        Class::Other if code == u32::from(b' ') => Kind::Space,
        Class::Other => Kind::Sign,
    }
}

/// Returns the cost of pairing a character of the quote with one of the passage; each has its kind.
#[inline]
pub(super) fn pair((quote, quote_kind): (u32, Kind), (passage, passage_kind): (u32, Kind)) -> i32 {
    match quote == passage {
        true => 0,
        false if quote_kind == passage_kind => REPLACED,
        false => NEVER,
    }
}
