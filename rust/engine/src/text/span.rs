//! Positions.

/// A half-open range of characters: `start..end`.
///
/// Which text it counts in is said by whoever returns it: the normalised text inside the engine,
/// the original one after [`OffsetMap::to_original`](crate::normalize::OffsetMap::to_original).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First character.
    pub start: usize,
    /// One past the last character.
    pub end: usize,
}

impl Span {
    /// The span `start..end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Number of characters.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span holds no character.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }
}
