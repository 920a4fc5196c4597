//! NFKC of segments: a starter and the characters that combine with it.
//!
//! Source: Unicode Standard Annex #15; The Unicode Standard, section 3.11, definitions D108 to D117.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{canonical_combining_class, compose, decompose_compatible};

use super::code_point::{ActionKind, Table};
use super::transducer::Transducer;
use crate::Error;
use crate::cancel::CancelMeter;
use crate::text::sink::TextSink;
use crate::text::{CodeUnit, Span};

/// Normalises the segment at the start of `rest`, which is the input from position `start`, and pushes the result to
/// `transducer`. Returns the length of the segment, or 0 if the output cannot hold the result. `form` is a scratch
/// buffer.
#[cold]
pub(super) fn take_segment<I: CodeUnit, S: TextSink, const RECORDS: bool>(
    transducer: &mut Transducer<'_, S, RECORDS>,
    table: &Table,
    rest: &[I],
    start: usize,
    form: &mut Vec<char>,
    meter: &mut CancelMeter<'_>,
) -> Result<usize, Error> {
    let attached = rest[1..].iter().take_while(|unit| table.get(unit.code_point()).combines()).count();
    let is_assigned = char::from_u32(rest[0].code_point()).is_some_and(|first| table.is_assigned(first));
    // Nothing combines with a surrogate, or with a character that the Unicode version does not assign.
    let len = if is_assigned { 1 + attached } else { 1 };
    let segment = &rest[..len];
    if !is_assigned || is_normalized(segment, table) {
        if !segment.iter().all(|unit| S::can_encode(table.get(unit.code_point()).target())) {
            return Ok(0);
        }
        for (position, unit) in (start..).zip(segment) {
            meter.charge(1)?;
            transducer.push(table.get(unit.code_point()), Span::new(position, position + 1), true);
        }
        return Ok(len);
    }
    let characters = segment.iter().filter_map(|unit| char::from_u32(unit.code_point()));
    let characters = characters.map(|character| table.map_segment(character));
    form.clear();
    extend_nfkc(form, characters, len, meter)?;
    let fits = form.iter().all(|&character| S::can_encode(table.get(character as u32).target()));
    if !fits || !transducer.out.has_capacity(form.len() + rest.len() - len) {
        return Ok(0);
    }
    let is_one_for_one = len == 1 && form.len() == 1;
    for &character in &*form {
        meter.charge(1)?;
        transducer.push(table.get(character as u32), Span::new(start, start + len), is_one_for_one);
    }
    Ok(len)
}

/// Returns whether the mapped characters are in NFKC: none of them composes, and their combining classes are in order.
/// This is the quick check of Annex #15, section 9.
fn is_normalized<I: CodeUnit>(segment: &[I], table: &Table) -> bool {
    let mut class = 0;
    segment.iter().enumerate().all(|(index, unit)| {
        let action = table.get(unit.code_point());
        let is_ordered = action.class() == 0 || class <= action.class();
        class = action.class();
        // ASCII brackets are in NFKC; some other brackets are compatibility forms.
        let is_one = matches!(action.kind(), ActionKind::Plain | ActionKind::Mapped);
        let is_stable = is_one || (unit.code_point() < 0x80 && index == 0);
        is_ordered && is_stable
    })
}

/// Appends the NFKC form of `len` characters to `form`, in linear time.
pub(crate) fn extend_nfkc(
    form: &mut Vec<char>,
    characters: impl Iterator<Item = char>,
    len: usize,
    meter: &mut CancelMeter<'_>,
) -> Result<(), Error> {
    if len < LONG_CHARS {
        form.extend(characters.nfkc());
        return Ok(());
    }
    extend_long(form, characters, meter)
}

/// The minimum length of a long segment, in characters. `unicode-normalization` reads a letter and all of its marks
/// before it returns the first one; with millions of marks, that would take seconds without a check for cancellation.
const LONG_CHARS: usize = 1 << 12;

/// The charge to the meter for decomposing, ordering or composing a character.
const CHARGE_PER_CHAR: usize = 8;

/// A canonical combining class and its character.
type Classed = (u8, char);

fn extend_long(
    form: &mut Vec<char>,
    characters: impl Iterator<Item = char>,
    meter: &mut CancelMeter<'_>,
) -> Result<(), Error> {
    let mut decomposed: Vec<Classed> = Vec::new();
    for character in characters {
        meter.charge(CHARGE_PER_CHAR)?;
        decompose_compatible(character, |part| decomposed.push((canonical_combining_class(part), part)));
    }
    reorder(&mut decomposed, meter)?;
    recompose(&decomposed, form, meter)
}

/// Sorts each run of marks by combining class, stably.
fn reorder(characters: &mut [Classed], meter: &mut CancelMeter<'_>) -> Result<(), Error> {
    let mut ordered = Vec::new();
    for run in characters.chunk_by_mut(|before, after| before.0 != 0 && after.0 != 0) {
        meter.charge(CHARGE_PER_CHAR)?;
        if run.is_sorted_by_key(|&(class, _)| class) {
            continue;
        }
        // Counting sort, because there are few classes.
        let mut places = [0_usize; 257];
        for &(class, _) in run.iter() {
            meter.charge(CHARGE_PER_CHAR / 2)?;
            places[usize::from(class) + 1] += 1;
        }
        (1..places.len()).for_each(|class| places[class] += places[class - 1]);
        ordered.clear();
        ordered.resize(run.len(), (0, '\0'));
        for &(class, character) in run.iter() {
            meter.charge(CHARGE_PER_CHAR / 2)?;
            let place = &mut places[usize::from(class)];
            ordered[*place] = (class, character);
            *place += 1;
        }
        run.copy_from_slice(&ordered);
    }
    Ok(())
}

/// Composes each character with the last starter, unless a character between them blocks it.
fn recompose(characters: &[Classed], form: &mut Vec<char>, meter: &mut CancelMeter<'_>) -> Result<(), Error> {
    let (mut starter, mut last_class) = (None, 0);
    for &(class, character) in characters {
        meter.charge(CHARGE_PER_CHAR)?;
        if let Some(place) = starter
            && (form.len() == place + 1 || last_class < class)
            && let Some(whole) = compose(form[place], character)
        {
            form[place] = whole;
            continue;
        }
        if class == 0 {
            starter = Some(form.len());
        }
        last_class = class;
        form.push(character);
    }
    Ok(())
}
