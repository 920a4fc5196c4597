//! Typos: one letter inserted, deleted or substituted, or two letters transposed.

/// Returns whether at most `limit` typos turn `one` into `other`.
#[must_use]
pub fn is_within(one: &str, other: &str, limit: usize) -> bool {
    if one.chars().count().abs_diff(other.chars().count()) > limit {
        return false;
    }
    let one: Vec<char> = one.chars().collect();
    let other: Vec<char> = other.chars().collect();
    // Optimal string alignment distance, row by row.
    let mut before_last: Vec<usize> = vec![0; other.len() + 1];
    let mut last: Vec<usize> = (0..=other.len()).collect();
    let mut current = before_last.clone();
    for (row, &letter) in one.iter().enumerate() {
        current[0] = row + 1;
        for (column, &against) in other.iter().enumerate() {
            let mut least =
                (last[column] + usize::from(letter != against)).min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && letter == other[column - 1] && one[row - 1] == against {
                least = least.min(before_last[column - 1] + 1);
            }
            current[column + 1] = least;
        }
        if current.iter().min().is_some_and(|&least| least > limit) {
            return false;
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut current);
    }
    last.last().is_some_and(|&distance| distance <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposition_is_one_slip() {
        assert!(is_within("recieve", "receive", 1));
        assert!(is_within("pasword", "password", 1));
        assert!(is_within("", "a", 1));
        assert!(!is_within("abc", "cba", 1));
        assert!(!is_within("statute", "institute", 2));
    }
}
