//! `ReadPassages` and `ClaimIndex`: texts read once, and what they have of claims.

use std::sync::{Arc, OnceLock};

use groundwire_engine::text::Units;
use groundwire_language::Language;
use groundwire_language::claim::{Prepared, assess};
use groundwire_language::index::ClaimIndex as Index;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::rows::{AssessmentRow, ValueRow, row, value_rows};
use super::{LanguageReader, Shared};
use crate::{arguments, characters};

/// Texts that claims are compared with, each read once, when it is first asked. Immutable and safe to share between
/// threads.
#[pyclass(frozen, module = "groundwire._engine", name = "ReadPassages")]
pub(crate) struct ReadPassages {
    shared: Arc<Shared>,
    language: Language,
    passages: Vec<Option<(Py<PyString>, OnceLock<Prepared>)>>,
}

impl ReadPassages {
    pub(super) fn new(
        shared: Arc<Shared>,
        language: Language,
        passages: Vec<Option<(Py<PyString>, OnceLock<Prepared>)>>,
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
        self.rows(py, claim, &places.unwrap_or_else(|| (0..self.passages.len()).collect()))
    }

    /// Return what the passages have of several claims, as `assess` does of each.
    ///
    /// Args:
    ///     claims: The claims.
    ///     places: Which passages are asked of each claim.
    ///
    /// Raises:
    ///     ValueError: There is no such passage, or there are more places than claims or fewer.
    fn assess_each(
        &self,
        py: Python<'_>,
        claims: &Bound<'_, PyAny>,
        places: Vec<Vec<usize>>,
    ) -> PyResult<Vec<Vec<Option<AssessmentRow>>>> {
        let claims = arguments::strings(claims, "claims")?;
        if claims.len() != places.len() {
            return Err(PyValueError::new_err("claims and places differ in number"));
        }
        claims.iter().zip(&places).map(|(claim, places)| self.rows(py, characters::units(claim)?, places)).collect()
    }
}

impl ReadPassages {
    fn rows(&self, py: Python<'_>, claim: Units<'_>, places: &[usize]) -> PyResult<Vec<Option<AssessmentRow>>> {
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let lexicons = self.shared.reader.lexicons();
        let lexicon = self.shared.lexicon(self.language)?;
        let claim = self.shared.prepare(py, claim, self.language)?;
        let row_of = |&place: &usize| {
            let passage = self.passages.get(place).ok_or_else(|| PyValueError::new_err("there is no such passage"))?;
            let Some((text, prepared)) = passage else { return Ok(None) };
            let prepared = match prepared.get() {
                Some(prepared) => prepared,
                None => {
                    let read = self.shared.prepare(py, characters::units(text.bind(py))?, self.language)?;
                    prepared.get_or_init(|| read)
                }
            };
            Ok(Some(row(assess(&claim, prepared, lexicon, lexicons))))
        };
        places.iter().map(row_of).collect()
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
