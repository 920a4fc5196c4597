//! Colinear chaining: selects the heaviest chain of exact matches that is in order in both texts.

use super::block::Block;
use super::scoring::{Kind, PASSAGE_CHAR, PASSAGE_GAP, QUOTE_CHAR, QUOTE_GAP};
use super::sequence::{FreeEnds, Region, Sequence, SequencePair};
use crate::Error;
use crate::cancel::CancelMeter;

/// The number of preceding matches that are tried as predecessors of a match. The end of the heaviest chain so far is
/// tried as well, because more short matches than this may follow a long one.
const LOOK_BACK: usize = 64;

/// The maximum number of characters that a match loses at either end when it is cut back to word boundaries.
const MAX_TRIMMED: usize = 32;

/// Returns the matches of the heaviest chain, in order and disjoint, each cut back to word boundaries where possible.
///
/// The weight of a chain is the cost of leaving its characters unpaired, minus the cost of the gaps between its
/// matches. Ties go to the first chain in the passage.
///
/// # Complexity
///
/// `O(64·r)` for `r` matches.
pub(super) fn chain(
    sequences: &SequencePair,
    region: &Region,
    free: FreeEnds,
    matches: &[Block],
    meter: &mut CancelMeter<'_>,
) -> Result<Vec<Block>, Error> {
    let corner = |quote, passage| Block { quote, passage, len: 0 };
    let (first, last) =
        (corner(region.quote.start, region.passage.start), corner(region.quote.end, region.passage.end));
    let mut best: Vec<(i64, Option<usize>)> = Vec::with_capacity(matches.len());
    let mut heaviest_yet = None;
    for (index, &found) in matches.iter().enumerate() {
        meter.charge(LOOK_BACK)?;
        let alone = i64::from(QUOTE_CHAR) * found.len as i64 - if free.start { 0 } else { gap(first, found) };
        let after = |earlier: usize| Some((best[earlier].0 + step(matches[earlier], found)?, Some(earlier)));
        let reached = heaviest_yet.into_iter().chain(index.saturating_sub(LOOK_BACK)..index).filter_map(after);
        best.push(reached.fold((alone, None), |best, next| if next.0 > best.0 { next } else { best }));
        if heaviest_yet.is_none_or(|heaviest: usize| best[index].0 > best[heaviest].0) {
            heaviest_yet = Some(index);
        }
    }
    let worth = |&(index, &(worth, _)): &(usize, &(i64, Option<usize>))| {
        worth - if free.end { 0 } else { gap(matches[index], last) }
    };
    let heaviest = best.iter().enumerate().rev().max_by_key(worth);
    let links = std::iter::successors(heaviest.map(|(index, _)| index), |&index| best[index].1);
    let mut chain: Vec<Block> = links.map(|index| between_words(sequences, region, matches[index])).collect();
    chain.reverse();
    Ok(remove_overlaps(chain))
}

/// Returns the weight that `found` adds to a chain that ends with `earlier`; `None` if it does not follow `earlier`.
fn step(earlier: Block, found: Block) -> Option<i64> {
    let follows = found.quote > earlier.quote && found.passage > earlier.passage;
    let new = found.len.min(found.quote_end().saturating_sub(earlier.quote_end()));
    let new = new.min(found.passage_end().saturating_sub(earlier.passage_end()));
    (follows && new > 0).then(|| i64::from(QUOTE_CHAR) * new as i64 - gap(earlier, found))
}

/// Returns the cost of the gap between two matches.
fn gap(before: Block, after: Block) -> i64 {
    match after.diagonal() - before.diagonal() {
        0 => 0,
        more @ 1.. => i64::from(PASSAGE_GAP) + more as i64 * i64::from(PASSAGE_CHAR),
        // Unpaired quote characters add no weight, so only opening the gap costs.
        _ => i64::from(QUOTE_GAP),
    }
}

/// Cuts a match back to word boundaries of both texts, without a space before its first word. Does not cut at the start
/// and end of the quote.
fn between_words(sequences: &SequencePair, region: &Region, found: Block) -> Block {
    let is_end = |&chars: &usize| {
        let ends = |sequence: &Sequence, position| sequence.is_boundary(position);
        ends(&sequences.quote, found.quote + chars) && ends(&sequences.passage, found.passage + chars)
    };
    let is_start =
        |chars: &usize| is_end(chars) && sequences.quote.kinds.get(found.quote + chars) != Some(&Kind::Space);
    let most = found.len.min(MAX_TRIMMED);
    let first = if found.quote == region.quote.start { 0 } else { (0..=most).find(is_start).unwrap_or(0) };
    let last = match found.quote_end() == region.quote.end {
        true => found.len,
        false => (found.len - most..=found.len).rev().find(is_end).unwrap_or(found.len),
    };
    Block { len: last.max(first), ..found }.without_first(first)
}

/// Removes from each match the characters that an earlier match covers.
fn remove_overlaps(chain: Vec<Block>) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::with_capacity(chain.len());
    for found in chain {
        let common = blocks.last().map_or(0, |last| {
            last.quote_end().saturating_sub(found.quote).max(last.passage_end().saturating_sub(found.passage))
        });
        let found = found.without_first(common);
        if found.len > 0 {
            blocks.push(found);
        }
    }
    blocks
}
