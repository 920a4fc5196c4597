//! Kernels of the normaliser: which level runs [`clean`]'s loop over chunks.

use super::{Level, level};
#[cfg(target_arch = "x86_64")]
use super::{avx2_chunk, avx512_chunk};
use crate::normalize::clean::{self, CHUNK, Dropped, Lane};

/// [`clean::copy_ordinary`] at the best level.
#[inline]
pub(crate) fn copy_ordinary<I: Lane, O: Lane>(
    input: &[I],
    out: &mut Vec<O>,
    minds_newlines: bool,
    dropped: impl FnMut(Dropped),
) -> usize {
    match level() {
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => {
            // SAFETY: the level says that the processor has AVX-512 for bytes.
            unsafe { copy_ordinary_avx512(input, out, minds_newlines, dropped) }
        }
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => {
            // SAFETY: the level says that the processor has AVX2.
            unsafe { copy_ordinary_avx2(input, out, minds_newlines, dropped) }
        }
        _ => clean::copy_ordinary(input, out, minds_newlines, dropped),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn copy_ordinary_avx2<I: Lane, O: Lane>(
    input: &[I],
    out: &mut Vec<O>,
    minds_newlines: bool,
    dropped: impl FnMut(Dropped),
) -> usize {
    if minds_newlines {
        clean::copy_chunks(input, out, |units| avx2_chunk::look::<I, true>(units), dropped)
    } else {
        clean::copy_chunks(input, out, |units| avx2_chunk::look::<I, false>(units), dropped)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,bmi1,bmi2,lzcnt,popcnt")]
fn copy_ordinary_avx512<I: Lane, O: Lane>(
    input: &[I],
    out: &mut Vec<O>,
    minds_newlines: bool,
    dropped: impl FnMut(Dropped),
) -> usize {
    if minds_newlines {
        clean::copy_chunks(input, out, |units| avx512_chunk::look::<I, true>(units), dropped)
    } else {
        clean::copy_chunks(input, out, |units| avx512_chunk::look::<I, false>(units), dropped)
    }
}

/// [`clean::mark_ends`] at the best level.
#[inline]
pub(crate) fn mark_ends<I: Lane>(units: &[I; CHUNK]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if level() >= Level::Avx2 {
        // SAFETY: the level says that the processor has AVX2.
        return unsafe { avx2_chunk::mark_ends(units) };
    }
    clean::mark_ends(units)
}

#[cfg(test)]
mod tests {
    use super::super::detected;
    use super::*;

    /// How much is taken, what is written, what is dropped.
    type Outcome = (usize, Vec<u8>, Vec<Dropped>);

    /// What a level makes of `input`, after an `x`; the baseline in place of one that is not there.
    fn run_at<I: Lane>(level: Level, input: &[I], minds_newlines: bool) -> Outcome {
        let (mut out, mut dropped) = (vec![b'x'], Vec::new());
        let note = |space| dropped.push(space);
        let taken = match level.min(detected()) {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                // SAFETY: it was detected.
                unsafe { copy_ordinary_avx512(input, &mut out, minds_newlines, note) }
            }
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => {
                // SAFETY: it was detected.
                unsafe { copy_ordinary_avx2(input, &mut out, minds_newlines, note) }
            }
            _ => clean::copy_ordinary(input, &mut out, minds_newlines, note),
        };
        (taken, out, dropped)
    }

    /// What all levels make of `input`.
    fn run<I: Lane>(input: &[I], minds_newlines: bool) -> Outcome {
        let baseline = run_at(Level::Baseline, input, minds_newlines);
        for level in [Level::Avx2, Level::Avx512] {
            assert_eq!(baseline, run_at(level, input, minds_newlines), "{level:?}, {input:?}");
        }
        baseline
    }

    #[test]
    fn all_levels_agree_at_every_alignment() {
        for stop in ["", "<", ">", "  ", " \t", "é", "\u{7F}", "\n", "{", "-", "Z[`@", "\u{1C}\u{1F}"] {
            for before in 0..70 {
                for after in [0, 1, 31, 32, 33, 63, 64, 65, 140] {
                    let text = format!("{}{stop}{}", "aB ".repeat(before / 3 + 1), "x".repeat(after));
                    let narrow: Vec<u8> = text.chars().map(|character| character as u8).skip(before % 3).collect();
                    let wide: Vec<u16> = narrow.iter().map(|&unit| u16::from(unit)).collect();
                    let widest: Vec<u32> = narrow.iter().map(|&unit| u32::from(unit)).collect();
                    for minds_newlines in [false, true] {
                        let outcome = run(&narrow, minds_newlines);
                        assert_eq!(outcome, run(&wide, minds_newlines), "{text:?}");
                        assert_eq!(outcome, run(&widest, minds_newlines), "{text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn curly_quotes_are_ordinary_in_wide_texts() {
        let text: Vec<u16> =
            "it’s “so” ‘odd’—0123456789 123456789 123456789 123456789 123456789".encode_utf16().collect();
        assert_eq!((15, b"xit's \"so\" 'odd'".to_vec(), Vec::new()), run(&text, false));
        let nothing = (0, b"x".to_vec(), Vec::new());
        assert_eq!(nothing, run(&[0xFF18_u16; CHUNK], false));
        assert_eq!(nothing, run(&[0x1_2018_u32; CHUNK], false));
    }

    #[test]
    fn white_space_over_chunks_is_dropped_where_it_is() {
        let text = format!("a{}b{}", " \t".repeat(100), "c".repeat(CHUNK));
        let (_, _, spaces) = run(text.as_bytes(), false);
        let dropped: usize = spaces.iter().map(|space| space.count).sum();
        assert_eq!((199, Some(&Dropped { count: 9, input: 201, output: 3 })), (dropped, spaces.last()));
    }

    #[test]
    fn marks_end_at_the_first_bracket() {
        for place in 0..CHUNK {
            let mut units = [0x61_u16; CHUNK];
            units[place] = [0x3E, 0x4E00][place % 2];
            assert_eq!((1 << place, 1 << place), (mark_ends(&units), clean::mark_ends(&units)));
        }
    }
}
