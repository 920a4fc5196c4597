//! Alignment costs.
//!
//! An unpaired quote character costs as much as a replaced one. An unpaired passage character costs a quarter of that,
//! so the alignment continues after inserted text of up to four times the length of the rest. Opening a gap costs
//! extra, and more inside a word of either text, so that whole consecutive words stay unpaired rather than scattered
//! letters.

use crate::text::word_break::Class;

/// The cost of opening a quote gap: a run of quote characters that the passage lacks.
pub(super) const QUOTE_GAP: i32 = 5;

/// The cost of each character of a quote gap.
pub(super) const QUOTE_CHAR: i32 = 4;

/// The cost of opening a passage gap: a run of passage characters that the quote lacks.
pub(super) const PASSAGE_GAP: i32 = 2;

/// The cost of each character of a passage gap.
pub(super) const PASSAGE_CHAR: i32 = 1;

/// The extra cost of each end of a gap that falls inside a word.
pub(super) const INSIDE_WORD: i32 = 2;

/// The extra cost of a gap inside a word of the other text, or of an end of the passage inside a word: both split the
/// word.
pub(super) const WITHIN_WORD: i32 = 6;

/// The cost of replacing a character by another one of the same kind.
const REPLACED: i32 = 4;

/// The cost of replacing a character by one of another kind: high enough that no alignment does, and low enough that
/// sums do not overflow.
pub(super) const NEVER: i32 = i32::MAX / 4;

/// The kind of a character. Only characters of the same kind can be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word character of any script.
    Letter,
    /// Punctuation or a symbol.
    Sign,
    /// A space, the only white space in a normalised text.
    Space,
}

/// Returns the kind of the code point `code`, whose word class is `class`.
#[inline]
pub(super) fn kind(code: u32, class: Class) -> Kind {
    match class {
        Class::Word | Class::Unspaced => Kind::Letter,
        Class::Other if code == u32::from(b' ') => Kind::Space,
        Class::Other => Kind::Sign,
    }
}

/// Returns the cost of pairing a quote character with a passage character, each given with its kind.
#[inline]
pub(super) fn pair((quote, quote_kind): (u32, Kind), (passage, passage_kind): (u32, Kind)) -> i32 {
    match quote == passage {
        true => 0,
        false if quote_kind == passage_kind => REPLACED,
        false => NEVER,
    }
}
