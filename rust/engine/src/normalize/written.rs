//! Normalised text in the caller's room, so that nothing has to be copied.

use std::mem::MaybeUninit;

use super::ascii_chunk::{AsciiUnit, CHUNK};
use super::driver::{Cursor, Stop};
use super::offset_map::Forget;
use super::text_sink::Output;
use super::transducer::Transducer;
use super::{Normalized, Normalizer, short};
use crate::arch::UninitBuffer;
use crate::cancel::{Cancel, CancelMeter};
use crate::text::{Text, TextRef};
use crate::{Error, MAX_CHARS};

/// An attempt in the caller's room.
type Started<'s, 'r> = Transducer<'s, UninitBuffer<'r, u8>, Forget>;

/// One more character for so many is asked for in a room: a few may become longer.
const SPARE_SHARE: usize = 64;

/// Where a normalised text is.
#[derive(Clone, Debug)]
pub enum Written<'r> {
    /// In the caller's room, and all of it ASCII.
    Ascii(&'r [u8]),
    /// In the caller's wide room.
    Wide(&'r [u16]),
    /// There was no room for what it became.
    Elsewhere(Text),
}

impl Written<'_> {
    /// The text, wherever it is.
    #[must_use]
    #[inline]
    pub fn units(&self) -> TextRef<'_> {
        match self {
            Self::Ascii(characters) => TextRef::Ucs1(characters),
            Self::Wide(characters) => TextRef::Ucs2(characters),
            Self::Elsewhere(text) => text.units(),
        }
    }
}

impl From<Normalized> for Written<'_> {
    fn from(normalized: Normalized) -> Self {
        Self::Elsewhere(normalized.text)
    }
}

impl Normalizer {
    /// The normalised text, where the caller wants to have it, so that nothing has to be copied: in
    /// `room` if all of it is ASCII, or else in the room of at least so many characters that `wide`
    /// is asked for at most once, if the text is of two bytes a character and nothing in it becomes
    /// so much longer. Quickest if the text is short and `room` takes 64 characters more.
    ///
    /// # Errors
    ///
    /// As [`normalize`](Self::normalize).
    pub fn normalize_into<'r>(
        &self,
        text: TextRef<'_>,
        room: &'r mut [MaybeUninit<u8>],
        wide: impl FnOnce(usize) -> Option<&'r mut [MaybeUninit<u16>]>,
        cancel: &dyn Cancel,
    ) -> Result<Written<'r>, Error> {
        let len = text.len();
        let has_room = len <= room.len();
        let mut meter = CancelMeter::new(cancel);
        let written = match text {
            TextRef::Ucs1(input) if has_room && len <= MAX_CHARS => {
                self.room_pass(input, room, &mut meter, |stream, cursor, meter| {
                    Ok(self.widening_pass(stream.widened::<u8>(len), cursor, meter)?.map(Written::from))
                })?
            }
            TextRef::Ucs2(input) if has_room && len <= MAX_CHARS => {
                self.room_pass(input, room, &mut meter, |stream, cursor, meter| {
                    self.widening_wide_pass(stream, cursor, wide, meter)
                })?
            }
            TextRef::Ucs2(input) if len <= MAX_CHARS => {
                let stream = Transducer::new(&self.minding, Vec::<u8>::new());
                self.wide_pass(stream, Cursor::new(input), wide, &mut meter)?
            }
            _ => None,
        };
        written.map_or_else(|| self.normalize(text, cancel).map(Written::Elsewhere), Ok)
    }

    /// One attempt that writes ASCII into `room`, and leaves what is none to `rest`; `None` if
    /// all has to be done again.
    fn room_pass<'s, 'r, 'i, I: AsciiUnit>(
        &'s self,
        input: &'i [I],
        room: &'r mut [MaybeUninit<u8>],
        meter: &mut CancelMeter<'_>,
        rest: impl FnOnce(Started<'s, 'r>, Cursor<'i, I>, &mut CancelMeter<'_>) -> Result<Option<Written<'r>>, Error>,
    ) -> Result<Option<Written<'r>>, Error> {
        let has_padding = short::fits(input.len(), room.len());
        let mut out = UninitBuffer::new(room);
        if has_padding && short::write(input, &mut out, self.minding.minded(false)) {
            return Ok(Some(Written::Ascii(out.written())));
        }
        // No character becomes more than one of ASCII; pieces that might stop it.
        out.truncate(0);
        let mut stream = Transducer::new(&self.minding, out);
        let mut cursor = Cursor::new(input);
        match self.go_on(&mut stream, &mut cursor, meter)? {
            None => Ok(Some(Written::Ascii(stream.finish(&self.table, meter)?.0.written()))),
            Some(Stop::Foreign) => rest(stream, cursor, meter),
            Some(Stop::TooNarrow) => Ok(None),
        }
    }

    /// The rest of an attempt that was stopped by a character: where that needs one byte, in a
    /// vector up to the first that needs two.
    fn widening_wide_pass<'r>(
        &self,
        stream: Started<'_, '_>,
        mut cursor: Cursor<'_, u16>,
        wide: impl FnOnce(usize) -> Option<&'r mut [MaybeUninit<u16>]>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Option<Written<'r>>, Error> {
        if cursor.next().is_none_or(|next| next > 0xFF) {
            return self.wide_pass(stream, cursor, wide, meter);
        }
        let mut stream = stream.widened::<u8>(cursor.input.len());
        match self.go_on(&mut stream, &mut cursor, meter)? {
            None => Ok(Some(self.finish(stream, meter)?.into())),
            Some(Stop::Foreign) => self.wide_pass(stream, cursor, wide, meter),
            Some(Stop::TooNarrow) => Ok(None),
        }
    }

    /// The rest of an attempt, in the room that `wide` has; in a vector if it has none, and from
    /// where too much becomes longer.
    fn wide_pass<'r, W: Output>(
        &self,
        stream: Transducer<'_, W, Forget>,
        mut cursor: Cursor<'_, u16>,
        wide: impl FnOnce(usize) -> Option<&'r mut [MaybeUninit<u16>]>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Option<Written<'r>>, Error> {
        let len = cursor.input.len();
        let wanted = (len + len / SPARE_SHARE + CHUNK).min(MAX_CHARS);
        let Some(room) = wide(wanted).and_then(|room| room.get_mut(..wanted)) else {
            return Ok(self.pass_from(stream.widened::<u16>(len), cursor, meter)?.map(Written::from));
        };
        let mut stream = stream.moved(UninitBuffer::new(room));
        match self.go_on(&mut stream, &mut cursor, meter)? {
            None => Ok(Some(Written::Wide(stream.finish(&self.table, meter)?.0.written()))),
            Some(Stop::Foreign) => Ok(self.pass_from(stream.widened::<u16>(len), cursor, meter)?.map(Written::from)),
            Some(Stop::TooNarrow) => Ok(None),
        }
    }
}
