//! The result columns of grounding.

use std::sync::Arc;

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, GenericListArray, OffsetSizeTrait};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, FieldRef};
use groundwire_engine::batch::RowResult;

use super::quotes::Lists;
use crate::matches::name_of;

/// Names and types of the columns, and whether they can be null.
const COLUMNS: [(&str, DataType, bool); 6] = [
    ("grounded", DataType::Boolean, false),
    ("kind", DataType::Utf8, true),
    ("score", DataType::Float64, true),
    ("start", DataType::Int64, true),
    ("end", DataType::Int64, true),
    ("error", DataType::Utf8, true),
];

/// Estimated size of the name of a kind, in bytes.
const KIND_BYTES: usize = 10;

/// Returns the fields of the results for quotes of this type: lists if the quotes are lists.
pub(super) fn fields(quotes: &DataType) -> Vec<Field> {
    let wrap = |(name, data_type, is_nullable)| match quotes {
        DataType::List(_) => Field::new(name, DataType::List(item(data_type, is_nullable)), false),
        DataType::LargeList(_) => Field::new(name, DataType::LargeList(item(data_type, is_nullable)), false),
        _ => Field::new(name, data_type, is_nullable),
    };
    COLUMNS.into_iter().map(wrap).collect()
}

fn item(data_type: DataType, is_nullable: bool) -> FieldRef {
    Arc::new(Field::new("item", data_type, is_nullable))
}

/// Returns the columns, in the order of [`fields`].
pub(super) fn columns(results: &[RowResult], lists: Option<&Lists>) -> Vec<ArrayRef> {
    let columns = flat(results);
    let Some(lists) = lists else { return columns };
    let wrapped = columns.into_iter().zip(COLUMNS).map(|(values, (_, data_type, is_nullable))| {
        let item = item(data_type, is_nullable);
        if lists.is_large { wrap::<i64>(values, item, lists) } else { wrap::<i32>(values, item, lists) }
    });
    wrapped.collect()
}

fn wrap<O: OffsetSizeTrait>(values: ArrayRef, item: FieldRef, lists: &Lists) -> ArrayRef {
    let offsets = OffsetBuffer::<O>::from_lengths(lists.lengths.iter().copied());
    Arc::new(GenericListArray::new(item, offsets, values, None))
}

/// Returns columns with one value for each quote.
fn flat(results: &[RowResult]) -> Vec<ArrayRef> {
    let count = results.len();
    let mut grounded = BooleanBuilder::with_capacity(count);
    let mut kinds = StringBuilder::with_capacity(count, count * KIND_BYTES);
    let mut scores = Float64Builder::with_capacity(count);
    let (mut starts, mut ends) = (Int64Builder::with_capacity(count), Int64Builder::with_capacity(count));
    let mut errors = StringBuilder::with_capacity(count, 0);
    for result in results {
        let found = result.as_ref().ok().and_then(Option::as_ref);
        grounded.append_value(found.is_some());
        kinds.append_option(found.map(|found| name_of(found.kind)));
        scores.append_option(found.map(|found| found.score));
        starts.append_option(found.map(|found| found.span.start as i64));
        ends.append_option(found.map(|found| found.span.end as i64));
        errors.append_option(result.as_ref().err().map(ToString::to_string));
    }
    vec![
        Arc::new(grounded.finish()),
        Arc::new(kinds.finish()),
        Arc::new(scores.finish()),
        Arc::new(starts.finish()),
        Arc::new(ends.finish()),
        Arc::new(errors.finish()),
    ]
}
