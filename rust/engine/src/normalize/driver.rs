//! The loop over a text, and the outputs in which it can continue.
//!
//! The loop first writes to the narrowest output that may hold the text. It stops before a character or segment that
//! does not fit, moves the output so far to a wider one, and continues. So no character is normalised twice, except
//! those of the segment at such a stop.

use std::mem::MaybeUninit;

use super::nfkc;
use super::offset_map::OffsetMap;
use super::profile::DOTTED_CAPITAL_I;
use super::transducer::Transducer;
use super::{Normalized, Normalizer};
use crate::arch::ascii_chunk::CHUNK;
use crate::arch::uninit_buffer::UninitBuffer;
use crate::cancel::{Cancel, CancelMeter};
use crate::text::sink::{SymbolSink, TextSink};
use crate::text::{CodeUnit, MAX_CHARS, Span, TextBuf, TextRef};
use crate::{Error, check_chars};

/// A normalised text in the caller's buffer, or in new memory.
///
/// # Examples
///
/// ```
/// use std::mem::MaybeUninit;
///
/// use groundwire_engine::{Never, NormalizedInto, Normalizer, Text, UNICODE_VERSION};
///
/// let mut buffer = [MaybeUninit::uninit(); 128];
/// let quote = Text::from("It’s  FINE");
/// let normalizer = Normalizer::spec(UNICODE_VERSION);
/// let written = normalizer.normalize_into(quote.units(), &mut buffer, |_| None, &Never)?;
/// assert!(matches!(written, NormalizedInto::Ascii(b"it's fine")));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Clone, Debug)]
pub enum NormalizedInto<'b> {
    /// In the caller's narrow buffer; all of it is ASCII.
    Ascii(&'b [u8]),
    /// In the caller's wide buffer.
    Wide(&'b [u16]),
    /// In new memory, because the text fits in neither buffer.
    Elsewhere(TextBuf),
}

impl NormalizedInto<'_> {
    /// Returns the text.
    #[must_use]
    #[inline]
    pub fn units(&self) -> TextRef<'_> {
        match self {
            Self::Ascii(units) => TextRef::Ucs1(units),
            Self::Wide(units) => TextRef::Ucs2(units),
            Self::Elsewhere(text) => text.units(),
        }
    }
}

impl From<Normalized> for NormalizedInto<'_> {
    fn from(normalized: Normalized) -> Self {
        Self::Elsewhere(normalized.text)
    }
}

/// A normalised text, prepared for searches.
#[derive(Debug)]
pub(crate) enum Searchable {
    /// As characters.
    Characters(Normalized),
    /// As symbols of one byte (see [`SymbolSink`]).
    Symbols { symbols: Vec<u8>, offsets: OffsetMap },
}

/// The number of characters per spare character in a wide buffer. Spare capacity is needed because some characters
/// become longer.
const CHARS_PER_SPARE: usize = 64;

impl Normalizer {
    /// Normalises a text into a vector of the narrowest width that its characters require. Without `RECORDS`, the offset
    /// map is empty.
    pub(super) fn normalize_recorded<const RECORDS: bool>(
        &self,
        text: TextRef<'_>,
        cancel: &dyn Cancel,
    ) -> Result<Normalized, Error> {
        check_chars(text.len())?;
        let meter = &mut CancelMeter::new(cancel);
        let capacity = text.len();
        match text {
            TextRef::Ucs1(input) => self.grow(self.vector::<u8, RECORDS>(capacity), Cursor::new(input), meter),
            TextRef::Ucs2(input) => self.grow(self.vector::<u8, RECORDS>(capacity), Cursor::new(input), meter),
            TextRef::Ucs4(input) => self.grow(self.vector::<u32, RECORDS>(capacity), Cursor::new(input), meter),
        }
    }

    fn vector<O: CodeUnit, const RECORDS: bool>(&self, capacity: usize) -> Transducer<'_, Vec<O>, RECORDS> {
        Transducer::new(&self.special, Vec::with_capacity(capacity))
    }

    /// Normalises the rest of a text, and moves the output to a wider vector when a character requires it.
    fn grow<I: CodeUnit, O: CodeUnit, const RECORDS: bool>(
        &self,
        mut transducer: Transducer<'_, Vec<O>, RECORDS>,
        mut cursor: Cursor<'_, I>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Normalized, Error> {
        if !self.drive(&mut transducer, &mut cursor, meter)? {
            return self.grow(transducer.widen::<O::Wider>(cursor.input.len()), cursor, meter);
        }
        let (mut units, offsets) = transducer.finish(&self.table, meter)?;
        check_chars(units.len())?;
        units.shrink_to_fit();
        Ok(Normalized { text: units.into(), offsets })
    }

    /// Normalises a text into a buffer of the caller, which saves a copy: into `buffer` if the result is ASCII;
    /// otherwise, if the text has two bytes per character, into the buffer that `wide` returns. `wide` is called at
    /// most once, with the required number of characters. Short texts are fastest if `buffer` has a capacity of 64
    /// characters more than the text.
    ///
    /// # Errors
    ///
    /// Those of [`normalize`](Self::normalize).
    pub fn normalize_into<'b>(
        &self,
        text: TextRef<'_>,
        buffer: &'b mut [MaybeUninit<u8>],
        wide: impl FnOnce(usize) -> Option<&'b mut [MaybeUninit<u16>]>,
        cancel: &dyn Cancel,
    ) -> Result<NormalizedInto<'b>, Error> {
        check_chars(text.len())?;
        let meter = &mut CancelMeter::new(cancel);
        match text {
            TextRef::Ucs1(input) if input.len() <= buffer.len() => self.fill(input, buffer, wide, meter),
            TextRef::Ucs2(input) if input.len() <= buffer.len() => self.fill(input, buffer, wide, meter),
            TextRef::Ucs2(input) => self.fill_wide(self.vector::<u8, false>(0), Cursor::new(input), wide, meter),
            _ => self.normalize_recorded::<false>(text, cancel).map(NormalizedInto::from),
        }
    }

    /// Normalises a text that fits `buffer`.
    fn fill<'b, I: CodeUnit>(
        &self,
        input: &[I],
        buffer: &'b mut [MaybeUninit<u8>],
        wide: impl FnOnce(usize) -> Option<&'b mut [MaybeUninit<u16>]>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<NormalizedInto<'b>, Error> {
        let mut transducer = Transducer::<_, false>::new(&self.special, UninitBuffer::new(buffer));
        let mut cursor = Cursor::new(input);
        if self.drive(&mut transducer, &mut cursor, meter)? {
            return Ok(NormalizedInto::Ascii(transducer.finish(&self.table, meter)?.0.written()));
        }
        if cursor.next() > 0xFF {
            return self.fill_wide(transducer, cursor, wide, meter);
        }
        let mut transducer = transducer.widen::<u8>(input.len());
        if size_of::<I>() == 1 || self.drive(&mut transducer, &mut cursor, meter)? {
            return Ok(self.grow(transducer, cursor, meter)?.into());
        }
        self.fill_wide(transducer, cursor, wide, meter)
    }

    /// Continues in the buffer that `wide` returns; in a vector if `wide` returns `None`, and when the buffer is full
    /// or too narrow.
    fn fill_wide<'b, I: CodeUnit, S: TextSink>(
        &self,
        transducer: Transducer<'_, S, false>,
        mut cursor: Cursor<'_, I>,
        wide: impl FnOnce(usize) -> Option<&'b mut [MaybeUninit<u16>]>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<NormalizedInto<'b>, Error> {
        let len = cursor.input.len();
        let capacity = (len + len / CHARS_PER_SPARE + CHUNK).min(MAX_CHARS);
        let Some(buffer) = wide(capacity).and_then(|buffer| buffer.get_mut(..capacity)) else {
            return Ok(self.grow(transducer.widen::<u16>(len), cursor, meter)?.into());
        };
        let mut transducer = transducer.move_to(UninitBuffer::new(buffer));
        if self.drive(&mut transducer, &mut cursor, meter)? {
            return Ok(NormalizedInto::Wide(transducer.finish(&self.table, meter)?.0.written()));
        }
        Ok(self.grow(transducer.widen::<u16>(len), cursor, meter)?.into())
    }

    /// Normalises a text for searches. The result is in symbols if the text has two bytes per character, and every
    /// character of the result has a symbol.
    pub(crate) fn normalize_searchable(&self, text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Searchable, Error> {
        let TextRef::Ucs2(input) = text else {
            return self.normalize_recorded::<true>(text, cancel).map(Searchable::Characters);
        };
        check_chars(input.len())?;
        let meter = &mut CancelMeter::new(cancel);
        let sink = SymbolSink(Vec::with_capacity(input.len()));
        let mut transducer = Transducer::<_, true>::new(&self.special, sink);
        let mut cursor = Cursor::new(input);
        let is_done = self.drive(&mut transducer, &mut cursor, meter)?;
        if transducer.out.is_ascii() {
            let characters = self.grow(transducer.map_sink(|symbols| symbols.0), cursor, meter)?;
            return Ok(Searchable::Characters(characters));
        }
        if !is_done {
            let characters = self.grow(transducer.widen::<u16>(input.len()), cursor, meter)?;
            return Ok(Searchable::Characters(characters));
        }
        let (SymbolSink(mut symbols), offsets) = transducer.finish(&self.table, meter)?;
        symbols.shrink_to_fit();
        Ok(Searchable::Symbols { symbols, offsets })
    }

    /// Processes the remaining characters. Returns false at a character or segment that the output cannot hold.
    fn drive<I: CodeUnit, S: TextSink, const RECORDS: bool>(
        &self,
        transducer: &mut Transducer<'_, S, RECORDS>,
        cursor: &mut Cursor<'_, I>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<bool, Error> {
        while cursor.position < cursor.input.len() {
            let before = cursor.position;
            let limit = cursor.input.len().min(before + STEP_CHARS);
            while cursor.position < limit {
                if !self.advance(transducer, cursor, limit, meter)? {
                    return Ok(false);
                }
            }
            meter.charge((cursor.position - before) * CHARGE_PER_CHAR)?;
        }
        Ok(true)
    }

    /// Processes a run of plain characters before `limit`, and the character or segment after it. Returns false at a
    /// character or segment that the output cannot hold.
    #[inline(always)]
    fn advance<I: CodeUnit, S: TextSink, const RECORDS: bool>(
        &self,
        transducer: &mut Transducer<'_, S, RECORDS>,
        cursor: &mut Cursor<'_, I>,
        limit: usize,
        meter: &mut CancelMeter<'_>,
    ) -> Result<bool, Error> {
        let Cursor { input, position, segment } = cursor;
        let start = *position;
        *position = transducer.copy_plain(&self.table, &input[..limit], start);
        let Some(&unit) = input.get(*position) else { return Ok(true) };
        let mut action = self.table.get(unit.code_point());
        if *position > start && action.combines() {
            *position = transducer.retract(&self.table, input, *position, *position - start);
            action = self.table.get(input[*position].code_point());
        }
        let place = *position;
        // Nothing combines with white space, and the fast path would miss a combining mark after it.
        let is_alone =
            action.is_space() || input.get(place + 1).is_none_or(|next| !self.table.get(next.code_point()).combines());
        if !is_alone || action.needs_normalizer() {
            let taken = nfkc::take_segment(transducer, &self.table, &input[place..], place, segment, meter)?;
            *position += taken;
            return Ok(taken > 0);
        }
        let is_longer = action.target() == DOTTED_CAPITAL_I as u32;
        if !S::can_encode(action.target()) || (is_longer && !transducer.out.has_capacity(input.len() - place + 1)) {
            return Ok(false);
        }
        transducer.push(action, Span::new(place, place + 1), true);
        *position += 1;
        Ok(true)
    }
}

/// A text and the position of the next character.
#[derive(Debug)]
struct Cursor<'a, I> {
    input: &'a [I],
    position: usize,
    /// Reusable memory for the normalised form of the segment at `position`.
    segment: Vec<char>,
}

impl<'a, I: CodeUnit> Cursor<'a, I> {
    fn new(input: &'a [I]) -> Self {
        Self { input, position: 0, segment: Vec::new() }
    }

    /// Returns the next character; 0 at the end.
    fn next(&self) -> u32 {
        self.input.get(self.position).map_or(0, |unit| unit.code_point())
    }
}

/// The number of characters between two charges to the meter.
const STEP_CHARS: usize = 1 << 15;

/// The charge for each character. Brackets, and characters with long results, take a thousand times as long as copied
/// ones; with this charge, each step checks for cancellation.
const CHARGE_PER_CHAR: usize = 8;
