//! Final sigma: `Σ` becomes `ς` at the end of a word. It is the only letter whose lower case depends on its context.
//!
//! Source: The Unicode Standard, section 3.13, condition `Final_Sigma`, which Python's `str.lower()` follows.

use super::code_point::Table;
use crate::Error;
use crate::cancel::CancelMeter;
use crate::text::CodeUnit;

/// Turns `σ` into `ς` at each of `places` where a word ends.
///
/// # Complexity
///
/// Linear: a sigma ends the search for a neighbour, so each gap between two positions is read once from either side.
pub(super) fn finish_words<O: CodeUnit>(
    text: &mut [O],
    places: &[usize],
    table: &Table,
    meter: &mut CancelMeter<'_>,
) -> Result<(), Error> {
    for &place in places {
        let ends_word =
            is_cased(text[..place].iter().rev(), table, meter)? && !is_cased(text[place + 1..].iter(), table, meter)?;
        if let (true, Some(last)) = (ends_word, O::from_code('ς' as u32)) {
            text[place] = last;
        }
    }
    Ok(())
}

/// Returns whether the first code unit that is not case-ignorable is a cased letter.
fn is_cased<'a, O: CodeUnit + 'a>(
    units: impl Iterator<Item = &'a O>,
    table: &Table,
    meter: &mut CancelMeter<'_>,
) -> Result<bool, Error> {
    for &unit in units {
        meter.charge(CHARGE_PER_LOOK)?;
        match case_context(unit, table) {
            CaseContext::Ignorable => {}
            context => return Ok(context == CaseContext::Cased),
        }
    }
    Ok(false)
}

/// The cost of examining a neighbour, in characters for the meter.
const CHARGE_PER_LOOK: usize = 32;

#[derive(Clone, Copy, PartialEq, Eq)]
enum CaseContext {
    Cased,
    Ignorable,
    Other,
}

/// Returns the case context that a neighbour gives to a sigma. The standard library does not expose the properties
/// `Cased` and `Case_Ignorable`, but its lower case of a sigma after the character reveals them.
fn case_context<O: CodeUnit>(unit: O, table: &Table) -> CaseContext {
    let Some(character) = char::from_u32(unit.code_point()).filter(|&character| table.is_assigned(character)) else {
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

/// Returns the case context of a character whose properties differ in the table's Unicode version, if it is older than
/// the change.
fn context_before(character: char, table: &Table) -> Option<CaseContext> {
    match character {
        // LATIN LETTER PHARYNGEAL VOICED FRICATIVE was a lowercase letter.
        '\u{295}' if table.version() < (17, 0) => Some(CaseContext::Cased),
        // AHOM CONSONANT SIGN MEDIAL RA was a nonspacing mark.
        '\u{1171E}' if table.version() < (16, 0) => Some(CaseContext::Ignorable),
        _ => None,
    }
}
