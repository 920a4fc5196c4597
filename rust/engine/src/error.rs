//! Errors. No message contains the caller's text.

use crate::text::MAX_CHARS;

/// An error of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The caller's [`Cancel`](crate::Cancel) requested cancellation.
    #[error("the call was cancelled")]
    Cancelled,
    /// The text is too long: positions have 31 bits, or 32 bits in a search for patterns.
    #[error("text has {len} characters; at most {max} are supported")]
    TextTooLong {
        /// The length of the text in characters, before or after normalisation, whichever is larger.
        len: usize,
        /// The maximum length in characters.
        max: usize,
    },
    /// A pattern is empty, so it would match everywhere.
    #[error("pattern {index} is empty; every pattern needs at least one character")]
    EmptyPattern {
        /// The index of the pattern.
        index: usize,
    },
    /// The total length of the patterns is too large: positions in them have 32 bits.
    #[error("{count} patterns have {chars} characters together; at most {} are supported", u32::MAX)]
    TooManyPatterns {
        /// The number of patterns.
        count: usize,
        /// Their total length in characters.
        chars: usize,
    },
    /// The index is full: it holds fewer than 2³¹ distinct tokens, and fewer than 2³² tokens in total.
    #[error("the index is full: it holds fewer than 2³¹ distinct tokens, and fewer than 2³² tokens in total")]
    IndexFull,
    /// The threshold is below the minimum threshold of the index.
    #[error("the threshold is below the index's floor")]
    BelowFloor,
    /// The vector has a different number of dimensions than the index, or a value that is not finite.
    #[error("a vector of this index needs {dimensions} finite values")]
    WrongVector {
        /// The number of dimensions of the index.
        dimensions: usize,
    },
}

/// Checks that a text of `len` characters has at most [`MAX_CHARS`](crate::MAX_CHARS).
///
/// # Errors
///
/// [`Error::TextTooLong`] if it has more.
///
/// # Examples
///
/// ```
/// assert!(groundwire_engine::check_chars(1_000_000).is_ok());
/// ```
pub const fn check_chars(len: usize) -> Result<(), Error> {
    check_chars_up_to(len, MAX_CHARS)
}

/// Checks that a text of `len` characters has at most `max`.
pub(crate) const fn check_chars_up_to(len: usize, max: usize) -> Result<(), Error> {
    if len > max { Err(Error::TextTooLong { len, max }) } else { Ok(()) }
}
