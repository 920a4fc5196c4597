//! Whether a passage says what a claim says (rulings A17, D13, R1).
//!
//! A claim is supported if each of its words of content and typed terms has a counterpart in one sentence of the
//! passage, in the same role, under the same negations, modals, quantifiers and conditions. It is contradicted only
//! where all but one of them have, and that one excludes what the passage has in its place.

mod restrictions;
mod roles;
mod tenses;
mod values;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::lexicon::{Lexicon, LexiconSet};
use crate::names::are_same_name;
pub use crate::prepared::{Prepared, WordCache};
use crate::reading::{Kind, Term};
use values::Bound;
pub use values::is_bound;

/// What a passage has of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Something in the claim excludes what the passage says of the same thing.
    Contradicted,
    /// Words of the claim have no counterpart, or stand in other roles.
    Unsupported,
    /// All of the claim is there.
    Supported,
}

/// What excludes what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Two numbers or units of one thing.
    Number,
    /// Two dates or times of one thing.
    Date,
    /// One side denies what the other says.
    Negation,
    /// One side has the opposite of the other's word.
    Opposite,
}

/// What excludes what: its kind, and its places in the claim and in the passage.
pub type Contradicts = (Conflict, (u32, u32), (u32, u32));

/// What one passage has of one claim. Spans are code points of claim and passage.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// What it has.
    pub status: Status,
    /// The words of the claim that have no counterpart, or another role or restriction.
    pub missing: Vec<(u32, u32)>,
    /// What contradicts: its kind, and its places in the claim and in the passage.
    pub conflict: Option<Contradicts>,
    /// The sentences of the passage that were compared.
    pub evidence: (u32, u32),
    /// How many terms the claim has that need a counterpart, and how many have one.
    pub wanted: u32,
    /// See `wanted`.
    pub found: u32,
    /// Whether one side denies what the other says, by a negation or by an opposite.
    pub is_denied: bool,
    /// Whether a name, a number, a date or a time of the claim has no counterpart.
    pub lacks_value: bool,
}

/// So many sentences of a passage are compared with a claim word by word: those with most of its words.
const COMPARED_SENTENCES: usize = 3;
/// A claim with more terms is compared by its first ones.
const MAX_TERMS: usize = 200;

/// Returns what `passage` has of `claim`.
#[must_use]
pub fn assess(claim: &Prepared, passage: &Prepared, lexicon: &Lexicon, lexicons: &LexiconSet) -> Assessment {
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
    /// Support beats a contradiction elsewhere, and that beats silence.
    fn rank(&self) -> u8 {
        match self.status {
            Status::Unsupported => 0,
            Status::Contradicted => 1,
            Status::Supported => 2,
        }
    }
}

/// Whether a term of a claim needs a counterpart.
pub(crate) fn is_wanted(claim: &Prepared, index: usize) -> bool {
    let term = &claim.reading.terms[index];
    match term.kind {
        Kind::Content => !term.is_saying,
        Kind::Filler => is_adverb(claim, index),
        Kind::Number => !term.is_one,
        Kind::Name | Kind::Title | Kind::Date | Kind::Time | Kind::Denial | Kind::Reference => true,
        _ => false,
    }
}

/// Whether a filler is an adverb at the end of a clause or in front of a phrase: she sleeps well.
fn is_adverb(claim: &Prepared, index: usize) -> bool {
    let terms = &claim.reading.terms;
    let is_behind_word = index
        .checked_sub(1)
        .map(|before| &terms[before])
        .is_some_and(|before| before.kind == Kind::Content && before.clause == terms[index].clause);
    let is_last = terms
        .get(index + 1)
        .is_none_or(|next| next.clause != terms[index].clause || matches!(next.kind, Kind::Preposition | Kind::Order));
    is_behind_word && is_last && !claim.reading.form(&terms[index]).contains(' ')
}

/// What a term of the claim is matched with.
#[derive(Clone, Copy, Debug)]
struct Match {
    place: usize,
    is_opposite: bool,
}

struct Sides<'a> {
    claim: &'a Prepared,
    passage: &'a Prepared,
    lexicon: &'a Lexicon,
    lexicons: &'a LexiconSet,
}

impl Sides<'_> {
    fn ours(&self, index: usize) -> &Term {
        &self.claim.reading.terms[index]
    }

    fn theirs(&self, index: usize) -> &Term {
        &self.passage.reading.terms[index]
    }

    /// The sentences with most of the claim's terms, best first.
    fn candidates(&self, wanted: &[usize]) -> Vec<usize> {
        let mut counts: FxHashMap<u32, f64> = FxHashMap::default();
        for &index in wanted {
            let Some(places) = self.passage.places.get(&self.claim.stems[index]) else { continue };
            // What is everywhere tells little.
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
        if ranked.is_empty() && !self.passage.reading.terms.is_empty() {
            return (0..self.passage.reading.sentences.len().min(COMPARED_SENTENCES)).collect();
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
        // A title that the passage does not have in front of this name is a word of its own; an opposite is none.
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
        // A claim is one sentence; of several it is not said which one is contradicted.
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
        // Always against never: how often is a part of what is denied.
        let is_degree = |span: &(u32, u32)| {
            self.claim
                .reading
                .terms
                .iter()
                .any(|term| (term.start, term.end) == *span && matches!(term.kind, Kind::Hedge | Kind::Quantifier))
        };
        let is_only_degree = other.iter().all(is_degree);
        if missing.is_empty() && is_only_degree && is_flipped && has_content && !is_swapped && has_no_more {
            let denial = self.denial(self.passage, range.clone());
            // Where only the passage denies, the claim has what it denies.
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

    /// Whether the claim is one sentence of the passage, or several, word for word.
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

    /// Whether the passage's clauses say nothing beside what the claim says: another subject, a place or a time to
    /// which a denial is restricted would be something else.
    fn has_no_more(&self, matches: &FxHashMap<usize, Match>, touched: &[usize]) -> bool {
        let used: FxHashSet<usize> = matches.values().map(|found| found.place).collect();
        touched.iter().all(|&place| {
            let term = self.theirs(place);
            let is_extra =
                term.kind.is_content() && !used.contains(&place) && !term.is_saying && term.kind != Kind::Denial;
            !is_extra || used.iter().any(|&other| self.theirs(other).key == term.key)
        })
    }

    /// The counterparts in some terms of the passage, each term of which is the counterpart of one.
    fn matches(&self, wanted: &[usize], range: std::ops::Range<usize>) -> FxHashMap<usize, Match> {
        let mut found: FxHashMap<usize, Match> = FxHashMap::default();
        let mut used: FxHashSet<usize> = FxHashSet::default();
        // The same words first, then what says the same otherwise.
        for is_strict in [true, false] {
            let mut last = range.start;
            for &index in wanted {
                if let Some(found) = found.get(&index) {
                    last = found.place + 1;
                    continue;
                }
                let ordered = (last.min(range.end)..range.end).chain(range.start..last.min(range.end));
                let hit = ordered.filter(|place| !used.contains(place)).find_map(|place| {
                    if is_strict {
                        return self.is_same(index, place).then_some(Match { place, is_opposite: false });
                    }
                    self.counterpart(index, place).map(|is_opposite| Match { place, is_opposite })
                });
                if let Some(hit) = hit {
                    last = hit.place + 1;
                    used.insert(hit.place);
                    found.insert(index, hit);
                }
            }
        }
        // The name of somebody who is named twice in the claim and once in the passage.
        for &index in wanted {
            if !found.contains_key(&index)
                && let Some(place) = range.clone().find(|&place| self.is_same(index, place))
            {
                found.insert(index, Match { place, is_opposite: false });
            }
        }
        found
    }

    fn is_same(&self, index: usize, place: usize) -> bool {
        let (ours, theirs) = (self.ours(index), self.theirs(place));
        if ours.kind == Kind::Number || ours.kind == Kind::Date {
            let (our_bound, their_bound) = (self.bound(self.claim, index), self.bound(self.passage, place));
            return ours.key == theirs.key
                && (our_bound == their_bound || (our_bound.is_none() && their_bound == Some(Bound::About)));
        }
        ours.key == theirs.key
            || (is_word(ours) && is_word(theirs) && self.claim.stems[index] == self.passage.stems[place])
    }

    /// Whether the passage's term says what the claim's does, and whether it is its opposite.
    fn counterpart(&self, index: usize, place: usize) -> Option<bool> {
        let (ours, theirs) = (self.ours(index), self.theirs(place));
        match (&ours.value, &theirs.value) {
            (Some(ours), Some(theirs)) => return self.holds(index, ours, place, theirs).then_some(false),
            (None, None) => {}
            _ => return None,
        }
        if !is_word(ours) || !is_word(theirs) {
            return None;
        }
        let (written, meant) = (self.claim.reading.form(ours), self.passage.reading.form(theirs));
        if ours.kind == Kind::Name || theirs.kind == Kind::Name {
            return are_same_name(written, meant).then_some(false);
        }
        let senses = self.claim.senses(index, self.lexicon)?;
        let other = self.passage.senses(place, self.lexicon)?;
        if self.lexicon.have_opposite_senses(senses, other) {
            return Some(true);
        }
        if senses.are_same(other) || (!senses.is_word && self.is_slip(written, meant)) {
            return Some(false);
        }
        None
    }

    fn is_slip(&self, written: &str, meant: &str) -> bool {
        let length = meant.chars().count();
        self.lexicon.is_spaced && length > 3 && crate::slips::is_within(written, meant, if length < 7 { 1 } else { 2 })
    }

    /// Looks for what a sentence lacks in those around it: what a pronoun stands for, and the other clauses of a
    /// claim that was made of several sentences. Returns what is still missing.
    fn elsewhere(
        &self,
        missing: Vec<usize>,
        wanted: &[usize],
        matches: &mut FxHashMap<usize, Match>,
        sentence: usize,
        evidence: &mut (usize, usize),
    ) -> Vec<usize> {
        let mut left = missing;
        // Whole clauses of the claim in the sentences beside.
        let clauses: FxHashSet<u32> = wanted.iter().map(|&index| self.ours(index).clause).collect();
        if clauses.len() > 1 {
            for clause in clauses {
                let own: Vec<usize> =
                    wanted.iter().copied().filter(|&index| self.ours(index).clause == clause).collect();
                let has_missing = own.iter().any(|index| left.contains(index));
                if !has_missing || own.len() < 2 {
                    continue;
                }
                for neighbour in [sentence + 1, sentence.wrapping_sub(1), sentence + 2, sentence.wrapping_sub(2)] {
                    if neighbour >= self.passage.reading.sentences.len() {
                        continue;
                    }
                    let found = self.matches(&own, self.passage.sentence(neighbour));
                    let has_all =
                        own.iter().all(|index| found.contains_key(index) || self.is_referent(*index, neighbour));
                    if has_all {
                        left.retain(|index| !own.contains(index));
                        matches.extend(found);
                        *evidence = (evidence.0.min(neighbour), evidence.1.max(neighbour));
                        break;
                    }
                }
            }
        }
        // Names and nouns that a pronoun of the sentence stands for.
        left.retain(|&index| {
            let found = self.is_referent(index, sentence);
            if found {
                evidence.0 = evidence.0.min(sentence.saturating_sub(1));
            }
            !found
        });
        left
    }

    /// Whether a pronoun in the sentence may stand for a term of the claim: it is what one of the two sentences
    /// before begins with, or who speaks.
    fn is_referent(&self, index: usize, sentence: usize) -> bool {
        let ours = self.ours(index);
        if !matches!(ours.kind, Kind::Name | Kind::Title) && !(ours.kind == Kind::Content) {
            return false;
        }
        if self.is_topic(index) {
            return true;
        }
        let has_pronoun = self.passage.sentence(sentence).any(|place| self.theirs(place).kind == Kind::Pronoun);
        let claim_has_pronoun = self.claim.reading.terms.iter().any(|term| term.kind == Kind::Pronoun);
        // Who speaks is in front of a colon: Anna: I do.
        if has_pronoun
            && ours.kind != Kind::Content
            && self.speaker().into_iter().any(|place| self.is_same(index, place))
        {
            return true;
        }
        if !has_pronoun || (claim_has_pronoun && ours.kind == Kind::Content) {
            return false;
        }
        (sentence.saturating_sub(2)..sentence).any(|before| {
            let range = self.passage.sentence(before);
            let subject: Vec<usize> = range
                .filter(|&place| is_word(self.theirs(place)) || self.theirs(place).kind == Kind::Title)
                .take(3)
                .collect();
            let names: Vec<usize> = subject
                .iter()
                .copied()
                .take_while(|&place| self.theirs(place).kind != Kind::Content || place == subject[0])
                .collect();
            names.iter().any(|&place| self.is_same(index, place))
        })
    }

    /// The terms of a speaker's name in front of the first colon.
    fn speaker(&self) -> std::ops::Range<usize> {
        let terms = &self.passage.reading.terms;
        let count = terms
            .iter()
            .take(4)
            .take_while(|term| term.clause == terms[0].clause && matches!(term.kind, Kind::Name | Kind::Title))
            .count();
        let is_label = count > 0
            && terms
                .get(count)
                .is_some_and(|next| next.clause > terms[0].clause && next.start - terms[count - 1].end <= 3);
        0..if is_label { count } else { 0 }
    }

    /// Whether a term behind a preposition is what the passage begins with, and so what it is about: the dose of
    /// apixaban, where the passage is on apixaban.
    fn is_topic(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map(|before| self.ours(before).kind);
        let place = (0..2.min(self.passage.reading.terms.len())).find(|&place| is_word(self.theirs(place)));
        before == Some(Kind::Preposition) && place.is_some_and(|place| self.is_same(index, place))
    }

    /// The terms of the passage's clauses that have counterparts.
    fn touched(&self, matches: &FxHashMap<usize, Match>, range: &std::ops::Range<usize>) -> Vec<usize> {
        let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
        for found in matches.values() {
            *counts.entry(self.theirs(found.place).clause).or_default() += 1;
        }
        let is_touched = |place: usize| {
            let clause = self.theirs(place).clause;
            counts.contains_key(&clause)
        };
        let mut places: Vec<usize> = range.clone().filter(|&place| is_touched(place)).collect();
        for found in matches.values() {
            if !range.contains(&found.place) {
                let sentence = self.passage.sentence(self.theirs(found.place).sentence as usize);
                places.extend(sentence.filter(|&place| is_touched(place)));
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The negations of claim and passage that are beside the same word, and so say the same on both sides. Linear.
    fn shared_negations(&self, range: &std::ops::Range<usize>) -> (FxHashSet<usize>, FxHashSet<usize>) {
        let negations = |side: &Prepared, range: std::ops::Range<usize>| -> Vec<usize> {
            range.filter(|&at| side.reading.terms[at].kind == Kind::Negation).collect()
        };
        // The word behind a negation, and the one in front of it.
        let beside = |side: &Prepared, at: usize| {
            let stem = |at: Option<usize>| at.and_then(|at| side.stems.get(at).copied());
            [(true, stem(Some(at + 1))), (false, stem(at.checked_sub(1)))]
        };
        let mut places: FxHashMap<(bool, u64), Vec<usize>> = FxHashMap::default();
        for place in negations(self.passage, range.clone()).into_iter().rev() {
            for (is_behind, stem) in beside(self.passage, place) {
                places.entry((is_behind, stem.unwrap_or_default())).or_default().push(place);
            }
        }
        let (mut ours, mut theirs) = (FxHashSet::default(), FxHashSet::default());
        for index in negations(self.claim, 0..terms_of(self.claim)) {
            let shared = beside(self.claim, index).into_iter().find_map(|(is_behind, stem)| {
                let same = places.get_mut(&(is_behind, stem?))?;
                while let Some(place) = same.pop() {
                    if !theirs.contains(&place) {
                        return Some(place);
                    }
                }
                None
            });
            if let Some(place) = shared {
                ours.insert(index);
                theirs.insert(place);
            }
        }
        (ours, theirs)
    }

    /// Whether an odd number of negations governs the terms.
    fn denials(&self, side: &Prepared, places: &[usize], matches: &FxHashMap<usize, Match>, is_claim: bool) -> bool {
        let matched: FxHashSet<usize> = if is_claim {
            matches.keys().copied().collect()
        } else {
            matches.values().map(|found| found.place).collect()
        };
        let mut count = 0;
        for &index in places {
            let term = &side.reading.terms[index];
            // A word that denies and has a counterpart is on both sides.
            let is_denial = term.kind == Kind::Negation || (term.kind == Kind::Denial && !matched.contains(&index));
            if is_denial && self.governs(side, index, &matched, is_claim) {
                count += 1;
            }
        }
        count % 2 == 1
    }

    /// Whether a term in front of others, or behind them in its clause, governs one that has a counterpart.
    fn governs(&self, side: &Prepared, index: usize, matched: &FxHashSet<usize>, is_claim: bool) -> bool {
        let term = &side.reading.terms[index];
        if is_claim {
            // A sentence that is no more than a denial denies nothing of the others.
            return matched.iter().any(|&at| side.reading.terms[at].sentence == term.sentence);
        }
        let same_clause = |other: &Term| other.clause == term.clause && other.sentence == term.sentence;
        let after = (index + 1..side.reading.terms.len())
            .take_while(|&at| same_clause(&side.reading.terms[at]))
            .filter(|&at| side.reading.terms[at].kind.is_content())
            .take(3);
        let before = (0..index)
            .rev()
            .take_while(|&at| same_clause(&side.reading.terms[at]))
            .filter(|&at| side.reading.terms[at].kind.is_content())
            .take(2);
        let after: Vec<usize> = after.collect();
        if after.is_empty() {
            return before.into_iter().any(|at| matched.contains(&at));
        }
        after.iter().any(|at| matched.contains(at))
    }

    fn denial(&self, side: &Prepared, range: std::ops::Range<usize>) -> Option<usize> {
        range.into_iter().find(|&index| matches!(side.reading.terms[index].kind, Kind::Negation | Kind::Denial))
    }
}

fn terms_of(side: &Prepared) -> usize {
    side.reading.terms.len()
}

fn is_word(term: &Term) -> bool {
    matches!(term.kind, Kind::Content | Kind::Name | Kind::Title | Kind::Denial)
}

fn is_value(term: &Term) -> bool {
    matches!(term.kind, Kind::Name | Kind::Number | Kind::Date | Kind::Time)
}

fn is_argument(term: &Term) -> bool {
    matches!(term.kind, Kind::Name | Kind::Title | Kind::Number)
}
