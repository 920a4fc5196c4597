//! Executors, which run the parts of a long call: on the calling thread, or on the caller's threads.

use std::ops::Range;

use crate::cancel::CancelMeter;
use crate::{Cancel, Error};

/// Runs a range of independent work items.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Executor, Never, Sequential};
///
/// let squares = Sequential(&Never).map(4, |_| 1.0, |number, _| Ok(number * number))?;
/// assert_eq!(squares, [0, 1, 4, 9]);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub trait Executor {
    /// Divides the items `0..count` into chunks and returns the results of `work` for each chunk, in order. `cycles`
    /// estimates the cost of an item in CPU cycles; an implementation should wake other threads only if the total is
    /// worth it (see [`balanced_ranges`]).
    ///
    /// # Errors
    ///
    /// The first error of any chunk.
    fn map_ranges<R: Send>(
        &self,
        count: usize,
        cycles: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error>;

    /// Returns the results of `work` for each item of `0..count`, in order. `cycles` estimates the cost of an item in
    /// CPU cycles.
    ///
    /// # Errors
    ///
    /// The first error of any item.
    fn map<R: Send>(
        &self,
        count: usize,
        cycles: impl Fn(usize) -> f32,
        work: impl Fn(usize, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        let mut ranges =
            self.map_ranges(count, cycles, |indices, cancel| map_sequential(indices, cancel, &work))?.into_iter();
        let mut results = ranges.next().unwrap_or_default();
        ranges.for_each(|chunk| results.extend(chunk));
        Ok(results)
    }
}

/// An executor that runs everything on the calling thread.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Cutoff, Never, Sequential, Text, partial_ratio_many};
///
/// let needles = ["one", "two"].map(Text::from);
/// let needles = needles.each_ref().map(Text::units);
/// let scores = partial_ratio_many(&needles, Text::from("two by two").units(), Cutoff::NONE, &Sequential(&Never))?;
/// assert_eq!(scores[1], 100.0);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Sequential<'a>(pub &'a dyn Cancel);

impl Executor for Sequential<'_> {
    fn map_ranges<R: Send>(
        &self,
        count: usize,
        _: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        Ok(vec![work(0..count, self.0)?])
    }
}

/// The minimum cost of the work that other threads can take over, in cycles. Waking a sleeping thread takes a good part
/// of that, and costs the calling thread some time too.
const MIN_SHARED_CYCLES: f32 = 800_000.0;

/// The divisor of a thread's share of the remaining work that gives the size of the next chunk. Large early chunks keep
/// their number low.
const PORTIONS_PER_THREAD: usize = 4;

/// The divisor of a thread's share of all work that gives the minimum size of a chunk. Small last chunks keep threads
/// from waiting long for each other.
const LAST_PORTIONS_PER_THREAD: usize = 16;

/// Divides the items `0..count` into chunks for `threads` threads, each of which takes the next chunk when it is free.
/// `cycles` estimates the cost of an item in CPU cycles. Chunks with more work come first, so that all threads finish
/// at about the same time. `None` if the work is too small to wake another thread.
///
/// # Examples
///
/// ```
/// use groundwire_engine::balanced_ranges;
///
/// assert_eq!(balanced_ranges(3, |_| 10.0, 2), None);
/// let chunks = balanced_ranges(100, |_| 1e6, 2).expect("the work is expensive");
/// assert_eq!(chunks.iter().map(|chunk| chunk.len()).sum::<usize>(), 100);
/// ```
pub fn balanced_ranges(count: usize, cycles: impl Fn(usize) -> f32, threads: usize) -> Option<Vec<Range<usize>>> {
    if threads == 1 {
        return None;
    }
    let cycles: Vec<f32> = (0..count).map(cycles).collect();
    let total: f32 = cycles.iter().sum();
    if total - cycles.iter().copied().fold(0.0, f32::max) < MIN_SHARED_CYCLES {
        return None;
    }
    let least = total / (LAST_PORTIONS_PER_THREAD * threads) as f32;
    let (mut ranges, mut first, mut sum, mut rest) = (Vec::new(), 0, 0.0, total);
    for (index, item) in cycles.into_iter().enumerate() {
        sum += item;
        if sum >= least.max(rest / (PORTIONS_PER_THREAD * threads) as f32) || index + 1 == count {
            ranges.push(first..index + 1);
            (first, sum, rest) = (index + 1, 0.0, rest - sum);
        }
    }
    Some(ranges)
}

/// The work charged for each item in addition to its own, in characters.
const ITEM_CHARS: usize = 1 << 10;

/// Returns the results of `work` for each of `indices`, one after the other. Also checks `cancel` between items,
/// because no single item may be large enough to check it.
fn map_sequential<R>(
    indices: Range<usize>,
    cancel: &dyn Cancel,
    work: impl Fn(usize, &dyn Cancel) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    let mut meter = CancelMeter::new(cancel);
    let mut results = Vec::with_capacity(indices.len());
    for index in indices {
        meter.charge(ITEM_CHARS)?;
        results.push(work(index, cancel)?);
    }
    Ok(results)
}
