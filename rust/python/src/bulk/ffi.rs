//! Checks and imports structures of Arrow's C data interface.
//!
//! arrow-rs trusts the structures of a producer. If they contradict their type, it panics or reads past the end of a
//! buffer. Here, every contradiction that the structures themselves show is an error. Only the memory behind a non-null
//! pointer cannot be checked.
//!
//! Source: Arrow C data interface, <https://arrow.apache.org/docs/format/CDataInterface.html>.

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::{RecordBatch, RecordBatchOptions, StructArray};
use arrow_buffer::bit_chunk_iterator::UnalignedBitChunk;
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef, UnionMode};

type Result<T> = std::result::Result<T, ArrowError>;

/// Maximum nesting depth of types, which bounds the recursion into structures that contain themselves.
const MAX_DEPTH: usize = 64;

/// Maximum number of types in a schema, which bounds the work for structures that contain themselves.
const MAX_TYPES: usize = 1 << 20;

/// Size of the widest fixed-size value, `Decimal256`, in bytes.
const MAX_WIDTH: usize = 32;

/// `struct ArrowSchema`.
#[repr(C)]
struct RawSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *const *const Self,
    dictionary: *const Self,
    release: *const c_void,
    private_data: *const c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
struct RawArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *const *const Self,
    dictionary: *const Self,
    release: *const c_void,
    private_data: *const c_void,
}

// Both have the layout of the C interface, as in arrow-rs.
const _: () = assert!(size_of::<RawSchema>() == size_of::<FFI_ArrowSchema>());
const _: () = assert!(size_of::<RawArray>() == size_of::<FFI_ArrowArray>());

/// Runs `work`, and converts a panic to an error without the panic's message, which may quote a text.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        Err(ArrowError::CDataInterface("internal error: a batch could not be read or written".to_owned()))
    })
}

fn broken<T>(message: impl Into<String>) -> Result<T> {
    Err(ArrowError::CDataInterface(message.into()))
}

/// Checks that `schema` can be read.
///
/// # Safety
///
/// The producer initialised `schema`; its pointers are null or valid according to the interface.
pub(super) unsafe fn check(schema: &FFI_ArrowSchema) -> Result<()> {
    let mut left = MAX_TYPES;
    // SAFETY: both types have the same layout, and the caller guarantees the rest.
    unsafe { check_schema(&*(&raw const *schema).cast::<RawSchema>(), 0, &mut left) }
}

/// Imports `schema` as the schema of batches.
///
/// # Safety
///
/// As [`check`].
pub(super) unsafe fn import_schema(schema: &FFI_ArrowSchema) -> Result<SchemaRef> {
    // SAFETY: the caller guarantees it.
    unsafe { check(schema)? };
    caught(|| Ok(Schema::try_from(schema)?.into()))
}

/// Imports `array` as a batch.
///
/// # Safety
///
/// The producer initialised `array`; its pointers are null or valid according to the interface for these
/// lengths.
pub(super) unsafe fn import_batch(array: FFI_ArrowArray, schema: &SchemaRef) -> Result<RecordBatch> {
    let data_type = DataType::Struct(schema.fields().clone());
    // SAFETY: both types have the same layout, and the caller guarantees the rest.
    unsafe { check_array(&*(&raw const array).cast::<RawArray>(), &data_type)? };
    caught(|| {
        // SAFETY: the array agrees with its type in everything that can be checked, and the caller guarantees
        // the rest.
        let data = unsafe { from_ffi_and_data_type(array, data_type) }?;
        data.validate()?;
        if data.null_count() > 0 {
            return broken("a row of a batch cannot be null as a whole");
        }
        let options = RecordBatchOptions::new().with_row_count(Some(data.len()));
        RecordBatch::try_new_with_options(schema.clone(), StructArray::from(data).into_parts().1, &options)
    })
}

/// # Safety
///
/// As [`check`].
unsafe fn check_schema(schema: &RawSchema, depth: usize, left: &mut usize) -> Result<()> {
    if depth > MAX_DEPTH {
        return broken(format!("a schema has more than {MAX_DEPTH} types inside each other"));
    }
    let Some(others) = left.checked_sub(1) else {
        return broken(format!("a schema has more than {MAX_TYPES} types"));
    };
    *left = others;
    if schema.format.is_null() {
        return broken("a schema has no format");
    }
    for (what, text) in [("format", schema.format), ("name", schema.name)] {
        // SAFETY: a non-null pointer is to a null-terminated string.
        if !text.is_null() && unsafe { CStr::from_ptr(text) }.to_str().is_err() {
            return broken(format!("the {what} of a schema is not valid UTF-8"));
        }
    }
    let count = usize::try_from(schema.n_children).ok().filter(|&count| count <= MAX_TYPES);
    let Some(count) = count else {
        return broken(format!("a schema must have 0 to {MAX_TYPES} children, got {}", schema.n_children));
    };
    // SAFETY: it is not null, and a null-terminated string.
    let format = unsafe { CStr::from_ptr(schema.format) }.to_bytes();
    if format.starts_with(b"w:-") || format.starts_with(b"+w:-") {
        return broken("the values of a schema have a negative size");
    }
    let wanted = match format {
        [b'+', b's' | b'u', ..] => count,
        [b'+', b'r', ..] => 2,
        [b'+', ..] => 1,
        _ => 0,
    };
    if count != wanted {
        return broken(format!("a schema of this format must have {wanted} children, got {count}"));
    }
    for index in 0..count {
        // SAFETY: `children` is null or has that many pointers, each to a schema or null.
        match unsafe { pointer(schema.children, index).as_ref() } {
            // SAFETY: the caller's guarantee covers all children.
            Some(child) => unsafe { check_schema(child, depth + 1, left)? },
            None => return broken(format!("child {index} of a schema is a null pointer")),
        }
    }
    // SAFETY: it is null or a schema.
    match unsafe { schema.dictionary.as_ref() } {
        // SAFETY: the caller's guarantee covers the dictionary.
        Some(dictionary) => unsafe { check_schema(dictionary, depth + 1, left) },
        None => Ok(()),
    }
}

/// Returns the pointer at `index` of `pointers`, or null if `pointers` is null.
///
/// # Safety
///
/// `pointers` is null or has more than `index` pointers.
unsafe fn pointer<T>(pointers: *const *const T, index: usize) -> *const T {
    // SAFETY: the caller guarantees it; producers need not align the list.
    if pointers.is_null() { std::ptr::null() } else { unsafe { pointers.add(index).read_unaligned() } }
}

/// The buffers of a type after its validity bitmap.
enum Layout {
    /// No buffers, not even a validity bitmap.
    Nothing,
    /// Values are in the children.
    Nested,
    /// Values of a fixed size, or the keys of a dictionary.
    Fixed,
    /// Offsets of `width` bytes into a child or another buffer.
    Offsets { width: usize, has_data: bool },
    /// Offsets and lengths, into a child.
    OffsetsAndLengths,
    /// Views, data buffers and their lengths.
    Views,
    /// Type ids, and for dense unions offsets into the children.
    Union(UnionMode),
}

impl Layout {
    fn new(data_type: &DataType) -> Self {
        match data_type {
            DataType::Null | DataType::RunEndEncoded(_, _) => Self::Nothing,
            DataType::Struct(_) | DataType::FixedSizeList(_, _) => Self::Nested,
            DataType::Utf8 | DataType::Binary => Self::Offsets { width: 4, has_data: true },
            DataType::LargeUtf8 | DataType::LargeBinary => Self::Offsets { width: 8, has_data: true },
            DataType::List(_) | DataType::Map(_, _) => Self::Offsets { width: 4, has_data: false },
            DataType::LargeList(_) => Self::Offsets { width: 8, has_data: false },
            DataType::ListView(_) | DataType::LargeListView(_) => Self::OffsetsAndLengths,
            DataType::Utf8View | DataType::BinaryView => Self::Views,
            DataType::Union(_, mode) => Self::Union(*mode),
            _ => Self::Fixed,
        }
    }

    /// Returns the number of buffers; for views the minimum, since they have one per data buffer.
    fn buffers(&self) -> i64 {
        match self {
            Self::Nothing => 0,
            Self::Nested | Self::Union(UnionMode::Sparse) => 1,
            Self::Fixed | Self::Offsets { has_data: false, .. } | Self::Union(UnionMode::Dense) => 2,
            Self::Offsets { has_data: true, .. } | Self::OffsetsAndLengths | Self::Views => 3,
        }
    }

    /// Returns whether the first buffer is a validity bitmap.
    fn has_nulls(&self) -> bool {
        !matches!(self, Self::Nothing | Self::Union(_))
    }
}

/// Returns the types of the children.
fn children(data_type: &DataType) -> Vec<&DataType> {
    match data_type {
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::FixedSizeList(field, _)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::Map(field, _) => vec![field.data_type()],
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field.data_type()).collect(),
        DataType::RunEndEncoded(ends, values) => vec![ends.data_type(), values.data_type()],
        _ => Vec::new(),
    }
}

/// Checks an array and its children. The recursion follows the type, whose depth is bounded.
///
/// # Safety
///
/// As [`import_batch`].
unsafe fn check_array(array: &RawArray, data_type: &DataType) -> Result<()> {
    let layout = Layout::new(data_type);
    let name = &type_name(data_type);
    let places = check_numbers(array, data_type, &layout, name)?;
    if layout.has_nulls() {
        // SAFETY: the caller's guarantee covers all buffers.
        unsafe { check_nulls(array, places, name)? };
    }
    // SAFETY: the caller's guarantee covers all buffers.
    let child_places = match layout {
        // SAFETY: the same.
        Layout::Offsets { width, has_data } => unsafe { last_offset(array, places, width, has_data, name)? },
        Layout::Views => {
            // SAFETY: the same.
            unsafe { check_views(array, name)? };
            0
        }
        _ => match data_type {
            DataType::Struct(_) | DataType::Union(_, UnionMode::Sparse) => places,
            // It does not overflow: the size of a value was checked together with the number of places.
            DataType::FixedSizeList(_, size) => places * *size as usize,
            _ => 0,
        },
    };
    for (index, child_type) in children(data_type).into_iter().enumerate() {
        // SAFETY: `children` is null or has that many pointers, each to an array or null.
        let Some(child) = (unsafe { pointer(array.children, index).as_ref() }) else {
            return broken(format!("child {index} of an array of type {name} is a null pointer"));
        };
        // SAFETY: the caller's guarantee covers all children.
        unsafe { check_array(child, child_type)? };
        if (child.length as usize) < child_places {
            let len = child.length;
            return broken(format!(
                "child {index} of an array of type {name} has {len} values, and the array needs {child_places}"
            ));
        }
    }
    // SAFETY: it is null or an array.
    match (unsafe { array.dictionary.as_ref() }, data_type) {
        // SAFETY: the caller's guarantee covers the dictionary.
        (Some(values), DataType::Dictionary(_, value_type)) => unsafe { check_array(values, value_type) },
        (None, DataType::Dictionary(_, _)) => broken("an array of type Dictionary has no dictionary"),
        (Some(_), _) => broken(format!("an array of type {name} has a dictionary")),
        (None, _) => Ok(()),
    }
}

/// Returns the name of a type without its children, of which there may be many.
fn type_name(data_type: &DataType) -> String {
    let name = match data_type {
        DataType::Struct(_) => "Struct",
        DataType::List(_) => "List",
        DataType::LargeList(_) => "LargeList",
        DataType::FixedSizeList(_, _) => "FixedSizeList",
        DataType::ListView(_) => "ListView",
        DataType::LargeListView(_) => "LargeListView",
        DataType::Map(_, _) => "Map",
        DataType::Union(_, _) => "Union",
        DataType::RunEndEncoded(_, _) => "RunEndEncoded",
        DataType::Dictionary(_, _) => "Dictionary",
        other => return other.to_string(),
    };
    name.to_owned()
}

/// Checks the numbers of an array against its type and each other; returns the sum of length and offset.
fn check_numbers(array: &RawArray, data_type: &DataType, layout: &Layout, name: &str) -> Result<usize> {
    let &RawArray { length, null_count, offset, n_buffers, n_children, .. } = array;
    let (Ok(len), Ok(start)) = (usize::try_from(length), usize::try_from(offset)) else {
        return broken(format!(
            "an array of type {name} has length {length} and offset {offset}, one of them negative"
        ));
    };
    let width = match data_type {
        // Sizes in a checked schema are not negative.
        DataType::FixedSizeBinary(size) | DataType::FixedSizeList(_, size) => *size as usize,
        _ => 0,
    };
    // Every buffer has fewer bits than this, so that no size overflows.
    let bits = len.checked_add(start).and_then(|places| places.checked_add(1)?.checked_mul(width.max(MAX_WIDTH) * 8));
    if bits.is_none_or(|bits| isize::try_from(bits).is_err()) {
        return broken(format!("an array of type {name} has length {length} and offset {offset}: too many to address"));
    }
    if !(-1..=length).contains(&null_count) {
        return broken(format!("an array of type {name} has length {length} and {null_count} nulls"));
    }
    let wanted = layout.buffers();
    let fits = if matches!(layout, Layout::Views) { n_buffers >= wanted } else { n_buffers == wanted };
    if !fits {
        return broken(format!("an array of type {name} must have {wanted} buffers, got {n_buffers}"));
    }
    if n_buffers > 0 && array.buffers.is_null() {
        return broken(format!("the buffers of an array of type {name} are a null pointer"));
    }
    let wanted = children(data_type).len();
    if usize::try_from(n_children) != Ok(wanted) {
        return broken(format!("an array of type {name} must have {wanted} children, got {n_children}"));
    }
    Ok(len + start)
}

/// Checks the number of nulls against the validity bitmap.
///
/// # Safety
///
/// The first buffer is null or has a bit for each of `places`.
unsafe fn check_nulls(array: &RawArray, places: usize, name: &str) -> Result<()> {
    let len = array.length as usize;
    // SAFETY: the array has at least one buffer.
    let bits = unsafe { pointer(array.buffers, 0) }.cast::<u8>();
    let nulls = if bits.is_null() {
        0
    } else {
        // SAFETY: the caller guarantees it.
        let bytes = unsafe { std::slice::from_raw_parts(bits, places.div_ceil(8)) };
        len - UnalignedBitChunk::new(bytes, array.offset as usize, len).count_ones()
    };
    match usize::try_from(array.null_count) {
        Ok(count) if count != nulls => {
            broken(format!("an array of type {name} has {count} nulls by its count, and {nulls} by its buffer"))
        }
        _ => Ok(()),
    }
}

/// Returns the last offset, which is the minimum length of the child or data of an array.
///
/// # Safety
///
/// The second buffer is null or has an offset of `width` bytes for each of `places` and, if there are any, one more.
unsafe fn last_offset(array: &RawArray, places: usize, width: usize, has_data: bool, name: &str) -> Result<usize> {
    // The offsets of an array without values may be empty.
    if places == 0 {
        return Ok(0);
    }
    // SAFETY: the array has at least two buffers.
    let offsets = unsafe { pointer(array.buffers, 1) };
    if offsets.is_null() {
        return broken(format!("the offsets of an array of type {name} are a null pointer"));
    }
    if !offsets.addr().is_multiple_of(width) {
        return broken(format!("the offsets of an array of type {name} are not aligned to {width} bytes"));
    }
    let offset = |place: usize| {
        if width == 4 {
            // SAFETY: it is aligned, and the caller guarantees that it exists.
            i64::from(unsafe { offsets.cast::<i32>().add(place).read() })
        } else {
            // SAFETY: the same.
            unsafe { offsets.cast::<i64>().add(place).read() }
        }
    };
    let (first, last) = (offset(array.offset as usize), offset(places));
    if first < 0 || last < first {
        return broken(format!("the offsets of an array of type {name} go from {first} to {last}"));
    }
    // SAFETY: an array with data has a third buffer.
    if has_data && last > 0 && unsafe { pointer(array.buffers, 2) }.is_null() {
        return broken(format!("the data of an array of type {name} are a null pointer"));
    }
    isize::try_from(last).map(isize::unsigned_abs).map_err(|_| ArrowError::CDataInterface("too many bytes".to_owned()))
}

/// Checks the lengths of the data buffers of views.
///
/// # Safety
///
/// The last buffer is null or has the length of each buffer except itself and the first two.
unsafe fn check_views(array: &RawArray, name: &str) -> Result<()> {
    let count = (array.n_buffers - 3) as usize;
    if count == 0 {
        return Ok(());
    }
    // SAFETY: the array has that many buffers.
    let lengths = unsafe { pointer(array.buffers, count + 2) }.cast::<i64>();
    if lengths.is_null() || !lengths.is_aligned() {
        return broken(format!(
            "the lengths of the buffers of an array of type {name} are a null pointer or not aligned"
        ));
    }
    for index in 0..count {
        // SAFETY: it is aligned, and the caller guarantees that it exists.
        let length = unsafe { lengths.add(index).read() };
        if isize::try_from(length).is_err() || length < 0 {
            return broken(format!("a buffer of an array of type {name} has length {length}"));
        }
    }
    Ok(())
}
