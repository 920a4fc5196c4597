//! Compares spellings: typos, and variants of names.

/// Returns whether at most `limit` typos turn one word into the other: insertions, deletions or substitutions of a letter,
/// or transpositions of two neighbours.
///
/// Source: Optimal string alignment distance, the restricted form of Damerau 1964.
///
/// # Examples
///
/// ```
/// use groundwire_language::spelling::is_within;
///
/// assert!(is_within("recieve", "receive", 1));
/// assert!(!is_within("statute", "institute", 2));
/// ```
#[must_use]
pub fn is_within(left: &str, right: &str, limit: usize) -> bool {
    if left.chars().count().abs_diff(right.chars().count()) > limit {
        return false;
    }
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    // Only the last three rows of the table are kept.
    let mut before_last: Vec<usize> = vec![0; right.len() + 1];
    let mut last: Vec<usize> = (0..=right.len()).collect();
    let mut current = before_last.clone();
    for (row, &letter) in left.iter().enumerate() {
        current[0] = row + 1;
        for (column, &opposite) in right.iter().enumerate() {
            let mut cost =
                (last[column] + usize::from(letter != opposite)).min(last[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && letter == right[column - 1] && left[row - 1] == opposite {
                cost = cost.min(before_last[column - 1] + 1);
            }
            current[column + 1] = cost;
        }
        if current.iter().min().is_some_and(|&cost| cost > limit) {
            return false;
        }
        std::mem::swap(&mut before_last, &mut last);
        std::mem::swap(&mut last, &mut current);
    }
    last.last().is_some_and(|&distance| distance <= limit)
}

/// Returns whether two names differ at most in accents or their transliteration: Åkesson, Akesson, Aakesson.
#[must_use]
pub(crate) fn are_same_name(left: &str, right: &str) -> bool {
    // Most names have neither accents nor punctuation, and so only one spelling.
    if left == right || (has_one_spelling(left) && has_one_spelling(right)) {
        return left == right;
    }
    without_marks(left) == without_marks(right)
        || transliterated(left) == without_marks(right)
        || without_marks(left) == transliterated(right)
}

fn has_one_spelling(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii() && byte != b'-' && byte != b'\'')
}

/// Returns a name without accents, hyphens and apostrophes: "a" for "ä".
fn without_marks(name: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::is_combining_mark;
    let mut plain = String::with_capacity(name.len());
    for character in
        name.nfd().filter(|&character| !is_combining_mark(character) && character != '-' && character != '\'')
    {
        match character {
            'ø' => plain.push('o'),
            'æ' => plain.push_str("ae"),
            'œ' => plain.push_str("oe"),
            'ß' => plain.push_str("ss"),
            'ł' => plain.push('l'),
            'đ' | 'ð' => plain.push('d'),
            'þ' => plain.push_str("th"),
            'ı' => plain.push('i'),
            character => plain.push(character),
        }
    }
    plain
}

/// Returns a name with "ae" for "ä", and so on, without other accents.
fn transliterated(name: &str) -> String {
    let mut spelt = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            'ä' => spelt.push_str("ae"),
            'ö' | 'ø' => spelt.push_str("oe"),
            'ü' => spelt.push_str("ue"),
            'å' => spelt.push_str("aa"),
            character => spelt.push(character),
        }
    }
    without_marks(&spelt)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposition_is_one_typo() {
        assert!(is_within("pasword", "password", 1));
        assert!(is_within("", "a", 1));
        assert!(!is_within("abc", "cba", 1));
    }

    #[test]
    fn accents_may_be_omitted_or_transliterated() {
        for (left, right) in
            [("björk", "bjork"), ("åse", "aase"), ("müller", "mueller"), ("strauß", "strauss"), ("o'neil", "oneil")]
        {
            assert!(are_same_name(left, right), "{left} {right}");
        }
        assert!(!are_same_name("marta", "maria"));
    }
}
