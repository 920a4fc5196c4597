//! Rows of quotes, each with its source: many rows, and sources that come again and again.
//!
//! Texts are UTF-8, as columns keep them. The rows of a batch are put together by source (`grouping`),
//! so that a source is prepared once and searched for all its quotes in one go (`prepared`, with
//! `utf8_positions` between its characters and its bytes); what was prepared is kept for the next batch, as
//! far as memory allows (`cache`). Results come in the order of the rows.
//!
//! Rows of texts, each compared with others: `near_duplicates`.

mod cache;
mod grouping;
mod near_duplicates;
mod prepared;
mod utf8_positions;

pub use cache::Store;
pub use grouping::Rows;
pub use near_duplicates::{Repeat, repeats, repeats_among};

use crate::Error;
use crate::cancel::Cancel;
use crate::executor::Executor;
use crate::partial_ratio::Cutoff;
use crate::source::{Found, Mode};
use grouping::{Chunk, Groups};

/// Why a row cannot be judged. It counts as not grounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// There is no quote.
    #[error("the quote is null")]
    NullQuote,
    /// There is no source.
    #[error("the source is null")]
    NullSource,
    /// The table of sources has no such row.
    #[error("no source has this id")]
    UnknownSource,
    /// The quote is made of other bytes.
    #[error("the quote is not valid UTF-8")]
    QuoteNotUtf8,
    /// There is no text.
    #[error("the text is null")]
    NullText,
    /// The text is made of other bytes.
    #[error("the text is not valid UTF-8")]
    TextNotUtf8,
    /// There is nothing that an answer could cite.
    #[error("the results are null")]
    NullResults,
    /// The source is made of other bytes.
    #[error("the source is not valid UTF-8")]
    SourceNotUtf8,
    /// Quote or source are too long for the engine.
    #[error("{0}")]
    Engine(Error),
}

/// Where a quote stands in its source, if it does, or why that cannot be said.
pub type Outcome = Result<Option<Found>, Problem>;

/// How quotes are looked for.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// Which occurrences count.
    pub mode: Mode,
    /// For [`Mode::Fuzzy`], and no more than the best score: a quote that stands there as it is is not scored.
    pub threshold: Cutoff,
}

/// The outcome of each row: what [`Source::ground`](crate::source::Source::ground) says of its quote.
/// Sources are taken from `store` and left there.
///
/// # Errors
///
/// The executor was asked to stop.
pub fn ground(rows: &Rows<'_>, how: How, store: &Store<'_>, executor: &impl Executor) -> Result<Vec<Outcome>, Error> {
    let groups = Groups::new(rows, executor)?;
    let cycles = |index: usize| groups.cycles(&groups.chunks[index], how.mode);
    let portions = executor.share(groups.chunks.len(), cycles, |chunks, cancel| {
        let mut outcomes = Vec::new();
        for chunk in &groups.chunks[chunks] {
            ground_chunk(&groups, chunk, how, store, cancel, &mut outcomes)?;
        }
        Ok(outcomes)
    })?;
    let mut outcomes: Vec<Outcome> = rows.sources.iter().map(|source| source.map(|_| None)).collect();
    for (&row, outcome) in groups.order.iter().zip(portions.into_iter().flatten()) {
        outcomes[row as usize] = outcome;
    }
    Ok(outcomes)
}

/// Appends the outcomes of the rows of `chunk`, in their order.
fn ground_chunk(
    groups: &Groups<'_>,
    chunk: &Chunk,
    how: How,
    store: &Store<'_>,
    cancel: &dyn Cancel,
    outcomes: &mut Vec<Outcome>,
) -> Result<(), Error> {
    let quotes: Vec<Option<&[u8]>> = groups.quotes(chunk).collect();
    let slot = match store.slot(groups.hash(chunk), groups.text(chunk)) {
        Ok(slot) => slot,
        Err(problem) => {
            outcomes.extend(quotes.iter().map(|_| Err(problem)));
            return Ok(());
        }
    };
    match slot.prepared(store.normalizer(), cancel) {
        Ok(prepared) => outcomes.extend(prepared.ground(slot.text(), &quotes, how, store.normalizer(), cancel)?),
        Err(Error::Interrupted) => return Err(Error::Interrupted),
        Err(error) => outcomes.extend(quotes.iter().map(|_| Err(Problem::Engine(error)))),
    }
    store.settle(&slot);
    Ok(())
}
