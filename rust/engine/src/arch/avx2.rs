//! Seaweed combing in 256-bit vectors: 32 lanes of bytes or 16 of words, each a part of the text.

use std::arch::x86_64::*;

use super::Tile;

/// Columns that go through the needle together, so that their strands stay in registers.
const COLUMNS: usize = 4;

macro_rules! comb {
    ($name:ident, $lane:ty, $lanes:expr, $splat:ident, $equal:ident, $min:ident, $max:ident, $minus:ident, $plus:ident, $average:ident) => {
        /// The largest LCS of any window of `tile` if it is above `best`, else `best`.
        #[target_feature(enable = "avx2")]
        pub(super) fn $name(tile: &Tile<'_, $lane, $lanes>, best: usize) -> usize {
            let ages = ages(tile);
            let mut search = Search { tile, ages: &ages, best };
            search.run();
            return search.best;

            /// For each column, how many columns ago the strand that leaves it at the bottom came
            /// in at the top: the needle's length or more if that was so long ago that no window
            /// can tell.
            #[target_feature(enable = "avx2")]
            fn ages(tile: &Tile<'_, $lane, $lanes>) -> Vec<__m256i> {
                let len = tile.needle.len();
                let needle: Vec<__m256i> = tile.needle.iter().map(|&id| $splat(id as _)).collect();
                let mut across = vec![_mm256_setzero_si256(); len];
                let mut ages = Vec::with_capacity(tile.columns.len());
                // A strand is named by the column it came in at, counted from `len` on since the
                // last renumbering. Names of strands older than a window are all 0.
                let room = (<$lane>::MAX as usize - len) / COLUMNS * COLUMNS;
                let mut local = 0;
                for columns in tile.columns.as_chunks::<COLUMNS>().0 {
                    if local + COLUMNS > room {
                        let shift = $splat(local as _);
                        across.iter_mut().for_each(|strand| *strand = $minus(*strand, shift));
                        local = 0;
                    }
                    let names: [__m256i; COLUMNS] = [0, 1, 2, 3].map(|column| $splat((len + local + column) as _));
                    let down = pass(&needle, &mut across, columns.map(bytemuck::cast), names);
                    for column in 0..COLUMNS {
                        ages.push($minus(names[column], down[column]));
                    }
                    local += COLUMNS;
                }
                ages
            }

            /// Strands of four columns go down through the rows; returns those that come out.
            #[target_feature(enable = "avx2")]
            fn pass(
                needle: &[__m256i],
                across: &mut [__m256i],
                text: [__m256i; COLUMNS],
                mut down: [__m256i; COLUMNS],
            ) -> [__m256i; COLUMNS] {
                for (&id, strand) in needle.iter().zip(across) {
                    let mut over = *strand;
                    for column in 0..COLUMNS {
                        // Where characters agree the strands turn, elsewhere the older one goes on
                        // across and the younger one down.
                        let agrees = $equal(id, text[column]);
                        let next = $min(_mm256_or_si256(over, agrees), down[column]);
                        down[column] = $max(over, _mm256_andnot_si256(agrees, down[column]));
                        over = next;
                    }
                    *strand = over;
                }
                down
            }

            struct Search<'a> {
                tile: &'a Tile<'a, $lane, $lanes>,
                ages: &'a [__m256i],
                best: usize,
            }

            impl Search<'_> {
                /// Scores every few windows, and those in between where their bound asks for it.
                #[target_feature(enable = "avx2")]
                fn run(&mut self) {
                    let stride = (self.tile.needle.len() / 8).clamp(1, 8);
                    let mut left = self.score(0);
                    let mut start = 0;
                    while start + 1 < self.tile.windows {
                        let end = (start + stride).min(self.tile.windows - 1);
                        let right = self.score(end);
                        let bound = $plus($average(left, right), $splat((end - start).div_ceil(2) as _));
                        if self.exceeds(bound) {
                            (start + 1..end).for_each(|inner| {
                                self.score(inner);
                            });
                        }
                        (left, start) = (right, end);
                    }
                }

                #[target_feature(enable = "avx2")]
                fn exceeds(&self, scores: __m256i) -> bool {
                    let above = $minus(scores, $splat(self.best as _));
                    _mm256_testz_si256(above, above) == 0
                }

                /// LCS of the window at `start` in every lane: its columns whose strand is older
                /// than the window.
                #[target_feature(enable = "avx2")]
                fn score(&mut self, start: usize) -> __m256i {
                    let one = $splat(1);
                    let (mut scores, mut place) = (_mm256_setzero_si256(), _mm256_setzero_si256());
                    for &age in &self.ages[start..start + self.tile.needle.len()] {
                        scores = $plus(scores, $min($minus(age, place), one));
                        place = $plus(place, one);
                    }
                    if self.exceeds(scores) {
                        let lanes: [$lane; $lanes] = bytemuck::cast(scores);
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

comb!(
    best_of_tile_u8,
    u8,
    32,
    _mm256_set1_epi8,
    _mm256_cmpeq_epi8,
    _mm256_min_epu8,
    _mm256_max_epu8,
    _mm256_subs_epu8,
    _mm256_add_epi8,
    _mm256_avg_epu8
);
comb!(
    best_of_tile_u16,
    u16,
    16,
    _mm256_set1_epi16,
    _mm256_cmpeq_epi16,
    _mm256_min_epu16,
    _mm256_max_epu16,
    _mm256_subs_epu16,
    _mm256_add_epi16,
    _mm256_avg_epu16
);
