//! `SourceTable`: sources that are passed once, and looked up by id.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

use super::capsules::{self, Input};
use super::strings::{Strings, integers, wrong_type};
use super::{batches, check_count, exception, guarded};
use crate::arguments::{self, OptionalArgument};
use crate::signals::SignalCheck;

/// Cost of storing an id, in examined characters.
const ID_CHARS: usize = 31;

/// Sources by id, for batches whose source column contains ids. Immutable and safe to share between threads.
///
/// The texts stay in the memory of the given table, without a copy.
///
/// Args:
///     table: Any object with Arrow's interface, with one row for each source.
///     id: Name of the column with the ids: integers or strings, without nulls and duplicates.
///     text: Name of the column with the texts. A null text is a source that contains no quote.
///
/// Raises:
///     TypeError: The table has no such interface, or a column is of another type.
///     ValueError: There is no such column; an id is null or a duplicate.
#[pyclass(frozen, module = "groundwire._engine", name = "SourceTable")]
pub(crate) struct SourceTable {
    pub(super) rows: Arc<Rows>,
}

/// Ids and texts.
pub(super) struct Rows {
    ids: SourceIds,
    chunks: Vec<Strings>,
    /// The chunk of each row, and its index there.
    places: Vec<(u32, u32)>,
}

enum SourceIds {
    Integers(HashMap<i128, u32>),
    Strings(HashMap<Box<[u8]>, u32>),
}

#[pymethods]
impl SourceTable {
    #[new]
    #[pyo3(signature = (table, *, id = OptionalArgument::ABSENT, text = OptionalArgument::ABSENT), text_signature = "(table, *, id='id', text='text')")]
    fn new(table: &Bound<'_, PyAny>, id: OptionalArgument<'_>, text: OptionalArgument<'_>) -> PyResult<Self> {
        let (id, text) = (arguments::name(&id, "id", "id")?, arguments::name(&text, "text", "text")?);
        let batches = match capsules::input(table, "table")? {
            Input::Batch(batch) => vec![batch],
            Input::Stream(stream) => table.py().detach(|| stream.collect::<Result<Vec<_>, _>>()).map_err(exception)?,
        };
        let rows = guarded(|| Rows::new(table.py(), &batches, &id, &text))?;
        Ok(Self { rows: Arc::new(rows) })
    }

    /// Return the number of sources.
    fn __len__(&self) -> usize {
        self.rows.places.len()
    }

    fn __repr__(&self) -> String {
        format!("SourceTable(count={})", self.rows.places.len())
    }
}

impl Rows {
    fn new(py: Python<'_>, batches: &[RecordBatch], id: &str, text: &str) -> PyResult<Self> {
        let (mut ids, mut chunks, mut places) = (None, Vec::new(), Vec::new());
        for batch in batches {
            check_count(batch.num_rows(), "rows")?;
            let strings = Strings::new(batches::column(py, batch, text)?, text)?;
            SourceIds::extend(py, &mut ids, batches::column(py, batch, id)?, id, places.len())?;
            places.extend((0..strings.len() as u32).map(|row| (chunks.len() as u32, row)));
            chunks.push(strings);
        }
        if u32::try_from(places.len()).is_err() {
            return Err(PyOverflowError::new_err(format!(
                "a table must have fewer than 2**32 sources, got {}",
                places.len()
            )));
        }
        Ok(Self { ids: ids.unwrap_or_else(|| SourceIds::Strings(HashMap::new())), chunks, places })
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the text of a source; `None` is null.
    pub(super) fn text(&self, row: u32) -> Option<&[u8]> {
        let (chunk, row) = self.places[row as usize];
        self.chunks[chunk as usize].get(row as usize)
    }

    /// Looks up the id of each row of `column`: the outer `None` is a null id, the inner one an unknown id.
    pub(super) fn look_up(&self, column: &ArrayRef, name: &str) -> PyResult<Vec<Option<Option<u32>>>> {
        match &self.ids {
            SourceIds::Integers(ids) => {
                let wanted = integers(column)
                    .ok_or_else(|| wrong_type(name, column.data_type(), "integers, as the ids of the sources are"))?;
                Ok(wanted.into_iter().map(|id| id.map(|id| ids.get(&id).copied())).collect())
            }
            SourceIds::Strings(ids) => {
                let wanted = Strings::new(column, name)?;
                Ok((0..wanted.len()).map(|row| wanted.get(row).map(|id| ids.get(id).copied())).collect())
            }
        }
    }
}

impl SourceIds {
    /// Adds the ids of `column`, whose first row has number `first`.
    fn extend(py: Python<'_>, ids: &mut Option<Self>, column: &ArrayRef, name: &str, first: usize) -> PyResult<()> {
        let mut signal_check = SignalCheck::new();
        let null = |row| PyValueError::new_err(format!("column '{name}': the id of source {} is null", first + row));
        let twice = |row| {
            PyValueError::new_err(format!("column '{name}': source {} has the id of an earlier one", first + row))
        };
        if let Some(integers) = integers(column) {
            let Self::Integers(ids) = ids.get_or_insert_with(|| Self::Integers(HashMap::new())) else {
                return Err(wrong_type(name, column.data_type(), "strings, as before"));
            };
            for (row, id) in integers.into_iter().enumerate() {
                signal_check.charge(py, ID_CHARS)?;
                if ids.insert(id.ok_or_else(|| null(row))?, (first + row) as u32).is_some() {
                    return Err(twice(row));
                }
            }
            return Ok(());
        }
        let strings = Strings::new(column, name)?;
        let Self::Strings(ids) = ids.get_or_insert_with(|| Self::Strings(HashMap::new())) else {
            return Err(wrong_type(name, column.data_type(), "integers, as before"));
        };
        for row in 0..strings.len() {
            signal_check.charge(py, ID_CHARS)?;
            if ids.insert(strings.get(row).ok_or_else(|| null(row))?.into(), (first + row) as u32).is_some() {
                return Err(twice(row));
            }
        }
        Ok(())
    }
}
