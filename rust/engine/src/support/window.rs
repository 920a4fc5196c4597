//! The part of a passage that is compared, by the places of the claim's words in it.

use std::cmp::Reverse;
use std::ops::Range;

use super::claim::Claim;

/// Words of content in a window: about a paragraph of 1,500 characters.
pub(super) const WORDS: usize = 120;

/// Words of a pair may stand so many words apart.
const GAP_WORDS: u32 = 3;

/// So many words of a window say what it is about.
const MAIN_WORDS: usize = 5;

/// A stretch has at most twice as many words as the claim has different ones, and eight more.
const STRETCH_PER_WORD: usize = 2;
const STRETCH_MORE: usize = 8;

/// A word of the claim in a passage: the how manieth word there, and its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) place: u32,
    pub(super) slot: u32,
}

/// A window: words `start..end` of the passage, with `found` different words of the claim.
#[derive(Clone, Debug)]
pub(super) struct Window {
    start: usize,
    end: usize,
    pub(super) found: usize,
}

impl Window {
    pub(super) fn places(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Those of `hits` that stand in it.
    pub(super) fn cut<'a>(&self, hits: &'a [Hit]) -> &'a [Hit] {
        let first = hits.partition_point(|hit| (hit.place as usize) < self.start);
        let last = hits.partition_point(|hit| (hit.place as usize) < self.end);
        &hits[first..last]
    }
}

/// How often each slot is in the part of the hits between two ends that only move on.
struct Counts {
    by_slot: Vec<u32>,
    found: usize,
}

impl Counts {
    fn new(slots: usize) -> Self {
        Self { by_slot: vec![0; slots], found: 0 }
    }

    fn add(&mut self, hit: Hit) {
        let count = &mut self.by_slot[hit.slot as usize];
        *count += 1;
        self.found += usize::from(*count == 1);
    }

    fn remove(&mut self, hit: Hit) {
        let count = &mut self.by_slot[hit.slot as usize];
        *count -= 1;
        self.found -= usize::from(*count == 0);
    }

    fn is_repeated(&self, hit: Hit) -> bool {
        self.by_slot[hit.slot as usize] > 1
    }
}

/// The first of the windows of a passage of `words` words that have the most of a claim's `slots`.
///
/// Going to the right, a window gains at its end only, so the first best one is the first window or
/// ends with a hit.
pub(super) fn best(hits: &[Hit], words: usize, slots: usize) -> Window {
    let mut counts = Counts::new(slots);
    let mut left = 0;
    let mut best = Window { start: 0, end: words.min(WORDS), found: 0 };
    for &hit in hits {
        counts.add(hit);
        let end = (hit.place as usize + 1).max(WORDS.min(words));
        let start = end.saturating_sub(WORDS);
        while (hits[left].place as usize) < start {
            counts.remove(hits[left]);
            left += 1;
        }
        if counts.found > best.found {
            best = Window { start, end, found: counts.found };
        }
    }
    best
}

/// The first and the last word of the stretch of these hits, of which there is at least one.
pub(super) fn stretch(hits: &[Hit], slots: usize) -> (u32, u32) {
    let longest = (STRETCH_PER_WORD * slots + STRETCH_MORE) as u64;
    let mut counts = Counts::new(slots);
    let mut left = 0;
    let mut best = (Reverse(0), u32::MAX, 0);
    for &hit in hits {
        counts.add(hit);
        while u64::from(hit.place - hits[left].place) >= longest || counts.is_repeated(hits[left]) {
            counts.remove(hits[left]);
            left += 1;
        }
        best = best.min((Reverse(counts.found), hit.place - hits[left].place, hits[left].place));
    }
    (best.2, best.2 + best.1)
}

/// How many pairs of the claim stand close together among these hits.
pub(super) fn pairs_found(hits: &[Hit], claim: &Claim) -> usize {
    let mut near = Vec::new();
    for (index, hit) in hits.iter().enumerate() {
        for other in hits[index + 1..].iter().take_while(|other| other.place - hit.place <= GAP_WORDS) {
            near.push((hit.slot, other.slot));
            near.push((other.slot, hit.slot));
        }
    }
    near.sort_unstable();
    claim.pairs().filter(|pair| near.binary_search(pair).is_ok()).count()
}

/// Counts words; between two calls nothing is counted.
#[derive(Debug, Default)]
pub(super) struct Counter(Vec<u32>);

impl Counter {
    /// The words that come most often in `words`; of equals the first.
    pub(super) fn main_words(&mut self, words: &[u32]) -> Vec<u32> {
        for &word in words {
            let word = word as usize;
            if word >= self.0.len() {
                self.0.resize(word + 1, 0);
            }
            self.0[word] += 1;
        }
        let mut main = Vec::with_capacity(MAIN_WORDS + 1);
        for &word in words {
            // Counted at its first place, and not again.
            let count = std::mem::take(&mut self.0[word as usize]);
            let rank = main.partition_point(|&(other, _)| other >= count);
            if count > 0 && rank < MAIN_WORDS {
                main.insert(rank, (count, word));
                main.truncate(MAIN_WORDS);
            }
        }
        main.into_iter().map(|(_, word)| word).collect()
    }
}
