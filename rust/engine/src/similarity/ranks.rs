//! Renumbers tokens by frequency.
//!
//! A new token gets the highest number, and the first texts contain the frequent words, so a higher number usually
//! means a rarer token. Counting makes that exact, and drops the tokens of removed sets.

use super::dictionary::Dictionary;
use super::set_store::Records;
use super::token_set::{Member, make_set};
use crate::Error;

/// Renumbers the tokens of `records`, with 0 for the most frequent one, and returns their new dictionary.
pub(super) fn rank(dictionary: &Dictionary, records: &mut Records) -> Result<Dictionary, Error> {
    let mut counts = vec![0_u32; dictionary.len()];
    for member in records.iter().flat_map(|(_, set)| set) {
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
    records.rewrite(|set| {
        let member = |member: &Member| Member::new(renumbered[member.number() as usize], member.is_aside());
        let mut set: Vec<Member> = set.iter().map(member).collect();
        make_set(&mut set);
        set
    });
    Ok(ranked)
}
