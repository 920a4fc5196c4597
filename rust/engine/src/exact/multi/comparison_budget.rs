//! The budget of comparisons; once it is spent, a search switches to the next strategy.

use crate::Error;
use crate::cancel::{Cancel, CancelMeter};

/// The reason why a search stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchStop {
    /// The caller cancelled it.
    Interrupted(Error),
    /// Comparisons have cost as much as the next strategy.
    Exhausted,
}

impl From<Error> for SearchStop {
    fn from(error: Error) -> Self {
        Self::Interrupted(error)
    }
}

/// Number of comparisons taken from the budget in one step, so that most comparisons cost only a subtraction.
const PORTION: usize = 1 << 10;

/// Cost of a comparison on the cancellation meter, in characters.
const METERED_CHARS: usize = 4;

/// The fraction of all comparisons available before any text is read is one in `AT_ONCE`.
const AT_ONCE: usize = 64;

/// Charges work to a cancellation meter, and comparisons to a budget.
///
/// The budget grows with the amount of text read, so that a search with too many candidates stops early.
pub(super) struct ComparisonBudget<'a> {
    meter: CancelMeter<'a>,
    available: usize,
    released: usize,
    /// The comparisons that become available with the rest of the text.
    unreleased: usize,
    per_char: f64,
}

impl<'a> ComparisonBudget<'a> {
    /// Creates a budget of `comparisons` comparisons of short patterns for a text of `chars` characters.
    pub(super) fn new(cancel: &'a dyn Cancel, comparisons: usize, chars: usize) -> Self {
        let released = comparisons / AT_ONCE;
        let per_char = comparisons as f64 / chars.max(1) as f64;
        Self { meter: CancelMeter::new(cancel), available: 0, released, unreleased: comparisons - released, per_char }
    }

    /// Charges `chars` characters that are read once, and releases their share of the budget.
    pub(super) fn charge(&mut self, chars: usize) -> Result<(), Error> {
        let coming = self.unreleased.min((chars as f64 * self.per_char) as usize);
        self.unreleased -= coming;
        self.released += coming;
        self.meter.charge(chars)
    }

    /// Charges `cost` comparisons of short patterns.
    #[inline(always)]
    pub(super) fn compare(&mut self, cost: usize) -> Result<(), SearchStop> {
        if cost > self.available {
            self.grant(cost)?;
        }
        self.available -= cost;
        Ok(())
    }

    /// Refunds the comparisons that found `occurrences`, because every strategy needs them.
    #[inline(always)]
    pub(super) fn refund(&mut self, occurrences: usize) {
        self.released += occurrences;
    }

    /// Grants at least `cost` comparisons from the budget, or a whole portion if that many are available.
    #[cold]
    fn grant(&mut self, cost: usize) -> Result<(), SearchStop> {
        let missing = cost - self.available;
        let portion = missing.max(PORTION.min(self.released));
        self.released = self.released.checked_sub(portion).ok_or(SearchStop::Exhausted)?;
        self.available += portion;
        Ok(self.meter.charge(portion * METERED_CHARS)?)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/comparison_budget.rs"]
mod tests;
