//! The one letter whose lower case depends on its word: `Σ` ends a word as `ς`.
//!
//! Source: The Unicode Standard, section 3.13, condition `Final_Sigma`; Python's `str.lower()`
//! follows it.

use super::code_point::Table;
use crate::Error;
use crate::cancel::CancelMeter;
use crate::text::CodeUnit;

/// Turns `σ` into `ς` at those of `places` where a word ends. Linear: each gap between two places
/// is looked at once from either side, for a sigma itself stops the look.
pub(super) fn finish_words<O: CodeUnit>(
    text: &mut [O],
    places: &[usize],
    table: &Table,
    meter: &mut CancelMeter<'_>,
) -> Result<(), Error> {
    for &place in places {
        let ends_word =
            follows_letter(&text[..place], table, meter)? && !precedes_letter(&text[place + 1..], table, meter)?;
        if let (true, Some(last)) = (ends_word, O::from_code('ς' as u32)) {
            text[place] = last;
        }
    }
    Ok(())
}

fn follows_letter<O: CodeUnit>(before: &[O], table: &Table, meter: &mut CancelMeter<'_>) -> Result<bool, Error> {
    is_cased(before.iter().rev(), table, meter)
}

fn precedes_letter<O: CodeUnit>(after: &[O], table: &Table, meter: &mut CancelMeter<'_>) -> Result<bool, Error> {
    is_cased(after.iter(), table, meter)
}

/// Whether the first of `units` that a sigma minds is a letter.
fn is_cased<'a, O: CodeUnit + 'a>(
    units: impl Iterator<Item = &'a O>,
    table: &Table,
    meter: &mut CancelMeter<'_>,
) -> Result<bool, Error> {
    for &unit in units {
        meter.add(CHARGE_PER_LOOK)?;
        match case_context(unit, table) {
            CaseContext::Ignorable => {}
            context => return Ok(context == CaseContext::Cased),
        }
    }
    Ok(false)
}

/// What a look at a neighbour takes, in characters that are normalised.
const CHARGE_PER_LOOK: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq)]
enum CaseContext {
    Cased,
    Ignorable,
    Other,
}

/// What a neighbour means for a sigma. The standard library knows the properties but does not
/// tell; its own treatment of a sigma after the character gives them away.
fn case_context<O: CodeUnit>(unit: O, table: &Table) -> CaseContext {
    let Some(character) = char::from_u32(unit.code()).filter(|&character| table.is_assigned(character)) else {
        return CaseContext::Other;
    };
    if let Some(context) = context_before(character, table) {
        return context;
    }
    let is_final_after = |prefix: &str| {
        let mut word = String::from(prefix);
        word.push(character);
        word.push('Σ');
        word.to_lowercase().ends_with('ς')
    };
    if is_final_after("") {
        CaseContext::Cased
    } else if is_final_after("a") {
        CaseContext::Ignorable
    } else {
        CaseContext::Other
    }
}

/// The roles that existing characters had before a Unicode version changed them.
fn context_before(character: char, table: &Table) -> Option<CaseContext> {
    match character {
        // LATIN LETTER PHARYNGEAL VOICED FRICATIVE was a small letter.
        '\u{295}' if table.version() < (17, 0) => Some(CaseContext::Cased),
        // AHOM CONSONANT SIGN MEDIAL RA was a nonspacing mark.
        '\u{1171E}' if table.version() < (16, 0) => Some(CaseContext::Ignorable),
        _ => None,
    }
}
