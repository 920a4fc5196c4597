//! `MinHashIndex`: approximate search for similar texts by MinHash signatures.

use groundwire_engine::{
    Cancel,
    similarity::{self, TokenRule},
};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{SharedIndex, removed, with_text};
use crate::arguments::OptionalArgument;
use crate::{arguments, signals};

/// An index of texts as signatures of a fixed size, searched by MinHash and locality-sensitive hashing. Texts
/// can be added and removed.
///
/// Safe to share between threads. `sys.getsizeof` counts the whole index.
///
/// Args:
///     threshold: The similarity to search for, above 0 and up to 1.
///     tokens: As for `JaccardIndex`.
///
/// Raises:
///     TypeError: An argument is of another type.
///     ValueError: The threshold is out of range, or there is no such tokenisation.
#[pyclass(frozen, weakref, module = "groundwire._engine", name = "MinHashIndex")]
pub(crate) struct MinHashIndex {
    engine: SharedIndex<similarity::MinHashIndex>,
    rule: TokenRule,
}

#[pymethods]
impl MinHashIndex {
    #[new]
    #[pyo3(
        signature = (*, threshold, tokens = OptionalArgument::ABSENT),
        text_signature = "(*, threshold, tokens='unicode')"
    )]
    fn new(threshold: &Bound<'_, PyAny>, tokens: OptionalArgument<'_>) -> PyResult<Self> {
        let (rule, tokens) = super::tokens(&tokens, &OptionalArgument::ABSENT)?;
        super::similarity(threshold, "threshold")?;
        let engine = similarity::MinHashIndex::new(tokens, arguments::number(threshold, "threshold")?);
        Ok(Self { engine: SharedIndex::new(engine), rule })
    }

    /// Return the number of texts.
    fn __len__(&self, py: Python<'_>) -> usize {
        self.engine.measure(py, similarity::MinHashIndex::len)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("MinHashIndex(count={})", self.__len__(py))
    }

    /// Return the size of the whole index in bytes.
    fn __sizeof__(&self, py: Python<'_>) -> usize {
        size_of::<Self>() + self.engine.measure(py, similarity::MinHashIndex::bytes)
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
        removed(py, number, |number| Ok(self.engine.write().remove(number)))
    }

    /// Find candidates whose similarity may reach the threshold.
    ///
    /// About one in ten thousand similar texts is missed, and some candidates are less similar: compare their
    /// texts.
    ///
    /// Args:
    ///     text: The text to compare with.
    ///
    /// Returns:
    ///     A list of (number, estimated similarity), the most similar first, ties to the lowest number.
    fn query<'py>(&self, py: Python<'py>, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        with_text(text, self.rule, |units| {
            let query = |index: &similarity::MinHashIndex, cancel: &dyn Cancel| index.query(units, cancel);
            PyList::new(py, self.engine.search(py, query)?)
        })
    }
}
