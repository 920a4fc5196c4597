//! Finds substrings that quote and passage share, by an index of the quote's q-grams.

use super::block::Block;
use super::sequence::{Region, SequencePair};
use crate::cancel::CancelMeter;
use crate::text::buckets::Buckets;
use crate::text::gram;
use crate::{Error, Span};

/// The maximum number of occurrences in the quote of a usable q-gram. A more frequent one does not determine a
/// position.
const MAX_OCCURRENCES: usize = 4;

/// The maximum number of entries in a usable bucket; most buckets have one.
const MAX_ENTRIES: usize = 16;

/// Texts with more than one match for this many characters of the passage are treated as repetitive.
const CHARS_PER_MATCH: usize = 2;

/// The number of vote buckets per quote length: each bucket covers this fraction of the quote's length.
const PLACES_PER_QUOTE: usize = 16;

/// The number of characters of a text that are processed at a time.
const PART_CHARS: usize = 1 << 16;

/// Returns the most likely start of a quote in a text of `chars` characters: the position that most q-grams of `gram`
/// characters vote for. Only q-grams that are rare in the quote vote. Ties go to the first position. `None` if no such
/// q-gram occurs in the text. `codes` returns the characters of a span of the text.
///
/// # Complexity
///
/// Linear in both lengths. Memory is linear in the quote, plus 16 votes for each quote length of text.
pub(crate) fn best_diagonal(
    quote: &[u32],
    chars: usize,
    codes: impl Fn(Span) -> Vec<u32>,
    gram: usize,
    meter: &mut CancelMeter<'_>,
) -> Result<Option<usize>, Error> {
    if quote.len() < gram {
        return Ok(None);
    }
    meter.charge(quote.len())?;
    let grams = QuoteGrams::new(quote, gram);
    let width = quote.len().div_ceil(PLACES_PER_QUOTE);
    let mut votes = vec![0_usize; (quote.len() + chars) / width + 2];
    for first in (0..chars).step_by(PART_CHARS) {
        let region = codes(Span::new(first, chars.min(first + PART_CHARS + gram - 1)));
        meter.charge(region.len())?;
        if region.len() < gram {
            break;
        }
        for (at, hash) in hashes(&region, gram).into_iter().enumerate() {
            grams.find(hash).for_each(|place| votes[(first + at + quote.len() - place) / width] += 1);
        }
    }
    // Votes for a position on the border of two buckets are spread over both.
    let best = votes.windows(2).map(|two| two[0] + two[1]).enumerate().rev().max_by_key(|&(_, votes)| votes);
    let start = |place: usize| (place * width).saturating_sub(quote.len()).min(chars.saturating_sub(quote.len()));
    Ok(best.filter(|&(_, votes)| votes > 0).map(|(place, _)| start(place)))
}

/// The hashes of a quote's q-grams, and their positions.
struct QuoteGrams(Buckets<(u32, u32)>);

impl QuoteGrams {
    /// Indexes all q-grams of `chars` characters.
    fn new(text: &[u32], chars: usize) -> Self {
        let hashes = hashes(text, chars);
        let bits = (2 * hashes.len()).next_power_of_two().ilog2();
        let entry = |place: usize| (gram::hash(hashes[place].into()), (hashes[place], place as u32));
        Self(Buckets::new(bits, hashes.len(), entry))
    }

    /// Returns the positions of a q-gram in ascending order; none if there are too many.
    fn find(&self, hash: u32) -> impl Iterator<Item = usize> {
        let bucket = self.0.get(gram::hash(hash.into()));
        let same = bucket.iter().filter(move |entry| entry.0 == hash);
        let is_rare = bucket.len() <= MAX_ENTRIES && same.clone().count() <= MAX_OCCURRENCES;
        same.take(if is_rare { MAX_OCCURRENCES } else { 0 }).map(|entry| entry.1 as usize)
    }
}

/// The multiplier of the rolling hash: 2³² divided by the golden ratio.
const FACTOR: u32 = 0x9E37_79B1;

/// Returns a hash for each q-gram of `chars` characters, from left to right.
fn hashes(text: &[u32], chars: usize) -> Vec<u32> {
    // The weight of the character that leaves the window.
    let left = (0..chars).fold(1_u32, |power, _| power.wrapping_mul(FACTOR));
    let mut hash = 0_u32;
    let rolled = text.iter().enumerate().map(|(index, &code)| {
        hash = hash.wrapping_mul(FACTOR).wrapping_add(code.wrapping_add(1));
        if let Some(old) = index.checked_sub(chars) {
            hash = hash.wrapping_sub(text[old].wrapping_add(1).wrapping_mul(left));
        }
        hash
    });
    rolled.skip(chars - 1).collect()
}

/// Returns the maximal exact matches around q-grams of `chars` characters that are rare in the quote, sorted by
/// position in the passage, then in the quote. Empty if the texts are too repetitive.
///
/// # Complexity
///
/// Linear in the lengths of the region: no character is compared twice on one diagonal, and each q-gram of the passage
/// has at most four candidates.
pub(super) fn exact_matches(
    sequences: &SequencePair,
    region: &Region,
    chars: usize,
    meter: &mut CancelMeter<'_>,
) -> Result<Vec<Block>, Error> {
    let (quote, passage) =
        (&sequences.quote.codes[region.quote.clone()], &sequences.passage.codes[region.passage.clone()]);
    let mut matches = Vec::new();
    if quote.len() < chars || passage.len() < chars {
        return Ok(matches);
    }
    meter.charge(quote.len() + passage.len())?;
    let grams = QuoteGrams::new(quote, chars);
    let mut matched_until = vec![0_u32; quote.len() + passage.len()];
    for (at, hash) in hashes(passage, chars).into_iter().enumerate() {
        for place in grams.find(hash) {
            let matched = &mut matched_until[at + quote.len() - place];
            if *matched as usize > at {
                continue;
            }
            let found = extend_match(quote, passage, place, at);
            meter.charge(found.len)?;
            *matched = (found.passage_end()).max(at + 1) as u32;
            if found.len >= chars {
                matches.push(Block {
                    quote: found.quote + region.quote.start,
                    passage: found.passage + region.passage.start,
                    ..found
                });
            }
        }
        if matches.len() > 64 + passage.len() / CHARS_PER_MATCH {
            return Ok(Vec::new());
        }
    }
    matches.sort_unstable_by_key(|found| (found.passage, found.quote));
    Ok(matches)
}

/// Returns the longest exact match through a pair of positions.
fn extend_match(quote: &[u32], passage: &[u32], place: usize, at: usize) -> Block {
    let same = |(a, b): &(&u32, &u32)| a == b;
    let before = quote[..place].iter().rev().zip(passage[..at].iter().rev()).take_while(same).count();
    let after = quote[place..].iter().zip(&passage[at..]).take_while(same).count();
    Block { quote: place - before, passage: at - before, len: before + after }
}
