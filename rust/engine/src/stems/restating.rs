//! Which sentences may tell a claim in other words: looked up, and not read.

use std::ops::Range;

use crate::interrupt::Meter;
use crate::stems::nearest::rounded;
use crate::stems::postings::{Postings, Token};
use crate::{Error, Interrupt};

/// A word of a claim.
#[derive(Clone, Debug)]
pub struct Told {
    /// What it may be told by; `None` for what no sentence has.
    pub stems: Vec<Option<u32>>,
    /// Above 0.
    pub weight: f64,
    /// It may stand in any sentence, for there it is not filed.
    pub is_anywhere: bool,
}

/// What a sentence has to have, to be read.
#[derive(Clone, Debug)]
pub struct Least {
    /// The share of the weight that it has together with the sentences around it, and with one of them.
    pub share: f64,
    /// The share that it has itself.
    pub alone: f64,
    /// So many of the heaviest words are looked up, and one of them stands in it.
    pub seeds: usize,
    /// None of these is a word that stands in more sentences.
    pub most_places: usize,
    /// How many sentences before it count, and how many behind.
    pub before: u32,
    /// As `before`.
    pub behind: u32,
}

impl Postings {
    /// The `limit` sentences that, with those around them, have the largest share of the weight of
    /// `words`: in order. Of equal shares, compared to nine decimals, the first. Then those are left out
    /// that have too little themselves, or with any one of the others.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn restating(
        &self,
        words: &[Told],
        least: &Least,
        limit: usize,
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<u32>, Error> {
        let mut meter = Meter::new(interrupt);
        let places = words.iter().map(|word| self.with_any(&word.stems, interrupt)).collect::<Result<Vec<_>, _>>()?;
        let total: f64 = words.iter().map(|word| word.weight).sum();
        let seeds = seeds(words, &places, least);
        meter.add(seeds.len() * words.len())?;
        let shares = seeds.into_iter().map(|place| {
            let around = place.saturating_sub(least.before)..place.saturating_add(least.behind).saturating_add(1);
            let has = |number: usize| words[number].is_anywhere || stands_in(&places[number], &around);
            let share: f64 = (0..words.len()).filter(|&number| has(number)).map(|number| words[number].weight).sum();
            (place, share / total)
        });
        let mut found: Vec<(u32, f64)> = shares.filter(|&(_, share)| share >= least.share).collect();
        found.iter_mut().for_each(|(_, share)| *share = rounded(*share));
        found.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        found.truncate(limit);
        let mut found: Vec<u32> = found.into_iter().map(|(place, _)| place).collect();
        found.sort_unstable();
        let teller = Teller::of(words);
        let mut kept = Vec::with_capacity(found.len());
        for place in found {
            let last = place.saturating_add(least.behind).min(self.len() as u32 - 1);
            let around = place.saturating_sub(least.before)..=last;
            meter.add(around.clone().map(|number| self.tokens_of(number).len()).sum())?;
            let own = teller.told(self.tokens_of(place));
            let has_enough = |number| teller.share(&own, &teller.told(self.tokens_of(number))) >= least.share - SPARE;
            if teller.share(&own, &own) >= least.alone - SPARE && around.into_iter().any(has_enough) {
                kept.push(place);
            }
        }
        Ok(kept)
    }
}

/// What floats lose in adding up rules nothing out.
const SPARE: f64 = 1e-9;

/// Which words of a claim a sentence tells.
struct Teller<'a> {
    words: &'a [Told],
    total: f64,
    /// The stems, each with the place of its word, sorted.
    stems: Vec<(u32, usize)>,
}

impl<'a> Teller<'a> {
    fn of(words: &'a [Told]) -> Self {
        let of_word = |(place, word): (usize, &'a Told)| word.stems.iter().flatten().map(move |&stem| (stem, place));
        let mut stems: Vec<(u32, usize)> = words.iter().enumerate().flat_map(of_word).collect();
        stems.sort_unstable();
        Self { words, total: words.iter().map(|word| word.weight).sum(), stems }
    }

    /// For each word whether one of `tokens` tells it.
    fn told(&self, tokens: &[Token]) -> Vec<bool> {
        let mut told: Vec<bool> = self.words.iter().map(|word| word.is_anywhere).collect();
        for token in tokens {
            let first = self.stems.partition_point(|&(stem, _)| stem < token.stem);
            let same = self.stems[first..].iter().take_while(|&&(stem, _)| stem == token.stem);
            same.for_each(|&(_, place)| told[place] = true);
        }
        told
    }

    /// The share of the weight that two sentences tell.
    fn share(&self, one: &[bool], other: &[bool]) -> f64 {
        let told = self.words.iter().zip(one.iter().zip(other)).filter(|(_, (one, other))| **one || **other);
        told.map(|(word, _)| word.weight).sum::<f64>() / self.total
    }
}

/// The sentences that have one of the heaviest words, in order.
fn seeds(words: &[Told], places: &[Vec<u32>], least: &Least) -> Vec<u32> {
    let mut rare: Vec<usize> = (0..words.len()).filter(|&number| places[number].len() <= least.most_places).collect();
    // Stable: of equals the first word.
    rare.sort_by(|&one, &other| words[other].weight.total_cmp(&words[one].weight));
    let mut found: Vec<u32> = rare.into_iter().take(least.seeds).flat_map(|number| places[number].clone()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

fn stands_in(places: &[u32], around: &Range<u32>) -> bool {
    let first = places.partition_point(|&place| place < around.start);
    places.get(first).is_some_and(|&place| place < around.end)
}
