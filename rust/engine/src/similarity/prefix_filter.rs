//! Sets by their rarest tokens: all of them, or those that are not set aside.
//!
//! Two sets as similar as a threshold have at least so many tokens in common that they share one
//! of the rarest of each, however many that are follows from their sizes. Lists of the sets with
//! such a token are all that a search reads; signatures leave few of those to compare.
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

/// A record is on the list of a token up to the size of sets that it can be found by there. These
/// are the least such sizes of all parts of a list but the last; of a long text's frequent words only
/// the first parts are read.
const PARTS: [usize; 5] = [33, 21, 15, 11, 8];

/// From this floor on so few tokens may differ that the narrow signature leaves hardly anything
/// over: wide ones are kept below it.
const NARROW_FROM: f64 = 0.8;

/// The lists of one side.
#[derive(Debug)]
pub(super) struct Side {
    /// The least similarity that can be asked for.
    pub(super) floor: Threshold,
    is_core: bool,
    /// Each entry is the number of a record, and above it the record's narrow signature: a list is
    /// read from its beginning to its end, and hardly anything else.
    lists: Pool,
    /// The wide signature of each record, if the floor asks for them.
    signatures: Option<Vec<u64>>,
}

/// A set that others are compared with: its tokens in the dictionary, and how many are not in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    pub(super) known: &'a [Member],
    pub(super) unknown: usize,
}

impl Side {
    pub(super) fn new(floor: Threshold, is_core: bool) -> Self {
        let is_wide = Threshold::new(NARROW_FROM).is_some_and(|narrow_from| floor.is_below(narrow_from));
        // Where few tokens are listed, a list has one part.
        let lists = Pool::new(if is_core { PARTS.len() + 1 } else { 1 });
        Self { floor, is_core, lists, signatures: is_wide.then(Vec::new) }
    }

    /// The numbers of the tokens of `set` on this side, rarest first.
    fn numbers<'a>(&self, set: &'a [Member]) -> impl Iterator<Item = u32> + Clone + use<'a> {
        let is_core = self.is_core;
        set.iter().filter(move |member| !(is_core && member.is_aside())).map(|member| member.number())
    }

    /// The lists that `set` is on, and in which part.
    ///
    /// Of a set of `m` tokens, at most `m - j` are shared with one whose first shared token is
    /// this set's `j`th. That is enough up to some size of the other.
    fn lists_of<'a>(&self, set: &'a [Member]) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let (numbers, floor, is_core) = (self.numbers(set), self.floor, self.is_core);
        let len = numbers.clone().count();
        numbers
            .take(floor.prefix(len))
            .enumerate()
            .map(move |(place, token)| (token as usize, part(is_core, floor.largest_sharing(len, len - place))))
    }

    /// Whether it leaves out what is set aside.
    pub(super) fn is_core(&self) -> bool {
        self.is_core
    }

    /// Whether there is no room for another list.
    pub(super) fn is_full(&self) -> bool {
        self.lists.is_full()
    }

    /// Lists `set`, which is record `number`.
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

    /// Takes `set`, which is record `number`, out of all lists.
    pub(super) fn remove(&mut self, number: u32, set: &[Member]) {
        for (list, part) in self.lists_of(set) {
            self.lists.remove(list, part, number);
        }
    }

    /// The records that may be as similar to `wanted` as `threshold`, in order, each once.
    pub(super) fn candidates(
        &self,
        wanted: Wanted<'_>,
        threshold: Threshold,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Vec<u32>, Error> {
        let numbers = self.numbers(wanted.known);
        let len = numbers.clone().count() + wanted.unknown;
        // The unknown ones are the rarest of all, and in no list.
        let probed = threshold.prefix(len).saturating_sub(wanted.unknown);
        let mut passed = Vec::new();
        let (narrow, wide) = signature(numbers.clone());
        let most = most_different(len, wanted.unknown, threshold);
        let mut asked = Asked { own: narrow, most };
        let last = part(self.is_core, len);
        for (token, place) in numbers.take(probed).zip(wanted.unknown..) {
            // Of a record that shares none of the tokens before it, no more than the rest are shared.
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

    /// Tokens of `set` on this side.
    pub(super) fn count(&self, set: &[Member]) -> usize {
        self.numbers(set).count()
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes() + size_of::<u64>() * self.signatures.as_ref().map_or(0, Vec::capacity)
    }
}

/// From so many numbers on they are sorted by marking them.
const MARKED_FROM: usize = 512;

/// Sorts `numbers` and leaves one of each.
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

/// The part of a list for records that can be found by sets of up to `size` tokens.
fn part(is_core: bool, size: usize) -> usize {
    if is_core { PARTS.partition_point(|&least| least > size) } else { 0 }
}
