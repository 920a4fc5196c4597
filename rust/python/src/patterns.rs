//! `Patterns`: fixed patterns for many texts.

use groundwire_engine::{PatternMatch, PatternSet};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyList, PyString, PyTuple};

use crate::arguments::OptionalArgument;
use crate::tuples::{PositionInts, int, triple};
use crate::{arguments, characters, signals};

/// Number of patterns per match from which the objects of all indices are created.
const MATCHES_PER_INDEX: usize = 64;

/// Number of tuples created between two checks for signals: about a millisecond.
const CHUNK_TUPLES: usize = 1 << 14;

/// Fixed patterns, prepared once for searching many texts, by raw code points without normalisation.
///
/// The constructor copies the patterns; a search prepares what it needs and caches it for the next text.
/// Immutable and safe to share between threads. Pickles as its patterns.
///
/// Args:
///     patterns: Strings with at least one character each; duplicates are allowed.
///     word_boundaries: Only find patterns that start and end at word boundaries (words are Unicode letters,
///         digits and underscore; any position in Han, kana, Thai and other unspaced scripts).
///
/// Raises:
///     TypeError: patterns is not a sequence of str.
///     ValueError: A pattern is empty.
///     OverflowError: All patterns together have 2³² characters or more.
#[pyclass(frozen, weakref, module = "groundwire", name = "Patterns")]
pub(crate) struct Patterns {
    engine: PatternSet,
    strings: Vec<Py<PyString>>,
    /// The index of each pattern as an object: every result contains them.
    indexes: PyOnceLock<Vec<Py<PyInt>>>,
    word_boundaries: bool,
}

#[pymethods]
impl Patterns {
    #[new]
    #[pyo3(signature = (patterns, *, word_boundaries = OptionalArgument::ABSENT), text_signature = "(patterns, *, word_boundaries=False)")]
    fn new(py: Python<'_>, patterns: &Bound<'_, PyAny>, word_boundaries: OptionalArgument<'_>) -> PyResult<Self> {
        let strings = arguments::strings(patterns, "patterns")?;
        let word_boundaries = arguments::flag(&word_boundaries, "word_boundaries")?;
        let units = strings.iter().map(characters::units).collect::<PyResult<Vec<_>>>()?;
        let engine = py.detach(|| PatternSet::new(&units, word_boundaries)).map_err(signals::exception)?;
        let strings = strings.into_iter().map(Bound::unbind).collect();
        Ok(Self { engine, strings, indexes: PyOnceLock::new(), word_boundaries })
    }

    /// Return the number of patterns.
    fn __len__(&self) -> usize {
        self.engine.len()
    }

    fn __repr__(&self) -> String {
        let word_boundaries = if self.word_boundaries { "True" } else { "False" };
        format!("Patterns(count={}, word_boundaries={word_boundaries})", self.engine.len())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let this = slf.get();
        let rebuild = py.import("groundwire._engine")?.getattr("_rebuild_patterns")?;
        let strings: Vec<_> = this.strings.iter().map(|string| string.clone_ref(py)).collect();
        Ok((rebuild, (strings, this.word_boundaries).into_pyobject(py)?))
    }

    /// Find every occurrence of every pattern, including overlapping ones.
    ///
    /// Args:
    ///     text: The text to search.
    ///
    /// Returns:
    ///     A list of (pattern index, start, end), in code points, sorted by start, then by index.
    ///
    /// Raises:
    ///     TypeError: text is not a str.
    ///     OverflowError: It has 2³² characters or more.
    fn find_all<'py>(&self, py: Python<'py>, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let units = characters::units(arguments::string(text, "text")?)?;
        let chars = units.len().saturating_add(self.engine.chars());
        let found = signals::run(py, chars, |cancel| self.engine.find_all(units, cancel))?;
        let indexes = self.indexes(py, found.len());
        let list = PyList::empty(py);
        let mut positions = PositionInts::new();
        // Collect tuples instead of their parts: moving three pointers at once stalls the processor.
        let mut tuples = Vec::with_capacity(found.len().min(CHUNK_TUPLES));
        for PatternMatch { pattern, span } in found {
            let index = indexes.get(pattern).map_or_else(|| int(py, pattern), |int| int.bind(py).clone());
            tuples.push(triple(index, positions.int(py, span.start), positions.int(py, span.end))?);
            if tuples.len() == CHUNK_TUPLES {
                py.check_signals()?;
                tuples.drain(..).try_for_each(|triple| list.append(triple))?;
            }
        }
        if list.is_empty() {
            return PyList::new(py, tuples);
        }
        tuples.into_iter().try_for_each(|triple| list.append(triple))?;
        Ok(list)
    }
}

impl Patterns {
    pub(crate) fn engine(&self) -> &PatternSet {
        &self.engine
    }

    /// Returns the patterns' indices as objects, if they exist already or `matches` of them are worth it.
    fn indexes(&self, py: Python<'_>, matches: usize) -> &[Py<PyInt>] {
        if matches < self.engine.len() / MATCHES_PER_INDEX {
            return self.indexes.get(py).map_or(&[], Vec::as_slice);
        }
        self.indexes.get_or_init(py, || (0..self.engine.len()).map(|index| int(py, index).unbind()).collect())
    }
}

/// Unpickle a Patterns.
#[pyfunction]
#[pyo3(name = "_rebuild_patterns")]
pub(crate) fn rebuild_patterns(
    py: Python<'_>,
    patterns: &Bound<'_, PyAny>,
    word_boundaries: OptionalArgument<'_>,
) -> PyResult<Patterns> {
    Patterns::new(py, patterns, word_boundaries)
}
