//! Words as people see them: `don't`, `U.S`, `1,000.5`, `10:05`, `.5` and `-5` are one each.
//!
//! A token is a word, a character of a script without spaces between words, or one character of
//! anything else.
//!
//! Source: Unicode Standard Annex #29, rules WB6, WB7, WB11 and WB12, on normalised text. What makes
//! a number another one is added to them: a colon between digits, a point or a sign before them.

use super::{Class, class, parts};

/// Whether a token begins or ends at `position` of a text with `len` characters: `code` says which.
pub(crate) fn is_token_boundary(len: usize, position: usize, code: impl Fn(usize) -> u32) -> bool {
    let first = position.saturating_sub(2);
    // A boundary depends on two characters on either side.
    let near: Vec<u32> = (first..len.min(position + 2)).map(code).collect();
    let classes: Vec<Class> = near.iter().map(|&code| class(code)).collect();
    boundaries(&near, &classes)[position - first]
}

/// For each position of a text, its end included, whether a token begins or ends there. `classes`
/// are those of its characters.
pub(crate) fn boundaries(text: &[u32], classes: &[Class]) -> Vec<bool> {
    let mut boundaries = Vec::with_capacity(text.len() + 1);
    boundaries.push(true);
    boundaries.extend(classes.windows(2).map(|pair| parts(pair[0], pair[1])));
    if !text.is_empty() {
        boundaries.push(true);
    }
    for (index, around) in classes.windows(3).enumerate() {
        if *around == [Class::Word, Class::Other, Class::Word] && joins(&text[index..index + 3]) {
            boundaries[index + 1] = false;
            boundaries[index + 2] = false;
        }
    }
    for (index, boundary) in boundaries.iter_mut().enumerate().take(text.len()).skip(1) {
        *boundary &= !leads(text, classes, index);
    }
    boundaries
}

/// Whether the mark before `index` belongs to the number that begins there: `.5` and `-5`, but not
/// `10-15`, `--5` or `...5`.
fn leads(text: &[u32], classes: &[Class], index: usize) -> bool {
    let is_mark = matches!(char::from_u32(text[index - 1]), Some('.' | '-' | '\u{2212}'));
    is_mark
        && char::from_u32(text[index]).is_some_and(char::is_numeric)
        && (index < 2 || (classes[index - 2] == Class::Other && text[index - 2] != text[index - 1]))
}

/// Whether the middle one of three characters, between two of words, is part of the word.
fn joins(neighbours: &[u32]) -> bool {
    let &[before, middle, after] = neighbours else { return false };
    let is =
        |wanted: fn(char) -> bool| [before, after].into_iter().all(|code| char::from_u32(code).is_some_and(wanted));
    match char::from_u32(middle) {
        Some('\'' | '.' | '\u{2019}' | '\u{2024}') => is(char::is_numeric) || is(|character| !character.is_numeric()),
        Some('\u{B7}' | '\u{2027}') => is(|character| !character.is_numeric()),
        Some(',' | ':') => is(char::is_numeric),
        _ => false,
    }
}
