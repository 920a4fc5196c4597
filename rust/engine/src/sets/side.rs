//! Sets by their rarest tokens: all of them, or those that are not set aside.
//!
//! Two sets as similar as a threshold have at least so many tokens in common that they share one
//! of the rarest of each, however many that are follows from their sizes. Lists of the sets with
//! such a token are all that a search reads; signatures leave few of those to compare.
//!
//! Source: Bayardo, Ma, Srikant 2007, "Scaling up all pairs similarity search"; Xiao, Wang, Lin, Yu
//! 2008, "Efficient similarity joins for near duplicate detection".

use super::collected::Member;
use super::pool::{Pool, push_all};
use super::signature::{asked, signature};
use super::threshold::Threshold;
use crate::Error;
use crate::arch::signatures;
use crate::interrupt::Meter;

/// A record is on the list of a token up to the size of sets that it can be found by there. These
/// are the largest such sizes of all parts of a list but the last; of a long text's frequent words
/// only the last parts are read.
const PARTS: [usize; 5] = [7, 10, 14, 20, 32];

/// The lists of one side.
#[derive(Debug)]
pub(super) struct Side {
    /// The least similarity that can be asked for.
    pub(super) floor: Threshold,
    is_core: bool,
    lists: Pool,
    signatures: Vec<u64>,
}

/// A set that others are compared with: its tokens in the dictionary, and how many are not in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted<'a> {
    pub(super) known: &'a [Member],
    pub(super) unknown: usize,
}

impl Side {
    pub(super) fn new(floor: Threshold, is_core: bool) -> Self {
        Self { floor, is_core, lists: Pool::default(), signatures: Vec::new() }
    }

    /// The numbers of the tokens of `set` on this side, rarest first.
    fn numbers<'a>(&self, set: &'a [Member]) -> impl Iterator<Item = u32> + Clone + use<'a> {
        let is_core = self.is_core;
        set.iter().filter(move |member| !(is_core && member.is_aside())).map(|member| member.number())
    }

    /// The lists that `set` is on.
    ///
    /// Of a set of `m` tokens, at most `m - j` are shared with one whose first shared token is
    /// this set's `j`th. That is enough up to some size of the other.
    fn lists_of<'a>(&self, set: &'a [Member]) -> impl Iterator<Item = usize> + use<'a> {
        let (numbers, floor, is_core) = (self.numbers(set), self.floor, self.is_core);
        let len = numbers.clone().count();
        numbers
            .take(floor.prefix(len))
            .enumerate()
            .map(move |(place, token)| list_index(is_core, token, floor.largest_sharing(len, len - place)))
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
        for list in self.lists_of(set) {
            self.lists.push(list, number);
        }
        let signature = signature(self.numbers(set));
        while self.signatures.len() <= number as usize {
            push_all(&mut self.signatures, &[0]);
        }
        self.signatures[number as usize] = signature;
    }

    /// Takes `set`, which is record `number`, out of all lists.
    pub(super) fn remove(&mut self, number: u32, set: &[Member]) {
        for list in self.lists_of(set) {
            self.lists.remove(list, number);
        }
    }

    /// The records that may be as similar to `wanted` as `threshold`, in order, each once.
    pub(super) fn candidates(
        &self,
        wanted: Wanted<'_>,
        threshold: Threshold,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<u32>, Error> {
        let numbers = self.numbers(wanted.known);
        let len = numbers.clone().count() + wanted.unknown;
        // The unknown ones are the rarest of all, and in no list.
        let probed = threshold.prefix(len).saturating_sub(wanted.unknown);
        let mut passed = Vec::new();
        let mut prepared = None;
        for token in numbers.clone().take(probed) {
            for list in list_index(self.is_core, token, len)..=list_index(self.is_core, token, usize::MAX) {
                let list = self.lists.list(list);
                if list.is_empty() {
                    continue;
                }
                let asked =
                    prepared.get_or_insert_with(|| asked(signature(numbers.clone()), len, wanted.unknown, threshold));
                meter.add(list.len())?;
                signatures::pass(asked, list, &self.signatures, &mut passed);
            }
        }
        passed.sort_unstable();
        passed.dedup();
        Ok(passed)
    }

    /// Tokens of `set` on this side.
    pub(super) fn count(&self, set: &[Member]) -> usize {
        self.numbers(set).count()
    }

    /// Bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes() + size_of::<u64>() * self.signatures.capacity()
    }
}

/// The part of a token's list for sets of up to `size` tokens. Where few tokens are listed, a list
/// has one part.
fn list_index(is_core: bool, token: u32, size: usize) -> usize {
    if is_core {
        token as usize * (PARTS.len() + 1) + PARTS.partition_point(|&most| most < size)
    } else {
        token as usize
    }
}
