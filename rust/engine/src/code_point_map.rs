//! A sparse array over code points.

use crate::text::CodeUnit;

/// Values by code point, in pages of `PAGE` that are made when first written to. Everything else
/// is the default value.
#[derive(Clone, Debug)]
pub(crate) struct CodePointMap<V, const PAGE: usize> {
    /// Place of each page, counted from 1; 0 for pages that nobody wrote to.
    page_of: Vec<u16>,
    /// Page 0 stays as it is.
    pages: Vec<[V; PAGE]>,
}

impl<V: Copy + Default, const PAGE: usize> CodePointMap<V, PAGE> {
    /// An empty array with room for `pages` pages of codes up to `code`.
    pub(crate) fn with_capacity(pages: usize, code: usize) -> Self {
        let mut all = Vec::with_capacity(pages + 1);
        all.push([V::default(); PAGE]);
        Self { page_of: Vec::with_capacity(code / PAGE + 1), pages: all }
    }

    /// The value at `code`, in two loads.
    #[inline(always)]
    pub(crate) fn get(&self, code: u32) -> V {
        self.reader()(code)
    }

    /// [`get`](Self::get) for a loop that writes: it holds the slices, which would be loaded again
    /// after each byte that is written.
    #[inline(always)]
    pub(crate) fn reader(&self) -> impl Fn(u32) -> V + Copy {
        let (page_of, pages) = (self.page_of.as_slice(), self.pages.as_slice());
        move |code| {
            let code = code as usize;
            let page = page_of.get(code / PAGE).copied().unwrap_or(0);
            pages[usize::from(page)][code % PAGE]
        }
    }

    /// Writes the value at the code point of each of `units`.
    #[inline]
    pub(crate) fn set_all<T: CodeUnit>(&mut self, mut units: &[T], value: V) {
        loop {
            // Slices for the same reason; they stay where they are until a page is made.
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

    /// Writes the value at `code`, which is a code point.
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
        // Fits: there are fewer than 2¹⁵ pages of 64 code points.
        let page = self.pages.len() as u16;
        self.page_of[index] = page;
        self.pages.push([V::default(); PAGE]);
        page
    }

    /// All values of the pages that were written to, by code point.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, V)> + '_ {
        let written = self.page_of.iter().enumerate().filter(|(_, page)| **page != 0);
        written.flat_map(|(index, &page)| ((index * PAGE) as u32..).zip(self.pages[usize::from(page)]))
    }
}
