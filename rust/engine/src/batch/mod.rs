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

pub use cache::SourceCache;
pub use grouping::Rows;
pub use near_duplicates::{DuplicateResult, near_duplicates, near_duplicates_among};

use crate::Error;
use crate::cancel::Cancel;
use crate::executor::Executor;
use crate::partial_ratio::Cutoff;
use crate::source::{Match, SearchMode};
use grouping::{Chunk, Groups};

/// Why a row cannot be judged. It counts as not grounded.
///
/// # Examples
///
/// ```
/// use groundwire_engine::batch::{GroundOptions, RowError, Rows, SourceCache, ground};
/// use groundwire_engine::{Cutoff, Never, Normalizer, SearchMode, Sequential, UNICODE_VERSION};
///
/// let normalizer = Normalizer::spec(UNICODE_VERSION);
/// let cache = SourceCache::new(&normalizer, 1 << 20);
/// let rows = Rows {
///     quotes: &[Some(b"we meet"), None],
///     sources: &[Ok(0), Ok(0)],
///     texts: &[Some(b"We meet on Monday.")],
/// };
/// let options = GroundOptions { mode: SearchMode::Substring, threshold: Cutoff::NONE };
/// let results = ground(&rows, options, &cache, &Sequential(&Never))?;
/// assert_eq!(results[1], Err(RowError::NullQuote));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
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
///
/// # Examples
///
/// ```
/// use groundwire_engine::batch::{GroundOptions, RowResult, Rows, SourceCache, ground};
/// use groundwire_engine::{Cutoff, Never, Normalizer, SearchMode, Sequential, UNICODE_VERSION};
///
/// let normalizer = Normalizer::spec(UNICODE_VERSION);
/// let cache = SourceCache::new(&normalizer, 1 << 20);
/// let rows = Rows {
///     quotes: &[Some(b"we meet"), None],
///     sources: &[Ok(0), Ok(0)],
///     texts: &[Some(b"We meet on Monday.")],
/// };
/// let options = GroundOptions { mode: SearchMode::Substring, threshold: Cutoff::NONE };
/// let results = ground(&rows, options, &cache, &Sequential(&Never))?;
/// let first: RowResult = results[0];
/// assert!(first.is_ok_and(|found| found.is_some()));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub type RowResult = Result<Option<Match>, RowError>;

/// How quotes are looked for.
///
/// # Examples
///
/// ```
/// use groundwire_engine::batch::{GroundOptions, Rows, SourceCache, ground};
/// use groundwire_engine::{Cutoff, Never, Normalizer, SearchMode, Sequential, UNICODE_VERSION};
///
/// let normalizer = Normalizer::spec(UNICODE_VERSION);
/// let cache = SourceCache::new(&normalizer, 1 << 20);
/// let rows = Rows {
///     quotes: &[Some(b"we meet"), None],
///     sources: &[Ok(0), Ok(0)],
///     texts: &[Some(b"We meet on Monday.")],
/// };
/// let options = GroundOptions { mode: SearchMode::Substring, threshold: Cutoff::NONE };
/// let results = ground(&rows, options, &cache, &Sequential(&Never))?;
/// assert_eq!(results.len(), 2);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GroundOptions {
    /// Which occurrences count.
    pub mode: SearchMode,
    /// For [`SearchMode::Fuzzy`], and no more than the best score: a quote that stands there as it is is not scored.
    pub threshold: Cutoff,
}

/// The outcome of each row: what [`Source::ground`](crate::source::Source::ground) says of its quote.
/// Sources are taken from `store` and left there.
///
/// # Errors
///
/// The executor was asked to stop.
///
/// # Examples
///
/// ```
/// use groundwire_engine::batch::{GroundOptions, Rows, SourceCache, ground};
/// use groundwire_engine::{Cutoff, Never, Normalizer, SearchMode, Sequential, UNICODE_VERSION};
///
/// let normalizer = Normalizer::spec(UNICODE_VERSION);
/// let cache = SourceCache::new(&normalizer, 1 << 20);
/// let rows = Rows {
///     quotes: &[Some(b"we meet"), None],
///     sources: &[Ok(0), Ok(0)],
///     texts: &[Some(b"We meet on Monday.")],
/// };
/// let options = GroundOptions { mode: SearchMode::Substring, threshold: Cutoff::NONE };
/// let results = ground(&rows, options, &cache, &Sequential(&Never))?;
/// assert!(results[0].is_ok_and(|found| found.is_some_and(|found| found.span.start == 0)));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn ground(
    rows: &Rows<'_>,
    how: GroundOptions,
    store: &SourceCache<'_>,
    executor: &impl Executor,
) -> Result<Vec<RowResult>, Error> {
    let groups = Groups::new(rows, executor)?;
    let cycles = |index: usize| groups.cycles(&groups.chunks[index], how.mode);
    let portions = executor.share(groups.chunks.len(), cycles, |chunks, cancel| {
        let mut outcomes = Vec::new();
        for chunk in &groups.chunks[chunks] {
            ground_chunk(&groups, chunk, how, store, cancel, &mut outcomes)?;
        }
        Ok(outcomes)
    })?;
    let mut outcomes: Vec<RowResult> = rows.sources.iter().map(|source| source.map(|_| None)).collect();
    for (&row, outcome) in groups.order.iter().zip(portions.into_iter().flatten()) {
        outcomes[row as usize] = outcome;
    }
    Ok(outcomes)
}

/// Appends the outcomes of the rows of `chunk`, in their order.
fn ground_chunk(
    groups: &Groups<'_>,
    chunk: &Chunk,
    how: GroundOptions,
    store: &SourceCache<'_>,
    cancel: &dyn Cancel,
    outcomes: &mut Vec<RowResult>,
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
        Err(Error::Cancelled) => return Err(Error::Cancelled),
        Err(error) => outcomes.extend(quotes.iter().map(|_| Err(RowError::Engine(error)))),
    }
    store.settle(&slot);
    Ok(())
}
