//! Finds citations and hedges in rows of claims.

use super::hedge_text::{FoldedBatch, FoldedClaims};
use crate::provenance::{self, Citation, CitationKind};
use groundwire_engine::{
    Cancel, CancelMeter, Error, Executor, PatternMatch, PatternSet, Span, Text, TextRef, batch::RowError,
};

/// A claim as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimRow<'a> {
    /// The claim.
    pub text: &'a str,
    /// Its citations, sorted by start.
    pub citations: Vec<CitedValue>,
    /// The patterns that occur in it.
    pub hedges: HedgeMatches,
}

/// A citation, with its id in the original spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedValue {
    /// The kind of the cited object.
    pub kind: CitationKind,
    /// Its id.
    pub value: String,
    /// The span of the whole citation, in characters of the claim.
    pub span: Span,
}

/// The pattern matches in a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HedgeMatches {
    /// The claim was not searched and may contain matches, because only Python can fold it.
    NotSearched,
    /// The matches in the lower-case claim, sorted by start, then by pattern. If there are any, the folded claim
    /// differs from the claim only in case and apostrophes.
    Found(Vec<PatternMatch>),
}

/// The options of [`read_claims`].
#[derive(Clone, Copy, Debug)]
pub struct ClaimOptions<'a> {
    /// The patterns to search for. With `None`, every claim is [`HedgeMatches::NotSearched`].
    pub patterns: Option<&'a PatternSet>,
    /// Whether to search for citations.
    pub citations: bool,
}

/// Cost of reading a claim, in cycles per byte.
const CYCLES_PER_BYTE: f32 = 10.0;

/// The result for one claim, or the reason why it cannot be read.
type Row<'a> = Result<ClaimRow<'a>, RowError>;

/// Reads each of `claims`, in UTF-8; `None` is null.
///
/// # Errors
///
/// The executor was cancelled.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, Sequential};
/// use groundwire_language::batch::{ClaimOptions, read_claims};
///
/// let options = ClaimOptions { patterns: None, citations: true };
/// let rows = read_claims(&[Some(b"See ADR-3."), None], options, &Sequential(&Never))?;
/// assert_eq!(rows[0].as_ref().unwrap().citations[0].value, "3");
/// assert!(rows[1].is_err());
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn read_claims<'a>(
    claims: &[Option<&'a [u8]>],
    options: ClaimOptions<'_>,
    executor: &impl Executor,
) -> Result<Vec<Result<ClaimRow<'a>, RowError>>, Error> {
    let cycles = |row: usize| CYCLES_PER_BYTE * claims[row].map_or(0, <[u8]>::len) as f32;
    let chunks =
        executor.map_ranges(claims.len(), cycles, |rows, cancel| read_chunk(&claims[rows], options, cancel))?;
    Ok(chunks.into_iter().flatten().collect())
}

fn read_chunk<'a>(
    claims: &[Option<&'a [u8]>],
    options: ClaimOptions<'_>,
    cancel: &dyn Cancel,
) -> Result<Vec<Row<'a>>, Error> {
    let mut meter = CancelMeter::new(cancel);
    let mut search = Search { patterns: options.patterns, batch: FoldedBatch::default(), cancel };
    let mut rows = Vec::with_capacity(claims.len());
    for (number, claim) in claims.iter().enumerate() {
        meter.charge(claim.map_or(1, <[u8]>::len))?;
        let row = read(*claim, options, cancel)?;
        let text = row.as_ref().map_or("", |row| row.text);
        rows.push(row);
        search.add(number, text, &mut rows)?;
    }
    search.finish(&mut rows)?;
    Ok(rows)
}

fn read<'a>(claim: Option<&'a [u8]>, options: ClaimOptions<'_>, cancel: &dyn Cancel) -> Result<Row<'a>, Error> {
    let Some(claim) = claim else { return Ok(Err(RowError::NullText)) };
    let Ok(text) = std::str::from_utf8(claim) else { return Ok(Err(RowError::TextNotUtf8)) };
    let citations = if options.citations { cited(text, cancel)? } else { Vec::new() };
    Ok(Ok(ClaimRow { text, citations, hedges: HedgeMatches::NotSearched }))
}

fn cited(text: &str, cancel: &dyn Cancel) -> Result<Vec<CitedValue>, Error> {
    let characters = Text::from(text);
    let units = characters.units();
    let value = |span: Span| units.slice(span.start..span.end).to_code_points().into_iter().filter_map(char::from_u32);
    let citations = provenance::citations(units, cancel)?.into_iter();
    let cited =
        |found: Citation| CitedValue { kind: found.kind, value: value(found.value).collect(), span: found.span };
    Ok(citations.map(cited).collect())
}

/// Number of characters of claims that are searched in one pass.
const SEARCHED_CHARS: usize = 1 << 15;

/// Searches many claims at once: with a thousand patterns and one short text, starting a search takes longer than the
/// search itself.
struct Search<'a> {
    patterns: Option<&'a PatternSet>,
    batch: FoldedBatch,
    cancel: &'a dyn Cancel,
}

impl Search<'_> {
    /// Adds the claim of a row, and searches once enough claims have been added.
    fn add(&mut self, row: usize, claim: &str, rows: &mut [Row<'_>]) -> Result<(), Error> {
        if self.patterns.is_none() || !self.batch.add(row, claim) {
            return Ok(());
        }
        if let Ok(row) = &mut rows[row] {
            row.hedges = HedgeMatches::Found(Vec::new());
        }
        if self.batch.chars() < SEARCHED_CHARS { Ok(()) } else { self.finish(rows) }
    }

    /// Searches the claims added so far.
    fn finish(&mut self, rows: &mut [Row<'_>]) -> Result<(), Error> {
        let Some(patterns) = self.patterns else { return Ok(()) };
        let FoldedBatch { ucs1, ucs2, ucs4 } = std::mem::take(&mut self.batch);
        self.search(patterns, TextRef::Ucs1(&ucs1.units), &ucs1, rows)?;
        self.search(patterns, TextRef::Ucs2(&ucs2.units), &ucs2, rows)?;
        self.search(patterns, TextRef::Ucs4(&ucs4.units), &ucs4, rows)
    }

    /// Searches the claims of `folded`, whose characters are `units`, and assigns the matches to their rows.
    fn search<T>(
        &self,
        patterns: &PatternSet,
        units: TextRef<'_>,
        folded: &FoldedClaims<T>,
        rows: &mut [Row<'_>],
    ) -> Result<(), Error> {
        let mut claims = folded.rows.iter();
        let Some(mut claim) = claims.next() else { return Ok(()) };
        for PatternMatch { pattern, span } in patterns.find_all(units, self.cancel)? {
            while span.start >= claim.range.end {
                // Every match is within a claim, because no pattern contains the separator.
                let Some(next) = claims.next() else { return Ok(()) };
                claim = next;
            }
            let first = claim.range.start;
            match &mut rows[claim.row] {
                Ok(ClaimRow { hedges: HedgeMatches::Found(found), .. }) if claim.is_aligned => {
                    found.push(PatternMatch { pattern, span: Span::new(span.start - first, span.end - first) });
                }
                Ok(row) => row.hedges = HedgeMatches::NotSearched,
                Err(_) => {}
            }
        }
        Ok(())
    }
}
