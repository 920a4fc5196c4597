//! The fast path: runs of ordinary ASCII, a chunk at a time.
//!
//! Plain loops over fixed-size arrays that the compiler turns into vector instructions; there is
//! nothing to dispatch and nothing unsafe.

use crate::text::Unit;

/// Characters looked at together.
const CHUNK: usize = 32;

/// What a chunk loop has to know of a unit: the same few operations on every width.
pub(super) trait Lane: Unit {
    /// The unit of an ASCII character.
    fn ascii(byte: u8) -> Self;

    /// Lower-cased and folded form of an ordinary character; anything for the others.
    fn plain_form(self) -> Self;

    /// Non-zero where this character, after `before`, needs more than [`plain_form`](Self::plain_form).
    fn stop(self, before: Self, minds_newlines: bool) -> Self;
}

macro_rules! lane {
    ($type:ty, $quotes:expr) => {
        impl Lane for $type {
            #[inline(always)]
            fn ascii(byte: u8) -> Self {
                Self::from(byte)
            }

            #[inline(always)]
            fn plain_form(self) -> Self {
                let lower = self | (Self::from(self.wrapping_sub(0x41) < 26) << 5);
                let spaced = if is_space!(self) { 0x20 } else { lower };
                if !$quotes {
                    spaced
                } else if self & !1 == QUOTE_SINGLE as Self {
                    0x27
                } else if self & !1 == QUOTE_DOUBLE as Self {
                    0x22
                } else {
                    spaced
                }
            }

            #[inline(always)]
            fn stop(self, before: Self, minds_newlines: bool) -> Self {
                let is_quote = $quotes & ((self & !1 == QUOTE_SINGLE as Self) | (self & !1 == QUOTE_DOUBLE as Self));
                let is_foreign = (self >= 0x80) & !is_quote;
                let is_double_space = is_space!(self) & is_space!(before);
                let is_bracket = (self | 2 == 0x3E)
                    | (minds_newlines & is_typographic_special!(self));
                Self::from(is_foreign | is_double_space | is_bracket)
            }
        }
    };
}

/// ASCII white space: space, U+0009 to U+000D, U+001C to U+001F.
macro_rules! is_space {
    ($unit:expr) => {
        ($unit == 0x20) | ($unit.wrapping_sub(0x09) < 5) | ($unit.wrapping_sub(0x1C) < 4)
    };
}

/// `{ } [ ] ( )`, the hyphen and the line feed.
macro_rules! is_typographic_special {
    ($unit:expr) => {
        ($unit == 0x7B) | ($unit == 0x7D) | ($unit == 0x5B) | ($unit == 0x5D) | ($unit | 1 == 0x29) | ($unit == 0x2D) | ($unit == 0x0A)
    };
}

const QUOTE_SINGLE: u32 = 0x2018;
const QUOTE_DOUBLE: u32 = 0x201C;

lane!(u8, false);
lane!(u16, true);
lane!(u32, true);

/// Appends the normalised form of the longest ordinary beginning of `input` and returns its
/// length. Ordinary is: ASCII and the four curly quotation marks, except brackets of marks, white
/// space that follows white space, and (if the profile minds them) line ends. One for one.
pub(super) fn copy_ordinary<I: Lane, O: Lane>(input: &[I], out: &mut Vec<O>, minds_newlines: bool) -> usize {
    let space = I::ascii(b' ');
    let first_before = if out.last().is_none_or(|&last| last == O::ascii(b' ')) { space } else { I::ascii(b'x') };
    let Some(&first) = input.first() else { return 0 };
    if first.stop(first_before, minds_newlines) != I::ascii(0) {
        return 0;
    }
    out.push(narrow(first.plain_form()));
    let mut done = 1;
    while let Some(window) = input.get(done - 1..=done + CHUNK - 1) {
        let taken = copy_chunk(window, out, minds_newlines);
        done += taken;
        if taken < CHUNK {
            return done;
        }
    }
    while let Some(&[before, unit]) = input.get(done - 1..=done) {
        if unit.stop(before, minds_newlines) != I::ascii(0) {
            break;
        }
        out.push(narrow(unit.plain_form()));
        done += 1;
    }
    done
}

/// The same for one chunk, which comes with the character before it.
#[inline(always)]
fn copy_chunk<I: Lane, O: Lane>(window: &[I], out: &mut Vec<O>, minds_newlines: bool) -> usize {
    let (before, units) = (&window[..CHUNK], &window[1..=CHUNK]);
    let mut forms = [O::ascii(0); CHUNK];
    let mut stops = [0_u8; CHUNK];
    let mut any = I::ascii(0);
    for index in 0..CHUNK {
        let stop = units[index].stop(before[index], minds_newlines);
        any = any.max(stop);
        stops[index] = (stop != I::ascii(0)) as u8;
        forms[index] = narrow(units[index].plain_form());
    }
    let taken = if any == I::ascii(0) { CHUNK } else { stops.iter().position(|&stop| stop != 0).unwrap_or(CHUNK) };
    out.extend_from_slice(&forms);
    out.truncate(out.len() - (CHUNK - taken));
    taken
}

/// The low bits: ordinary characters come out as ASCII, and the rest is thrown away.
#[inline(always)]
fn narrow<I: Lane, O: Lane>(unit: I) -> O {
    O::ascii(unit.code() as u8)
}
