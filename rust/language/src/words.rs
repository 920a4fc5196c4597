//! Counts the words of a text.

use groundwire_engine::TextRef;

use crate::token::{TokenClass, Tokens};

/// Returns the number of words and numbers in a text. In a script without spaces between words, each character counts
/// as one.
#[must_use]
pub fn count(text: TextRef<'_>) -> usize {
    let is_word = |class: TokenClass| matches!(class, TokenClass::Word | TokenClass::Digits | TokenClass::Unspaced);
    Tokens::of(text).iter().filter(|token| is_word(token.class)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_and_signs_are_not() {
        for (text, expected) in [("", 0), (" , - ", 0), ("I don't.", 2), ("at 9:30, [laughs] he", 3)] {
            assert_eq!(count(TextRef::Ucs1(text.as_bytes())), expected, "{text}");
        }
        let chinese: Vec<u32> = "去北京。".chars().map(u32::from).collect();
        assert_eq!(count(TextRef::Ucs4(&chinese)), 3);
    }
}
