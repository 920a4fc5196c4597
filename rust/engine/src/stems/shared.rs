//! What a sentence shares with a claim, and whether that is denied.

use crate::Span;

/// What a word does in a sentence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Roles(pub u8);

impl Roles {
    /// It denies what follows.
    pub const DENIES: Self = Self(1);
    /// A denial before it denies nothing: `not only`, `don't think`.
    pub const SOFTENS: Self = Self(2);
    /// A clause begins with it.
    pub const BEGINS_CLAUSE: Self = Self(4);
    /// Sentences are filed under it.
    pub const IS_FILED: Self = Self(8);
    /// From this one on they mean what the caller likes.
    pub const OTHERS: Self = Self(16);

    /// These roles and those of `other`.
    #[inline]
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it has this role.
    #[inline]
    #[must_use]
    pub fn has(self, role: Self) -> bool {
        self.0 & role.0 != 0
    }
}

/// A word of a sentence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed {
    /// Where it stands.
    pub(super) span: Span,
    /// The number of its clause.
    pub(super) clause: u32,
    /// What it does.
    pub(super) roles: Roles,
    /// Whether the claim has it.
    pub(super) is_shared: bool,
}

/// What a sentence has of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// From the first shared word to the last.
    pub span: Span,
    /// A denial stands in a clause that has a shared word.
    pub has_denial: bool,
    /// A shared word stands behind a denial, in its reach.
    pub is_denied: bool,
}

/// A denial denies so many words behind it, in its clause, at most.
const REACH_WORDS: usize = 4;

/// What `words`, those of a sentence, share with a claim; `None` if that is nothing.
pub(super) fn shared(words: &[Placed]) -> Option<Shared> {
    let first = words.iter().find(|word| word.is_shared)?;
    let last = words.iter().rfind(|word| word.is_shared).unwrap_or(first);
    let mut found = Shared { span: Span::new(first.span.start, last.span.end), has_denial: false, is_denied: false };
    let mut looked_at = None;
    for place in 0..words.len() {
        let Some(reach) = reach_of_denial(words, place) else { continue };
        found.is_denied |= reach.iter().any(|word| word.is_shared);
        // A clause with many denials is looked at once.
        if looked_at.replace(words[place].clause) != Some(words[place].clause) {
            found.has_denial |= clause_of(words, place).any(|word| word.is_shared);
        }
    }
    Some(found)
}

/// The words of the clause of the one at `place`. Clauses are numbered in order, so these stand together.
fn clause_of(words: &[Placed], place: usize) -> impl Iterator<Item = &Placed> {
    let clause = words[place].clause;
    let is_of_clause = move |word: &&Placed| word.clause == clause;
    words[..place].iter().rev().take_while(is_of_clause).chain(words[place..].iter().take_while(is_of_clause))
}

/// What the word at `place` denies; `None` if it is no denial.
fn reach_of_denial(words: &[Placed], place: usize) -> Option<&[Placed]> {
    let word = &words[place];
    if !word.roles.has(Roles::DENIES) {
        return None;
    }
    let behind = &words[place + 1..];
    let len = behind.iter().take(REACH_WORDS).take_while(|other| other.clause == word.clause).count();
    let reach = &behind[..len];
    let is_soft = reach.first().is_some_and(|following| following.roles.has(Roles::SOFTENS));
    (!is_soft).then_some(reach)
}
