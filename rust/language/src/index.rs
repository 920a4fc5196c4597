//! Indexes texts by their stems, so that a claim is compared only with texts about the same subject.

use rustc_hash::FxHashMap;

use crate::claim::{Assessment, assess, needs_counterpart};
use crate::lexicon::{Lexicon, LexiconSet};
use crate::overlap::{ClaimTerms, LexicalOverlap};
use crate::prepared::PreparedReading;
use crate::reading::Reading;
use crate::term::TermKind;

/// Maximum number of sentences with a stem that retrieves them. A more frequent stem only adds weight to the sentences
/// that rarer stems retrieve. The rarest stem of a claim has no limit.
const MAX_RETRIEVED_SENTENCES: usize = 2_000;

/// An inverted index of texts: the sentences that contain each stem.
pub struct ClaimIndex {
    texts: Vec<PreparedReading>,
    /// The text of each sentence, across all texts.
    text_of_sentence: Vec<u32>,
    /// The sentences of each stem, in order.
    postings: FxHashMap<u64, Vec<u32>>,
}

/// A text that shares terms with a claim.
pub struct NearestText {
    /// Index of the text.
    pub text: usize,
    /// Share of the claim's weight that the best sentence contains, from 0 to 1. Rarer stems weigh more.
    pub share: f64,
    /// The comparison of the claim with the text.
    pub assessment: Assessment,
    /// Their lexical overlap.
    pub overlap: LexicalOverlap,
}

impl ClaimIndex {
    /// Indexes texts. Linear in their length.
    #[must_use]
    pub fn new(texts: Vec<PreparedReading>) -> Self {
        let mut text_of_sentence = Vec::new();
        let mut postings: FxHashMap<u64, Vec<u32>> = FxHashMap::default();
        for (number, text) in texts.iter().enumerate() {
            let first = text_of_sentence.len() as u32;
            text_of_sentence.extend(std::iter::repeat_n(number as u32, text.reading.sentences.len()));
            for (term, &stem) in text.reading.terms.iter().zip(text.stems()) {
                if !is_indexed(term.kind) {
                    continue;
                }
                let sentences = postings.entry(stem).or_default();
                let sentence = first + term.sentence;
                if sentences.last() != Some(&sentence) {
                    sentences.push(sentence);
                }
            }
        }
        Self { texts, text_of_sentence, postings }
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

    /// Returns the text with a number.
    #[must_use]
    pub fn text(&self, number: usize) -> Option<&PreparedReading> {
        self.texts.get(number)
    }

    /// Returns the readings of the texts, in order.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.texts.iter().map(|text| &text.reading)
    }

    /// Returns the `limit` texts that share most of a claim, best first, ties in their order. Texts without a stem of the
    /// claim are left out.
    #[must_use]
    pub fn nearest(
        &self,
        claim: &PreparedReading,
        limit: usize,
        lexicon: &Lexicon,
        lexicons: &LexiconSet,
    ) -> Vec<NearestText> {
        let terms = ClaimTerms::new(claim, lexicon, lexicons);
        self.rank(claim, limit)
            .into_iter()
            .filter_map(|(text, share)| {
                let overlap = terms.overlap(&self.texts[text])?;
                Some(NearestText {
                    text,
                    share,
                    assessment: assess(claim, &self.texts[text], lexicon, lexicons),
                    overlap,
                })
            })
            .collect()
    }

    /// Returns the texts whose best sentence shares most of the claim, and that share.
    fn rank(&self, claim: &PreparedReading, limit: usize) -> Vec<(usize, f64)> {
        let stems = self.weighted_stems(claim);
        let total: f64 = stems.iter().map(|(_, weight)| weight).sum();
        // One share for each sentence: clearing all of them costs less than hash lookups.
        let mut shares = vec![0.0; self.text_of_sentence.len()];
        for (number, (stem, weight)) in stems.iter().enumerate() {
            let places = self.postings.get(stem).map_or(&[][..], Vec::as_slice);
            let retrieves = number == 0 || places.len() <= MAX_RETRIEVED_SENTENCES;
            for &sentence in places {
                let share: &mut f64 = &mut shares[sentence as usize];
                if retrieves || *share > 0.0 {
                    *share += weight;
                }
            }
        }
        let mut ranked: Vec<(usize, f64)> = Vec::new();
        for (&text, share) in self.text_of_sentence.iter().zip(shares).filter(|&(_, share)| share > 0.0) {
            let (text, share) = (text as usize, share / total);
            match ranked.last_mut() {
                Some((last, kept)) if *last == text => *kept = kept.max(share),
                _ => ranked.push((text, share)),
            }
        }
        let order = |left: &(usize, f64), right: &(usize, f64)| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0));
        if ranked.len() > limit && limit > 0 {
            ranked.select_nth_unstable_by(limit - 1, order);
            ranked.truncate(limit);
        }
        ranked.sort_unstable_by(order);
        ranked.truncate(limit);
        ranked
    }

    /// Returns the stems of a claim that retrieve texts, rarest first, with their weights.
    fn weighted_stems(&self, claim: &PreparedReading) -> Vec<(u64, f64)> {
        let count = self.text_of_sentence.len() as f64 + 1.0;
        let mut stems: Vec<u64> = (0..claim.reading.terms.len())
            .filter(|&index| needs_counterpart(claim, index))
            .map(|index| claim.stems()[index])
            .collect();
        stems.sort_unstable();
        stems.dedup();
        let mut weighted: Vec<(u64, f64)> = stems
            .into_iter()
            .map(|stem| {
                let places = self.postings.get(&stem).map_or(0, Vec::len) as f64;
                (stem, (1.0 + count / (places + 0.5)).ln())
            })
            .collect();
        weighted.sort_unstable_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        // A stem that occurs in no text retrieves nothing; the rarest stem that occurs comes first.
        let is_absent = |stem: &u64| !self.postings.contains_key(stem);
        weighted.sort_by_key(|(stem, _)| is_absent(stem));
        weighted
    }
}

/// Returns whether terms of a kind are indexed.
fn is_indexed(kind: TermKind) -> bool {
    kind.is_content() || matches!(kind, TermKind::Title | TermKind::Filler)
}
