//! Ordinary ASCII in 512-bit vectors: 64 characters, whatever their width, as 64 bytes.

use std::arch::x86_64::*;

use crate::normalize::clean::{CHUNK, Chunk, Lane, without_hyphens};
use crate::normalize::minded::Minded;

/// What each ASCII character becomes, as two vectors.
#[derive(Clone, Copy)]
pub(super) struct Forms([__m512i; 2]);

impl Forms {
    #[target_feature(enable = "avx512f")]
    pub(super) fn new(minded: &Minded) -> Self {
        Self(bytemuck::cast(*minded.forms()))
    }
}

/// What [`Chunk`] says of `units`.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
pub(super) fn look<I: Lane, const HYPHENS: bool>(units: &[I; CHUNK], Forms([low, high]): Forms) -> Chunk {
    let (bytes, dashes) = to_bytes(units);
    let flagged = _mm512_permutex2var_epi8(low, bytes, high);
    let forms = _mm512_and_si512(flagged, splat(0x7F));
    let spaces = _mm512_cmpeq_epi8_mask(forms, splat(b' '));
    let mut stops = _mm512_movepi8_mask(_mm512_or_si512(bytes, flagged));
    if HYPHENS {
        stops = without_hyphens(stops, spaces, _mm512_cmpeq_epi8_mask(bytes, splat(b'-')));
    }
    Chunk { forms: bytemuck::cast(forms), spaces, stops, dashes }
}

/// Those of `forms` whose bits are set, at the beginning, and zeros.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi2")]
pub(super) fn compress(forms: &[u8; CHUNK], kept: u64) -> [u8; CHUNK] {
    bytemuck::cast(_mm512_maskz_compress_epi8(kept, bytemuck::cast(*forms)))
}

/// Characters as bytes: curly quotation marks as straight ones, dashes as hyphens, others above
/// ASCII as such. And a bit for each dash.
#[target_feature(enable = "avx512f,avx512bw")]
fn to_bytes<I: Lane>(units: &[I; CHUNK]) -> (__m512i, u64) {
    let (parts, _) = bytemuck::bytes_of(units).as_chunks::<64>();
    let part = |part: usize| -> __m512i { bytemuck::cast(parts[part]) };
    match size_of::<I>() {
        1 => (part(0), 0),
        2 => join(narrow(part(0)), narrow(part(1))),
        _ => {
            // Characters that do not fit into two bytes are U+FFFF.
            let limit = |part| _mm512_cvtusepi32_epi16(part);
            let half =
                |first| _mm512_inserti64x4::<1>(_mm512_castsi256_si512(limit(part(first))), limit(part(first + 1)));
            join(narrow(half(0)), narrow(half(2)))
        }
    }
}

/// 32 characters of two bytes each to bytes, and which are dashes.
#[target_feature(enable = "avx512f,avx512bw")]
fn narrow(units: __m512i) -> (__m256i, u32) {
    let even = _mm512_andnot_si512(_mm512_set1_epi16(1), units);
    let is_single = _mm512_cmpeq_epi16_mask(even, _mm512_set1_epi16(0x2018));
    let is_double = _mm512_cmpeq_epi16_mask(even, _mm512_set1_epi16(0x201C));
    let is_dash = _mm512_cmple_epu16_mask(_mm512_sub_epi16(units, _mm512_set1_epi16(0x2012)), _mm512_set1_epi16(3));
    let units = _mm512_mask_mov_epi16(units, is_single, _mm512_set1_epi16(0x27));
    let units = _mm512_mask_mov_epi16(units, is_double, _mm512_set1_epi16(0x22));
    let units = _mm512_mask_mov_epi16(units, is_dash, _mm512_set1_epi16(0x2D));
    (_mm512_cvtusepi16_epi8(units), is_dash)
}

#[target_feature(enable = "avx512f")]
fn join(first: (__m256i, u32), second: (__m256i, u32)) -> (__m512i, u64) {
    let bytes = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first.0), second.0);
    (bytes, u64::from(first.1) | u64::from(second.1) << 32)
}

#[target_feature(enable = "avx512f")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte as i8)
}
