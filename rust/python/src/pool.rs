//! `workers=`: one pool of threads for all calls, made when first asked for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};

use arc_swap::ArcSwapOption;
use groundwire_engine::workers::in_turn;
use groundwire_engine::{Error, Interrupt, Workers};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::signals::{self, INTERVAL, Signals};

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

/// Work below this many characters is done alone before another thread has woken up.
const MIN_SHARED_CHARS: usize = 1 << 16;

/// Runs `work`, which looks at about `chars` characters, with a crew of at most `workers` threads.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    chars: usize,
    workers: usize,
    work: impl FnOnce(&Crew<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    if workers == 1 || chars < MIN_SHARED_CHARS {
        return signals::run(py, chars, |interrupt| work(&Crew::alone(interrupt)));
    }
    let pool = pool()?;
    let threads = workers.min(pool.1.current_num_threads());
    if threads == 1 {
        // It would do no more than the one that waits for it.
        return signals::run(py, chars, |interrupt| work(&Crew::alone(interrupt)));
    }
    let signals = Signals::new();
    let result = py.detach(|| work(&Crew { interrupt: &signals, pool: Some(&pool.1), threads }));
    signals.finish(result)
}

/// Threads of the pool, or the calling one alone.
pub(crate) struct Crew<'a> {
    interrupt: &'a dyn Interrupt,
    pool: Option<&'a ThreadPool>,
    threads: usize,
}

impl<'a> Crew<'a> {
    fn alone(interrupt: &'a dyn Interrupt) -> Self {
        Self { interrupt, pool: None, threads: 1 }
    }
}

impl Workers for Crew<'_> {
    fn threads(&self) -> usize {
        self.threads
    }

    fn map<R: Send>(
        &self,
        count: usize,
        work: impl Fn(usize, &dyn Interrupt) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        match self.pool {
            Some(pool) if count > 1 => self.map_on(pool, count, &work),
            _ => in_turn(0..count, self.interrupt, work),
        }
    }
}

/// Pieces of work that are handed out at a time: fewer, larger ones cost less to hand out, but the
/// last one may have to be waited for.
const PORTIONS_PER_THREAD: usize = 16;

impl Crew<'_> {
    fn map_on<R: Send>(
        &self,
        pool: &ThreadPool,
        count: usize,
        work: &(impl Fn(usize, &dyn Interrupt) -> Result<R, Error> + Sync),
    ) -> Result<Vec<R>, Error> {
        let (stop, next) = (AtomicBool::new(false), AtomicUsize::new(0));
        let (stop, next) = (&stop, &next);
        let portion = count.div_ceil(PORTIONS_PER_THREAD * self.threads);
        let (sender, results) = mpsc::channel();
        pool.in_place_scope(|scope| {
            for _ in 0..self.threads.min(count.div_ceil(portion)) {
                let sender = sender.clone();
                scope.spawn(move |_| {
                    let is_stopped = || stop.load(Ordering::Relaxed);
                    while let Some(first) =
                        Some(next.fetch_add(portion, Ordering::Relaxed)).filter(|&next| next < count)
                    {
                        let indices = first..count.min(first + portion);
                        let result = in_turn(indices, &is_stopped, work);
                        let is_last = result.is_err();
                        if sender.send((first, result)).is_err() || is_last {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let collected = self.collect(&results, count);
            stop.store(collected.is_err(), Ordering::Relaxed);
            collected
        })
    }

    /// Waits for all results; in between, lets Python handle its signals.
    fn collect<R>(
        &self,
        results: &mpsc::Receiver<(usize, Result<Vec<R>, Error>)>,
        count: usize,
    ) -> Result<Vec<R>, Error> {
        let mut portions = Vec::new();
        loop {
            match results.recv_timeout(INTERVAL) {
                Ok((first, portion)) => portions.push((first, portion?)),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.interrupt.is_requested() {
                return Err(Error::Interrupted);
            }
        }
        portions.sort_unstable_by_key(|&(first, _)| first);
        let collected: Vec<R> = portions.into_iter().flat_map(|(_, portion)| portion).collect();
        if collected.len() == count { Ok(collected) } else { Err(Error::Interrupted) }
    }
}
