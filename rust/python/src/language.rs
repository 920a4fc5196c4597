//! `LanguageReader` and `ReadPassages`: what texts say, and what differs between them.

use std::sync::{Arc, OnceLock};

use groundwire_engine::text::Units;
use groundwire_language::claim::{Assessment, Conflict, Prepared, Status, WordCache, assess, is_bound};
use groundwire_language::compare::{DifferenceKind, differences};
use groundwire_language::context::Context;
use groundwire_language::index::ClaimIndex as Index;
use groundwire_language::reading::ReadError;
use groundwire_language::reading::Value;
use groundwire_language::words;
use groundwire_language::{Kind, Language, Lexicon, LexiconError, LexiconSet, Reader, Reading, Term};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::{arguments, characters, signals};

/// So many characters on either side of a passage are read with it, to the next white space.
const CONTEXT_CHARS: usize = 160;

/// So many characters behind a passage may hold what restricts it, to the next white space.
const BEHIND_CHARS: usize = 60;

/// So many characters at each end of a passage are read with what is beside it.
const INSIDE_CHARS: usize = 80;

/// Reads texts with the lexicons of a folder. Immutable and safe to share between threads.
///
/// Args:
///     folder: The folder with one TOML file a language, and `units.toml`.
///
/// Raises:
///     OSError: A file cannot be read.
///     ValueError: A file is no lexicon.
#[pyclass(frozen, module = "groundwire._engine", name = "LanguageReader")]
pub(crate) struct LanguageReader {
    shared: Arc<Shared>,
}

/// What a reader shares with the passages that it has read.
struct Shared {
    reader: Reader,
    /// One for each of `Language::ALL`.
    caches: [WordCache; Language::ALL.len()],
}

impl Shared {
    fn cache(&self, language: Language) -> &WordCache {
        &self.caches[Language::ALL.iter().position(|&each| each == language).unwrap_or_default()]
    }

    fn lexicon(&self, language: Language) -> PyResult<&Lexicon> {
        self.reader.lexicons().get(language).map_err(lexicon_error)
    }

    fn prepare(&self, py: Python<'_>, text: Units<'_>, language: Language) -> PyResult<Prepared> {
        let reading = read(py, &self.reader, text, language)?;
        Ok(Prepared::with_cache(reading, self.lexicon(language)?, self.cache(language)))
    }
}

/// Start and end, in code points.
type Span = (u32, u32);

/// Kind, start and end in the quote, start and end in the source.
type DifferenceRow = (&'static str, u32, u32, u32, u32);

/// Kind, start, end, stem, form and clause.
type TermRow = (&'static str, u32, u32, u64, String, u32);

/// Kind, start, end, the ends of a number, its unit, whether it is a limit; year, month and day of a date.
type ValueRow = (&'static str, u32, u32, f64, f64, String, bool, Option<i32>, Option<u8>, Option<u8>);

/// Status, spans without a counterpart, conflict with both its spans, span of the sentences, wanted, found.
type AssessmentRow =
    (&'static str, Vec<(u32, u32)>, Option<(&'static str, (u32, u32), (u32, u32))>, (u32, u32), u32, u32);

#[pymethods]
impl LanguageReader {
    #[new]
    fn new(folder: &str) -> PyResult<Self> {
        let reader = Reader::new(LexiconSet::new(folder).map_err(lexicon_error)?);
        Ok(Self { shared: Arc::new(Shared { reader, caches: Default::default() }) })
    }

    fn __repr__(&self) -> &'static str {
        "LanguageReader()"
    }

    /// Return the language of a text: "en", "de", "fr", "es", "ru", "ar", "zh" or "ja".
    ///
    /// A text that tells nothing is English.
    fn detect(&self, text: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let text = characters::units(arguments::string(text, "text")?)?;
        Ok(self.shared.reader.detect(first(text)).map_err(lexicon_error)?.code())
    }

    /// Return the terms of a text: kind, start and end in code points, stem, form and clause of each.
    ///
    /// Forms of one word share the stem, and so do values that are the same. The form is the folded word, a part of
    /// a contraction written out. Stems are compared within this process only.
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
        let reading = &prepared.reading;
        Ok(reading
            .terms
            .iter()
            .zip(prepared.stems())
            .map(|(term, &stem)| {
                (kind_name(term.kind), term.start, term.end, stem, reading.form(term).to_owned(), term.clause)
            })
            .collect())
    }

    /// Return the numbers and dates of a text, left to right.
    ///
    /// Args:
    ///     text: The text.
    ///     language: Its language; None to detect it.
    ///
    /// Returns:
    ///     For each its kind, "number" or "date", start and end in code points; the lower and the upper end of a
    ///     number, its unit or "", and whether it is a limit such as over 30; year, month and day of a date. What
    ///     is not said of a date is None. Ordinals and the word for one are none.
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

    /// Return what differs between a quote and a passage of its source.
    ///
    /// Args:
    ///     quote: The quote.
    ///     source: The whole text.
    ///     start, end: The passage, in code points of the source.
    ///     language: The language of the source; None to detect it.
    ///
    /// Returns:
    ///     From left to right a tuple for each difference: its kind, start and end in the quote, start and
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
        let (from, to) = around(source, start, end);
        let passage = self.read(py, part(source, from, to), language)?;
        let quote = self.read(py, quote, language)?;
        let terms = passage.terms_in(start.saturating_sub(from), end.saturating_sub(from));
        let occurs = |word: &str| occurs(source, word);
        let found = differences(&quote, &passage, terms, lexicon, &occurs);
        let from = from as u32;
        Ok(found
            .into_iter()
            .map(|each| {
                (difference_name(each.kind), each.quote.0, each.quote.1, each.passage.0 + from, each.passage.1 + from)
            })
            .collect())
    }

    /// Return what stands beside a passage and restricts, denies or reverses it.
    ///
    /// Args:
    ///     source: The whole text.
    ///     start, end: The passage, in code points of the source.
    ///     language: The language of the source; None to detect it.
    ///
    /// Returns:
    ///     Start and end of the condition behind the passage or of the negation or limit in front of it, or
    ///     None; start and end of the negation that denies all of it, or None.
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
        let (start, end) = within(source, start, end);
        let language = self.language(language, source)?;
        // Of a long passage both ends are read, and what is between them says nothing of its neighbours.
        let (from, to) = (around(source, start, start).0, whole_word_end(source, end.saturating_add(BEHIND_CHARS)));
        let is_long = end - start > 2 * INSIDE_CHARS;
        let head = (from, if is_long { start + INSIDE_CHARS } else { to });
        let tail = if is_long { (end - INSIDE_CHARS, to) } else { head };
        let head_read = self.context(py, source, head, language)?;
        let front = head_read.front(start - head.0);
        let reversed = head_read.reversed(start - head.0);
        let tail_read = if is_long { self.context(py, source, tail, language)? } else { head_read };
        let behind = tail_read.behind(start.saturating_sub(tail.0), end - tail.0);
        Ok((
            behind.map(|span| moved(span, tail.0)).or(front.map(|span| moved(span, head.0))),
            reversed.map(|span| moved(span, head.0)),
        ))
    }

    /// Return start and end of each word in a gap of a quote whose meaning it changes to leave it out.
    ///
    /// Args:
    ///     source: The whole text.
    ///     start, end: The gap, in code points of the source; what is beside it is kept.
    ///     language: The language of the source; None to detect it.
    #[pyo3(signature = (source, start, end, *, language=None))]
    fn hidden(
        &self,
        py: Python<'_>,
        source: &Bound<'_, PyAny>,
        start: usize,
        end: usize,
        language: Option<&str>,
    ) -> PyResult<Vec<Span>> {
        let source = characters::units(arguments::string(source, "source")?)?;
        let (start, end) = within(source, start, end);
        let language = self.language(language, source)?;
        let part = around(source, start, end);
        let read = self.context(py, source, part, language)?;
        let found = read.hidden(start - part.0, end - part.0);
        Ok(found.into_iter().map(|span| moved(span, part.0)).collect())
    }

    /// Return how many words a text has; a character of a script without spaces is a word.
    fn count_words(&self, text: &Bound<'_, PyAny>) -> PyResult<usize> {
        let text = characters::units(arguments::string(text, "text")?)?;
        Ok(words::count(text))
    }

    /// Return the texts read once, for claims to be compared with.
    ///
    /// Args:
    ///     texts: The passages; None for one without a text.
    ///     language: Their language; None to detect it from all of them.
    #[pyo3(signature = (texts, *, language=None))]
    fn passages(&self, texts: &Bound<'_, PyList>, language: Option<&str>) -> PyResult<ReadPassages> {
        let strings: Vec<Option<Bound<'_, PyString>>> = texts.extract()?;
        let longest = strings.iter().flatten().max_by_key(|text| text.len().unwrap_or(0));
        let language = match (language, longest) {
            (None, Some(text)) => self.language(None, characters::units(text)?)?,
            (code, _) => self.language(code.or(Some("en")), Units::U8(b""))?,
        };
        let passages = strings.into_iter().map(|text| text.map(|text| (text.unbind(), OnceLock::new()))).collect();
        Ok(ReadPassages { shared: Arc::clone(&self.shared), language, passages })
    }
}

impl LanguageReader {
    fn language(&self, code: Option<&str>, text: Units<'_>) -> PyResult<Language> {
        match code {
            Some(code) => Language::of_code(code).ok_or_else(|| {
                let known: Vec<&str> = Language::ALL.iter().map(|language| language.code()).collect();
                PyValueError::new_err(format!("language must be one of {}", known.join(", ")))
            }),
            None => self.shared.reader.detect(first(text)).map_err(lexicon_error),
        }
    }

    fn lexicon(&self, language: Language) -> PyResult<&Lexicon> {
        self.shared.lexicon(language)
    }

    fn read(&self, py: Python<'_>, text: Units<'_>, language: Language) -> PyResult<Reading> {
        read(py, &self.shared.reader, text, language)
    }

    fn context(
        &self,
        py: Python<'_>,
        source: Units<'_>,
        span: (usize, usize),
        language: Language,
    ) -> PyResult<Context<'_>> {
        let units = part(source, span.0, span.1);
        Ok(Context::new(units, self.read(py, units, language)?, self.lexicon(language)?))
    }
}

fn moved(span: Span, offset: usize) -> Span {
    (span.0 + offset as u32, span.1 + offset as u32)
}

/// A span inside the text.
fn within(text: Units<'_>, start: usize, end: usize) -> (usize, usize) {
    let end = end.min(text.len());
    (start.min(end), end)
}

fn read(py: Python<'_>, reader: &Reader, text: Units<'_>, language: Language) -> PyResult<Reading> {
    // What a lexicon has against it travels beside what the engine has.
    let mut failure = None;
    let reading = signals::run(py, text.len(), |interrupt| match reader.read(text, language, interrupt) {
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

/// Texts that claims are compared with, each read once, when it is first asked. Immutable and safe to share between
/// threads.
#[pyclass(frozen, module = "groundwire._engine", name = "ReadPassages")]
pub(crate) struct ReadPassages {
    shared: Arc<Shared>,
    language: Language,
    passages: Vec<Option<(Py<PyString>, OnceLock<Prepared>)>>,
}

#[pymethods]
impl ReadPassages {
    fn __repr__(&self) -> String {
        format!("ReadPassages({} passages)", self.passages.len())
    }

    fn __len__(&self) -> usize {
        self.passages.len()
    }

    /// The language that they are read in.
    #[getter]
    fn language(&self) -> &'static str {
        self.language.code()
    }

    /// Return what the passages have of a claim, a sentence without its citations.
    ///
    /// Args:
    ///     claim: The claim.
    ///     places: Which passages are asked, from 0; None for all.
    ///
    /// Returns:
    ///     For each of them None if it has no text, or a tuple: "supported", "unsupported" or
    ///     "contradicted"; the spans of the claim that have no counterpart; what contradicts ("number",
    ///     "date", "negation", "opposite", and its spans in claim and passage) or None; the span of the sentences that
    ///     were compared; how many terms need a counterpart, and how many have one.
    ///
    /// Raises:
    ///     ValueError: There is no such passage.
    #[pyo3(signature = (claim, *, places=None))]
    fn assess(
        &self,
        py: Python<'_>,
        claim: &Bound<'_, PyAny>,
        places: Option<Vec<usize>>,
    ) -> PyResult<Vec<Option<AssessmentRow>>> {
        let claim = characters::units(arguments::string(claim, "claim")?)?;
        let lexicons = self.shared.reader.lexicons();
        let lexicon = self.shared.lexicon(self.language)?;
        let claim = self.shared.prepare(py, claim, self.language)?;
        let all = || (0..self.passages.len()).collect();
        let chosen: Vec<usize> = places.unwrap_or_else(all);
        chosen
            .into_iter()
            .map(|place| {
                let passage =
                    self.passages.get(place).ok_or_else(|| PyValueError::new_err("there is no such passage"))?;
                let Some((text, prepared)) = passage else { return Ok(None) };
                let prepared = match prepared.get() {
                    Some(prepared) => prepared,
                    None => {
                        let read = self.shared.prepare(py, characters::units(text.bind(py))?, self.language)?;
                        prepared.get_or_init(|| read)
                    }
                };
                Ok(Some(row(assess(&claim, prepared, lexicon, lexicons))))
            })
            .collect()
    }
}

fn value_rows(reading: &Reading) -> Vec<ValueRow> {
    let terms = &reading.terms;
    terms.iter().enumerate().filter_map(|(index, term)| value_row(term, is_bound(terms, index))).collect()
}

fn value_row(term: &Term, is_limit: bool) -> Option<ValueRow> {
    match term.value.as_ref()? {
        Value::Quantity(quantity) if !quantity.is_ordinal && !term.is_one => Some((
            "number",
            term.start,
            term.end,
            quantity.low.as_float(),
            quantity.high.as_float(),
            quantity.unit.to_string(),
            is_limit,
            None,
            None,
            None,
        )),
        Value::Date(date) => {
            let (year, month, day) = (date.year, date.month, date.day);
            Some(("date", term.start, term.end, 0.0, 0.0, String::new(), is_limit, year, month, day))
        }
        _ => None,
    }
}

/// Texts filed by what they speak of, for claims to be compared with those that speak of the same. Immutable and safe
/// to share between threads.
///
/// Args:
///     reader: Reads texts and claims.
///     texts: The texts.
///     language: Their language; None for English.
///
/// Raises:
///     ValueError: There is no such language.
#[pyclass(frozen, module = "groundwire._engine", name = "ClaimIndex")]
pub(crate) struct ClaimIndex {
    shared: Arc<Shared>,
    language: Language,
    index: Index,
}

/// The place of a text, how much of the claim its best sentence has, and what it has of the claim: as `AssessmentRow`,
/// whether one side denies what the other says, and whether a name or a value is missing.
type NearestRow = (usize, f64, AssessmentRow, bool, bool);

#[pymethods]
impl ClaimIndex {
    #[new]
    #[pyo3(signature = (reader, texts, *, language=None))]
    fn new(
        py: Python<'_>,
        reader: PyRef<'_, LanguageReader>,
        texts: &Bound<'_, PyList>,
        language: Option<&str>,
    ) -> PyResult<Self> {
        let language = reader.language(language.or(Some("en")), Units::U8(b""))?;
        let prepared = texts
            .iter()
            .map(|text| {
                let text = characters::units(arguments::string(&text, "texts")?)?;
                reader.shared.prepare(py, text, language)
            })
            .collect::<PyResult<Vec<Prepared>>>()?;
        Ok(Self { shared: Arc::clone(&reader.shared), language, index: Index::new(prepared) })
    }

    fn __repr__(&self) -> String {
        format!("ClaimIndex({} texts)", self.index.len())
    }

    fn __len__(&self) -> usize {
        self.index.len()
    }

    /// Return the numbers and dates of each text, as `LanguageReader.values` does.
    fn values(&self) -> Vec<Vec<ValueRow>> {
        self.index.readings().map(value_rows).collect()
    }

    /// Return the texts that have most of a claim, best first, and what each has of it.
    ///
    /// Args:
    ///     claim: The claim.
    ///     limit: So many texts at most.
    ///
    /// Returns:
    ///     A tuple for each: its place among the texts; the share of the claim's stems that its best sentence has,
    ///     0.0 to 1.0, rare ones weighing more; what `ReadPassages.assess` returns; whether one side denies what
    ///     the other says; whether a name, a number, a date or a time has no counterpart.
    fn nearest(&self, py: Python<'_>, claim: &Bound<'_, PyAny>, limit: usize) -> PyResult<Vec<NearestRow>> {
        let claim = characters::units(arguments::string(claim, "claim")?)?;
        let lexicon = self.shared.lexicon(self.language)?;
        let claim = self.shared.prepare(py, claim, self.language)?;
        let found = self.index.nearest(&claim, limit, lexicon, self.shared.reader.lexicons());
        Ok(found
            .into_iter()
            .map(|each| {
                let (is_denied, lacks_value) = (each.assessment.is_denied, each.assessment.lacks_value);
                (each.text, each.share, row(each.assessment), is_denied, lacks_value)
            })
            .collect())
    }
}

fn row(found: Assessment) -> AssessmentRow {
    let status = match found.status {
        Status::Contradicted => "contradicted",
        Status::Unsupported => "unsupported",
        Status::Supported => "supported",
    };
    let conflict = found.conflict.map(|(kind, claim, passage)| {
        let kind = match kind {
            Conflict::Number => "number",
            Conflict::Date => "date",
            Conflict::Negation => "negation",
            Conflict::Opposite => "opposite",
        };
        (kind, claim, passage)
    });
    (status, found.missing, conflict, found.evidence, found.wanted, found.found)
}

/// So much of a text tells its language.
const SAMPLE_CHARS: usize = 1_500;

fn first(text: Units<'_>) -> Units<'_> {
    part(text, 0, text.len().min(SAMPLE_CHARS))
}

fn part(text: Units<'_>, start: usize, end: usize) -> Units<'_> {
    match text {
        Units::U8(units) => Units::U8(&units[start..end]),
        Units::U16(units) => Units::U16(&units[start..end]),
        Units::U32(units) => Units::U32(&units[start..end]),
    }
}

fn code_at(text: Units<'_>, at: usize) -> u32 {
    match text {
        Units::U8(units) => u32::from(units[at]),
        Units::U16(units) => u32::from(units[at]),
        Units::U32(units) => units[at],
    }
}

/// The stretch that is read for a passage: with its neighbours, and whole words at both ends.
fn around(text: Units<'_>, start: usize, end: usize) -> (usize, usize) {
    let mut from = start.min(text.len()).saturating_sub(CONTEXT_CHARS);
    let limit = from.saturating_sub(CONTEXT_CHARS);
    while from > limit && !is_space(text, from) {
        from -= 1;
    }
    (from, whole_word_end(text, end.saturating_add(CONTEXT_CHARS)))
}

/// The next white space from `at` on, if it is near.
fn whole_word_end(text: Units<'_>, at: usize) -> usize {
    let mut to = at.min(text.len());
    let limit = to.saturating_add(CONTEXT_CHARS).min(text.len());
    while to < limit && !is_space(text, to) {
        to += 1;
    }
    to
}

fn is_space(text: Units<'_>, at: usize) -> bool {
    char::from_u32(code_at(text, at)).is_some_and(char::is_whitespace)
}

/// Whether `word`, folded, stands as a word anywhere in the text.
fn occurs(text: Units<'_>, word: &str) -> bool {
    match text {
        Units::U8(units) => occurs_in(units, word),
        Units::U16(units) => occurs_in(units, word),
        Units::U32(units) => occurs_in(units, word),
    }
}

fn occurs_in<T: Copy + Into<u32>>(text: &[T], word: &str) -> bool {
    let word: Vec<char> = word.chars().collect();
    let Some(&first) = word.first() else { return false };
    // Most characters are neither form of the first letter.
    let (small, capital) = (u32::from(first), first.to_uppercase().next().map_or(0, u32::from));
    let letter = |at: usize| {
        text.get(at).and_then(|&unit| char::from_u32(unit.into())).and_then(|character| character.to_lowercase().next())
    };
    let is_letter = |at: usize| letter(at).is_some_and(char::is_alphanumeric);
    text.iter().enumerate().any(|(at, &unit)| {
        let code: u32 = unit.into();
        (code == small || code == capital)
            && (at == 0 || !is_letter(at - 1))
            && !is_letter(at + word.len())
            && word.iter().enumerate().all(|(place, &wanted)| letter(at + place) == Some(wanted))
    })
}

fn lexicon_error(error: LexiconError) -> PyErr {
    match error {
        LexiconError::File(..) => PyOSError::new_err(error.to_string()),
        LexiconError::Format(..) => PyValueError::new_err(error.to_string()),
    }
}

fn difference_name(kind: DifferenceKind) -> &'static str {
    match kind {
        DifferenceKind::Filler => "filler",
        DifferenceKind::Spelling => "spelling",
        DifferenceKind::WordAdded => "word_added",
        DifferenceKind::WordDropped => "word_dropped",
        DifferenceKind::WordReplaced => "word_replaced",
        DifferenceKind::Wording => "wording",
        DifferenceKind::Name => "name",
        DifferenceKind::Condition => "condition",
        DifferenceKind::Quantifier => "quantifier",
        DifferenceKind::Modal => "modal",
        DifferenceKind::Negation => "negation",
        DifferenceKind::Time => "time",
        DifferenceKind::Date => "date",
        DifferenceKind::Unit => "unit",
        DifferenceKind::Number => "number",
        DifferenceKind::Unread => "unread",
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Content => "content",
        Kind::Name => "name",
        Kind::Title => "title",
        Kind::Number => "number",
        Kind::Date => "date",
        Kind::Time => "time",
        Kind::Negation => "negation",
        Kind::Denial => "denial",
        Kind::Modal => "modal",
        Kind::Hedge => "hedge",
        Kind::Quantifier => "quantifier",
        Kind::Limiter => "limiter",
        Kind::Bound => "bound",
        Kind::Condition => "condition",
        Kind::Exception => "exception",
        Kind::Cause => "cause",
        Kind::Order => "order",
        Kind::Reference => "reference",
        Kind::Auxiliary => "auxiliary",
        Kind::Pronoun => "pronoun",
        Kind::Preposition => "preposition",
        Kind::Conjunction => "conjunction",
        Kind::Article => "article",
        Kind::Filler => "filler",
        Kind::Clitic => "clitic",
    }
}
