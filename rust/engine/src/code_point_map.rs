//! A sparse map from code points to values.

use crate::text::CodeUnit;

/// A two-stage table: values by code point, in blocks of `BLOCK` values that are allocated on the first write. All
/// other values are the default.
#[derive(Clone, Debug)]
pub(crate) struct CodePointMap<V, const BLOCK: usize> {
    /// The index of each block; 0 for a block without writes.
    block_of: Vec<u16>,
    /// The blocks. Block 0 holds the defaults and is never written.
    blocks: Vec<[V; BLOCK]>,
}

impl<V: Copy + Default, const BLOCK: usize> CodePointMap<V, BLOCK> {
    /// Creates an empty map with capacity for `blocks` blocks and for code points up to `code`.
    pub(crate) fn with_capacity(blocks: usize, code: usize) -> Self {
        let mut all = Vec::with_capacity(blocks + 1);
        all.push([V::default(); BLOCK]);
        Self { block_of: Vec::with_capacity(code / BLOCK + 1), blocks: all }
    }

    /// Returns the value at `code`, by two loads.
    #[inline(always)]
    pub(crate) fn get(&self, code: u32) -> V {
        self.reader()(code)
    }

    /// Returns [`get`](Self::get) as a closure, for a loop that also writes other memory. The closure holds the slices,
    /// which the compiler would otherwise reload after each write.
    #[inline(always)]
    pub(crate) fn reader(&self) -> impl Fn(u32) -> V + Copy {
        let (block_of, blocks) = (self.block_of.as_slice(), self.blocks.as_slice());
        move |code| {
            let code = code as usize;
            let block = block_of.get(code / BLOCK).copied().unwrap_or(0);
            blocks[usize::from(block)][code % BLOCK]
        }
    }

    /// Sets the value of each code point in `units`.
    #[inline]
    pub(crate) fn set_all<T: CodeUnit>(&mut self, mut units: &[T], value: V) {
        loop {
            // Local slices, so that they are not reloaded after each write. They are valid until a block is allocated.
            let (block_of, blocks) = (self.block_of.as_slice(), self.blocks.as_mut_slice());
            let stopped = units.iter().position(|unit| {
                let code = unit.code_point() as usize;
                let block = block_of.get(code / BLOCK).copied().unwrap_or(0);
                if block != 0 {
                    blocks[usize::from(block)][code % BLOCK] = value;
                }
                block == 0
            });
            let Some(place) = stopped else { return };
            units = &units[place..];
            self.set(units[0].code_point(), value);
        }
    }

    /// Sets the value of the code point `code`.
    #[inline(always)]
    pub(crate) fn set(&mut self, code: u32, value: V) {
        let code = code as usize;
        let block = match self.block_of.get(code / BLOCK) {
            Some(&block) if block != 0 => block,
            _ => self.allocate(code / BLOCK),
        };
        self.blocks[usize::from(block)][code % BLOCK] = value;
    }

    #[cold]
    fn allocate(&mut self, index: usize) -> u16 {
        if self.block_of.len() <= index {
            self.block_of.resize(index + 1, 0);
        }
        // Fits in 16 bits: there are fewer than 2¹⁵ blocks of 64 code points.
        let block = self.blocks.len() as u16;
        self.block_of[index] = block;
        self.blocks.push([V::default(); BLOCK]);
        block
    }

    /// Returns all values of the allocated blocks, by ascending code point.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, V)> + '_ {
        let written = self.block_of.iter().enumerate().filter(|(_, block)| **block != 0);
        written.flat_map(|(index, &block)| ((index * BLOCK) as u32..).zip(self.blocks[usize::from(block)]))
    }
}
