//! Scores of windows as integers, and their only conversion to a float.

use std::cmp::Ordering;

/// The similarity of a needle and a window: the length of their longest common subsequence, and the sum of their
/// lengths.
///
/// # Examples
///
/// ```
/// use groundwire_engine::Ratio;
///
/// // Three characters in common, in a needle and a window of four each.
/// assert_eq!(Ratio::new(3, 8).score(), 75.0);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    lcs: u32,
    total: u32,
}

impl Ratio {
    /// The ratio in the absence of any window.
    pub(crate) const NONE: Self = Self { lcs: 0, total: 1 };

    /// Creates the ratio for an LCS of `lcs` characters, and a needle and a window of `total` characters together.
    #[must_use]
    pub fn new(lcs: usize, total: usize) -> Self {
        // Both fit, because texts have fewer than 2³¹ characters.
        Self { lcs: lcs as u32, total: total as u32 }
    }

    /// Creates the ratio for an LCS of `lcs` characters, and a needle and a window of `chars` characters each.
    fn of_equal_lengths(lcs: usize, chars: usize) -> Self {
        Self::new(lcs, 2 * chars)
    }

    /// Returns RapidFuzz's score, in 0–100, equal to the last bit: `(1.0 - d / M) * 100.0`, where `M` is the total
    /// number of characters and `d` the number outside the LCS.
    #[must_use]
    pub fn score(self) -> f64 {
        if self.total == 0 {
            return 100.0;
        }
        let distance = f64::from(self.total) - 2.0 * f64::from(self.lcs);
        (1.0 - distance / f64::from(self.total)) * 100.0
    }

    /// Returns the minimum length of a window that can reach this ratio for a needle of `needle` characters. A window
    /// of that length is completely in the LCS.
    pub(crate) fn min_window(self, needle: usize) -> usize {
        let (lcs, other) = (u64::from(self.lcs), u64::from(self.total - self.lcs));
        // At most `needle`, because the LCS is at most half of the total.
        (lcs * needle as u64).div_ceil(other.max(1)) as usize
    }

    /// Returns the maximum number of characters outside the LCS in a window that reaches this ratio and is shorter than
    /// the needle. `needle` must exceed [`min_window`](Self::min_window).
    pub(crate) fn max_deletions(self, needle: usize) -> usize {
        let (lcs, total) = (u64::from(self.lcs), u64::from(self.total));
        let (needle, window) = (needle as u64, needle as u64 - 1);
        ((window * (total - lcs)).saturating_sub(needle * lcs) / total) as usize
    }

    /// Returns the numerators of both ratios over a common denominator.
    fn products(self, other: Self) -> (u64, u64) {
        let product = |a: u32, b: u32| u64::from(a) * u64::from(b);
        (product(self.lcs, other.total), product(other.lcs, self.total))
    }

    /// Returns whether needle and window are equal.
    #[must_use]
    pub fn is_perfect(self) -> bool {
        2 * u64::from(self.lcs) == u64::from(self.total)
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    fn lt(&self, other: &Self) -> bool {
        let (this, that) = self.products(*other);
        this < that
    }
}

/// Compares scores. The score is monotone in `lcs / total`, so comparing integers is exact.
impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let (this, that) = self.products(*other);
        this.cmp(&that)
    }
}

/// The minimum score of an accepted window.
///
/// # Examples
///
/// ```
/// use groundwire_engine::Cutoff;
///
/// assert!(Cutoff::Score(85.0).accepts(85.0));
/// assert!(!Cutoff::Threshold(0.9).accepts(85.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cutoff {
    /// `score >= c`, on a scale of 0–100 (RapidFuzz's `score_cutoff`).
    Score(f64),
    /// `score / 100.0 >= t`, on a scale of 0–1 (the specification's threshold).
    Threshold(f64),
}

impl Cutoff {
    /// The cutoff that accepts every score.
    pub const NONE: Self = Self::Score(0.0);

    /// Returns whether `score` (0–100) reaches the cutoff.
    #[must_use]
    pub fn accepts(self, score: f64) -> bool {
        match self {
            Self::Score(cutoff) => score >= cutoff,
            Self::Threshold(threshold) => score / 100.0 >= threshold,
        }
    }

    /// Returns a ratio that every accepted window exceeds, for a needle of `needle` characters.
    pub(crate) fn below(self, needle: usize) -> Ratio {
        Ratio::of_equal_lengths(self.min_lcs(needle).saturating_sub(1), needle)
    }

    /// Returns the minimum LCS of an accepted window as long as the needle, or more than `needle` if no window can be
    /// accepted.
    pub(crate) fn min_lcs(self, needle: usize) -> usize {
        let share = match self {
            Self::Score(cutoff) => cutoff / 100.0,
            Self::Threshold(threshold) => threshold,
        };
        // The guess is off by at most one; the score's own arithmetic decides. The cast maps NaN to 0 and saturates.
        let guess = ((share * needle as f64) as usize).saturating_sub(2);
        (guess..=needle).find(|&lcs| self.accepts(Ratio::of_equal_lengths(lcs, needle).score())).unwrap_or(needle + 1)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/score.rs"]
mod tests;
