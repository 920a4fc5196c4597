//! A text prepared once, searched many times.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::alphabet::{self, Alphabet};
use crate::exact::{self, grid};
use crate::fuzzy::{self, Ask, Best, Cutoff, Force, Needle, Want};
use crate::interrupt::{Interrupt, Meter};
use crate::workers::Alone;
use crate::normalize::{Normalizer, Origins};
use crate::text::{Text, Unit, Units, with_units};
use crate::{Error, Span};

/// Below this many characters a text is scanned faster than any index is asked.
const MIN_INDEXED_CHARS: usize = 2048;

/// Building the index costs as much as scanning the whole text about this often.
const SCANS_PER_INDEX: usize = 8;

/// A text: normalised, mapped to its original, indexed when that pays.
///
/// Immutable; threads share it. All positions are those of the normalised text until
/// [`to_original`](Self::to_original) maps them back.
#[derive(Debug)]
pub struct Source {
    symbols: Text,
    alphabet: Alphabet,
    origins: Origins,
    grid: OnceLock<grid::Grid>,
    /// Characters that exact searches have looked at so far.
    scanned_chars: AtomicUsize,
}

/// What [`Source::find_fuzzy`] found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The window of the normalised text.
    pub window: Span,
    /// Its partial ratio, 0–100.
    pub score: f64,
    /// Whether the window reads exactly like the needle.
    pub is_exact: bool,
}

impl Source {
    /// Prepares `text`.
    ///
    /// # Errors
    ///
    /// The text is too long, or `interrupt` asked to stop.
    pub fn new(text: Units<'_>, normalizer: &Normalizer, interrupt: &dyn Interrupt) -> Result<Self, Error> {
        let normalized = normalizer.normalize_mapped(text, interrupt)?;
        let (symbols, alphabet) = alphabet::densify(normalized.text);
        let (grid, scanned_chars) = (OnceLock::new(), AtomicUsize::new(0));
        Ok(Self { symbols, alphabet, origins: normalized.origins, grid, scanned_chars })
    }

    /// Characters in the normalised text.
    #[must_use]
    pub fn len(&self) -> usize {
        self.symbols.units().len()
    }

    /// Whether nothing is left of the text once it is normalised.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The normalised text.
    #[must_use]
    pub fn normalized(&self) -> Text {
        match &self.alphabet {
            Alphabet::Identity => self.symbols.clone(),
            Alphabet::Dense(_) => Text::U32(self.codes()),
        }
    }

    fn codes(&self) -> Vec<u32> {
        with_units!(self.symbols.units(), units => units.iter().map(|unit| self.alphabet.code(unit.code())).collect())
    }

    /// The span of the original that a span of the normalised text came from.
    #[must_use]
    pub fn to_original(&self, span: Span) -> Span {
        self.origins.to_original(span)
    }

    /// Bytes on the heap: text, map and alphabet, then the index if there is one.
    #[must_use]
    pub fn heap_bytes(&self) -> (usize, usize) {
        let text = match &self.symbols {
            Text::U8(units) => units.capacity(),
            Text::U16(units) => units.capacity() * 2,
            Text::U32(units) => units.capacity() * 4,
        };
        let base = text + self.origins.heap_bytes() + self.alphabet.heap_bytes();
        (base, self.grid.get().map_or(0, grid::Grid::heap_bytes))
    }

    /// Leftmost occurrence of `needle`, a normalised text. The empty one occurs nowhere (ruling
    /// A6).
    #[must_use]
    pub fn find(&self, needle: Units<'_>) -> Option<Span> {
        let start = with_units!(self.symbols.units(), text => self.find_symbols(text, &self.alphabet.encode(needle)?))?;
        Some(Span::new(start, start + needle.len()))
    }

    /// Says that `searches` exact searches are coming, so that the index need not wait until they
    /// have cost as much as it does.
    pub fn expect(&self, searches: usize) {
        if searches >= 2 * SCANS_PER_INDEX {
            self.scanned_chars.fetch_max(SCANS_PER_INDEX * self.len(), Ordering::Relaxed);
        }
    }

    fn find_symbols<T: Unit>(&self, text: &[T], needle: &[T]) -> Option<usize> {
        if needle.len() >= grid::min_pattern_chars::<T>() && text.len() >= MIN_INDEXED_CHARS {
            match self.grid(text).map(|grid| grid.find(text, needle)) {
                Some(grid::Lookup::Found(start)) => return Some(start),
                Some(grid::Lookup::Absent) => return None,
                Some(grid::Lookup::TooCommon) | None => {}
            }
        }
        let found = exact::find(text, needle, 0);
        self.scanned_chars.fetch_add(found.unwrap_or(text.len()), Ordering::Relaxed);
        found
    }

    /// The index, once scanning has cost as much as building it.
    fn grid<T: Unit>(&self, text: &[T]) -> Option<&grid::Grid> {
        if self.grid.get().is_none() && self.scanned_chars.load(Ordering::Relaxed) / SCANS_PER_INDEX < text.len() {
            return None;
        }
        Some(self.grid.get_or_init(|| grid::Grid::new(text)))
    }

    /// Every occurrence of `needle`, a normalised text: left to right, overlapping ones included.
    ///
    /// # Errors
    ///
    /// `interrupt` asked to stop.
    pub fn find_all(&self, needle: Units<'_>, interrupt: &dyn Interrupt) -> Result<Vec<Span>, Error> {
        let mut spans = Vec::new();
        let mut meter = Meter::new(interrupt);
        with_units!(self.symbols.units(), text => {
            let Some(symbols) = self.alphabet.encode(needle) else { return Ok(spans) };
            exact::find_all(text, &symbols, |start| {
                spans.push(Span::new(start, start + symbols.len()));
                meter.add(1)
            })?;
        });
        Ok(spans)
    }

    /// The best window by partial ratio, leftmost then longest; `None` below `cutoff`. A needle
    /// longer than the text is searched by the text instead, and the window is the whole text.
    ///
    /// # Errors
    ///
    /// `interrupt` asked to stop.
    pub fn find_fuzzy(
        &self,
        needle: Units<'_>,
        cutoff: Cutoff,
        interrupt: &dyn Interrupt,
    ) -> Result<Option<Near>, Error> {
        let best = self.best(needle, cutoff, Want::Window, interrupt)?;
        Ok(best.map(|best| {
            let is_whole = needle.len() > self.len() || best.is_swapped;
            let window = if is_whole { Span::new(0, self.len()) } else { best.window };
            let is_exact = best.ratio.is_perfect() && needle.len() <= self.len();
            Near { window, score: best.ratio.score(), is_exact }
        }))
    }

    /// Partial ratio of `needle`, a normalised text, and this one: 0–100, 0 below `cutoff`.
    ///
    /// # Errors
    ///
    /// `interrupt` asked to stop.
    pub fn score(&self, needle: Units<'_>, cutoff: Cutoff, interrupt: &dyn Interrupt) -> Result<f64, Error> {
        let best = self.best(needle, cutoff, Want::Score, interrupt)?;
        Ok(best.map_or(0.0, |best| best.ratio.score()))
    }

    fn best(
        &self,
        needle: Units<'_>,
        cutoff: Cutoff,
        want: Want,
        interrupt: &dyn Interrupt,
    ) -> Result<Option<Best>, Error> {
        let ask = Ask { cutoff, want, force: Force::No };
        if needle.len() >= self.len() {
            // Both sides are short, or the text is the needle: nothing prepared helps.
            return fuzzy::best_of_sides(needle, Units::U32(&self.codes()), ask, interrupt);
        }
        let exact = self.find(needle).map(|span| span.start);
        let needle = Needle { symbols: self.alphabet.encode_lossy(needle), exact };
        with_units!(self.symbols.units(), text => {
            Ok(fuzzy::best_of_many(&[needle], text, ask, &Alone(interrupt))?.pop().flatten())
        })
    }
}
