//! Exact search by Jaccard similarity in sets that come and go.

use std::ops::Range;
use std::sync::Arc;

use super::collected::{Member, make_set, shared};
use super::dictionary::Dictionary;
use super::ranks::rank;
use super::records::Records;
use super::side::{Side, Wanted};
use super::threshold::Threshold;
use super::tokens::Tokens;
use crate::interrupt::Meter;
use crate::text::Units;
use crate::{Error, Interrupt, Never};

/// Sizes at which tokens are ranked by how frequent they are. From the last one on new tokens are
/// rare ones, and ranking would take longer than an insertion may.
const RANKED_AT: [usize; 5] = [1 << 8, 1 << 10, 1 << 12, 1 << 14, 1 << 16];

/// Texts as sets of tokens, found by how many tokens they share with another one.
///
/// Insertion and removal keep the index exact; nothing is approximate. A text takes four bytes a
/// token and 16 more, eight to ten for each list it is in, and its new tokens about 70 each.
#[derive(Debug)]
pub struct JaccardIndex {
    tokens: Arc<Tokens>,
    dictionary: Dictionary,
    records: Records,
    all: Side,
    core: Option<Side>,
}

/// A text that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its number.
    pub number: u32,
    /// Tokens that both texts have.
    pub shared: usize,
    /// Tokens that either has.
    pub either: usize,
}

impl Hit {
    /// The similarity, as Python divides.
    #[must_use]
    pub fn similarity(&self) -> f64 {
        if self.either == 0 { 0.0 } else { self.shared as f64 / self.either as f64 }
    }
}

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
        tokens + self.dictionary.bytes() + self.records.bytes() + sides
    }

    /// Adds `text` and returns its number: that of one removed, or the next.
    ///
    /// # Errors
    ///
    /// [`Error::IndexFull`] beyond 2³¹ different tokens or 2³² of all texts together.
    pub fn insert(&mut self, text: Units<'_>) -> Result<u32, Error> {
        let mut set = Vec::new();
        let dictionary = &mut self.dictionary;
        self.tokens.each(text, &Never, &mut |token, is_aside| {
            set.push(Member::new(dictionary.number(token)?, is_aside));
            Ok(())
        })?;
        make_set(&mut set);
        if self.records.is_full(set.len()) || self.sides().any(|side| side.is_full()) {
            return Err(Error::IndexFull);
        }
        let number = self.records.insert(&set);
        self.sides().for_each(|side| side.insert(number, &set));
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
    pub fn insert_and_query(
        &mut self,
        text: Units<'_>,
        threshold: Threshold,
        interrupt: &dyn Interrupt,
    ) -> Result<Option<Hit>, Error> {
        if threshold.is_below(self.all.floor) {
            return Err(Error::BelowFloor);
        }
        let number = self.insert(text)?;
        let Some(known) = self.records.get(number) else { return Ok(None) };
        // Of those that are as similar to it as itself, one may have a higher number: one of two is another.
        let hits = self.hits(&self.all, Wanted { known, unknown: 0 }, threshold, 0, 2, interrupt)?;
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

    fn rank(&mut self) -> Result<(), Error> {
        self.dictionary = rank(&self.dictionary, &mut self.records)?;
        self.all = Side::new(self.all.floor, false);
        self.core = self.core.as_ref().map(|core| Side::new(core.floor, true));
        for (number, set) in self.records.iter() {
            for side in [Some(&mut self.all), self.core.as_mut()].into_iter().flatten() {
                side.insert(number, set);
            }
        }
        Ok(())
    }

    /// The texts at least as similar to `text` as `threshold`, which is no less than the floor: the
    /// most similar first, of equals the lowest number; `limit` of them.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`]. [`Error::BelowFloor`].
    pub fn query(
        &self,
        text: Units<'_>,
        threshold: Threshold,
        limit: usize,
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<Hit>, Error> {
        if threshold.is_below(self.all.floor) {
            return Err(Error::BelowFloor);
        }
        let question = self.question(text, interrupt)?;
        let wanted = Wanted { known: &question.known, unknown: question.unknown };
        self.hits(&self.all, wanted, threshold, question.unknown, limit, interrupt)
    }

    /// The texts whose tokens that are not set aside are at least as similar as the core's floor,
    /// none without such a floor. They come in the order of [`query`](Self::query), by all tokens.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn query_core(&self, text: Units<'_>, limit: usize, interrupt: &dyn Interrupt) -> Result<Vec<Hit>, Error> {
        let Some(core) = &self.core else { return Ok(Vec::new()) };
        let question = self.question(text, interrupt)?;
        let wanted = Wanted { known: &question.known, unknown: question.unknown_core };
        self.hits(core, wanted, core.floor, question.unknown, limit, interrupt)
    }

    fn question(&self, text: Units<'_>, interrupt: &dyn Interrupt) -> Result<Question, Error> {
        // Words of five letters, and the space behind them.
        let mut question = Question { known: Vec::with_capacity(text.len() / 6 + 1), ..Question::default() };
        let mut bytes = Vec::new();
        let mut unknown: Vec<(Range<usize>, bool)> = Vec::new();
        self.tokens.each(text, interrupt, &mut |token, is_aside| {
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
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<Hit>, Error> {
        let mut meter = Meter::new(interrupt);
        let len = side.count(wanted.known) + wanted.unknown;
        let mut hits = Vec::new();
        for number in side.candidates(wanted, threshold, &mut meter)? {
            let Some(set) = self.records.get(number) else { continue };
            meter.add(wanted.known.len() + set.len())?;
            let (all, core) = shared(wanted.known, set);
            let on_side = if side.is_core() { core } else { all };
            if threshold.is_reached(on_side, len + side.count(set) - on_side) {
                hits.push(Hit { number, shared: all, either: wanted.known.len() + unknown + set.len() - all });
            }
        }
        hits.sort_by(|a, b| {
            let (left, right) = (a.shared as u128 * b.either as u128, b.shared as u128 * a.either as u128);
            right.cmp(&left).then(a.number.cmp(&b.number))
        });
        hits.truncate(limit);
        Ok(hits)
    }
}
