//! What it costs that two texts differ.
//!
//! A character of the quote without a partner costs as much as a wrong one. One of the passage
//! costs a quarter of that, so that the span goes on behind inserted text of up to four times the
//! length of what follows. Beginning a gap costs extra, and more so inside a word of either side: whole
//! words in a row are left out rather than single letters here and there.

use crate::text::word_break::Class;

/// A gap in the quote: words that it has and the passage lacks.
pub(super) const QUOTE_GAP: i32 = 5;

/// Each of its characters.
pub(super) const QUOTE_CHAR: i32 = 4;

/// A gap in the passage: words that it has and the quote lacks.
pub(super) const PASSAGE_GAP: i32 = 2;

/// Each of its characters.
pub(super) const PASSAGE_CHAR: i32 = 1;

/// Each end of a gap that is inside a word.
pub(super) const INSIDE_WORD: i32 = 2;

/// A gap that is inside a word of the other side, or an end of the passage inside a word: it takes
/// the word apart.
pub(super) const WITHIN_WORD: i32 = 6;

/// A character for another of its kind.
const REPLACED: i32 = 4;

/// A character for one of another kind: never.
pub(super) const NEVER: i32 = i32::MAX / 4;

/// Characters of the same kind may stand for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Of a word in any script.
    Letter,
    /// Punctuation and symbols.
    Sign,
    /// The one kind of white space that normalised texts have.
    Space,
}

/// What kind of character `code` of this class is.
#[inline]
pub(super) fn kind(code: u32, class: Class) -> Kind {
    match class {
        Class::Word | Class::Unspaced => Kind::Letter,
        Class::Other if code == u32::from(b' ') => Kind::Space,
        Class::Other => Kind::Sign,
    }
}

/// What it costs that a character of the quote stands for one of the passage: each with its kind.
#[inline]
pub(super) fn pair((quote, quote_kind): (u32, Kind), (passage, passage_kind): (u32, Kind)) -> i32 {
    match quote == passage {
        true => 0,
        false if quote_kind == passage_kind => REPLACED,
        false => NEVER,
    }
}
