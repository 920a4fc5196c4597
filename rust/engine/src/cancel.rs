//! How a long call is stopped from outside.

use crate::Error;

/// Asked now and then, from inside long loops, whether to stop.
///
/// A question costs the caller a few nanoseconds at most on average: the loops ask every few
/// thousand characters, and an implementation keeps its own clock.
pub trait Cancel: Sync {
    /// Whether the work should be given up.
    fn is_cancelled(&self) -> bool;
}

/// Never stops.
#[derive(Clone, Copy, Debug, Default)]
pub struct Never;

impl Cancel for Never {
    fn is_cancelled(&self) -> bool {
        false
    }
}

impl<F: Fn() -> bool + Sync> Cancel for F {
    fn is_cancelled(&self) -> bool {
        self()
    }
}

/// Work done between two questions, in characters looked at.
const CHECK_INTERVAL_CHARS: usize = 1 << 18;

/// Counts work and asks after every quarter of a million characters.
pub struct CancelMeter<'a> {
    cancel: &'a dyn Cancel,
    done_chars: usize,
}

impl<'a> CancelMeter<'a> {
    /// A count that asks `cancel`.
    #[must_use]
    pub fn new(cancel: &'a dyn Cancel) -> Self {
        Self { cancel, done_chars: 0 }
    }

    /// What is asked.
    #[must_use]
    pub fn cancel(&self) -> &'a dyn Cancel {
        self.cancel
    }

    /// Books `chars` of work.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    #[inline]
    pub fn add(&mut self, chars: usize) -> Result<(), Error> {
        self.done_chars += chars;
        if self.done_chars < CHECK_INTERVAL_CHARS {
            return Ok(());
        }
        self.done_chars = 0;
        if self.cancel.is_cancelled() { Err(Error::Interrupted) } else { Ok(()) }
    }
}
