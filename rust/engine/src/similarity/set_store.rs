//! The sets of an index by number.

use super::posting_lists::push_all;
use super::token_set::TokenRef;

/// The position of a set. A removed set has none.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    len: u32,
}

const REMOVED: Place = Place { start: u32::MAX, len: 0 };

/// Concatenated sets. The number of a removed set is reused for the next one.
#[derive(Debug, Default)]
pub(super) struct SetStore {
    places: Vec<Place>,
    members: Vec<TokenRef>,
    free: Vec<u32>,
    removed_members: usize,
}

impl SetStore {
    /// Returns the number of sets.
    pub(super) fn len(&self) -> usize {
        self.places.len() - self.free.len()
    }

    /// Returns whether `more` tokens do not fit, because positions have 32 bits.
    pub(super) fn is_full(&self, more: usize) -> bool {
        self.members.len() + more >= u32::MAX as usize || self.places.len() >= u32::MAX as usize
    }

    /// Returns the set with this number, if there is one.
    #[inline]
    pub(super) fn get(&self, number: u32) -> Option<&[TokenRef]> {
        let place = self.places.get(number as usize).filter(|place| place.start != REMOVED.start)?;
        Some(&self.members[place.start as usize..][..place.len as usize])
    }

    /// Stores `set` and returns its number.
    pub(super) fn insert(&mut self, set: &[TokenRef]) -> u32 {
        let place = Place { start: self.members.len() as u32, len: set.len() as u32 };
        push_all(&mut self.members, set);
        if let Some(number) = self.free.pop() {
            self.places[number as usize] = place;
            return number;
        }
        push_all(&mut self.places, &[place]);
        self.places.len() as u32 - 1
    }

    /// Removes the set with this number, which must exist.
    pub(super) fn remove(&mut self, number: u32) {
        self.removed_members += self.places[number as usize].len as usize;
        self.places[number as usize] = REMOVED;
        push_all(&mut self.free, &[number]);
    }

    /// Returns whether removed sets take most of the memory.
    pub(super) fn needs_compaction(&self) -> bool {
        2 * self.removed_members > self.members.len() + (1 << 12)
    }

    /// Returns all sets with their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &[TokenRef])> {
        (0..self.places.len() as u32).filter_map(|number| Some((number, self.get(number)?)))
    }

    /// Replaces each set by the result of `renewed`, and releases the memory of removed sets.
    pub(super) fn remap(&mut self, mut renewed: impl FnMut(&[TokenRef]) -> Vec<TokenRef>) {
        let mut members = Vec::with_capacity(self.members.len() - self.removed_members);
        for place in self.places.iter_mut().filter(|place| place.start != REMOVED.start) {
            let set = renewed(&self.members[place.start as usize..][..place.len as usize]);
            place.start = members.len() as u32;
            members.extend(set);
        }
        self.members = members;
        self.removed_members = 0;
    }

    /// Returns the number of bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Place>() * self.places.capacity()
            + size_of::<TokenRef>() * self.members.capacity()
            + size_of::<u32>() * self.free.capacity()
    }
}
