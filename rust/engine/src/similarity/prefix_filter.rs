//! Prefix filtering: finds similar sets by their rarest tokens, with or without stop tokens.
//!
//! Two sets with a similarity of at least a threshold share one of the rarest tokens of each; the sizes of the sets
//! determine how many tokens these are. So a search reads only the posting lists of its rarest tokens, and signatures
//! exclude most of the sets in these lists.
//!
//! Source: Bayardo, Ma, Srikant 2007, "Scaling up all pairs similarity search"; Xiao, Wang, Lin, Yu 2008, "Efficient
//! similarity joins for near duplicate detection".

use super::posting_lists::{PostingLists, push_all};
use super::threshold::Threshold;
use super::token_set::{TokenRef, max_symmetric_difference, signature};
use crate::Error;
use crate::arch::set_signatures::{SIZES, SignatureQuery, filter32, filter64};
use crate::cancel::CancelMeter;

/// The minimum size of the query sets that read each part of a list, except for the last part, which has no minimum. A
/// set is stored in the part for the largest query set that can find it through this token. So a long text reads only
/// the first parts of the lists of its frequent words.
const PARTS: [usize; 5] = [33, 21, 15, 11, 8];

/// The minimum threshold of an index for which narrow signatures suffice, because few tokens may differ. An index with
/// a lower one also keeps wide signatures.
const NARROW_FROM: f64 = 0.8;

/// The posting lists over all tokens, or over those that are not stop tokens.
#[derive(Debug)]
pub(super) struct PrefixFilter {
    /// The minimum threshold of a search.
    pub(super) floor: Threshold,
    is_stop_free: bool,
    /// Each entry has the number of a set in its lower half and that set's narrow signature in its upper half, so that
    /// a search reads little else.
    lists: PostingLists,
    /// The wide signature of each set, if the floor or the index requires them.
    signatures: Option<Vec<u64>>,
}

/// The query set: its tokens in the dictionary, and the number of its other tokens.
#[derive(Clone, Copy, Debug)]
pub(super) struct CandidateQuery<'a> {
    pub(super) known: &'a [TokenRef],
    pub(super) unknown: usize,
}

impl PrefixFilter {
    /// Creates an empty filter. It keeps wide signatures if `is_wide`, or if `floor` is low.
    pub(super) fn new(floor: Threshold, is_stop_free: bool, is_wide: bool) -> Self {
        let is_wide = is_wide || Threshold::new(NARROW_FROM).is_some_and(|narrow_from| floor.is_below(narrow_from));
        // One part is enough if the minimum threshold is high, so that only few tokens of each set are listed.
        let lists = PostingLists::new(if is_stop_free { PARTS.len() + 1 } else { 1 });
        Self { floor, is_stop_free, lists, signatures: is_wide.then(Vec::new) }
    }

    /// Removes all sets.
    pub(super) fn clear(&mut self) {
        *self = Self::new(self.floor, self.is_stop_free, self.signatures.is_some());
    }

    /// Returns the wide signature of a set, if this filter keeps them.
    pub(super) fn signature(&self, number: u32) -> Option<u64> {
        self.signatures.as_ref()?.get(number as usize).copied()
    }

    /// Returns the numbers of the tokens of `set` that this filter includes, the rarest first.
    fn numbers<'a>(&self, set: &'a [TokenRef]) -> impl Iterator<Item = u32> + Clone + use<'a> {
        let is_stop_free = self.is_stop_free;
        set.iter().filter(move |member| !(is_stop_free && member.is_stop())).map(|member| member.number())
    }

    /// Returns the lists that contain `set`, each with the part.
    ///
    /// A set of `m` tokens shares at most `m - j` tokens with another one if the first shared token is its `j`th,
    /// counted from 0. That limits the size of the other set.
    fn lists_of<'a>(&self, set: &'a [TokenRef]) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let (numbers, floor, is_stop_free) = (self.numbers(set), self.floor, self.is_stop_free);
        let len = numbers.clone().count();
        numbers.take(floor.prefix(len)).enumerate().map(move |(place, token)| {
            (token as usize, part(is_stop_free, floor.max_size_for_overlap(len, len - place)))
        })
    }

    /// Returns whether stop tokens are excluded.
    pub(super) fn is_stop_free(&self) -> bool {
        self.is_stop_free
    }

    /// Returns whether no more lists can be allocated.
    pub(super) fn is_full(&self) -> bool {
        self.lists.is_full()
    }

    /// Adds `set`, which has this number, to its lists.
    pub(super) fn insert(&mut self, number: u32, set: &[TokenRef]) {
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

    /// Removes `set`, which has this number, from all lists.
    pub(super) fn remove(&mut self, number: u32, set: &[TokenRef]) {
        for (list, part) in self.lists_of(set) {
            self.lists.remove(list, part, number);
        }
    }

    /// Returns the numbers of the sets whose similarity to `query` may reach `threshold`, in ascending order, without
    /// duplicates.
    pub(super) fn candidates(
        &self,
        query: CandidateQuery<'_>,
        threshold: Threshold,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Vec<u32>, Error> {
        let numbers = self.numbers(query.known);
        let len = numbers.clone().count() + query.unknown;
        // Unknown tokens are the rarest, and have no lists.
        let probed = threshold.prefix(len).saturating_sub(query.unknown);
        let mut passed = Vec::new();
        let (narrow, wide) = signature(numbers.clone());
        let most = max_symmetric_difference(len, query.unknown, threshold);
        let mut narrow_query = SignatureQuery { own: narrow, most };
        let last = part(self.is_stop_free, len);
        for (token, place) in numbers.take(probed).zip(query.unknown..) {
            // A set that contains none of the tokens before this one shares at most the remaining ones.
            let largest = threshold.max_size_for_overlap(len, len - place);
            narrow_query.most[largest.saturating_add(1).min(SIZES)..].fill(-1);
            let list = self.lists.prefix_up_to(token as usize, last);
            meter.charge(list.len())?;
            filter32(&narrow_query, list, &mut passed);
        }
        make_ascending(&mut passed);
        if let Some(signatures) = &self.signatures {
            filter64(&SignatureQuery { own: wide, most }, signatures, &mut passed);
        }
        Ok(passed)
    }

    /// Returns the number of tokens of `set` that this filter includes.
    pub(super) fn count(&self, set: &[TokenRef]) -> usize {
        self.numbers(set).count()
    }

    /// Returns the number of bytes on the heap.
    pub(super) fn bytes(&self) -> usize {
        self.lists.bytes() + size_of::<u64>() * self.signatures.as_ref().map_or(0, Vec::capacity)
    }
}

/// The minimum number of candidates that are sorted with a bitmap.
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

/// Returns the part of a list for sets that query sets of up to `size` tokens can find.
fn part(is_stop_free: bool, size: usize) -> usize {
    if is_stop_free { PARTS.partition_point(|&least| least > size) } else { 0 }
}
