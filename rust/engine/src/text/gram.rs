//! Q-grams as 64-bit keys, and their hashes.

use bytemuck::AnyBitPattern;

use super::CodeUnit;

/// Returns all q-grams of `CHARS` characters in `units`, from left to right.
pub(crate) fn windows<T: CodeUnit, const CHARS: usize>(units: &[T]) -> impl Iterator<Item = &[T; CHARS]> {
    units.windows(CHARS).filter_map(|window| window.first_chunk())
}

/// Returns the key of a q-gram. Q-grams of up to eight bytes have distinct keys; the key of a longer one is a hash of
/// all its characters.
///
/// A q-gram shorter than eight bytes fills the highest bytes of the key, with zeros below. Two overlapping loads are
/// faster than combining single bytes.
#[inline(always)]
pub(crate) fn key<T: CodeUnit, const CHARS: usize>(gram: &[T; CHARS]) -> u64 {
    let bytes: &[u8] = bytemuck::cast_slice(gram);
    let len = bytes.len();
    match len {
        1 => u64::from(bytes[0]) << 56,
        2 | 3 => head::<u16>(bytes) << (64 - 8 * len) | tail::<u16>(bytes) << 48,
        4..8 => head::<u32>(bytes) << (64 - 8 * len) | tail::<u32>(bytes) << 32,
        8 => head::<u64>(bytes),
        _ => long_key(bytes),
    }
}

/// Returns the number of characters that [`prefix_key`] needs.
pub(crate) const fn chars_per_word<T, const CHARS: usize>() -> usize {
    let chars = 8 / size_of::<T>();
    if chars > CHARS { chars } else { CHARS }
}

/// Returns the key of the first `CHARS` of [`chars_per_word`] characters: one load, and a shift that removes the
/// characters after the q-gram.
#[inline(always)]
pub(crate) fn prefix_key<T: CodeUnit, const CHARS: usize>(chars: &[T]) -> u64 {
    if CHARS * size_of::<T>() < 8 {
        head::<u64>(bytemuck::cast_slice(chars)) << (64 - 8 * CHARS * size_of::<T>())
    } else {
        chars.first_chunk::<CHARS>().map_or(0, key)
    }
}

/// Returns the key of a q-gram of more than eight bytes.
#[inline(always)]
fn long_key(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks::<8>();
    let key = words.iter().fold(0, |key, word| mix(key) ^ u64::from_le_bytes(*word));
    if bytes.len().is_multiple_of(8) { key } else { mix(key) ^ tail::<u64>(bytes) }
}

#[inline(always)]
fn mix(key: u64) -> u64 {
    key.wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(32)
}

#[inline(always)]
fn head<W: AnyBitPattern + Into<u64>>(bytes: &[u8]) -> u64 {
    little_endian(bytemuck::pod_read_unaligned::<W>(&bytes[..size_of::<W>()]))
}

#[inline(always)]
fn tail<W: AnyBitPattern + Into<u64>>(bytes: &[u8]) -> u64 {
    little_endian(bytemuck::pod_read_unaligned::<W>(&bytes[bytes.len() - size_of::<W>()..]))
}

/// Interprets the bytes of `word` in little-endian order on every processor. Only in this order do overlapping loads
/// agree, and does a shift remove the characters after a q-gram.
#[inline(always)]
fn little_endian<W: Into<u64>>(word: W) -> u64 {
    let number: u64 = word.into();
    if cfg!(target_endian = "big") { number.swap_bytes() >> (64 - 8 * size_of::<W>()) } else { number }
}

/// Hashes a key by Fibonacci hashing: the highest bits of its product with 2⁶⁴ divided by the golden ratio depend on
/// every bit of the key.
#[inline(always)]
pub(crate) fn hash(key: u64) -> u64 {
    key.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
