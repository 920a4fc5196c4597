//! The specification's normalisation in one pass, with a map back to the original.
//!
//! NFKC, quotation marks, zero-width characters, marks, white space, strip, lower case: in that
//! order (`evidence-grounding`, `normalize_for_quote_match`; ruling A4). Ordinary ASCII is copied a
//! chunk at a time (`ascii_chunk`), other characters that depend on nothing around them by blocks
//! (`direct_map`); every other one is looked up once (`code_point`); only where characters may combine
//! does the Unicode normaliser see a piece of the text (`nfkc`). What comes out of either goes
//! through the remaining steps in a single stream (`transducer`).

pub(crate) mod annotation;
pub(crate) mod ascii_chunk;
mod code_point;
pub(crate) mod composition;
mod direct_map;
mod driver;
mod fast_path;
mod final_sigma;
mod nfkc;
mod offset_map;
mod prepared;
mod profile;
mod short;
mod special;
pub(crate) mod special_ascii;
pub(crate) mod text_sink;
mod transducer;
mod unicode_age;
mod written;

pub use annotation::Bracket;
use annotation::Marks;
use ascii_chunk::AsciiUnit;
use code_point::Table;
pub use code_point::{UNICODE_VERSION, UnicodeVersion};
use driver::{Cursor, Stop};
pub use offset_map::OffsetMap;
pub(crate) use offset_map::Walk;
use offset_map::{Builder, Forget, Recorder};
pub(crate) use prepared::Prepared;
use profile::Fold;
pub use profile::is_space;
use special_ascii::SpecialCharacters;
use transducer::Transducer;
pub use written::Written;

use crate::cancel::{Cancel, CancelMeter};
use crate::text::{Text, TextRef, dispatch};
use crate::{Error, check_chars};

/// A normalised text and where it came from.
#[derive(Clone, Debug)]
pub struct Normalized {
    /// The text.
    pub text: Text,
    /// Maps its spans to the original.
    pub origins: OffsetMap,
}

/// One way to normalise, ready to use: the rules and their tables.
#[derive(Debug)]
pub struct Normalizer {
    table: Table,
    minding: SpecialCharacters,
}

impl Normalizer {
    /// The literal profile of the specification, as a Python whose `unicodedata` has `version`
    /// computes it.
    #[must_use]
    pub fn spec(version: UnicodeVersion) -> Self {
        Self { table: Table::new(Fold::Spec, version), minding: SpecialCharacters::new(Marks::Literal) }
    }

    /// The typographic profile (rulings A2 and A3), with the brackets whose marks are taken out.
    #[must_use]
    pub fn typographic(version: UnicodeVersion, brackets: &[Bracket]) -> Self {
        let minding = SpecialCharacters::new(Marks::typographic(brackets));
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
    /// The text is longer than [`MAX_CHARS`](crate::MAX_CHARS), or `cancel` asked to stop.
    pub fn normalize(&self, text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Text, Error> {
        self.run::<Forget>(text, cancel).map(|normalized| normalized.text)
    }

    /// The normalised text and the map back.
    ///
    /// # Errors
    ///
    /// As [`normalize`](Self::normalize).
    pub fn normalize_mapped(&self, text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Normalized, Error> {
        self.run::<Builder>(text, cancel)
    }

    /// Writes in the width of the input (a narrower one as long as only quotation marks ask for it),
    /// and in a wider one where that turns out too narrow (`µ` becomes a Greek letter, some
    /// ideographs leave the basic plane).
    fn run<R: Recorder>(&self, text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Normalized, Error> {
        check_chars(text.len())?;
        if let TextRef::Ucs1(input) = text
            && let Some(normalized) = self.pass::<u8, u8, R>(input, cancel)?
        {
            return Ok(normalized);
        }
        let narrow = match text {
            TextRef::Ucs1(input) => self.pass::<u8, u16, R>(input, cancel)?,
            TextRef::Ucs2(input) => {
                let stream = self.stream::<u8, R>(input.len());
                self.widening_pass(stream, Cursor::new(input), &mut CancelMeter::new(cancel))?
            }
            TextRef::Ucs4(_) => None,
        };
        if let Some(normalized) = narrow {
            return Ok(normalized);
        }
        let wide = dispatch!(text, input => self.pass::<_, u32, R>(input, cancel)?);
        Ok(wide.expect("every code point fits into 32 bits"))
    }

    fn stream<O: AsciiUnit, R: Recorder>(&self, capacity: usize) -> Transducer<'_, Vec<O>, R> {
        Transducer::new(&self.minding, Vec::with_capacity(capacity))
    }

    /// One attempt; `None` if the output is too narrow.
    fn pass<I: AsciiUnit, O: AsciiUnit, R: Recorder>(
        &self,
        input: &[I],
        cancel: &dyn Cancel,
    ) -> Result<Option<Normalized>, Error>
    where
        Text: From<Vec<O>>,
    {
        self.pass_from(self.stream::<O, R>(input.len()), Cursor::new(input), &mut CancelMeter::new(cancel))
    }

    /// One attempt that writes one byte a character, up to the first character that needs more.
    fn widening_pass<I: AsciiUnit, R: Recorder>(
        &self,
        mut stream: Transducer<'_, Vec<u8>, R>,
        mut cursor: Cursor<'_, I>,
        meter: &mut CancelMeter<'_>,
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
    fn pass_from<I: AsciiUnit, O: AsciiUnit, R: Recorder>(
        &self,
        mut stream: Transducer<'_, Vec<O>, R>,
        mut cursor: Cursor<'_, I>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Option<Normalized>, Error>
    where
        Text: From<Vec<O>>,
    {
        match self.go_on(&mut stream, &mut cursor, meter)? {
            None => self.finish(stream, meter).map(Some),
            Some(_) => Ok(None),
        }
    }

    fn finish<O: AsciiUnit, R: Recorder>(
        &self,
        stream: Transducer<'_, Vec<O>, R>,
        meter: &mut CancelMeter<'_>,
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
