//! Fuzzes arrays from another producer through Arrow's C interface, with arbitrary numbers, offsets, views, keys, nulls
//! and bytes: importing them either fails, or yields rows that can be read and grounded. Every non-null pointer refers
//! to valid memory, because no consumer can check that.

#![no_main]

use std::ffi::{CStr, c_char, c_void};
use std::mem::{ManuallyDrop, transmute};
use std::ptr::{null, null_mut};
use std::sync::LazyLock;

use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema};
use arrow_array::types::Int32Type;
use arrow_array::{Array, ArrayRef, make_array};
use arrow_schema::DataType;
use groundwire_engine::batch::{GroundOptions, RowError, Rows, SourceCache, ground};
use groundwire_engine::{Cutoff, Never, Normalizer, SearchMode, Sequential, UNICODE_VERSION};
use groundwire_fuzz::TextGenerator;
use libfuzzer_sys::fuzz_target;

#[path = "../../python/src/bulk/ffi.rs"]
#[allow(dead_code, reason = "the schema of a stream is read elsewhere")]
mod ffi;

static SPEC: LazyLock<Normalizer> = LazyLock::new(|| Normalizer::spec(UNICODE_VERSION));

/// The number of rows that memory is allocated for.
const PLACES: usize = 64;
/// The number of bytes of text in a column.
const BYTES: usize = 256;
/// The maximum number of columns of a batch.
const MAX_COLUMNS: usize = 4;

/// Sizes that exceed any memory.
const HUGE: [i64; 4] = [i64::MAX, i64::MAX - 1, 1 << 60, 1 << 56];

/// Words, and invalid UTF-8.
const WORDS: [&[u8]; 10] = [
    b"I ",
    b"can't ",
    "can’t ".as_bytes(),
    b"sleep",
    b" <laughs> ",
    "漢字".as_bytes(),
    b"\xFF",
    b"\xE2\x80",
    b"\0",
    b". ",
];

/// `struct ArrowSchema` of the C data interface.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Self,
    dictionary: *mut Self,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray` of the C data interface.
#[repr(C)]
struct RawArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Self,
    dictionary: *mut Self,
    release: Option<unsafe extern "C" fn(*mut Self)>,
    private_data: *mut c_void,
}

/// A column, and the memory behind its pointers.
struct Column {
    format: &'static CStr,
    array: RawArray,
    values: Option<Box<Self>>,
    buffers: Vec<*const c_void>,
    nulls: Vec<u64>,
    /// Offsets, keys or views.
    numbers: Vec<u128>,
    bytes: Vec<u8>,
    lengths: Vec<i64>,
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: a schema that is released exists; its memory belongs to the target.
    unsafe { (*schema).release = None };
}

unsafe extern "C" fn release_array(array: *mut RawArray) {
    // SAFETY: an array that is released exists; its memory belongs to the target.
    unsafe { (*array).release = None };
}

fuzz_target!(|bytes: &[u8]| {
    let mut generator = TextGenerator::new(bytes);
    let mut columns: Vec<Box<Column>> =
        (0..1 + generator.below(MAX_COLUMNS)).map(|_| Column::new(&mut generator, true)).collect();
    let mut schemas: Vec<Schema> = Vec::new();
    let mut dictionaries: Vec<Schema> = Vec::new();
    // Must not reallocate once something points into it.
    dictionaries.reserve(MAX_COLUMNS);
    for column in &columns {
        let values = column.values.as_ref().map_or(null_mut(), |values| {
            dictionaries.push(Schema::new(values.format));
            dictionaries.last_mut().map_or(null_mut(), |schema| &raw mut *schema)
        });
        schemas.push(Schema { dictionary: values, ..Schema::new(column.format) });
    }
    let mut pointers: Vec<*mut Schema> = schemas.iter_mut().map(|schema| &raw mut *schema).collect();
    let mut whole = Schema::new(c"+s");
    whole.n_children = count(&mut generator, pointers.len());
    whole.children = pointers.as_mut_ptr();
    if generator.below(32) == 0 {
        pointers[0] = null_mut();
    }
    let mut arrays: Vec<*mut RawArray> = columns.iter_mut().map(|column| &raw mut column.array).collect();
    if generator.below(32) == 0 {
        arrays[0] = null_mut();
    }
    let mut root = RawArray::new(&mut generator);
    let mut nulls: [*const c_void; 1] = [null()];
    (root.n_buffers, root.buffers) = (1, nulls.as_mut_ptr());
    (root.n_children, root.children) = (count(&mut generator, arrays.len()), arrays.as_mut_ptr());
    // SAFETY: it has the layout of the C interface, and everything it points to outlives the call.
    let schema = ManuallyDrop::new(unsafe { transmute::<Schema, FFI_ArrowSchema>(whole) });
    // SAFETY: as above.
    let array = unsafe { transmute::<RawArray, FFI_ArrowArray>(root) };
    // SAFETY: every length that is not rejected lies within allocated memory.
    let Ok(schema) = (unsafe { ffi::import_schema(&schema) }) else { return };
    // SAFETY: as above.
    let Ok(batch) = (unsafe { ffi::import_batch(array, &schema) }) else { return };
    let columns: Vec<Vec<Option<Vec<u8>>>> = batch.columns().iter().filter_map(read).collect();
    if let (Some(quotes), Some(texts)) = (columns.first(), columns.last()) {
        check(quotes, texts, batch.num_rows());
    }
});

impl Schema {
    fn new(format: &'static CStr) -> Self {
        Self {
            format: format.as_ptr(),
            name: c"column".as_ptr(),
            metadata: null(),
            flags: 2,
            n_children: 0,
            children: null_mut(),
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: null_mut(),
        }
    }
}

impl RawArray {
    /// Creates an array with valid numbers, with unusual ones, or with invalid ones.
    fn new(generator: &mut TextGenerator<'_>) -> Self {
        let offset = if generator.below(4) == 0 { generator.below(PLACES / 2) } else { 0 };
        let most = generator.below(8).pow(2).min(PLACES - offset);
        let mut array = Self {
            length: most as i64,
            null_count: if generator.below(8) == 0 { generator.below(PLACES) as i64 - 2 } else { -1 },
            offset: offset as i64,
            n_buffers: 0,
            n_children: 0,
            buffers: null_mut(),
            children: null_mut(),
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: null_mut(),
        };
        match generator.below(24) {
            0 => array.length = -1 - generator.below(3) as i64,
            1 => array.offset = -1 - generator.below(3) as i64,
            2 => array.length = generator.pick(&HUGE),
            3 => array.offset = generator.pick(&HUGE),
            4 => (array.length, array.offset) = (i64::MIN, i64::MIN),
            _ => {}
        }
        array
    }

    /// Returns the number of rows for which memory is allocated.
    fn places(&self) -> usize {
        usize::try_from(self.length.saturating_add(self.offset)).map_or(0, |places| places.min(PLACES))
    }
}

impl Column {
    fn new(generator: &mut TextGenerator<'_>, may_have_values: bool) -> Box<Self> {
        let format = generator.pick(&[c"u", c"U", c"vu", c"z", c"n", c"i"]);
        let values =
            (format == c"i" && may_have_values && generator.below(8) != 0).then(|| Self::new(generator, false));
        let mut column = Box::new(Self {
            format,
            array: RawArray::new(generator),
            values,
            buffers: Vec::new(),
            nulls: vec![0; PLACES / 64],
            numbers: vec![0; PLACES + 2],
            bytes: text(generator),
            lengths: Vec::new(),
        });
        if let Some(values) = &mut column.values {
            column.array.dictionary = &raw mut values.array;
        }
        column.nulls.fill_with(|| {
            if generator.below(2) == 0 { u64::MAX } else { 0x0101_0101_0101_0101 * u64::from(generator.byte()) }
        });
        column.fill(generator);
        column.point(generator);
        column
    }

    /// Fills offsets, keys or views.
    fn fill(&mut self, generator: &mut TextGenerator<'_>) {
        let places = self.array.places();
        match self.format.to_bytes() {
            b"u" | b"z" => self.fill_offsets::<4>(generator, places),
            b"U" => self.fill_offsets::<8>(generator, places),
            b"vu" => self.numbers.fill_with(|| view(generator)),
            _ => {
                let keys: Vec<i32> = (0..PLACES).map(|_| key(generator)).collect();
                self.put(keys.iter().flat_map(|key| key.to_ne_bytes()));
            }
        }
    }

    /// Fills ascending offsets, a few of which are wrong. The last one is the number of bytes, which is correct or
    /// rejected.
    fn fill_offsets<const WIDTH: usize>(&mut self, generator: &mut TextGenerator<'_>, places: usize) {
        let mut offsets = vec![0_i64; PLACES + 1];
        for place in 1..offsets.len() {
            offsets[place] = (offsets[place - 1] + generator.below(12) as i64).min(BYTES as i64);
        }
        for _ in 0..generator.below(3) {
            let place = generator.below(PLACES);
            let wrong = [-1, i64::from(i32::MIN), i64::from(i32::MAX), 3, BYTES as i64, i64::MAX];
            offsets[place] = generator.pick(&wrong);
        }
        let last = &mut offsets[places];
        *last = (*last).min(BYTES as i64);
        self.put(offsets.iter().flat_map(|offset| offset.to_ne_bytes().into_iter().take(WIDTH)));
    }

    /// Overwrites the numbers with bytes.
    fn put(&mut self, bytes: impl Iterator<Item = u8>) {
        let bytes: Vec<u8> = bytes.collect();
        for (number, bytes) in self.numbers.iter_mut().zip(bytes.chunks(16)) {
            let mut whole = [0; 16];
            whole[..bytes.len()].copy_from_slice(bytes);
            *number = u128::from_ne_bytes(whole);
        }
    }

    /// Points the array to the buffers.
    fn point(&mut self, generator: &mut TextGenerator<'_>) {
        let [nulls, numbers, bytes] =
            [self.nulls.as_ptr().cast(), self.numbers.as_ptr().cast::<c_void>(), self.bytes.as_ptr().cast()];
        // Memory is allocated beyond the last number that is read.
        let numbers = numbers.wrapping_byte_add(if generator.below(32) == 0 { 1 + generator.below(8) } else { 0 });
        let nulls = if generator.below(3) == 0 { nulls } else { null() };
        self.buffers = match self.format.to_bytes() {
            b"n" => Vec::new(),
            b"i" => vec![nulls, numbers],
            b"vu" => {
                self.lengths = vec![BYTES as i64];
                if generator.below(16) == 0 {
                    self.lengths[0] = generator.pick(&[-1, 0, i64::MIN, 5]);
                }
                vec![nulls, numbers, bytes, self.lengths.as_ptr().cast()]
            }
            _ => vec![nulls, numbers, bytes],
        };
        self.array.n_buffers = self.buffers.len() as i64;
        if generator.below(16) == 0 && !self.buffers.is_empty() {
            let place = generator.below(self.buffers.len());
            self.buffers[place] = null();
        }
        if generator.below(32) == 0 {
            self.array.n_buffers += generator.pick(&[-1, 1, i64::MAX / 2, -7]);
            // An array of views may have any number of buffers.
            if self.format == c"vu" {
                self.array.n_buffers = self.array.n_buffers.min(self.buffers.len() as i64);
            }
        }
        self.array.buffers = if generator.below(32) == 0 { null_mut() } else { self.buffers.as_mut_ptr() };
    }
}

/// Returns the number of children, or a wrong number.
fn count(generator: &mut TextGenerator<'_>, true_count: usize) -> i64 {
    match generator.below(32) {
        0 => -1,
        1 => i64::MAX,
        2 => true_count as i64 - 1,
        _ => true_count as i64,
    }
}

/// Returns a key of a dictionary.
fn key(generator: &mut TextGenerator<'_>) -> i32 {
    match generator.below(64) {
        0 => generator.pick(&[-1, i32::MIN, i32::MAX, 1000]),
        key => key as i32 % 9,
    }
}

/// Returns a view: length, prefix, buffer and offset, or a short text.
fn view(generator: &mut TextGenerator<'_>) -> u128 {
    match generator.below(16) {
        0 => u128::from(generator.byte()) * (u128::MAX / 255),
        1 => 13 | u128::from(generator.byte()) << 64 | u128::from(generator.byte()) << 96,
        2 => u128::from(u32::MAX) | 200 << 96,
        len => {
            let len = len.min(12);
            (0..len).fold(len as u128, |view, place| view | u128::from(b'a' + place as u8) << (32 + 8 * place))
        }
    }
}

fn text(generator: &mut TextGenerator<'_>) -> Vec<u8> {
    let mut text = Vec::with_capacity(BYTES);
    while text.len() < BYTES {
        text.extend_from_slice(if generator.is_done() { b"a " } else { generator.pick(&WORDS) });
    }
    text.truncate(BYTES);
    text
}

/// Returns the rows of a column of strings, validated and read as the engine's binding does; `None` if the column is
/// invalid.
fn read(column: &ArrayRef) -> Option<Vec<Option<Vec<u8>>>> {
    if let DataType::Null = column.data_type() {
        return Some(vec![None; column.len()]);
    }
    if let Some(dictionary) = column.as_any_dictionary_opt() {
        column.to_data().validate_data().ok()?;
        let values = read(dictionary.values())?;
        let keys = dictionary.keys().as_primitive::<Int32Type>();
        return Some(keys.iter().map(|key| values[usize::try_from(key?).ok()?].clone()).collect());
    }
    let bytes = match column.data_type() {
        DataType::Utf8 | DataType::Binary => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        _ => return None,
    };
    let array = make_array(column.to_data().into_builder().data_type(bytes).build().ok()?);
    let rows = 0..array.len();
    let value = |row: usize| match array.data_type() {
        DataType::Binary => array.as_binary::<i32>().value(row).to_vec(),
        DataType::LargeBinary => array.as_binary::<i64>().value(row).to_vec(),
        _ => array.as_binary_view().value(row).to_vec(),
    };
    Some(rows.map(|row| array.is_valid(row).then(|| value(row))).collect())
}

/// Grounds every quote in the text of its row, and asserts that invalid text is an error of its own row only.
fn check(quotes: &[Option<Vec<u8>>], texts: &[Option<Vec<u8>>], count: usize) {
    assert_eq!((count, count), (quotes.len(), texts.len()));
    let quotes: Vec<Option<&[u8]>> = quotes.iter().map(Option::as_deref).collect();
    let texts: Vec<Option<&[u8]>> = texts.iter().map(Option::as_deref).collect();
    let sources: Vec<Result<u32, RowError>> = (0..count as u32).map(Ok).collect();
    let rows = Rows { quotes: &quotes, sources: &sources, texts: &texts };
    let cache = SourceCache::new(&SPEC, 1 << 16);
    let options = GroundOptions { mode: SearchMode::Fuzzy, threshold: Cutoff::Threshold(0.85) };
    let outcomes = ground(&rows, options, &cache, &Sequential(&Never)).expect("`Never` does not cancel");
    let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
    for (outcome, (quote, text)) in outcomes.iter().zip(quotes.iter().zip(&texts)) {
        let expected = match (text, quote) {
            (None, _) => Some(RowError::NullSource),
            (Some(text), _) if !is_text(text) => Some(RowError::SourceNotUtf8),
            (_, None) => Some(RowError::NullQuote),
            (_, Some(quote)) if !is_text(quote) => Some(RowError::QuoteNotUtf8),
            _ => None,
        };
        assert_eq!(expected, outcome.as_ref().err().copied());
    }
}
