//! The cost model: the cost of each step of a search, in cycles of one core.
//!
//! The constants are measured on English prose. They affect the time and never the result.

/// Making the rows of a text: for each character, and for each filed one.
pub(super) const INDEX_CYCLES_PER_CHAR: f32 = 0.4;
pub(super) const FILE_CYCLES: f32 = 5.0;

/// A scan, for each character of the text.
pub(super) const SCAN_CYCLES_PER_CHAR: f32 = 0.2;

/// The possible numbers of groups of a scan.
pub(super) const GROUPS: [usize; 4] = [1, 2, 4, 8];

/// Exact search, for each character of the text.
pub(super) const FIND_CYCLES_PER_CHAR: f32 = 0.15;

/// Searching for seeds, for each character of the text; and the minimum ratio of the plan's cost to it, because it
/// often finds nothing.
pub(super) const SEEDS_CYCLES_PER_CHAR: f32 = 0.4;
pub(super) const MIN_SEEDS_GAIN: f32 = 4.0;

/// Choosing bigrams to count and looking them up, for each bigram; and grouping them.
pub(super) const CHOICE_CYCLES_PER_CHAR: f32 = 60.0;
pub(super) const GROUPING_CYCLES_PER_CHAR: f32 = 15.0;

/// Scoring a character of a window, for each word of the needle's masks.
pub(super) const STEP_CYCLES: f32 = 1.6;

/// The same if there are too many words for registers.
pub(super) const BLOCK_STEP_CYCLES: f32 = 3.5;

/// Scoring a window or candidate, besides its characters.
pub(super) const LOOK_CYCLES: f32 = 40.0;

/// Lengths of pieces of a long needle, in characters. Shorter pieces have too few bigrams, longer ones too many
/// positions for each.
pub(super) const PIECE_CHARS: [usize; 3] = [100, 64, 44];

/// Combing, without its cells.
pub(super) const COMB_CYCLES: f32 = 6000.0;

/// The usual share of a window that is common to two texts of one language.
pub(super) const COMMON_SHARE: f32 = 0.52;

/// Estimates the share of a text's blocks with at least `threshold` of some bigrams by chance. `mean` and `variance`
/// are for independent bigrams, which those of a language are not. So for many bigrams the share is a measured one,
/// from novels and podcasts with needles and pieces of 20 to 200 characters. For few, the Poisson distribution is
/// larger.
pub(super) fn share_above(threshold: f32, mean: f32, variance: f32) -> f32 {
    let deviations = ((threshold - mean) / variance.max(f32::MIN_POSITIVE).sqrt()).max(-1.0);
    let measured = (-(0.6 + 0.75 * deviations + 0.14 * deviations * deviations)).exp().min(1.0);
    // If the measured share is large, the other one is too.
    let is_told = threshold > MAX_RARE || measured > MAX_SELECTIVE_SHARE;
    if is_told { measured } else { measured.max(poisson(threshold as usize, mean)) }
}

/// Above this threshold the measured share is always the larger one.
pub(super) const MAX_RARE: f32 = 12.0;

/// Maximum share for which counting is useful.
pub(super) const MAX_SELECTIVE_SHARE: f32 = 0.5;

/// Returns the probability of exactly `count` in a Poisson distribution.
fn poisson(count: usize, mean: f32) -> f32 {
    (1..=count).fold((-mean).exp(), |share, number| share * mean / number as f32)
}

/// Making the masks of a needle, and scoring the ends of the text.
pub(super) const NEEDLE_CYCLES: f32 = 1500.0;
pub(super) const NEEDLE_CYCLES_PER_CHAR: f32 = 20.0;

/// Number of windows of prose that counting leaves for an absent needle.
pub(super) const FEW_WINDOWS: usize = 20;

/// Looking a bigram up in a layout.
pub(super) const PROBE_CYCLES: f32 = 10.0;
