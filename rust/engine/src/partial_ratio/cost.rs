//! Cost model: the cost of each step of a search, in cycles of one core.
//!
//! The constants were measured on English prose. They affect the time and never the result.

/// Cost of building the bitmap rows of a text: fixed, per character, and per bigram inserted.
pub(super) const INDEX_CYCLES: f32 = 12_000.0;
pub(super) const INDEX_CYCLES_PER_CHAR: f32 = 0.4;
pub(super) const INSERT_CYCLES: f32 = 5.0;

/// Base cost of a bigram scan, without its groups: fixed, and per character of the text.
pub(super) const SCAN_CYCLES: f32 = 1000.0;
pub(super) const SCAN_CYCLES_PER_CHAR: f32 = 0.1;

/// Fixed cost of each group of a scan, for its tables.
pub(super) const GROUP_CYCLES: f32 = 300.0;

/// The chance of a typical bigram at a position of prose, for an estimate before the text is sampled.
pub(super) const TYPICAL_CHANCE: f32 = 1.0 / 200.0;

/// The possible numbers of bigram groups in a scan.
pub(super) const GROUPS: [usize; 3] = [1, 2, 8];

/// Cost of an exact search, per character of the text.
pub(super) const FIND_CYCLES_PER_CHAR: f32 = 0.15;

/// Cost of searching for seeds: fixed, and per character of the text; and the minimum ratio of the plan's cost to that
/// cost. The ratio is high, because the search often finds no seed.
pub(super) const SEEDS_CYCLES: f32 = 4000.0;
pub(super) const SEEDS_CYCLES_PER_CHAR: f32 = 0.4;
pub(super) const MIN_SEEDS_GAIN: f32 = 3.0;

/// Cost of selecting the bigrams to count and looking them up, per character of the needle; and of dividing them into
/// groups.
pub(super) const CHOICE_CYCLES_PER_CHAR: f32 = 60.0;
pub(super) const GROUPING_CYCLES_PER_CHAR: f32 = 15.0;

/// Cost of scoring a character of a window, per word of the needle's masks.
pub(super) const STEP_CYCLES: f32 = 1.6;

/// The same, if there are too many words for registers.
pub(super) const BLOCK_STEP_CYCLES: f32 = 3.5;

/// Fixed cost of scoring a window or candidate, in addition to its characters.
pub(super) const SCORE_CYCLES: f32 = 40.0;

/// Lengths of the partitions of a long needle, in characters. Shorter partitions have too few bigrams; in longer ones,
/// each bigram has too many possible positions.
pub(super) const PARTITION_CHARS: [usize; 3] = [100, 64, 44];

/// Cost of looking up a character in a text with more than one byte per character: for combing, per character of the
/// text; for branch and bound, as a factor of each step.
pub(super) const WIDE_COMB_CYCLES_PER_CHAR: f32 = 6.0;
pub(super) const WIDE_STEP_FACTOR: f32 = 2.0;

/// Typical LCS of two texts of one language, as a fraction of the window.
pub(super) const COMMON_SHARE: f32 = 0.52;

/// Minimum difference between the LCS that is useful and [`COMMON_SHARE`], as a fraction of the window.
pub(super) const MIN_MARGIN: f32 = 0.05;

/// Cost factor of branch and bound for windows that are scored one by one instead of in lanes.
pub(super) const WALK_ALONE_FACTOR: usize = 2;

/// Minimum number of windows, as a multiple of their distance, for which branch and bound uses lanes.
pub(super) const MIN_WINDOWS_IN_LANES: f32 = 16.0;

/// Cost of sampling the bigram frequencies of a text: fixed, and per character sampled.
pub(super) const FREQUENCIES_CYCLES: f32 = 400.0;
pub(super) const FREQUENCIES_CYCLES_PER_CHAR: f32 = 1.6;

/// Estimates the share of a text's blocks that have at least `threshold` of some bigrams by chance.
///
/// `mean` and `variance` assume independent bigrams, but those of a language are not independent. So for many bigrams
/// the share follows measurements on novels and podcasts, with needles and partitions of 20 to 200 characters. For few
/// bigrams the Poisson distribution gives a larger share.
pub(super) fn share_above(threshold: f32, mean: f32, variance: f32) -> f32 {
    let deviations = ((threshold - mean) / variance.max(f32::MIN_POSITIVE).sqrt()).max(-1.0);
    let measured = (-(0.6 + 0.75 * deviations + 0.14 * deviations * deviations)).exp().min(1.0);
    // If the measured share is large, the Poisson share does not matter.
    let is_measured = threshold > MAX_RARE || measured > MAX_SELECTIVE_SHARE;
    if is_measured { measured } else { measured.max(poisson(threshold as usize, mean)) }
}

/// The share of blocks that a whole needle leaves, as a part of what [`share_above`] estimates. For partitions the
/// estimate is right.
pub(super) const WHOLE_SHARE: f32 = 0.25;

/// Threshold above which the measured share always exceeds the Poisson share, in bigrams.
pub(super) const MAX_RARE: f32 = 12.0;

/// Maximum share for which counting is useful.
pub(super) const MAX_SELECTIVE_SHARE: f32 = 0.5;

/// Returns the probability of exactly `count` in a Poisson distribution with the given mean.
fn poisson(count: usize, mean: f32) -> f32 {
    (1..=count).fold((-mean).exp(), |share, number| share * mean / number as f32)
}

/// Cost of building the masks of a needle and scoring the affixes of the text: fixed, and per character of the needle.
pub(super) const NEEDLE_CYCLES: f32 = 1500.0;
pub(super) const NEEDLE_CYCLES_PER_CHAR: f32 = 20.0;

/// Typical number of windows that counting leaves in prose if the needle is absent.
pub(super) const FEW_WINDOWS: usize = 20;

/// Cost of looking up a bigram in a bitmap layout.
pub(super) const PROBE_CYCLES: f32 = 10.0;
