//! Sets of numbered tokens.

/// The flag of a stop token, in the lowest bit, below the number.
const ASIDE: u32 = 1;

/// A token of a set: its number, and a flag that says whether it is a stop token in this text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Member(u32);

impl Member {
    pub(super) fn new(number: u32, is_aside: bool) -> Self {
        Self(number << 1 | if is_aside { ASIDE } else { 0 })
    }

    pub(super) fn number(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn is_aside(self) -> bool {
        self.0 & ASIDE != 0
    }
}

/// The maximum size of a set that is sorted without branches. Most claims are smaller.
const SMALL: usize = 32;
const LANES: usize = 8;

/// Sorts tokens by descending number, the rarest first, and removes duplicates. A token is a stop token if any of its
/// duplicates is.
pub(super) fn make_set(members: &mut Vec<Member>) {
    if members.len() <= SMALL {
        sort_small(members);
    } else {
        members.sort_unstable_by(|a, b| b.cmp(a));
    }
    members.dedup_by_key(|member| member.number());
}

/// Sorts tokens by counting the higher ones for each, without unpredictable branches.
fn sort_small(members: &mut Vec<Member>) {
    // Compares signed numbers, which all processors can do several at a time. The key of the padding, `NONE`, is below
    // all others.
    let key = |member: u32| member.wrapping_add(1) as i32 ^ i32::MIN;
    const NONE: u32 = u32::MAX;
    let mut keys = [key(NONE); SMALL];
    for (place, member) in keys.iter_mut().zip(members.iter()) {
        *place = key(member.0);
    }
    let chunks = &keys.as_chunks::<LANES>().0[..members.len().div_ceil(LANES)];
    let mut sorted = [NONE; SMALL];
    for (&own, &member) in keys.iter().zip(members.iter()) {
        let higher = |chunk: &[i32; LANES]| chunk.iter().map(|&other| i32::from(other > own)).sum::<i32>();
        sorted[chunks.iter().map(higher).sum::<i32>() as usize] = member.0;
    }
    members.clear();
    members.extend(sorted.into_iter().filter(|&member| member != NONE).map(Member));
}

/// Returns the number of tokens in both sets: of all, and of those that are stop tokens in neither.
pub(super) fn shared(set: &[Member], other: &[Member]) -> (usize, usize) {
    let (mut all, mut core) = (0, 0);
    let (mut at, mut other_at) = (0, 0);
    while at < set.len() && other_at < other.len() {
        let (member, other_member) = (set[at], other[other_at]);
        if member.number() == other_member.number() {
            all += 1;
            core += usize::from(!member.is_aside() && !other_member.is_aside());
        }
        at += usize::from(member.number() >= other_member.number());
        other_at += usize::from(member.number() <= other_member.number());
    }
    (all, core)
}

#[cfg(test)]
mod tests {
    use super::{Member, SMALL, make_set};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_set_has_each_number_once_and_the_highest_first(
            given in prop::collection::vec((prop_oneof![0..20_u32, Just((1 << 31) - 3), any::<u32>()], any::<bool>()), 0..2 * SMALL),
        ) {
            let number = |number: u32| number % ((1 << 31) - 2);
            let mut set: Vec<Member> = given.iter().map(|&(each, is_aside)| Member::new(number(each), is_aside)).collect();
            make_set(&mut set);
            let mut expected = std::collections::BTreeMap::new();
            for &(each, is_aside) in &given {
                *expected.entry(number(each)).or_insert(false) |= is_aside;
            }
            let found: Vec<(u32, bool)> = set.iter().map(|member| (member.number(), member.is_aside())).collect();
            prop_assert_eq!(expected.into_iter().rev().collect::<Vec<_>>(), found);
        }
    }
}
