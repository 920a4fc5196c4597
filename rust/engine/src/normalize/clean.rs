//! The fast path for ordinary ASCII: lower case and plain white space, a chunk at a time.
//!
//! Plain loops over fixed-size arrays, which the compiler turns into vector instructions. Another
//! instruction set brings its own [`Chunk`] ([`crate::arch`]).

use crate::text::Unit;

/// Characters looked at together.
pub(crate) const CHUNK: usize = 64;

/// What the loops have to know of a unit: the same few operations on every width.
pub(crate) trait Lane: Unit {
    /// The unit of an ASCII character.
    fn ascii(byte: u8) -> Self;

    /// The low bits of a code point: all of it, for those that fit.
    fn low(code: u32) -> Self;
}

macro_rules! lane {
    ($type:ty) => {
        impl Lane for $type {
            #[inline(always)]
            fn ascii(byte: u8) -> Self {
                Self::from(byte)
            }

            #[inline(always)]
            fn low(code: u32) -> Self {
                code as Self
            }
        }
    };
}

lane!(u8);
lane!(u16);
lane!(u32);

/// ASCII white space: space, U+0009 to U+000D, U+001C to U+001F.
#[inline(always)]
pub(crate) fn is_space(byte: u8) -> bool {
    (byte == 0x20) | (byte.wrapping_sub(0x09) < 5) | (byte.wrapping_sub(0x1C) < 4)
}

/// A character as one byte: ASCII is itself, curly quotation marks are straight ones, all others
/// are above ASCII.
#[inline(always)]
fn to_byte<I: Lane>(unit: I) -> u8 {
    match unit.code() & !1 {
        0x2018 => b'\'',
        0x201C => b'"',
        _ => unit.code().min(0xFF) as u8,
    }
}

/// Whether the stream has to see an ASCII character: brackets of marks, and in a profile that minds
/// line ends those and the hyphens before them.
#[inline(always)]
fn is_minded(byte: u8, minds_newlines: bool) -> bool {
    let is_typographic = (byte == b'{')
        | (byte == b'}')
        | (byte == b'[')
        | (byte == b']')
        | (byte | 1 == b')')
        | (byte == b'-')
        | (byte == b'\n');
    (byte | 2 == b'>') | (minds_newlines & is_typographic)
}

/// 64 characters in their normalised form, and which of them have none of their own.
pub(crate) struct Chunk {
    /// In lower case, white space as spaces; anything for characters that are not ordinary.
    pub(crate) forms: [u8; CHUNK],
    /// A bit for each white-space character.
    pub(crate) spaces: u64,
    /// A bit for each character that is not ordinary.
    pub(crate) stops: u64,
}

impl Chunk {
    #[inline(always)]
    fn new<I: Lane>(units: &[I; CHUNK], minds_newlines: bool) -> Self {
        let bytes = units.map(to_byte);
        let spaces = bytes.map(is_space);
        let mut forms = bytes;
        for (form, is_space) in forms.iter_mut().zip(spaces) {
            let lower = *form | (u8::from(form.wrapping_sub(b'A') < 26) << 5);
            *form = if is_space { b' ' } else { lower };
        }
        let stops = bytes.map(|byte| (byte >= 0x80) | is_minded(byte, minds_newlines));
        Self { forms, spaces: bits(spaces), stops: bits(stops) }
    }
}

/// Bit `i` says whether character `i` of `units` is `>` or not ASCII.
pub(crate) fn mark_ends<I: Lane>(units: &[I; CHUNK]) -> u64 {
    bits(units.map(to_byte).map(|byte| (byte == b'>') | (byte >= 0x80)))
}

/// Bit `i` says what `flags[i]` says.
#[inline(always)]
fn bits(flags: [bool; CHUNK]) -> u64 {
    let bytes = flags.map(u8::from);
    let (words, _) = bytes.as_chunks::<8>();
    // The product gathers the lowest bits of eight bytes in the highest byte.
    let gather = |word: &[u8; 8]| u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    words.iter().rev().fold(0, |bits, word| bits << 8 | gather(word))
}

/// White space that was dropped because it follows white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dropped {
    /// Number of characters.
    pub(crate) count: usize,
    /// Where the input goes on.
    pub(crate) input: usize,
    /// Length of the output.
    pub(crate) output: usize,
}

/// Appends the normalised form of the longest ordinary beginning of `input` and returns its length;
/// less than a chunk at its end is left. Ordinary is: ASCII and the four curly quotation marks,
/// except what is minded. One for one but for white space that follows white space (or starts the
/// text): of that `dropped` is told.
#[inline(always)]
pub(crate) fn copy_ordinary<I: Lane, O: Lane>(
    input: &[I],
    out: &mut Vec<O>,
    minds_newlines: bool,
    dropped: impl FnMut(Dropped),
) -> usize {
    copy_chunks(input, out, |units| Chunk::new(units, minds_newlines), dropped)
}

/// The same, with another way to look at a chunk.
#[inline(always)]
pub(crate) fn copy_chunks<I: Lane, O: Lane>(
    input: &[I],
    out: &mut Vec<O>,
    look: impl Fn(&[I; CHUNK]) -> Chunk,
    mut dropped: impl FnMut(Dropped),
) -> usize {
    let mut follows_space = u64::from(out.last().is_none_or(|&last| last == O::ascii(b' ')));
    let mut done = 0;
    while let Some(units) = input[done..].first_chunk() {
        let Chunk { forms, spaces, stops } = look(units);
        out.extend_from_slice(&forms.map(O::ascii));
        let ends = stops | (spaces & (spaces << 1 | follows_space));
        if ends == 0 {
            done += CHUNK;
            follows_space = spaces >> (CHUNK - 1);
            continue;
        }
        let taken = ends.trailing_zeros() as usize;
        out.truncate(out.len() - (CHUNK - taken));
        done += taken;
        let count = ((spaces & !stops) >> taken).trailing_ones() as usize;
        if count == 0 {
            break;
        }
        done += count;
        dropped(Dropped { count, input: done, output: out.len() });
        follows_space = 1;
    }
    done
}
