//! Decides whether a passage supports a claim (rulings A17, D13, R1).
//!
//! A claim is supported if each of its content words and typed terms has a counterpart in one sentence of the
//! passage, in the same semantic role and under the same negations, modals, quantifiers and conditions. It is
//! contradicted only if all but one of them have a counterpart, and the remaining one excludes the passage's value in
//! its place.

mod matching;
mod negations;
mod restrictions;
mod semantic_roles;
mod tenses;
mod values;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lexicon::{Lexicon, LexiconSet};
pub use crate::prepared::{PreparedReading, WordCache};
use crate::term::{Term, TermKind};
pub use values::is_bound;

/// The result of comparing a claim with a passage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// A value of the claim excludes the passage's value for the same thing.
    Contradicted,
    /// Words of the claim have no counterpart, or other roles.
    Unsupported,
    /// The passage states the whole claim.
    Supported,
}

/// The kind of a contradiction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Two numbers or units of the same thing.
    Number,
    /// Two dates or times of the same thing.
    Date,
    /// One side negates what the other states.
    Negation,
    /// One side has an antonym of the other's word.
    Opposite,
}

/// A contradiction: its kind, and its spans in the claim and in the passage.
pub type Contradicts = (Conflict, (u32, u32), (u32, u32));

/// The comparison of one claim with one passage. Spans are in code points of the claim and of the passage.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The result.
    pub status: Status,
    /// Spans of the claim's words that have no counterpart, or another role or restriction.
    pub missing: Vec<(u32, u32)>,
    /// The contradiction, if there is one: its kind, and its spans in the claim and in the passage.
    pub conflict: Option<Contradicts>,
    /// The span of the passage's sentences that were compared.
    pub evidence: (u32, u32),
    /// The number of the claim's terms that need a counterpart.
    pub wanted: u32,
    /// The number of those terms that have one.
    pub found: u32,
    /// Whether one side negates what the other states, by a negation or an antonym.
    pub is_denied: bool,
    /// Whether a name, number, date or time of the claim has no counterpart.
    pub lacks_value: bool,
}

/// Number of passage sentences that are compared with a claim word by word: those that share most of its words.
const COMPARED_SENTENCES: usize = 3;
/// Maximum number of a claim's terms that are compared; later ones are ignored.
const MAX_TERMS: usize = 200;

/// Compares `claim` with `passage`.
#[must_use]
pub fn assess(
    claim: &PreparedReading,
    passage: &PreparedReading,
    lexicon: &Lexicon,
    lexicons: &LexiconSet,
) -> Assessment {
    let terms = &claim.reading.terms;
    let wanted: Vec<usize> = (0..terms.len().min(MAX_TERMS)).filter(|&index| is_wanted(claim, index)).collect();
    let side = Sides { claim, passage, lexicon, lexicons };
    let mut best: Option<Assessment> = None;
    for sentence in side.candidates(&wanted) {
        let found = side.compare(&wanted, sentence);
        let is_better = best.as_ref().is_none_or(|best| (found.rank(), found.found) > (best.rank(), best.found));
        if is_better {
            best = Some(found);
        }
        if best.as_ref().is_some_and(|best| best.status == Status::Supported) {
            break;
        }
    }
    best.unwrap_or_else(|| Assessment {
        status: Status::Unsupported,
        missing: wanted.iter().map(|&index| (terms[index].start, terms[index].end)).collect(),
        conflict: None,
        evidence: (0, 0),
        wanted: wanted.len() as u32,
        found: 0,
        is_denied: false,
        lacks_value: wanted.iter().any(|&index| is_value(&terms[index])),
    })
}

impl Assessment {
    /// Ranks support above a contradiction elsewhere, and a contradiction above no statement.
    fn rank(&self) -> u8 {
        match self.status {
            Status::Unsupported => 0,
            Status::Contradicted => 1,
            Status::Supported => 2,
        }
    }
}

/// Returns whether a term of a claim needs a counterpart.
#[must_use]
pub fn is_wanted(claim: &PreparedReading, index: usize) -> bool {
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
    let is_behind_word = index.checked_sub(1).map(|before| &terms[before]).is_some_and(|before| {
        matches!(before.kind, TermKind::Content | TermKind::Pronoun) && before.clause == terms[index].clause
    });
    let is_last = terms.get(index + 1).is_none_or(|next| {
        next.clause != terms[index].clause || matches!(next.kind, TermKind::Preposition | TermKind::TimeOrder)
    });
    is_behind_word && is_last && !claim.reading.form(&terms[index]).contains(' ')
}

/// The counterpart of a term of the claim.
#[derive(Clone, Copy, Debug)]
struct Match {
    place: usize,
    is_opposite: bool,
}

pub(crate) struct Sides<'a> {
    pub(crate) claim: &'a PreparedReading,
    pub(crate) passage: &'a PreparedReading,
    pub(crate) lexicon: &'a Lexicon,
    pub(crate) lexicons: &'a LexiconSet,
}

impl Sides<'_> {
    fn ours(&self, index: usize) -> &Term {
        &self.claim.reading.terms[index]
    }

    fn theirs(&self, index: usize) -> &Term {
        &self.passage.reading.terms[index]
    }

    /// Returns the sentences that share most of the claim's terms, best first.
    fn candidates(&self, wanted: &[usize]) -> Vec<usize> {
        let mut counts: FxHashMap<u32, f64> = FxHashMap::default();
        for &index in wanted {
            let Some(places) = self.passage.positions.get(&self.claim.stems[index]) else { continue };
            // Frequent stems identify a sentence poorly, so they weigh less.
            let weight = 1.0 + 1.0 / places.len() as f64;
            let mut last = None;
            for &place in places {
                let sentence = self.theirs(place as usize).sentence;
                if last != Some(sentence) {
                    *counts.entry(sentence).or_default() += weight;
                    last = Some(sentence);
                }
            }
        }
        let mut ranked: Vec<(u32, f64)> = counts.into_iter().collect();
        ranked.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        // A question asserts nothing; questions are compared only with a claim that contains a question.
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

    fn compare(&self, wanted: &[usize], sentence: usize) -> Assessment {
        let range = self.passage.sentence(sentence);
        if self.is_verbatim(&range) {
            return self.verbatim(wanted, sentence);
        }
        let mut matches: FxHashMap<usize, Match> = self.matches(wanted, range.clone());
        let mut missing: Vec<usize> = wanted.iter().copied().filter(|index| !matches.contains_key(index)).collect();
        let mut evidence = (sentence, sentence);
        if !missing.is_empty() {
            missing = self.elsewhere(missing, wanted, &mut matches, sentence, &mut evidence);
        }
        // A title that the passage lacks before a name counts as a missing word; an antonym does not.
        let opposites: Vec<usize> =
            matches.iter().filter(|(_, found)| found.is_opposite).map(|(&index, _)| index).collect();
        let touched = self.touched(&matches, &range);
        let (ours, theirs) = self.shared_negations(&range);
        let counted: Vec<usize> = touched.iter().copied().filter(|place| !theirs.contains(place)).collect();
        let own: Vec<usize> = (0..terms_of(self.claim)).filter(|index| !ours.contains(index)).collect();
        let parity =
            self.denials(self.claim, &own, &matches, true) ^ self.denials(self.passage, &counted, &matches, false);
        let is_flipped = parity ^ (opposites.len() % 2 == 1);
        let mut other: Vec<(u32, u32)> = Vec::new();
        self.restrictions(&matches, &touched, &range, &mut other);
        other.extend(self.other_negation(&matches, &touched));
        self.tenses(&matches, &mut other);
        let is_swapped = self.roles(&matches, opposites.len() == 1, &mut other);
        let opposite_is_swap = is_swapped && opposites.len() == 1;
        let spans = |indices: &[usize]| -> Vec<(u32, u32)> {
            indices.iter().map(|&index| (self.ours(index).start, self.ours(index).end)).collect()
        };
        let start = self.passage.reading.sentences.get(evidence.0).map_or(0, |span| span.0);
        let end = self.passage.reading.sentences.get(evidence.1).map_or(start, |span| span.1);
        let mut assessment = Assessment {
            status: Status::Supported,
            missing: spans(&missing).into_iter().chain(other.iter().copied()).collect(),
            conflict: None,
            evidence: (start, end),
            wanted: wanted.len() as u32,
            found: (wanted.len() - missing.len()) as u32,
            is_denied: is_flipped && !opposite_is_swap,
            lacks_value: missing.iter().any(|&index| is_value(self.ours(index))),
        };
        // Only a claim of one sentence can be contradicted: with several, the contradicted one would be ambiguous.
        let is_one = wanted.windows(2).all(|pair| self.ours(pair[0]).sentence == self.ours(pair[1]).sentence);
        let has_content = is_one && wanted.len() - missing.len() >= 2;
        if missing.is_empty() && other.is_empty() && !is_flipped {
            return assessment;
        }
        if opposite_is_swap && missing.is_empty() && other.is_empty() {
            return assessment;
        }
        assessment.status = Status::Unsupported;
        let has_no_more = self.has_no_more(&matches, &touched);
        // "Always" against "never": the frequency is part of the negated statement.
        let is_degree = |span: &(u32, u32)| {
            self.claim.reading.terms.iter().any(|term| {
                (term.start, term.end) == *span && matches!(term.kind, TermKind::Hedge | TermKind::Quantifier)
            })
        };
        let is_only_degree = other.iter().all(is_degree);
        if missing.is_empty() && is_only_degree && is_flipped && has_content && !is_swapped && has_no_more {
            let denial = self.denial(self.passage, range.clone());
            // If only the passage contains the negation, report the claim's word that it negates.
            let denied = denial.and_then(|denial| {
                matches.iter().filter(|(_, found)| found.place > denial).min_by_key(|(_, found)| found.place)
            });
            let own_denial = self.denial(self.claim, 0..self.claim.reading.terms.len());
            let own_denied = own_denial.and_then(|denial| {
                matches.iter().filter(|(index, _)| **index > denial).min_by_key(|(index, _)| **index)
            });
            let ours = opposites
                .first()
                .copied()
                .or(own_denial)
                .or(denied.map(|(&index, _)| index))
                .or_else(|| wanted.last().copied());
            let theirs = opposites
                .first()
                .map(|index| matches[index].place)
                .or(denial)
                .or(own_denied.map(|(_, found)| found.place))
                .unwrap_or(range.start);
            if let Some(ours) = ours {
                assessment.status = Status::Contradicted;
                let kind = if opposites.is_empty() { Conflict::Negation } else { Conflict::Opposite };
                assessment.conflict = Some((
                    kind,
                    (self.ours(ours).start, self.ours(ours).end),
                    (self.theirs(theirs).start, self.theirs(theirs).end),
                ));
                assessment.missing.push((self.ours(ours).start, self.ours(ours).end));
            }
        } else if is_flipped {
            assessment.missing.extend(opposites.iter().map(|&index| (self.ours(index).start, self.ours(index).end)));
        }
        if !is_flipped && !is_swapped && other.is_empty() && missing.len() == 1 && has_content {
            self.excluded(missing[0], &matches, &range, &mut assessment);
        }
        assessment
    }

    /// Returns whether the claim repeats one or more whole sentences of the passage word for word.
    fn is_verbatim(&self, range: &std::ops::Range<usize>) -> bool {
        let ours = &self.claim.reading.terms;
        let terms = &self.passage.reading.terms;
        let end = range.start + ours.len();
        let is_whole = end >= range.end
            && end <= terms.len()
            && terms.get(end).is_none_or(|next| next.sentence != terms[end.saturating_sub(1)].sentence);
        is_whole && ours.iter().zip(&terms[range.start..end]).all(|(ours, theirs)| ours.key == theirs.key)
    }

    fn verbatim(&self, wanted: &[usize], sentence: usize) -> Assessment {
        Assessment {
            status: Status::Supported,
            missing: Vec::new(),
            conflict: None,
            evidence: self.passage.reading.sentences.get(sentence).copied().unwrap_or_default(),
            wanted: wanted.len() as u32,
            found: wanted.len() as u32,
            is_denied: false,
            lacks_value: false,
        }
    }

    /// Returns whether the passage's matched clauses add nothing to the claim: with another subject, or a place or
    /// time that limits the negation, they would be a different statement.
    fn has_no_more(&self, matches: &FxHashMap<usize, Match>, touched: &[usize]) -> bool {
        let used: FxHashSet<usize> = matches.values().map(|found| found.place).collect();
        touched.iter().all(|&place| {
            let term = self.theirs(place);
            let is_extra = term.kind.is_content()
                && !used.contains(&place)
                && !term.is_reporting_verb
                && term.kind != TermKind::ImplicitNegation;
            !is_extra || used.iter().any(|&other| self.theirs(other).key == term.key)
        })
    }
}

fn terms_of(side: &PreparedReading) -> usize {
    side.reading.terms.len()
}

pub(crate) fn is_word(term: &Term) -> bool {
    matches!(term.kind, TermKind::Content | TermKind::Name | TermKind::Title | TermKind::ImplicitNegation)
}

pub(crate) fn is_value(term: &Term) -> bool {
    matches!(term.kind, TermKind::Name | TermKind::Number | TermKind::Date | TermKind::Time)
}

fn is_argument(term: &Term) -> bool {
    matches!(term.kind, TermKind::Name | TermKind::Title | TermKind::Number)
}
