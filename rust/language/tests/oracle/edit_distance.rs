//! Edit distance by the full table.

/// Returns the optimal string alignment distance: insertions, deletions, substitutions, and transpositions of
/// neighbours that no other edit changes.
pub fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut table = vec![vec![0; right.len() + 1]; left.len() + 1];
    for i in 0..=left.len() {
        for j in 0..=right.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
                let mut least = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    table[left.len()][right.len()]
}

#[test]
fn the_distance_is_known() {
    for (expected, left, right) in
        [(0, "", ""), (2, "", "ab"), (1, "form", "from"), (3, "kitten", "sitting"), (3, "ca", "abc"), (1, "né", "ne")]
    {
        assert_eq!(expected, distance(left, right), "{left} {right}");
    }
}
