//! Runs library code that cannot be cancelled.

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use groundwire_engine::{Cancel, Error};

/// Interval between the caller's checks whether to abandon [`run_cancellable`] work.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Stack size of the thread for [`run_cancellable`] work: that of a main thread on most systems.
const STACK_BYTES: usize = 8 << 20;

/// Runs `work` on a separate thread, and abandons that thread if `cancel` is cancelled.
///
/// For third-party code that never checks for cancellation. The thread owns everything that it reads, so it may
/// outlive the caller; its own `Cancel` is then cancelled, and its result is dropped.
///
/// # Errors
///
/// The thread cannot be started. The inner result: [`Error::Cancelled`], or an error of `work`.
pub(super) fn run_cancellable<R: Send + 'static>(
    cancel: &dyn Cancel,
    work: impl FnOnce(&dyn Cancel) -> Result<R, Error> + Send + 'static,
) -> io::Result<Result<R, Error>> {
    let is_abandoned = Arc::new(AtomicBool::new(false));
    let (sender, result) = mpsc::sync_channel(1);
    let asked = Arc::clone(&is_abandoned);
    let thread =
        thread::Builder::new().name("groundwire-parser".to_owned()).stack_size(STACK_BYTES).spawn(move || {
            // Sending fails if the work was abandoned.
            drop(sender.send(work(&|| asked.load(Ordering::Relaxed))));
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
    fn abandoned_work_does_not_keep_its_caller() {
        let (release, released) = mpsc::channel::<()>();
        let (sender, told) = mpsc::channel();
        let questions = AtomicUsize::new(0);
        let cancel = || questions.fetch_add(1, Ordering::Relaxed) > 1;
        let result = run_cancellable(&cancel, move |asked| {
            // Runs until long after the caller has returned.
            let _ = released.recv();
            let _ = sender.send(asked.is_cancelled());
            Ok(())
        });
        assert_eq!(result.expect("a thread"), Err(Error::Cancelled));
        drop(release);
        assert_eq!(told.recv(), Ok(true));
    }

    #[test]
    fn work_that_ends_returns_its_result() {
        assert_eq!(run_cancellable(&Never, |_| Ok(7)).expect("a thread"), Ok(7));
        assert_eq!(
            run_cancellable(&Never, |_| Err::<(), _>(Error::BelowFloor)).expect("a thread"),
            Err(Error::BelowFloor)
        );
    }

    #[test]
    #[should_panic(expected = "of the work")]
    fn a_panic_of_the_work_is_the_callers() {
        drop(run_cancellable(&Never, |_| -> Result<(), Error> { panic!("of the work") }));
    }
}
