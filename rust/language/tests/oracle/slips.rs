//! Edit distance by the full table.

/// Returns the optimal string alignment distance: insertions, deletions, substitutions, and transpositions of
/// neighbours that no other edit changes.
pub fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut table = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                let mut least = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    table[one.len()][other.len()]
}

#[test]
fn the_distance_is_known() {
    for (expected, one, other) in
        [(0, "", ""), (2, "", "ab"), (1, "form", "from"), (3, "kitten", "sitting"), (3, "ca", "abc"), (1, "né", "ne")]
    {
        assert_eq!(expected, distance(one, other), "{one} {other}");
    }
}
