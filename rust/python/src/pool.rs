//! `workers=`: one pool of threads for all calls, made when first asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};

use arc_swap::ArcSwapOption;
use groundwire_engine::{Error, Interrupt};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::signals::{INTERVAL, Signals, exception};

/// The pool and the process it belongs to. After a fork the child has the memory of the pool but
/// none of its threads, so it makes its own; the pointer is swapped without a lock that another
/// thread could have held at the fork.
static POOL: ArcSwapOption<(u32, ThreadPool)> = ArcSwapOption::const_empty();

fn pool() -> PyResult<Arc<(u32, ThreadPool)>> {
    let process = std::process::id();
    if let Some(pool) = POOL.load_full().filter(|pool| pool.0 == process) {
        return Ok(pool);
    }
    let threads = ThreadPoolBuilder::new().thread_name(|index| format!("groundwire-{index}")).build();
    let threads = threads.map_err(|error| PyRuntimeError::new_err(format!("cannot start worker threads: {error}")))?;
    let pool = Arc::new((process, threads));
    if let Some(inherited) = POOL.swap(Some(Arc::clone(&pool))).filter(|old| old.0 != process) {
        // Its threads are in another process; dropping it would wait for them.
        std::mem::forget(inherited);
    }
    Ok(pool)
}

/// Results of `work` for `0..count`, in order, by at most `workers` threads at once. `chars` is
/// about how many characters all of them look at.
pub(crate) fn map<R: Send>(
    py: Python<'_>,
    count: usize,
    chars: usize,
    workers: usize,
    work: impl Fn(usize, &dyn Interrupt) -> Result<R, Error> + Sync,
) -> PyResult<Vec<R>> {
    if workers == 1 || count <= 1 {
        return crate::signals::run(py, chars, |interrupt| (0..count).map(|index| work(index, interrupt)).collect());
    }
    let pool = pool()?;
    py.detach(|| map_on(&pool.1, count, workers, &work))
}

fn map_on<R: Send>(
    pool: &ThreadPool,
    count: usize,
    workers: usize,
    work: &(impl Fn(usize, &dyn Interrupt) -> Result<R, Error> + Sync),
) -> PyResult<Vec<R>> {
    let (stop, next) = (AtomicBool::new(false), AtomicUsize::new(0));
    let (stop, next) = (&stop, &next);
    let (sender, results) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..workers.min(count).min(pool.current_num_threads()) {
            let sender = sender.clone();
            scope.spawn(move |_| {
                let is_stopped = || stop.load(Ordering::Relaxed);
                while let Some(index) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&index| index < count) {
                    let result = work(index, &is_stopped);
                    let is_last = result.is_err();
                    if sender.send((index, result)).is_err() || is_last {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let collected = collect(&results, count);
        stop.store(collected.is_err(), Ordering::Relaxed);
        collected
    })
}

/// Waits for all results; in between, lets Python handle its signals.
fn collect<R>(results: &mpsc::Receiver<(usize, Result<R, Error>)>, count: usize) -> PyResult<Vec<R>> {
    let signals = Signals::new();
    let mut collected: Vec<Option<R>> = (0..count).map(|_| None).collect();
    loop {
        match results.recv_timeout(INTERVAL) {
            Ok((index, result)) => collected[index] = Some(result.map_err(exception)?),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if signals.is_requested() {
            return signals.finish(Err(Error::Interrupted));
        }
    }
    collected.into_iter().map(|result| result.ok_or_else(|| exception(Error::Interrupted))).collect()
}
