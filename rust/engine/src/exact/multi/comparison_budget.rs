//! What a search may cost before another way is taken.

use crate::Error;
use crate::cancel::{Cancel, CancelMeter};

/// Why a search ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The caller asked for it.
    Interrupted(Error),
    /// Comparing has cost as much as another way would.
    Exhausted,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Interrupted(error)
    }
}

/// Comparisons that are handed out at once: those in hand take one subtraction each.
const PORTION: usize = 1 << 10;

/// What a comparison is on the meter, in characters read.
const METERED_CHARS: usize = 4;

/// This part of all comparisons may be made before any text is read.
const AT_ONCE: usize = 64;

/// Books work on a meter, and comparisons on a budget of their own.
///
/// The budget comes with the text that is read: where there are too many candidates, that shows
/// soon, and little is spent in vain.
pub(super) struct ComparisonBudget<'a> {
    meter: CancelMeter<'a>,
    in_hand: usize,
    released: usize,
    /// What comes with the text that is still to be read.
    to_come: usize,
    per_char: f64,
}

impl<'a> ComparisonBudget<'a> {
    /// At most `comparisons` of short patterns in a text of `chars`.
    pub(super) fn new(cancel: &'a dyn Cancel, comparisons: usize, chars: usize) -> Self {
        let released = comparisons / AT_ONCE;
        let per_char = comparisons as f64 / chars.max(1) as f64;
        Self { meter: CancelMeter::new(cancel), in_hand: 0, released, to_come: comparisons - released, per_char }
    }

    /// Books `chars` characters that are read once.
    pub(super) fn book(&mut self, chars: usize) -> Result<(), Error> {
        let coming = self.to_come.min((chars as f64 * self.per_char) as usize);
        self.to_come -= coming;
        self.released += coming;
        self.meter.add(chars)
    }

    /// Books `cost` comparisons of short patterns.
    #[inline(always)]
    pub(super) fn compare(&mut self, cost: usize) -> Result<(), Stop> {
        if cost > self.in_hand {
            self.hand_out(cost)?;
        }
        self.in_hand -= cost;
        Ok(())
    }

    /// Gives back the comparisons that found `occurrences`: no way is without these.
    #[inline(always)]
    pub(super) fn give_back(&mut self, occurrences: usize) {
        self.released += occurrences;
    }

    /// Takes at least `cost` comparisons in hand, more if there are.
    #[cold]
    fn hand_out(&mut self, cost: usize) -> Result<(), Stop> {
        let missing = cost - self.in_hand;
        let portion = missing.max(PORTION.min(self.released));
        self.released = self.released.checked_sub(portion).ok_or(Stop::Exhausted)?;
        self.in_hand += portion;
        Ok(self.meter.add(portion * METERED_CHARS)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Never;

    /// Comparisons made before the budget is exhausted, `chars` having been read.
    fn made(comparisons: usize, chars: usize, cost: usize) -> usize {
        let mut work = ComparisonBudget::new(&Never, comparisons, 1000);
        assert_eq!(Ok(()), work.book(chars));
        (0..).take_while(|_| work.compare(cost).is_ok()).count() * cost
    }

    #[test]
    fn comparisons_come_with_the_text_up_to_all() {
        assert_eq!([250, 2250, 8250, 16_000], [0, 125, 500, 1000].map(|chars| made(16_000, chars, 1) / 250 * 250));
        assert_eq!(16_000, made(16_000, 1000, 4000));
        assert_eq!(0, made(0, 1000, 1));
    }

    #[test]
    fn occurrences_cost_nothing() {
        let mut work = ComparisonBudget::new(&Never, 100, 1000);
        for _ in 0..10_000 {
            assert_eq!(Ok(()), work.compare(1));
            work.give_back(1);
        }
    }
}
