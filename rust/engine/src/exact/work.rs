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

/// Characters compared in the time of one look-up.
const CHARS_PER_COMPARISON: usize = 64;

/// Books work on a meter, and comparisons on a budget of their own.
pub(super) struct Work<'a> {
    meter: Meter<'a>,
    comparisons: usize,
}

impl<'a> Work<'a> {
    /// At most `comparisons` of short patterns.
    pub(super) fn new(interrupt: &'a dyn Interrupt, comparisons: usize) -> Self {
        Self { meter: Meter::new(interrupt), comparisons }
    }

    /// Books `chars` characters that are read once.
    pub(super) fn book(&mut self, chars: usize) -> Result<(), Error> {
        self.meter.add(chars)
    }

    /// Books the comparison with a pattern of `chars` characters.
    #[inline(always)]
    pub(super) fn compare(&mut self, chars: usize) -> Result<(), Stop> {
        let cost = 1 + chars / CHARS_PER_COMPARISON;
        self.comparisons = self.comparisons.checked_sub(cost).ok_or(Stop::Exhausted)?;
        Ok(self.meter.add(cost * 4)?)
    }
}
