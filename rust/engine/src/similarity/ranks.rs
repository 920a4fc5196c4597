//! Renumbers tokens by frequency.
//!
//! A new token gets the highest number, and the first texts contain the frequent words, so a higher number usually
//! means a rarer token. Counting makes that exact, and drops the tokens of removed sets.

use super::dictionary::Dictionary;
use super::set_store::SetStore;
use super::token_set::{TokenRef, sort_and_dedup};
use crate::Error;

/// Renumbers the tokens of `sets`, with 0 for the most frequent one, and returns their new dictionary.
pub(super) fn reorder_by_frequency(dictionary: &Dictionary, sets: &mut SetStore) -> Result<Dictionary, Error> {
    let mut counts = vec![0_u32; dictionary.len()];
    for member in sets.iter().flat_map(|(_, set)| set) {
        counts[member.number() as usize] += 1;
    }
    let mut order: Vec<u32> = (0..counts.len() as u32).filter(|&number| counts[number as usize] > 0).collect();
    order.sort_by_key(|&number| std::cmp::Reverse(counts[number as usize]));
    let mut tokens = vec![Box::default(); dictionary.len()];
    dictionary.each(|token, number| tokens[number as usize] = Box::<[u8]>::from(token));
    let mut ranked = Dictionary::new();
    let mut renumbered = counts;
    for number in order {
        renumbered[number as usize] = ranked.number(&tokens[number as usize])?;
    }
    sets.remap(|set| {
        let member = |member: &TokenRef| TokenRef::new(renumbered[member.number() as usize], member.is_stop());
        let mut set: Vec<TokenRef> = set.iter().map(member).collect();
        sort_and_dedup(&mut set);
        set
    });
    Ok(ranked)
}
