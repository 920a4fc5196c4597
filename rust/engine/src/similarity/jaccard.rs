//! Exact search by Jaccard similarity in a changing collection of sets.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::dictionary::Dictionary;
use super::posting_lists::push_all;
use super::prefix_filter::{Side, Wanted};
use super::ranks::rank;
use super::set_store::Records;
use super::signature::{fewest_different, signature};
use super::threshold::Threshold;
use super::token_set::{Member, make_set, shared};
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
/// let floor = Threshold::new(0.5).expect("it is above 0");
/// let mut index = JaccardIndex::new(Tokens::new(TokenRule::Unicode, &[]), floor, None);
/// index.insert("We deploy on Mondays", &Never)?;
/// let found = index.query("We always deploy on Mondays.", floor, 1, &Never)?;
/// assert_eq!(found[0].number, 0);
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct JaccardIndex {
    tokens: Arc<Tokens>,
    dictionary: Dictionary,
    records: Records,
    all: Side,
    core: Option<Side>,
    /// The signature of all tokens of each set, if the index also searches without stop tokens (see [`Best`]).
    signatures: Vec<u64>,
}

/// A similar text.
///
/// # Examples
///
/// ```
/// use groundwire_engine::Never;
/// use groundwire_engine::similarity::{JaccardIndex, Threshold, TokenRule, Tokens};
///
/// let floor = Threshold::new(0.5).expect("it is above 0");
/// let mut index = JaccardIndex::new(Tokens::new(TokenRule::Unicode, &[]), floor, None);
/// index.insert("We deploy on Mondays", &Never)?;
/// let found = index.query("We always deploy on Mondays.", floor, 1, &Never)?;
/// assert_eq!((found[0].shared, found[0].either, found[0].similarity()), (4, 5, 0.8));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
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

/// The maximum number of unknown tokens that are sorted without a check for cancellation. Sorting them takes some
/// milliseconds.
const MAX_SORTED: usize = 1 << 15;

/// The cost of looking a token up, in characters for the meter.
const TOKEN_CHARS: usize = 32;

/// A query: the known tokens of a text, and the numbers of its distinct unknown tokens, with and without stop tokens.
#[derive(Debug, Default)]
struct Question {
    known: Vec<Member>,
    unknown: usize,
    unknown_core: usize,
}

impl JaccardIndex {
    /// Creates an empty index for searches with a threshold of at least `floor` over all tokens, and, if there is a
    /// `core_floor`, with that threshold over the tokens other than stop tokens (see [`Tokens::new`]). Without
    /// `core_floor`, the index cannot search without stop tokens, and takes less memory.
    #[must_use]
    pub fn new(tokens: Tokens, floor: Threshold, core_floor: Option<Threshold>) -> Self {
        Self::with(Arc::new(tokens), floor, core_floor)
    }

    /// Creates an empty index with the parameters of this one.
    #[must_use]
    pub fn empty(&self) -> Self {
        Self::with(Arc::clone(&self.tokens), self.all.floor, self.core.as_ref().map(|core| core.floor))
    }

    fn with(tokens: Arc<Tokens>, floor: Threshold, core_floor: Option<Threshold>) -> Self {
        Self {
            tokens,
            dictionary: Dictionary::new(),
            records: Records::default(),
            all: Side::new(floor, false),
            core: core_floor.map(|floor| Side::new(floor, true)),
            signatures: Vec::new(),
        }
    }

    /// Returns the number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Returns whether the index is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of bytes on the heap, without memory shared with other indexes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let sides = self.all.bytes() + self.core.as_ref().map_or(0, Side::bytes);
        let tokens = if Arc::strong_count(&self.tokens) == 1 { self.tokens.bytes() } else { 0 };
        let signatures = size_of::<u64>() * self.signatures.capacity();
        tokens + self.dictionary.bytes() + self.records.bytes() + sides + signatures
    }

    /// Adds `text` and returns its number: the number of a removed text, or the next one.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if `text` is too long, [`Error::IndexFull`] beyond 2³¹ distinct tokens or 2³² tokens of
    /// all texts together, [`Error::Cancelled`] if `cancel` requests cancellation. After an error, `text` is not in the
    /// index.
    pub fn insert<'t>(&mut self, text: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<u32, Error> {
        let text = text.into();
        let text = text.units();
        let mut set = Vec::new();
        let dictionary = &mut self.dictionary;
        self.tokens.each(text, cancel, &mut |token, is_aside| {
            set.push(Member::new(dictionary.number(token)?, is_aside));
            Ok(())
        })?;
        make_set(&mut set);
        if self.records.is_full(set.len()) || self.sides().any(|side| side.is_full()) {
            return Err(Error::IndexFull);
        }
        let number = self.records.insert(&set);
        self.sides().for_each(|side| side.insert(number, &set));
        self.sign(number, &set);
        if RANKED_AT.contains(&self.len()) {
            self.rank()?;
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
        let text = text.into();
        let text = text.units();
        if threshold.is_below(self.all.floor) {
            return Err(Error::BelowFloor);
        }
        let number = self.insert(text, cancel)?;
        let Some(known) = self.records.get(number) else { return Ok(None) };
        // Two hits, because the text itself may come first among equally similar ones.
        let hits = self.hits(&self.all, Wanted { known, unknown: 0 }, threshold, 0, 2, cancel)?;
        Ok(hits.into_iter().find(|hit| hit.number != number))
    }

    /// Removes the text with this number, and returns whether it existed.
    ///
    /// # Errors
    ///
    /// Only errors that building the index would have returned.
    pub fn remove(&mut self, number: u32) -> Result<bool, Error> {
        let Some(set) = self.records.get(number) else { return Ok(false) };
        for side in [Some(&mut self.all), self.core.as_mut()].into_iter().flatten() {
            side.remove(number, set);
        }
        self.records.remove(number);
        if self.records.is_sparse() {
            self.rank()?;
        }
        Ok(true)
    }

    fn sides(&mut self) -> impl Iterator<Item = &mut Side> {
        [Some(&mut self.all), self.core.as_mut()].into_iter().flatten()
    }

    /// Stores the signature of `set`, which has this number, if the index also searches without stop tokens.
    fn sign(&mut self, number: u32, set: &[Member]) {
        if self.core.is_none() {
            return;
        }
        while self.signatures.len() <= number as usize {
            push_all(&mut self.signatures, &[0]);
        }
        self.signatures[number as usize] = wide_signature(set);
    }

    fn rank(&mut self) -> Result<(), Error> {
        self.dictionary = rank(&self.dictionary, &mut self.records)?;
        self.all = Side::new(self.all.floor, false);
        self.core = self.core.as_ref().map(|core| Side::new(core.floor, true));
        for (number, set) in self.records.iter() {
            for side in [Some(&mut self.all), self.core.as_mut()].into_iter().flatten() {
                side.insert(number, set);
            }
            if let Some(signature) = self.signatures.get_mut(number as usize) {
                *signature = wide_signature(set);
            }
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
        let text = text.into();
        let text = text.units();
        if threshold.is_below(self.all.floor) {
            return Err(Error::BelowFloor);
        }
        let question = self.question(text, cancel)?;
        let wanted = Wanted { known: &question.known, unknown: question.unknown };
        self.hits(&self.all, wanted, threshold, question.unknown, limit, cancel)
    }

    /// Returns at most `limit` texts whose similarity without stop tokens is at least the index's `core_floor`; none if
    /// it has no `core_floor`. The order is that of [`query`](Self::query): by the similarity of all tokens.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if `text` is too long, [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn query_core<'t>(
        &self,
        text: impl Into<Text<'t>>,
        limit: usize,
        cancel: &dyn Cancel,
    ) -> Result<Vec<Neighbor>, Error> {
        let text = text.into();
        let text = text.units();
        let Some(core) = &self.core else { return Ok(Vec::new()) };
        let question = self.question(text, cancel)?;
        let wanted = Wanted { known: &question.known, unknown: question.unknown_core };
        self.hits(core, wanted, core.floor, question.unknown, limit, cancel)
    }

    fn question(&self, text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Question, Error> {
        // Assumes words of five letters and a space.
        let mut question = Question { known: Vec::with_capacity(text.len() / 6 + 1), ..Question::default() };
        let mut bytes = Vec::new();
        let mut unknown: Vec<(Range<usize>, bool)> = Vec::new();
        self.tokens.each(text, cancel, &mut |token, is_aside| {
            match self.dictionary.find(token) {
                Some(number) => question.known.push(Member::new(number, is_aside)),
                None => {
                    bytes.extend_from_slice(token);
                    unknown.push((bytes.len() - token.len()..bytes.len(), is_aside));
                }
            }
            Ok(())
        })?;
        make_set(&mut question.known);
        if unknown.len() > MAX_SORTED {
            let mut meter = CancelMeter::new(cancel);
            let mut tokens: HashMap<&[u8], bool> = HashMap::new();
            for (token, is_aside) in unknown {
                meter.add(TOKEN_CHARS)?;
                *tokens.entry(&bytes[token]).or_default() |= is_aside;
            }
            question.unknown = tokens.len();
            question.unknown_core = tokens.values().filter(|&&is_aside| !is_aside).count();
            return Ok(question);
        }
        // As in a set, a token is a stop token if any of its occurrences is one.
        let key = |(token, is_aside): &(Range<usize>, bool)| (&bytes[token.clone()], !is_aside);
        unknown.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        unknown.dedup_by(|a, b| bytes[a.0.clone()] == bytes[b.0.clone()]);
        question.unknown = unknown.len();
        question.unknown_core = unknown.iter().filter(|(_, is_aside)| !is_aside).count();
        Ok(question)
    }

    /// Returns the `limit` most similar sets among those whose similarity to `wanted`, by the tokens that `side`
    /// includes, is at least `threshold`. `unknown` is the number of all tokens of the text that are not in the
    /// dictionary.
    fn hits(
        &self,
        side: &Side,
        wanted: Wanted<'_>,
        threshold: Threshold,
        unknown: usize,
        limit: usize,
        cancel: &dyn Cancel,
    ) -> Result<Vec<Neighbor>, Error> {
        let mut meter = CancelMeter::new(cancel);
        let len = side.count(wanted.known) + wanted.unknown;
        let all = wanted.known.len() + unknown;
        let own = wide_signature(wanted.known);
        let mut best = Best { limit, hits: BinaryHeap::new() };
        for number in side.candidates(wanted, threshold, &mut meter)? {
            let Some(set) = self.records.get(number) else { continue };
            meter.add(1)?;
            if let Some(worst) = best.worst() {
                let signature = self.signatures.get(number as usize);
                let bits = signature.map_or(0, |&other| fewest_different(own, other));
                if !worst.is_exceeded(all, set.len(), unknown + bits) {
                    continue;
                }
            }
            meter.add(wanted.known.len() + set.len())?;
            let (shared, core) = shared(wanted.known, set);
            let on_side = if side.is_core() { core } else { shared };
            if threshold.is_reached(on_side, len + side.count(set) - on_side) {
                best.push(Neighbor { number, shared, either: all + set.len() - shared });
            }
        }
        Ok(best.hits.into_sorted_vec().into_iter().map(|Ranked(hit)| hit).collect())
    }
}

fn wide_signature(set: &[Member]) -> u64 {
    signature(set.iter().map(|member| member.number())).1
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
