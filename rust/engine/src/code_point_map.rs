//! A sparse map from code points.

use crate::text::CodeUnit;

/// Values by code point, in pages of `PAGE` values that are allocated on the first write. All other values are the
/// default.
#[derive(Clone, Debug)]
pub(crate) struct CodePointMap<V, const PAGE: usize> {
    /// The index of each page; 0 for a page that was never written.
    page_of: Vec<u16>,
    /// The pages. Page 0 is never written.
    pages: Vec<[V; PAGE]>,
}

impl<V: Copy + Default, const PAGE: usize> CodePointMap<V, PAGE> {
    /// Creates an empty map with capacity for `pages` pages of code points up to `code`.
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

    /// Returns a [`get`](Self::get) for a loop that writes. It holds the slices, which would otherwise be loaded again
    /// after each write.
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
            // Slices for the same reason; they are valid until a page is allocated.
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
        // It fits, because there are fewer than 2¹⁵ pages of 64 code points.
        let page = self.pages.len() as u16;
        self.page_of[index] = page;
        self.pages.push([V::default(); PAGE]);
        page
    }

    /// Returns all values of the pages that were written, by ascending code point.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, V)> + '_ {
        let written = self.page_of.iter().enumerate().filter(|(_, page)| **page != 0);
        written.flat_map(|(index, &page)| ((index * PAGE) as u32..).zip(self.pages[usize::from(page)]))
    }
}
