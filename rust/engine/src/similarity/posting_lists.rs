//! Many lists of entries that grow, in one allocation.

/// No more than an eighth of what is kept is room for more: half, as vectors like it, would be
/// memory that nobody asked for.
pub(super) fn push_all<T: Clone>(vector: &mut Vec<T>, values: &[T]) {
    if vector.capacity() - vector.len() < values.len() {
        vector.reserve_exact(values.len() + vector.len() / 8 + 16);
    }
    vector.extend_from_slice(values);
}

/// Lists by their index, each in the same number of parts, one behind the other: the first parts of
/// a list are read in one go. What a list grows out of is used again.
#[derive(Debug)]
pub(super) struct Pool {
    parts: usize,
    /// For each list where it begins, and behind that how many entries there are up to the end of
    /// each part.
    places: Vec<u32>,
    entries: Vec<u64>,
    /// Starts of rooms that are free, by their size: 1, 2, 3, 4, 6, 8, 12, ... up to the largest that
    /// was ever given back. There may be a pool for each of many users.
    free: Vec<Vec<u32>>,
}

impl Pool {
    /// No lists, which will have `parts` parts.
    pub(super) fn new(parts: usize) -> Self {
        Self { parts, places: Vec::new(), entries: Vec::new(), free: Vec::new() }
    }

    /// The entries of the parts of a list up to `last`; none of one that nobody pushed to.
    #[inline]
    pub(super) fn up_to(&self, index: usize, last: usize) -> &[u64] {
        let stride = self.parts + 1;
        let Some(place) = self.places.get(index * stride..(index + 1) * stride) else { return &[] };
        &self.entries[place[0] as usize..][..place[1 + last] as usize]
    }

    /// Where the ends of a list's parts are kept, after its start.
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
        // Each part behind it gives its first place away and gets one at its end.
        for behind in (part + 1..self.parts).rev() {
            let first = self.places[ends + behind - 1] as usize;
            self.entries[start + self.places[ends + behind] as usize] = self.entries[start + first];
            self.places[ends + behind] += 1;
        }
        self.entries[start + self.places[ends + part] as usize] = entry;
        self.places[ends + part] += 1;
    }

    /// Takes the entry of `number`, which its lower half is, out of a part of a list, if it is there.
    pub(super) fn remove(&mut self, index: usize, part: usize, number: u32) {
        let before = if part == 0 { 0 } else { self.up_to(index, part - 1).len() };
        let found = self.up_to(index, part)[before..].iter().position(|&entry| entry as u32 == number);
        let Some(at) = found else { return };
        let place = self.place(index);
        let (start, ends, len) = (self.places[place] as usize, place + 1, self.places[place + self.parts]);
        // The last one of each part goes where one is missing at its beginning.
        let mut missing = start + before + at;
        for each in part..self.parts {
            self.places[ends + each] -= 1;
            let last = start + self.places[ends + each] as usize;
            self.entries[missing] = self.entries[last];
            missing = last;
        }
        self.resize(place, len, len - 1);
    }

    /// Gives a list the room for `len` entries, one more or less than `before`.
    fn resize(&mut self, place: usize, before: u32, len: u32) {
        let (from, to) = (room_for(before), room_for(len));
        if from == to {
            return;
        }
        let old = self.places[place];
        let start = to.map_or(0, |room| self.take(room));
        self.entries.copy_within(old as usize..(old + before.min(len)) as usize, start as usize);
        if let Some(room) = from {
            if room >= self.free.len() {
                self.free.resize(room + 1, Vec::new());
            }
            push_all(&mut self.free[room], &[old]);
        }
        self.places[place] = start;
    }

    /// The start of a room of this kind.
    fn take(&mut self, room: usize) -> u32 {
        self.free.get_mut(room).and_then(Vec::pop).unwrap_or_else(|| {
            let start = self.entries.len() as u32;
            push_all(&mut self.entries, &vec![0; size_of_room(room)]);
            start
        })
    }

    /// Whether a list could be given no room any more: starts are numbers of 32 bits.
    pub(super) fn is_full(&self) -> bool {
        self.entries.len() > u32::MAX as usize / 2
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        size_of::<u32>() * (self.places.capacity() + free)
            + size_of::<u64>() * self.entries.capacity()
            + size_of::<Vec<u32>>() * self.free.capacity()
    }
}

/// The smallest room for `len` entries; none is needed for 0.
fn room_for(len: u32) -> Option<usize> {
    let Some(below) = len.checked_sub(1)?.checked_ilog2() else { return Some(0) };
    // Between powers of two there is one that is half as large again.
    let is_upper = below == 0 || len > 3 << (below - 1);
    Some(2 * below as usize + usize::from(is_upper))
}

/// Entries of a room.
fn size_of_room(room: usize) -> usize {
    match room {
        0 => 1,
        room if room % 2 == 1 => 1 << room.div_ceil(2),
        room => 3 << (room / 2 - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::{Pool, room_for, size_of_room};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_are_what_vectors_would_be(
            steps in prop::collection::vec((0..4_usize, 0..3_usize, any::<bool>(), 0..40_u32), 0..400),
        ) {
            let mut pool = Pool::new(3);
            let mut lists = vec![vec![Vec::new(); 3]; 4];
            for (index, part, is_push, number) in steps {
                let list = &mut lists[index][part];
                if is_push {
                    pool.push(index, part, 7 << 32 | u64::from(number));
                    list.push(7 << 32 | u64::from(number));
                } else {
                    pool.remove(index, part, number);
                    if let Some(at) = list.iter().position(|&other| other as u32 == number) {
                        list.swap_remove(at);
                    }
                }
                for (index, parts) in lists.iter().enumerate() {
                    let mut expected = Vec::new();
                    for (part, list) in parts.iter().enumerate() {
                        let mut found = pool.up_to(index, part)[expected.len()..].to_vec();
                        let mut list = list.clone();
                        found.sort_unstable();
                        list.sort_unstable();
                        prop_assert_eq!(&list, &found);
                        expected.extend(list);
                    }
                }
            }
        }
    }

    #[test]
    fn a_room_is_the_smallest_that_is_large_enough() {
        assert_eq!(None, room_for(0));
        for len in 1..100_000 {
            let room = room_for(len).unwrap();
            assert!(size_of_room(room) >= len as usize);
            assert!(room == 0 || size_of_room(room - 1) < len as usize);
        }
    }
}
