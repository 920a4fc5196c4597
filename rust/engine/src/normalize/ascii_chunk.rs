//! The fast path for ordinary ASCII: lower case and plain white space, a chunk at a time.
//!
//! Plain loops over fixed-size arrays, which the compiler turns into vector instructions. Another
//! instruction set brings its own [`Chunk`] ([`crate::arch`]).

use super::special_ascii::Minded;
use super::text_sink::Output;
use crate::text::CodeUnit;

/// Characters looked at together.
pub(crate) const CHUNK: usize = 64;

/// What the loops have to know of a unit: the same few operations on every width.
pub(crate) trait AsciiUnit: CodeUnit {
    /// The unit of an ASCII character.
    fn ascii(byte: u8) -> Self;

    /// The low bits of a code point: all of it, for those that fit.
    fn low(code: u32) -> Self;
}

macro_rules! lane {
    ($type:ty) => {
        impl AsciiUnit for $type {
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

/// The first of the dashes (U+2012 to U+2015) that are ordinary: none of them changes, or all become
/// a hyphen.
pub(crate) const FIRST_DASH: u32 = 0x2012;

/// Whether `code` is one of the four dashes.
#[inline(always)]
pub(crate) fn is_dash(code: u32) -> bool {
    code.wrapping_sub(FIRST_DASH) < 4
}

/// The form of an ASCII character in lower case or of a dash.
#[inline(always)]
pub(crate) fn form_of_code(code: u32) -> u8 {
    if code < 0x80 { code as u8 } else { code.wrapping_sub(FIRST_DASH) as u8 | 0x80 }
}

/// The code point of a form.
#[inline(always)]
pub(crate) fn code_of_form(form: u8) -> u32 {
    u32::from(form) + if form < 0x80 { 0 } else { FIRST_DASH - 0x80 }
}

/// What becomes of the four dashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dashes {
    /// They become hyphens.
    Folded,
    /// They stay.
    Kept,
    /// They would stay, but cannot be written.
    Stop,
}

/// A character as one byte: ASCII is itself, curly quotation marks are straight ones, dashes are
/// hyphens, all others are above ASCII.
#[inline(always)]
fn to_byte<I: AsciiUnit>(unit: I) -> u8 {
    match unit.code() & !1 {
        0x2018 => b'\'',
        0x201C => b'"',
        0x2012 | 0x2014 => b'-',
        _ => unit.code().min(0xFF) as u8,
    }
}

/// 64 characters in their normalised form, and which of them have none of their own.
pub(crate) struct Chunk {
    /// In lower case, white space as spaces, dashes that stay as 0x80 to 0x83; anything for
    /// characters that are not ordinary.
    pub(crate) forms: [u8; CHUNK],
    /// A bit for each white-space character.
    pub(crate) spaces: u64,
    /// A bit for each character that is not ordinary.
    pub(crate) stops: u64,
}

impl Chunk {
    #[inline(always)]
    fn new<I: AsciiUnit>(units: &[I; CHUNK], minded: &Minded, dashes: Dashes) -> Self {
        let bytes = units.map(to_byte);
        let spaces = bytes.map(is_space);
        let mut forms = bytes;
        for (form, is_space) in forms.iter_mut().zip(spaces) {
            let lower = *form | (u8::from(form.wrapping_sub(b'A') < 26) << 5);
            *form = if is_space { b' ' } else { lower };
        }
        let mut stops = bytes.map(|byte| byte >= 0x80);
        for &character in minded.characters() {
            for (stop, byte) in stops.iter_mut().zip(bytes) {
                *stop |= byte == character;
            }
        }
        let (spaces, mut stops) = (bits(spaces), bits(stops));
        if minded.minds_hyphens() {
            stops = without_hyphens(stops, spaces, bits(bytes.map(|byte| byte == b'-')));
        }
        Self { forms, spaces, stops }.with_dashes(units, dashes)
    }

    /// The same with dashes, which are hyphens so far, as `dashes` wants them.
    #[inline(always)]
    pub(crate) fn with_dashes<I: AsciiUnit>(mut self, units: &[I; CHUNK], dashes: Dashes) -> Self {
        if size_of::<I>() == 1 || dashes == Dashes::Folded {
            return self;
        }
        let is_dash = units.map(|unit| is_dash(unit.code()));
        if dashes == Dashes::Stop {
            self.stops |= bits(is_dash);
            return self;
        }
        for ((form, unit), is_dash) in self.forms.iter_mut().zip(units).zip(is_dash) {
            let dash = (unit.code() as u8).wrapping_sub(FIRST_DASH as u8) | 0x80;
            *form = if is_dash { dash } else { *form };
        }
        self
    }
}

/// `stops` without the hyphens before a character that is neither white space nor a stop.
#[inline(always)]
pub(crate) fn without_hyphens(stops: u64, spaces: u64, hyphens: u64) -> u64 {
    // What follows the last one is not known.
    stops & !(hyphens & !(stops | spaces) >> 1)
}

/// Bit `i` says whether character `i` of `units` is `>` or not ASCII.
pub(crate) fn mark_ends<I: AsciiUnit>(units: &[I; CHUNK]) -> u64 {
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
    /// Length of the output before it goes on.
    pub(crate) output: usize,
}

/// How the copying of chunks is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules<'a> {
    /// What is not ordinary.
    pub(crate) minded: &'a Minded,
    /// Whether anybody listens to what is dropped.
    pub(crate) tells: bool,
}

/// Appends the normalised form of the longest ordinary beginning of `input` and returns its length;
/// less than a chunk at its end is left. Ordinary is: ASCII, the four curly quotation marks and four
/// dashes, except what is minded. One for one but for white space that follows white space (or
/// starts the text): of that `dropped` is told.
#[inline(always)]
pub(crate) fn copy_ordinary<I: AsciiUnit, W: Output>(
    input: &[I],
    out: &mut W,
    rules: Rules<'_>,
    dropped: impl FnMut(Dropped),
) -> usize {
    let dashes = rules.minded.dashes::<W>();
    copy_chunks(input, out, rules, |units| Chunk::new(units, rules.minded, dashes), compress, dropped)
}

/// The same, with another way to look at a chunk and to take those of its forms whose bits are set.
#[inline(always)]
pub(crate) fn copy_chunks<I: AsciiUnit, W: Output>(
    input: &[I],
    out: &mut W,
    rules: Rules<'_>,
    look: impl Fn(&[I; CHUNK]) -> Chunk,
    compress: impl Fn(&[u8; CHUNK], u64) -> [u8; CHUNK],
    mut dropped: impl FnMut(Dropped),
) -> usize {
    let mut follows_space = u64::from(out.last().is_none_or(|&last| last == W::Unit::ascii(b' ')));
    let mut done = 0;
    while let Some(units) = input[done..].first_chunk() {
        let Chunk { forms, spaces, stops } = look(units);
        let repeated = spaces & (spaces << 1 | follows_space);
        let ordinary = (stops & stops.wrapping_neg()).wrapping_sub(1);
        let kept = ordinary & !repeated;
        out.append(&compress(&forms, kept).map(W::unit_of_form), kept.count_ones() as usize);
        let repeated = repeated & ordinary;
        if rules.tells && repeated != 0 {
            tell(repeated, kept, done, out.len() - kept.count_ones() as usize, &mut dropped);
        }
        if stops != 0 {
            return done + stops.trailing_zeros() as usize;
        }
        // Not counted: the next load would have to wait for it.
        done += CHUNK;
        follows_space = spaces >> (CHUNK - 1);
    }
    done
}

/// Tells of each run of `repeated` white space of a chunk that starts at `input` and is written from
/// `output` on.
#[inline(never)] // The loop over chunks wants the registers.
fn tell(mut repeated: u64, kept: u64, input: usize, output: usize, dropped: &mut impl FnMut(Dropped)) {
    while repeated != 0 {
        let start = repeated.trailing_zeros() as usize;
        let count = (repeated >> start).trailing_ones() as usize;
        let before = kept & ((1 << start) - 1);
        dropped(Dropped { count, input: input + start + count, output: output + before.count_ones() as usize });
        repeated &= repeated.wrapping_add(1 << start);
    }
}

/// Those of `forms` whose bits are set, at the beginning; anything after them.
#[inline(always)]
pub(crate) fn compress(forms: &[u8; CHUNK], mut kept: u64) -> [u8; CHUNK] {
    if kept == u64::MAX {
        return *forms;
    }
    let (mut from, mut to) = ([0; 2 * CHUNK], [0; 2 * CHUNK]);
    from[..CHUNK].copy_from_slice(forms);
    let mut len = 0;
    while kept != 0 {
        let start = kept.trailing_zeros() as usize;
        to[len..len + CHUNK].copy_from_slice(&from[start..start + CHUNK]);
        len += (kept >> start).trailing_ones() as usize;
        kept &= kept.wrapping_add(1 << start);
    }
    *to.first_chunk().expect("it is twice as long")
}
