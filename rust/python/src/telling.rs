//! `TellingWords`: whether a passage can contradict a claim at all.

use groundwire_engine::Span;
use groundwire_engine::support::{READ_CHARS, Role, Telling};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::{arguments, characters, signals};

/// The words of one language by which a passage may contradict a claim. Immutable and safe to share.
///
/// Args:
///     roles: Words in small letters, by what they can be: "amount" (numbers, scales), "date", "denial",
///         "joiner" (of the words of a number), "common" (no content) and "known" (whatever else has a
///         meaning, such as units).
///     values: Pairs of a unit or a date and what it is compared by.
///     opposites: Pairs of words.
///
/// Raises:
///     TypeError: An argument is something else.
///     KeyError: A role is missing.
#[pyclass(frozen, module = "groundwire._engine", name = "TellingWords")]
pub(crate) struct TellingWords {
    engine: Telling,
}

const ROLES: [(&str, Role); 6] = [
    ("amount", Role::Amount),
    ("denial", Role::Denial),
    ("joiner", Role::Joiner),
    ("common", Role::Common),
    ("known", Role::Known),
    ("date", Role::Date),
];

/// A passage, and the start and end of a part of it.
type Stretch<'py> = (Bound<'py, PyString>, usize, usize);

#[pymethods]
impl TellingWords {
    #[new]
    #[pyo3(signature = (roles, *, values, opposites))]
    fn new(
        roles: &Bound<'_, PyDict>,
        values: Vec<(String, String)>,
        opposites: Vec<(String, String)>,
    ) -> PyResult<Self> {
        let mut engine = Telling::default();
        for (name, role) in ROLES {
            let words: Vec<String> = roles.as_any().get_item(name)?.extract()?;
            words.iter().for_each(|word| engine.add(word, role));
        }
        values.iter().for_each(|(word, value)| engine.add_value(word, value));
        opposites.iter().for_each(|(one, other)| engine.add_opposites(one, other));
        Ok(Self { engine })
    }

    fn __repr__(&self) -> &'static str {
        "TellingWords()"
    }

    /// Say where to read for what contradicts a claim.
    ///
    /// Args:
    ///     claim: A sentence, without its citations.
    ///     stretches: Passages, each with start and end of the part that has most of the claim, in code
    ///         points; what is beyond the end of the passage does not matter.
    ///
    /// Returns:
    ///     For each of them start and end of the sentences around that part, of a thousand characters at
    ///     most; None if they cannot contradict the claim, so that nobody has to read them.
    fn sentences_to_read(
        &self,
        py: Python<'_>,
        claim: &Bound<'_, PyAny>,
        stretches: Vec<Stretch<'_>>,
    ) -> PyResult<Vec<Option<(usize, usize)>>> {
        let claim = characters::units(arguments::string(claim, "claim")?)?;
        let stretches = stretches
            .iter()
            .map(|(passage, start, end)| Ok((characters::units(passage)?, Span::new(*start, *end))))
            .collect::<PyResult<Vec<_>>>()?;
        let chars = stretches.len().saturating_mul(READ_CHARS);
        let found = signals::run(py, chars, |interrupt| self.engine.sentences_to_read(claim, &stretches, interrupt))?;
        Ok(found.into_iter().map(|span| span.map(|span| (span.start, span.end))).collect())
    }
}
