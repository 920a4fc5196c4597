//! Posting lists: many growing lists in one allocation.

/// Appends `values`, with a spare capacity of at most an eighth. A vector's default growth would waste up to half of
/// the memory.
pub(super) fn push_all<T: Clone>(vector: &mut Vec<T>, values: &[T]) {
    if vector.capacity() - vector.len() < values.len() {
        vector.reserve_exact(values.len() + vector.len() / 8 + 16);
    }
    vector.extend_from_slice(values);
}

/// Lists by index, each with the same number of consecutive parts, so that the first parts of a list are read as one
/// slice. Reuses memory that a list has outgrown.
#[derive(Debug)]
pub(super) struct PostingLists {
    parts: usize,
    /// For each list, its start, followed by the number of entries up to the end of each of its parts.
    places: Vec<u32>,
    entries: Vec<u64>,
    /// The starts of free blocks by size class: 1, 2, 3, 4, 6, 8, 12, … entries, up to the largest block ever freed.
    /// Small, because an application may keep one index per user.
    free: Vec<Vec<u32>>,
}

impl PostingLists {
    /// Creates an empty collection. Each list will have `parts` parts.
    pub(super) fn new(parts: usize) -> Self {
        Self { parts, places: Vec::new(), entries: Vec::new(), free: Vec::new() }
    }

    /// Returns the entries of a list up to and including part `last`; none if the list does not exist.
    #[inline]
    pub(super) fn prefix_up_to(&self, index: usize, last: usize) -> &[u64] {
        let stride = self.parts + 1;
        let Some(place) = self.places.get(index * stride..(index + 1) * stride) else { return &[] };
        &self.entries[place[0] as usize..][..place[1 + last] as usize]
    }

    /// Returns the position of a list in `places`.
    fn place(&self, index: usize) -> usize {
        index * (self.parts + 1)
    }

    /// Adds `entry` to a part of a list.
    pub(super) fn push(&mut self, index: usize, part: usize, entry: u64) {
        let place = self.place(index);
        if place >= self.places.len() {
            let more = vec![0; place + self.parts + 1 - self.places.len()];
            push_all(&mut self.places, &more);
        }
        let len = self.places[place + self.parts];
        self.resize(place, len, len + 1);
        let (start, ends) = (self.places[place] as usize, place + 1);
        // Each later part moves its first entry to its end.
        for behind in (part + 1..self.parts).rev() {
            let first = self.places[ends + behind - 1] as usize;
            self.entries[start + self.places[ends + behind] as usize] = self.entries[start + first];
            self.places[ends + behind] += 1;
        }
        self.entries[start + self.places[ends + part] as usize] = entry;
        self.places[ends + part] += 1;
    }

    /// Removes the entry whose lower half is `number` from a part of a list, if it exists.
    pub(super) fn remove(&mut self, index: usize, part: usize, number: u32) {
        let before = if part == 0 { 0 } else { self.prefix_up_to(index, part - 1).len() };
        let found = self.prefix_up_to(index, part)[before..].iter().position(|&entry| entry as u32 == number);
        let Some(at) = found else { return };
        let place = self.place(index);
        let (start, ends, len) = (self.places[place] as usize, place + 1, self.places[place + self.parts]);
        // The last entry of each part fills the gap at its start.
        let mut missing = start + before + at;
        for each in part..self.parts {
            self.places[ends + each] -= 1;
            let last = start + self.places[ends + each] as usize;
            self.entries[missing] = self.entries[last];
            missing = last;
        }
        self.resize(place, len, len - 1);
    }

    /// Resizes a list to `len` entries, one more or less than `before`.
    fn resize(&mut self, place: usize, before: u32, len: u32) {
        let (from, to) = (size_class(before), size_class(len));
        if from == to {
            return;
        }
        let old = self.places[place];
        let start = to.map_or(0, |class| self.take(class));
        self.entries.copy_within(old as usize..(old + before.min(len)) as usize, start as usize);
        if let Some(class) = from {
            if class >= self.free.len() {
                self.free.resize(class + 1, Vec::new());
            }
            push_all(&mut self.free[class], &[old]);
        }
        self.places[place] = start;
    }

    /// Returns the start of a free block of this size class.
    fn take(&mut self, class: usize) -> u32 {
        self.free.get_mut(class).and_then(Vec::pop).unwrap_or_else(|| {
            let start = self.entries.len() as u32;
            push_all(&mut self.entries, &vec![0; class_capacity(class)]);
            start
        })
    }

    /// Returns whether no more blocks can be allocated, because block starts have 32 bits.
    pub(super) fn is_full(&self) -> bool {
        self.entries.len() > u32::MAX as usize / 2
    }

    /// Returns the number of bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        size_of::<u32>() * (self.places.capacity() + free)
            + size_of::<u64>() * self.entries.capacity()
            + size_of::<Vec<u32>>() * self.free.capacity()
    }
}

/// Returns the size class of the smallest block for `len` entries; `None` for 0.
fn size_class(len: u32) -> Option<usize> {
    let Some(below) = len.checked_sub(1)?.checked_ilog2() else { return Some(0) };
    // Between two powers of two, there is one more size: one and a half times the lower one.
    let is_upper = below == 0 || len > 3 << (below - 1);
    Some(2 * below as usize + usize::from(is_upper))
}

/// Returns the number of entries in a block of a size class.
fn class_capacity(class: usize) -> usize {
    match class {
        0 => 1,
        class if class % 2 == 1 => 1 << class.div_ceil(2),
        class => 3 << (class / 2 - 1),
    }
}
