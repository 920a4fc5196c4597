//! Indexes many texts by their stems, so that a claim is compared only with texts about the same subject.

use rustc_hash::FxHashMap;

use crate::claim::{Assessment, assess, is_wanted};
use crate::lexicon::{Lexicon, LexiconSet};
use crate::prepared::PreparedReading;
use crate::reading::Reading;
use crate::support::{ClaimTerms, Support};
use crate::term::TermKind;

/// Maximum number of sentences that a stem may retrieve; a more frequent one only adds to the sentences of rarer
/// stems. The rarest stem of a claim has no limit.
const MAX_SEEDS: usize = 2_000;

/// Texts, each read once, with the sentences of each stem.
pub struct ClaimIndex {
    texts: Vec<PreparedReading>,
    /// The text of each sentence, over all texts in order.
    text_of: Vec<u32>,
    /// The sentences of each stem, in order.
    sentences: FxHashMap<u64, Vec<u32>>,
}

/// A text that shares terms with a claim.
pub struct Nearest {
    /// Index of the text.
    pub text: usize,
    /// Share of the claim in the best sentence, from 0 to 1: rarer stems weigh more.
    pub share: f64,
    /// The comparison of the claim with the text.
    pub assessment: Assessment,
    /// The features of the support score.
    pub support: Support,
}

impl ClaimIndex {
    /// Indexes texts. Linear in their length.
    #[must_use]
    pub fn new(texts: Vec<PreparedReading>) -> Self {
        let mut text_of = Vec::new();
        let mut sentences: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for (number, text) in texts.iter().enumerate() {
            let first = text_of.len() as u32;
            text_of.extend(std::iter::repeat_n(number as u32, text.reading.sentences.len()));
            for (term, &stem) in text.reading.terms.iter().zip(text.stems()) {
                if !is_filed(term.kind) {
                    continue;
                }
                let places = sentences.entry(stem).or_default();
                let sentence = first + term.sentence;
                if places.last() != Some(&sentence) {
                    places.push(sentence);
                }
            }
        }
        Self { texts, text_of, sentences }
    }

    /// Returns the number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Returns whether there are no texts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// Returns the text at an index.
    #[must_use]
    pub fn text(&self, place: usize) -> Option<&PreparedReading> {
        self.texts.get(place)
    }

    /// Returns the readings of the texts, in order.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.texts.iter().map(|text| &text.reading)
    }

    /// Returns the texts that share most of a claim, best first, ties in their order, each with its comparison.
    ///
    /// Returns at most `limit` texts, and only texts that share a stem with the claim.
    #[must_use]
    pub fn nearest(
        &self,
        claim: &PreparedReading,
        limit: usize,
        lexicon: &Lexicon,
        lexicons: &LexiconSet,
    ) -> Vec<Nearest> {
        let terms = ClaimTerms::new(claim, lexicon, lexicons);
        self.ranked(claim, limit)
            .into_iter()
            .filter_map(|(text, share)| {
                let support = terms.support(&self.texts[text])?;
                Some(Nearest { text, share, assessment: assess(claim, &self.texts[text], lexicon, lexicons), support })
            })
            .collect()
    }

    /// Returns the texts whose best sentence shares most of the claim, with that share.
    fn ranked(&self, claim: &PreparedReading, limit: usize) -> Vec<(usize, f64)> {
        let stems = self.weighted(claim);
        let total: f64 = stems.iter().map(|(_, weight)| weight).sum();
        // One share per sentence: clearing them all costs less than hash lookups.
        let mut shares = vec![0.0; self.text_of.len()];
        for (number, (stem, weight)) in stems.iter().enumerate() {
            let places = self.sentences.get(stem).map_or(&[][..], Vec::as_slice);
            let is_seed = number == 0 || places.len() <= MAX_SEEDS;
            for &sentence in places {
                let share: &mut f64 = &mut shares[sentence as usize];
                if is_seed || *share > 0.0 {
                    *share += weight;
                }
            }
        }
        let mut ranked: Vec<(usize, f64)> = Vec::new();
        for (&text, share) in self.text_of.iter().zip(shares).filter(|&(_, share)| share > 0.0) {
            let (text, share) = (text as usize, share / total);
            match ranked.last_mut() {
                Some((last, kept)) if *last == text => *kept = kept.max(share),
                _ => ranked.push((text, share)),
            }
        }
        let order = |one: &(usize, f64), other: &(usize, f64)| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0));
        if ranked.len() > limit && limit > 0 {
            ranked.select_nth_unstable_by(limit - 1, order);
            ranked.truncate(limit);
        }
        ranked.sort_unstable_by(order);
        ranked.truncate(limit);
        ranked
    }

    /// Returns the stems of a claim that retrieve texts, rarest first, with their weights.
    fn weighted(&self, claim: &PreparedReading) -> Vec<(u64, f64)> {
        let count = self.text_of.len() as f64 + 1.0;
        let mut stems: Vec<u64> = (0..claim.reading.terms.len())
            .filter(|&index| is_wanted(claim, index))
            .map(|index| claim.stems()[index])
            .collect();
        stems.sort_unstable();
        stems.dedup();
        let mut weighted: Vec<(u64, f64)> = stems
            .into_iter()
            .map(|stem| {
                let places = self.sentences.get(&stem).map_or(0, Vec::len) as f64;
                (stem, (1.0 + count / (places + 0.5)).ln())
            })
            .collect();
        weighted.sort_unstable_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        // A stem that occurs in no text retrieves nothing; the rarest stem that occurs comes first.
        let is_absent = |stem: &u64| !self.sentences.contains_key(stem);
        weighted.sort_by_key(|(stem, _)| is_absent(stem));
        weighted
    }
}

/// Returns whether terms of a kind are indexed.
fn is_filed(kind: TermKind) -> bool {
    kind.is_content() || matches!(kind, TermKind::Title | TermKind::Filler)
}
