//! ASCII chunks in 512-bit vectors: 64 characters of any width as 64 bytes.

use std::arch::x86_64::*;

use super::{AsciiChunk, AsciiTable, CHUNK, Dashes, without_hyphens};
use crate::text::CodeUnit;

/// The normalised form of each character, as lookup vectors.
pub(super) struct Tables {
    /// The mapped ASCII characters; the top bit flags special characters.
    ascii: [__m512i; 2],
    /// The bytes for U+2010 to U+201F, in the last 16 lanes.
    near: __m512i,
    /// The same as `near`, but with dashes kept.
    kept: __m512i,
}

impl Tables {
    #[target_feature(enable = "avx512f")]
    pub(super) fn new(table: &AsciiTable, dashes: Dashes) -> Self {
        let dash = if dashes == Dashes::Special { 0xFF } else { b'-' };
        let (single, double) = (b'\'', b'"');
        let near =
            [0xFF, 0xFF, dash, dash, dash, dash, 0xFF, 0xFF, single, single, 0xFF, 0xFF, double, double, 0xFF, 0xFF];
        let mut kept = near;
        kept[2..6].copy_from_slice(&[0x80, 0x81, 0x82, 0x83]);
        let at_end = |last: [u8; 16]| bytemuck::cast([[0; 16], [0; 16], [0; 16], last]);
        Self { ascii: bytemuck::cast(table.mapped), near: at_end(near), kept: at_end(kept) }
    }
}

/// Classifies 64 characters; copies dashes if `keeps_dashes`.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn classify<U: CodeUnit, const HYPHENS: bool>(
    units: &[U; CHUNK],
    tables: &Tables,
    keeps_dashes: bool,
) -> AsciiChunk {
    let Bytes { ascii, near, is_near } = to_bytes(units);
    let bytes = match size_of::<U>() {
        1 => ascii,
        _ => _mm512_mask_permutexvar_epi8(ascii, is_near, near, tables.near),
    };
    let flagged = _mm512_permutex2var_epi8(tables.ascii[0], bytes, tables.ascii[1]);
    let mut mapped = _mm512_and_si512(flagged, splat(0x7F));
    let whitespace = _mm512_cmpeq_epi8_mask(mapped, splat(b' '));
    let mut special = _mm512_movepi8_mask(_mm512_or_si512(bytes, flagged));
    if HYPHENS {
        special = without_hyphens(special, whitespace, _mm512_cmpeq_epi8_mask(bytes, splat(b'-')));
    }
    if keeps_dashes && size_of::<U>() > 1 {
        mapped = _mm512_mask_permutexvar_epi8(mapped, is_near, near, tables.kept);
    }
    AsciiChunk { mapped: bytemuck::cast(mapped), whitespace, special }
}

/// Moves the bytes of `mapped` whose bits in `kept` are set to the beginning, followed by zeros.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
pub(super) fn compress(mapped: &[u8; CHUNK], kept: u64) -> [u8; CHUNK] {
    bytemuck::cast(_mm512_maskz_compress_epi8(kept, bytemuck::cast(*mapped)))
}

struct Bytes {
    /// Characters below U+0100; other characters become bytes above ASCII.
    ascii: __m512i,
    /// The low four bits of characters from U+2010 to U+201F.
    near: __m512i,
    /// One bit for each character from U+2010 on; all characters above U+201F map to U+201F.
    is_near: u64,
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn to_bytes<U: CodeUnit>(units: &[U; CHUNK]) -> Bytes {
    let (parts, _) = bytemuck::bytes_of(units).as_chunks::<64>();
    let part = |part: usize| -> __m512i { bytemuck::cast(parts[part]) };
    match size_of::<U>() {
        1 => Bytes { ascii: part(0), near: _mm512_setzero_si512(), is_near: 0 },
        2 => narrow(part(0), part(1)),
        _ => {
            // Characters that do not fit two bytes become U+FFFF.
            let limit = |part| _mm512_cvtusepi32_epi16(part);
            let half =
                |first| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(limit(part(first))), limit(part(first + 1)));
            narrow(half(0), half(2))
        }
    }
}

/// Converts 64 two-byte characters.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn narrow(first: __m512i, second: __m512i) -> Bytes {
    // Packing works on 128-bit quarters; this order inverts its permutation.
    let even = _mm512_shuffle_i64x2::<0b10_00_10_00>(first, second);
    let odd = _mm512_shuffle_i64x2::<0b11_01_11_01>(first, second);
    // Characters from U+2010 on become -16 to -1, with -1 for all from U+201F on; those below become less than -16.
    let from_near = |units| _mm512_adds_epu16(units, _mm512_set1_epi16((0xFFFF - 0x201F) as u16 as i16));
    let near = _mm512_packs_epi16(from_near(even), from_near(odd));
    // Characters up to U+7FFF saturate to U+00FF; larger characters count as near.
    let ascii = _mm512_packus_epi16(even, odd);
    Bytes { ascii, near, is_near: _mm512_cmpge_epu8_mask(near, splat(0xF0)) }
}

#[target_feature(enable = "avx512f")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte as i8)
}
