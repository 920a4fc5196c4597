//! Ctrl-C during long calls, and the engine's errors as exceptions.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use groundwire_engine::{Cancel, Error};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// How often Python gets a chance to handle signals.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// Lets Python handle its signals now and then; stops the work if a handler raised.
struct Signals(Mutex<State>);

struct State {
    next: Instant,
    raised: Option<PyErr>,
}

impl Signals {
    fn new() -> Self {
        Self(Mutex::new(State { next: Instant::now() + INTERVAL, raised: None }))
    }

    /// The engine's result as Python's, with the exception of the signal handler if it was that.
    fn finish<T>(self, result: Result<T, Error>) -> PyResult<T> {
        let raised = self.0.into_inner().unwrap_or_else(PoisonError::into_inner).raised;
        result.map_err(|error| raised.unwrap_or_else(|| exception(error)))
    }
}

impl Cancel for Signals {
    fn is_cancelled(&self) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if Instant::now() < state.next {
            return false;
        }
        state.raised = Python::attach(|py| py.check_signals().err());
        state.next = Instant::now() + INTERVAL;
        state.raised.is_some()
    }
}

/// The exception for an error of the engine.
pub(crate) fn exception(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::Cancelled => PyKeyboardInterrupt::new_err(message),
        Error::TextTooLong { .. } | Error::TooManyPatterns { .. } | Error::IndexFull => {
            PyOverflowError::new_err(message)
        }
        Error::EmptyPattern { .. } | Error::BelowFloor | Error::WrongVector { .. } => PyValueError::new_err(message),
        _ => PyRuntimeError::new_err(message),
    }
}

/// Lets Python handle its signals now and then in work that holds the interpreter.
pub(crate) struct Patience {
    chars: usize,
}

/// Characters looked at between two questions: some milliseconds.
const CHECK_INTERVAL_CHARS: usize = 1 << 17;

impl Patience {
    pub(crate) fn new() -> Self {
        Self { chars: 0 }
    }

    /// Books `chars`, and the pause between two pieces of work.
    pub(crate) fn ask(&mut self, py: Python<'_>, chars: usize) -> PyResult<()> {
        self.chars = self.chars.saturating_add(chars).saturating_add(1);
        if self.chars < CHECK_INTERVAL_CHARS {
            return Ok(());
        }
        self.chars = 0;
        py.check_signals()
    }
}

/// What making an object takes, in characters that are looked at.
const OBJECT_CHARS: usize = 31;

/// Objects that are made between two questions for signals: a few milliseconds.
const OBJECTS: usize = 1 << 14;

/// [`listed`] of what is made without a failure.
pub(crate) fn list_of<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    items: impl ExactSizeIterator<Item = T>,
) -> PyResult<Bound<'py, PyList>> {
    if items.len() <= OBJECTS { PyList::new(py, items) } else { listed(py, items.map(Ok)) }
}

/// A list of what `items` become. Of millions of objects the making takes seconds.
pub(crate) fn listed<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    mut items: impl ExactSizeIterator<Item = PyResult<T>>,
) -> PyResult<Bound<'py, PyList>> {
    if items.len() <= OBJECTS {
        return PyList::new(py, items.collect::<PyResult<Vec<T>>>()?);
    }
    let list = PyList::empty(py);
    while items.len() > 0 {
        py.check_signals()?;
        items.by_ref().take(OBJECTS).try_for_each(|item| list.append(item?))?;
    }
    Ok(list)
}

/// What `items` become, for a tuple.
pub(crate) fn objects<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    items: impl Iterator<Item = PyResult<T>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut patience = Patience::new();
    let mut made = Vec::with_capacity(items.size_hint().0);
    for item in items {
        patience.ask(py, OBJECT_CHARS)?;
        made.push(item?.into_bound_py_any(py)?);
    }
    Ok(made)
}

/// Work below this many characters is done faster than the interpreter is let go.
const MIN_DETACHED_CHARS: usize = 1 << 13;

/// [`run`] of work that waits for a lock: without the interpreter, which its owner may need, however
/// short the work is.
pub(crate) fn run_locked<T: Send>(
    py: Python<'_>,
    chars: usize,
    work: impl FnOnce(&dyn Cancel) -> Result<T, Error> + Send,
) -> PyResult<T> {
    if chars < MIN_DETACHED_CHARS {
        return py.detach(|| work(&groundwire_engine::Never)).map_err(exception);
    }
    run(py, chars, work)
}

/// Runs `work`, which looks at about `chars` characters, without the interpreter if it is long.
pub(crate) fn run<T: Send>(
    py: Python<'_>,
    chars: usize,
    work: impl FnOnce(&dyn Cancel) -> Result<T, Error> + Send,
) -> PyResult<T> {
    if chars < MIN_DETACHED_CHARS {
        return work(&groundwire_engine::Never).map_err(exception);
    }
    let signals = Signals::new();
    let result = py.detach(|| work(&signals));
    signals.finish(result)
}
