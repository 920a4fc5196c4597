//! Cancellation of long calls.

use crate::Error;

/// A cancellation request, which long loops check regularly.
///
/// Loops check it about once per 262,144 characters of work, so an implementation can afford to read a clock.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// use groundwire_engine::Cancel;
///
/// let is_stopped = AtomicBool::new(true);
/// let cancel = || is_stopped.load(Ordering::Relaxed);
/// assert!(cancel.is_cancelled());
/// ```
pub trait Cancel: Sync {
    /// Returns whether the work should stop.
    fn is_cancelled(&self) -> bool;
}

/// A [`Cancel`] that never requests cancellation.
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

/// The amount of work between two checks, in characters.
const CHECK_INTERVAL_CHARS: usize = 1 << 18;

/// Counts work in characters and checks for cancellation after every 262,144 of them.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{CancelMeter, Error};
///
/// let always = || true;
/// let mut meter = CancelMeter::new(&always);
/// assert_eq!(meter.charge(1000), Ok(()));
/// assert_eq!(meter.charge(1_000_000), Err(Error::Cancelled));
/// ```
pub struct CancelMeter<'a> {
    cancel: &'a dyn Cancel,
    done_chars: usize,
}

impl<'a> CancelMeter<'a> {
    /// Creates a meter that checks `cancel`.
    #[must_use]
    pub fn new(cancel: &'a dyn Cancel) -> Self {
        Self { cancel, done_chars: 0 }
    }

    /// Returns the cancellation request that this meter checks.
    #[must_use]
    pub fn cancel(&self) -> &'a dyn Cancel {
        self.cancel
    }

    /// Charges `chars` characters of work.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`] if a check is due and finds that cancellation was requested.
    #[inline]
    pub fn charge(&mut self, chars: usize) -> Result<(), Error> {
        self.done_chars += chars;
        if self.done_chars < CHECK_INTERVAL_CHARS {
            return Ok(());
        }
        self.done_chars = 0;
        if self.cancel.is_cancelled() { Err(Error::Cancelled) } else { Ok(()) }
    }
}
