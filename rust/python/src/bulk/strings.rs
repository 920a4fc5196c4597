//! A column of strings in any of Arrow's storage types.

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, BinaryArray, BinaryViewArray, LargeBinaryArray, make_array};
use arrow_schema::{ArrowError, DataType};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Strings as bytes; UTF-8 is validated when they are read.
pub(super) enum Strings {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
    Dictionary {
        /// The index of each row's value; `None` is null.
        keys: Vec<Option<usize>>,
        values: Box<Self>,
    },
    /// A column without a type: only nulls.
    Null(usize),
}

impl Strings {
    /// Creates the strings of `column`, after checking its offsets, views and keys.
    pub(super) fn new(column: &ArrayRef, name: &str) -> PyResult<Self> {
        if let DataType::Null = column.data_type() {
            return Ok(Self::Null(column.len()));
        }
        if let Some(dictionary) = column.as_any_dictionary_opt() {
            // This checks the keys against the number of values.
            column.to_data().validate_data().map_err(|error| broken(name, &error))?;
            let values = Box::new(Self::new(dictionary.values(), name)?);
            return Ok(Self::Dictionary { keys: keys(dictionary.keys(), name)?, values });
        }
        let bytes = match column.data_type() {
            DataType::Utf8 => DataType::Binary,
            DataType::LargeUtf8 => DataType::LargeBinary,
            DataType::Utf8View => DataType::BinaryView,
            other => return Err(wrong_type(name, other, "strings")),
        };
        let array =
            make_array(column.to_data().into_builder().data_type(bytes).build().map_err(|error| broken(name, &error))?);
        Ok(match array.data_type() {
            DataType::Binary => Self::Small(array.as_binary().clone()),
            DataType::LargeBinary => Self::Large(array.as_binary().clone()),
            _ => Self::View(array.as_binary_view().clone()),
        })
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Small(array) => array.len(),
            Self::Large(array) => array.len(),
            Self::View(array) => array.len(),
            Self::Dictionary { keys, .. } => keys.len(),
            Self::Null(len) => *len,
        }
    }

    /// Returns the bytes of a row; `None` is null.
    #[inline]
    pub(super) fn get(&self, row: usize) -> Option<&[u8]> {
        match self {
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Dictionary { keys, values } => values.get(keys[row]?),
            Self::Null(_) => None,
        }
    }
}

/// Returns the keys of a dictionary as indices, none of them negative; `None` is null.
fn keys(keys: &dyn Array, name: &str) -> PyResult<Vec<Option<usize>>> {
    integers(keys)
        .map(|keys| keys.into_iter().map(|key| key.and_then(|key| key.try_into().ok())).collect())
        .ok_or_else(|| wrong_type(name, keys.data_type(), "a dictionary with integers as keys"))
}

/// Returns the integers of `column`, if it has an integer type; `None` is null.
pub(super) fn integers(column: &dyn Array) -> Option<Vec<Option<i128>>> {
    fn all<T: ArrowPrimitiveType>(column: &dyn Array) -> Option<Vec<Option<i128>>>
    where
        i128: From<T::Native>,
    {
        Some(column.as_primitive::<T>().iter().map(|value| value.map(i128::from)).collect())
    }
    match column.data_type() {
        DataType::Int8 => all::<Int8Type>(column),
        DataType::Int16 => all::<Int16Type>(column),
        DataType::Int32 => all::<Int32Type>(column),
        DataType::Int64 => all::<Int64Type>(column),
        DataType::UInt8 => all::<UInt8Type>(column),
        DataType::UInt16 => all::<UInt16Type>(column),
        DataType::UInt32 => all::<UInt32Type>(column),
        DataType::UInt64 => all::<UInt64Type>(column),
        _ => None,
    }
}

pub(super) fn wrong_type(name: &str, found: &DataType, wanted: &str) -> PyErr {
    PyTypeError::new_err(format!("column '{name}' must have {wanted}, got {found}"))
}

pub(super) fn broken(name: &str, error: &ArrowError) -> PyErr {
    PyValueError::new_err(format!("column '{name}' is broken: {error}"))
}
