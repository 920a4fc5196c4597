//! Characters of Python strings, read and written where they stand. Unsafe code of the binding is
//! here and in `triples.rs` only.

use std::mem::MaybeUninit;
use std::ops::Range;

use groundwire_engine::{CodeUnit, NormalizedInto, TextBuf, TextRef};
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::types::string::PyStringData;

/// The characters of `string`, without a copy: 1, 2 or 4 bytes each, as the interpreter keeps them.
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

/// The string itself, or a plain copy of one whose subclass may have its own idea of slicing.
pub(crate) fn exact<'py>(string: &Bound<'py, PyString>) -> PyResult<Bound<'py, PyString>> {
    if string.is_exact_instance_of::<PyString>() {
        return Ok(string.clone());
    }
    copied(string.py(), units(string)?)
}

/// A new string with these characters.
pub(crate) fn copied<'py>(py: Python<'py>, units: TextRef<'_>) -> PyResult<Bound<'py, PyString>> {
    match units {
        TextRef::Ucs1(units) => from_kind(py, units),
        TextRef::Ucs2(units) => from_kind(py, units),
        TextRef::Ucs4(units) => from_kind(py, units),
    }
}

/// A new string with the characters of `text`, in the narrowest form that holds them.
pub(crate) fn to_string<'py>(py: Python<'py>, text: &TextBuf) -> PyResult<Bound<'py, PyString>> {
    match text.units() {
        TextRef::Ucs1(units) if units.is_ascii() => from_ascii(py, units),
        units => copied(py, units),
    }
}

/// A new string of ASCII characters. [`from_kind`] would look for the largest one once more.
fn from_ascii<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyString>> {
    let string = blank(py, bytes.len(), 0x7F)?;
    // SAFETY: nobody else has seen the string, whose characters begin here, one byte each, and
    // `bytes` are as many.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), ffi::PyUnicode_1BYTE_DATA(string.as_ptr()), bytes.len()) };
    // SAFETY: it is a `str`.
    Ok(unsafe { string.cast_into_unchecked() })
}

/// A new string with the text that `write` returns: written into the room for `capacity` ASCII
/// characters, into the room of [`Wide`], or elsewhere.
pub(crate) fn write_normalized<'py>(
    py: Python<'py>,
    capacity: usize,
    write: impl for<'r> FnOnce(&'r mut [MaybeUninit<u8>], &'r mut Wide) -> PyResult<NormalizedInto<'r>>,
) -> PyResult<Bound<'py, PyString>> {
    let narrow = blank(py, capacity, 0x7F)?;
    // SAFETY: it is a `str` of ASCII.
    let characters = unsafe { ffi::PyUnicode_1BYTE_DATA(narrow.as_ptr()) };
    // SAFETY: nobody else has seen the string, whose `capacity` characters begin here, one byte
    // each; the slice is gone before the string is touched again.
    let room = unsafe { std::slice::from_raw_parts_mut(characters.cast::<MaybeUninit<u8>>(), capacity) };
    let mut wide = Wide::default();
    let written = match write(room, &mut wide)? {
        NormalizedInto::Ascii(units) => Written::Narrow(units.as_ptr_range()),
        NormalizedInto::Wide(units) if needs_two_bytes(units) => Written::Wide(units.as_ptr_range()),
        // Every wide character was in a mark, or became a smaller one.
        NormalizedInto::Wide(units) => {
            return copied(py, TextRef::Ucs1(&units.iter().map(|&unit| unit as u8).collect::<Vec<_>>()));
        }
        NormalizedInto::Elsewhere(text) => return to_string(py, &text),
    };
    match written {
        Written::Narrow(units) => resized(narrow, beginning(characters.cast_const(), &units)),
        Written::Wide(units) => {
            let string = wide.0.ok_or_else(|| PyMemoryError::new_err("no room for the text"))?;
            // SAFETY: it is a `str` of two bytes a character.
            let characters = unsafe { ffi::PyUnicode_2BYTE_DATA(string.as_ptr()) };
            resized(string.into_bound(py), beginning(characters.cast_const(), &units))
        }
    }
}

/// Where a text was written whose characters were a slice: so all of them are initialised.
enum Written {
    Narrow(Range<*const u8>),
    /// One of the characters needs two bytes.
    Wide(Range<*const u16>),
}

/// The number of characters in `units`, which begin at `start`.
///
/// # Panics
///
/// They begin elsewhere: the slice was not the room.
fn beginning<T>(start: *const T, units: &Range<*const T>) -> usize {
    assert_eq!(units.start, start, "a text was not written where its room is");
    (units.end.addr() - units.start.addr()) / size_of::<T>()
}

/// Whether one of `characters` needs two bytes.
fn needs_two_bytes(characters: &[u16]) -> bool {
    characters.chunks(CHUNK_CHARS).any(|chunk| chunk.iter().fold(0, |all, unit| all | unit) > 0xFF)
}

/// Characters that are looked at together.
const CHUNK_CHARS: usize = 64;

/// A `str` of two bytes a character, made when there is something to write.
#[derive(Default)]
pub(crate) struct Wide(Option<Py<PyAny>>);

impl Wide {
    /// Room for `capacity` characters; `None` if there is not enough memory.
    pub(crate) fn room(&mut self, capacity: usize) -> Option<&mut [MaybeUninit<u16>]> {
        let string = Python::attach(|py| blank(py, capacity, 0xFFFF).ok().map(Bound::unbind));
        let string = self.0.insert(string?);
        // SAFETY: it is a `str` of two bytes a character.
        let characters = unsafe { ffi::PyUnicode_2BYTE_DATA(string.as_ptr()) };
        // SAFETY: nobody else has seen the string, whose `capacity` characters begin here, two
        // bytes each; the string is not touched while the slice borrows `self`.
        Some(unsafe { std::slice::from_raw_parts_mut(characters.cast(), capacity) })
    }
}

/// A new `str` whose `len` characters up to `max` are not written yet.
fn blank(py: Python<'_>, len: usize, max: ffi::Py_UCS4) -> PyResult<Bound<'_, PyAny>> {
    let len = ffi::Py_ssize_t::try_from(len).map_err(|_| PyMemoryError::new_err("text too long"))?;
    // SAFETY: returns a new reference to a `str` with room for `len` such characters, or null with
    // an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyUnicode_New(len, max)) }
}

/// `string`, which nobody else has seen, with its first `len` characters alone.
fn resized<'py>(string: Bound<'py, PyAny>, len: usize) -> PyResult<Bound<'py, PyString>> {
    let py = string.py();
    let len = ffi::Py_ssize_t::try_from(len).map_err(|_| PyMemoryError::new_err("text too long"))?;
    let mut pointer = string.into_ptr();
    // SAFETY: `pointer` is the only reference to a `str` of at least `len` characters. On success (0) the
    // function replaces it by the only reference to the result, which may be another object. On failure
    // (-1) an exception is set, and `pointer` is still the reference that went in, or null.
    let code = unsafe { ffi::PyUnicode_Resize(&raw mut pointer, len) };
    // SAFETY: whatever the code is, `pointer` owns one reference or is null. The reference is dropped
    // with `string` below unless it is returned.
    let string = unsafe { Bound::from_owned_ptr_or_opt(py, pointer) };
    match string {
        // SAFETY: the resized object is a `str`.
        Some(string) if code == 0 => Ok(unsafe { string.cast_into_unchecked() }),
        // The exception is fetched before `string` is dropped, since that may run other code.
        _ => Err(PyErr::fetch(py)),
    }
}

fn length<T>(units: &[T]) -> PyResult<ffi::Py_ssize_t> {
    ffi::Py_ssize_t::try_from(units.len()).map_err(|_| PyMemoryError::new_err("text too long"))
}

fn from_kind<'py, T: CodeUnit>(py: Python<'py>, units: &[T]) -> PyResult<Bound<'py, PyString>> {
    let len = length(units)?;
    let kind = size_of::<T>() as std::ffi::c_int;
    // SAFETY: `kind` is the size of a unit, and `units` has `len` of them; the function copies
    // them and returns a new reference to a `str`, or null with an exception set. Every unit is a
    // code point up to U+10FFFF, since all come out of Python strings and Unicode's own tables.
    unsafe {
        let string = ffi::PyUnicode_FromKindAndData(kind, units.as_ptr().cast(), len);
        Ok(Bound::from_owned_ptr_or_err(py, string)?.cast_into_unchecked())
    }
}
