//! Many lists of numbers that grow, in one allocation.

/// No more than an eighth of what is kept is room for more: half, as vectors like it, would be
/// memory that nobody asked for.
pub(super) fn push_all<T: Clone>(vector: &mut Vec<T>, values: &[T]) {
    if vector.capacity() - vector.len() < values.len() {
        vector.reserve_exact(values.len() + vector.len() / 8 + 16);
    }
    vector.extend_from_slice(values);
}

/// Where a list is: `len` numbers from `start` on. The only number of a list stands in `start`
/// itself, for most tokens of a language are rare.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    start: u32,
    len: u32,
}

/// Lists by their index. A list has room for a power of two; what it grows out of is used again.
#[derive(Debug, Default)]
pub(super) struct Pool {
    places: Vec<Place>,
    numbers: Vec<u32>,
    /// Starts of rooms that are free, by the logarithm of their size.
    free: [Vec<u32>; 32],
}

impl Pool {
    /// The numbers of a list, in the order of their pushing; none of one that nobody pushed to.
    #[inline]
    pub(super) fn list(&self, index: usize) -> &[u32] {
        match self.places.get(index) {
            None | Some(Place { len: 0, .. }) => &[],
            Some(Place { start, len: 1 }) => std::slice::from_ref(start),
            Some(place) => &self.numbers[place.start as usize..][..place.len as usize],
        }
    }

    /// Adds `number` to a list.
    pub(super) fn push(&mut self, index: usize, number: u32) {
        if index >= self.places.len() {
            let more = vec![Place::default(); index + 1 - self.places.len()];
            push_all(&mut self.places, &more);
        }
        let Place { start, len } = self.places[index];
        if len == 0 {
            self.places[index] = Place { start: number, len: 1 };
            return;
        }
        let mut to = start;
        if len.is_power_of_two() {
            to = self.room(len.ilog2() + 1);
            if len == 1 {
                self.numbers[to as usize] = start;
            } else {
                self.numbers.copy_within(start as usize..(start + len) as usize, to as usize);
                self.free[len.ilog2() as usize].push(start);
            }
        }
        self.numbers[(to + len) as usize] = number;
        self.places[index] = Place { start: to, len: len + 1 };
    }

    /// Takes `number` out of a list, if it is there; the last one takes its place.
    pub(super) fn remove(&mut self, index: usize, number: u32) {
        let Some(at) = self.list(index).iter().position(|&other| other == number) else { return };
        let Place { start, len } = self.places[index];
        let Some(left) = (len - 1).checked_ilog2().filter(|_| len > 2) else {
            // None is left, or the other one, which goes back to where single numbers stand.
            let other = if len == 2 { self.numbers[start as usize + 1 - at] } else { 0 };
            if len == 2 {
                self.free[1].push(start);
            }
            self.places[index] = Place { start: other, len: len - 1 };
            return;
        };
        self.numbers[start as usize + at] = self.numbers[(start + len - 1) as usize];
        let mut to = start;
        if (len - 1).is_power_of_two() {
            // As it has room for a power of two alone, the list moves into the smaller room.
            to = self.room(left);
            self.numbers.copy_within(start as usize..(start + len - 1) as usize, to as usize);
            self.free[left as usize + 1].push(start);
        }
        self.places[index] = Place { start: to, len: len - 1 };
    }

    /// The start of a room for `2^log` numbers.
    fn room(&mut self, log: u32) -> u32 {
        self.free[log as usize].pop().unwrap_or_else(|| {
            let start = self.numbers.len() as u32;
            let size = 1_usize << log;
            if self.numbers.capacity() - self.numbers.len() < size {
                self.numbers.reserve_exact(size + self.numbers.len() / 8);
            }
            self.numbers.resize(start as usize + size, 0);
            start
        })
    }

    /// Whether a list could be given no room any more: starts are numbers of 32 bits.
    pub(super) fn is_full(&self) -> bool {
        self.numbers.len() > u32::MAX as usize / 2
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        let free: usize = self.free.iter().map(Vec::capacity).sum();
        size_of::<Place>() * self.places.capacity() + size_of::<u32>() * (self.numbers.capacity() + free)
    }
}

#[cfg(test)]
mod tests {
    use super::Pool;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lists_are_what_vectors_would_be(steps in prop::collection::vec((0..5_usize, any::<bool>(), 0..40_u32), 0..400)) {
            let mut pool = Pool::default();
            let mut lists = vec![Vec::new(); 5];
            for (index, is_push, number) in steps {
                if is_push {
                    pool.push(index, number);
                    lists[index].push(number);
                } else {
                    pool.remove(index, number);
                    if let Some(at) = lists[index].iter().position(|&other| other == number) {
                        lists[index].swap_remove(at);
                    }
                }
                for (index, list) in lists.iter().enumerate() {
                    prop_assert_eq!(list.as_slice(), pool.list(index));
                }
            }
        }
    }
}
