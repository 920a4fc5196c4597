//! Batches: rows of quotes, each with its source, in which sources recur.
//!
//! Texts are UTF-8, as in columns. The rows of a batch are grouped by source (`grouping`), so that a source is prepared
//! once and searched for all its quotes together (`prepared`; `utf8_positions` maps its characters to bytes). Prepared
//! sources are cached for the next batch within a memory limit (`cache`). Results are in the order of the rows.
//!
//! `near_duplicates` compares texts with each other.

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

/// The reason why a row has no result. Such a row counts as not grounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// The quote is null.
    #[error("the quote is null")]
    NullQuote,
    /// The source is null.
    #[error("the source is null")]
    NullSource,
    /// The table of sources has no row with this id.
    #[error("no source has this id")]
    UnknownSource,
    /// The quote is not valid UTF-8.
    #[error("the quote is not valid UTF-8")]
    QuoteNotUtf8,
    /// The text is null.
    #[error("the text is null")]
    NullText,
    /// The text is not valid UTF-8.
    #[error("the text is not valid UTF-8")]
    TextNotUtf8,
    /// The results that an answer can cite are null.
    #[error("the results are null")]
    NullResults,
    /// The source is not valid UTF-8.
    #[error("the source is not valid UTF-8")]
    SourceNotUtf8,
    /// The engine returned an error: the quote or the source is too long.
    #[error("{0}")]
    Engine(Error),
}

/// The match of a quote in its source, `None` for an ungrounded quote, or the reason why the row has no result.
pub type RowResult = Result<Option<Match>, RowError>;

/// The options of a search for quotes.
#[derive(Clone, Copy, Debug)]
pub struct GroundOptions {
    /// The mode of the search.
    pub mode: SearchMode,
    /// The minimum score in [`SearchMode::Fuzzy`]. A quote that occurs exactly is found at any threshold.
    pub threshold: Cutoff,
}

/// Returns the result of [`Source::ground`](crate::Source::ground) for the quote of each row, in the order of the rows.
/// Takes sources from `cache`, and adds new ones to it.
///
/// # Errors
///
/// [`Error::Cancelled`] if the executor is cancelled. Other errors concern one row and are in its result.
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
/// assert!(results[0].is_ok_and(|found| found.is_some_and(|found| found.span.start == 0)));
/// assert_eq!(results[1], Err(RowError::NullQuote));
/// assert_eq!(cache.size().0, 1);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn ground(
    rows: &Rows<'_>,
    options: GroundOptions,
    cache: &SourceCache<'_>,
    executor: &impl Executor,
) -> Result<Vec<RowResult>, Error> {
    let groups = Groups::new(rows, executor)?;
    let cycles = |index: usize| groups.cycles(&groups.chunks[index], options.mode);
    let ranges = executor.map_ranges(groups.chunks.len(), cycles, |chunks, cancel| {
        let mut results = Vec::new();
        for chunk in &groups.chunks[chunks] {
            ground_chunk(&groups, chunk, options, cache, cancel, &mut results)?;
        }
        Ok(results)
    })?;
    let mut results: Vec<RowResult> = rows.sources.iter().map(|source| source.map(|_| None)).collect();
    for (&row, result) in groups.order.iter().zip(ranges.into_iter().flatten()) {
        results[row as usize] = result;
    }
    Ok(results)
}

/// Appends the results of the rows of `chunk`, in their order.
fn ground_chunk(
    groups: &Groups<'_>,
    chunk: &Chunk,
    options: GroundOptions,
    cache: &SourceCache<'_>,
    cancel: &dyn Cancel,
    results: &mut Vec<RowResult>,
) -> Result<(), Error> {
    let quotes: Vec<Option<&[u8]>> = groups.quotes(chunk).collect();
    let slot = match cache.slot(groups.hash(chunk), groups.text(chunk)) {
        Ok(slot) => slot,
        Err(error) => {
            results.extend(quotes.iter().map(|_| Err(error)));
            return Ok(());
        }
    };
    match slot.prepared(cache.normalizer(), cancel) {
        Ok(prepared) => results.extend(prepared.ground(slot.text(), &quotes, options, cache.normalizer(), cancel)?),
        Err(Error::Cancelled) => return Err(Error::Cancelled),
        Err(error) => results.extend(quotes.iter().map(|_| Err(RowError::Engine(error)))),
    }
    cache.evict(&slot);
    Ok(())
}
