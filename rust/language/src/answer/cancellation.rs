//! Makes library code cancellable that is not.

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use groundwire_engine::{Cancel, Error};

/// Interval at which [`run_cancellable`] checks for cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Stack size of the thread of [`run_cancellable`]: that of a main thread on most systems.
const STACK_BYTES: usize = 8 << 20;

/// Runs `work` on a separate thread, and abandons that thread when `cancel` is cancelled.
///
/// This is for third-party code that never checks for cancellation. The thread owns everything that it reads, so that it
/// can outlive the caller. Its own `Cancel` is then cancelled, and its result is dropped.
///
/// # Errors
///
/// The outer error: the thread cannot be started. The inner one: [`Error::Cancelled`], or an error of `work`.
pub(super) fn run_cancellable<R: Send + 'static>(
    cancel: &dyn Cancel,
    work: impl FnOnce(&dyn Cancel) -> Result<R, Error> + Send + 'static,
) -> io::Result<Result<R, Error>> {
    let is_abandoned = Arc::new(AtomicBool::new(false));
    let (sender, result) = mpsc::sync_channel(1);
    let observed = Arc::clone(&is_abandoned);
    let thread =
        thread::Builder::new().name("groundwire-parser".to_owned()).stack_size(STACK_BYTES).spawn(move || {
            // Sending fails if the work was abandoned.
            drop(sender.send(work(&|| observed.load(Ordering::Relaxed))));
        })?;
    loop {
        match result.recv_timeout(POLL_INTERVAL) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                is_abandoned.store(true, Ordering::Relaxed);
                return Ok(Err(Error::Cancelled));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => return Ok(Err(Error::Cancelled)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use groundwire_engine::{Error, Never};

    use super::run_cancellable;

    #[test]
    fn cancelled_work_does_not_block_its_caller() {
        let (release, released) = mpsc::channel::<()>();
        let (sender, observed) = mpsc::channel();
        let checks = AtomicUsize::new(0);
        let cancel = || checks.fetch_add(1, Ordering::Relaxed) > 1;
        let result = run_cancellable(&cancel, move |cancel| {
            // Blocks until the caller has returned.
            let _ = released.recv();
            let _ = sender.send(cancel.is_cancelled());
            Ok(())
        });
        assert_eq!(result.expect("a thread"), Err(Error::Cancelled));
        drop(release);
        assert_eq!(observed.recv(), Ok(true));
    }

    #[test]
    fn finished_work_returns_its_result() {
        assert_eq!(run_cancellable(&Never, |_| Ok(7)).expect("a thread"), Ok(7));
        assert_eq!(
            run_cancellable(&Never, |_| Err::<(), _>(Error::BelowFloor)).expect("a thread"),
            Err(Error::BelowFloor)
        );
    }

    #[test]
    #[should_panic(expected = "of the work")]
    fn a_panic_of_the_work_reaches_the_caller() {
        drop(run_cancellable(&Never, |_| -> Result<(), Error> { panic!("of the work") }));
    }
}
