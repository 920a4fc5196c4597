//! Prefix filtering: finds sets by their rarest tokens, of all tokens or of those that are not set aside.
//!
//! of the rarest of each, however many that is follows from their sizes. Lists of the sets with of the rarest of each,
//! however many that are follows from their sizes. Lists of the sets with Two sets with a similarity of at least a
//! threshold share one of the rarest tokens of each; how many tokens that are follows from their sizes. So a search
//! reads only the lists of the sets with such a token, and signatures leave few of these to compare.
//!
//! Source: Bayardo, Ma, Srikant 2007, "Scaling up all pairs similarity search"; Xiao, Wang, Lin, Yu
//! 2008, "Efficient similarity joins for near duplicate detection".

use super::posting_lists::{Pool, push_all};
use super::signature::{most_different, signature};
use super::threshold::Threshold;
use super::token_set::Member;
use crate::Error;
use crate::arch::set_signatures::{Asked, SIZES, pass, pass_wide};
use crate::cancel::CancelMeter;

/// Minimum sizes for all parts of a list but the last. A record is in the part for the largest set that can find it
/// through this token. For the frequent words of a long text, only the first parts are read.
const PARTS: [usize; 5] = [33, 21, 15, 11, 8];

/// Minimum floor for which narrow signatures are enough, because few tokens may differ. Below it, wide signatures are
/// kept.
const NARROW_FROM: f64 = 0.8;

/// The lists of all tokens, or of those that are not set aside.
#[derive(Debug)]
pub(super) struct Side {
    /// The minimum similarity of a search.
    pub(super) floor: Threshold,
    is_core: bool,
    /// Each entry has the number of a record in its lower half and the record's narrow signature in its upper half, so
    /// that a search reads little else.
    lists: Pool,
    /// The wide signature of each record, if the floor requires them.
    signatures: Option<Vec<u64>>,
}

/// The set of a search: its tokens in the dictionary, and the number of its other tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    pub(super) known: &'a [Member],
    pub(super) unknown: usize,
}

impl Side {
    pub(super) fn new(floor: Threshold, is_core: bool) -> Self {
        let is_wide = Threshold::new(NARROW_FROM).is_some_and(|narrow_from| floor.is_below(narrow_from));
        // If few tokens are listed, a list has one part.
        let lists = Pool::new(if is_core { PARTS.len() + 1 } else { 1 });
        Self { floor, is_core, lists, signatures: is_wide.then(Vec::new) }
    }

    /// Returns the numbers of the tokens of `set` on this side, the rarest first.
    fn numbers<'a>(&self, set: &'a [Member]) -> impl Iterator<Item = u32> + Clone + use<'a> {
        let is_core = self.is_core;
        set.iter().filter(move |member| !(is_core && member.is_aside())).map(|member| member.number())
    }

    /// Returns the lists that `set` is in, with their parts.
    ///
    /// A set of `m` tokens shares at most `m - j` tokens with a set if the first shared token is its `j`th, counted
    /// from 0. That is enough up to some size of the other set.
    fn lists_of<'a>(&self, set: &'a [Member]) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let (numbers, floor, is_core) = (self.numbers(set), self.floor, self.is_core);
        let len = numbers.clone().count();
        numbers
            .take(floor.prefix(len))
            .enumerate()
            .map(move |(place, token)| (token as usize, part(is_core, floor.largest_sharing(len, len - place))))
    }

    /// Returns whether tokens that are set aside are excluded.
    pub(super) fn is_core(&self) -> bool {
        self.is_core
    }

    /// Returns whether no more lists can be allocated.
    pub(super) fn is_full(&self) -> bool {
        self.lists.is_full()
    }

    /// Adds `set`, which is record `number`, to its lists.
    pub(super) fn insert(&mut self, number: u32, set: &[Member]) {
        let (narrow, wide) = signature(self.numbers(set));
        for (list, part) in self.lists_of(set) {
            self.lists.push(list, part, u64::from(narrow) << 32 | u64::from(number));
        }
        if let Some(signatures) = &mut self.signatures {
            while signatures.len() <= number as usize {
                push_all(signatures, &[0]);
            }
            signatures[number as usize] = wide;
        }
    }

    /// Removes `set`, which is record `number`, from all lists.
    pub(super) fn remove(&mut self, number: u32, set: &[Member]) {
        for (list, part) in self.lists_of(set) {
            self.lists.remove(list, part, number);
        }
    }

    /// Returns the records whose similarity to `wanted` may reach `threshold`, in ascending order, each once.
    pub(super) fn candidates(
        &self,
        wanted: Wanted<'_>,
        threshold: Threshold,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Vec<u32>, Error> {
        let numbers = self.numbers(wanted.known);
        let len = numbers.clone().count() + wanted.unknown;
        // Unknown tokens are the rarest, and have no lists.
        let probed = threshold.prefix(len).saturating_sub(wanted.unknown);
        let mut passed = Vec::new();
        let (narrow, wide) = signature(numbers.clone());
        let most = most_different(len, wanted.unknown, threshold);
        let mut asked = Asked { own: narrow, most };
        let last = part(self.is_core, len);
        for (token, place) in numbers.take(probed).zip(wanted.unknown..) {
            // A record that shares none of the tokens before this one shares at most the rest.
            let largest = threshold.largest_sharing(len, len - place);
            asked.most[largest.saturating_add(1).min(SIZES)..].fill(-1);
            let list = self.lists.up_to(token as usize, last);
            meter.add(list.len())?;
            pass(&asked, list, &mut passed);
        }
        make_ascending(&mut passed);
        if let Some(signatures) = &self.signatures {
            pass_wide(&Asked { own: wide, most }, signatures, &mut passed);
        }
        Ok(passed)
    }

    /// Returns the number of tokens of `set` on this side.
    pub(super) fn count(&self, set: &[Member]) -> usize {
        self.numbers(set).count()
    }

    /// Returns the number of bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes() + size_of::<u64>() * self.signatures.as_ref().map_or(0, Vec::capacity)
    }
}

/// Minimum number of records that are sorted by marking them in a bitmap.
const MARKED_FROM: usize = 512;

/// Sorts `numbers` and removes duplicates.
fn make_ascending(numbers: &mut Vec<u32>) {
    let largest = numbers.iter().copied().max().unwrap_or(0) as usize;
    if numbers.len() < MARKED_FROM || largest / 64 > numbers.len() {
        numbers.sort_unstable();
        numbers.dedup();
        return;
    }
    let mut marks = vec![0_u64; largest / 64 + 1];
    for &number in numbers.iter() {
        marks[number as usize / 64] |= 1 << (number % 64);
    }
    numbers.clear();
    for (word, &mark) in (0..).step_by(64).zip(&marks) {
        let mut left = mark;
        while left != 0 {
            numbers.push(word + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

/// Returns the part of a list for records that can be found by sets of up to `size` tokens.
fn part(is_core: bool, size: usize) -> usize {
    if is_core { PARTS.partition_point(|&least| least > size) } else { 0 }
}
