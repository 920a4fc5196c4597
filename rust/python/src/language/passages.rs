//! `ReadPassages` and `ClaimIndex`: texts read once, for comparison with claims.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use groundwire_engine::TextRef;
use groundwire_language::claim::{PreparedReading, assess};
use groundwire_language::index::ClaimIndex as Index;
use groundwire_language::overlap::ClaimTerms;
use groundwire_language::{Language, Lexicon};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::rows::{
    AssessmentRow, CarriersRow, OverlapRow, SupportRow, TermRow, ValueRow, assessment_row, overlap_row, term_rows,
    value_rows,
};
use super::spans::Span;
use super::{LanguageReader, SharedReader};
use crate::{arguments, characters};

/// Minimum share of a claim's terms in a passage that is compared with the claim, as a fraction.
const MIN_SHARE: (u32, u32) = (2, 5);

/// Passages to compare with claims, each read on first use. Immutable and safe to share between threads.
#[pyclass(frozen, module = "groundwire._engine", name = "ReadPassages")]
pub(crate) struct ReadPassages {
    shared: Arc<SharedReader>,
    language: Language,
    passages: Vec<Option<(Py<PyString>, OnceLock<PreparedReading>)>>,
}

impl ReadPassages {
    pub(super) fn new(
        shared: Arc<SharedReader>,
        language: Language,
        passages: Vec<Option<(Py<PyString>, OnceLock<PreparedReading>)>>,
    ) -> Self {
        Self { shared, language, passages }
    }
}

#[pymethods]
impl ReadPassages {
    fn __repr__(&self) -> String {
        format!("ReadPassages({} passages)", self.passages.len())
    }

    fn __len__(&self) -> usize {
        self.passages.len()
    }

    /// The language of the passages.
    #[getter]
    fn language(&self) -> &'static str {
        self.language.code()
    }

    /// Compare a claim, a sentence without its citations, with the passages.
    ///
    /// Args:
    ///     claim: The claim.
    ///     places: Indices of the passages to compare, from 0; None for all.
    ///
    /// Returns:
    ///     For each of them None if it has no text, or a tuple: "supported", "unsupported" or "contradicted";
    ///     the spans of the claim that have no counterpart; the contradiction ("number", "date", "negation"
    ///     or "opposite", and its spans in claim and passage) or None; the span of the sentences that were
    ///     compared; the number of terms that need a counterpart, and of those that have one.
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
        let (claim, lexicon) = self.claim(py, characters::units(arguments::string(claim, "claim")?)?)?;
        let lexicons = self.shared.reader.lexicons();
        let row = |place| {
            Ok(self.prepared(py, place)?.map(|passage| assessment_row(assess(&claim, passage, lexicon, lexicons))))
        };
        places.unwrap_or_else(|| (0..self.passages.len()).collect()).into_iter().map(row).collect()
    }

    /// Return the support features of several claims in the passages.
    ///
    /// Args:
    ///     claims: The claims, sentences without their citations.
    ///     places: For each claim, indices of the passages to compare, from 0; None for all passages.
    ///
    /// Returns:
    ///     For each claim and each passage None if there is nothing to compare, or a pair. First a tuple of
    ///     features: the share of the claim in the best sentences, the share of its phrases that are
    ///     together, and the share of the passage's topics in the claim, each 0.0 to 1.0 with rare words
    ///     weighing more; the number of names and the number of numbers without a counterpart; the span of
    ///     the counterparts in the best sentences. Second the result of `assess`, or None for a passage with
    ///     less than two fifths of the claim's terms.
    ///
    /// Raises:
    ///     ValueError: There is no such passage, or `places` and `claims` differ in length.
    #[pyo3(signature = (claims, *, places=None))]
    fn support<'py>(
        &self,
        py: Python<'py>,
        claims: &Bound<'py, PyAny>,
        places: Option<Vec<Vec<usize>>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let claims = arguments::strings(claims, "claims")?;
        let places = places.unwrap_or_else(|| vec![(0..self.passages.len()).collect(); claims.len()]);
        if claims.len() != places.len() {
            return Err(different_lengths("claims", claims.len(), "places", places.len()));
        }
        // Rows are converted claim by claim, so that Python can handle signals between them.
        let rows = PyList::empty(py);
        for (claim, places) in claims.iter().zip(places) {
            if places.is_empty() {
                rows.append(PyList::empty(py))?;
                continue;
            }
            let (claim, lexicon) = self.claim(py, characters::units(claim)?)?;
            let lexicons = self.shared.reader.lexicons();
            let terms = ClaimTerms::new(&claim, lexicon, lexicons);
            let row = |place: usize| -> PyResult<Option<SupportRow>> {
                py.check_signals()?;
                let Some(passage) = self.prepared(py, place)? else { return Ok(None) };
                py.check_signals()?;
                let Some(found) = terms.overlap(passage) else { return Ok(None) };
                py.check_signals()?;
                let is_read = found.matched * MIN_SHARE.1 >= found.required * MIN_SHARE.0;
                let assessment = is_read.then(|| assessment_row(assess(&claim, passage, lexicon, lexicons)));
                Ok(Some((overlap_row(found), assessment)))
            };
            rows.append(places.into_iter().map(row).collect::<PyResult<Vec<_>>>()?)?;
        }
        Ok(rows)
    }

    /// Return the passages that contain each term of a claim.
    ///
    /// Args:
    ///     claim: The claim.
    ///     places: Indices of the passages to compare, from 0; None for all.
    ///
    /// Returns:
    ///     For each distinct term of the claim that needs a counterpart, its span in the claim and the
    ///     indices of the passages.
    ///
    /// Raises:
    ///     ValueError: There is no such passage.
    #[pyo3(signature = (claim, *, places=None))]
    fn carriers(
        &self,
        py: Python<'_>,
        claim: &Bound<'_, PyAny>,
        places: Option<Vec<usize>>,
    ) -> PyResult<Vec<CarriersRow>> {
        let (claim, lexicon) = self.claim(py, characters::units(arguments::string(claim, "claim")?)?)?;
        let terms = ClaimTerms::new(&claim, lexicon, self.shared.reader.lexicons());
        let mut found: Vec<CarriersRow> = terms.spans().map(|span| (span, Vec::new())).collect();
        for place in places.unwrap_or_else(|| (0..self.passages.len()).collect()) {
            let Some(passage) = self.prepared(py, place)? else { continue };
            for ((_, carriers), has_counterpart) in found.iter_mut().zip(terms.have_counterparts(passage)) {
                if has_counterpart {
                    carriers.push(place);
                }
            }
        }
        Ok(found)
    }
}

impl ReadPassages {
    fn claim(&self, py: Python<'_>, claim: TextRef<'_>) -> PyResult<(PreparedReading, &Lexicon)> {
        Ok((self.shared.prepare(py, claim, self.language)?, self.shared.lexicon(self.language)?))
    }

    /// Returns the passage at `place`, read on first use; `None` for one without a text.
    fn prepared(&self, py: Python<'_>, place: usize) -> PyResult<Option<&PreparedReading>> {
        let passage = self.passages.get(place).ok_or_else(|| PyValueError::new_err("no passage has this index"))?;
        let Some((text, prepared)) = passage else { return Ok(None) };
        Ok(Some(match prepared.get() {
            Some(prepared) => prepared,
            None => {
                let read = self.shared.prepare(py, characters::units(text.bind(py))?, self.language)?;
                prepared.get_or_init(|| read)
            }
        }))
    }
}

/// An index of texts by their stems, so that a claim is compared only with texts about the same subject.
/// Immutable and safe to share between threads.
///
/// Args:
///     reader: Reads texts and claims.
///     texts: The texts.
///     language: Their language; None for English.
///     labels: Length of the speaker label before each text, in code points: it is read with the text, and
///         all spans are relative to its end. None for texts without a label.
///
/// Raises:
///     ValueError: There is no such language, or `labels` and `texts` differ in length.
#[pyclass(frozen, module = "groundwire._engine", name = "ClaimIndex")]
pub(crate) struct ClaimIndex {
    shared: Arc<SharedReader>,
    language: Language,
    index: Index,
    labels: Vec<u32>,
}

/// The index of a text, the share of the claim in its best sentence, and its comparison with the claim: the
/// `AssessmentRow`, whether one side negates what the other states, whether a name or a value is missing, and
/// the `OverlapRow`.
type NearestRow = (usize, f64, AssessmentRow, bool, bool, OverlapRow);

#[pymethods]
impl ClaimIndex {
    #[new]
    #[pyo3(signature = (reader, texts, *, language=None, labels=None))]
    fn new(
        py: Python<'_>,
        reader: PyRef<'_, LanguageReader>,
        texts: &Bound<'_, PyList>,
        language: Option<&str>,
        labels: Option<Vec<u32>>,
    ) -> PyResult<Self> {
        let language = reader.language(language.or(Some("en")), TextRef::Ucs1(b""))?;
        let prepared = texts
            .iter()
            .map(|text| {
                let text = characters::units(arguments::string(&text, "texts")?)?;
                reader.shared.prepare(py, text, language)
            })
            .collect::<PyResult<Vec<PreparedReading>>>()?;
        let labels = labels.unwrap_or_else(|| vec![0; prepared.len()]);
        if labels.len() != prepared.len() {
            return Err(different_lengths("texts", prepared.len(), "labels", labels.len()));
        }
        Ok(Self { shared: Arc::clone(&reader.shared), language, index: Index::new(prepared), labels })
    }

    fn __repr__(&self) -> String {
        format!("ClaimIndex({} texts)", self.index.len())
    }

    fn __len__(&self) -> usize {
        self.index.len()
    }

    /// Return the numbers and dates of each text, as `LanguageReader.values` does.
    fn values(&self) -> Vec<Vec<ValueRow>> {
        let rows = self.index.readings().map(value_rows);
        rows.zip(&self.labels)
            .map(|(rows, &label)| {
                rows.into_iter()
                    .filter(|row| row.1 >= label)
                    .map(|mut row| {
                        (row.1, row.2) = after_label(label, (row.1, row.2));
                        row
                    })
                    .collect()
            })
            .collect()
    }

    /// Return the terms in a span of a text, as `LanguageReader.terms` does for a whole text.
    ///
    /// Args:
    ///     place: Index of the text.
    ///     start, end: The span, in code points.
    ///
    /// Raises:
    ///     IndexError: There is no such text.
    fn terms(&self, place: usize, start: usize, end: usize) -> PyResult<Vec<TermRow>> {
        let (text, terms) = self.terms_in(place, start, end)?;
        let mut rows = term_rows(text, terms);
        for row in &mut rows {
            (row.1, row.2) = after_label(self.labels[place], (row.1, row.2));
        }
        Ok(rows)
    }

    /// Return the stems of the terms in a span of a text, in order.
    ///
    /// Args:
    ///     place: Index of the text.
    ///     start, end: The span, in code points.
    ///
    /// Raises:
    ///     IndexError: There is no such text.
    fn stems(&self, place: usize, start: usize, end: usize) -> PyResult<&[u64]> {
        let (text, terms) = self.terms_in(place, start, end)?;
        Ok(&text.stems()[terms])
    }

    /// Return the texts that share most of a claim, best first, with their comparisons.
    ///
    /// Args:
    ///     claim: The claim.
    ///     limit: Maximum number of texts.
    ///
    /// Returns:
    ///     A tuple for each: its index; the share of the claim's stems in its best sentence, 0.0 to 1.0, with
    ///     rare ones weighing more; the result of `ReadPassages.assess`; whether one side negates what the
    ///     other states; whether a name, number, date or time has no counterpart; the features of
    ///     `ReadPassages.support`.
    fn nearest(&self, py: Python<'_>, claim: &Bound<'_, PyAny>, limit: usize) -> PyResult<Vec<NearestRow>> {
        let claim = characters::units(arguments::string(claim, "claim")?)?;
        let lexicon = self.shared.lexicon(self.language)?;
        let claim = self.shared.prepare(py, claim, self.language)?;
        let found = self.index.nearest(&claim, limit, lexicon, self.shared.reader.lexicons());
        Ok(found
            .into_iter()
            .map(|mut each| {
                let label = self.labels[each.text];
                each.assessment.evidence = after_label(label, each.assessment.evidence);
                each.overlap.evidence = after_label(label, each.overlap.evidence);
                if let Some(contradiction) = &mut each.assessment.contradiction {
                    contradiction.passage = after_label(label, contradiction.passage);
                }
                let (differs_in_polarity, lacks_value) =
                    (each.assessment.differs_in_polarity, each.assessment.lacks_value);
                (
                    each.text,
                    each.share,
                    assessment_row(each.assessment),
                    differs_in_polarity,
                    lacks_value,
                    overlap_row(each.overlap),
                )
            })
            .collect())
    }
}

impl ClaimIndex {
    fn terms_in(&self, place: usize, start: usize, end: usize) -> PyResult<(&PreparedReading, Range<usize>)> {
        let text = self.index.text(place).ok_or_else(|| PyIndexError::new_err("no text has this index"))?;
        let label = self.labels[place] as usize;
        Ok((text, text.reading.terms_in(start.saturating_add(label), end.saturating_add(label))))
    }
}

fn different_lengths(left: &str, left_len: usize, right: &str, right_len: usize) -> PyErr {
    PyValueError::new_err(format!("{left} and {right} must have the same length, got {left_len} and {right_len}"))
}

/// Converts a span to offsets after a label. A position inside the label becomes 0.
fn after_label(label: u32, (start, end): Span) -> Span {
    (start.saturating_sub(label), end.saturating_sub(label))
}
