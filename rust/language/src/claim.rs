//! Decides whether a passage supports a claim (rulings A17, D13, R1).
//!
//! A passage supports a claim if each content word and value of the claim has a counterpart in one sentence of the
//! passage, in the same semantic role and under the same negations, modals, quantifiers and conditions. It contradicts
//! the claim only if all of them but one have a counterpart, and that one excludes the passage's value in its place.
//!
//! In this module, `index` counts the terms of the claim, and `place` those of the passage.

mod matching;
mod negations;
mod parallels;
mod restrictions;
mod semantic_roles;
mod subjects;
mod tenses;
mod values;

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lexicon::{Lexicon, LexiconSet};
pub use crate::prepared::{PreparedReading, WordCache};
use crate::term::{Term, TermKind};
pub use values::is_bound;

/// The verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// A value of the claim excludes the passage's value for the same thing.
    Contradicted,
    /// Words of the claim have no counterpart, or another role there.
    Unsupported,
    /// The passage states the whole claim.
    Supported,
}

/// The kind of a contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContradictionKind {
    /// Different numbers or units of the same thing.
    Number,
    /// Different dates or times of the same thing.
    Date,
    /// A statement and its negation.
    Negation,
    /// A word and its antonym.
    Antonym,
}

/// A contradiction between a claim and a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Its kind.
    pub kind: ContradictionKind,
    /// Start and end in the claim.
    pub claim: (u32, u32),
    /// Start and end in the passage.
    pub passage: (u32, u32),
}

/// The comparison of a claim with a passage. Spans are in code points of the claim or the passage.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The verdict.
    pub status: Status,
    /// Spans of the claim's words without a counterpart, or with another role or restriction there.
    pub missing: Vec<(u32, u32)>,
    /// The contradiction, if there is one.
    pub contradiction: Option<Contradiction>,
    /// The span of the passage's sentences that were compared.
    pub evidence: (u32, u32),
    /// Number of the claim's terms that need a counterpart.
    pub required: u32,
    /// Number of those terms that have one.
    pub matched: u32,
    /// Whether either text negates the other's statement, by a negation or an antonym.
    pub differs_in_polarity: bool,
    /// Whether a name, number, date or time of the claim has no counterpart.
    pub lacks_value: bool,
}

/// Number of passage sentences that are compared with a claim word by word: those with most of its words.
const COMPARED_SENTENCES: usize = 3;

/// Maximum number of a claim's terms that are compared; the others are ignored.
pub const MAX_TERMS: usize = 200;

/// Compares a claim with a passage.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, TextRef};
/// use groundwire_language::claim::{PreparedReading, Status, assess};
/// use groundwire_language::{Language, LexiconSet, Reader};
///
/// # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/groundwire/language/lexicons");
/// let reader = Reader::new(LexiconSet::new(folder)?);
/// let lexicon = reader.lexicons().get(Language::English)?;
/// let prepare = |text: &str| {
///     let reading = reader.read(TextRef::Ucs1(text.as_bytes()), Language::English, &Never)?;
///     Ok::<_, groundwire_language::reading::ReadError>(PreparedReading::new(reading, lexicon))
/// };
/// let (claim, passage) = (prepare("The pump needs oil.")?, prepare("The pump does not need oil.")?);
/// let assessment = assess(&claim, &passage, lexicon, reader.lexicons());
/// assert_eq!(assessment.status, Status::Contradicted);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn assess(
    claim: &PreparedReading,
    passage: &PreparedReading,
    lexicon: &Lexicon,
    lexicons: &LexiconSet,
) -> Assessment {
    let terms = &claim.reading.terms;
    let required: Vec<usize> =
        (0..terms.len().min(MAX_TERMS)).filter(|&index| needs_counterpart(claim, index)).collect();
    let comparison = ClaimComparison { claim, passage, lexicon, lexicons };
    let mut best: Option<Assessment> = None;
    for sentence in comparison.candidates(&required) {
        let found = comparison.compare(&required, sentence);
        if best.as_ref().is_none_or(|best| (found.rank(), found.matched) > (best.rank(), best.matched)) {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|best| best.status == Status::Supported) {
            break;
        }
    }
    best.unwrap_or_else(|| Assessment {
        status: Status::Unsupported,
        missing: required.iter().map(|&index| terms[index].span()).collect(),
        contradiction: None,
        evidence: (0, 0),
        required: required.len() as u32,
        matched: 0,
        differs_in_polarity: false,
        lacks_value: required.iter().any(|&index| is_value(&terms[index])),
    })
}

impl Assessment {
    /// Ranks support above a contradiction, and a contradiction above neither of them.
    fn rank(&self) -> u8 {
        match self.status {
            Status::Unsupported => 0,
            Status::Contradicted => 1,
            Status::Supported => 2,
        }
    }
}

/// Returns whether the term of a claim at `index` needs a counterpart in a passage.
#[must_use]
pub fn needs_counterpart(claim: &PreparedReading, index: usize) -> bool {
    let term = &claim.reading.terms[index];
    match term.kind {
        TermKind::Content => !term.is_reporting_verb,
        TermKind::Filler | TermKind::Preposition => is_adverb(claim, index),
        TermKind::Number => !term.is_one,
        TermKind::Name
        | TermKind::Title
        | TermKind::Date
        | TermKind::Time
        | TermKind::ImplicitNegation
        | TermKind::TimeReference => true,
        _ => false,
    }
}

/// Returns whether a filler or preposition is an adverb at the end of a clause or before another phrase: "she sleeps
/// well", "the end up".
fn is_adverb(claim: &PreparedReading, index: usize) -> bool {
    let terms = &claim.reading.terms;
    let follows_word = index.checked_sub(1).map(|before| &terms[before]).is_some_and(|before| {
        matches!(before.kind, TermKind::Content | TermKind::Pronoun) && before.clause == terms[index].clause
    });
    let is_last = terms.get(index + 1).is_none_or(|next| {
        next.clause != terms[index].clause || matches!(next.kind, TermKind::Preposition | TermKind::TimeOrder)
    });
    follows_word && is_last && !claim.reading.form(&terms[index]).contains(' ')
}

/// The counterpart of a term of the claim.
#[derive(Clone, Copy, Debug)]
struct Match {
    place: usize,
    is_antonym: bool,
}

/// The index of a term of the claim, and the place of its counterpart.
type Pair = (usize, usize);

/// The counterparts of the claim's terms, by their indices.
type Matches = FxHashMap<usize, Match>;

/// A claim and a passage to compare.
pub(crate) struct ClaimComparison<'a> {
    pub(crate) claim: &'a PreparedReading,
    pub(crate) passage: &'a PreparedReading,
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) lexicons: &'a LexiconSet,
}

/// The comparison with one sentence of the passage.
struct SentenceComparison {
    matches: Matches,
    /// The claim's terms without a counterpart.
    missing: Vec<usize>,
    /// The claim's terms whose counterpart is an antonym.
    antonyms: Vec<usize>,
    /// The terms of the passage's clauses with counterparts.
    touched: Vec<usize>,
    /// Spans of the claim's words with another role or restriction in the passage.
    mismatches: Vec<(u32, u32)>,
    /// Whether either text negates the other's statement.
    is_negated: bool,
    /// Whether two terms have swapped their roles.
    is_swapped: bool,
}

impl SentenceComparison {
    /// Returns whether swapped roles make an antonym mean the same: "A sold it to B", "B bought it from A".
    fn is_converse(&self) -> bool {
        self.is_swapped && self.antonyms.len() == 1
    }

    fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.mismatches.is_empty()
    }
}

impl ClaimComparison<'_> {
    fn claim_term(&self, index: usize) -> &Term {
        &self.claim.reading.terms[index]
    }

    fn passage_term(&self, place: usize) -> &Term {
        &self.passage.reading.terms[place]
    }

    /// Returns the sentences with most of the claim's terms, best first.
    fn candidates(&self, required: &[usize]) -> Vec<usize> {
        let mut ranked = self.ranked_sentences(required);
        // A question asserts nothing, so it is compared only with a claim that contains a question.
        if !(0..self.claim.reading.sentences.len()).any(|sentence| self.claim.reading.is_question(sentence)) {
            ranked.retain(|(sentence, _)| !self.passage.reading.is_question(*sentence as usize));
        }
        if ranked.is_empty() && !self.passage.reading.terms.is_empty() {
            let all = 0..self.passage.reading.sentences.len();
            return all
                .filter(|&sentence| !self.passage.reading.is_question(sentence))
                .take(COMPARED_SENTENCES)
                .collect();
        }
        ranked.into_iter().take(COMPARED_SENTENCES).map(|(sentence, _)| sentence as usize).collect()
    }

    /// Returns the sentences that share stems with the claim, best first. The more places a stem has, the less it
    /// weighs.
    fn ranked_sentences(&self, required: &[usize]) -> Vec<(u32, f64)> {
        let mut weights: FxHashMap<u32, f64> = FxHashMap::default();
        for &index in required {
            let Some(places) = self.passage.positions.get(&self.claim.stems[index]) else { continue };
            let weight = 1.0 + 1.0 / places.len() as f64;
            let mut last = None;
            for &place in places {
                let sentence = self.passage_term(place as usize).sentence;
                if last != Some(sentence) {
                    *weights.entry(sentence).or_default() += weight;
                    last = Some(sentence);
                }
            }
        }
        let mut ranked: Vec<(u32, f64)> = weights.into_iter().collect();
        ranked.sort_by(|left, right| right.1.total_cmp(&left.1).then(left.0.cmp(&right.0)));
        ranked
    }

    fn compare(&self, required: &[usize], sentence: usize) -> Assessment {
        let range = self.passage.sentence(sentence);
        if self.is_verbatim(&range) {
            return self.verbatim(required, sentence);
        }
        let (found, evidence) = self.compare_terms(required, sentence);
        let matched = required.len() - found.missing.len();
        let mut assessment = Assessment {
            status: Status::Supported,
            missing: self.claim_spans(&found.missing).chain(found.mismatches.iter().copied()).collect(),
            contradiction: None,
            evidence: self.sentence_span(evidence),
            required: required.len() as u32,
            matched: matched as u32,
            differs_in_polarity: found.is_negated && !found.is_converse(),
            lacks_value: found.missing.iter().any(|&index| is_value(self.claim_term(index))),
        };
        if found.is_complete() && (!found.is_negated || found.is_converse()) {
            return assessment;
        }
        assessment.status = Status::Unsupported;
        // Of a claim with several sentences, it would not be clear which one is contradicted.
        let has_one_sentence =
            required.windows(2).all(|pair| self.claim_term(pair[0]).sentence == self.claim_term(pair[1]).sentence);
        let is_comparable = has_one_sentence && matched >= 2;
        if is_comparable && self.is_opposite_statement(&found) {
            self.contradict_by_negation(required, &found, range, &mut assessment);
        } else if found.is_negated {
            assessment.missing.extend(self.claim_spans(&found.antonyms));
        } else if is_comparable && !found.is_swapped && found.mismatches.is_empty() && found.missing.len() == 1 {
            self.contradict_by_value(found.missing[0], &found.matches, &range, &mut assessment);
        }
        assessment
    }

    /// Compares the terms of the claim with a sentence and, for what it lacks, with its neighbours. Returns the first
    /// and the last sentence with a counterpart, too.
    fn compare_terms(&self, required: &[usize], sentence: usize) -> (SentenceComparison, (usize, usize)) {
        let range = self.passage.sentence(sentence);
        let mut matches = self.matches(required, range.clone());
        let mut missing: Vec<usize> = required.iter().copied().filter(|index| !matches.contains_key(index)).collect();
        let mut evidence = (sentence, sentence);
        if !missing.is_empty() {
            missing = self.match_elsewhere(missing, required, &mut matches, sentence, &mut evidence);
        }
        let antonyms: Vec<usize> =
            matches.iter().filter(|(_, found)| found.is_antonym).map(|(&index, _)| index).collect();
        let touched = self.touched_terms(&matches, &range);
        let is_negated = self.differs_in_negations(&matches, &touched, &range) ^ (antonyms.len() % 2 == 1);
        let mut mismatches: Vec<(u32, u32)> = Vec::new();
        self.restrictions(&matches, &touched, &range, &mut mismatches);
        mismatches.extend(self.other_negation(&matches, &touched));
        self.tenses(&matches, &mut mismatches);
        let is_swapped = self.roles(&matches, antonyms.len() == 1, &mut mismatches);
        (SentenceComparison { matches, missing, antonyms, touched, mismatches, is_negated, is_swapped }, evidence)
    }

    /// Returns whether the passage states the negation of the whole claim.
    fn is_opposite_statement(&self, found: &SentenceComparison) -> bool {
        // "Always" against "never": the frequency is part of the negated statement.
        let is_degree = |span: &(u32, u32)| {
            let kinds = [TermKind::Hedge, TermKind::Quantifier];
            self.claim.reading.terms.iter().any(|term| term.span() == *span && kinds.contains(&term.kind))
        };
        found.is_negated
            && !found.is_swapped
            && found.missing.is_empty()
            && found.mismatches.iter().all(is_degree)
            && self.adds_nothing(&found.matches, &found.touched)
    }

    /// Records that the passage negates the claim, with the words that show it.
    fn contradict_by_negation(
        &self,
        required: &[usize],
        found: &SentenceComparison,
        range: Range<usize>,
        assessment: &mut Assessment,
    ) {
        let (matches, antonym) = (&found.matches, found.antonyms.first().copied());
        let claim_negation = first_negation(self.claim, 0..self.claim.reading.terms.len());
        let passage_negation = first_negation(self.passage, range.clone());
        // If only one text has a negation, report the word of the other text that it negates.
        let negated_index = passage_negation.and_then(|negation| {
            matches.iter().filter(|(_, found)| found.place > negation).min_by_key(|(_, found)| found.place)
        });
        let negated_place = claim_negation.and_then(|negation| {
            matches.iter().filter(|(index, _)| **index > negation).min_by_key(|(index, _)| **index)
        });
        let index =
            antonym.or(claim_negation).or(negated_index.map(|(&index, _)| index)).or_else(|| required.last().copied());
        let place = antonym
            .map(|index| matches[&index].place)
            .or(passage_negation)
            .or(negated_place.map(|(_, found)| found.place))
            .unwrap_or(range.start);
        let Some(index) = index else { return };
        let kind = if antonym.is_some() { ContradictionKind::Antonym } else { ContradictionKind::Negation };
        let (claim, passage) = (self.claim_term(index).span(), self.passage_term(place).span());
        assessment.status = Status::Contradicted;
        assessment.contradiction = Some(Contradiction { kind, claim, passage });
        assessment.missing.push(claim);
    }

    fn claim_spans(&self, indices: &[usize]) -> impl Iterator<Item = (u32, u32)> {
        indices.iter().map(|&index| self.claim_term(index).span())
    }

    /// Returns the span from the start of one sentence of the passage to the end of another.
    fn sentence_span(&self, (first, last): (usize, usize)) -> (u32, u32) {
        let sentences = &self.passage.reading.sentences;
        let start = sentences.get(first).map_or(0, |span| span.0);
        (start, sentences.get(last).map_or(start, |span| span.1))
    }

    /// Returns whether the claim repeats one or more whole sentences of the passage word for word.
    fn is_verbatim(&self, range: &Range<usize>) -> bool {
        let (claim, passage) = (&self.claim.reading.terms, &self.passage.reading.terms);
        let end = range.start + claim.len();
        let is_whole = end >= range.end
            && end <= passage.len()
            && passage.get(end).is_none_or(|next| next.sentence != passage[end.saturating_sub(1)].sentence);
        is_whole && claim.iter().zip(&passage[range.start..end]).all(|(left, right)| left.key == right.key)
    }

    fn verbatim(&self, required: &[usize], sentence: usize) -> Assessment {
        Assessment {
            status: Status::Supported,
            missing: Vec::new(),
            contradiction: None,
            evidence: self.sentence_span((sentence, sentence)),
            required: required.len() as u32,
            matched: required.len() as u32,
            differs_in_polarity: false,
            lacks_value: false,
        }
    }

    /// Returns whether the passage's matched clauses add nothing to the claim. With another subject, or a place or time
    /// that limits the negation, they would be a different statement.
    fn adds_nothing(&self, matches: &Matches, touched: &[usize]) -> bool {
        let used: FxHashSet<usize> = matches.values().map(|found| found.place).collect();
        touched.iter().all(|&place| {
            let term = self.passage_term(place);
            let is_extra = term.kind.is_content()
                && !used.contains(&place)
                && !term.is_reporting_verb
                && term.kind != TermKind::ImplicitNegation;
            !is_extra || used.iter().any(|&other| self.passage_term(other).key == term.key)
        })
    }
}

/// Returns the first negation of either kind in a range of terms.
fn first_negation(text: &PreparedReading, range: Range<usize>) -> Option<usize> {
    range.into_iter().find(|&at| text.reading.terms[at].kind.is_negation())
}

pub(crate) fn is_value(term: &Term) -> bool {
    matches!(term.kind, TermKind::Name | TermKind::Number | TermKind::Date | TermKind::Time)
}

fn is_argument(term: &Term) -> bool {
    matches!(term.kind, TermKind::Name | TermKind::Title | TermKind::Number)
}
