//! `LanguageReader`: reads and compares texts.

mod passages;
mod rows;
mod spans;

use std::sync::{Arc, OnceLock};

use groundwire_engine::TextRef;
use groundwire_language::claim::{PreparedReading, WordCache};
use groundwire_language::compare::{differences, word_occurs};
use groundwire_language::context::QuoteContext;
use groundwire_language::reading::ReadError;
use groundwire_language::token::count_words;
use groundwire_language::{Language, Lexicon, LexiconError, LexiconSet, Reader, Reading};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

pub(crate) use passages::{ClaimIndex, ReadPassages};
use rows::{DifferenceRow, TermRow, ValueRow, difference_name, term_rows, value_rows};
use spans::{Span, clamped, shifted, whole_word_end, with_context};

use crate::{arguments, characters, signals};

/// Number of characters after a passage, up to the next white space, that are searched for a restriction.
const CHARS_AFTER: usize = 60;

/// Number of characters at each end of a passage that are read together with the text beside it.
const END_CHARS: usize = 80;

/// A reader of texts, with the lexicons of a folder. Immutable and safe to share between threads.
///
/// Args:
///     folder: The folder with one TOML file per language, and `units.toml`.
///
/// Raises:
///     OSError: A file cannot be read.
///     ValueError: A file is not a valid lexicon.
#[pyclass(frozen, module = "groundwire._engine", name = "LanguageReader")]
pub(crate) struct LanguageReader {
    shared: Arc<SharedReader>,
}

/// The state that a reader shares with its passages.
struct SharedReader {
    reader: Reader,
    /// One for each of `Language::ALL`.
    caches: [WordCache; Language::ALL.len()],
}

impl SharedReader {
    fn cache(&self, language: Language) -> &WordCache {
        &self.caches[Language::ALL.iter().position(|&each| each == language).unwrap_or_default()]
    }

    fn lexicon(&self, language: Language) -> PyResult<&Lexicon> {
        self.reader.lexicons().get(language).map_err(lexicon_error)
    }

    fn prepare(&self, py: Python<'_>, text: TextRef<'_>, language: Language) -> PyResult<PreparedReading> {
        let reading = read(py, &self.reader, text, language)?;
        Ok(PreparedReading::with_cache(reading, self.lexicon(language)?, self.cache(language)))
    }
}

#[pymethods]
impl LanguageReader {
    #[new]
    fn new(folder: &str) -> PyResult<Self> {
        let reader = Reader::new(LexiconSet::new(folder).map_err(lexicon_error)?);
        Ok(Self { shared: Arc::new(SharedReader { reader, caches: Default::default() }) })
    }

    fn __repr__(&self) -> &'static str {
        "LanguageReader()"
    }

    /// Return the language of a text: "en", "de", "fr", "es", "ru", "ar", "zh" or "ja".
    ///
    /// A text that gives no indication is English.
    fn detect(&self, text: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let text = characters::units(arguments::string(text, "text")?)?;
        Ok(self.shared.reader.detect(text).map_err(lexicon_error)?.code())
    }

    /// Return the terms of a text: kind, start and end in code points, stem, form and clause of each.
    ///
    /// Inflections of one word share a stem, and so do equal values. The form is the folded word, or
    /// the expanded part of a contraction. Stems are comparable within this process only.
    ///
    /// Args:
    ///     text: The text.
    ///     language: Its language; None to detect it.
    ///
    /// Raises:
    ///     ValueError: There is no such language.
    #[pyo3(signature = (text, *, language=None))]
    fn terms(&self, py: Python<'_>, text: &Bound<'_, PyAny>, language: Option<&str>) -> PyResult<Vec<TermRow>> {
        let text = characters::units(arguments::string(text, "text")?)?;
        let language = self.language(language, text)?;
        let prepared = self.shared.prepare(py, text, language)?;
        Ok(term_rows(&prepared, 0..prepared.reading.terms.len()))
    }

    /// Return the numbers and dates of a text, left to right.
    ///
    /// Args:
    ///     text: The text.
    ///     language: Its language; None to detect it.
    ///
    /// Returns:
    ///     For each its kind, "number" or "date", start and end in code points; the lower and the upper end
    ///     of a number, its unit or "", and whether it is a limit such as over 30; year, month and day of a
    ///     date. Unstated parts of a date are None. Ordinals and the word for one are left out.
    ///
    /// Raises:
    ///     ValueError: There is no such language.
    #[pyo3(signature = (text, *, language=None))]
    fn values(&self, py: Python<'_>, text: &Bound<'_, PyAny>, language: Option<&str>) -> PyResult<Vec<ValueRow>> {
        let text = characters::units(arguments::string(text, "text")?)?;
        let language = self.language(language, text)?;
        let reading = self.read(py, text, language)?;
        Ok(value_rows(&reading))
    }

    /// Return the differences between a quote and a passage of its source.
    ///
    /// Args:
    ///     quote: The quote.
    ///     source: The whole text.
    ///     start, end: The passage, in code points of the source.
    ///     language: The language of the source; None to detect it.
    ///
    /// Returns:
    ///     A tuple for each difference, from left to right: its kind, start and end in the quote, start and
    ///     end in the source.
    #[pyo3(signature = (quote, source, start, end, *, language=None))]
    fn differences(
        &self,
        py: Python<'_>,
        quote: &Bound<'_, PyAny>,
        source: &Bound<'_, PyAny>,
        start: usize,
        end: usize,
        language: Option<&str>,
    ) -> PyResult<Vec<DifferenceRow>> {
        let quote = characters::units(arguments::string(quote, "quote")?)?;
        let source = characters::units(arguments::string(source, "source")?)?;
        let language = self.language(language, source)?;
        let lexicon = self.lexicon(language)?;
        let (from, to) = with_context(source, start, end);
        let passage = self.read(py, source.slice(from..to), language)?;
        let quote = self.read(py, quote, language)?;
        let terms = passage.terms_in(start.saturating_sub(from), end.saturating_sub(from));
        let occurs = |word: &str| word_occurs(source, word);
        let found = differences(&quote, &passage, terms, lexicon, &occurs);
        let from = from as u32;
        Ok(found
            .into_iter()
            .map(|each| {
                (difference_name(each.kind), each.quote.0, each.quote.1, each.passage.0 + from, each.passage.1 + from)
            })
            .collect())
    }

    /// Return the words beside a passage that restrict, negate or reverse it.
    ///
    /// Args:
    ///     source: The whole text.
    ///     start, end: The passage, in code points of the source.
    ///     language: The language of the source; None to detect it.
    ///
    /// Returns:
    ///     Start and end of the condition after the passage or of the negation or limit before it, or None;
    ///     start and end of the negation whose scope is the whole passage, or None.
    #[pyo3(signature = (source, start, end, *, language=None))]
    fn surroundings(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        start: usize,
        end: usize,
        language: Option<&str>,
    ) -> PyResult<(Option<Span>, Option<Span>)> {
        let source = characters::units(arguments::string(source, "source")?)?;
        let (start, end) = clamped(source, start, end);
        let language = self.language(language, source)?;
        // Only both ends of a long passage are read; the text between them has no influence on its
        // neighbours.
        let (from, to) =
            (with_context(source, start, start).0, whole_word_end(source, end.saturating_add(CHARS_AFTER)));
        let is_long = end - start > 2 * END_CHARS;
        let head = (from, if is_long { start + END_CHARS } else { to });
        let tail = if is_long { (end - END_CHARS, to) } else { head };
        let head_read = self.context(py, source, head, language)?;
        let front = head_read.restriction_before(start - head.0);
        let reversed = head_read.negation_of_quote(start - head.0);
        let tail_read = if is_long { self.context(py, source, tail, language)? } else { head_read };
        let behind = tail_read.restriction_after(start.saturating_sub(tail.0), end - tail.0);
        Ok((
            behind.map(|span| shifted(span, tail.0)).or(front.map(|span| shifted(span, head.0))),
            reversed.map(|span| shifted(span, head.0)),
        ))
    }

    /// Return the start and end of each word in a gap of a quote whose omission changes the meaning.
    ///
    /// Args:
    ///     source: The whole text.
    ///     start, end: The gap, in code points of the source; the text beside it is kept.
    ///     language: The language of the source; None to detect it.
    #[pyo3(signature = (source, start, end, *, language=None))]
    fn omitted_restrictions(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        start: usize,
        end: usize,
        language: Option<&str>,
    ) -> PyResult<Vec<Span>> {
        let source = characters::units(arguments::string(source, "source")?)?;
        let (start, end) = clamped(source, start, end);
        let language = self.language(language, source)?;
        let part = with_context(source, start, end);
        let read = self.context(py, source, part, language)?;
        let found = read.omitted_restrictions(start - part.0, end - part.0);
        Ok(found.into_iter().map(|span| shifted(span, part.0)).collect())
    }

    /// Return the number of words of a text; a character of a script without spaces is a word.
    fn count_words(&self, text: &Bound<'_, PyAny>) -> PyResult<usize> {
        let text = characters::units(arguments::string(text, "text")?)?;
        Ok(count_words(text))
    }

    /// Return passages to compare with claims.
    ///
    /// Args:
    ///     texts: The passages; None for one without a text.
    ///     language: Their language; None to detect it from the longest one.
    #[pyo3(signature = (texts, *, language=None))]
    fn passages(&self, texts: &Bound<'_, PyList>, language: Option<&str>) -> PyResult<ReadPassages> {
        let strings: Vec<Option<Bound<'_, PyString>>> = texts.extract()?;
        let longest = strings.iter().flatten().max_by_key(|text| text.len().unwrap_or(0));
        let language = match (language, longest) {
            (None, Some(text)) => self.language(None, characters::units(text)?)?,
            (code, _) => self.language(code.or(Some("en")), TextRef::Ucs1(b""))?,
        };
        let passages = strings.into_iter().map(|text| text.map(|text| (text.unbind(), OnceLock::new()))).collect();
        Ok(ReadPassages::new(Arc::clone(&self.shared), language, passages))
    }
}

impl LanguageReader {
    fn language(&self, code: Option<&str>, text: TextRef<'_>) -> PyResult<Language> {
        match code {
            Some(code) => Language::from_code(code).ok_or_else(|| {
                let known: Vec<&str> = Language::ALL.iter().map(|language| language.code()).collect();
                PyValueError::new_err(format!("language must be one of {}", known.join(", ")))
            }),
            None => self.shared.reader.detect(text).map_err(lexicon_error),
        }
    }

    fn lexicon(&self, language: Language) -> PyResult<&Lexicon> {
        self.shared.lexicon(language)
    }

    fn read(&self, py: Python<'_>, text: TextRef<'_>, language: Language) -> PyResult<Reading> {
        read(py, &self.shared.reader, text, language)
    }

    fn context(
        &self,
        py: Python<'_>,
        source: TextRef<'_>,
        span: (usize, usize),
        language: Language,
    ) -> PyResult<QuoteContext<'_>> {
        let units = source.slice(span.0..span.1);
        Ok(QuoteContext::new(units, self.read(py, units, language)?, self.lexicon(language)?))
    }
}

fn read(py: Python<'_>, reader: &Reader, text: TextRef<'_>, language: Language) -> PyResult<Reading> {
    // The work can only return errors of the engine, so a lexicon error takes another way.
    let mut failure = None;
    let reading = signals::run(py, text.len(), |cancel| match reader.read(text, language, cancel) {
        Ok(reading) => Ok(Some(reading)),
        Err(ReadError::Engine(error)) => Err(error),
        Err(ReadError::Lexicon(error)) => {
            failure = Some(error);
            Ok(None)
        }
    })?;
    match (reading, failure) {
        (Some(reading), _) => Ok(reading),
        (None, Some(error)) => Err(lexicon_error(error)),
        (None, None) => Err(PyValueError::new_err("the text was not read")),
    }
}

fn lexicon_error(error: LexiconError) -> PyErr {
    match error {
        LexiconError::File(..) => PyOSError::new_err(error.to_string()),
        LexiconError::Format(..) => PyValueError::new_err(error.to_string()),
    }
}
