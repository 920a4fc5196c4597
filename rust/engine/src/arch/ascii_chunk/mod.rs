//! Copies ASCII in lower case with collapsed white space, in chunks of 64 characters.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod scalar;

#[cfg(target_arch = "x86_64")]
use super::{Isa, isa};
use crate::text::CodeUnit;
use crate::text::sink::{FIRST_DASH, TextSink, is_dash};

/// Number of characters per chunk.
pub(crate) const CHUNK: usize = 64;

/// Returns whether a byte is ASCII white space: space, U+0009 to U+000D or U+001C to U+001F.
#[inline(always)]
pub(crate) fn is_space(byte: u8) -> bool {
    (byte == 0x20) | (byte.wrapping_sub(0x09) < 5) | (byte.wrapping_sub(0x1C) < 4)
}

/// Returns whether `input` begins with four ASCII characters, so that copying by chunks is worthwhile. It does not
/// branch on each character, because it is called for every block.
#[inline(always)]
pub(crate) fn starts_ascii_run<U: CodeUnit>(input: &[U]) -> bool {
    input
        .first_chunk::<4>()
        .is_some_and(|&[a, b, c, d]| a.code_point() | b.code_point() | c.code_point() | d.code_point() < 0x80)
}

/// The special ASCII characters, and the normalised form of all others.
#[derive(Debug)]
pub(crate) struct AsciiTable {
    special: Vec<u8>,
    #[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "only AVX-512 looks characters up"))]
    mapped: [u8; 128],
    handles_hyphens: bool,
}

impl AsciiTable {
    /// The bit that flags special characters in `mapped`.
    const SPECIAL: u8 = 0x80;

    /// Creates a table with the special characters that `is_special` selects. With `handles_hyphens`, a hyphen before
    /// white space or a special character is special too, and the other dashes become hyphens.
    pub(crate) fn new(is_special: impl Fn(u8) -> bool, handles_hyphens: bool) -> Self {
        let is_special = |byte: u8| is_special(byte) || (handles_hyphens && byte == b'-');
        let special: Vec<u8> = (0..0x80).filter(|&byte| is_special(byte)).collect();
        let mut mapped = [0; 128];
        for (mapped, byte) in mapped.iter_mut().zip(0..) {
            let flag = if is_special(byte) { Self::SPECIAL } else { 0 };
            *mapped = flag | if is_space(byte) { b' ' } else { byte.to_ascii_lowercase() };
        }
        Self { special, mapped, handles_hyphens }
    }

    #[inline(always)]
    fn special_characters(&self) -> &[u8] {
        &self.special
    }

    #[inline(always)]
    fn handles_hyphens(&self) -> bool {
        self.handles_hyphens
    }

    /// Returns how the four dashes are treated in a sink of type `S`.
    #[inline(always)]
    fn dashes<S: TextSink>(&self) -> Dashes {
        match self.handles_hyphens {
            true => Dashes::Folded,
            false if S::ENCODES_DASHES => Dashes::Kept,
            false => Dashes::Special,
        }
    }
}

/// How the four dashes are treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dashes {
    /// Become hyphens.
    Folded,
    /// Are copied.
    Kept,
    /// Are special characters: they would be copied, but the sink cannot encode them.
    Special,
}

/// 64 classified characters.
struct AsciiChunk {
    /// Lower case, with spaces for white space and 0x80 to 0x83 for kept dashes; unspecified for special characters.
    mapped: [u8; CHUNK],
    /// One bit for each white-space character.
    whitespace: u64,
    /// One bit for each special character.
    special: u64,
}

impl AsciiChunk {
    /// Applies `dashes` to the dashes, which are hyphens so far.
    #[inline(always)]
    fn with_dashes<U: CodeUnit>(mut self, units: &[U; CHUNK], dashes: Dashes) -> Self {
        if size_of::<U>() == 1 || dashes == Dashes::Folded {
            return self;
        }
        let is_dash = scalar::map_chunk(units, |unit| is_dash(unit.code_point()));
        if dashes == Dashes::Special {
            self.special |= scalar::bits(is_dash);
            return self;
        }
        for ((mapped, unit), is_dash) in self.mapped.iter_mut().zip(units).zip(is_dash) {
            let dash = (unit.code_point() as u8).wrapping_sub(FIRST_DASH as u8) | 0x80;
            *mapped = if is_dash { dash } else { *mapped };
        }
        self
    }
}

/// Clears the bits of those hyphens in `special` that precede a character that is neither white space nor special.
#[inline(always)]
fn without_hyphens(special: u64, whitespace: u64, hyphens: u64) -> u64 {
    // The character after the chunk is unknown, so a hyphen at its end remains special.
    special & !(hyphens & !(special | whitespace) >> 1)
}

/// A run of white space that was dropped because it follows white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DroppedRun {
    /// The number of dropped characters.
    pub(crate) count: usize,
    /// The input position after the dropped characters.
    pub(crate) input: usize,
    /// The length of the output before the dropped characters.
    pub(crate) output: usize,
}

/// The rules for copying chunks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CopyRules<'a> {
    /// The special characters.
    pub(crate) table: &'a AsciiTable,
    /// Whether dropped white space is reported.
    pub(crate) reports_dropped: bool,
}

/// Appends the normalised form of the longest prefix of `input` without a special character, and returns the length of
/// that prefix. Leaves the last characters of `input` if they do not fill a chunk.
///
/// The four curly quotation marks and the four dashes count as ASCII. White space that follows white space, or begins
/// the text, is dropped and reported; every other character becomes one character.
#[inline]
pub(crate) fn copy_ascii<U: CodeUnit, S: TextSink>(
    input: &[U],
    sink: &mut S,
    rules: CopyRules<'_>,
    dropped: impl FnMut(DroppedRun),
) -> usize {
    #[cfg(target_arch = "x86_64")]
    if isa() == Isa::Avx512 {
        // SAFETY: the processor has AVX-512 for bytes.
        return unsafe { copy_ascii_avx512(input, sink, rules, dropped) };
    }
    copy_ascii_by_loops(input, sink, rules, dropped)
}

for_each_isa! {
Avx2
fn copy_ascii_by_loops[U: CodeUnit, S: TextSink][U, S](
    input: &[U],
    sink: &mut S,
    rules: CopyRules<'_>,
    dropped: impl FnMut(DroppedRun),
) -> usize {
    let dashes = rules.table.dashes::<S>();
    let classify = |units: &_| scalar::classify(units, rules.table, dashes);
    copy_chunks(input, sink, rules, classify, scalar::compress, dropped)
}
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn copy_ascii_avx512<U: CodeUnit, S: TextSink>(
    input: &[U],
    sink: &mut S,
    rules: CopyRules<'_>,
    dropped: impl FnMut(DroppedRun),
) -> usize {
    let tables = avx512::Tables::new(rules.table, rules.table.dashes::<S>());
    let compress = |mapped: &[u8; CHUNK], kept| avx512::compress(mapped, kept);
    if rules.table.handles_hyphens() {
        let classify = |units: &_| avx512::classify::<U, true>(units, &tables, false);
        copy_chunks(input, sink, rules, classify, compress, dropped)
    } else {
        let classify = |units: &_| avx512::classify::<U, false>(units, &tables, S::ENCODES_DASHES);
        copy_chunks(input, sink, rules, classify, compress, dropped)
    }
}

/// Runs the loop of [`copy_ascii`] with the kernels of one instruction set.
#[inline(always)]
fn copy_chunks<U: CodeUnit, S: TextSink>(
    input: &[U],
    sink: &mut S,
    rules: CopyRules<'_>,
    classify: impl Fn(&[U; CHUNK]) -> AsciiChunk,
    compress: impl Fn(&[u8; CHUNK], u64) -> [u8; CHUNK],
    mut dropped: impl FnMut(DroppedRun),
) -> usize {
    let mut follows_space = u64::from(sink.last().is_none_or(|&last| last == S::Unit::from(b' ')));
    let mut done = 0;
    while let Some(units) = input[done..].first_chunk() {
        let AsciiChunk { mapped, whitespace, special } = classify(units);
        let repeated = whitespace & (whitespace << 1 | follows_space);
        let before_special = (special & special.wrapping_neg()).wrapping_sub(1);
        let kept = before_special & !repeated;
        let encoded = scalar::map_chunk(&compress(&mapped, kept), S::encode_symbol);
        sink.append(&encoded, kept.count_ones() as usize);
        let repeated = repeated & before_special;
        if rules.reports_dropped && repeated != 0 {
            report_dropped(repeated, kept, done, sink.len() - kept.count_ones() as usize, &mut dropped);
        }
        if special != 0 {
            return done + special.trailing_zeros() as usize;
        }
        // If the advance depended on a count, the next load would wait for it.
        done += CHUNK;
        follows_space = whitespace >> (CHUNK - 1);
    }
    done
}

/// Reports each run of `repeated` white space in a chunk at position `input`, whose output begins at `output`.
#[inline(never)] // Leaves the registers to the loop over chunks.
fn report_dropped(mut repeated: u64, kept: u64, input: usize, output: usize, dropped: &mut impl FnMut(DroppedRun)) {
    while repeated != 0 {
        let start = repeated.trailing_zeros() as usize;
        let count = (repeated >> start).trailing_ones() as usize;
        let before = kept & ((1 << start) - 1);
        dropped(DroppedRun { count, input: input + start + count, output: output + before.count_ones() as usize });
        repeated &= repeated.wrapping_add(1 << start);
    }
}

for_each_isa! {
Avx2
/// Sets bit `i` if character `i` of `units` is `>` or not ASCII.
pub(crate) fn annotation_ends[U: CodeUnit][U](units: &[U; CHUNK]) -> u64 {
    let bytes = scalar::map_chunk(units, scalar::to_byte);
    scalar::bits(scalar::map_chunk(&bytes, |byte| (byte == b'>') | (byte >= 0x80)))
}
}
