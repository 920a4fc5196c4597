//! Code points on which the engine and an oracle must agree.

use groundwire_engine::UNICODE_VERSION;

use crate::unicode_age;

/// The first of the private-use characters that replace lone surrogates for oracles that work on `str`. Normalisation
/// changes neither kind.
const REPLACEMENTS: u32 = 0x10_0000;
const SURROGATES: std::ops::Range<u32> = 0xD800..0xE000;

/// Returns whether the oracle, whose tables may be newer than the engine's, can judge `code`.
pub fn is_agreed(code: u32) -> bool {
    let is_replacement = (REPLACEMENTS..REPLACEMENTS + SURROGATES.len() as u32).contains(&code);
    let block = unicode_age::ADDED[..unicode_age::ADDED.partition_point(|&(first, ..)| first <= code)].last();
    let is_newer = block.is_some_and(|&(_, last, major, minor)| code <= last && (major, minor) > UNICODE_VERSION);
    code < 0x11_0000 && !is_replacement && !is_newer
}

/// Converts code points to a string, with replacements for surrogates.
pub fn to_string(codes: &[u32]) -> String {
    let to_char = |&code: &u32| {
        let code = if SURROGATES.contains(&code) { code - SURROGATES.start + REPLACEMENTS } else { code };
        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
    };
    codes.iter().map(to_char).collect()
}

/// Returns the code points of a string, with the surrogates restored.
pub fn to_code_points(text: &str) -> Vec<u32> {
    let to_code = |character: char| match (character as u32).checked_sub(REPLACEMENTS) {
        Some(index) if (index as usize) < SURROGATES.len() => SURROGATES.start + index,
        _ => character as u32,
    };
    text.chars().map(to_code).collect()
}
