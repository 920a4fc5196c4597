//! ASCII chunks by plain loops over fixed-size arrays, which compilers vectorise.

use super::{AsciiChunk, AsciiTable, CHUNK, Dashes, is_space, without_hyphens};
use crate::text::CodeUnit;

/// Classifies 64 characters.
#[inline(always)]
pub(super) fn classify<U: CodeUnit>(units: &[U; CHUNK], table: &AsciiTable, dashes: Dashes) -> AsciiChunk {
    let bytes = map_chunk(units, to_byte);
    let whitespace = map_chunk(&bytes, is_space);
    let mut mapped = bytes;
    for (byte, is_space) in mapped.iter_mut().zip(whitespace) {
        let lower = *byte | (u8::from(byte.wrapping_sub(b'A') < 26) << 5);
        *byte = if is_space { b' ' } else { lower };
    }
    let mut special = map_chunk(&bytes, |byte| byte >= 0x80);
    for &character in table.special_characters() {
        for (is_special, byte) in special.iter_mut().zip(bytes) {
            *is_special |= byte == character;
        }
    }
    let (whitespace, mut special) = (bits(whitespace), bits(special));
    if table.handles_hyphens() {
        special = without_hyphens(special, whitespace, bits(map_chunk(&bytes, |byte| byte == b'-')));
    }
    AsciiChunk { mapped, whitespace, special }.with_dashes(units, dashes)
}

/// Returns `map` of each character. The compiler may leave calls in `<[T; N]>::map`, and then it vectorises nothing.
#[inline(always)]
pub(super) fn map_chunk<T: Copy, V: Copy>(characters: &[T; CHUNK], map: impl Fn(T) -> V) -> [V; CHUNK] {
    let mut mapped = [map(characters[0]); CHUNK];
    for (mapped, &character) in mapped.iter_mut().zip(characters) {
        *mapped = map(character);
    }
    mapped
}

/// Maps a character to a byte: ASCII to itself, curly quotation marks to straight ones, dashes to hyphens, all other
/// characters to bytes above ASCII.
#[inline(always)]
pub(super) fn to_byte<U: CodeUnit>(unit: U) -> u8 {
    match unit.code_point() & !1 {
        0x2018 => b'\'',
        0x201C => b'"',
        0x2012 | 0x2014 => b'-',
        _ => unit.code_point().min(0xFF) as u8,
    }
}

/// Sets bit `i` if `flags[i]` is set.
#[inline(always)]
pub(super) fn bits(flags: [bool; CHUNK]) -> u64 {
    let bytes = map_chunk(&flags, u8::from);
    let (words, _) = bytes.as_chunks::<8>();
    // The product gathers the lowest bits of eight bytes in the highest byte.
    let gather = |word: &[u8; 8]| u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    words.iter().rev().fold(0, |bits, word| bits << 8 | gather(word))
}

/// Moves the bytes of `mapped` whose bits in `kept` are set to the beginning. The bytes after them are unspecified.
#[inline(always)]
pub(super) fn compress(mapped: &[u8; CHUNK], mut kept: u64) -> [u8; CHUNK] {
    if kept == u64::MAX {
        return *mapped;
    }
    let (mut from, mut to) = ([0; 2 * CHUNK], [0; 2 * CHUNK]);
    from[..CHUNK].copy_from_slice(mapped);
    let mut len = 0;
    while kept != 0 {
        let start = kept.trailing_zeros() as usize;
        to[len..len + CHUNK].copy_from_slice(&from[start..start + CHUNK]);
        len += (kept >> start).trailing_ones() as usize;
        kept &= kept.wrapping_add(1 << start);
    }
    *to.first_chunk().expect("the buffer holds two chunks")
}
