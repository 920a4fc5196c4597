//! Exact search by Jaccard similarity in a changing collection of sets.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

use hashbrown::HashMap;

use super::dictionary::{Dictionary, reorder_by_frequency};
use super::prefix_filter::{CandidateQuery, PrefixFilter};
use super::set_store::SetStore;
use super::threshold::Threshold;
use super::token_set::{TokenRef, min_symmetric_difference, shared, signature, sort_and_dedup};
use super::tokens::Tokens;
use crate::cancel::CancelMeter;
use crate::text::{Text, TextRef};
use crate::{Cancel, Error};

/// The sizes of the index at which tokens are renumbered by frequency. Beyond the last one, new tokens are rare, and
/// renumbering would take too long for one insertion.
const RANKED_AT: [usize; 5] = [1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16];

/// An index of texts as sets of tokens, searched by Jaccard similarity.
///
/// All results are exact, also after insertions and removals. A text takes 4 bytes per token and 16 more (24 if the
/// index also searches without stop tokens), 8 to 10 bytes for each posting list that contains it, and about 70 bytes
/// for each new token.
///
/// # Examples
///
/// ```
/// use groundwire_engine::Never;
/// use groundwire_engine::similarity::{JaccardIndex, Threshold, TokenRule, Tokens};
///
/// let floor = Threshold::new(0.5).expect("0.5 is a valid threshold");
/// let mut index = JaccardIndex::new(Tokens::new(TokenRule::Unicode, &[]), floor, None);
/// index.insert("We deploy on Mondays", &Never)?;
/// let found = index.query("We always deploy on Mondays.", floor, 1, &Never)?;
/// assert_eq!((found[0].number, found[0].similarity()), (0, 0.8));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct JaccardIndex {
    tokens: Arc<Tokens>,
    dictionary: Dictionary,
    sets: SetStore,
    all: PrefixFilter,
    stop_free: Option<PrefixFilter>,
}

/// A similar text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbor {
    /// The number of the text in the index.
    pub number: u32,
    /// The number of tokens in both texts.
    pub shared: usize,
    /// The number of tokens in either text.
    pub either: usize,
}

impl Neighbor {
    /// Returns the Jaccard similarity, `shared / either`, rounded as in Python; 0 for two empty sets.
    #[must_use]
    pub fn similarity(&self) -> f64 {
        if self.either == 0 { 0.0 } else { self.shared as f64 / self.either as f64 }
    }
}

/// A query: the known tokens of a text, and the numbers of its distinct unknown tokens, with and without stop tokens.
#[derive(Debug, Default)]
struct SetQuery {
    known: Vec<TokenRef>,
    unknown: usize,
    unknown_stop_free: usize,
}

impl JaccardIndex {
    /// Creates an empty index for searches with a threshold of at least `floor` over all tokens, and, if there is a
    /// `stop_free_floor`, with that threshold over the tokens other than stop tokens (see [`Tokens::new`]). Without
    /// `stop_free_floor`, the index cannot search without stop tokens, and takes less memory.
    #[must_use]
    pub fn new(tokens: Tokens, floor: Threshold, stop_free_floor: Option<Threshold>) -> Self {
        Self::with(Arc::new(tokens), floor, stop_free_floor)
    }

    /// Creates an empty index with the parameters of this one.
    #[must_use]
    pub fn empty(&self) -> Self {
        Self::with(Arc::clone(&self.tokens), self.all.floor, self.stop_free.as_ref().map(|stop_free| stop_free.floor))
    }

    fn with(tokens: Arc<Tokens>, floor: Threshold, stop_free_floor: Option<Threshold>) -> Self {
        Self {
            tokens,
            dictionary: Dictionary::default(),
            sets: SetStore::default(),
            // Searches without stop tokens rank their hits by all tokens (see [`Best`]).
            all: PrefixFilter::new(floor, false, stop_free_floor.is_some()),
            stop_free: stop_free_floor.map(|floor| PrefixFilter::new(floor, true, false)),
        }
    }

    /// Returns the number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// Returns whether the index is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of bytes on the heap, without memory shared with other indexes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let filters = self.all.bytes() + self.stop_free.as_ref().map_or(0, PrefixFilter::bytes);
        let tokens = if Arc::strong_count(&self.tokens) == 1 { self.tokens.bytes() } else { 0 };
        tokens + self.dictionary.bytes() + self.sets.bytes() + filters
    }

    /// Adds `text` and returns its number: the number of a removed text, or the next one.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if `text` is too long, [`Error::IndexFull`] beyond 2³¹ distinct tokens or 2³² tokens of
    /// all texts together, [`Error::Cancelled`] if `cancel` requests cancellation. After an error, `text` is not in the
    /// index.
    pub fn insert<'t>(&mut self, text: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<u32, Error> {
        let mut set = Vec::new();
        let dictionary = &mut self.dictionary;
        self.tokens.each(text.into().units(), cancel, &mut |token, is_stop| {
            set.push(TokenRef::new(dictionary.number(token)?, is_stop));
            Ok(())
        })?;
        sort_and_dedup(&mut set);
        if self.sets.is_full(set.len()) || filters(&mut self.all, &mut self.stop_free).any(|filter| filter.is_full()) {
            return Err(Error::IndexFull);
        }
        let number = self.sets.insert(&set);
        filters(&mut self.all, &mut self.stop_free).for_each(|filter| filter.insert(number, &set));
        if RANKED_AT.contains(&self.len()) {
            self.reorder_by_frequency()?;
        }
        Ok(number)
    }

    /// Adds `text`, and returns the most similar of the other texts if its similarity is at least `threshold`. Ties go
    /// to the lowest number. The result is that of [`query`](Self::query) followed by [`insert`](Self::insert), but
    /// tokens are looked up only once.
    ///
    /// # Errors
    ///
    /// Those of [`query`](Self::query) and [`insert`](Self::insert). After an error, `text` may be in the index.
    pub fn insert_and_query<'t>(
        &mut self,
        text: impl Into<Text<'t>>,
        threshold: Threshold,
        cancel: &dyn Cancel,
    ) -> Result<Option<Neighbor>, Error> {
        if threshold.is_below(self.all.floor) {
            return Err(Error::BelowFloor);
        }
        let number = self.insert(text, cancel)?;
        let Some(known) = self.sets.get(number) else { return Ok(None) };
        // Two hits, because the text itself may come first among equally similar ones.
        let hits = self.hits(&self.all, CandidateQuery { known, unknown: 0 }, threshold, 0, 2, cancel)?;
        Ok(hits.into_iter().find(|hit| hit.number != number))
    }

    /// Removes the text with this number, and returns whether it existed.
    ///
    /// # Errors
    ///
    /// Only errors that building the index would have returned.
    pub fn remove(&mut self, number: u32) -> Result<bool, Error> {
        let Some(set) = self.sets.get(number) else { return Ok(false) };
        filters(&mut self.all, &mut self.stop_free).for_each(|filter| filter.remove(number, set));
        self.sets.remove(number);
        if self.sets.needs_compaction() {
            self.reorder_by_frequency()?;
        }
        Ok(true)
    }

    fn reorder_by_frequency(&mut self) -> Result<(), Error> {
        self.dictionary = reorder_by_frequency(&self.dictionary, &mut self.sets)?;
        filters(&mut self.all, &mut self.stop_free).for_each(PrefixFilter::clear);
        for (number, set) in self.sets.iter() {
            filters(&mut self.all, &mut self.stop_free).for_each(|filter| filter.insert(number, set));
        }
        Ok(())
    }

    /// Returns at most `limit` texts with a similarity of at least `threshold`, the most similar first. Ties are in
    /// ascending order of number. `threshold` must be at least the index's `floor`.
    ///
    /// # Errors
    ///
    /// [`Error::BelowFloor`] if `threshold` is below the index's `floor`, [`Error::TextTooLong`] if `text` is too long,
    /// [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn query<'t>(
        &self,
        text: impl Into<Text<'t>>,
        threshold: Threshold,
        limit: usize,
        cancel: &dyn Cancel,
    ) -> Result<Vec<Neighbor>, Error> {
        if threshold.is_below(self.all.floor) {
            return Err(Error::BelowFloor);
        }
        let set_query = self.set_query(text.into().units(), cancel)?;
        let query = CandidateQuery { known: &set_query.known, unknown: set_query.unknown };
        self.hits(&self.all, query, threshold, set_query.unknown, limit, cancel)
    }

    /// Returns at most `limit` texts whose similarity without stop tokens is at least the index's `stop_free_floor`;
    /// none if it has no `stop_free_floor`. The order is that of [`query`](Self::query): by the similarity of all
    /// tokens.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if `text` is too long, [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn query_without_stop_tokens<'t>(
        &self,
        text: impl Into<Text<'t>>,
        limit: usize,
        cancel: &dyn Cancel,
    ) -> Result<Vec<Neighbor>, Error> {
        let Some(stop_free) = &self.stop_free else { return Ok(Vec::new()) };
        let set_query = self.set_query(text.into().units(), cancel)?;
        let query = CandidateQuery { known: &set_query.known, unknown: set_query.unknown_stop_free };
        self.hits(stop_free, query, stop_free.floor, set_query.unknown, limit, cancel)
    }

    fn set_query(&self, text: TextRef<'_>, cancel: &dyn Cancel) -> Result<SetQuery, Error> {
        // Assumes words of five letters and a space.
        let mut set_query = SetQuery { known: Vec::with_capacity(text.len() / 6 + 1), ..SetQuery::default() };
        // As in a set, a token is a stop token if any of its occurrences is one.
        let mut unknown: HashMap<Vec<u8>, bool> = HashMap::default();
        self.tokens.each(text, cancel, &mut |token, is_stop| {
            match self.dictionary.find(token) {
                Some(number) => set_query.known.push(TokenRef::new(number, is_stop)),
                None => *unknown.entry_ref(token).or_default() |= is_stop,
            }
            Ok(())
        })?;
        sort_and_dedup(&mut set_query.known);
        set_query.unknown = unknown.len();
        set_query.unknown_stop_free = unknown.values().filter(|&&is_stop| !is_stop).count();
        Ok(set_query)
    }

    /// Returns the `limit` most similar sets among those whose similarity to `query`, by the tokens that `filter`
    /// includes, is at least `threshold`. `unknown` is the number of all tokens of the text that are not in the
    /// dictionary.
    fn hits(
        &self,
        filter: &PrefixFilter,
        query: CandidateQuery<'_>,
        threshold: Threshold,
        unknown: usize,
        limit: usize,
        cancel: &dyn Cancel,
    ) -> Result<Vec<Neighbor>, Error> {
        let mut meter = CancelMeter::new(cancel);
        let len = filter.count(query.known) + query.unknown;
        let all = query.known.len() + unknown;
        let own = signature(query.known.iter().map(|member| member.number())).1;
        let mut best = Best { limit, hits: BinaryHeap::new() };
        for number in filter.candidates(query, threshold, &mut meter)? {
            let Some(set) = self.sets.get(number) else { continue };
            meter.charge(1)?;
            if let Some(worst) = best.worst() {
                let bits = self.all.signature(number).map_or(0, |other| min_symmetric_difference(own, other));
                if !worst.is_exceeded(all, set.len(), unknown + bits) {
                    continue;
                }
            }
            meter.charge(query.known.len() + set.len())?;
            let (shared, stop_free) = shared(query.known, set);
            let counted = if filter.is_stop_free() { stop_free } else { shared };
            if threshold.is_reached(counted, len + filter.count(set) - counted) {
                best.push(Neighbor { number, shared, either: all + set.len() - shared });
            }
        }
        Ok(best.hits.into_sorted_vec().into_iter().map(|Ranked(hit)| hit).collect())
    }
}

fn filters<'a>(
    all: &'a mut PrefixFilter,
    stop_free: &'a mut Option<PrefixFilter>,
) -> impl Iterator<Item = &'a mut PrefixFilter> {
    std::iter::once(all).chain(stop_free)
}

/// The `limit` most similar hits. Hits must be offered in ascending order of number, so a hit that is not more similar
/// than the worst of `limit` hits is not one of them. Signatures show that for nearly all hits without comparing
/// tokens.
struct Best {
    limit: usize,
    hits: BinaryHeap<Ranked>,
}

impl Best {
    /// Returns the worst of `limit` hits; `None` if there are fewer, in which case any other hit is accepted.
    fn worst(&self) -> Option<&Ranked> {
        if self.hits.len() < self.limit { None } else { self.hits.peek() }
    }

    fn push(&mut self, hit: Neighbor) {
        self.hits.push(Ranked(hit));
        if self.hits.len() > self.limit {
            self.hits.pop();
        }
    }
}

/// A hit, ordered like results: the most similar first, ties by ascending number.
#[derive(PartialEq)]
struct Ranked(Neighbor);

impl Ranked {
    /// Returns whether two sets of `len` and `other_len` tokens can be more similar than this hit if at least
    /// `different` tokens occur in only one of them.
    fn is_exceeded(&self, len: usize, other_len: usize, different: usize) -> bool {
        let both = len + other_len;
        let different = different.max(len.abs_diff(other_len)).min(both);
        // The total size and the number of tokens in only one set have the same parity.
        let different = different + (both - different) % 2;
        let (shared, either) = ((both - different) / 2, (both + different) / 2);
        shared as u128 * self.0.either as u128 > self.0.shared as u128 * either as u128
    }
}

impl Eq for Ranked {}

impl PartialOrd for Ranked {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ranked {
    fn cmp(&self, other: &Self) -> Ordering {
        let (left, right) =
            (self.0.shared as u128 * other.0.either as u128, other.0.shared as u128 * self.0.either as u128);
        right.cmp(&left).then(self.0.number.cmp(&other.0.number))
    }
}
