//! Whether a word occurs anywhere in a long text, without reading the text.

use groundwire_engine::{CodeUnit, TextRef, dispatch};

/// ASCII letters, from the rarest to the most frequent one in English text. The order affects only the time.
const RAREST_FIRST: &[u8] = b"zqxjkvbpygfwmucldrhsnioate";

/// Number of places in the text that are tested at once.
const BLOCK: usize = 128;

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
    !word.is_empty() && dispatch!(text, units => occurs(units, &word))
}

fn occurs<T: CodeUnit>(text: &[T], word: &[char]) -> bool {
    let starts = (text.len() + 1).saturating_sub(word.len());
    let Some((first, second)) = rarest_letters::<T>(word) else {
        return (0..starts).any(|start| is_word_at(text, start, word));
    };
    (0..starts).step_by(BLOCK).any(|start| {
        let end = (start + BLOCK).min(starts);
        let firsts = &text[start + first.place..end + first.place];
        let seconds = &text[start + second.place..end + second.place];
        // Without a branch for each character, the compiler compares as many at a time as a register holds.
        let may_start =
            firsts.iter().zip(seconds).fold(false, |any, (&a, &b)| any | (first.is_case(a) & second.is_case(b)));
        may_start
            && (start..end).any(|at| {
                first.is_case(text[at + first.place])
                    && second.is_case(text[at + second.place])
                    && is_word_at(text, at, word)
            })
    })
}

/// A letter of the word, which the text must have in one of its cases.
#[derive(Clone, Copy)]
struct Letter<T> {
    place: usize,
    lower: T,
    upper: T,
}

impl<T: CodeUnit> Letter<T> {
    #[inline(always)]
    fn is_case(self, unit: T) -> bool {
        (unit == self.lower) | (unit == self.upper)
    }
}

/// Returns the two rarest ASCII letters, or one twice. No characters but its two cases may have such a letter as their
/// lower case: outside texts of one byte a character, U+0130 and U+212A have `i` and `k`.
fn rarest_letters<T: CodeUnit>(word: &[char]) -> Option<(Letter<T>, Letter<T>)> {
    let is_fit = |letter: u8| T::MAX <= 0xFF || !matches!(letter, b'i' | b'k');
    let mut letters = RAREST_FIRST.iter().filter(|&&letter| is_fit(letter)).flat_map(|&letter| {
        word.iter().enumerate().filter(move |&(_, &character)| character == char::from(letter)).map(
            move |(place, _)| Letter { place, lower: T::from(letter), upper: T::from(letter.to_ascii_uppercase()) },
        )
    });
    let first = letters.next()?;
    Some((first, letters.next().unwrap_or(first)))
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
