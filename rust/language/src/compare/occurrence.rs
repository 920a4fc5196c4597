//! Whether a word occurs anywhere in a long text, without reading the text.

use groundwire_engine::{CodeUnit, TextRef, dispatch};

/// ASCII letters, from the rarest to the most frequent one in English text. The order affects only the time.
const RAREST_FIRST: &[u8] = b"zqxjkvbpygfwmucldrhsnioate";

/// Returns whether `word`, in lower case, occurs in the text as a whole word, in any case.
///
/// # Examples
///
/// ```
/// use groundwire_engine::TextRef;
/// use groundwire_language::compare::word_occurs;
///
/// let text = TextRef::Ucs1(b"Norway was cold.");
/// assert!(word_occurs(text, "norway"));
/// assert!(!word_occurs(text, "way"));
/// ```
#[must_use]
pub fn word_occurs(text: TextRef<'_>, word: &str) -> bool {
    let word: Vec<char> = word.chars().collect();
    if word.is_empty() {
        return false;
    }
    if let TextRef::Ucs1(bytes) = text
        && let Some((place, letter)) = rarest_letter(&word)
    {
        let ascii: Option<Vec<u8>> = word.iter().map(|&each| u8::try_from(each).ok().filter(u8::is_ascii)).collect();
        let is_equal = |start: usize| match &ascii {
            Some(word) => bytes.get(start..start + word.len()).is_some_and(|found| found.eq_ignore_ascii_case(word)),
            None => true,
        };
        let mut found = memchr::memchr2_iter(letter, letter.to_ascii_uppercase(), bytes);
        return found.any(|at| at >= place && is_equal(at - place) && is_word_at(bytes, at - place, &word));
    }
    let first = word[0];
    let (small, capital) = (u32::from(first), first.to_uppercase().next().map_or(0, u32::from));
    dispatch!(text, units => units.iter().enumerate().any(|(at, unit)| {
        let code = unit.code_point();
        (code == small || code == capital) && is_word_at(units, at, &word)
    }))
}

/// Returns the place and the value of the rarest ASCII letter. In text of one byte a character, no other characters
/// than its two cases have it as their lower case.
fn rarest_letter(word: &[char]) -> Option<(usize, u8)> {
    RAREST_FIRST.iter().find_map(|&letter| {
        word.iter().position(|&character| character == char::from(letter)).map(|place| (place, letter))
    })
}

fn is_word_at<T: CodeUnit>(text: &[T], at: usize, word: &[char]) -> bool {
    let letter = |at: usize| {
        text.get(at)
            .and_then(|&unit| char::from_u32(unit.code_point()))
            .and_then(|character| character.to_lowercase().next())
    };
    let is_letter = |at: usize| letter(at).is_some_and(char::is_alphanumeric);
    word.iter().enumerate().all(|(place, &wanted)| letter(at + place) == Some(wanted))
        && (at == 0 || !is_letter(at - 1))
        && !is_letter(at + word.len())
}
