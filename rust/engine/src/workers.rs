//! Where the work of a long call is done: here, or on threads that the caller brings.

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
        (0..count).map(|index| work(index, self.0)).collect()
    }
}
