//! ASCII chunks in 256-bit vectors: 64 characters of any width as twice 32 bytes.

use std::arch::x86_64::*;

use super::{AsciiChunk, AsciiTable, CHUNK, Dashes, without_hyphens};
use crate::text::CodeUnit;

/// Number of characters per vector of bytes.
const HALF: usize = CHUNK / 2;

/// Classifies 64 characters.
#[target_feature(enable = "avx2")]
pub(super) fn classify<U: CodeUnit>(units: &[U; CHUNK], table: &AsciiTable, dashes: Dashes) -> AsciiChunk {
    let (halves, _) = units.as_chunks::<HALF>();
    let bytes = [to_bytes(&halves[0]), to_bytes(&halves[1])];
    let is_space = bytes.map(|bytes| _mm256_or_si256(is_in(bytes, 0x1C, 0x20), is_in(bytes, 0x09, 0x0D)));
    let mapped = [map(bytes[0], is_space[0]), map(bytes[1], is_space[1])];
    let is_special = |bytes| {
        let is = |&character| _mm256_cmpeq_epi8(bytes, splat(character));
        // The sign bit of a byte above ASCII is set already.
        table.special_characters().iter().map(is).fold(bytes, |any, is| _mm256_or_si256(any, is))
    };
    let (whitespace, mut special) = (join(is_space), join(bytes.map(is_special)));
    if table.handles_hyphens() {
        special = without_hyphens(special, whitespace, join(bytes.map(|bytes| _mm256_cmpeq_epi8(bytes, splat(b'-')))));
    }
    AsciiChunk { mapped: bytemuck::cast(mapped), whitespace, special }.with_dashes(units, dashes)
}

/// Maps letters to lower case, and white space to spaces.
#[target_feature(enable = "avx2")]
fn map(bytes: __m256i, is_space: __m256i) -> __m256i {
    let lower = _mm256_or_si256(bytes, _mm256_and_si256(is_in(bytes, b'A', b'Z'), splat(0x20)));
    _mm256_blendv_epi8(lower, splat(b' '), is_space)
}

/// Sets bit `i` if character `i` of `units` is `>` or not ASCII.
#[target_feature(enable = "avx2")]
pub(super) fn annotation_ends<U: CodeUnit>(units: &[U; CHUNK]) -> u64 {
    let (halves, _) = units.as_chunks::<HALF>();
    let ends = |half: usize| {
        let bytes = to_bytes(&halves[half]);
        _mm256_or_si256(bytes, _mm256_cmpeq_epi8(bytes, splat(b'>')))
    };
    join([ends(0), ends(1)])
}

/// Maps characters to bytes: curly quotation marks to straight ones, dashes to hyphens, other characters above ASCII to
/// bytes above ASCII.
#[target_feature(enable = "avx2")]
fn to_bytes<U: CodeUnit>(units: &[U; HALF]) -> __m256i {
    let (parts, _) = bytemuck::bytes_of(units).as_chunks::<32>();
    match size_of::<U>() {
        1 => bytemuck::cast(parts[0]),
        2 => narrow(bytemuck::cast(parts[0]), bytemuck::cast(parts[1])),
        _ => {
            let pair = |part: usize| narrow_wide(bytemuck::cast(parts[part]), bytemuck::cast(parts[part + 1]));
            narrow(pair(0), pair(2))
        }
    }
}

/// Maps 32 two-byte characters to bytes.
#[target_feature(enable = "avx2")]
fn narrow(first: __m256i, second: __m256i) -> __m256i {
    let fold = |units| {
        let even = _mm256_andnot_si256(_mm256_set1_epi16(1), units);
        let is_single = _mm256_cmpeq_epi16(even, _mm256_set1_epi16(0x2018));
        let is_double = _mm256_cmpeq_epi16(even, _mm256_set1_epi16(0x201C));
        // The bits to clear in 0xFF, to which all larger characters saturate, to get the straight quotation mark.
        let surplus = _mm256_or_si256(
            _mm256_and_si256(is_single, _mm256_set1_epi16(0xFF ^ 0x27)),
            _mm256_and_si256(is_double, _mm256_set1_epi16(0xFF ^ 0x22)),
        );
        // The bits to clear to get the hyphen.
        let surplus = _mm256_or_si256(surplus, _mm256_and_si256(is_dash(units), _mm256_set1_epi16(0xFF ^ 0x2D)));
        _mm256_andnot_si256(surplus, _mm256_min_epu16(units, _mm256_set1_epi16(0xFF)))
    };
    // Packing works on 128-bit halves; the permutation restores the order.
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(fold(first), fold(second)))
}

/// Maps 16 four-byte characters to two bytes each; characters that do not fit become U+FFFF.
#[target_feature(enable = "avx2")]
fn narrow_wide(first: __m256i, second: __m256i) -> __m256i {
    let limit = |units| _mm256_min_epu32(units, _mm256_set1_epi32(0xFFFF));
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi32(limit(first), limit(second)))
}

/// Returns all ones for each two-byte character that is a dash.
#[target_feature(enable = "avx2")]
fn is_dash(units: __m256i) -> __m256i {
    let place = _mm256_sub_epi16(units, _mm256_set1_epi16(0x2012));
    _mm256_cmpeq_epi16(_mm256_min_epu16(place, _mm256_set1_epi16(3)), place)
}

#[target_feature(enable = "avx2")]
fn is_in(bytes: __m256i, first: u8, last: u8) -> __m256i {
    let place = _mm256_sub_epi8(bytes, splat(first));
    _mm256_cmpeq_epi8(_mm256_min_epu8(place, splat(last - first)), place)
}

#[target_feature(enable = "avx2")]
fn splat(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte as i8)
}

/// Returns the sign bits of 64 bytes.
#[target_feature(enable = "avx2")]
fn join([first, second]: [__m256i; 2]) -> u64 {
    let signs = |bytes| u64::from(_mm256_movemask_epi8(bytes) as u32);
    signs(first) | signs(second) << 32
}
