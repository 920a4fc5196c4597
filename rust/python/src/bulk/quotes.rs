//! The column of quotes: one in each row, or a list of them.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericListArray, OffsetSizeTrait};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

use super::strings::Strings;

/// Quotes, one after the other.
pub(super) struct Quotes {
    strings: Strings,
    lists: Option<Lists>,
}

/// Which quotes are those of a row.
pub(super) struct Lists {
    /// Of each quote, its place among the strings; `None` for the single one that stands for a list that
    /// is null.
    places: Vec<Option<usize>>,
    /// Quotes of each row.
    pub(super) lengths: Vec<usize>,
    /// Whether their numbers take 64 bits.
    pub(super) is_large: bool,
}

impl Lists {
    /// The value of each row for each of its quotes.
    pub(super) fn repeat<T: Copy>(&self, of_rows: &[T]) -> Vec<T> {
        self.lengths.iter().zip(of_rows).flat_map(|(&length, &value)| std::iter::repeat_n(value, length)).collect()
    }
}

impl Quotes {
    pub(super) fn new(column: &ArrayRef, name: &str) -> PyResult<Self> {
        check_count(column.len())?;
        match column.data_type() {
            DataType::List(_) => Self::of_lists(column.as_list::<i32>(), name),
            DataType::LargeList(_) => Self::of_lists(column.as_list::<i64>(), name),
            _ => Ok(Self { strings: Strings::new(column, name)?, lists: None }),
        }
    }

    fn of_lists<O: OffsetSizeTrait>(lists: &GenericListArray<O>, name: &str) -> PyResult<Self> {
        let broken = |error: ArrowError| PyValueError::new_err(format!("column '{name}' is broken: {error}"));
        lists.to_data().validate_data().map_err(broken)?;
        let offsets = lists.value_offsets();
        let count = (offsets[lists.len()] - offsets[0]).as_usize().saturating_add(lists.len());
        check_count(count)?;
        // The lists of results have the same offsets, and one value more for each list that is null.
        if O::from_usize(count).is_none() {
            return Err(PyOverflowError::new_err(format!(
                "column '{name}' has {count} quotes: more than its offsets count"
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

    /// Which quotes are those of a row, if they come in lists.
    pub(super) fn lists(&self) -> Option<&Lists> {
        self.lists.as_ref()
    }

    /// The bytes of each quote; `None` is null.
    pub(super) fn bytes(&self) -> Vec<Option<&[u8]>> {
        match &self.lists {
            None => (0..self.strings.len()).map(|row| self.strings.get(row)).collect(),
            Some(lists) => lists.places.iter().map(|place| self.strings.get((*place)?)).collect(),
        }
    }
}

/// Quotes are numbered by 32 bits. A column of nulls, which takes no memory, can have any number of them.
fn check_count(count: usize) -> PyResult<()> {
    match u32::try_from(count) {
        Ok(_) => Ok(()),
        Err(_) => Err(PyOverflowError::new_err(format!("a batch has fewer than 2**32 quotes, got {count}"))),
    }
}
