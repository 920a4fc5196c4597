//! Spans of characters.

/// A half-open range of characters: `start..end`.
///
/// The function that returns a span says which text it refers to: a normalised text, or the original one after
/// [`OffsetMap::to_original`](crate::OffsetMap::to_original).
///
/// # Examples
///
/// ```
/// use groundwire_engine::Span;
///
/// let text = "naïve idea";
/// assert_eq!(Span::new(0, 5).byte_range(text), 0..6);
/// assert_eq!(Span::new(6, 10).of(text), "idea");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The position of the first character.
    pub start: usize,
    /// The position after the last character.
    pub end: usize,
}

impl Span {
    /// Creates the span `start..end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Returns the number of characters.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns whether the span is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the byte range of this span in `text`.
    ///
    /// # Complexity
    ///
    /// Linear in `end`.
    ///
    /// # Panics
    ///
    /// Panics if the span ends after the text.
    #[must_use]
    pub fn byte_range(self, text: &str) -> std::ops::Range<usize> {
        let mut bytes = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
        let start = bytes.nth(self.start).expect("the span starts inside the text");
        let end = match self.len() {
            0 => start,
            len => bytes.nth(len - 1).expect("the span ends inside the text"),
        };
        start..end
    }

    /// Returns the substring of `text` that this span covers.
    ///
    /// # Complexity
    ///
    /// Linear in `end`.
    ///
    /// # Panics
    ///
    /// Panics if the span ends after the text.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        &text[self.byte_range(text)]
    }
}
