//! The cost model: what each step of a search costs, in cycles of one core.
//!
//! Measured on English prose. These figures decide about time only, never about results.

/// Making the rows of a text: for each of its characters, and for each that is filed.
pub(super) const INDEX_CYCLES_PER_CHAR: f32 = 0.4;
pub(super) const FILE_CYCLES: f32 = 5.0;

/// A scan, for each character of the text.
pub(super) const SCAN_CYCLES_PER_CHAR: f32 = 0.2;

/// Groups of bigrams that a scan may have.
pub(super) const GROUPS: [usize; 4] = [1, 2, 4, 8];

/// Exact search, for each character of the text.
pub(super) const FIND_CYCLES_PER_CHAR: f32 = 0.15;

/// Looking for grams of the needle, for each character of the text; and how often that has to go
/// into the cost of the plan, as it often finds nothing.
pub(super) const SEEDS_CYCLES_PER_CHAR: f32 = 0.4;
pub(super) const MIN_SEEDS_GAIN: f32 = 4.0;

/// Choosing bigrams to count and looking them up, for each one; and putting them into groups.
pub(super) const CHOICE_CYCLES_PER_CHAR: f32 = 60.0;
pub(super) const GROUPING_CYCLES_PER_CHAR: f32 = 15.0;

/// A character of a window, for each word of the needle's masks.
pub(super) const STEP_CYCLES: f32 = 1.6;

/// The same where there are too many words for registers.
pub(super) const BLOCK_STEP_CYCLES: f32 = 3.5;

/// A window or a candidate, besides its characters.
pub(super) const LOOK_CYCLES: f32 = 40.0;

/// Characters in a piece of a long needle: shorter ones have too few bigrams, longer ones too many
/// places for each.
pub(super) const PIECE_CHARS: [usize; 3] = [100, 64, 44];

/// Combing, besides its cells.
pub(super) const COMB_CYCLES: f32 = 6000.0;

/// Two texts of one language have about this share of a window in common anyway.
pub(super) const COMMON_SHARE: f32 = 0.52;

/// Share of the blocks of a text that have at least `threshold` of some bigrams by chance. `mean`
/// and `variance` are those of as many independent bigrams: those of a language are anything but,
/// so where many are counted the share is one that was measured, on novels and podcasts for needles
/// and pieces of 20 to 200 characters. Where few are counted, Poisson's law is the larger one.
pub(super) fn share_above(threshold: f32, mean: f32, variance: f32) -> f32 {
    let deviations = ((threshold - mean) / variance.max(f32::MIN_POSITIVE).sqrt()).max(-1.0);
    let measured = (-(0.6 + 0.75 * deviations + 0.14 * deviations * deviations)).exp().min(1.0);
    // Where the measured share is large, so is the other one.
    let is_told = threshold > MAX_RARE || measured > MAX_SELECTIVE_SHARE;
    if is_told { measured } else { measured.max(poisson(threshold as usize, mean)) }
}

/// Above this threshold the measured share is always the larger one.
pub(super) const MAX_RARE: f32 = 12.0;

/// A larger share than this makes counting useless anyway.
pub(super) const MAX_SELECTIVE_SHARE: f32 = 0.5;

/// Probability of exactly so many.
fn poisson(count: usize, mean: f32) -> f32 {
    (1..=count).fold((-mean).exp(), |share, number| share * mean / number as f32)
}

/// Making the masks of a needle, and looking at the ends of the text.
pub(super) const NEEDLE_CYCLES: f32 = 1500.0;
pub(super) const NEEDLE_CYCLES_PER_CHAR: f32 = 20.0;

/// Windows of prose that counting leaves over, for a needle that is nowhere.
pub(super) const FEW_WINDOWS: usize = 20;

/// Looking a bigram up in a layout.
pub(super) const PROBE_CYCLES: f32 = 10.0;
