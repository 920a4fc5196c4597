//! `JaccardIndex`: exact search for texts with similar words.

use std::sync::RwLockReadGuard;

use groundwire_engine::{
    Cancel,
    similarity::{self, Neighbor, Threshold, TokenRule},
};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{SharedIndex, removed, similarity, with_text};
use crate::arguments::OptionalArgument;
use crate::{arguments, signals};

/// An index of texts as sets of tokens, searched exactly by Jaccard similarity. Texts can be added and
/// removed.
///
/// Safe to share between threads. `sys.getsizeof` counts the whole index.
///
/// Args:
///     floor: Lowest threshold of `query`, above 0 and up to 1.
///     core_floor: Threshold of `query_core`, for the similarity without stop tokens. None: `query_core` finds nothing.
///     tokens: "unicode": words without punctuation at their edges, and pairs of neighbouring characters in
///         scripts without spaces; "spec": the result of `text.lower().split()`.
///     aside: Additional stop tokens, in lower case. Digits and names are always stop tokens ("unicode" only).
///
/// Raises:
///     TypeError: An argument is of another type.
///     ValueError: A floor is out of range, or there is no such tokenisation.
#[pyclass(frozen, weakref, module = "groundwire._engine", name = "JaccardIndex")]
pub(crate) struct JaccardIndex {
    engine: SharedIndex<similarity::JaccardIndex>,
    pub(crate) rule: TokenRule,
    /// The parsed threshold of most searches.
    floor: (f64, Threshold),
}

impl JaccardIndex {
    /// Locks the index for reading, for a caller that does not hold the interpreter.
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, similarity::JaccardIndex> {
        self.engine.read()
    }
}

#[pymethods]
impl JaccardIndex {
    #[new]
    #[pyo3(
        signature = (*, floor, core_floor = None, tokens = OptionalArgument::ABSENT, aside = OptionalArgument::ABSENT),
        text_signature = "(*, floor, core_floor=None, tokens='unicode', aside=())"
    )]
    fn new(
        floor: &Bound<'_, PyAny>,
        core_floor: Option<&Bound<'_, PyAny>>,
        tokens: OptionalArgument<'_>,
        aside: OptionalArgument<'_>,
    ) -> PyResult<Self> {
        let (rule, tokens) = super::tokens(&tokens, &aside)?;
        let core_floor = core_floor.map(|floor| similarity(floor, "core_floor")).transpose()?;
        let (number, threshold) = (arguments::number(floor, "floor")?, similarity(floor, "floor")?);
        let engine = similarity::JaccardIndex::new(tokens, threshold, core_floor);
        Ok(Self { engine: SharedIndex::new(engine), rule, floor: (number, threshold) })
    }

    /// Return an empty index with the same arguments; the stop tokens are shared.
    fn empty(&self, py: Python<'_>) -> Self {
        let engine = py.detach(|| self.engine.read().empty());
        Self { engine: SharedIndex::new(engine), rule: self.rule, floor: self.floor }
    }

    /// Return the number of texts.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.engine.measure(py, similarity::JaccardIndex::len)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("JaccardIndex(count={})", self.__len__(py))
    }

    /// Return the size of the whole index in bytes.
    fn __sizeof__(&self, py: Python<'_>) -> usize {
        size_of::<Self>() + self.engine.measure(py, similarity::JaccardIndex::bytes)
    }

    /// Add a text.
    ///
    /// Returns:
    ///     Its number. Numbers of removed texts are reused.
    fn insert(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<u32> {
        with_text(text, self.rule, |units| {
            signals::run_locked(py, units.len(), |cancel| self.engine.write().insert(units, cancel))
        })
    }

    /// Remove the text with this number.
    ///
    /// Raises:
    ///     KeyError: There is no such text.
    fn remove(&self, py: Python<'_>, number: &Bound<'_, PyAny>) -> PyResult<()> {
        removed(py, number, |number| self.engine.write().remove(number))
    }

    /// Find the texts whose similarity is at least a threshold. The threshold is exact in its decimal notation.
    ///
    /// Args:
    ///     text: The text to compare with.
    ///     threshold: Minimum similarity; not below the floor.
    ///     limit: Maximum number of results. None: all.
    ///
    /// Returns:
    ///     A list of (number, similarity), the most similar first, ties to the lowest number.
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
        let threshold = match arguments::number(threshold, "threshold")? {
            number if number.to_bits() == self.floor.0.to_bits() => self.floor.1,
            _ => similarity(threshold, "threshold")?,
        };
        let limit = super::limit(limit)?;
        with_text(text, self.rule, |units| {
            let query =
                |index: &similarity::JaccardIndex, cancel: &dyn Cancel| index.query(units, threshold, limit, cancel);
            found(py, self.engine.search(py, query)?)
        })
    }

    /// Find the texts whose similarity without stop tokens is at least `core_floor`.
    ///
    /// Args:
    ///     text: The text to compare with.
    ///     limit: Maximum number of results. None: all.
    ///
    /// Returns:
    ///     A list of (number, similarity by all tokens), the most similar first, ties to the lowest number.
    #[pyo3(signature = (text, *, limit = None))]
    fn query_core<'py>(
        &self,
        py: Python<'py>,
        text: &Bound<'py, PyAny>,
        limit: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyList>> {
        let limit = super::limit(limit)?;
        with_text(text, self.rule, |units| {
            let query = |index: &similarity::JaccardIndex, cancel: &dyn Cancel| {
                index.query_without_stop_tokens(units, limit, cancel)
            };
            found(py, self.engine.search(py, query)?)
        })
    }
}

fn found(py: Python<'_>, hits: Vec<Neighbor>) -> PyResult<Bound<'_, PyList>> {
    signals::list_of(py, hits.iter().map(|hit| (hit.number, hit.similarity())))
}
