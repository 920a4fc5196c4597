//! The specification's normalisation in one pass, with a map back to the original.
//!
//! NFKC, quotation marks, zero-width characters, marks, white space, strip, lower case: in that
//! order (`evidence-grounding`, `normalize_for_quote_match`; ruling A4). Ordinary ASCII is copied a
//! chunk at a time ([`clean`]), other characters that depend on nothing around them by blocks
//! ([`forms`]); every other one is looked up once ([`table`]); only where characters may combine
//! does the Unicode normaliser see a piece of the text ([`compose`]). What comes out of either goes
//! through the remaining steps in a single stream ([`stream`]).

mod ages;
pub(crate) mod clean;
mod compose;
mod fold;
mod forms;
mod marks;
mod origins;
mod sigma;
mod stream;
mod table;

use clean::Lane;
use fold::Fold;
pub use marks::Bracket;
use marks::Marks;
pub use origins::Origins;
use origins::{Builder, Forget, Recorder};
use stream::{Stream, TooNarrow};
use table::{Kind, Table};
pub use table::{UNICODE_VERSION, UnicodeVersion};

use crate::interrupt::{Interrupt, Meter};
use crate::span::Span;
use crate::text::{Text, Units, with_units};
use crate::{Error, MAX_CHARS};

/// A normalised text and where it came from.
#[derive(Clone, Debug)]
pub struct Normalized {
    /// The text.
    pub text: Text,
    /// Maps its spans to the original.
    pub origins: Origins,
}

/// One way to normalise, ready to use: the rules and their tables.
#[derive(Debug)]
pub struct Normalizer {
    table: Table,
    marks: Marks,
}

impl Normalizer {
    /// The literal profile of the specification, as a Python whose `unicodedata` has `version`
    /// computes it.
    #[must_use]
    pub fn spec(version: UnicodeVersion) -> Self {
        Self { table: Table::new(Fold::Spec, version), marks: Marks::Literal }
    }

    /// The typographic profile (rulings A2 and A3), with the brackets whose marks are taken out.
    #[must_use]
    pub fn typographic(version: UnicodeVersion, brackets: &[Bracket]) -> Self {
        Self { table: Table::new(Fold::Typographic, version), marks: Marks::typographic(brackets) }
    }

    /// The normalised text.
    ///
    /// # Errors
    ///
    /// The text is longer than [`MAX_CHARS`], or `interrupt` asked to stop.
    pub fn normalize(&self, text: Units<'_>, interrupt: &dyn Interrupt) -> Result<Text, Error> {
        self.run::<Forget>(text, interrupt).map(|normalized| normalized.text)
    }

    /// The normalised text and the map back.
    ///
    /// # Errors
    ///
    /// As [`normalize`](Self::normalize).
    pub fn normalize_mapped(&self, text: Units<'_>, interrupt: &dyn Interrupt) -> Result<Normalized, Error> {
        self.run::<Builder>(text, interrupt)
    }

    /// Writes in the width of the input (a narrower one as long as only quotation marks ask for it),
    /// and in a wider one where that turns out too narrow (`µ` becomes a Greek letter, some
    /// ideographs leave the basic plane).
    fn run<R: Recorder>(&self, text: Units<'_>, interrupt: &dyn Interrupt) -> Result<Normalized, Error> {
        let len = text.len();
        if len > MAX_CHARS {
            return Err(Error::TextTooLong { len });
        }
        if let Units::U8(input) = text
            && let Some(normalized) = self.pass::<u8, u8, R>(input, interrupt)?
        {
            return Ok(normalized);
        }
        let narrow = match text {
            Units::U8(input) => self.pass::<u8, u16, R>(input, interrupt)?,
            Units::U16(input) => self.widening_pass::<R>(input, interrupt)?,
            Units::U32(_) => None,
        };
        if let Some(normalized) = narrow {
            return Ok(normalized);
        }
        let wide = with_units!(text, input => self.pass::<_, u32, R>(input, interrupt)?);
        Ok(wide.expect("every code point fits into 32 bits"))
    }

    /// One attempt; `None` if the output is too narrow.
    fn pass<I: Lane, O: Lane, R: Recorder>(
        &self,
        input: &[I],
        interrupt: &dyn Interrupt,
    ) -> Result<Option<Normalized>, Error>
    where
        Text: From<Vec<O>>,
    {
        let stream = Stream::<O, R>::new(self.marks, input.len());
        self.pass_from(stream, input, 0, &mut Meter::new(interrupt))
    }

    /// One attempt for two bytes a character that writes one, up to the first character that needs
    /// more.
    fn widening_pass<R: Recorder>(
        &self,
        input: &[u16],
        interrupt: &dyn Interrupt,
    ) -> Result<Option<Normalized>, Error> {
        let mut stream = Stream::<u8, R>::new(self.marks, input.len());
        let mut meter = Meter::new(interrupt);
        let mut position = 0;
        while position < input.len() {
            let limit = input.len().min(position + STEP_CHARS);
            let before = position;
            match self.steps(&mut stream, input, &mut position, limit) {
                Ok(()) => meter.add(position - before)?,
                Err(Stop::Foreign) => {
                    let stream = stream.widened::<u16>(input.len());
                    return self.pass_from(stream, input, position, &mut meter);
                }
                Err(Stop::TooNarrow) => return self.pass::<u16, u16, R>(input, interrupt),
            }
        }
        self.finish(stream).map(Some)
    }

    /// The rest of an attempt, from `position` on.
    fn pass_from<I: Lane, O: Lane, R: Recorder>(
        &self,
        mut stream: Stream<O, R>,
        input: &[I],
        mut position: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Normalized>, Error>
    where
        Text: From<Vec<O>>,
    {
        while position < input.len() {
            let limit = input.len().min(position + STEP_CHARS);
            let before = position;
            if self.steps(&mut stream, input, &mut position, limit).is_err() {
                return Ok(None);
            }
            meter.add(position - before)?;
        }
        self.finish(stream).map(Some)
    }

    fn finish<O: Lane, R: Recorder>(&self, stream: Stream<O, R>) -> Result<Normalized, Error>
    where
        Text: From<Vec<O>>,
    {
        let (mut text, origins) = stream.finish(&self.table);
        if text.len() > MAX_CHARS {
            return Err(Error::TextTooLong { len: text.len() });
        }
        text.shrink_to_fit();
        Ok(Normalized { text: Text::from(text), origins })
    }

    /// Takes the characters from `position` to `limit`, and what attaches to the last of them.
    fn steps<I: Lane, O: Lane, R: Recorder>(
        &self,
        stream: &mut Stream<O, R>,
        input: &[I],
        position: &mut usize,
        limit: usize,
    ) -> Result<(), Stop> {
        while *position < limit {
            self.step(stream, input, position, limit)?;
        }
        Ok(())
    }

    /// Takes a run of ordinary characters and then the one, or the piece, that is none.
    fn step<I: Lane, O: Lane, R: Recorder>(
        &self,
        stream: &mut Stream<O, R>,
        input: &[I],
        position: &mut usize,
        limit: usize,
    ) -> Result<(), Stop> {
        let start = *position;
        *position = stream.take_ordinary(&self.table, &input[..limit], start)?;
        let Some(&unit) = input.get(*position) else { return Ok(()) };
        let mut action = self.table.get(unit.code());
        if *position > start && action.attaches() {
            *position = stream.give_back(&self.table, input, *position, *position - start);
            action = self.table.get(input[*position].code());
        }
        let place = *position;
        let is_alone = input.get(place + 1).is_none_or(|next| !self.table.get(next.code()).attaches());
        let is_piece = !is_alone || matches!(action.kind(), Kind::Normalize | Kind::NormalizeAttached);
        if I::MAX > O::MAX && (is_piece || action.target() > O::MAX) {
            // Nothing of it is written yet.
            return Err(Stop::Foreign);
        }
        *position = if is_piece {
            compose::take_piece(stream, &self.table, input, place)?
        } else {
            compose::emit(stream, action, Span::new(place, place + 1), true)?;
            place + 1
        };
        Ok(())
    }
}

/// Why an attempt to write a text ends.
#[derive(Debug)]
enum Stop {
    /// In the middle of a character.
    TooNarrow,
    /// Before a character that may need a wider output; all before it is written.
    Foreign,
}

impl From<TooNarrow> for Stop {
    fn from(_: TooNarrow) -> Self {
        Self::TooNarrow
    }
}

/// Characters taken between two looks at the clock.
const STEP_CHARS: usize = 1 << 16;

/// Whether it pays to go back to copying chunks: four ASCII characters in a row. Asked for each
/// character, so without a branch for each of the four.
#[inline(always)]
pub(super) fn is_ordinary_run<I: Lane>(input: &[I]) -> bool {
    input.first_chunk::<4>().is_some_and(|&[a, b, c, d]| a.code() | b.code() | c.code() | d.code() < 0x80)
}
