//! Reads and writes the characters of Python strings in place. This module and `tuples.rs` contain the only
//! unsafe code of the binding outside `bulk`.

use std::mem::MaybeUninit;
use std::ops::Range;

use groundwire_engine::{CodeUnit, NormalizedInto, TextBuf, TextRef};
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::types::string::PyStringData;

/// Returns the characters of `string` without a copy, in the interpreter's storage of 1, 2 or 4 bytes per
/// character.
#[inline]
pub(crate) fn units<'a>(string: &'a Bound<'_, PyString>) -> PyResult<TextRef<'a>> {
    // SAFETY: strings are immutable, and the borrow of `string` keeps its buffer alive. The layout
    // that PyO3 decodes is the one of the interpreter this module is built for; the test-suite
    // reads strings of all widths back.
    let data = unsafe { string.data() }?;
    Ok(match data {
        PyStringData::Ucs1(units) => TextRef::Ucs1(units),
        PyStringData::Ucs2(units) => TextRef::Ucs2(units),
        PyStringData::Ucs4(units) => TextRef::Ucs4(units),
    })
}

/// Returns the string itself, or a plain copy of an instance of a subclass, which may override slicing.
pub(crate) fn exact<'py>(string: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    if string.is_exact_instance_of::<PyString>() {
        return Ok(string.clone());
    }
    copied(string.py(), units(string)?)
}

/// Creates a string with these characters.
pub(crate) fn copied<'py>(py: Python<'py>, units: TextRef<'_>) -> PyResult<Bound<'py, PyString>> {
    match units {
        TextRef::Ucs1(units) => from_kind(py, units),
        TextRef::Ucs2(units) => from_kind(py, units),
        TextRef::Ucs4(units) => from_kind(py, units),
    }
}

/// Creates a string with the characters of `text`, in the narrowest storage that fits.
pub(crate) fn to_string<'py>(py: Python<'py>, text: &TextBuf) -> PyResult<Bound<'py, PyString>> {
    match text.units() {
        TextRef::Ucs1(units) if units.is_ascii() => from_ascii(py, units),
        units => copied(py, units),
    }
}

/// Creates a string of ASCII characters, without the search for the largest one that [`from_kind`] needs.
fn from_ascii<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    let string = blank(py, bytes.len(), 0x7F)?;
    // SAFETY: no other code has seen the string, whose characters begin here, one byte each, and `bytes` has
    // the same length.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), ffi::PyUnicode_1BYTE_DATA(string.as_ptr()), bytes.len()) };
    // SAFETY: it is a `str`.
    Ok(unsafe { string.cast_into_unchecked() })
}

/// Creates a string with the text that `write` returns, which it wrote to the buffer for `capacity` ASCII
/// characters, to the buffer of [`WideOutput`], or elsewhere.
pub(crate) fn write_normalized<'py>(
    py: Python<'py>,
    capacity: usize,
    write: impl for<'r> FnOnce(&'r mut [MaybeUninit<u8>], &'r mut WideOutput) -> PyResult<NormalizedInto<'r>>,
) -> PyResult<Bound<'py, PyString>> {
    let narrow = blank(py, capacity, 0x7F)?;
    // SAFETY: it is a `str` of ASCII.
    let characters = unsafe { ffi::PyUnicode_1BYTE_DATA(narrow.as_ptr()) };
    // SAFETY: no other code has seen the string, whose `capacity` characters begin here, one byte each; the
    // slice is gone before the string is touched again.
    let buffer = unsafe { std::slice::from_raw_parts_mut(characters.cast::<MaybeUninit<u8>>(), capacity) };
    let mut wide = WideOutput::default();
    let written = match write(buffer, &mut wide)? {
        NormalizedInto::Ascii(units) => WrittenText::Narrow(units.as_ptr_range()),
        NormalizedInto::Wide(units) if needs_two_bytes(units) => WrittenText::Wide(units.as_ptr_range()),
        // All wide characters were in annotations, or became narrower ones.
        NormalizedInto::Wide(units) => {
            return copied(py, TextRef::Ucs1(&units.iter().map(|&unit| unit as u8).collect::<Vec<_>>()));
        }
        NormalizedInto::Elsewhere(text) => return to_string(py, &text),
    };
    match written {
        WrittenText::Narrow(units) => resized(narrow, written_len(characters.cast_const(), &units)),
        WrittenText::Wide(units) => {
            let string = wide.0.ok_or_else(|| PyMemoryError::new_err("not enough memory for the text"))?;
            // SAFETY: it is a `str` of two bytes per character.
            let characters = unsafe { ffi::PyUnicode_2BYTE_DATA(string.as_ptr()) };
            resized(string.into_bound(py), written_len(characters.cast_const(), &units))
        }
    }
}

/// The written part of a buffer. It was a slice of characters, so all of them are initialised.
enum WrittenText {
    Narrow(Range<*const u8>),
    /// At least one character needs two bytes.
    Wide(Range<*const u16>),
}

/// Returns the number of characters in `units`, which must begin at `start`.
///
/// # Panics
///
/// They begin elsewhere: the slice was not part of the buffer.
fn written_len<T>(start: *const T, units: &Range<*const T>) -> usize {
    assert_eq!(units.start, start, "the text is not at the start of its buffer");
    (units.end.addr() - units.start.addr()) / size_of::<T>()
}

/// Returns whether any character needs two bytes.
fn needs_two_bytes(characters: &[u16]) -> bool {
    characters.chunks(CHUNK_CHARS).any(|chunk| chunk.iter().fold(0, |all, unit| all | unit) > 0xFF)
}

/// Number of characters that are checked together.
const CHUNK_CHARS: usize = 64;

/// A `str` of two bytes per character, created on first use.
#[derive(Default)]
pub(crate) struct WideOutput(Option<Py<PyAny>>);

impl WideOutput {
    /// Returns a buffer of `capacity` characters, or `None` if there is not enough memory.
    pub(crate) fn buffer(&mut self, capacity: usize) -> Option<&mut [MaybeUninit<u16>]> {
        let string = Python::attach(|py| blank(py, capacity, 0xFFFF).ok().map(Bound::unbind));
        let string = self.0.insert(string?);
        // SAFETY: it is a `str` of two bytes per character.
        let characters = unsafe { ffi::PyUnicode_2BYTE_DATA(string.as_ptr()) };
        // SAFETY: no other code has seen the string, whose `capacity` characters begin here, two bytes each;
        // the string is not touched while the slice borrows `self`.
        Some(unsafe { std::slice::from_raw_parts_mut(characters.cast(), capacity) })
    }
}

/// Creates a `str` of `len` uninitialised characters up to `max`.
fn blank(py: Python<'_>, len: usize, max: ffi::Py_UCS4) -> PyResult<Bound<'_, PyAny>> {
    let len = ffi::Py_ssize_t::try_from(len).map_err(|_| PyMemoryError::new_err("the text is too long for a str"))?;
    // SAFETY: returns a new reference to a `str` with room for `len` such characters, or null with
    // an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyUnicode_New(len, max)) }
}

/// Truncates `string`, which no other code has seen, to its first `len` characters.
fn resized<'py>(string: Bound<'py, PyAny>, len: usize) -> PyResult<Bound<'py, PyString>> {
    let py = string.py();
    let len = ffi::Py_ssize_t::try_from(len).map_err(|_| PyMemoryError::new_err("the text is too long for a str"))?;
    let mut pointer = string.into_ptr();
    // SAFETY: `pointer` is the only reference to a `str` of at least `len` characters. On success (0), the
    // function replaces it with the only reference to the result, which may be another object. On failure
    // (-1), an exception is set, and `pointer` is still the original reference, or null.
    let code = unsafe { ffi::PyUnicode_Resize(&raw mut pointer, len) };
    // SAFETY: for every return code, `pointer` owns one reference or is null. The reference is dropped with
    // `string` below unless it is returned.
    let string = unsafe { Bound::from_owned_ptr_or_opt(py, pointer) };
    match string {
        // SAFETY: the resized object is a `str`.
        Some(string) if code == 0 => Ok(unsafe { string.cast_into_unchecked() }),
        // Fetch the exception before `string` is dropped, since that may run other code.
        _ => Err(PyErr::fetch(py)),
    }
}

fn length<T>(units: &[T]) -> PyResult<ffi::Py_ssize_t> {
    ffi::Py_ssize_t::try_from(units.len()).map_err(|_| PyMemoryError::new_err("the text is too long for a str"))
}

fn from_kind<'py, T: CodeUnit>(py: Python<'py>, units: &[T]) -> PyResult<Bound<'py, PyString>> {
    let len = length(units)?;
    let kind = size_of::<T>() as std::ffi::c_int;
    // SAFETY: `kind` is the size of a code unit, and `units` has `len` of them; the function copies them and
    // returns a new reference to a `str`, or null with an exception set. Every code unit is a code point up
    // to U+10FFFF, since all come from Python strings and Unicode's tables.
    unsafe {
        let string = ffi::PyUnicode_FromKindAndData(kind, units.as_ptr().cast(), len);
        Ok(Bound::from_owned_ptr_or_err(py, string)?.cast_into_unchecked())
    }
}
