//! Bitmap tiles: for each bigram, the blocks of a part of a text in which it starts.

use std::ops::Range;

use super::{BIGRAMS, BigramFrequencies, BlockSize, LowBytes, bigram, classes};
use crate::arch;
use crate::arch::bigram_marks::{HASH_CLASSES, STEP, find_bigrams};
use crate::partial_ratio::cost::{INDEX_CYCLES_PER_CHAR, INSERT_CYCLES};
use crate::text::CodeUnit;

/// Maximum number of blocks per tile, so that its rows fit a second-level cache.
const MAX_BLOCKS: usize = 3584;

/// Number of blocks after those of a tile that its rows cover. No needle reaches further.
pub(super) const LOOK_AHEAD: usize = 24;

/// Maximum number of characters by which the first tile starts before the text. It does, because good windows start up
/// to that many characters after the reported block.
pub(in crate::partial_ratio) const MAX_LEAD: usize = 64;

/// Maximum share of required bigrams for which only these are searched and inserted. Above it, every bigram is
/// inserted.
pub(in crate::partial_ratio) const MAX_SPARSE_SHARE: f32 = 0.45;

/// Number of characters inserted beyond those of a bit, because its last block also needs the next block.
const TAIL_CHARS: usize = 64;

/// Number of rows for bigrams that are not required. There are several, because a processor stalls if it reads a byte
/// that it has just written.
const DUMMIES: usize = 8;

/// The bitmap rows of a tile by bigram. Row 0 is empty, for bigrams without a row.
#[derive(Debug)]
pub(in crate::partial_ratio) struct BitmapLayout {
    pub(in crate::partial_ratio) block: BlockSize,
    /// The offset of each bigram's row in bytes, minus one, because insertion also sets the byte before.
    insert_at: Box<[u32; BIGRAMS]>,
    /// The number of rows per tile.
    rows: usize,
    /// The number of bytes of a row for the tile's own blocks, eight blocks per byte.
    columns: usize,
    /// The number of bytes per row, including the lookahead.
    stride: usize,
    /// The number of characters by which the first tile starts before the text.
    lead: usize,
    /// The required bigrams, one row for each first class.
    pairs: [u32; HASH_CLASSES],
    /// The estimated share of the text's bigrams that are required.
    share: f32,
}

impl BitmapLayout {
    /// Creates a layout for a text of `chars` characters, with rows for the `required` bigrams. Good windows start up
    /// to `lead` characters after the beginning of a block.
    pub(in crate::partial_ratio) fn new(
        required: &RequiredRows,
        frequencies: &BigramFrequencies,
        chars: usize,
        lead: usize,
        block: BlockSize,
    ) -> Self {
        let lead = lead.next_multiple_of(block.chars());
        let blocks = (chars + lead).div_ceil(block.chars()).min(MAX_BLOCKS);
        // At least as many as the bytes that continue with the first blocks.
        let columns = blocks.div_ceil(8).next_multiple_of(arch::bit_counter::vector_bytes()).max(LOOK_AHEAD);
        let stride = columns + LOOK_AHEAD;
        let mut rows = 1 + DUMMIES;
        let mut insert_at = Box::new([0; BIGRAMS]);
        let (mut pairs, mut share) = ([0; HASH_CLASSES], 0.0);
        for (bigram, &is_required) in required.0.iter().enumerate() {
            let row = if is_required { rows } else { 1 + bigram % DUMMIES };
            rows += usize::from(is_required);
            // Fits, because there are about 1,000 rows of a few hundred bytes.
            insert_at[bigram] = (row * stride - 1) as u32;
            if is_required {
                let (first, second) = classes(bigram);
                pairs[first] |= 1 << second;
                share += frequencies.get(bigram);
            }
        }
        Self { block, insert_at, rows, columns, stride, lead, pairs, share }
    }

    /// Returns the byte offset of the row of `bigram`, or of the empty row if it is not required.
    pub(super) fn row_of(&self, bigram: usize) -> u32 {
        let row = self.insert_at[bigram] + 1;
        if (row as usize) < (1 + DUMMIES) * self.stride { 0 } else { row }
    }

    /// Returns the number of characters per tile.
    fn tile_chars(&self) -> usize {
        8 * self.columns * self.block.chars()
    }

    /// Returns the cost of building a tile, in cycles.
    pub(in crate::partial_ratio) fn cycles(&self) -> f32 {
        (INDEX_CYCLES_PER_CHAR + INSERT_CYCLES * self.share) * self.tile_chars() as f32
    }

    /// Returns the number of tiles for a text of `chars` characters.
    pub(in crate::partial_ratio) fn tiles(&self, chars: usize) -> usize {
        (chars + self.lead).div_ceil(self.tile_chars())
    }

    /// Returns the number of bytes per row that are counted.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the byte range of the rows of required bigrams.
    fn required_rows(&self) -> Range<usize> {
        (1 + DUMMIES) * self.stride..self.tile_bytes()
    }

    /// Returns the number of bytes per tile.
    pub(in crate::partial_ratio) fn tile_bytes(&self) -> usize {
        self.rows * self.stride
    }
}

/// The set of bigrams that need a row, because some needle counts them.
#[derive(Clone, Debug)]
pub(in crate::partial_ratio) struct RequiredRows(Vec<bool>);

impl RequiredRows {
    pub(in crate::partial_ratio) fn none() -> Self {
        Self(vec![false; BIGRAMS])
    }

    pub(super) fn add(&mut self, bigram: usize) {
        self.0[bigram] = true;
    }

    /// Returns all bigrams that occur in `text`.
    pub(in crate::partial_ratio) fn all_of<T: CodeUnit>(text: &[T]) -> Self {
        let mut required = Self::none();
        text.windows(2).for_each(|pair| required.add(bigram(pair[0].code_point(), pair[1].code_point())));
        required
    }
}

/// The bitmap rows of one part of a text.
///
/// Block `b` of the tile is bit `b / columns` of byte `b % columns`, so the next block is the same bit of the next
/// byte: a row read from a later byte on is the row of later blocks. The bytes after the last column continue with the
/// first blocks of the next bit. Each bit shows whether the bigram starts in its block or in the next one, which halves
/// the number of bytes to or.
#[derive(Debug, Default)]
pub(in crate::partial_ratio) struct BitmapTile {
    rows: Vec<u8>,
    /// The position in the text of the tile's first block.
    first: isize,
}

impl BitmapTile {
    /// Returns the bytes of all rows, one row after another.
    pub(super) fn rows(&self) -> &[u8] {
        &self.rows
    }

    /// Returns the position in the text at which block `index` starts.
    pub(super) fn place_of(&self, layout: &BitmapLayout, index: usize) -> isize {
        self.first + (index * layout.block.chars()) as isize
    }
}

/// Builds tiles, and reuses its memory for the next one.
#[derive(Debug, Default)]
pub(in crate::partial_ratio) struct Builder {
    low_bytes: LowBytes,
    /// The occurrence bits of the required bigrams; used if few are required.
    marks: Vec<u8>,
}

impl Builder {
    /// Builds tile `index` of `text` in `tile`.
    pub(in crate::partial_ratio) fn build<T: CodeUnit>(
        &mut self,
        layout: &BitmapLayout,
        text: &[T],
        index: usize,
        tile: &mut BitmapTile,
    ) {
        tile.rows.clear();
        tile.rows.resize(layout.tile_bytes(), 0);
        // Fits, because texts have fewer than 2³¹ characters.
        tile.first = (index * layout.tile_chars()) as isize - layout.lead as isize;
        let places = (layout.tile_chars() + LOOK_AHEAD * layout.block.chars()).next_multiple_of(STEP);
        let classes = self.low_bytes.read(text, tile.first, places + 1);
        let is_sparse = layout.share < MAX_SPARSE_SHARE;
        if is_sparse {
            self.marks.resize(places / 8, 0);
            find_bigrams(classes, &layout.pairs, &mut self.marks);
        }
        let marks = is_sparse.then_some(self.marks.as_slice());
        let inserted = Inserted { layout, classes, marks, end: text.len().saturating_add_signed(-tile.first) };
        let (columns, block) = (layout.columns, layout.block.chars());
        for bit in 0..8 {
            let places = bit * columns * block..(bit + 1) * columns * block + TAIL_CHARS;
            inserted.insert(places, &mut tile.rows, 1 << bit);
        }
        for row in tile.rows[layout.required_rows()].chunks_exact_mut(layout.stride) {
            let (blocks, after) = row.split_at_mut(columns);
            after.iter_mut().zip(blocks).for_each(|(after, &mut block)| *after = block >> 1);
        }
        let ahead = 8 * columns * block..(8 * columns + LOOK_AHEAD) * block;
        inserted.insert(ahead, &mut tile.rows[columns..], 1 << 7);
    }
}

/// The bigrams to insert in a tile.
struct Inserted<'a> {
    layout: &'a BitmapLayout,
    /// The low bytes of the tile's characters, which contain their hash classes.
    classes: &'a [u8],
    /// The occurrence bits of the required bigrams; `None` if every bigram is inserted.
    marks: Option<&'a [u8]>,
    /// The number of `classes` before the end of the text.
    end: usize,
}

impl Inserted<'_> {
    /// Sets `bit` in the rows of the bigrams that start in `places`: in the byte of each bigram's block, where the
    /// first block has byte 0, and in the byte before it.
    fn insert(&self, places: Range<usize>, rows: &mut [u8], bit: u8) {
        let end = places.end.min(self.end.next_multiple_of(TAIL_CHARS)).max(places.start);
        let places = places.start..end;
        let classes = &self.classes[places.start..=places.end];
        let marks = self.marks.map(|marks| &marks[places.start / 8..places.end / 8]);
        match (self.layout.block, marks) {
            (BlockSize::Small, None) => {
                insert_all::<{ BlockSize::Small as usize + 1 }>(self.layout, classes, rows, bit)
            }
            (BlockSize::Large, None) => {
                insert_all::<{ BlockSize::Large as usize + 1 }>(self.layout, classes, rows, bit)
            }
            (BlockSize::Small, Some(marks)) => {
                insert_marked::<{ BlockSize::Small as usize }>(self.layout, classes, marks, rows, bit);
            }
            (BlockSize::Large, Some(marks)) => {
                insert_marked::<{ BlockSize::Large as usize }>(self.layout, classes, marks, rows, bit);
            }
        }
    }
}

/// Sets `bit` in the rows of the bigrams whose bits are set in `marks`. Blocks have `CHARS` characters.
fn insert_marked<const CHARS: usize>(layout: &BitmapLayout, classes: &[u8], marks: &[u8], rows: &mut [u8], bit: u8) {
    let insert_at = &*layout.insert_at;
    for (word, (mark, classes)) in marks.as_chunks::<8>().0.iter().zip(classes.windows(65).step_by(64)).enumerate() {
        // An array lets the compiler omit checks of bounds.
        let Some(classes) = classes.first_chunk::<65>() else { continue };
        let rows = &mut rows[64 / CHARS * word..];
        let mut marks = u64::from_le_bytes(*mark);
        while marks != 0 {
            let place = marks.trailing_zeros() as usize % 64;
            marks &= marks - 1;
            let number = bigram(u32::from(classes[place]), u32::from(classes[place + 1]));
            set(rows, insert_at[number] as usize + place / CHARS, bit);
        }
    }
}

/// Sets `bit` in the rows of all bigrams. Blocks have `NEXT - 1` characters.
fn insert_all<const NEXT: usize>(layout: &BitmapLayout, classes: &[u8], rows: &mut [u8], bit: u8) {
    for (column, block) in classes.windows(NEXT).step_by(NEXT - 1).enumerate() {
        // An array lets the compiler unroll the loop.
        let Some(block) = block.first_chunk::<NEXT>() else { continue };
        let rows = &mut rows[column..];
        for pair in block.windows(2) {
            set(rows, layout.insert_at[bigram(u32::from(pair[0]), u32::from(pair[1]))] as usize, bit);
        }
    }
}

/// Sets `bit` in the byte at `at` and in the next one.
#[inline(always)]
fn set(rows: &mut [u8], at: usize, bit: u8) {
    if let Some(bytes) = rows.get_mut(at..at + 2).and_then(<[u8]>::first_chunk_mut::<2>) {
        *bytes = (u16::from_le_bytes(*bytes) | u16::from_le_bytes([bit; 2])).to_le_bytes();
    }
}
