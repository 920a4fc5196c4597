//! Blocks: runs of paired characters in an alignment.

/// Consecutive quote characters paired with equally many passage characters, equal or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The position of the first character in the quote.
    pub(super) quote: usize,
    /// The position of the first character in the passage.
    pub(super) passage: usize,
    /// The length in characters.
    pub(super) len: usize,
}

impl Block {
    /// Returns the position after the last character in the quote.
    pub(super) fn quote_end(self) -> usize {
        self.quote + self.len
    }

    /// Returns the position after the last character in the passage.
    pub(super) fn passage_end(self) -> usize {
        self.passage + self.len
    }

    /// Returns the distance from the quote position to the passage position.
    pub(super) fn diagonal(self) -> isize {
        self.passage.cast_signed() - self.quote.cast_signed()
    }

    /// Returns the block without its first `chars` characters.
    pub(super) fn without_first(self, chars: usize) -> Self {
        let chars = chars.min(self.len);
        Self { quote: self.quote + chars, passage: self.passage + chars, len: self.len - chars }
    }
}

/// Blocks from left to right; adjacent blocks on the same diagonal are merged.
#[derive(Debug, Default)]
pub(super) struct Blocks(Vec<Block>);

impl Blocks {
    /// Appends `block`.
    pub(super) fn push(&mut self, block: Block) {
        match self.0.last_mut() {
            _ if block.len == 0 => {}
            Some(last) if last.quote_end() == block.quote && last.passage_end() == block.passage => {
                last.len += block.len;
            }
            _ => self.0.push(block),
        }
    }

    /// Removes pairs from both ends while `idle` is true for them; its arguments are (quote, passage).
    pub(super) fn trim(&mut self, idle: impl Fn(usize, usize) -> bool) {
        let is_insignificant = |block: Block, index: usize| idle(block.quote + index, block.passage + index);
        while let Some(last) = self.0.last_mut() {
            let kept = (0..last.len).rev().find(|&index| !is_insignificant(*last, index));
            last.len = kept.map_or(0, |index| index + 1);
            if last.len > 0 {
                break;
            }
            self.0.pop();
        }
        let idle_blocks =
            self.0.iter().take_while(|&&block| (0..block.len).all(|index| is_insignificant(block, index))).count();
        self.0.drain(..idle_blocks);
        if let Some(first) = self.0.first_mut() {
            let idle = (0..first.len).take_while(|&index| is_insignificant(*first, index)).count();
            *first = first.without_first(idle);
        }
    }

    pub(super) fn as_slice(&self) -> &[Block] {
        &self.0
    }
}
