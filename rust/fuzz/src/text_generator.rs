//! Interprets the fuzzer's bytes as instructions for building texts.
//!
//! In texts of random bytes, nothing repeats and no window is similar to a needle. A generator instead builds a text
//! from a small alphabet, by letters, runs, and copies of earlier parts, with lengths around the widths of machine
//! words. Each decision takes a byte or two, so a small change to the bytes is a small change to the text.

use crate::oracle::Stored;

/// The first characters of alphabets: with 1, 2 and 4 bytes per character, lone surrogates, ASCII letters.
const BASES: [u32; 7] = [0x61, 0x61, 0xC0, 0x430, 0x4E00, 0xD800, 0x1_F600];

/// The sizes of alphabets. More than 256 characters do not fit in one byte each.
const SIZES: [u32; 8] = [1, 2, 2, 3, 4, 8, 20, 300];

/// The lengths at which kernels change.
const WORDS: [usize; 9] = [8, 16, 32, 64, 128, 192, 256, 320, 2048];

/// Reads decisions from bytes. Every decision is 0 once the bytes have run out.
pub struct TextGenerator<'a> {
    bytes: &'a [u8],
}

impl<'a> TextGenerator<'a> {
    /// Creates a generator from `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    /// Returns whether the bytes have run out.
    pub fn is_done(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the next byte.
    pub fn byte(&mut self) -> u8 {
        self.bytes.split_off_first().copied().unwrap_or(0)
    }

    /// Returns a number below `limit`, or 0 if `limit` is 0. Takes one byte for limits up to 256, and two for larger
    /// ones.
    pub fn below(&mut self, limit: usize) -> usize {
        let mut number = usize::from(self.byte());
        if limit > 256 {
            number = number << 8 | usize::from(self.byte());
        }
        number % limit.max(1)
    }

    /// Returns one of `choices`.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Returns 1 to 300 consecutive code points.
    pub fn alphabet(&mut self) -> Vec<u32> {
        let (base, size) = (self.pick(&BASES), self.pick(&SIZES));
        (base..base + size).collect()
    }

    /// Returns a text of at most `max` characters from `alphabet`.
    pub fn text(&mut self, alphabet: &[u32], max: usize) -> Vec<u32> {
        let mut text = Vec::new();
        for _ in 0..1 + self.below(32) {
            if self.is_done() || text.len() >= max {
                break;
            }
            self.append_piece(&mut text, alphabet);
        }
        text.truncate(max);
        text
    }

    fn append_piece(&mut self, text: &mut Vec<u32>, alphabet: &[u32]) {
        match self.below(8) {
            0 => text.extend_from_slice(alphabet),
            1 => {
                let copied = self.slice(text).to_vec();
                text.extend(copied);
            }
            2 => self.repeat_up_to_a_word(text),
            3 => self.append_noise(text, alphabet),
            4 => {
                let (symbol, count) = (self.pick(alphabet), self.below(80));
                text.extend(std::iter::repeat_n(symbol, count));
            }
            _ => text.extend((0..1 + self.below(12)).map(|_| self.pick(alphabet)).collect::<Vec<_>>()),
        }
    }

    /// Repeats the last few characters until the text has about as many characters as a machine word has bits.
    fn repeat_up_to_a_word(&mut self, text: &mut Vec<u32>) {
        let period = (1 + self.below(9)).min(text.len());
        let len = self.pick(&WORDS) + self.below(4);
        while period > 0 && text.len() < len.saturating_sub(2) {
            text.push(text[text.len() - period]);
        }
    }

    /// Appends pseudo-random symbols, which take less than a byte each.
    fn append_noise(&mut self, text: &mut Vec<u32>, alphabet: &[u32]) {
        let mut state = u32::from(self.byte());
        for _ in 0..self.below(256) {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            text.push(alphabet[(state >> 8) as usize % alphabet.len()]);
        }
    }

    /// Returns a slice of `text`.
    pub fn slice<'t>(&mut self, text: &'t [u32]) -> &'t [u32] {
        let start = self.below(text.len());
        let len = self.below(text.len() - start + 1);
        &text[start..start + len]
    }

    /// Returns a slice of `text` with a few edits.
    pub fn edited_slice(&mut self, text: &[u32], alphabet: &[u32]) -> Vec<u32> {
        let mut piece = self.slice(text).to_vec();
        for _ in 0..self.below(10) {
            let place = self.below(piece.len());
            match self.below(4) {
                0 if !piece.is_empty() => drop(piece.remove(place)),
                1 if !piece.is_empty() => piece[place] = self.pick(alphabet),
                2 => piece[place..].reverse(),
                _ => piece.insert(place, self.pick(alphabet)),
            }
        }
        piece
    }

    /// Stores `codes` in the narrowest width that holds them, or in a wider one.
    pub fn stored(&mut self, codes: &[u32]) -> Stored {
        let widening = self.below(8);
        match (Stored::new(codes), widening) {
            (Stored::U8(units), 6) => Stored::U16(units.into_iter().map(u16::from).collect()),
            (_, 7) => Stored::U32(codes.to_vec()),
            (stored, _) => stored,
        }
    }
}
