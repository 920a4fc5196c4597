//! `find_citations`: the citations of a claim.

use groundwire_language::provenance::{self, CitationKind};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyString};

use crate::tuples::int;
use crate::{arguments, characters, signals};

type Found<'py> = (Bound<'py, PyString>, Bound<'py, PyString>, Bound<'py, PyInt>, Bound<'py, PyInt>);

/// Find everything with the syntax of a citation, without overlaps.
///
/// Args:
///     text: The claim.
///
/// Returns:
///     A list of (type, value, start, end) sorted by start, in code points: the type is "adr", "commit",
///     "url", "issue" or "doi", the value is the id in its original spelling.
#[pyfunction]
pub(crate) fn find_citations<'py>(py: Python<'py>, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let units = characters::units(arguments::string(text, "text")?)?;
    let found = signals::run(py, units.len(), |cancel| provenance::citations(units, cancel))?;
    let citation = |one: provenance::Citation| -> PyResult<Found<'py>> {
        let value = characters::copied(py, units.slice(one.value.start..one.value.end))?;
        Ok((PyString::intern(py, kind_name(one.kind)), value, int(py, one.span.start), int(py, one.span.end)))
    };
    signals::listed(py, found.into_iter().map(citation))
}

/// Returns the Python name of a kind.
pub(crate) fn kind_name(kind: CitationKind) -> &'static str {
    match kind {
        CitationKind::DecisionRecord => "adr",
        CitationKind::Commit => "commit",
        CitationKind::Url => "url",
        CitationKind::Issue => "issue",
        CitationKind::Doi => "doi",
    }
}
