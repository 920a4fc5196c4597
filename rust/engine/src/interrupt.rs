//! How a long call is stopped from outside.

use crate::Error;

/// Asked now and then, from inside long loops, whether to stop.
///
/// A question costs the caller a few nanoseconds at most on average: the loops ask every few
/// thousand characters, and an implementation keeps its own clock.
pub trait Interrupt: Sync {
    /// Whether the work should be given up.
    fn is_requested(&self) -> bool;
}

/// Never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Never;

impl Interrupt for Never {
    fn is_requested(&self) -> bool {
        false
    }
}

impl<F: Fn() -> bool + Sync> Interrupt for F {
    fn is_requested(&self) -> bool {
        self()
    }
}

/// Work done between two questions, in characters looked at.
const PATIENCE_CHARS: usize = 1 << 18;

/// Counts work and asks after every quarter of a million characters.
pub struct Meter<'a> {
    interrupt: &'a dyn Interrupt,
    done_chars: usize,
}

impl<'a> Meter<'a> {
    /// A count that asks `interrupt`.
    #[must_use]
    pub fn new(interrupt: &'a dyn Interrupt) -> Self {
        Self { interrupt, done_chars: 0 }
    }

    /// What is asked.
    #[must_use]
    pub fn interrupt(&self) -> &'a dyn Interrupt {
        self.interrupt
    }

    /// Books `chars` of work.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    #[inline]
    pub fn add(&mut self, chars: usize) -> Result<(), Error> {
        self.done_chars += chars;
        if self.done_chars < PATIENCE_CHARS {
            return Ok(());
        }
        self.done_chars = 0;
        if self.interrupt.is_requested() { Err(Error::Interrupted) } else { Ok(()) }
    }
}
