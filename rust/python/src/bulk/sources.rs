//! The column of sources: texts, or ids of a table.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::ArrayRef;
use groundwire_engine::batch::RowError;
use pyo3::prelude::*;

use super::strings::Strings;
use super::table::Rows;

/// The source of each row.
pub(super) enum Sources {
    /// The texts themselves.
    Texts(Strings),
    /// Sources of a table: the outer `None` is a null id, the inner one an unknown id.
    Table { table: Arc<Rows>, rows: Vec<Option<Option<u32>>> },
}

/// Distinct sources, and the index of each row's source.
pub(super) struct NumberedSources<'a> {
    pub(super) texts: Vec<Option<&'a [u8]>>,
    pub(super) of_rows: Vec<Result<u32, RowError>>,
}

impl Sources {
    pub(super) fn new(column: &ArrayRef, name: &str, table: Option<&Arc<Rows>>) -> PyResult<Self> {
        Ok(match table {
            None => Self::Texts(Strings::new(column, name)?),
            Some(table) => Self::Table { table: Arc::clone(table), rows: table.look_up(column, name)? },
        })
    }

    /// Numbers the distinct sources of the rows: dictionary values, rows of the table, or texts in memory.
    pub(super) fn numbered(&self) -> NumberedSources<'_> {
        let mut texts = Vec::new();
        let of_rows = match self {
            Self::Texts(Strings::Dictionary { keys, values }) => {
                let mut numbers = FirstUseNumbers::new(values.len());
                let mut number = |key: usize| numbers.get(key, || texts.push(values.get(key)));
                keys.iter().map(|key| Ok(number(key.ok_or(RowError::NullSource)?))).collect()
            }
            Self::Table { table, rows } => {
                let mut numbers = FirstUseNumbers::new(table.len());
                let mut number = |row: u32| numbers.get(row as usize, || texts.push(table.text(row)));
                rows.iter()
                    .map(|row| Ok(number(row.ok_or(RowError::NullSource)?.ok_or(RowError::UnknownSource)?)))
                    .collect()
            }
            Self::Texts(strings) => by_place(strings, &mut texts),
        };
        NumberedSources { texts, of_rows }
    }
}

/// Numbers places consecutively, in the order of their first use.
struct FirstUseNumbers {
    /// Numbers counted from 1; 0 for places not used yet.
    numbers: Vec<u32>,
    count: u32,
}

impl FirstUseNumbers {
    fn new(places: usize) -> Self {
        Self { numbers: vec![0; places], count: 0 }
    }

    /// Returns the number of a place, and calls `first` on its first use.
    fn get(&mut self, place: usize, first: impl FnOnce()) -> u32 {
        if self.numbers[place] == 0 {
            first();
            self.count += 1;
            self.numbers[place] = self.count;
        }
        self.numbers[place] - 1
    }
}

/// Numbers texts. Texts at the same address, or equal to the last new one, have the same number.
fn by_place<'a>(strings: &'a Strings, texts: &mut Vec<Option<&'a [u8]>>) -> Vec<Result<u32, RowError>> {
    let mut numbers_by_address: HashMap<(*const u8, usize), u32> = HashMap::new();
    let mut number = |text: &'a [u8]| {
        if texts.last() == Some(&Some(text)) {
            return texts.len() as u32 - 1;
        }
        *numbers_by_address.entry((text.as_ptr(), text.len())).or_insert_with(|| {
            texts.push(Some(text));
            texts.len() as u32 - 1
        })
    };
    (0..strings.len()).map(|row| Ok(number(strings.get(row).ok_or(RowError::NullSource)?))).collect()
}
