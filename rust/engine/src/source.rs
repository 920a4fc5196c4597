//! Sources: texts that are prepared once and searched many times.

mod align;
mod ground;
mod search;

pub use align::QuoteAlignment;
pub use ground::{Match, MatchKind, SearchMode};

use std::sync::Arc;

use crate::alphabet::{self, Alphabet};
use crate::cancel::Cancel;
use crate::exact::adaptive::AdaptiveSearcher;
use crate::executor::Executor;
use crate::memory_budget::MemoryBudget;
use crate::normalize::{Normalizer, OffsetMap, Searchable};
use crate::partial_ratio::{
    self, Cutoff, ExactHint, Goal, IndexedText, NeedleInfo, PlanOverride, Request, ScoreAlignment, TextIndex,
};
use crate::text::sink::SymbolSink;
use crate::text::{CodeUnit, Text, TextBuf, TextRef, dispatch};
use crate::{Error, Span};

/// The maximum memory for the indexes of a source, in bytes per character.
const MAX_BYTES_PER_CHAR: usize = 9;

/// The estimated cost of looking up the likely position of a similar window in the index, in cycles.
const ANCHOR_CYCLES: f32 = 2000.0;

/// A normalised text with a map to its original, and with indexes that are built once they are worth their cost.
///
/// A source is immutable apart from its indexes, and can be shared between threads. All positions refer to the
/// normalised text until [`to_original`](Self::to_original) maps them to the original.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, Normalizer, Source, UNICODE_VERSION};
///
/// let normalizer = Normalizer::spec(UNICODE_VERSION);
/// let source = Source::new("It’s  fine.", &normalizer, &Never)?;
/// let span = source.find("it's fine").expect("the text contains it");
/// assert_eq!(source.to_original(span).of("It’s  fine."), "It’s  fine");
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct Source {
    symbols: TextBuf,
    alphabet: Alphabet,
    offsets: OffsetMap,
    indexed: AdaptiveSearcher,
    index: TextIndex,
}

/// A result of [`Source::find_fuzzy`].
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Cutoff, Never, Normalizer, Sequential, Source, Text, UNICODE_VERSION};
///
/// let source = Source::new("the second thursday", &Normalizer::spec(UNICODE_VERSION), &Never)?;
/// let quote = Text::from("a second thursday");
/// let found = source.find_fuzzy(&[quote.units()], Cutoff::Score(80.0), &Sequential(&Never))?;
/// assert!(found[0].is_some_and(|found| !found.is_exact && found.score > 90.0));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FuzzyMatch {
    /// The window in the normalised text, in characters.
    pub window: Span,
    /// The partial ratio of needle and window, 0–100.
    pub score: f64,
    /// Whether the window equals the needle.
    pub is_exact: bool,
}

impl Source {
    /// Normalises `text` and prepares it for searches.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if the text is too long before or after normalisation, [`Error::Cancelled`] if `cancel`
    /// requests cancellation.
    pub fn new<'t>(text: impl Into<Text<'t>>, normalizer: &Normalizer, cancel: &dyn Cancel) -> Result<Self, Error> {
        let text = text.into();
        let text = text.units();
        let (symbols, alphabet, offsets) = match normalizer.normalize_searchable(text, cancel)? {
            Searchable::Characters(normalized) => {
                let (symbols, alphabet) = alphabet::remap(normalized.text);
                (symbols, alphabet, normalized.offsets)
            }
            Searchable::Symbols { symbols, offsets } => {
                (TextBuf::Ucs1(symbols), Alphabet::new(SymbolSink::alphabet().collect()), offsets)
            }
        };
        let budget = Arc::new(MemoryBudget::new(MAX_BYTES_PER_CHAR * symbols.units().len()));
        let indexed = dispatch!(symbols.units(), text => AdaptiveSearcher::new(text, Arc::clone(&budget)));
        let index = TextIndex::new(budget);
        Ok(Self { symbols, alphabet, offsets, indexed, index })
    }

    /// Returns the number of characters in the normalised text.
    #[must_use]
    pub fn len(&self) -> usize {
        self.symbols.units().len()
    }

    /// Returns whether the normalised text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the normalised text.
    #[must_use]
    pub fn normalized(&self) -> TextBuf {
        match &self.alphabet {
            Alphabet::Identity => self.symbols.clone(),
            Alphabet::Dense(_) => TextBuf::Ucs4(self.codes()),
        }
    }

    fn codes(&self) -> Vec<u32> {
        dispatch!(self.symbols.units(), units => units.iter().map(|unit| self.alphabet.code(unit.code_point())).collect())
    }

    /// Returns the span of the original that a span of the normalised text comes from.
    #[must_use]
    pub fn to_original(&self, span: Span) -> Span {
        self.offsets.to_original(span)
    }

    /// Returns the memory on the heap in bytes: first that of the text, offset map and alphabet, then that of the
    /// indexes built so far, which is at most nine bytes per character.
    #[must_use]
    pub fn heap_bytes(&self) -> (usize, usize) {
        let text = match &self.symbols {
            TextBuf::Ucs1(units) => units.capacity(),
            TextBuf::Ucs2(units) => units.capacity() * 2,
            TextBuf::Ucs4(units) => units.capacity() * 4,
        };
        let base = text + self.offsets.heap_bytes() + self.alphabet.heap_bytes();
        (base, self.indexed.heap_bytes() + self.index.heap_bytes())
    }

    /// Returns the leftmost occurrence of `needle`, a normalised text. The empty needle does not occur (ruling A6).
    #[must_use]
    pub fn find<'t>(&self, needle: impl Into<Text<'t>>) -> Option<Span> {
        let needle = needle.into();
        let needle = needle.units();
        let start = dispatch!(self.symbols.units(), text => self.indexed.find(text, &self.alphabet.encode(needle)?))?;
        Some(Span::new(start, start + needle.len()))
    }

    /// Returns the result of [`find`](Self::find) if that takes only microseconds; otherwise `None`.
    #[inline]
    #[must_use]
    pub fn find_without_scan(&self, needle: TextRef<'_>) -> Option<Option<Span>> {
        let start = dispatch!(self.symbols.units(), text => {
            let Some(needle) = self.alphabet.encode(needle) else { return Some(None) };
            self.indexed.find_without_scan(text, &needle)?
        });
        Some(start.map(|start| Span::new(start, start + needle.len())))
    }

    /// Announces `searches` exact searches, so that the index is built before scanning has cost as much as building it.
    pub fn announce(&self, searches: usize) {
        self.indexed.announce(searches, self.len());
    }

    /// Estimates the cost of [`find`](Self::find) for a needle of `chars` characters, in cycles.
    #[must_use]
    pub fn find_cycles(&self, chars: usize) -> f32 {
        dispatch!(self.symbols.units(), text => self.indexed.cycles(text, chars))
    }

    /// Returns the best window by partial ratio for each needle, a normalised text; `None` below `cutoff`. Ties go to
    /// the leftmost window, then to the longest. If a needle is longer than the text, the text is searched in the
    /// needle instead, and the window is the whole text.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if a needle is too long, [`Error::Cancelled`] if the executor is cancelled.
    pub fn find_fuzzy(
        &self,
        needles: &[TextRef<'_>],
        cutoff: Cutoff,
        executor: &impl Executor,
    ) -> Result<Vec<Option<FuzzyMatch>>, Error> {
        self.find_fuzzy_after(ExactHint::Unknown, needles, cutoff, executor)
    }

    /// Returns the result of [`find_fuzzy`](Self::find_fuzzy), given the result of an exact search for all needles.
    pub(crate) fn find_fuzzy_after(
        &self,
        exact: ExactHint,
        needles: &[TextRef<'_>],
        cutoff: Cutoff,
        executor: &impl Executor,
    ) -> Result<Vec<Option<FuzzyMatch>>, Error> {
        let request = Request { cutoff, goal: Goal::Window, plan_override: PlanOverride::No };
        let best = self.best(needles, exact, request, executor)?;
        Ok(best.into_iter().zip(needles).map(|(best, needle)| Some(self.fuzzy_match(best?, *needle))).collect())
    }

    fn fuzzy_match(&self, best: ScoreAlignment, needle: TextRef<'_>) -> FuzzyMatch {
        let is_whole = needle.len() > self.len() || best.is_swapped;
        let window = if is_whole { Span::new(0, self.len()) } else { best.window };
        let is_exact = best.ratio.is_perfect() && needle.len() <= self.len();
        FuzzyMatch { window, score: best.ratio.score(), is_exact }
    }

    /// Returns the partial ratio of each needle, a normalised text, with this text: 0–100, or 0 below `cutoff`.
    ///
    /// # Errors
    ///
    /// Those of [`find_fuzzy`](Self::find_fuzzy).
    pub fn scores(&self, needles: &[TextRef<'_>], cutoff: Cutoff, executor: &impl Executor) -> Result<Vec<f64>, Error> {
        self.scores_forced(needles, cutoff, PlanOverride::No, executor)
    }

    /// Returns the result of [`scores`](Self::scores) with an overridden plan, for tests.
    pub(crate) fn scores_forced(
        &self,
        needles: &[TextRef<'_>],
        cutoff: Cutoff,
        plan_override: PlanOverride,
        executor: &impl Executor,
    ) -> Result<Vec<f64>, Error> {
        let best =
            self.best(needles, ExactHint::Unknown, Request { cutoff, goal: Goal::Score, plan_override }, executor)?;
        Ok(best.into_iter().map(|best| best.map_or(0.0, |best| best.ratio.score())).collect())
    }

    /// Returns for each needle, a normalised text, whether any window reaches `cutoff`.
    ///
    /// # Errors
    ///
    /// Those of [`find_fuzzy`](Self::find_fuzzy).
    pub fn verdicts(
        &self,
        needles: &[TextRef<'_>],
        cutoff: Cutoff,
        executor: &impl Executor,
    ) -> Result<Vec<bool>, Error> {
        let request = Request { cutoff, goal: Goal::Decision, plan_override: PlanOverride::No };
        let best = self.best(needles, ExactHint::Unknown, request, executor)?;
        Ok(best.into_iter().map(|best| best.is_some()).collect())
    }

    /// Returns the best window of each needle; `exact` applies to all of them.
    fn best(
        &self,
        needles: &[TextRef<'_>],
        exact: ExactHint,
        request: Request,
        executor: &impl Executor,
    ) -> Result<Vec<Option<ScoreAlignment>>, Error> {
        self.announce(needles.len());
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            (0..needles.len()).partition(|&index| needles[index].len() < self.len());
        let found = dispatch!(self.symbols.units(), text => {
            let cycles = |index: usize| ANCHOR_CYCLES + self.find_cycles(needles[inside[index]].len());
            let needle = |index: usize, _: &dyn Cancel| Ok(self.needle(text, needles[inside[index]], exact));
            let prepared = executor.map(inside.len(), cycles, needle)?;
            partial_ratio::best_of_many(&prepared, IndexedText { text, index: Some(&self.index) }, request, executor)
        })?;
        let mut best = vec![None; needles.len()];
        inside.into_iter().zip(found).for_each(|(index, found)| best[index] = found);
        if !outside.is_empty() {
            // A needle that is not shorter than the text: the text is short, or is itself searched in the needle, so
            // the indexes of the text do not help.
            let text = self.codes();
            let found = partial_ratio::best_of_pairs(&outside, needles, TextRef::Ucs4(&text), request, executor)?;
            outside.into_iter().zip(found).for_each(|(index, found)| best[index] = found);
        }
        Ok(best)
    }

    /// Prepares a needle for a search in the symbols `text`, with an exact search if `exact` is unknown.
    fn needle<T: CodeUnit>(&self, text: &[T], needle: TextRef<'_>, exact: ExactHint) -> NeedleInfo {
        let symbols = self.alphabet.encode_or_absent(needle);
        // A character that does not occur in the text is replaced, so the likely position may be wrong.
        let mut is_possible = true;
        let mut unit_of = |symbol| {
            T::from_code(symbol).unwrap_or_else(|| {
                is_possible = false;
                T::zeroed()
            })
        };
        let units: Vec<T> = symbols.iter().map(|&symbol| unit_of(symbol)).collect();
        let exact = match exact {
            ExactHint::Known(exact) => exact,
            ExactHint::Unknown if is_possible => self.indexed.find(text, &units),
            ExactHint::Unknown => None,
        };
        let likely = if exact.is_none() { self.indexed.best_anchor(text, &units) } else { None };
        NeedleInfo { symbols, exact: ExactHint::Known(exact), likely }
    }
}
