//! Kernels of the normaliser: which level runs the loop of `normalize::ascii_chunk` over chunks.

use super::{Isa, level};
#[cfg(target_arch = "x86_64")]
use super::{avx2_chunk, avx512_chunk};
use crate::normalize::ascii_chunk::{self, AsciiUnit, CHUNK, Dropped, Rules};
use crate::normalize::text_sink::Output;

/// [`ascii_chunk::copy_ordinary`] at the best level.
#[inline]
pub(crate) fn copy_ordinary<I: AsciiUnit, W: Output>(
    input: &[I],
    out: &mut W,
    rules: Rules<'_>,
    dropped: impl FnMut(Dropped),
) -> usize {
    match level() {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => {
            // SAFETY: the level says that the processor has AVX-512 for bytes.
            unsafe { copy_ordinary_avx512(input, out, rules, dropped) }
        }
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => {
            // SAFETY: the level says that the processor has AVX2.
            unsafe { copy_ordinary_avx2(input, out, rules, dropped) }
        }
        _ => ascii_chunk::copy_ordinary(input, out, rules, dropped),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn copy_ordinary_avx2<I: AsciiUnit, W: Output>(
    input: &[I],
    out: &mut W,
    rules: Rules<'_>,
    dropped: impl FnMut(Dropped),
) -> usize {
    let dashes = rules.minded.dashes::<W>();
    let look = |units: &_| avx2_chunk::look(units, rules.minded, dashes);
    ascii_chunk::copy_chunks(input, out, rules, look, ascii_chunk::compress, dropped)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,bmi1,bmi2,lzcnt,popcnt")]
fn copy_ordinary_avx512<I: AsciiUnit, W: Output>(
    input: &[I],
    out: &mut W,
    rules: Rules<'_>,
    dropped: impl FnMut(Dropped),
) -> usize {
    let tables = avx512_chunk::Tables::new(rules.minded, rules.minded.dashes::<W>());
    let compress = |forms: &[u8; CHUNK], kept| avx512_chunk::compress(forms, kept);
    if rules.minded.minds_hyphens() {
        let look = |units: &_| avx512_chunk::look::<I, true>(units, &tables, false);
        ascii_chunk::copy_chunks(input, out, rules, look, compress, dropped)
    } else {
        let look = |units: &_| avx512_chunk::look::<I, false>(units, &tables, W::HOLDS_DASHES);
        ascii_chunk::copy_chunks(input, out, rules, look, compress, dropped)
    }
}

/// [`ascii_chunk::mark_ends`] at the best level.
#[inline]
pub(crate) fn mark_ends<I: AsciiUnit>(units: &[I; CHUNK]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if level() >= Isa::Avx2 {
        // SAFETY: the level says that the processor has AVX2.
        return unsafe { avx2_chunk::mark_ends(units) };
    }
    ascii_chunk::mark_ends(units)
}

#[cfg(test)]
mod tests {
    use super::super::detected;
    use super::*;
    use crate::normalize::Bracket;
    use crate::normalize::annotation::Marks;
    use crate::normalize::special_ascii::Minded;

    /// How much is taken, what is written, what is dropped.
    type Outcome = (usize, Vec<u32>, Vec<Dropped>);

    /// What a level makes of `input`, after an `x`; the baseline in place of one that is not there.
    fn run_at<I: AsciiUnit, O: AsciiUnit>(level: Isa, input: &[I], minded: &Minded) -> Outcome {
        let (mut out, mut dropped) = (vec![O::ascii(b'x')], Vec::new());
        let rules = Rules { minded, tells: true };
        let note = |space| dropped.push(space);
        let taken = match level.min(detected()) {
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => {
                // SAFETY: it was detected.
                unsafe { copy_ordinary_avx512(input, &mut out, rules, note) }
            }
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => {
                // SAFETY: it was detected.
                unsafe { copy_ordinary_avx2(input, &mut out, rules, note) }
            }
            _ => ascii_chunk::copy_ordinary(input, &mut out, rules, note),
        };
        (taken, out.iter().map(|unit| unit.code()).collect(), dropped)
    }

    /// What all levels make of `input`, written in its own width.
    fn run<I: AsciiUnit>(input: &[I], minded: &Minded) -> Outcome {
        let baseline = run_at::<I, I>(Isa::Baseline, input, minded);
        for level in [Isa::Avx2, Isa::Avx512] {
            assert_eq!(baseline, run_at::<I, I>(level, input, minded), "{level:?}, {input:?}");
        }
        baseline
    }

    /// What every profile minds.
    fn all_minded() -> [Minded; 3] {
        let typographic = Marks::typographic(&[Bracket::Angle, Bracket::Square]);
        [Minded::new(Marks::Literal, false), Minded::new(typographic, false), Minded::new(typographic, true)]
    }

    fn literal() -> Minded {
        Minded::new(Marks::Literal, false)
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
                    for minded in &all_minded() {
                        let outcome = run(&narrow, minded);
                        assert_eq!(outcome, run(&wide, minded), "{text:?}");
                        assert_eq!(outcome, run(&widest, minded), "{text:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn curly_quotes_are_ordinary_in_wide_texts() {
        let text: Vec<u16> =
            "it’s “so” ‘odd’…0123456789 123456789 123456789 123456789 123456789".encode_utf16().collect();
        let written = "xit's \"so\" 'odd'".bytes().map(u32::from).collect();
        assert_eq!((15, written, Vec::new()), run(&text, &literal()));
        let nothing = (0, vec![0x78], Vec::new());
        assert_eq!(nothing, run(&[0xFF18_u16; CHUNK], &literal()));
        assert_eq!(nothing, run(&[0x1_2018_u32; CHUNK], &literal()));
    }

    #[test]
    fn dashes_stay_where_they_can_be_written_and_are_hyphens_where_they_are_folded() {
        for (code, is_dash) in
            (0x2010..0x2020).zip([false, false, true, true, true, true].into_iter().chain([false; 10]))
        {
            let mut text = [u16::from(b'a'); CHUNK + 9];
            (text[1], text[2], text[7]) = (0x20, 0x09, code);
            let taken = match code {
                _ if is_dash => CHUNK,
                0x2018 | 0x2019 | 0x201C | 0x201D => CHUNK,
                _ => 7,
            };
            let [spec, typographic, _] = all_minded().map(|minded| run(&text, &minded));
            assert_eq!((taken, taken), (spec.0, typographic.0), "{code:x}");
            if is_dash {
                assert_eq!((u32::from(code), 0x2D), (spec.1[7], typographic.1[7]));
                assert_eq!(7, run_at::<u16, u8>(level(), &text, &literal()).0);
            }
        }
    }

    #[test]
    fn white_space_over_chunks_is_dropped_where_it_is() {
        let text = format!("a{}b{}", " \t".repeat(100), "c".repeat(CHUNK));
        let (_, _, spaces) = run(text.as_bytes(), &literal());
        let dropped: usize = spaces.iter().map(|space| space.count).sum();
        assert_eq!((199, Some(&Dropped { count: 9, input: 201, output: 3 })), (dropped, spaces.last()));
    }

    #[test]
    fn marks_end_at_the_first_bracket() {
        for place in 0..CHUNK {
            let mut units = [0x61_u16; CHUNK];
            units[place] = [0x3E, 0x4E00][place % 2];
            assert_eq!((1 << place, 1 << place), (mark_ends(&units), ascii_chunk::mark_ends(&units)));
        }
    }
}
