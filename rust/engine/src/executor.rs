//! Where the work of a long call is done: here, or on threads that the caller brings.

use std::ops::Range;

use crate::cancel::CancelMeter;
use crate::{Cancel, Error};

/// Does numbered pieces of work.
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
    /// Results of `work` for the portions that `0..count` is dealt out in, in order. `cycles` says
    /// what a piece costs, roughly: whether threads are worth waking depends on it.
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

    /// Results of `work` for each of `0..count`, in order.
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

/// The calling thread does everything.
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

/// What others could take over must be worth so many cycles: one that sleeps takes a good part of
/// them to wake up, and waking it takes some of this thread's.
const MIN_SHARED_CYCLES: f32 = 800_000.0;

/// A portion is this part of what is left, for each thread: few portions cost little to hand out.
const PORTIONS_PER_THREAD: usize = 4;

/// The last ones are this part of everything: nobody has to wait for them long.
const LAST_PORTIONS_PER_THREAD: usize = 16;

/// Portions of `0..count` for so many threads, which take the next one whenever they are free: dear
/// ones first, cheaper ones later, so that all end together. `None` if it does not pay to wake
/// anybody up.
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

/// What asking costs beside a piece of work that is over at once, in characters.
const PIECE_CHARS: usize = 1 << 10;

/// Results of `work` for each of `indices`, one after the other; asks `cancel` in between too,
/// because the pieces may be so small that none of them does.
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
