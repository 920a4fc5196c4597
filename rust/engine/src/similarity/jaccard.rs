//! Exact search by Jaccard similarity in sets that come and go.

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

/// Sizes at which tokens are ranked by how frequent they are. From the last one on new tokens are
/// rare ones, and ranking would take longer than an insertion may.
const RANKED_AT: [usize; 5] = [1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16];

/// Texts as sets of tokens, found by how many tokens they share with another one.
///
/// Insertion and removal keep the index exact; nothing is approximate. A text takes four bytes a
/// token and 16 more, 24 with a core, eight to ten for each list it is in, and its new tokens about 70 each.
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
    /// The signature of all tokens of each record, where there is a core: see [`Best`].
    signatures: Vec<u64>,
}

/// A text that was found.
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
    /// Its number.
    pub number: u32,
    /// Tokens that both texts have.
    pub shared: usize,
    /// Tokens that either has.
    pub either: usize,
}

impl Neighbor {
    /// The similarity, as Python divides.
    #[must_use]
    pub fn similarity(&self) -> f64 {
        if self.either == 0 { 0.0 } else { self.shared as f64 / self.either as f64 }
    }
}

/// So many unknown tokens are sorted in some milliseconds, in which nothing can be asked.
const MAX_SORTED: usize = 1 << 15;

/// What looking a token up takes, in characters that are looked at.
const TOKEN_CHARS: usize = 32;

/// A text to search for.
#[derive(Debug, Default)]
struct Question {
    known: Vec<Member>,
    unknown: usize,
    unknown_core: usize,
}

impl JaccardIndex {
    /// An empty index. Searches ask for a similarity of at least `floor`, and of at least
    /// `core_floor` among the tokens that are not set aside; without one, there are no such
    /// searches, nor the memory for them.
    #[must_use]
    pub fn new(tokens: Tokens, floor: Threshold, core_floor: Option<Threshold>) -> Self {
        Self::with(Arc::new(tokens), floor, core_floor)
    }

    /// An empty index that is made as this one was.
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

    /// Number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes on the heap, without what it shares with others.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let sides = self.all.bytes() + self.core.as_ref().map_or(0, Side::bytes);
        let tokens = if Arc::strong_count(&self.tokens) == 1 { self.tokens.bytes() } else { 0 };
        let signatures = size_of::<u64>() * self.signatures.capacity();
        tokens + self.dictionary.bytes() + self.records.bytes() + sides + signatures
    }

    /// Adds `text` and returns its number: that of one removed, or the next.
    ///
    /// # Errors
    ///
    /// [`Error::IndexFull`] beyond 2³¹ different tokens or 2³² of all texts together, and
    /// [`Error::Cancelled`]; the text is not in the index then.
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

    /// Adds `text`, and returns the text that was most similar to it before, if one was at least as similar as
    /// `threshold`; of equals the lowest number. As [`query`](Self::query) and then [`insert`](Self::insert),
    /// but its tokens are looked up once.
    ///
    /// # Errors
    ///
    /// Those of both; `text` may be in the index then.
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
        // Of those that are as similar to it as itself, one may have a higher number: one of two is another.
        let hits = self.hits(&self.all, Wanted { known, unknown: 0 }, threshold, 0, 2, cancel)?;
        Ok(hits.into_iter().find(|hit| hit.number != number))
    }

    /// Removes the text with this number. Whether there was one.
    ///
    /// # Errors
    ///
    /// None that an index that could be built does not have already.
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

    /// Keeps the signature of record `number`, which is `set`, if there is a core.
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

    /// The texts at least as similar to `text` as `threshold`, which is no less than the floor: the
    /// most similar first, of equals the lowest number; `limit` of them.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`]. [`Error::BelowFloor`].
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

    /// The texts whose tokens that are not set aside are at least as similar as the core's floor,
    /// none without such a floor. They come in the order of [`query`](Self::query), by all tokens.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`].
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
        // Words of five letters, and the space behind them.
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
        // As in a set, a token is set aside if it is so anywhere.
        let key = |(token, is_aside): &(Range<usize>, bool)| (&bytes[token.clone()], !is_aside);
        unknown.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        unknown.dedup_by(|a, b| bytes[a.0.clone()] == bytes[b.0.clone()]);
        question.unknown = unknown.len();
        question.unknown_core = unknown.iter().filter(|(_, is_aside)| !is_aside).count();
        Ok(question)
    }

    /// The records of `side` as similar to `wanted` as `threshold`; `unknown` are all tokens of the
    /// text that no record has.
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

/// The most similar hits, `limit` of them. They are offered by ascending number, so that one that is no more similar
/// than the worst of enough hits is none of them; signatures tell so of nearly all without a comparison of tokens.
struct Best {
    limit: usize,
    hits: BinaryHeap<Ranked>,
}

impl Best {
    /// The worst of enough hits; `None` if another one is one of them whatever it is.
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

/// A hit in the order of results: the most similar first, of equals the lowest number.
#[derive(PartialEq)]
struct Ranked(Neighbor);

impl Ranked {
    /// Whether two sets of `len` and `other_len` tokens can be more similar, if at least `different` tokens are in
    /// only one of them.
    fn is_exceeded(&self, len: usize, other_len: usize, different: usize) -> bool {
        let both = len + other_len;
        let different = different.max(len.abs_diff(other_len)).min(both);
        // Of both sizes together and what is in one set alone, either both are even or none is.
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
