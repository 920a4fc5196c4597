//! The thread pool behind `workers=`, which all calls share and the first one creates.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwapOption;
use groundwire_engine::{Cancel, Error, Executor, Sequential, balanced_ranges};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::signals::{self, INTERVAL};

/// The pool and its process. After a fork, the child has the memory of the pool but none of its threads, so it
/// creates its own pool. The pointer is swapped without a lock, which another thread might have held at the fork.
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
        // Its threads are in another process, and dropping it would wait for them.
        std::mem::forget(inherited);
    }
    Ok(pool)
}

/// Minimum work for which other threads are used, in characters.
const MIN_SHARED_CHARS: usize = 1 << 16;

/// Runs `work`, which examines about `chars` characters, with at most `workers` threads.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    chars: usize,
    workers: usize,
    work: impl FnOnce(&RayonExecutor<'_>) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let pool = if workers == 1 || chars < MIN_SHARED_CHARS { None } else { Some(pool()?) };
    let pool = pool.as_ref().map(|pool| &pool.1);
    signals::run(py, chars, |cancel| work(&RayonExecutor { cancel, pool, workers }))
}

/// Runs work on the calling thread and, if it is long enough, on threads of the pool.
pub(crate) struct RayonExecutor<'a> {
    cancel: &'a dyn Cancel,
    pool: Option<&'a ThreadPool>,
    /// Maximum number of threads, including the calling one.
    workers: usize,
}

impl Executor for RayonExecutor<'_> {
    fn map_ranges<R: Send>(
        &self,
        count: usize,
        cycles: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        let threads = self.pool.map_or(1, |pool| self.workers.min(pool.current_num_threads()));
        let (Some(pool), Some(ranges)) = (self.pool, balanced_ranges(count, &cycles, threads)) else {
            return Sequential(self.cancel).map_ranges(count, cycles, work);
        };
        let queue = WorkQueue { ranges, work, next: AtomicUsize::new(0), error: OnceLock::new() };
        let mut results = self.run_chunks(pool, threads, &queue);
        if let Some(error) = queue.error.into_inner() {
            return Err(error);
        }
        results.sort_unstable_by_key(|&(number, _)| number);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }
}

/// Chunks of work. Each thread takes the next one until all are done.
struct WorkQueue<W> {
    ranges: Vec<Range<usize>>,
    work: W,
    next: AtomicUsize,
    /// The first error, which makes all threads stop.
    error: OnceLock<Error>,
}

/// The numbers and results of the chunks that a thread took.
type Results<R> = Vec<(usize, R)>;

impl<W> WorkQueue<W> {
    fn is_stopped(&self) -> bool {
        self.error.get().is_some()
    }

    fn stop(&self, error: Error) {
        self.error.get_or_init(|| error);
    }

    /// Takes chunks until all are taken or a thread has failed.
    fn work_off<R>(&self, cancel: &dyn Cancel) -> Results<R>
    where
        W: Fn(Range<usize>, &dyn Cancel) -> Result<R, Error>,
    {
        let mut results = Vec::new();
        while !self.is_stopped() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(range) = self.ranges.get(number) else { break };
            match (self.work)(range.clone(), cancel) {
                Ok(result) => results.push((number, result)),
                // The threads that the first error stops also return errors, which are ignored.
                Err(error) => self.stop(error),
            }
        }
        results
    }
}

impl RayonExecutor<'_> {
    /// Runs the chunks on other threads and on this one.
    fn run_chunks<R: Send, W>(&self, pool: &ThreadPool, threads: usize, queue: &WorkQueue<W>) -> Results<R>
    where
        W: Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    {
        let (sender, others) = mpsc::channel();
        pool.in_place_scope(|scope| {
            for _ in 1..threads.min(queue.ranges.len()) {
                let sender = sender.clone();
                // Sending cannot fail, because this thread waits for all others.
                scope.spawn(move |_| drop(sender.send(queue.work_off(&|| queue.is_stopped()))));
            }
            drop(sender);
            let mut results = queue.work_off(&|| queue.is_stopped() || self.cancel.is_cancelled());
            loop {
                match others.recv_timeout(INTERVAL) {
                    Ok(others) => results.extend(others),
                    Err(RecvTimeoutError::Disconnected) => return results,
                    // Let Python handle signals while no result arrives.
                    Err(RecvTimeoutError::Timeout) if self.cancel.is_cancelled() => {
                        queue.stop(Error::Cancelled);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
        })
    }
}
