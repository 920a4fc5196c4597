//! Which sentences have most of a claim, and what they have of it.

use crate::interrupt::Meter;
use crate::stems::postings::{Postings, Token, known};
use crate::stems::shared::{Placed, Roles, Shared, shared};
use crate::{Error, Interrupt, Span};

/// A sentence that is near a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// Its number.
    pub number: u32,
    /// Its share of the weight, rounded to nine decimals.
    pub share: f64,
    /// What it has of the claim's words itself, without those beside it.
    pub shared: Option<Shared>,
    /// How many of the claim's stems its words have and those beside it, filed or not.
    pub had: u32,
    /// What its own words do, all together.
    pub roles: Roles,
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

impl Postings {
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
        let wanted = known(&stems.iter().map(|stem| stem.stem).collect::<Vec<_>>());
        found
            .into_iter()
            .map(|(number, share)| {
                let tokens = self.tokens_of(number);
                meter.add(tokens.len())?;
                let shared = shared_by(tokens, &wanted);
                let had = had(tokens, self.beside(number), &wanted);
                let roles = tokens.iter().fold(Roles::default(), |roles, token| roles.with(token.roles()));
                Ok(Near { number, share, shared, had, roles })
            })
            .collect()
    }
}

/// What a sentence with these `tokens` has of the stems `wanted`, which are sorted.
fn shared_by(tokens: &[Token], wanted: &[u32]) -> Option<Shared> {
    let placed: Vec<Placed> = tokens
        .iter()
        .map(|token| Placed {
            span: Span::new(token.start as usize, token.end as usize),
            clause: token.clause(),
            roles: token.roles(),
            is_shared: wanted.binary_search(&token.stem).is_ok(),
        })
        .collect();
    shared(&placed)
}

/// How many of the stems `wanted`, which are sorted, a sentence has among its words or `beside` it.
fn had(tokens: &[Token], beside: &[u32], wanted: &[u32]) -> u32 {
    let mut is_had = vec![false; wanted.len()];
    for stem in tokens.iter().map(|token| &token.stem).chain(beside) {
        if let Ok(place) = wanted.binary_search(stem) {
            is_had[place] = true;
        }
    }
    is_had.into_iter().filter(|&is_had| is_had).count() as u32
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
pub(super) fn rounded(share: f64) -> f64 {
    format!("{share:.DECIMALS$}").parse().unwrap_or(share)
}
