//! Reads the content of citation brackets: `1`, `1, 2; 3`, `1-3`, `^1`, `source:x`, `1†source`.

use super::known_ids::{KnownIds, MarkerStatus, is_separator, trim};

/// The syntax of a citation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerSyntax {
    /// `[1]`
    Bracket,
    /// `【1】`
    Lenticular,
    /// `[^1]`
    Footnote,
    /// `[source:1]`
    Source,
}

/// One id of a citation, as the answer spells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CitedItem {
    /// The code points of the id.
    pub id: Vec<u32>,
    /// Whether the id is known.
    pub status: MarkerStatus,
}

/// Maximum number of ids in a range of numbers; more are not expanded.
const MAX_RANGE: u64 = 1_000;
/// Maximum number of ids that the ranges of one answer expand to; later ranges are ignored.
pub(super) const MAX_EXPANDED_IDS: usize = 100_000;
/// Maximum number of digits of a number.
const MAX_DIGITS: usize = 18;
/// Ends the id in `【1†source】`.
const DAGGER: u32 = '†' as u32;

/// Parses the content of brackets.
pub(super) struct BracketParser<'a> {
    ids: &'a KnownIds,
    /// Number of ids that ranges may still expand to.
    budget: usize,
}

impl<'a> BracketParser<'a> {
    pub(super) fn new(ids: &'a KnownIds) -> Self {
        Self { ids, budget: MAX_EXPANDED_IDS }
    }

    /// Returns the syntax and the ids of `content`. Content without letters and digits has no ids.
    pub(super) fn read(&mut self, content: &[u32], is_lenticular: bool) -> (MarkerSyntax, Vec<CitedItem>) {
        let syntax = if is_lenticular { MarkerSyntax::Lenticular } else { MarkerSyntax::Bracket };
        let content = trim(content);
        if !content.iter().any(|&code| char::from_u32(code).is_some_and(char::is_alphanumeric)) {
            return (syntax, Vec::new());
        }
        if self.ids.is_known(content) {
            return (syntax, vec![CitedItem { id: content.to_vec(), status: MarkerStatus::Valid }]);
        }
        let dagger = content.iter().position(|&code| is_lenticular && code == DAGGER);
        let content = &content[..dagger.unwrap_or(content.len())];
        let prefix = prefixed(content, syntax);
        let mut items = Vec::new();
        self.read_list(&prefix, &mut items);
        (prefix.syntax, items)
    }

    fn read_list(&mut self, list: &Prefixed<'_>, items: &mut Vec<CitedItem>) {
        let content = list.rest;
        let commas = content.iter().enumerate().filter(|&(_, &code)| is_separator(code)).map(|(place, _)| place);
        let ends: Vec<usize> = commas.chain([content.len()]).collect();
        let (mut piece, mut start) = (0, 0);
        while piece < ends.len() {
            // An id may contain a separator: the longest known id wins.
            let last = (piece + self.ids.separators()).min(ends.len() - 1);
            let known = |&last: &usize| last > piece && self.ids.is_known(trim(&content[start..ends[last]]));
            let last = (piece..=last).rev().find(known).unwrap_or(piece);
            self.read_one(trim(&content[start..ends[last]]), list, items);
            start = ends[last] + 1;
            piece = last + 1;
        }
    }

    fn read_one(&mut self, piece: &[u32], list: &Prefixed<'_>, items: &mut Vec<CitedItem>) {
        if piece.is_empty() {
            return;
        }
        if self.ids.is_known(piece) {
            return items.push(CitedItem { id: piece.to_vec(), status: MarkerStatus::Valid });
        }
        let Prefixed { syntax, is_marked, rest: id } = prefixed(piece, list.syntax);
        let mut status = self.ids.status(id);
        if status == MarkerStatus::Ignored {
            if let Some((first, last)) = range(id) {
                return self.expand_range(first, last, id, items);
            }
            // The prefix `source:` shows that a citation is intended.
            if syntax == MarkerSyntax::Source && (is_marked || list.is_marked) {
                status = MarkerStatus::Invalid;
            }
        }
        items.push(CitedItem { id: id.to_vec(), status });
    }

    /// Adds the numbers from `first` to `last`, or `piece` alone if there are too many.
    fn expand_range(&mut self, first: u64, last: u64, piece: &[u32], items: &mut Vec<CitedItem>) {
        let count = last.checked_sub(first).map_or(u64::MAX, |more| more + 1);
        if count > MAX_RANGE || count as usize > self.budget {
            return items.push(CitedItem { id: piece.to_vec(), status: MarkerStatus::Ignored });
        }
        self.budget -= count as usize;
        items.extend((first..=last).map(|number| {
            let id: Vec<u32> = number.to_string().bytes().map(u32::from).collect();
            let status = self.ids.status(&id);
            CitedItem { id, status }
        }));
    }
}

/// The content after `^` or `source:`.
struct Prefixed<'a> {
    syntax: MarkerSyntax,
    /// Whether the prefix ends in `^` or a colon, and is not a word alone.
    is_marked: bool,
    rest: &'a [u32],
}

/// Splits off the prefix of `content`; `syntax` is that of content without a prefix.
fn prefixed(content: &[u32], syntax: MarkerSyntax) -> Prefixed<'_> {
    if let Some((&first, rest)) = content.split_first()
        && first == '^' as u32
    {
        return Prefixed { syntax: MarkerSyntax::Footnote, is_marked: true, rest: trim(rest) };
    }
    let is_letter = |&code: &u32| char::from_u32(code).is_some_and(char::is_alphabetic);
    let letters = content.iter().take_while(|code| is_letter(code)).take(8).count();
    let word: String = content[..letters].iter().filter_map(|&code| char::from_u32(code)).collect();
    let is_source = ["source", "sources"].iter().any(|source| word.eq_ignore_ascii_case(source));
    let rest = trim(&content[letters..]);
    let is_marked = matches!(rest.first().copied().and_then(char::from_u32), Some(':' | '：'));
    let id = trim(&rest[usize::from(is_marked)..]);
    if is_source && !id.is_empty() {
        return Prefixed { syntax: MarkerSyntax::Source, is_marked, rest: id };
    }
    Prefixed { syntax, is_marked: false, rest: content }
}

/// Returns both ends of `1-3` or `1–3`.
fn range(piece: &[u32]) -> Option<(u64, u64)> {
    let dash = piece.iter().position(|&code| matches!(char::from_u32(code), Some('-' | '\u{2010}'..='\u{2014}')))?;
    Some((number(trim(&piece[..dash]))?, number(trim(&piece[dash + 1..]))?))
}

fn number(digits: &[u32]) -> Option<u64> {
    let is_number = (1..=MAX_DIGITS).contains(&digits.len());
    let add = |number: u64, &code: &u32| Some(number * 10 + u64::from(char::from_u32(code)?.to_digit(10)?));
    if is_number { digits.iter().try_fold(0, add) } else { None }
}
