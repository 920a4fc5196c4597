//! An alignment: which characters stand for each other.

/// Characters in a row that stand for as many in a row, the same or others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// First one in the quote.
    pub(super) quote: usize,
    /// First one in the passage.
    pub(super) passage: usize,
    /// Number of characters.
    pub(super) len: usize,
}

impl Block {
    /// One past the last character of the quote.
    pub(super) fn quote_end(self) -> usize {
        self.quote + self.len
    }

    /// One past the last character of the passage.
    pub(super) fn passage_end(self) -> usize {
        self.passage + self.len
    }

    /// How much further the passage is than the quote.
    pub(super) fn diagonal(self) -> isize {
        self.passage.cast_signed() - self.quote.cast_signed()
    }

    /// What is left without its first characters.
    pub(super) fn without_first(self, chars: usize) -> Self {
        let chars = chars.min(self.len);
        Self { quote: self.quote + chars, passage: self.passage + chars, len: self.len - chars }
    }
}

/// Blocks from left to right; neighbours that touch are one.
#[derive(Debug, Default)]
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    /// Goes on with `block`.
    pub(super) fn push(&mut self, block: Block) {
        match self.0.last_mut() {
            _ if block.len == 0 => {}
            Some(last) if last.quote_end() == block.quote && last.passage_end() == block.passage => {
                last.len += block.len;
            }
            _ => self.0.push(block),
        }
    }

    /// All of them.
    pub(super) fn as_slice(&self) -> &[Block] {
        &self.0
    }
}
