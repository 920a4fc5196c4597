//! Executors run the work of a long call: on the calling thread, or on threads of the caller.

use std::ops::Range;

use crate::cancel::CancelMeter;
use crate::{Cancel, Error};

/// Runs numbered pieces of work.
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
    /// Divides `0..count` into portions, and returns the results of `work` for each portion in order. `cycles`
    /// estimates the cost of a piece; threads are woken only if that pays.
    ///
    /// # Errors
    ///
    /// The first error of any portion.
    fn share<R: Send>(
        &self,
        count: usize,
        cycles: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error>;

    /// Returns the results of `work` for each of `0..count`, in order.
    ///
    /// # Errors
    ///
    /// The first error of any piece.
    fn map<R: Send>(
        &self,
        count: usize,
        cycles: impl Fn(usize) -> f32,
        work: impl Fn(usize, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        let mut portions = self.share(count, cycles, |indices, cancel| in_turn(indices, cancel, &work))?.into_iter();
        let mut results = portions.next().unwrap_or_default();
        portions.for_each(|portion| results.extend(portion));
        Ok(results)
    }
}

/// The executor that runs everything on the calling thread.
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
    fn share<R: Send>(
        &self,
        count: usize,
        _: impl Fn(usize) -> f32,
        work: impl Fn(Range<usize>, &dyn Cancel) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        Ok(vec![work(0..count, self.0)?])
    }
}

/// Minimum cost of the work that other threads can take over, in cycles. A sleeping thread needs a good part of that to
/// wake up, and waking it costs the calling thread some.
const MIN_SHARED_CYCLES: f32 = 800_000.0;

/// Each portion is this fraction of a thread's share of the remaining work, so that there are few portions.
const PORTIONS_PER_THREAD: usize = 4;

/// The last portions are this fraction of a thread's share of all work, so that no thread waits long for them.
const LAST_PORTIONS_PER_THREAD: usize = 16;

/// Divides `0..count` into portions for `threads` threads, each of which takes the next portion when it is free.
/// Expensive portions come first, so that all threads end together. `None` if waking a thread does not pay.
///
/// # Examples
///
/// ```
/// use groundwire_engine::portions;
///
/// assert_eq!(portions(3, |_| 10.0, 2), None);
/// let dear = portions(100, |_| 1e6, 2).expect("it pays");
/// assert_eq!(dear.iter().map(|portion| portion.len()).sum::<usize>(), 100);
/// ```
pub fn portions(count: usize, cycles: impl Fn(usize) -> f32, threads: usize) -> Option<Vec<Range<usize>>> {
    if threads == 1 {
        return None;
    }
    let cycles: Vec<f32> = (0..count).map(cycles).collect();
    let total: f32 = cycles.iter().sum();
    if total - cycles.iter().copied().fold(0.0, f32::max) < MIN_SHARED_CYCLES {
        return None;
    }
    let least = total / (LAST_PORTIONS_PER_THREAD * threads) as f32;
    let (mut portions, mut first, mut sum, mut rest) = (Vec::new(), 0, 0.0, total);
    for (index, piece) in cycles.into_iter().enumerate() {
        sum += piece;
        if sum >= least.max(rest / (PORTIONS_PER_THREAD * threads) as f32) || index + 1 == count {
            portions.push(first..index + 1);
            (first, sum, rest) = (index + 1, 0.0, rest - sum);
        }
    }
    Some(portions)
}

/// Work charged for each piece besides its own, in characters.
const PIECE_CHARS: usize = 1 << 10;

/// Returns the results of `work` for each of `indices`, one after the other. It checks `cancel` between pieces as well,
/// because none of them may be large enough to do so.
fn in_turn<R>(
    indices: Range<usize>,
    cancel: &dyn Cancel,
    work: impl Fn(usize, &dyn Cancel) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    let mut meter = CancelMeter::new(cancel);
    let one = |index| {
        meter.add(PIECE_CHARS)?;
        work(index, cancel)
    };
    indices.map(one).collect()
}
