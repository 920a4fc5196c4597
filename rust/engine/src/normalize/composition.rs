//! NFKC of a piece that is long: in a time that grows with its length, and that can be interrupted.
//!
//! The Unicode normaliser takes a letter and all marks on it before it returns the first of them. Of
//! millions of marks that takes seconds, in which it can be asked nothing.
//!
//! Source: Unicode Standard Annex 15; The Unicode Standard, section 3.11, definitions D108 to D117.

use unicode_normalization::char::{canonical_combining_class, compose, decompose_compatible};

use crate::Error;
use crate::cancel::CancelMeter;

/// A piece of so many characters is long.
pub(crate) const LONG_CHARS: usize = 1 << 12;

/// What a character that is decomposed, ordered or composed takes, in characters that are looked at.
const STEP_CHARS: usize = 8;

/// A character after its combining class.
type Classed = (u8, char);

/// The NFKC form of `characters`.
///
/// # Errors
///
/// [`Error::Interrupted`].
pub(crate) fn nfkc(characters: impl Iterator<Item = char>, meter: &mut CancelMeter<'_>) -> Result<Vec<char>, Error> {
    let mut decomposed: Vec<Classed> = Vec::new();
    for character in characters {
        meter.add(STEP_CHARS)?;
        decompose_compatible(character, |part| decomposed.push((canonical_combining_class(part), part)));
    }
    reorder(&mut decomposed, meter)?;
    recompose(&decomposed, meter)
}

/// Puts the marks of each run into the order of their classes; those of one class stay in theirs.
fn reorder(characters: &mut [Classed], meter: &mut CancelMeter<'_>) -> Result<(), Error> {
    let mut ordered = Vec::new();
    for run in characters.chunk_by_mut(|before, after| before.0 != 0 && after.0 != 0) {
        meter.add(STEP_CHARS)?;
        if run.is_sorted_by_key(|&(class, _)| class) {
            continue;
        }
        // There are few classes: counting takes less than comparing.
        let mut places = [0_usize; 257];
        for &(class, _) in run.iter() {
            meter.add(STEP_CHARS / 2)?;
            places[usize::from(class) + 1] += 1;
        }
        (1..places.len()).for_each(|class| places[class] += places[class - 1]);
        ordered.clear();
        ordered.resize(run.len(), (0, '\0'));
        for &(class, character) in run.iter() {
            meter.add(STEP_CHARS / 2)?;
            let place = &mut places[usize::from(class)];
            ordered[*place] = (class, character);
            *place += 1;
        }
        run.copy_from_slice(&ordered);
    }
    Ok(())
}

/// Composes each character with the last starter, unless something between blocks it.
fn recompose(characters: &[Classed], meter: &mut CancelMeter<'_>) -> Result<Vec<char>, Error> {
    let mut composed = Vec::with_capacity(characters.len());
    let (mut starter, mut last_class) = (None, 0);
    for &(class, character) in characters {
        meter.add(STEP_CHARS)?;
        if let Some(place) = starter
            && (composed.len() == place + 1 || last_class < class)
            && let Some(whole) = compose(composed[place], character)
        {
            composed[place] = whole;
            continue;
        }
        if class == 0 {
            starter = Some(composed.len());
        }
        last_class = class;
        composed.push(character);
    }
    Ok(composed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    use super::nfkc;
    use crate::Never;
    use crate::cancel::CancelMeter;

    proptest! {
        #[test]
        fn it_is_what_the_normaliser_returns(text in prop_oneof![
            "\\PC*",
            "[aeА\u{300}-\u{345}\u{5b0}-\u{5c7}\u{f71}-\u{f84}\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11a8}-\u{11c2}\u{3099}\u{ff9e}가각ﷺ\u{9be}\u{9c7}]{0,40}",
        ]) {
            let expected: Vec<char> = text.nfkc().collect();
            prop_assert_eq!(nfkc(text.chars(), &mut CancelMeter::new(&Never)), Ok(expected));
        }
    }
}
