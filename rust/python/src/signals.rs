//! Handles signals such as Ctrl-C during long calls, and converts errors to exceptions.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use groundwire_engine::{Cancel, Error};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

/// Interval at which Python can handle signals.
pub(crate) const INTERVAL: Duration = Duration::from_millis(50);

/// Lets Python handle signals at intervals, and cancels the work if a handler raises.
struct Signals(Mutex<State>);

struct State {
    next: Instant,
    raised: Option<PyErr>,
}

impl Signals {
    fn new() -> Self {
        Self(Mutex::new(State { next: Instant::now() + INTERVAL, raised: None }))
    }

    /// Converts the engine's result. If a signal handler raised, its exception replaces the engine's error.
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

/// Converts an engine error to an exception.
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

/// Lets Python handle signals at intervals during work that holds the interpreter.
pub(crate) struct SignalCheck {
    chars: usize,
}

/// Number of characters between two checks: a few milliseconds.
const CHECK_INTERVAL_CHARS: usize = 1 << 17;

impl SignalCheck {
    pub(crate) fn new() -> Self {
        Self { chars: 0 }
    }

    /// Charges an item of `chars` characters, and checks for signals when the interval is over.
    pub(crate) fn charge(&mut self, py: Python<'_>, chars: usize) -> PyResult<()> {
        self.chars = self.chars.saturating_add(chars).saturating_add(1);
        if self.chars < CHECK_INTERVAL_CHARS {
            return Ok(());
        }
        self.chars = 0;
        py.check_signals()
    }
}

/// Cost of creating an object, in characters.
const OBJECT_CHARS: usize = 31;

/// Number of objects between two checks for signals: a few milliseconds.
const OBJECTS: usize = 1 << 14;

/// Does the same as [`listed`] for conversions that cannot fail.
pub(crate) fn list_of<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    items: impl ExactSizeIterator<Item = T>,
) -> PyResult<Bound<'py, PyList>> {
    if items.len() <= OBJECTS { PyList::new(py, items) } else { listed(py, items.map(Ok)) }
}

/// Converts `items` to a list, and lets Python handle signals meanwhile.
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

/// Converts `items` to objects for a tuple.
pub(crate) fn objects<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    items: impl Iterator<Item = PyResult<T>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let mut signal_check = SignalCheck::new();
    let mut made = Vec::with_capacity(items.size_hint().0);
    for item in items {
        signal_check.charge(py, OBJECT_CHARS)?;
        made.push(item?.into_bound_py_any(py)?);
    }
    Ok(made)
}

/// Minimum work for which the interpreter is released, in characters. Shorter work takes less time than the release.
const MIN_DETACHED_CHARS: usize = 1 << 13;

/// Does the same as [`run`] for work that waits for a lock. It always releases the interpreter, because the owner of the
/// lock may need it.
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

/// Runs `work`, which examines about `chars` characters. Long work runs without the interpreter.
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
