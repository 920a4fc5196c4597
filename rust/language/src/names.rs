//! Compares names.

/// Returns whether two names differ only in accents and the letters that replace them: Åkesson, Aakesson.
#[must_use]
pub(crate) fn are_same_name(one: &str, other: &str) -> bool {
    // Most names have neither accents nor punctuation, and so only one spelling.
    if one == other || (is_bare(one) && is_bare(other)) {
        return one == other;
    }
    bare(one) == bare(other) || spelt_out(one) == bare(other) || bare(one) == spelt_out(other)
}

fn is_bare(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii() && byte != b'-' && byte != b'\'')
}

/// Returns a name without accents, hyphens and apostrophes.
fn bare(name: &str) -> String {
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

/// Returns a name with two letters for each accented one: "ae" for "ä".
fn spelt_out(name: &str) -> String {
    let mut written = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            'ä' => written.push_str("ae"),
            'ö' | 'ø' => written.push_str("oe"),
            'ü' => written.push_str("ue"),
            'å' => written.push_str("aa"),
            character => written.push(character),
        }
    }
    bare(&written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_may_be_left_out_or_spelt_out() {
        for (one, other) in
            [("björk", "bjork"), ("åse", "aase"), ("müller", "mueller"), ("strauß", "strauss"), ("o'neil", "oneil")]
        {
            assert!(are_same_name(one, other), "{one} {other}");
        }
        assert!(!are_same_name("marta", "maria"));
    }
}
