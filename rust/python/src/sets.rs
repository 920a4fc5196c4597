//! Indexes of many texts: which are nearly the same?

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use groundwire_engine::sets::{self, Hit, Rule, Threshold, Tokens};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString};

use crate::arguments::Given;
use crate::{arguments, characters, signals};

/// Texts as sets of tokens, found exactly by Jaccard similarity. Texts can come and go.
///
/// Safe to share between threads. `sys.getsizeof` counts the whole index.
///
/// Args:
///     floor: The least similarity that `query` can ask for, above 0 and up to 1.
///     core_floor: The similarity that `query_core` finds from, among the tokens that are not set
///         aside. None: `query_core` finds nothing.
///     tokens: "unicode" words without punctuation at their edges, pairs of neighbours in scripts
///         without spaces; "spec" what `text.lower().split()` gives.
///     aside: Further words to set aside, in small letters; digits and names are without that
///         ("unicode" only).
///
/// Raises:
///     TypeError: An argument is of another type.
///     ValueError: A floor is out of its range, or there are no such tokens.
#[pyclass(frozen, weakref, module = "groundwire._engine", name = "JaccardIndex")]
pub(crate) struct JaccardIndex {
    engine: RwLock<sets::JaccardIndex>,
    rule: Rule,
}

#[pymethods]
impl JaccardIndex {
    #[new]
    #[pyo3(
        signature = (*, floor, core_floor = None, tokens = Given::ABSENT, aside = Given::ABSENT),
        text_signature = "(*, floor, core_floor=None, tokens='unicode', aside=())"
    )]
    fn new(
        floor: &Bound<'_, PyAny>,
        core_floor: Option<&Bound<'_, PyAny>>,
        tokens: Given<'_>,
        aside: Given<'_>,
    ) -> PyResult<Self> {
        let rule = rule(&tokens)?;
        let aside = aside.get().map_or_else(|| Ok(Vec::new()), |aside| arguments::strings(aside, "aside"))?;
        let units = aside.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?;
        let core_floor = core_floor.map(|floor| similarity(floor, "core_floor")).transpose()?;
        let engine = sets::JaccardIndex::new(Tokens::new(rule, &units), similarity(floor, "floor")?, core_floor);
        Ok(Self { engine: RwLock::new(engine), rule })
    }

    /// Number of texts.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.read(py, |engine| engine.len())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("JaccardIndex(count={})", self.__len__(py))
    }

    /// Bytes of the whole index.
    fn __sizeof__(&self, py: Python<'_>) -> usize {
        size_of::<Self>() + self.read(py, |engine| engine.bytes())
    }

    /// Adds a text.
    ///
    /// Returns:
    ///     Its number. Numbers of texts that were removed are given again.
    fn insert(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<u32> {
        let text = self.prepared(text)?;
        let units = characters::units(&text)?;
        py.detach(|| self.write_lock().insert(units)).map_err(signals::exception)
    }

    /// Removes the text with this number.
    ///
    /// Raises:
    ///     KeyError: There is none.
    fn remove(&self, py: Python<'_>, number: &Bound<'_, PyAny>) -> PyResult<()> {
        let number = arguments::whole(number, "number")?;
        let known = number.and_then(|number| u32::try_from(number).ok());
        let removed = known.map_or(Ok(false), |number| py.detach(|| self.write_lock().remove(number)));
        if removed.map_err(signals::exception)? { Ok(()) } else { Err(PyKeyError::new_err("no text has this number")) }
    }

    /// Finds the texts that are at least as similar as a threshold, which is compared as the
    /// decimal number that it is written as.
    ///
    /// Args:
    ///     text: What they are compared with.
    ///     threshold: No less than the floor.
    ///     limit: So many at most. None: all.
    ///
    /// Returns:
    ///     A list of (number, similarity), the most similar first, of equals the lowest number.
    ///
    /// Raises:
    ///     ValueError: The threshold is below the floor or above 1, or the limit is below 1.
    #[pyo3(signature = (text, threshold, *, limit = None))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
        threshold: &Bound<'py, PyAny>,
        limit: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let threshold = similarity(threshold, "threshold")?;
        let limit = self::limit(limit)?;
        let text = self.prepared(text)?;
        let units = characters::units(&text)?;
        let hits =
            signals::run(py, usize::MAX, |interrupt| self.read_lock().query(units, threshold, limit, interrupt))?;
        found(py, hits)
    }

    /// Finds the texts that are at least as similar as the core's floor, when what is set aside is
    /// left out of both.
    ///
    /// Args:
    ///     text: What they are compared with.
    ///     limit: So many at most. None: all.
    ///
    /// Returns:
    ///     A list of (number, similarity by all tokens), the most similar first, of equals the lowest
    ///     number.
    #[pyo3(signature = (text, *, limit = None))]
    fn query_core<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
        limit: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let limit = self::limit(limit)?;
        let text = self.prepared(text)?;
        let units = characters::units(&text)?;
        found(py, signals::run(py, usize::MAX, |interrupt| self.read_lock().query_core(units, limit, interrupt))?)
    }
}

impl JaccardIndex {
    /// The text as the engine splits it: small letters are Python's business where they are literal.
    fn prepared<'py>(&self, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyString>> {
        let text = arguments::string(text, "text")?;
        match self.rule {
            Rule::Spec => Ok(characters::exact(text)?.call_method0("lower")?.cast_into()?),
            Rule::Unicode => Ok(text.clone()),
        }
    }

    /// Whoever waits for the lock does not hold the interpreter, which its owner may need.
    fn read<T: Send>(&self, py: Python<'_>, look: impl FnOnce(&sets::JaccardIndex) -> T + Send) -> T {
        py.detach(|| look(&self.read_lock()))
    }

    fn read_lock(&self) -> RwLockReadGuard<'_, sets::JaccardIndex> {
        self.engine.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_lock(&self) -> RwLockWriteGuard<'_, sets::JaccardIndex> {
        self.engine.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `tokens=`.
pub(crate) fn rule(value: &Given<'_>) -> PyResult<Rule> {
    let Some(value) = value.get() else { return Ok(Rule::Unicode) };
    match arguments::string(value, "tokens")?.to_str() {
        Ok("unicode") => Ok(Rule::Unicode),
        Ok("spec") => Ok(Rule::Spec),
        _ => Err(PyValueError::new_err("tokens must be 'unicode' or 'spec'")),
    }
}

/// A similarity above 0 and up to 1.
fn similarity(value: &Bound<'_, PyAny>, parameter: &str) -> PyResult<Threshold> {
    let number = arguments::number(value, parameter)?;
    Threshold::new(number)
        .ok_or_else(|| PyValueError::new_err(format!("{parameter} must be above 0 and at most 1, got {number}")))
}

/// `limit=`, at least 1.
pub(crate) fn limit(value: Option<&Bound<'_, PyAny>>) -> PyResult<usize> {
    let Some(value) = value.filter(|value| !value.is_none()) else { return Ok(usize::MAX) };
    match arguments::whole(value, "limit")? {
        Some(limit) if limit > 0 => Ok(limit),
        None if value.cast::<PyInt>()?.gt(0)? => Ok(usize::MAX),
        _ => Err(PyValueError::new_err("limit must be at least 1")),
    }
}

fn found(py: Python<'_>, hits: Vec<Hit>) -> PyResult<Bound<'_, PyList>> {
    PyList::new(py, hits.iter().map(|hit| (hit.number, hit.similarity())))
}
