//! A source, prepared for searches with all its quotes in a batch.

use std::mem::MaybeUninit;

use super::utf8_positions::Utf8Positions;
use super::{GroundOptions, RowError, RowResult};
use crate::Error;
use crate::cancel::{Cancel, CancelMeter};
use crate::executor::Sequential;
use crate::normalize::Normalizer;
use crate::source::{SearchMode, Source};
use crate::text::Text;
use crate::text::{TextBuf, TextRef};

/// The capacity of the stack buffer for a normalised quote, in characters. A longer quote is normalised on the heap.
const BUFFER_CHARS: usize = 512;

/// The cost of finding one quote in addition to reading it, in characters for the meter.
const LOOK_UP_CHARS: usize = 1 << 9;

/// A UTF-8 text, prepared for searches with UTF-8 quotes. The caller keeps the text itself.
#[derive(Debug)]
pub(super) struct Prepared {
    source: Source,
    positions: Utf8Positions,
}

impl Prepared {
    pub(super) fn new(text: &str, normalizer: &Normalizer, cancel: &dyn Cancel) -> Result<Self, Error> {
        let source = Source::new(Text::from(text).units(), normalizer, cancel)?;
        Ok(Self { source, positions: Utf8Positions::new(text) })
    }

    /// Returns the number of bytes on the heap, including the indexes built so far.
    pub(super) fn heap_bytes(&self) -> usize {
        let (base, index) = self.source.heap_bytes();
        base + index + self.positions.heap_bytes()
    }

    /// Returns the result of each quote in `text`, the text that this was prepared from. Searches for the quotes
    /// exactly, one after the other, by the index that they share; then, in one fuzzy search, for those that do not
    /// occur.
    pub(super) fn ground(
        &self,
        text: &str,
        quotes: &[Option<&[u8]>],
        options: GroundOptions,
        normalizer: &Normalizer,
        cancel: &dyn Cancel,
    ) -> Result<Vec<RowResult>, Error> {
        self.source.announce(quotes.len());
        let mut meter = CancelMeter::new(cancel);
        let mut results = Vec::with_capacity(quotes.len());
        let mut absent = Absent::default();
        for (row, quote) in quotes.iter().enumerate() {
            let is_absent = |needle: TextRef<'_>| {
                if options.mode == SearchMode::Fuzzy && !needle.is_empty() {
                    absent.rows.push(row);
                    absent.needles.push(needle.to_text());
                }
            };
            let result = read(*quote).and_then(|quote| self.find(text, quote, normalizer, is_absent, cancel));
            if let Err(RowError::Engine(Error::Cancelled)) = result {
                return Err(Error::Cancelled);
            }
            results.push(result);
            meter.charge(LOOK_UP_CHARS)?;
        }
        let needles: Vec<TextRef<'_>> = absent.needles.iter().map(TextBuf::units).collect();
        let found = self.source.ground_fuzzy(&needles, options.threshold, &Sequential(cancel))?;
        absent.rows.into_iter().zip(found).for_each(|(row, found)| results[row] = Ok(found));
        Ok(results)
    }

    /// Returns the exact match of a quote, or calls `is_absent` with the normalised quote if it does not occur.
    fn find(
        &self,
        text: &str,
        quote: &str,
        normalizer: &Normalizer,
        is_absent: impl FnOnce(TextRef<'_>),
        cancel: &dyn Cancel,
    ) -> RowResult {
        let mut buffer = [MaybeUninit::uninit(); BUFFER_CHARS];
        let characters = Text::from(quote);
        let needle = normalizer.normalize_into(characters.units(), &mut buffer, |_| None, cancel);
        let needle = needle.map_err(RowError::Engine)?;
        let span = self.source.find(needle.units());
        if span.is_none() {
            is_absent(needle.units());
        }
        Ok(span.map(|span| self.source.exact_match(span, |span| self.positions.is_verbatim(text, span, quote))))
    }
}

/// The quotes that do not occur exactly in a source, normalised, and their rows.
#[derive(Default)]
struct Absent {
    rows: Vec<usize>,
    needles: Vec<TextBuf>,
}

fn read(quote: Option<&[u8]>) -> Result<&str, RowError> {
    std::str::from_utf8(quote.ok_or(RowError::NullQuote)?).map_err(|_| RowError::QuoteNotUtf8)
}
