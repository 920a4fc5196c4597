//! What differs between a quote and the passage that it is from (rulings A9, A17, A18).

use std::ops::Range;

use crate::lexicon::{Lexicon, Tense};
use crate::names::are_same_name;
use crate::reading::{Kind, Reading, Term, Value};
use crate::slips::is_within;

/// What kind of words differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DifferenceKind {
    /// A filler, a repetition, an article: words that say nothing.
    Filler,
    /// The same word in another spelling or form, or a slip that made no word.
    Spelling,
    /// A function word that only the quote has.
    WordAdded,
    /// A function word that only the passage has.
    WordDropped,
    /// A function word in place of another.
    WordReplaced,
    /// Words of content.
    Wording,
    /// Name or title.
    Name,
    /// If, unless, except, because.
    Condition,
    /// How many, only, at least.
    Quantifier,
    /// Modal verb, how sure, how often.
    Modal,
    /// Negation, an opposite.
    Negation,
    /// Time of day.
    Time,
    /// Date, or a word that points to one.
    Date,
    /// Unit or currency.
    Unit,
    /// Number.
    Number,
    /// The texts differ in too much to be compared.
    Unread,
}

/// One difference, in code points of both texts. Either side may be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What kind of words differ.
    pub kind: DifferenceKind,
    /// Start and end in the quote.
    pub quote: (u32, u32),
    /// Start and end in the passage's text.
    pub passage: (u32, u32),
}

/// A term is compared with so many of the other side's, in a stretch where both differ.
const PAIRED_TERMS: usize = 12;

/// A longer row of words is no repetition of a speaker.
const REPEATED_TERMS: usize = 24;

/// So many terms beside a passage may be a part of it.
const EDGE_TERMS: usize = 4;

/// With more words that differ, those of both texts together, nothing is compared.
pub const MAX_EDITS: usize = 600;

/// Returns what differs, from left to right; words that say the same differ in nothing.
///
/// `terms` are those of the passage, as places in its reading. `occurs` says whether a word stands anywhere in the
/// whole source.
#[must_use]
pub fn differences(
    quote: &Reading,
    passage: &Reading,
    terms: Range<usize>,
    lexicon: &Lexicon,
    occurs: &dyn Fn(&str) -> bool,
) -> Vec<Difference> {
    // An alignment of characters may leave out a first or last word that is written otherwise: 12, twelve.
    let first = terms.start.saturating_sub(EDGE_TERMS);
    let last = (terms.end + EDGE_TERMS).min(passage.terms.len());
    let core = terms.start - first..terms.end - first;
    let comparison =
        Comparison { quote, passage, first, ours: &quote.terms, theirs: &passage.terms[first..last], lexicon, occurs };
    let Some(gaps) = gaps(comparison.ours, &passage.terms[terms]) else {
        let whole =
            |terms: &[Term]| terms.first().zip(terms.last()).map_or((0, 0), |(first, last)| (first.start, last.end));
        return vec![Difference {
            kind: DifferenceKind::Unread,
            quote: whole(comparison.ours),
            passage: whole(comparison.theirs),
        }];
    };
    let mut found = Vec::new();
    for (ours, theirs) in gaps {
        let (ours, theirs) = comparison.with_edges(ours, theirs.start + core.start..theirs.end + core.start, &core);
        comparison.gap(ours, theirs, &mut found);
    }
    found
}

/// What is between the terms that both have, in both texts; `None` for too many differences.
///
/// Source: Myers 1986, "An O(ND) difference algorithm and its variations".
fn gaps(ours: &[Term], theirs: &[Term]) -> Option<Vec<(Range<usize>, Range<usize>)>> {
    let same = |one: usize, other: usize| ours[one].key == theirs[other].key;
    let prefix = (0..ours.len().min(theirs.len())).take_while(|&at| same(at, at)).count();
    let limit = ours.len().min(theirs.len()) - prefix;
    let suffix = (0..limit).take_while(|&at| same(ours.len() - 1 - at, theirs.len() - 1 - at)).count();
    let (rows, columns) = (ours.len() - prefix - suffix, theirs.len() - prefix - suffix);
    let most = (rows + columns).min(MAX_EDITS);
    let offset = most as isize + 1;
    let mut furthest = vec![0_usize; 2 * most + 3];
    let mut trace: Vec<Vec<usize>> = Vec::new();
    let mut edits = None;
    'search: for count in 0..=most as isize {
        trace.push(furthest.clone());
        for diagonal in (-count..=count).step_by(2) {
            let index = (diagonal + offset) as usize;
            let down = diagonal == -count || (diagonal != count && furthest[index - 1] < furthest[index + 1]);
            let mut x = if down { furthest[index + 1] } else { furthest[index - 1] + 1 };
            let mut y = x as isize - diagonal;
            while x < rows && (y as usize) < columns && y >= 0 && same(prefix + x, prefix + y as usize) {
                (x, y) = (x + 1, y + 1);
            }
            furthest[index] = x;
            if x >= rows && y >= columns as isize {
                edits = Some(count);
                break 'search;
            }
        }
    }
    // Back along the path: the matched pairs, last first.
    let (mut x, mut y) = (rows as isize, columns as isize);
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for count in (0..=edits?).rev() {
        let furthest = &trace[count as usize];
        let diagonal = x - y;
        let index = (diagonal + offset) as usize;
        let down = diagonal == -count || (diagonal != count && furthest[index - 1] < furthest[index + 1]);
        let before = if down { diagonal + 1 } else { diagonal - 1 };
        let (start_x, start_y) = if count == 0 {
            (0, 0)
        } else {
            let start_x = furthest[(before + offset) as usize] as isize;
            (start_x, start_x - before)
        };
        let (low_x, low_y) = if count == 0 {
            (0, 0)
        } else if down {
            (start_x, start_y + 1)
        } else {
            (start_x + 1, start_y)
        };
        while x > low_x && y > low_y {
            (x, y) = (x - 1, y - 1);
            pairs.push((prefix + x as usize, prefix + y as usize));
        }
        (x, y) = (start_x, start_y);
    }
    pairs.reverse();
    pairs.push((ours.len() - suffix, theirs.len() - suffix));
    let (mut done, mut gaps) = ((prefix, prefix), Vec::new());
    for (one, other) in pairs {
        if one > done.0 || other > done.1 {
            gaps.push((done.0..one, done.1..other));
        }
        done = (one + 1, other + 1);
    }
    Some(gaps)
}

struct Comparison<'a> {
    quote: &'a Reading,
    passage: &'a Reading,
    first: usize,
    ours: &'a [Term],
    theirs: &'a [Term],
    lexicon: &'a Lexicon,
    occurs: &'a dyn Fn(&str) -> bool,
}

/// What two terms are to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Same,
    Spelling,
}

impl Comparison<'_> {
    fn gap(&self, ours: Range<usize>, theirs: Range<usize>, found: &mut Vec<Difference>) {
        if self.is_cut_number(&ours, &theirs) {
            return;
        }
        if self.are_one_word(ours.clone(), theirs.clone()) {
            found.push(self.difference(DifferenceKind::Spelling, ours, theirs));
            return;
        }
        // Terms that are the same in another way, in order; what is between them differs.
        let (mut one, mut other) = (ours.start, theirs.start);
        for index in ours.clone() {
            let last = theirs.end.min(other + PAIRED_TERMS);
            let related = (other..last).find_map(|place| Some((place, self.relation(index, place)?)));
            let Some((place, relation)) = related else { continue };
            self.rest(one..index, other..place, found);
            if relation == Relation::Spelling {
                found.push(self.difference(DifferenceKind::Spelling, index..index + 1, place..place + 1));
            }
            (one, other) = (index + 1, place + 1);
        }
        self.rest(one..ours.end, other..theirs.end, found);
    }

    /// Whether the quote begins behind the digits of a number, with its scale or its unit: million, of 20 million.
    fn is_cut_number(&self, ours: &Range<usize>, theirs: &Range<usize>) -> bool {
        if ours.start > 0 || ours.is_empty() || theirs.len() != 1 || self.theirs[theirs.start].kind != Kind::Number {
            return false;
        }
        let written: Vec<&str> = self.ours[ours.clone()].iter().map(|term| self.quote.form(term)).collect();
        let meant = self.passage.form(&self.theirs[theirs.start]);
        let written = written.join(" ");
        !written.contains(|character: char| character.is_ascii_digit())
            && meant
                .strip_suffix(&*written)
                .is_some_and(|rest| rest.ends_with(' ') && rest.chars().all(|character| !character.is_alphabetic()))
    }

    /// A gap at an end of the quote, with the terms beside the passage from the first one on that says the same as
    /// one of the quote's.
    fn with_edges(
        &self,
        ours: Range<usize>,
        theirs: Range<usize>,
        core: &Range<usize>,
    ) -> (Range<usize>, Range<usize>) {
        let (mut start, mut end) = (theirs.start, theirs.end);
        let is_related = |place: &usize| ours.clone().any(|index| self.relation(index, *place).is_some());
        let sentence = |place: usize| self.theirs.get(place).map(|term| term.sentence);
        if ours.start == 0 && start == core.start {
            let first = (0..start).find(is_related);
            // Words of the sentence before, which an alignment of characters took in, are none of the passage's.
            while first.is_none() && start < end && sentence(start) < sentence(end) && !is_related(&start) {
                start += 1;
            }
            start = first.unwrap_or(start);
        }
        if ours.end == self.ours.len() && end == core.end {
            let last = (end..self.theirs.len()).rev().find(is_related);
            let before = start.checked_sub(1).and_then(sentence);
            while last.is_none()
                && start < end
                && before.is_some()
                && before < sentence(end - 1)
                && !is_related(&(end - 1))
            {
                end -= 1;
            }
            end = last.map_or(end, |place| place + 1);
        }
        (ours, start..end)
    }

    /// Whether both sides are the same letters, parted otherwise, but for a slip: Wi-Fi, WiFi; fo rme, for me.
    fn are_one_word(&self, ours: Range<usize>, theirs: Range<usize>) -> bool {
        let (own, their_own) = (&self.ours[ours.clone()], &self.theirs[theirs.clone()]);
        if own.is_empty()
            || their_own.is_empty()
            || own.len() + their_own.len() > 12
            || digits(self.quote, own) != digits(self.passage, their_own)
        {
            return false;
        }
        let letters = |reading: &Reading, terms: &[Term]| -> String {
            terms
                .iter()
                .flat_map(|term| reading.form(term).chars())
                .filter(|character| character.is_alphanumeric())
                .collect()
        };
        let (written, meant) = (letters(self.quote, own), letters(self.passage, their_own));
        let has_unknown =
            own.iter().any(|term| !self.is_known(self.quote.form(term)) || self.quote.form(term).chars().count() == 1);
        if written != meant && self.lexicon.spelling(&written).as_deref() != Some(&*meant) {
            let limit = if meant.chars().count() < 7 { 1 } else { 2 };
            let is_parted = own.len() != their_own.len() || own.len() > 1;
            return is_parted
                && has_unknown
                && self.lexicon.is_spaced
                && meant.chars().count() > 4
                && is_within(&written, &meant, limit);
        }
        if own.len() == their_own.len() {
            return has_unknown && own.len() > 1;
        }
        // Now here is not nowhere, and re-sign not resign, though the letters are the same.
        let (parts, reading, joined) =
            if own.len() > their_own.len() { (own, self.quote, their_own) } else { (their_own, self.passage, own) };
        let is_one = joined.len() == 1 && self.lexicon.is_word(&written);
        let has_telling_prefix =
            parts.first().is_some_and(|first| self.lexicon.telling_prefixes.contains(reading.form(first)));
        if is_one && has_telling_prefix {
            return false;
        }
        let is_glued = parts.windows(2).all(|pair| pair[0].end == pair[1].start);
        let is_hyphenated = parts.iter().skip(1).all(|term| term.is_hyphenated);
        let are_words = parts.iter().all(|term| self.lexicon.is_word(reading.form(term)));
        let are_plain = joined.iter().chain(parts).all(|term| term.kind == Kind::Content);
        !is_one || is_glued || is_hyphenated || !are_words || are_plain
    }

    fn relation(&self, one: usize, other: usize) -> Option<Relation> {
        let (ours, theirs) = (&self.ours[one], &self.theirs[other]);
        if ours.key == theirs.key {
            return Some(Relation::Same);
        }
        let (written, meant) = (self.quote.form(ours), self.passage.form(theirs));
        if written == meant && ours.value == theirs.value {
            return Some(Relation::Same);
        }
        if self.is_cut_phrase(one, other) {
            return Some(Relation::Same);
        }
        match (ours.kind, theirs.kind) {
            (Kind::Number, Kind::Number)
            | (Kind::Date, Kind::Date)
            | (Kind::Date, Kind::Number)
            | (Kind::Number, Kind::Date) => {
                return same_value(ours, theirs).then_some(Relation::Spelling);
            }
            // The word for one is an article, too.
            (Kind::Number, Kind::Article) if ours.is_one => return Some(Relation::Spelling),
            (Kind::Article, Kind::Number) if theirs.is_one => return Some(Relation::Spelling),
            // She's, he'd: is or has, would or had.
            (Kind::Clitic, Kind::Auxiliary) | (Kind::Auxiliary, Kind::Clitic)
                if ours.tense != Tense::Past && theirs.tense != Tense::Past =>
            {
                return Some(Relation::Spelling);
            }
            (Kind::Modal, Kind::Auxiliary) if ours.end - ours.start <= 2 && theirs.tense == Tense::Past => {
                return Some(Relation::Spelling);
            }
            (Kind::Auxiliary, Kind::Modal) if theirs.end - theirs.start <= 2 && ours.tense == Tense::Past => {
                return Some(Relation::Spelling);
            }
            _ => {}
        }
        let is_wordlike = |term: &Term| {
            matches!(term.kind, Kind::Content | Kind::Name | Kind::Denial | Kind::Title | Kind::Reference)
        };
        let both_names = ours.kind == Kind::Name || theirs.kind == Kind::Name;
        if both_names && is_wordlike(ours) && is_wordlike(theirs) && are_same_name(written, meant) {
            return Some(Relation::Spelling);
        }
        if is_wordlike(ours) && is_wordlike(theirs) && !both_names && self.is_inflected(written, meant) {
            return Some(Relation::Spelling);
        }
        if self.is_slip(one, other) || self.is_cut(one, other) {
            return Some(Relation::Spelling);
        }
        None
    }

    /// Whether the quote ends, or begins, inside an entry of several words or a date that the passage has: had, of
    /// had to; June 2012, of 26 June 2012.
    fn is_cut_phrase(&self, one: usize, other: usize) -> bool {
        let (ours, theirs) = (&self.ours[one], &self.theirs[other]);
        let (written, meant) = (self.quote.form(ours), self.passage.form(theirs));
        let is_end =
            one + 1 == self.ours.len() && meant.strip_prefix(written).is_some_and(|rest| rest.starts_with(' '));
        let is_start = one == 0 && meant.strip_suffix(written).is_some_and(|rest| rest.ends_with(' '));
        (is_end || is_start) && (matches!(theirs.kind, Kind::Date) || theirs.value.is_none())
    }

    /// Whether two words are forms of one: walk, walked.
    fn is_inflected(&self, written: &str, meant: &str) -> bool {
        if !self.lexicon.is_spaced || self.lexicon.differ_by_affix(written, meant) {
            return false;
        }
        let is_near = |one: &str, other: &str| {
            let shared = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
            2 * shared >= one.chars().count().max(other.chars().count())
        };
        self.lexicon.stem(written) == self.lexicon.stem(meant)
            && (is_near(written, meant) || is_near(self.lexicon.base(written), self.lexicon.base(meant)))
    }

    /// Whether the quote's word is the passage's but for a slip that made no word (rulings A9, A17).
    fn is_slip(&self, one: usize, other: usize) -> bool {
        let (ours, theirs) = (&self.ours[one], &self.theirs[other]);
        let (written, meant) = (self.quote.form(ours), self.passage.form(theirs));
        let is_plain = |word: &str| word.chars().all(|letter| letter.is_alphabetic() || letter == '\'');
        if !self.lexicon.is_spaced || !is_plain(written) || !is_plain(meant) || ours.value.is_some() {
            return false;
        }
        let (length, own_length) = (meant.chars().count(), written.chars().count());
        // A function word becomes a word of content by a slip only: will, mill.
        let is_function = matches!(
            theirs.kind,
            Kind::Preposition
                | Kind::Pronoun
                | Kind::Conjunction
                | Kind::Article
                | Kind::Auxiliary
                | Kind::Modal
                | Kind::Filler
        );
        if ours.kind == Kind::Content
            && is_function
            && (own_length > 1 || !self.lexicon.is_frequent(written))
            && length > 1
        {
            return is_within(written, meant, 1);
        }
        if length < 3 || ours.kind != Kind::Content && ours.kind != Kind::Name {
            return false;
        }
        let is_name = theirs.kind == Kind::Name;
        // Without a table of words nothing tells a short word with two slips from another word.
        let shortest = if self.lexicon.has_words() { 5 } else { 7 };
        let limit = if length < shortest || is_name { 1 } else { 2 };
        // A slip of the source that the quote corrects.
        let is_corrected = self.lexicon.has_words()
            && !self.lexicon.is_word(meant)
            && theirs.kind == Kind::Content
            && !theirs.is_capital
            && theirs.value.is_none();
        if is_corrected && is_within(written, meant, limit) {
            return true;
        }
        is_within(written, meant, limit) && !self.is_known(written) && !self.lexicon.are_opposites(written, meant)
    }

    fn is_known(&self, word: &str) -> bool {
        self.lexicon.is_word(word) || (self.occurs)(word)
    }

    /// Whether the quote ends, or begins, inside the passage's word, and what it has of it is no word.
    fn is_cut(&self, one: usize, other: usize) -> bool {
        let (written, meant) = (self.quote.form(&self.ours[one]), self.passage.form(&self.theirs[other]));
        let is_end = one + 1 == self.ours.len() && meant.starts_with(written);
        let is_start = one == 0 && meant.ends_with(written);
        (is_end || is_start)
            && self.lexicon.is_spaced
            && self.ours[one].kind == Kind::Content
            && !self.is_known(written)
    }

    /// Words that have no counterpart: in the quote, in the passage, or in both.
    fn rest(&self, ours: Range<usize>, theirs: Range<usize>, found: &mut Vec<Difference>) {
        if ours.is_empty() && theirs.is_empty() {
            return;
        }
        let own: Vec<usize> =
            ours.clone().filter(|&index| !self.is_idle(&self.ours[index], self.quote, ours.clone(), true)).collect();
        let their_own: Vec<usize> = theirs
            .clone()
            .filter(|&index| !self.is_idle(&self.theirs[index], self.passage, theirs.clone(), false))
            .collect();
        let is_one_sided = own.is_empty() || their_own.is_empty();
        if own.is_empty() && their_own.is_empty() {
            found.push(self.difference(DifferenceKind::Filler, ours, theirs));
            return;
        }
        let kinds = |indices: &[usize], terms: &[Term]| {
            indices.iter().map(|&index| kind_alone(&terms[index], is_one_sided)).max()
        };
        let mut kind = kinds(&own, self.ours)
            .into_iter()
            .chain(kinds(&their_own, self.theirs))
            .max()
            .unwrap_or(DifferenceKind::WordReplaced);
        if is_one_sided {
            if kind <= DifferenceKind::WordReplaced {
                kind = if own.is_empty() { DifferenceKind::WordDropped } else { DifferenceKind::WordAdded };
            }
        } else {
            kind = kind.max(self.kind_of_pairs(&own, &their_own));
            if kind == DifferenceKind::Number {
                kind = self.number_kind(&own, &their_own);
            }
        }
        found.push(self.difference(kind, ours, theirs));
    }

    /// Whether a word without a counterpart says nothing: a filler, an article, a repetition.
    fn is_idle(&self, term: &Term, reading: &Reading, gap: Range<usize>, is_quote: bool) -> bool {
        match term.kind {
            Kind::Article | Kind::Clitic => true,
            Kind::Filler => term.is_apart || reading.form(term).len() <= 3 || reading.form(term).contains(' '),
            _ => self.is_repeated(gap, is_quote),
        }
    }

    /// Whether the words of a gap only repeat those beside them, as speakers do: I had a, I had a rash.
    fn is_repeated(&self, gap: Range<usize>, is_quote: bool) -> bool {
        let (terms, offset) = if is_quote { (self.ours, 0) } else { (&self.passage.terms[..], self.first) };
        let range = gap.start + offset..gap.end + offset;
        if range.len() > REPEATED_TERMS {
            return false;
        }
        let reading = if is_quote { self.quote } else { self.passage };
        let said: Vec<&str> = terms[range.clone()]
            .iter()
            .filter(|term| term.kind != Kind::Filler)
            .map(|term| reading.form(term))
            .collect();
        if said.is_empty() || said.len() > 8 || terms[range.clone()].iter().any(|term| term.kind == Kind::Number) {
            return false;
        }
        let spoken = |term: &&Term| term.kind != Kind::Filler;
        let after: Vec<&str> =
            terms[range.end..].iter().filter(spoken).take(said.len()).map(|term| reading.form(term)).collect();
        let before: Vec<&str> =
            terms[..range.start].iter().rev().filter(spoken).take(said.len()).map(|term| reading.form(term)).collect();
        after == said || before.iter().rev().eq(said.iter())
    }

    /// What words are that stand in each other's place.
    fn kind_of_pairs(&self, own: &[usize], their_own: &[usize]) -> DifferenceKind {
        let mut kind = DifferenceKind::WordReplaced;
        for &one in own.iter().take(8) {
            for &other in their_own.iter().take(8) {
                let (ours, theirs) = (&self.ours[one], &self.theirs[other]);
                let both = |each: Kind| ours.kind == each && theirs.kind == each;
                if self.lexicon.are_opposites(self.quote.form(ours), self.passage.form(theirs)) {
                    return DifferenceKind::Negation;
                }
                let is_replaced = both(Kind::Pronoun)
                    || both(Kind::Preposition)
                    || both(Kind::Conjunction)
                    || both(Kind::Auxiliary)
                    || both(Kind::Order);
                if is_replaced && own.len() == 1 && their_own.len() == 1 {
                    kind = kind.max(DifferenceKind::Wording);
                }
            }
        }
        kind
    }

    fn number_kind(&self, own: &[usize], their_own: &[usize]) -> DifferenceKind {
        fn quantity(term: &Term) -> Option<&crate::reading::Quantity> {
            if let Some(Value::Quantity(quantity)) = &term.value { Some(quantity) } else { None }
        }
        let ours: Vec<_> = own.iter().filter_map(|&index| quantity(&self.ours[index])).collect();
        let theirs: Vec<_> = their_own.iter().filter_map(|&index| quantity(&self.theirs[index])).collect();
        let is_same = ours.len() == theirs.len()
            && ours
                .iter()
                .zip(&theirs)
                .all(|(one, other)| (one.low, one.high, one.is_ordinal) == (other.low, other.high, other.is_ordinal));
        if is_same && !ours.is_empty() { DifferenceKind::Unit } else { DifferenceKind::Number }
    }

    fn difference(&self, kind: DifferenceKind, ours: Range<usize>, theirs: Range<usize>) -> Difference {
        Difference { kind, quote: span(self.ours, ours), passage: span(self.theirs, theirs) }
    }
}

/// Start and end of some terms; where they would be if there are none.
fn span(terms: &[Term], range: Range<usize>) -> (u32, u32) {
    if range.is_empty() {
        let at = range
            .start
            .checked_sub(1)
            .map_or_else(|| terms.first().map_or(0, |term| term.start), |before| terms[before].end);
        return (at, at);
    }
    (terms[range.start].start, terms[range.end - 1].end)
}

/// The digits of some terms.
fn digits(reading: &Reading, terms: &[Term]) -> String {
    terms.iter().flat_map(|term| reading.form(term).chars()).filter(char::is_ascii_digit).collect()
}

/// What it is to add, drop or replace a word of this kind.
fn kind_alone(term: &Term, is_one_sided: bool) -> DifferenceKind {
    match term.kind {
        Kind::Number => {
            if term.is_one && is_one_sided {
                DifferenceKind::Wording
            } else {
                DifferenceKind::Number
            }
        }
        Kind::Date | Kind::Reference => DifferenceKind::Date,
        Kind::Time => DifferenceKind::Time,
        Kind::Negation | Kind::Denial => DifferenceKind::Negation,
        Kind::Modal | Kind::Hedge => DifferenceKind::Modal,
        Kind::Quantifier | Kind::Limiter | Kind::Bound => DifferenceKind::Quantifier,
        Kind::Condition | Kind::Exception | Kind::Cause => DifferenceKind::Condition,
        Kind::Name | Kind::Title => DifferenceKind::Name,
        Kind::Content | Kind::Order => DifferenceKind::Wording,
        // Be makes a passive and a predicate; have and do only help.
        Kind::Auxiliary if term.is_be && is_one_sided => DifferenceKind::Wording,
        Kind::Filler => DifferenceKind::Wording,
        _ => DifferenceKind::WordReplaced,
    }
}

/// Whether two numbers or dates say the same, though one says it in another way: 3. and third, 1821 and 1821.
fn same_value(one: &Term, other: &Term) -> bool {
    match (&one.value, &other.value) {
        (Some(Value::Quantity(one)), Some(Value::Quantity(other))) => {
            (one.low, one.high) == (other.low, other.high)
                && (one.unit == other.unit)
                && (one.is_ordinal == other.is_ordinal)
        }
        (one, other) => one == other,
    }
}

/// Whether a word of the quote is one that the source has: in small letters, in order, for binary search.
#[must_use]
pub fn vocabulary(source: &Reading) -> Vec<&str> {
    let mut words: Vec<&str> = source.terms.iter().map(|term| source.form(term)).collect();
    words.sort_unstable();
    words.dedup();
    words
}
