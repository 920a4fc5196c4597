//! What a search may cost before another way is taken.

use crate::Error;
use crate::interrupt::{Interrupt, Meter};

/// Why a search ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The caller asked for it.
    Interrupted(Error),
    /// Comparing has cost as much as the automaton would.
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

/// Books work on a meter, and comparisons on a budget of their own.
pub(super) struct Work<'a> {
    meter: Meter<'a>,
    in_hand: usize,
    comparisons: usize,
}

impl<'a> Work<'a> {
    /// At most `comparisons` of short patterns.
    pub(super) fn new(interrupt: &'a dyn Interrupt, comparisons: usize) -> Self {
        Self { meter: Meter::new(interrupt), in_hand: 0, comparisons }
    }

    /// Books `chars` characters that are read once.
    pub(super) fn book(&mut self, chars: usize) -> Result<(), Error> {
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

    /// Takes at least `cost` comparisons in hand, more if there are.
    #[cold]
    fn hand_out(&mut self, cost: usize) -> Result<(), Stop> {
        let missing = cost - self.in_hand;
        let portion = missing.max(PORTION.min(self.comparisons));
        self.comparisons = self.comparisons.checked_sub(portion).ok_or(Stop::Exhausted)?;
        self.in_hand += portion;
        Ok(self.meter.add(portion * METERED_CHARS)?)
    }
}
