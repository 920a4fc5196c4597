//! `workers=`: one thread pool for all calls, created on first use.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwapOption;
use groundwire_engine::{Cancel, Error, Executor, Sequential, portions};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::signals::{self, INTERVAL};

/// The pool and its process. After a fork, the child has the memory of the pool but none of its threads, so
/// it creates its own; the pointer is swapped without a lock, which another thread could have held at the
/// fork.
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

/// Minimum work, in characters, for which other threads are used.
const MIN_SHARED_CHARS: usize = 1 << 16;

/// Runs `work`, which examines about `chars` characters, with at most `workers` threads.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    chars: usize,
    workers: usize,
    work: impl FnOnce(&Crew<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let pool = if workers == 1 || chars < MIN_SHARED_CHARS { None } else { Some(pool()?) };
    let pool = pool.as_ref().map(|pool| &pool.1);
    signals::run(py, chars, |cancel| work(&Crew { cancel, pool, workers }))
}

/// The calling thread, and others of the pool if the work is long enough.
pub(crate) struct Crew<'a> {
    cancel: &'a dyn Cancel,
    pool: Option<&'a ThreadPool>,
    /// Maximum number of threads, including the calling one.
    workers: usize,
}

impl Executor for Crew<'_> {
    fn share<R: Send>(
        &self,
        count: usize,
        cycles: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        let threads = self.pool.map_or(1, |pool| self.workers.min(pool.current_num_threads()));
        let (Some(pool), Some(portions)) = (self.pool, portions(count, &cycles, threads)) else {
            return Sequential(self.cancel).share(count, cycles, work);
        };
        let deal = Deal { portions, work, next: AtomicUsize::new(0), error: OnceLock::new() };
        let mut results = self.deal_out(pool, threads, &deal);
        if let Some(error) = deal.error.into_inner() {
            return Err(error);
        }
        results.sort_unstable_by_key(|&(number, _)| number);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }
}

/// Chunks of work; each thread takes the next one until none is left.
struct Deal<W> {
    portions: Vec<Range<usize>>,
    work: W,
    next: AtomicUsize,
    /// The first error, which stops all threads.
    error: OnceLock<Error>,
}

/// The results of the chunks that a thread took, with their numbers.
type Results<R> = Vec<(usize, R)>;

impl<W> Deal<W> {
    fn is_stopped(&self) -> bool {
        self.error.get().is_some()
    }

    fn stop(&self, error: Error) {
        self.error.get_or_init(|| error);
    }

    /// Works until no chunk is left or any thread has met an error.
    fn take<R>(&self, cancel: &dyn Cancel) -> Results<R>
    where
        W: Fn(Range<usize>, &dyn Cancel) -> Result<R, Error>,
    {
        let mut results = Vec::new();
        while !self.is_stopped() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(portion) = self.portions.get(number) else { break };
            match (self.work)(portion.clone(), cancel) {
                Ok(result) => results.push((number, result)),
                // The threads that the first error stops return errors too.
                Err(error) => self.stop(error),
            }
        }
        results
    }
}

impl Crew<'_> {
    /// Starts the other threads, and works with them.
    fn deal_out<R: Send, W>(&self, pool: &ThreadPool, threads: usize, deal: &Deal<W>) -> Results<R>
    where
        W: Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    {
        let (sender, others) = mpsc::channel();
        pool.in_place_scope(|scope| {
            for _ in 1..threads.min(deal.portions.len()) {
                let sender = sender.clone();
                // The receiver exists: this thread waits for all of them.
                scope.spawn(move |_| drop(sender.send(deal.take(&|| deal.is_stopped()))));
            }
            drop(sender);
            let mut results = deal.take(&|| deal.is_stopped() || self.cancel.is_cancelled());
            loop {
                match others.recv_timeout(INTERVAL) {
                    Ok(others) => results.extend(others),
                    Err(RecvTimeoutError::Disconnected) => return results,
                    // Python handles its signals between two results.
                    Err(RecvTimeoutError::Timeout) if self.cancel.is_cancelled() => {
                        deal.stop(Error::Cancelled);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    }
}
