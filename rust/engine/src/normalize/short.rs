//! Short texts of ordinary characters: chunks alone, the last one padded.
//!
//! A quote is normalised for each call that looks for it. Most are short and ordinary, and need
//! neither a stream nor an allocation.

use super::ascii_chunk::{AsciiUnit, CHUNK, Rules};
use super::special_ascii::Minded;
use super::text_sink::Output;
use crate::arch::{self, UninitBuffer};

/// Longest text that is tried, in characters: what stops a chunk near the end makes all be done
/// again.
const MAX_CHARS: usize = 4 * CHUNK - 1;

/// What the last chunk is filled up with: a character that nothing depends on.
const PADDING: u8 = b'x';

/// Whether a room for `capacity` characters has room for a short text of `chars`, padded.
#[inline]
pub(super) fn fits(chars: usize, capacity: usize) -> bool {
    chars <= MAX_CHARS && capacity >= chars - chars % CHUNK + CHUNK
}

/// Writes the normalised form of `input`, which [`fits`], and says whether it could: whether all of
/// it is ordinary.
#[inline]
pub(super) fn write<I: AsciiUnit>(input: &[I], out: &mut UninitBuffer<'_, u8>, minded: &Minded) -> bool {
    let rules = Rules { minded, tells: false };
    let tail = input.len() % CHUNK;
    let whole = input.len() - tail;
    if arch::copy_ordinary(&input[..whole], out, rules, |_| ()) < whole {
        return false;
    }
    let mut padded = [I::ascii(PADDING); CHUNK];
    padded[..tail].copy_from_slice(&input[whole..]);
    if arch::copy_ordinary(&padded, out, rules, |_| ()) < CHUNK {
        return false;
    }
    let len = out.len() - (CHUNK - tail);
    let is_space_last = len > 0 && out[len - 1] == b' ';
    out.truncate(len - usize::from(is_space_last));
    true
}
