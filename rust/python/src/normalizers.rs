//! `normalize`, and the normalisers of each profile for the running Python.

use std::sync::OnceLock;

use groundwire_engine::{Bracket, Normalizer, TextRef, UnicodeVersion};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::OnceLockExt;
use pyo3::types::PyString;

use crate::arguments::OptionalArgument;
use crate::{arguments, characters, signals};

/// The profiles of rulings A2 to A4.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Spec,
    /// With the transcript tags that it removes.
    Typographic(Marks),
}

/// A set of transcript tags: one bit for each of [`Marks::NAMES`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks(u8);

impl Marks {
    const NAMES: [(&'static str, Bracket); 4] = [
        ("angle", Bracket::Angle),
        ("braces", Bracket::Brace),
        ("brackets", Bracket::Square),
        ("parentheses", Bracket::Round),
    ];

    /// Number of possible sets.
    const SETS: usize = 1 << Self::NAMES.len();

    /// The default.
    const ANGLE: Self = Self(1);

    fn from_argument(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut set = 0;
        for (index, name) in arguments::strings(value, "marks")?.iter().enumerate() {
            let known = Self::NAMES.iter().position(|(known, _)| name.to_str().is_ok_and(|name| name == *known));
            set |= 1
                << known.ok_or_else(|| {
                    PyValueError::new_err(format!(
                        "marks[{index}] must be 'angle', 'braces', 'brackets' or 'parentheses'"
                    ))
                })?;
        }
        Ok(Self(set))
    }

    fn chosen(self) -> impl Iterator<Item = (&'static str, Bracket)> {
        Self::NAMES.into_iter().enumerate().filter(move |(index, _)| self.0 >> index & 1 != 0).map(|(_, mark)| mark)
    }
}

impl Profile {
    /// Parses `profile=` and `marks=`.
    pub(crate) fn from_arguments(profile: &OptionalArgument<'_>, marks: &OptionalArgument<'_>) -> PyResult<Self> {
        let is_typographic = match profile.get().map(|value| arguments::string(value, "profile")).transpose()? {
            None => false,
            Some(name) => match name.to_str() {
                Ok("spec") => false,
                Ok("typographic") => true,
                _ => return Err(PyValueError::new_err("profile must be 'spec' or 'typographic'")),
            },
        };
        match marks.get().filter(|marks| !marks.is_none()).map(Marks::from_argument).transpose()? {
            marks if is_typographic => Ok(Self::Typographic(marks.unwrap_or(Marks::ANGLE))),
            None => Ok(Self::Spec),
            Some(_) => Err(PyValueError::new_err("marks can only be chosen in the profile 'typographic'")),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Spec => "spec",
            Self::Typographic(_) => "typographic",
        }
    }

    /// Returns the names of the selected transcript tags, or `None` for a profile without a selection.
    pub(crate) fn marks(self) -> Option<Vec<&'static str>> {
        match self {
            Self::Spec => None,
            Self::Typographic(marks) => Some(marks.chosen().map(|(name, _)| name).collect()),
        }
    }

    /// Returns the normaliser, created on first use.
    pub(crate) fn normalizer(self, py: Python<'_>) -> PyResult<&'static Normalizer> {
        static SPEC: OnceLock<Normalizer> = OnceLock::new();
        static TYPOGRAPHIC: [OnceLock<Normalizer>; Marks::SETS] = [const { OnceLock::new() }; Marks::SETS];
        let cell = match self {
            Self::Spec => &SPEC,
            Self::Typographic(Marks(set)) => &TYPOGRAPHIC[usize::from(set)],
        };
        if let Some(normalizer) = cell.get() {
            return Ok(normalizer);
        }
        let version = python_unicode_version(py)?;
        Ok(cell.get_or_init_py_attached(py, || match self {
            Self::Spec => Normalizer::spec(version),
            Self::Typographic(marks) => {
                Normalizer::typographic(version, &marks.chosen().map(|(_, bracket)| bracket).collect::<Vec<_>>())
            }
        }))
    }
}

/// Returns the Unicode version of the running Python (ruling A5): like Python, the engine leaves newer
/// characters unchanged.
pub(crate) fn python_unicode_version(py: Python<'_>) -> PyResult<UnicodeVersion> {
    let version: String = py.import("unicodedata")?.getattr("unidata_version")?.extract()?;
    let mut parts = version.split('.').map_while(|part| part.parse().ok());
    match (parts.next(), parts.next()) {
        (Some(major), Some(minor)) => Ok((major, minor)),
        _ => Err(PyRuntimeError::new_err("unicodedata.unidata_version is not a version number")),
    }
}

/// Normalise text for comparison, as the evidence specification does.
///
/// The steps, in this order: NFKC, curly quotes and no-break spaces to plain ones, removal of four zero-width
/// characters, `<tags>` to a space, white space to single spaces, no space at the ends, lower case.
///
/// Args:
///     text: Any str; lone surrogates are ordinary characters.
///     profile: "spec", or "typographic", which also folds dashes and all quotation marks, drops
///         default-ignorable characters, joins words hyphenated over a line break, and treats only `<`, a
///         letter and at most 40 more characters as a tag.
///     marks: The transcript tags that the typographic profile removes: any of "angle" (`<laughs>`, the
///         default), "braces" (`{vocalsound}`), "brackets" (`[inaudible]`) and "parentheses" (`(laughs)`).
///
/// Returns:
///     The normalised text. Equal to the result of the specification's Python code, whose Unicode version
///     applies.
///
/// Raises:
///     TypeError: An argument has the wrong type.
///     ValueError: Unknown profile or mark, or marks for the profile "spec".
///     OverflowError: More than 2**31 - 1 characters.
#[pyfunction]
#[pyo3(signature = (text, *, profile = OptionalArgument::ABSENT, marks = OptionalArgument::ABSENT), text_signature = "(text, *, profile='spec', marks=None)")]
pub(crate) fn normalize<'py>(
    py: Python<'py>,
    text: &Bound<'py, PyAny>,
    profile: OptionalArgument<'py>,
    marks: OptionalArgument<'py>,
) -> PyResult<Bound<'py, PyString>> {
    let units = characters::units(arguments::string(text, "text")?)?;
    let normalizer = Profile::from_arguments(&profile, &marks)?.normalizer(py)?;
    let capacity = if may_become_ascii(units) { units.len() } else { 0 };
    characters::write_normalized(py, capacity, |buffer, wide| {
        signals::run(py, units.len(), |cancel| {
            normalizer.normalize_into(units, buffer, |chars| wide.buffer(chars), cancel)
        })
    })
}

/// Returns whether the start of a text suggests that its normalised form is ASCII.
fn may_become_ascii(text: TextRef<'_>) -> bool {
    let is_near = |code: u32| code < 0x80 || (0x2018..0x2020).contains(&code);
    let len = text.len().min(PREVIEW_CHARS);
    text.slice(0..len).to_code_points().into_iter().all(is_near)
}

/// Number of characters that decide whether to create a buffer for ASCII. Few suffice, because an unused buffer costs
/// little.
const PREVIEW_CHARS: usize = 64;
