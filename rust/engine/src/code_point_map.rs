//! A sparse map from code points to values.

use crate::text::CodeUnit;

/// A two-stage table: values by code point, in blocks of `PAGE` values that are allocated on the first write. All other
/// values are the default.
#[derive(Clone, Debug)]
pub(crate) struct CodePointMap<V, const PAGE: usize> {
    /// The index of each block; 0 for a block without writes.
    page_of: Vec<u16>,
    /// The blocks. Block 0 holds the defaults and is never written.
    pages: Vec<[V; PAGE]>,
}

impl<V: Copy + Default, const PAGE: usize> CodePointMap<V, PAGE> {
    /// Creates an empty map with capacity for `pages` blocks and for code points up to `code`.
    pub(crate) fn with_capacity(pages: usize, code: usize) -> Self {
        let mut all = Vec::with_capacity(pages + 1);
        all.push([V::default(); PAGE]);
        Self { page_of: Vec::with_capacity(code / PAGE + 1), pages: all }
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
        let (page_of, pages) = (self.page_of.as_slice(), self.pages.as_slice());
        move |code| {
            let code = code as usize;
            let page = page_of.get(code / PAGE).copied().unwrap_or(0);
            pages[usize::from(page)][code % PAGE]
        }
    }

    /// Sets the value of each code point in `units`.
    #[inline]
    pub(crate) fn set_all<T: CodeUnit>(&mut self, mut units: &[T], value: V) {
        loop {
            // Local slices, so that they are not reloaded after each write. They are valid until a block is allocated.
            let (page_of, pages) = (self.page_of.as_slice(), self.pages.as_mut_slice());
            let stopped = units.iter().position(|unit| {
                let code = unit.code() as usize;
                let page = page_of.get(code / PAGE).copied().unwrap_or(0);
                if page != 0 {
                    pages[usize::from(page)][code % PAGE] = value;
                }
                page == 0
            });
            let Some(place) = stopped else { return };
            units = &units[place..];
            self.set(units[0].code(), value);
        }
    }

    /// Sets the value of the code point `code`.
    #[inline(always)]
    pub(crate) fn set(&mut self, code: u32, value: V) {
        let code = code as usize;
        let page = match self.page_of.get(code / PAGE) {
            Some(&page) if page != 0 => page,
            _ => self.make(code / PAGE),
        };
        self.pages[usize::from(page)][code % PAGE] = value;
    }

    #[cold]
    fn make(&mut self, index: usize) -> u16 {
        if self.page_of.len() <= index {
            self.page_of.resize(index + 1, 0);
        }
        // Fits in 16 bits: there are fewer than 2¹⁵ blocks of 64 code points.
        let page = self.pages.len() as u16;
        self.page_of[index] = page;
        self.pages.push([V::default(); PAGE]);
        page
    }

    /// Returns all values of the allocated blocks, by ascending code point.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, V)> + '_ {
        let written = self.page_of.iter().enumerate().filter(|(_, page)| **page != 0);
        written.flat_map(|(index, &page)| ((index * PAGE) as u32..).zip(self.pages[usize::from(page)]))
    }
}
