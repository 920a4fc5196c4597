//! What can go wrong. No message ever contains the caller's text.

use crate::text::MAX_CHARS;

/// Every failure of the engine.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Error, PatternSet, Text};
///
/// let empty = PatternSet::new(&[Text::from("").units()], false);
/// assert_eq!(empty.unwrap_err(), Error::EmptyPattern { index: 0 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller's [`Cancel`](crate::Cancel) asked to stop.
    #[error("interrupted")]
    Cancelled,
    /// Positions are 31-bit numbers, and 32-bit ones where patterns are searched for.
    #[error("text has {len} characters; at most {max} are supported")]
    TextTooLong {
        /// Characters in the text, after normalisation where that is the longer one.
        len: usize,
        /// The most that are supported.
        max: usize,
    },
    /// A pattern without a character matches everywhere and says nothing.
    #[error("pattern {index} is empty; every pattern needs at least one character")]
    EmptyPattern {
        /// Its place in the list that was given.
        index: usize,
    },
    /// Places in all patterns together are 32-bit numbers.
    #[error("{count} patterns have {chars} characters together; at most {} are supported", u32::MAX)]
    TooManyPatterns {
        /// Number of patterns.
        count: usize,
        /// Their characters, added up.
        chars: usize,
    },
    /// Tokens and texts of an index have numbers of 32 bits.
    #[error("the index is full: it holds fewer than 2³¹ different tokens, and fewer than 2³² of all texts together")]
    IndexFull,
    /// An index finds nothing below the similarity that it was made for.
    #[error("the threshold is below the index's floor")]
    BelowFloor,
    /// All vectors of an index have the same length.
    #[error("a vector of this index has {dimensions} finite values")]
    WrongVector {
        /// Values of each vector.
        dimensions: usize,
    },
}

/// Checks that a text of `len` characters is no longer than [`MAX_CHARS`](crate::MAX_CHARS).
///
/// # Errors
///
/// [`Error::TextTooLong`].
///
/// # Examples
///
/// ```
/// assert!(groundwire_engine::check_chars(1_000_000).is_ok());
/// ```
pub const fn check_chars(len: usize) -> Result<(), Error> {
    check_chars_up_to(len, MAX_CHARS)
}

/// The same for another limit.
pub(crate) const fn check_chars_up_to(len: usize, max: usize) -> Result<(), Error> {
    if len > max { Err(Error::TextTooLong { len, max }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_text_has_31_bit_positions() {
        assert_eq!(Ok(()), check_chars(0));
        assert_eq!(Ok(()), check_chars((1 << 31) - 1));
        assert_eq!(Err(Error::TextTooLong { len: 1 << 31, max: (1 << 31) - 1 }), check_chars(1 << 31));
        assert_eq!(Err(Error::TextTooLong { len: usize::MAX, max: (1 << 31) - 1 }), check_chars(usize::MAX));
    }
}
