//! The fast path: runs of ordinary ASCII, a chunk at a time.
//!
//! Plain loops over fixed-size arrays that the compiler turns into vector instructions; there is
//! nothing to dispatch and nothing unsafe.

use crate::text::Unit;

/// Characters looked at together.
const CHUNK: usize = 32;

/// What a chunk loop has to know of a unit: the same few operations on every width.
pub(crate) trait Lane: Unit {
    /// The unit of an ASCII character.
    fn ascii(byte: u8) -> Self;

    /// White space in ASCII.
    fn is_ascii_space(self) -> bool;

    /// `<` or `>`.
    fn is_angle_bracket(self) -> bool;

    /// Lower-cased and folded form of an ordinary character; anything for the others.
    fn plain_form(self) -> Self;

    /// Whether this character, after `before`, needs more than [`plain_form`](Self::plain_form).
    fn stop(self, before: Self, minds_newlines: bool) -> bool;
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
        ($unit == 0x7B)
            | ($unit == 0x7D)
            | ($unit == 0x5B)
            | ($unit == 0x5D)
            | ($unit | 1 == 0x29)
            | ($unit == 0x2D)
            | ($unit == 0x0A)
    };
}

macro_rules! lane {
    ($type:ty, $quotes:expr) => {
        impl Lane for $type {
            #[inline(always)]
            fn ascii(byte: u8) -> Self {
                Self::from(byte)
            }

            #[inline(always)]
            fn is_ascii_space(self) -> bool {
                is_space!(self)
            }

            #[inline(always)]
            fn is_angle_bracket(self) -> bool {
                self | 2 == 0x3E
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
            fn stop(self, before: Self, minds_newlines: bool) -> bool {
                let is_quote = $quotes & ((self & !1 == QUOTE_SINGLE as Self) | (self & !1 == QUOTE_DOUBLE as Self));
                let is_foreign = (self >= 0x80) & !is_quote;
                let is_double_space = is_space!(self) & is_space!(before);
                let is_bracket = self.is_angle_bracket() | (minds_newlines & is_typographic_special!(self));
                is_foreign | is_double_space | is_bracket
            }
        }
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
#[inline(always)]
pub(crate) fn copy_ordinary<I: Lane, O: Lane>(input: &[I], out: &mut Vec<O>, minds_newlines: bool) -> usize {
    let space = I::ascii(b' ');
    let first_before = if out.last().is_none_or(|&last| last == O::ascii(b' ')) { space } else { I::ascii(b'x') };
    let Some(&first) = input.first() else { return 0 };
    if first.stop(first_before, minds_newlines) {
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
        if unit.stop(before, minds_newlines) {
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
    for index in 0..CHUNK {
        stops[index] = units[index].stop(before[index], minds_newlines) as u8;
        forms[index] = narrow(units[index].plain_form());
    }
    out.extend_from_slice(&forms);
    let taken = first_set(&stops);
    out.truncate(out.len() - (CHUNK - taken));
    taken
}

/// Index of the first byte that is not zero.
#[inline(always)]
fn first_set(stops: &[u8; CHUNK]) -> usize {
    let (words, _) = stops.as_chunks::<8>();
    let words = [0, 1, 2, 3].map(|index| u64::from_le_bytes(words[index]));
    if words[0] | words[1] | words[2] | words[3] == 0 {
        return CHUNK;
    }
    words
        .iter()
        .position(|&word| word != 0)
        .map_or(CHUNK, |index| index * 8 + words[index].trailing_zeros() as usize / 8)
}

/// The low bits: ordinary characters come out as ASCII, and the rest is thrown away.
#[inline(always)]
fn narrow<I: Lane, O: Lane>(unit: I) -> O {
    O::ascii(unit.code() as u8)
}
