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
pub(crate) mod composition;
mod fold;
mod forms;
pub(crate) mod marks;
pub(crate) mod minded;
mod ordinary;
mod origins;
pub(crate) mod output;
mod prepared;
mod short;
mod sigma;
mod special;
mod steps;
mod stream;
mod table;
mod written;

use clean::Lane;
use fold::Fold;
pub use fold::is_space;
pub use marks::Bracket;
use marks::Marks;
use minded::Minding;
pub use origins::Origins;
pub(crate) use origins::Walk;
use origins::{Builder, Forget, Recorder};
pub(crate) use prepared::Prepared;
use steps::{Cursor, Stop};
use stream::Stream;
use table::Table;
pub use table::{UNICODE_VERSION, UnicodeVersion};
pub use written::Written;

use crate::interrupt::{Interrupt, Meter};
use crate::text::{Text, Units, with_units};
use crate::{Error, check_chars};

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
    minding: Minding,
}

impl Normalizer {
    /// The literal profile of the specification, as a Python whose `unicodedata` has `version`
    /// computes it.
    #[must_use]
    pub fn spec(version: UnicodeVersion) -> Self {
        Self { table: Table::new(Fold::Spec, version), minding: Minding::new(Marks::Literal) }
    }

    /// The typographic profile (rulings A2 and A3), with the brackets whose marks are taken out.
    #[must_use]
    pub fn typographic(version: UnicodeVersion, brackets: &[Bracket]) -> Self {
        let minding = Minding::new(Marks::typographic(brackets));
        Self { table: Table::new(Fold::Typographic, version), minding }
    }

    /// What normalising so many characters costs, in cycles, roughly.
    #[must_use]
    pub fn cycles(chars: usize) -> f32 {
        200.0 + 4.0 * chars as f32
    }

    /// The normalised text.
    ///
    /// # Errors
    ///
    /// The text is longer than [`MAX_CHARS`](crate::MAX_CHARS), or `interrupt` asked to stop.
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
        check_chars(text.len())?;
        if let Units::U8(input) = text
            && let Some(normalized) = self.pass::<u8, u8, R>(input, interrupt)?
        {
            return Ok(normalized);
        }
        let narrow = match text {
            Units::U8(input) => self.pass::<u8, u16, R>(input, interrupt)?,
            Units::U16(input) => {
                let stream = self.stream::<u8, R>(input.len());
                self.widening_pass(stream, Cursor::new(input), &mut Meter::new(interrupt))?
            }
            Units::U32(_) => None,
        };
        if let Some(normalized) = narrow {
            return Ok(normalized);
        }
        let wide = with_units!(text, input => self.pass::<_, u32, R>(input, interrupt)?);
        Ok(wide.expect("every code point fits into 32 bits"))
    }

    fn stream<O: Lane, R: Recorder>(&self, capacity: usize) -> Stream<'_, Vec<O>, R> {
        Stream::new(&self.minding, Vec::with_capacity(capacity))
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
        self.pass_from(self.stream::<O, R>(input.len()), Cursor::new(input), &mut Meter::new(interrupt))
    }

    /// One attempt that writes one byte a character, up to the first character that needs more.
    fn widening_pass<I: Lane, R: Recorder>(
        &self,
        mut stream: Stream<'_, Vec<u8>, R>,
        mut cursor: Cursor<'_, I>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Normalized>, Error> {
        match self.go_on(&mut stream, &mut cursor, meter)? {
            None => self.finish(stream, meter).map(Some),
            Some(Stop::Foreign) => self.pass_from(stream.widened::<u16>(cursor.input.len()), cursor, meter),
            Some(Stop::TooNarrow) => {
                self.pass_from(self.stream::<u16, R>(cursor.input.len()), Cursor::new(cursor.input), meter)
            }
        }
    }

    /// The rest of an attempt.
    fn pass_from<I: Lane, O: Lane, R: Recorder>(
        &self,
        mut stream: Stream<'_, Vec<O>, R>,
        mut cursor: Cursor<'_, I>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Normalized>, Error>
    where
        Text: From<Vec<O>>,
    {
        match self.go_on(&mut stream, &mut cursor, meter)? {
            None => self.finish(stream, meter).map(Some),
            Some(_) => Ok(None),
        }
    }

    fn finish<O: Lane, R: Recorder>(
        &self,
        stream: Stream<'_, Vec<O>, R>,
        meter: &mut Meter<'_>,
    ) -> Result<Normalized, Error>
    where
        Text: From<Vec<O>>,
    {
        let (mut text, origins) = stream.finish(&self.table, meter)?;
        check_chars(text.len())?;
        text.shrink_to_fit();
        Ok(Normalized { text: Text::from(text), origins })
    }
}
