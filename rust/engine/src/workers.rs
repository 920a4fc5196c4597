//! Where the work of a long call is done: here, or on threads that the caller brings.

use std::ops::Range;

use crate::interrupt::Meter;
use crate::{Error, Interrupt};

/// Does numbered pieces of work.
pub trait Workers {
    /// How many pieces may be done at once.
    fn threads(&self) -> usize;

    /// Results of `work` for `0..count`, in order.
    ///
    /// # Errors
    ///
    /// The first error of any piece.
    fn map<R: Send>(
        &self,
        count: usize,
        work: impl Fn(usize, &dyn Interrupt) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error>;
}

/// The calling thread does everything.
#[derive(Clone, Copy)]
pub struct Alone<'a>(pub &'a dyn Interrupt);

impl Workers for Alone<'_> {
    fn threads(&self) -> usize {
        1
    }

    fn map<R: Send>(
        &self,
        count: usize,
        work: impl Fn(usize, &dyn Interrupt) -> Result<R, Error> + Sync,
    ) -> Result<Vec<R>, Error> {
        in_turn(0..count, self.0, work)
    }
}

/// What asking costs beside a piece of work that is over at once, in characters.
const PIECE_CHARS: usize = 1 << 10;

/// Results of `work` for each of `indices`, one after the other; asks `interrupt` in between too,
/// because the pieces may be so small that none of them does.
///
/// # Errors
///
/// The first error of any piece, or `interrupt` asked to stop.
pub fn in_turn<R>(
    indices: Range<usize>,
    interrupt: &dyn Interrupt,
    work: impl Fn(usize, &dyn Interrupt) -> Result<R, Error>,
) -> Result<Vec<R>, Error> {
    let mut meter = Meter::new(interrupt);
    let one = |index| {
        meter.add(PIECE_CHARS)?;
        work(index, interrupt)
    };
    indices.map(one).collect()
}
