//! The index of a part of a text: for each bigram, in which blocks it starts.

use super::{BIGRAMS, BLOCK, bigram};
use crate::arch;
use crate::text::Unit;

/// Most blocks in a tile: its rows stay in a second-level cache.
const MAX_BLOCKS: usize = 2048;

/// Blocks after the tile's own that its rows say something about; a needle reaches no further.
pub(super) const LOOK_AHEAD: usize = 16;

/// Characters that the first tile starts before its text at most: the windows of interest start so
/// many characters after a block.
pub(in crate::fuzzy) const MAX_LEAD: usize = 64;

/// Rows that take what is not wanted. Several, because a processor waits before it reads what it
/// has just written.
const DUMMIES: usize = 8;

/// Which row of a tile each bigram has; row 0 is empty, for bigrams that have none.
#[derive(Debug)]
pub(in crate::fuzzy) struct Layout {
    /// Offset in bytes of each bigram's row.
    row_of: Box<[u32; BIGRAMS]>,
    /// Rows in a tile.
    rows: usize,
    /// Bytes of a row that stand for blocks of the tile, eight blocks in each.
    columns: usize,
    /// Bytes in a row.
    stride: usize,
    /// Where the first tile starts: so many characters before the text.
    lead: usize,
}

impl Layout {
    /// A layout for a text of `chars` characters with rows for the `wanted` bigrams. Windows of
    /// interest start no earlier than `lead` characters after a block's beginning.
    pub(in crate::fuzzy) fn new(wanted: &Wanted, chars: usize, lead: usize) -> Self {
        let lead = lead.next_multiple_of(BLOCK);
        let blocks = (chars + lead).div_ceil(BLOCK).min(MAX_BLOCKS);
        let columns = blocks.div_ceil(8).next_multiple_of(arch::count::vector_bytes());
        let stride = columns + LOOK_AHEAD;
        let mut rows = 1 + DUMMIES;
        let mut row_of = Box::new([0; BIGRAMS]);
        for (bigram, &is_wanted) in wanted.0.iter().enumerate() {
            let row = if is_wanted { rows } else { 1 + bigram % DUMMIES };
            rows += usize::from(is_wanted);
            // Fits: there are a thousand rows of a few hundred bytes.
            row_of[bigram] = (row * stride) as u32;
        }
        Self { row_of, rows, columns, stride, lead }
    }

    /// Offset of the row of `bigram`; of the empty row if it was not wanted.
    pub(super) fn row_of(&self, bigram: usize) -> u32 {
        let row = self.row_of[bigram];
        if (row as usize) < (1 + DUMMIES) * self.stride { 0 } else { row }
    }

    /// How many characters a tile stands for.
    fn tile_chars(&self) -> usize {
        8 * self.columns * BLOCK
    }

    /// How many tiles a text of `chars` characters has.
    pub(in crate::fuzzy) fn tiles(&self, chars: usize) -> usize {
        (chars + self.lead).div_ceil(self.tile_chars())
    }

    /// Bytes of a tile.
    pub(in crate::fuzzy) fn tile_bytes(&self) -> usize {
        self.rows * self.stride
    }
}

/// The bigrams that some needle asks for.
#[derive(Clone, Debug)]
pub(in crate::fuzzy) struct Wanted(Vec<bool>);

impl Wanted {
    pub(in crate::fuzzy) fn none() -> Self {
        Self(vec![false; BIGRAMS])
    }

    pub(super) fn add(&mut self, bigram: usize) {
        self.0[bigram] = true;
    }

    /// Those that occur in `text`.
    pub(in crate::fuzzy) fn all_of<T: Unit>(text: &[T]) -> Self {
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
pub(in crate::fuzzy) struct Tile {
    rows: Vec<u8>,
    /// Text position of the first block.
    first: isize,
}

impl Tile {
    /// Becomes tile number `index` of `text`.
    pub(in crate::fuzzy) fn build<T: Unit>(&mut self, layout: &Layout, text: &[T], index: usize) {
        self.rows.clear();
        self.rows.resize(layout.tile_bytes(), 0);
        // Fits: texts have fewer than 2³¹ characters.
        self.first = (index * layout.tile_chars()) as isize - layout.lead as isize;
        let columns = layout.columns;
        for bit in 0..8 {
            for column in 0..columns {
                self.file(layout, text, bit * columns + column, column, 1 << bit);
            }
        }
        self.carry_on(layout, text);
        for row in self.rows.chunks_exact_mut(layout.stride).skip(1 + DUMMIES) {
            for column in 0..layout.stride - 1 {
                row[column] |= row[column + 1];
            }
        }
    }

    /// Fills the bytes past the last column.
    fn carry_on<T: Unit>(&mut self, layout: &Layout, text: &[T]) {
        let columns = layout.columns;
        for row in self.rows.chunks_exact_mut(layout.stride).skip(1 + DUMMIES) {
            let (blocks, after) = row.split_at_mut(columns);
            after.iter_mut().zip(blocks).for_each(|(after, &mut block)| *after = block >> 1);
        }
        for ahead in 0..LOOK_AHEAD {
            self.file(layout, text, 8 * columns + ahead, columns + ahead, 1 << 7);
        }
    }

    /// Sets `bit` of byte `column` in the rows of the bigrams that start in `block`.
    #[inline(always)]
    fn file<T: Unit>(&mut self, layout: &Layout, text: &[T], block: usize, column: usize, bit: u8) {
        let start = self.first + (block * BLOCK) as isize;
        let inside = usize::try_from(start).ok().and_then(|start| text.get(start..));
        if let Some(units) = inside.and_then(|units| units.first_chunk::<{ BLOCK + 1 }>()) {
            // As an array: the loop is unrolled.
            self.file_units(layout, units, column, bit);
        } else {
            let at = |place: isize| place.clamp(0, text.len() as isize) as usize;
            self.file_units(layout, &text[at(start)..at(start + BLOCK as isize + 1)], column, bit);
        }
    }

    #[inline(always)]
    fn file_units<T: Unit>(&mut self, layout: &Layout, units: &[T], column: usize, bit: u8) {
        let rows = &mut self.rows[column..];
        for pair in units.windows(2) {
            rows[layout.row_of[bigram(pair[0].code(), pair[1].code())] as usize] |= bit;
        }
    }

    /// The rows, the bytes of one after those of the other.
    pub(super) fn rows(&self) -> &[u8] {
        &self.rows
    }

    /// Text position at which `block` starts.
    pub(super) fn place_of(&self, block: usize) -> isize {
        self.first + (block * BLOCK) as isize
    }
}

impl Layout {
    /// Bytes of a row that are counted.
    pub(super) fn columns(&self) -> usize {
        self.columns
    }
}
