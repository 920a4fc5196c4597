//! Pieces that NFKC may change: a starter and what attaches to it.

use unicode_normalization::UnicodeNormalization;

use super::ascii_chunk::AsciiUnit;
use super::code_point::{Action, Kind, Table};
use super::composition;
use super::driver::Halt;
use super::offset_map::Recorder;
use super::text_sink::Output;
use super::transducer::{TooNarrow, Transducer};
use crate::cancel::CancelMeter;
use crate::span::Span;

/// Sends one character with its action into the stream. `original` is the piece it comes from and
/// `whole` says that it is all that the piece became.
#[inline(always)]
pub(super) fn emit<W: Output, R: Recorder>(
    stream: &mut Transducer<'_, W, R>,
    action: Action,
    original: Span,
    whole: bool,
) -> Result<(), TooNarrow> {
    match action.kind() {
        Kind::Space => {
            stream.space(original);
            Ok(())
        }
        Kind::Delete => Ok(()),
        Kind::Special => stream.special(action.target(), original, whole),
        // What comes out of the normaliser is in NFKC, and so a character that would ask for it
        // again is one that found nothing to combine with.
        _ if whole => stream.plain(action.target(), original.start),
        _ => stream.opaque(action.target(), original),
    }
}

/// Normalises the piece of `input` that starts at `start` and sends it on; returns its end.
#[cold]
pub(super) fn take_piece<I: AsciiUnit, W: Output, R: Recorder>(
    stream: &mut Transducer<'_, W, R>,
    table: &Table,
    input: &[I],
    start: usize,
    meter: &mut CancelMeter<'_>,
) -> Result<usize, Halt> {
    if !char::from_u32(input[start].code()).is_some_and(|first| table.knows(first)) {
        // Nothing attaches to a surrogate or to a character of the future.
        emit(stream, table.get(input[start].code()), Span::new(start, start + 1), true)?;
        return Ok(start + 1);
    }
    let attached = input[start + 1..].iter().take_while(|unit| table.get(unit.code()).attaches()).count();
    let end = start + 1 + attached;
    let piece = &input[start..end];
    if is_normalized(piece, table) {
        for (position, unit) in (start..).zip(piece) {
            meter.add(1)?;
            emit(stream, table.get(unit.code()), Span::new(position, position + 1), true)?;
        }
        return Ok(end);
    }
    let whole = Span::new(start, end);
    let characters =
        piece.iter().filter_map(|unit| char::from_u32(unit.code())).map(|character| table.whole(character));
    if piece.len() >= composition::LONG_CHARS {
        for character in composition::nfkc(characters, meter)? {
            meter.add(1)?;
            emit(stream, table.get(character as u32), whole, false)?;
        }
        return Ok(end);
    }
    let mut form = characters.nfkc().peekable();
    let mut is_first = true;
    while let Some(character) = form.next() {
        let is_only = is_first && form.peek().is_none() && whole.len() == 1;
        emit(stream, table.get(character as u32), whole, is_only)?;
        is_first = false;
    }
    Ok(end)
}

/// The quick check of Unicode Standard Annex 15, section 9, of what the characters become: nothing
/// composes and the combining classes are in order.
fn is_normalized<I: AsciiUnit>(piece: &[I], table: &Table) -> bool {
    let mut class = 0;
    piece.iter().enumerate().all(|(index, unit)| {
        let action = table.get(unit.code());
        let is_ordered = action.class() == 0 || class <= action.class();
        class = action.class();
        // Brackets may be the compatibility form of something else; the ASCII ones are not. What
        // becomes one character is as good as that: the fast path takes it so.
        let is_one = matches!(action.kind(), Kind::Plain | Kind::Mapped);
        let is_stable = is_one || (unit.code() < 0x80 && index == 0);
        is_ordered && is_stable
    })
}
