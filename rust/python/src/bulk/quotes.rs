//! The column of quotes: a quote or a list of quotes in each row.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericListArray, OffsetSizeTrait};
use arrow_schema::DataType;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use super::check_count;
use super::strings::{Strings, broken};

/// The quotes of all rows in sequence.
pub(super) struct Quotes {
    strings: Strings,
    lists: Option<Lists>,
}

/// The assignment of quotes to rows.
pub(super) struct Lists {
    /// The index of each quote among the strings; `None` for the single quote that replaces a null list.
    places: Vec<Option<usize>>,
    /// Number of quotes of each row.
    pub(super) lengths: Vec<usize>,
    /// Whether the list offsets have 64 bits.
    pub(super) is_large: bool,
}

impl Lists {
    /// Repeats the value of each row for each of its quotes.
    pub(super) fn repeat<T: Copy>(&self, of_rows: &[T]) -> Vec<T> {
        self.lengths.iter().zip(of_rows).flat_map(|(&length, &value)| std::iter::repeat_n(value, length)).collect()
    }
}

impl Quotes {
    pub(super) fn new(column: &ArrayRef, name: &str) -> PyResult<Self> {
        check_count(column.len(), "quotes")?;
        match column.data_type() {
            DataType::List(_) => Self::of_lists(column.as_list::<i32>(), name),
            DataType::LargeList(_) => Self::of_lists(column.as_list::<i64>(), name),
            _ => Ok(Self { strings: Strings::new(column, name)?, lists: None }),
        }
    }

    fn of_lists<O: OffsetSizeTrait>(lists: &GenericListArray<O>, name: &str) -> PyResult<Self> {
        lists.to_data().validate_data().map_err(|error| broken(name, &error))?;
        let offsets = lists.value_offsets();
        let count = (offsets[lists.len()] - offsets[0]).as_usize().saturating_add(lists.len());
        check_count(count, "quotes")?;
        // The result lists have the same offsets, plus one value for each null list.
        if O::from_usize(count).is_none() {
            return Err(PyOverflowError::new_err(format!(
                "column '{name}' has {count} quotes, more than its 32-bit offsets can count"
            )));
        }
        let (mut places, mut lengths) = (Vec::new(), Vec::with_capacity(lists.len()));
        for row in 0..lists.len() {
            let before = places.len();
            match lists.is_valid(row) {
                true => places.extend(
                    (lists.value_offsets()[row].as_usize()..lists.value_offsets()[row + 1].as_usize()).map(Some),
                ),
                false => places.push(None),
            }
            lengths.push(places.len() - before);
        }
        Ok(Self {
            strings: Strings::new(lists.values(), name)?,
            lists: Some(Lists { places, lengths, is_large: O::IS_LARGE }),
        })
    }

    /// Returns the assignment of quotes to rows, if they are in lists.
    pub(super) fn lists(&self) -> Option<&Lists> {
        self.lists.as_ref()
    }

    /// Returns the bytes of each quote; `None` is null.
    pub(super) fn bytes(&self) -> Vec<Option<&[u8]>> {
        match &self.lists {
            None => (0..self.strings.len()).map(|row| self.strings.get(row)).collect(),
            Some(lists) => lists.places.iter().map(|place| self.strings.get((*place)?)).collect(),
        }
    }
}
