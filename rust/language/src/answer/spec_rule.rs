//! Counts claims and citations by the specification's rule (rulings B1, B2).

use std::collections::HashSet;

use groundwire_engine::is_space;

/// Maximum length of a sentence that is no claim, in characters without surrounding white space.
const MAX_NO_CLAIM_CHARS: usize = 20;

/// Counts by the specification's rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpecCount {
    /// Number of sentences that are claims.
    pub claims: usize,
    /// Number of distinct ids that are cited in brackets.
    pub cited: usize,
}

/// Counts the sentences of `answer`, split at terminators, that are claims, and the distinct ids in brackets. Linear.
///
/// # Examples
///
/// ```
/// use groundwire_language::answer::{SpecCount, spec_count};
///
/// let count = spec_count("The river is 40 km long [1]. It is cold [2].", &["1"]);
/// assert_eq!(count, SpecCount { claims: 1, cited: 1 });
/// ```
#[must_use]
pub fn spec_count(answer: &str, ids: &[&str]) -> SpecCount {
    let claims = answer.split(['.', '!', '?']).filter(|piece| is_claim(piece)).count();
    let ids: HashSet<&str> = ids.iter().copied().collect();
    let cited: HashSet<&str> = brackets(answer).filter(|written| ids.contains(written)).collect();
    SpecCount { claims, cited: cited.len() }
}

fn is_claim(piece: &str) -> bool {
    // There are at most as many characters as bytes.
    piece.len() > MAX_NO_CLAIM_CHARS && piece.trim_matches(is_space).chars().nth(MAX_NO_CLAIM_CHARS).is_some()
}

/// Returns the non-empty texts between a `[` and the next `]`, without overlaps.
fn brackets(answer: &str) -> impl Iterator<Item = &str> {
    let mut rest = answer;
    std::iter::from_fn(move || {
        loop {
            let (_, behind) = rest.split_once('[')?;
            let (written, after) = behind.split_once(']')?;
            if !written.is_empty() {
                rest = after;
                return Some(written);
            }
            rest = behind;
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_extend_to_the_next_closing_one() {
        for (answer, expected) in [
            ("[1] [2]", &["1", "2"][..]),
            ("[[1]]", &["[1"]),
            ("[]1]", &[]),
            ("[][1]", &["1"]),
            ("] [1", &[]),
            ("[ä\n漢]", &["ä\n漢"]),
        ] {
            assert_eq!(brackets(answer).collect::<Vec<_>>(), expected, "{answer}");
        }
    }

    #[test]
    fn claims_have_more_than_twenty_characters() {
        let claim = "twenty-one characters";
        assert_eq!(claim.len(), 21);
        let of = |answer: &str| spec_count(answer, &["1", "2"]);
        assert_eq!(of(claim), SpecCount { claims: 1, cited: 0 });
        assert_eq!(of(&claim[1..]), SpecCount { claims: 0, cited: 0 });
        assert_eq!(of(&format!("  {claim}\u{1c}!  {claim}[1][1][3]")), SpecCount { claims: 2, cited: 1 });
        assert_eq!(of(&"漢".repeat(20)), SpecCount { claims: 0, cited: 0 });
        assert_eq!(of(&"漢".repeat(21)), SpecCount { claims: 1, cited: 0 });
    }
}
