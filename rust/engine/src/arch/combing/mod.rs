//! Kernels for seaweed combing: comb many parts of a text in parallel, one part in each lane of a vector.
//!
//! Source: see `partial_ratio::seaweed`. Kernels call `charge` with the number of characters in each step, and stop if
//! it returns an error.

mod scalar;

#[cfg(target_arch = "x86_64")]
use super::{Isa, isa};
use crate::text::CodeUnit;

/// A part of a text to comb with one needle, distributed over `LANES` lanes.
pub(crate) struct CombTile<'a, L, const LANES: usize> {
    /// The ids of those characters of the needle that the text may contain.
    pub(crate) needle: &'a [L],
    /// The columns. Each holds the ids of the characters at the same position of every lane. The number of columns is
    /// the number of characters that the windows span, rounded up to a multiple of [`COLUMNS`].
    pub(crate) columns: &'a [[L; LANES]],
    /// The length of a window in characters, which is the length of the whole needle.
    pub(crate) window: usize,
    /// The maximum number of windows in a lane, at least 1.
    pub(crate) windows: usize,
    pub(crate) windows_in_lane: [usize; LANES],
}

/// The code unit of a lane, with `LANES` lanes in a vector.
pub(crate) trait Combing<const LANES: usize>: CodeUnit {
    /// Returns the maximum LCS of any window of `tile` if it exceeds `best`, otherwise `best`; `None` if there is no
    /// kernel for this processor.
    fn best_of_tile<E>(
        tile: &CombTile<'_, Self, LANES>,
        best: usize,
        charge: &mut dyn FnMut(usize) -> Result<(), E>,
    ) -> Result<Option<usize>, E>;

    /// Returns, for each column, the age of the strand that leaves at the bottom.
    ///
    /// The age is the number of columns since the strand entered at the top. If the strand is older than every window,
    /// its age is at least the length of a window.
    fn ages<E>(
        tile: &CombTile<'_, Self, LANES>,
        charge: &mut dyn FnMut(usize) -> Result<(), E>,
    ) -> Result<Vec<[Self; LANES]>, E>;
}

/// The number of columns of a tile is a multiple of this.
pub(crate) const COLUMNS: usize = 8;

for_each_isa! {
Avx512
/// Transposes eight characters of each lane, one in each byte of its word, to eight columns.
pub(crate) fn transpose_bytes[L: From<u8>, const LANES: usize][L, LANES](
    words: &[u64; LANES],
    columns: &mut [[L; LANES]; COLUMNS],
) {
    for (place, column) in columns.iter_mut().enumerate() {
        // The cast takes the lowest byte.
        column.iter_mut().zip(words).for_each(|(unit, word)| *unit = L::from((word >> (8 * place)) as u8));
    }
}
}

macro_rules! comb {
    ($module:ident, $level:expr, $features:literal, $columns:expr, $vector:ty, $lane:ty, $lanes:expr, $splat:ident, $min:ident, $minus:ident, $plus:ident, $average:ident, $is_zero:expr, $cell:expr) => {
        impl Combing<$lanes> for $lane {
            #[cfg_attr(not(target_arch = "x86_64"), expect(unused_variables, reason = "there is no kernel"))]
            fn best_of_tile<E>(
                tile: &CombTile<'_, Self, $lanes>,
                best: usize,
                charge: &mut dyn FnMut(usize) -> Result<(), E>,
            ) -> Result<Option<usize>, E> {
                #[cfg(target_arch = "x86_64")]
                if isa() >= $level {
                    // SAFETY: `isa()` is at least `$level`, which includes the enabled features.
                    return unsafe { $module::best_of_tile(tile, best, charge) }.map(Some);
                }
                Ok(None)
            }

            fn ages<E>(
                tile: &CombTile<'_, Self, $lanes>,
                charge: &mut dyn FnMut(usize) -> Result<(), E>,
            ) -> Result<Vec<[Self; $lanes]>, E> {
                #[cfg(target_arch = "x86_64")]
                if isa() >= $level {
                    // SAFETY: `isa()` is at least `$level`, which includes the enabled features.
                    let ages = unsafe { $module::ages(tile, charge) }?;
                    return Ok(ages.into_iter().map(bytemuck::cast).collect());
                }
                scalar::ages(tile, charge)
            }
        }

        #[cfg(target_arch = "x86_64")]
        mod $module {
            use std::arch::x86_64::*;

            use super::CombTile;

            const LANES: usize = $lanes;

            /// Number of columns combed together, so that their strands stay in registers.
            const COLUMNS: usize = $columns;

            /// Returns the maximum LCS of any window of `tile` if it exceeds `best`, otherwise `best`.
            #[target_feature(enable = $features)]
            pub(super) fn best_of_tile<E>(
                tile: &CombTile<'_, $lane, LANES>,
                best: usize,
                charge: &mut dyn FnMut(usize) -> Result<(), E>,
            ) -> Result<usize, E> {
                let ages = ages(tile, charge)?;
                let mut search = Search { tile, ages: &ages, best };
                search.run(charge)?;
                Ok(search.best)
            }

            /// See [`Combing::ages`](super::Combing::ages).
            #[target_feature(enable = $features)]
            pub(super) fn ages<E>(
                tile: &CombTile<'_, $lane, LANES>,
                charge: &mut dyn FnMut(usize) -> Result<(), E>,
            ) -> Result<Vec<$vector>, E> {
                let len = tile.window;
                let needle: Vec<$vector> = tile.needle.iter().map(|&id| $splat(id as _)).collect();
                let mut across = vec![$splat(0); needle.len()];
                let mut ages = Vec::with_capacity(tile.columns.len());
                // The id of a strand is the column in which it entered, counted from `len` since the last renumbering.
                // Strands older than a window have the id 0.
                let room = (<$lane>::MAX as usize - len) / COLUMNS * COLUMNS;
                let mut local = 0;
                for columns in tile.columns.as_chunks::<COLUMNS>().0 {
                    if local + COLUMNS > room {
                        let shift = $splat(local as _);
                        across.iter_mut().for_each(|strand| *strand = $minus(*strand, shift));
                        local = 0;
                    }
                    charge(needle.len())?;
                    let ids: [$vector; COLUMNS] = std::array::from_fn(|column| $splat((len + local + column) as _));
                    let down = pass(&needle, &mut across, columns.map(bytemuck::cast), ids);
                    for column in 0..COLUMNS {
                        ages.push($minus(ids[column], down[column]));
                    }
                    local += COLUMNS;
                }
                Ok(ages)
            }

            /// Passes the strands of the columns down through the rows, and returns those that leave at the bottom.
            #[target_feature(enable = $features)]
            fn pass(
                needle: &[$vector],
                across: &mut [$vector],
                text: [$vector; COLUMNS],
                mut down: [$vector; COLUMNS],
            ) -> [$vector; COLUMNS] {
                for (&id, strand) in needle.iter().zip(across) {
                    let mut over = *strand;
                    for column in 0..COLUMNS {
                        // Strands turn if the characters are equal; otherwise the older one goes across and the younger
                        // one down.
                        (over, down[column]) = $cell(id, text[column], over, down[column]);
                    }
                    *strand = over;
                }
                down
            }

            struct Search<'a> {
                tile: &'a CombTile<'a, $lane, LANES>,
                ages: &'a [$vector],
                best: usize,
            }

            impl Search<'_> {
                /// Scores every `stride`-th window, and the windows in between whose bound exceeds `best`.
                #[target_feature(enable = $features)]
                fn run<E>(&mut self, charge: &mut dyn FnMut(usize) -> Result<(), E>) -> Result<(), E> {
                    let stride = (self.tile.window / 6).clamp(1, 10);
                    let mut left = self.score(0);
                    let mut start = 0;
                    while start + 1 < self.tile.windows {
                        let end = (start + stride).min(self.tile.windows - 1);
                        charge(self.tile.window)?;
                        let right = self.score(end);
                        let bound = $plus($average(left, right), $splat((end - start).div_ceil(2) as _));
                        if self.exceeds(bound) {
                            (start + 1..end).for_each(|inner| {
                                self.score(inner);
                            });
                        }
                        (left, start) = (right, end);
                    }
                    Ok(())
                }

                #[target_feature(enable = $features)]
                fn exceeds(&self, scores: $vector) -> bool {
                    let above = $minus(scores, $splat(self.best as _));
                    !$is_zero(above)
                }

                /// Returns the LCS of the window at `start` in every lane: the number of its columns whose strand is
                /// older than the window.
                #[target_feature(enable = $features)]
                fn score(&mut self, start: usize) -> $vector {
                    let one = $splat(1);
                    let (mut scores, mut place) = ($splat(0), $splat(0));
                    for &age in &self.ages[start..start + self.tile.window] {
                        scores = $plus(scores, $min($minus(age, place), one));
                        place = $plus(place, one);
                    }
                    if self.exceeds(scores) {
                        let lanes: [$lane; LANES] = bytemuck::cast(scores);
                        for (&score, &windows) in lanes.iter().zip(&self.tile.windows_in_lane) {
                            if start < windows {
                                self.best = self.best.max(score as usize);
                            }
                        }
                    }
                    scores
                }
            }
        }
    };
}

// A cell: strands turn if the characters are equal; otherwise the older one goes across and the younger one down. The
// two strands that leave are those that entered, so the strand that goes down is the exclusive or of both with the
// strand that goes across.

#[cfg(target_arch = "x86_64")]
macro_rules! cell256 {
    ($equal:ident, $min:ident, $plus:ident) => {
        |id, text, over, down| {
            // A saturating sum replaces an or, which compilers turn into a slow blend.
            let across = $min($plus(over, $equal(id, text)), down);
            (across, _mm256_xor_si256(_mm256_xor_si256(over, down), across))
        }
    };
}

#[cfg(target_arch = "x86_64")]
macro_rules! cell512 {
    ($differ:ident, $min:ident) => {
        |id, text, over, down| {
            let across = $min(down, $differ(id, text), over, down);
            (across, _mm512_ternarylogic_epi64::<0b1001_0110>(over, down, across))
        }
    };
}

comb!(
    bytes256,
    Isa::Avx2,
    "avx2",
    4,
    __m256i,
    u8,
    32,
    _mm256_set1_epi8,
    _mm256_min_epu8,
    _mm256_subs_epu8,
    _mm256_add_epi8,
    _mm256_avg_epu8,
    |bits| _mm256_testz_si256(bits, bits) != 0,
    cell256!(_mm256_cmpeq_epi8, _mm256_min_epu8, _mm256_adds_epu8)
);
comb!(
    words256,
    Isa::Avx2,
    "avx2",
    4,
    __m256i,
    u16,
    16,
    _mm256_set1_epi16,
    _mm256_min_epu16,
    _mm256_subs_epu16,
    _mm256_add_epi16,
    _mm256_avg_epu16,
    |bits| _mm256_testz_si256(bits, bits) != 0,
    cell256!(_mm256_cmpeq_epi16, _mm256_min_epu16, _mm256_adds_epu16)
);
comb!(
    bytes512,
    Isa::Avx512,
    "avx512f,avx512bw,avx2",
    8,
    __m512i,
    u8,
    64,
    _mm512_set1_epi8,
    _mm512_min_epu8,
    _mm512_subs_epu8,
    _mm512_add_epi8,
    _mm512_avg_epu8,
    |bits| _mm512_test_epi64_mask(bits, bits) == 0,
    cell512!(_mm512_cmpneq_epu8_mask, _mm512_mask_min_epu8)
);
comb!(
    words512,
    Isa::Avx512,
    "avx512f,avx512bw,avx2",
    8,
    __m512i,
    u16,
    32,
    _mm512_set1_epi16,
    _mm512_min_epu16,
    _mm512_subs_epu16,
    _mm512_add_epi16,
    _mm512_avg_epu16,
    |bits| _mm512_test_epi64_mask(bits, bits) == 0,
    cell512!(_mm512_cmpneq_epu16_mask, _mm512_mask_min_epu16)
);
