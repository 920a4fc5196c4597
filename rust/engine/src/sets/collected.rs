//! A text as a set of numbered tokens.

/// The mark of a token that is set aside, below its number.
const ASIDE: u32 = 1;

/// A token of a set: its number, and whether it is set aside in this text.
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

/// Sorts tokens rarest first, which is the highest number, and leaves one of each: set aside if
/// any of them is.
pub(super) fn make_set(members: &mut Vec<Member>) {
    members.sort_unstable_by(|a, b| b.cmp(a));
    members.dedup_by_key(|member| member.number());
}

/// How many tokens two sets have in common: all of them, and those that neither sets aside.
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
