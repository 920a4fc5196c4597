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

    /// Leaves out the pairs at either end, as long as they are `idle`: (quote, passage).
    pub(super) fn trim(&mut self, idle: impl Fn(usize, usize) -> bool) {
        let is_idle = |block: Block, index: usize| idle(block.quote + index, block.passage + index);
        while let Some(last) = self.0.last_mut() {
            let kept = (0..last.len).rev().find(|&index| !is_idle(*last, index));
            last.len = kept.map_or(0, |index| index + 1);
            if last.len > 0 {
                break;
            }
            self.0.pop();
        }
        let idle_blocks = self.0.iter().take_while(|&&block| (0..block.len).all(|index| is_idle(block, index))).count();
        self.0.drain(..idle_blocks);
        if let Some(first) = self.0.first_mut() {
            let idle = (0..first.len).take_while(|&index| is_idle(*first, index)).count();
            *first = first.without_first(idle);
        }
    }

    /// All of them.
    pub(super) fn as_slice(&self) -> &[Block] {
        &self.0
    }
}
