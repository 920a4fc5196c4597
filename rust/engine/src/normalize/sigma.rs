//! The one letter whose lower case depends on its word: `Σ` ends a word as `ς`.
//!
//! Source: The Unicode Standard, section 3.13, condition `Final_Sigma`; Python's `str.lower()`
//! follows it.

use super::table::Table;
use crate::text::Unit;

/// Turns `σ` into `ς` at those of `places` where a word ends. Linear: each gap between two places
/// is looked at once from either side, for a sigma itself stops the look.
pub(super) fn finish_words<O: Unit>(text: &mut [O], places: &[usize], table: &Table) {
    for &place in places {
        let ends_word = follows_letter(&text[..place], table) && !precedes_letter(&text[place + 1..], table);
        if let (true, Some(last)) = (ends_word, O::from_code('ς' as u32)) {
            text[place] = last;
        }
    }
}

fn follows_letter<O: Unit>(before: &[O], table: &Table) -> bool {
    before.iter().rev().map(|&unit| role(unit, table)).find(|&role| role != Role::Ignorable) == Some(Role::Cased)
}

fn precedes_letter<O: Unit>(after: &[O], table: &Table) -> bool {
    after.iter().map(|&unit| role(unit, table)).find(|&role| role != Role::Ignorable) == Some(Role::Cased)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Cased,
    Ignorable,
    Other,
}

/// What a neighbour means for a sigma. The standard library knows the properties but does not
/// tell; its own treatment of a sigma after the character gives them away.
fn role<O: Unit>(unit: O, table: &Table) -> Role {
    let Some(character) = char::from_u32(unit.code()).filter(|&character| table.knows(character)) else {
        return Role::Other;
    };
    if let Some(role) = role_before(character, table) {
        return role;
    }
    let is_final_after = |prefix: &str| {
        let mut word = String::from(prefix);
        word.push(character);
        word.push('Σ');
        word.to_lowercase().ends_with('ς')
    };
    if is_final_after("") {
        Role::Cased
    } else if is_final_after("a") {
        Role::Ignorable
    } else {
        Role::Other
    }
}

/// The roles that existing characters had before a Unicode version changed them.
fn role_before(character: char, table: &Table) -> Option<Role> {
    match character {
        // LATIN LETTER PHARYNGEAL VOICED FRICATIVE was a small letter.
        '\u{295}' if table.version() < (17, 0) => Some(Role::Cased),
        // AHOM CONSONANT SIGN MEDIAL RA was a nonspacing mark.
        '\u{1171E}' if table.version() < (16, 0) => Some(Role::Ignorable),
        _ => None,
    }
}
