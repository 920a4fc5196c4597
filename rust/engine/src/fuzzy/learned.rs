//! What turned out to be the best way to count needles in one text.

use std::sync::atomic::{AtomicU8, Ordering};

/// Characters by which the lengths of needles are told apart, and the characters that they may leave out; and how
/// many classes of both.
const LENGTH_CHARS: usize = 16;
const OUT_CHARS: usize = 4;
const LENGTHS: usize = 16;
const OUTS: usize = 12;

/// Into how many pieces needles are best cut, by their length and by how many characters a good window leaves out:
/// found out for the first needle of each class, for the costs of all ways take longer to say than most of
/// the ways themselves. Like them it changes nothing but time.
#[derive(Debug, Default)]
pub(super) struct Learned([[AtomicU8; OUTS]; LENGTHS]);

impl Learned {
    /// The pieces for a needle of `needle` characters of which `out` may be left out, once that is known.
    pub(super) fn pieces(&self, needle: usize, out: usize) -> Option<usize> {
        let pieces = self.class(needle, out)?.load(Ordering::Relaxed);
        (pieces > 0).then_some(usize::from(pieces))
    }

    /// Remembers them.
    pub(super) fn remember(&self, needle: usize, out: usize, pieces: usize) {
        if let (Some(class), Ok(pieces)) = (self.class(needle, out), u8::try_from(pieces)) {
            class.store(pieces, Ordering::Relaxed);
        }
    }

    fn class(&self, needle: usize, out: usize) -> Option<&AtomicU8> {
        self.0.get(needle / LENGTH_CHARS)?.get(out / OUT_CHARS)
    }
}
