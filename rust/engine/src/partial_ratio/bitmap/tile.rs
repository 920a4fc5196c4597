//! The index of a part of a text: for each bigram, in which blocks it starts.

use std::ops::Range;

use super::{BIGRAMS, Block, Frequencies, bigram, classes};
use crate::arch;
use crate::arch::bigram_marks::{CLASSES, STEP, mark};
use crate::partial_ratio::cost::{FILE_CYCLES, INDEX_CYCLES_PER_CHAR};
use crate::text::CodeUnit;

/// Most blocks in a tile: its rows stay in a second-level cache.
const MAX_BLOCKS: usize = 3584;

/// Blocks after the tile's own that its rows say something about; a needle reaches no further.
pub(super) const LOOK_AHEAD: usize = 24;

/// Characters that the first tile starts before its text at most: the windows of interest start so
/// many characters after a block.
pub(in crate::partial_ratio) const MAX_LEAD: usize = 64;

/// Below this share of wanted bigrams they are looked for, instead of filing every one.
pub(in crate::partial_ratio) const MAX_SPARSE_SHARE: f32 = 0.45;

/// Characters after those of a bit that are filed with them: the last block needs the next one.
const TAIL_CHARS: usize = 64;

/// Rows that take what is not wanted. Several, because a processor waits before it reads what it
/// has just written.
const DUMMIES: usize = 8;

/// Which row of a tile each bigram has; row 0 is empty, for bigrams that have none.
#[derive(Debug)]
pub(in crate::partial_ratio) struct Layout {
    pub(in crate::partial_ratio) block: Block,
    /// Offset in bytes of each bigram's row, less one: filing begins with the byte before.
    file_at: Box<[u32; BIGRAMS]>,
    /// Rows in a tile.
    rows: usize,
    /// Bytes of a row that stand for blocks of the tile, eight blocks in each.
    columns: usize,
    /// Bytes in a row.
    stride: usize,
    /// Where the first tile starts: so many characters before the text.
    lead: usize,
    /// The wanted bigrams, one row for each class.
    pairs: [u32; CLASSES],
    /// Share of the text's bigrams that are wanted, roughly.
    share: f32,
}

impl Layout {
    /// A layout for a text of `chars` characters with rows for the `wanted` bigrams. Windows of
    /// interest start no earlier than `lead` characters after a block's beginning.
    pub(in crate::partial_ratio) fn new(
        wanted: &Wanted,
        frequencies: &Frequencies,
        chars: usize,
        lead: usize,
        block: Block,
    ) -> Self {
        let lead = lead.next_multiple_of(block.chars());
        let blocks = (chars + lead).div_ceil(block.chars()).min(MAX_BLOCKS);
        // No fewer than the bytes that carry on with them.
        let columns = blocks.div_ceil(8).next_multiple_of(arch::bit_counter::vector_bytes()).max(LOOK_AHEAD);
        let stride = columns + LOOK_AHEAD;
        let mut rows = 1 + DUMMIES;
        let mut file_at = Box::new([0; BIGRAMS]);
        let (mut pairs, mut share) = ([0; CLASSES], 0.0);
        for (bigram, &is_wanted) in wanted.0.iter().enumerate() {
            let row = if is_wanted { rows } else { 1 + bigram % DUMMIES };
            rows += usize::from(is_wanted);
            // Fits: there are a thousand rows of a few hundred bytes.
            file_at[bigram] = (row * stride - 1) as u32;
            if is_wanted {
                let (first, second) = classes(bigram);
                pairs[first] |= 1 << second;
                share += frequencies.get(bigram);
            }
        }
        Self { block, file_at, rows, columns, stride, lead, pairs, share }
    }

    /// Offset of the row of `bigram`; of the empty row if it was not wanted.
    pub(super) fn row_of(&self, bigram: usize) -> u32 {
        let row = self.file_at[bigram] + 1;
        if (row as usize) < (1 + DUMMIES) * self.stride { 0 } else { row }
    }

    /// How many characters a tile stands for.
    fn tile_chars(&self) -> usize {
        8 * self.columns * self.block.chars()
    }

    /// Making a tile.
    pub(in crate::partial_ratio) fn cycles(&self) -> f32 {
        (INDEX_CYCLES_PER_CHAR + FILE_CYCLES * self.share) * self.tile_chars() as f32
    }

    /// How many tiles a text of `chars` characters has.
    pub(in crate::partial_ratio) fn tiles(&self, chars: usize) -> usize {
        (chars + self.lead).div_ceil(self.tile_chars())
    }

    /// Bytes of a tile.
    pub(in crate::partial_ratio) fn tile_bytes(&self) -> usize {
        self.rows * self.stride
    }
}

/// The bigrams that some needle asks for.
#[derive(Clone, Debug)]
pub(in crate::partial_ratio) struct Wanted(Vec<bool>);

impl Wanted {
    pub(in crate::partial_ratio) fn none() -> Self {
        Self(vec![false; BIGRAMS])
    }

    pub(super) fn add(&mut self, bigram: usize) {
        self.0[bigram] = true;
    }

    /// Those that occur in `text`.
    pub(in crate::partial_ratio) fn all_of<T: CodeUnit>(text: &[T]) -> Self {
        let mut wanted = Self::none();
        text.windows(2).for_each(|pair| wanted.add(bigram(pair[0].code(), pair[1].code())));
        wanted
    }
}

/// The rows of one part of a text.
///
/// Block `b` of the tile is bit `b / columns` of byte `b % columns`, so the block after it is the
/// same bit of the next byte: a row read from a later byte on is the row of later blocks. The
/// bytes past the last column carry on with the first blocks of the next bit. Each bit says
/// whether the bigram starts in its block or in the next one: half as many bytes have to be or-ed
/// together.
#[derive(Debug, Default)]
pub(in crate::partial_ratio) struct Tile {
    rows: Vec<u8>,
    /// Text position of the first block.
    first: isize,
}

impl Tile {
    /// The rows, the bytes of one after those of the other.
    pub(super) fn rows(&self) -> &[u8] {
        &self.rows
    }

    /// Text position at which block number `index` of a layout starts.
    pub(super) fn place_of(&self, layout: &Layout, index: usize) -> isize {
        self.first + (index * layout.block.chars()) as isize
    }
}

/// Makes tiles; keeps the memory for the next one.
#[derive(Debug, Default)]
pub(in crate::partial_ratio) struct Builder {
    /// Low bytes of the tile's characters, which have their classes in them.
    classes: Vec<u8>,
    /// How many of them come before the text's end.
    end: usize,
    /// Where wanted bigrams start, if few are wanted.
    marks: Vec<u8>,
}

impl Builder {
    /// Makes `tile` tile number `index` of `text`.
    pub(in crate::partial_ratio) fn build<T: CodeUnit>(
        &mut self,
        layout: &Layout,
        text: &[T],
        index: usize,
        tile: &mut Tile,
    ) {
        tile.rows.clear();
        tile.rows.resize(layout.tile_bytes(), 0);
        // Fits: texts have fewer than 2³¹ characters.
        tile.first = (index * layout.tile_chars()) as isize - layout.lead as isize;
        self.read(layout, text, tile.first);
        let is_sparse = layout.share < MAX_SPARSE_SHARE;
        if is_sparse {
            mark(&self.classes, &layout.pairs, &mut self.marks);
        }
        let (columns, block) = (layout.columns, layout.block.chars());
        for bit in 0..8 {
            let places = bit * columns * block..(bit + 1) * columns * block + TAIL_CHARS;
            self.file(layout, is_sparse, places, &mut tile.rows, 1 << bit);
        }
        for row in tile.rows[layout.wanted_rows()].chunks_exact_mut(layout.stride) {
            let (blocks, after) = row.split_at_mut(columns);
            after.iter_mut().zip(blocks).for_each(|(after, &mut block)| *after = block >> 1);
        }
        let ahead = 8 * columns * block..(8 * columns + LOOK_AHEAD) * block;
        self.file(layout, is_sparse, ahead, &mut tile.rows[columns..], 1 << 7);
    }

    /// Takes the characters of a tile that starts at `first`. Before and after the text stands
    /// class 0; what its bigrams add to the rows excludes nothing.
    fn read<T: CodeUnit>(&mut self, layout: &Layout, text: &[T], first: isize) {
        let places = (layout.tile_chars() + LOOK_AHEAD * layout.block.chars()).next_multiple_of(STEP);
        self.classes.clear();
        self.classes.resize(places + 1, 0);
        self.marks.resize(places / 8, 0);
        let before = usize::try_from(-first).unwrap_or(0);
        let units = &text[usize::try_from(first).unwrap_or(0).min(text.len())..];
        self.end = before + units.len();
        self.classes[before..].iter_mut().zip(units).for_each(|(class, unit)| *class = unit.code() as u8);
    }

    /// Sets `bit` in the rows of the bigrams that start in `places`, in byte 0 for the first block
    /// of these, and in the byte before.
    fn file(&self, layout: &Layout, is_sparse: bool, places: Range<usize>, rows: &mut [u8], bit: u8) {
        let end = places.end.min(self.end.next_multiple_of(TAIL_CHARS)).max(places.start);
        let places = places.start..end;
        let class = |place: usize| u32::from(self.classes[place]);
        if is_sparse {
            let marks = self.marks[places.start / 8..places.end / 8].as_chunks::<8>().0;
            for (word, mark) in marks.iter().enumerate() {
                let mut marks = u64::from_le_bytes(*mark);
                while marks != 0 {
                    let place = 64 * word + marks.trailing_zeros() as usize;
                    marks &= marks - 1;
                    let number = bigram(class(places.start + place), class(places.start + place + 1));
                    set(rows, layout.file_at[number] as usize + layout.block.of(place), bit);
                }
            }
            return;
        }
        let classes = &self.classes[places.start..=places.end];
        match layout.block {
            Block::Small => file_all::<{ Block::Small as usize + 1 }>(layout, classes, rows, bit),
            Block::Large => file_all::<{ Block::Large as usize + 1 }>(layout, classes, rows, bit),
        }
    }
}

/// Sets `bit` for all bigrams; blocks have `NEXT - 1` characters.
fn file_all<const NEXT: usize>(layout: &Layout, classes: &[u8], rows: &mut [u8], bit: u8) {
    for (column, block) in classes.windows(NEXT).step_by(NEXT - 1).enumerate() {
        // As an array: the loop is unrolled.
        let Some(block) = block.first_chunk::<NEXT>() else { continue };
        let rows = &mut rows[column..];
        for pair in block.windows(2) {
            set(rows, layout.file_at[bigram(u32::from(pair[0]), u32::from(pair[1]))] as usize, bit);
        }
    }
}

/// Sets `bit` in a byte and in the next one.
#[inline(always)]
fn set(rows: &mut [u8], at: usize, bit: u8) {
    if let Some(bytes) = rows.get_mut(at..at + 2).and_then(<[u8]>::first_chunk_mut::<2>) {
        *bytes = (u16::from_le_bytes(*bytes) | u16::from_le_bytes([bit; 2])).to_le_bytes();
    }
}

impl Layout {
    /// Bytes of a row that are counted.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }

    /// Bytes of a tile that are the rows of wanted bigrams.
    fn wanted_rows(&self) -> Range<usize> {
        (1 + DUMMIES) * self.stride..self.tile_bytes()
    }
}
