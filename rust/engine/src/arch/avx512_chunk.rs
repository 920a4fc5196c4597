//! Ordinary ASCII in 512-bit vectors: 64 characters, whatever their width, as 64 bytes.

use std::arch::x86_64::*;

use crate::normalize::clean::{CHUNK, Chunk, Lane};

/// What [`Chunk`] says of `units`.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn look<I: Lane, const MINDS_NEWLINES: bool>(units: &[I; CHUNK]) -> Chunk {
    let bytes = to_bytes(units);
    let spaces = is_in(bytes, 0x1C, 0x20) | is_in(bytes, 0x09, 0x0D);
    let lower = _mm512_mask_add_epi8(bytes, is_in(bytes, b'A', b'Z'), bytes, splat(0x20));
    let forms = _mm512_mask_mov_epi8(lower, spaces, splat(b' '));
    let angle = _mm512_cmpeq_epi8_mask(_mm512_or_si512(bytes, splat(2)), splat(b'>'));
    let minded = if MINDS_NEWLINES { angle | is_typographic(bytes) } else { angle };
    Chunk { forms: bytemuck::cast(forms), spaces, stops: _mm512_movepi8_mask(bytes) | minded }
}

/// Characters as bytes: curly quotation marks as straight ones, others above ASCII as such.
#[target_feature(enable = "avx512f,avx512bw")]
fn to_bytes<I: Lane>(units: &[I; CHUNK]) -> __m512i {
    let (parts, _) = bytemuck::bytes_of(units).as_chunks::<64>();
    let part = |part: usize| -> __m512i { bytemuck::cast(parts[part]) };
    match size_of::<I>() {
        1 => part(0),
        2 => join(narrow(part(0)), narrow(part(1))),
        _ => {
            // Characters that do not fit into two bytes are U+FFFF.
            let half = |first| join(_mm512_cvtusepi32_epi16(part(first)), _mm512_cvtusepi32_epi16(part(first + 1)));
            join(narrow(half(0)), narrow(half(2)))
        }
    }
}

/// 32 characters of two bytes each to bytes.
#[target_feature(enable = "avx512f,avx512bw")]
fn narrow(units: __m512i) -> __m256i {
    let even = _mm512_andnot_si512(_mm512_set1_epi16(1), units);
    let is_single = _mm512_cmpeq_epi16_mask(even, _mm512_set1_epi16(0x2018));
    let is_double = _mm512_cmpeq_epi16_mask(even, _mm512_set1_epi16(0x201C));
    let units = _mm512_mask_mov_epi16(units, is_single, _mm512_set1_epi16(0x27));
    _mm512_cvtusepi16_epi8(_mm512_mask_mov_epi16(units, is_double, _mm512_set1_epi16(0x22)))
}

#[target_feature(enable = "avx512f")]
fn join(first: __m256i, second: __m256i) -> __m512i {
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second)
}

/// `{ } [ ] ( )`, the hyphen and the line feed.
#[target_feature(enable = "avx512f,avx512bw")]
fn is_typographic(bytes: __m512i) -> u64 {
    let is = |byte: u8| _mm512_cmpeq_epi8_mask(bytes, splat(byte));
    is(b'{') | is(b'}') | is(b'[') | is(b']') | is_in(bytes, b'(', b')') | is(b'-') | is(b'\n')
}

/// A bit for each byte that is one of `first..=last`.
#[target_feature(enable = "avx512f,avx512bw")]
fn is_in(bytes: __m512i, first: u8, last: u8) -> u64 {
    _mm512_cmple_epu8_mask(_mm512_sub_epi8(bytes, splat(first)), splat(last - first))
}

#[target_feature(enable = "avx512f")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte as i8)
}
