//! Which of many sentences have which stems.

use std::collections::HashMap;

use crate::folding::Folding;
use crate::interrupt::Meter;
use crate::stems::shared::{Placed, Roles, Shared, shared};
use crate::text::Units;
use crate::{Error, Interrupt, Span};

/// A word of a sentence that is to be filed.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    /// What it is compared by.
    pub stem: &'a [u32],
    /// Where it stands.
    pub span: Span,
    /// The number of its clause.
    pub clause: u32,
    /// What it does.
    pub roles: Roles,
}

/// A sentence that is near a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Its number.
    pub number: u32,
    /// Its share of the weight, rounded to nine decimals.
    pub share: f64,
    /// What it has of the claim's words itself, without those beside it.
    pub shared: Option<Shared>,
}

/// A stem of a claim, and how much it weighs.
#[derive(Clone, Copy, Debug)]
pub struct Weighted {
    /// Its number; `None` if no sentence has it.
    pub stem: Option<u32>,
    /// Above 0.
    pub weight: f64,
}

/// What floats lose in adding up decides nothing: shares are compared to so many decimals.
const DECIMALS: usize = 9;
/// Shares that are further apart than this stay apart when they are rounded.
const SPARE: f64 = 2e-9;

/// A word of a filed sentence.
#[derive(Clone, Copy, Debug)]
struct Token {
    stem: u32,
    start: u32,
    end: u32,
    clause: u32,
    roles: Roles,
}

/// Sentences by their stems.
#[derive(Debug, Default)]
pub struct Postings {
    numbers: HashMap<Box<[u32]>, u32, Folding>,
    /// For each stem the sentences that are filed under it, in order.
    places: Vec<Vec<u32>>,
    /// The words of all sentences, one after the other.
    tokens: Vec<Token>,
    /// For each sentence where its words end.
    ends: Vec<usize>,
}

impl Postings {
    /// Number of sentences.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no sentence.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let places: usize = self.places.iter().map(|places| places.capacity() * size_of::<u32>()).sum();
        let stems: usize = self.numbers.keys().map(|stem| size_of_val::<[u32]>(stem) + 24).sum();
        let words = self.tokens.capacity() * size_of::<Token>() + self.ends.capacity() * size_of::<usize>();
        places + stems + words + self.places.capacity() * size_of::<Vec<u32>>()
    }

    /// Files the next sentence, which has the words `own` and counts those `beside` it as its own.
    ///
    /// # Errors
    ///
    /// [`Error::IndexFull`]: there are 2³² − 1 sentences.
    pub fn file<'a>(
        &mut self,
        own: impl Iterator<Item = Word<'a>>,
        beside: impl Iterator<Item = Word<'a>>,
    ) -> Result<(), Error> {
        let number = u32::try_from(self.len()).ok().filter(|&number| number < u32::MAX).ok_or(Error::IndexFull)?;
        for word in own {
            let Word { stem, span, clause, roles } = word;
            let stem = self.post(number, stem, roles);
            // A text has fewer than 2³¹ characters.
            self.tokens.push(Token { stem, start: span.start as u32, end: span.end as u32, clause, roles });
        }
        for word in beside {
            self.post(number, word.stem, word.roles);
        }
        self.ends.push(self.tokens.len());
        Ok(())
    }

    /// The number of `stem`, under which a sentence is filed if its `roles` say so.
    fn post(&mut self, number: u32, stem: &[u32], roles: Roles) -> u32 {
        let known = self.numbers.get(stem).copied().unwrap_or_else(|| {
            self.numbers.insert(stem.into(), self.places.len() as u32);
            self.places.push(Vec::new());
            self.places.len() as u32 - 1
        });
        let places = &mut self.places[known as usize];
        if roles.has(Roles::IS_FILED) && places.last() != Some(&number) {
            places.push(number);
        }
        known
    }

    /// Gives back the memory that no further sentence needs.
    pub fn finish(&mut self) {
        self.places.iter_mut().for_each(Vec::shrink_to_fit);
        self.places.shrink_to_fit();
        self.tokens.shrink_to_fit();
        self.ends.shrink_to_fit();
    }

    /// The number of a stem, if a sentence has it.
    #[must_use]
    pub fn stem(&self, stem: Units<'_>) -> Option<u32> {
        self.numbers.get(stem.to_codes().as_slice()).copied()
    }

    /// The sentences that have `stem`, in order.
    #[must_use]
    pub fn places(&self, stem: Option<u32>) -> &[u32] {
        stem.and_then(|stem| self.places.get(stem as usize)).map_or(&[], Vec::as_slice)
    }

    /// The `limit` sentences with the largest share of the weight of `stems`, and that share.
    ///
    /// The largest first, of equals in their order; none with less than `least`. A share is rounded to
    /// nine decimals. A sentence that has none of the first stems, of which the others make up less
    /// than `least`, is not looked for among these.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn nearest(
        &self,
        stems: &[Weighted],
        least: f64,
        limit: usize,
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<Near>, Error> {
        let mut meter = Meter::new(interrupt);
        let total: f64 = stems.iter().map(|stem| stem.weight).sum();
        let mut left = total;
        let mut shares = vec![0.0; self.len()];
        let mut seen = Vec::new();
        for stem in stems {
            // From the rarest on: in the end nothing new can reach the share.
            let is_open = left >= least * total;
            let places = self.places(stem.stem);
            meter.add(places.len())?;
            for &place in places {
                let share = &mut shares[place as usize];
                if *share == 0.0 {
                    if !is_open {
                        continue;
                    }
                    seen.push(place);
                }
                *share += stem.weight;
            }
            left -= stem.weight;
        }
        meter.add(seen.len())?;
        let found = best(&seen, |place| shares[place as usize] / total, least, limit);
        let mut wanted: Vec<u32> = stems.iter().filter_map(|stem| stem.stem).collect();
        wanted.sort_unstable();
        found
            .into_iter()
            .map(|(number, share)| {
                let tokens = self.tokens_of(number);
                meter.add(tokens.len())?;
                Ok(Near { number, share, shared: shared_by(tokens, &wanted) })
            })
            .collect()
    }

    fn tokens_of(&self, number: u32) -> &[Token] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.tokens[start..self.ends[number]]
    }

    /// The sentences that have one of `stems`, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn with_any(&self, stems: &[Option<u32>], interrupt: &dyn Interrupt) -> Result<Vec<u32>, Error> {
        let mut meter = Meter::new(interrupt);
        let mut found = Vec::new();
        for &stem in stems {
            let places = self.places(stem);
            meter.add(places.len())?;
            found.extend_from_slice(places);
        }
        if stems.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
        Ok(found)
    }

    /// The sentences that have one of `stems` and one of `others`, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn with_both(
        &self,
        stems: &[Option<u32>],
        others: &[Option<u32>],
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<u32>, Error> {
        let mut meter = Meter::new(interrupt);
        let mut has_other = vec![false; self.len()];
        for &stem in others {
            let places = self.places(stem);
            meter.add(places.len())?;
            places.iter().for_each(|&place| has_other[place as usize] = true);
        }
        let mut found = Vec::new();
        for &stem in stems {
            let places = self.places(stem);
            meter.add(places.len())?;
            // Taken out again, so that none comes twice.
            found.extend(places.iter().filter(|&&place| std::mem::take(&mut has_other[place as usize])));
        }
        found.sort_unstable();
        Ok(found)
    }
}

/// What a sentence with these `tokens` has of the stems `wanted`, which are sorted.
fn shared_by(tokens: &[Token], wanted: &[u32]) -> Option<Shared> {
    let placed: Vec<Placed> = tokens
        .iter()
        .map(|&Token { stem, start, end, clause, roles }| Placed {
            span: Span::new(start as usize, end as usize),
            clause,
            roles,
            is_shared: wanted.binary_search(&stem).is_ok(),
        })
        .collect();
    shared(&placed)
}

/// The best of `seen` when shares are rounded. Only those are rounded that can be among them.
fn best(seen: &[u32], share: impl Fn(u32) -> f64, least: f64, limit: usize) -> Vec<(u32, f64)> {
    let mut enough: Vec<(u32, f64)> =
        seen.iter().map(|&place| (place, share(place))).filter(|&(_, share)| share >= least - SPARE).collect();
    if enough.len() > limit && limit > 0 {
        let (_, &mut (_, last), _) = enough.select_nth_unstable_by(limit - 1, |one, other| other.1.total_cmp(&one.1));
        enough.retain(|&(_, share)| share >= last - SPARE);
    }
    let mut known: Option<(f64, f64)> = None;
    for (_, share) in &mut enough {
        let exact = *share;
        // Equal sentences have equal shares.
        *share = known.filter(|&(before, _)| before == exact).map_or_else(|| rounded(exact), |(_, after)| after);
        known = Some((exact, *share));
    }
    enough.retain(|&(_, share)| share >= least);
    enough.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    enough.truncate(limit);
    enough.iter_mut().for_each(|(_, share)| *share = share.min(1.0));
    enough
}

/// `share` to nine decimals, as it is written: the nearest, of two the even one.
fn rounded(share: f64) -> f64 {
    format!("{share:.DECIMALS$}").parse().unwrap_or(share)
}
