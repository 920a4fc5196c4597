//! Normalised text to be searched: in symbols where that is narrower and costs nothing.

use super::driver::{Cursor, Stop};
use super::offset_map::{Builder, OffsetMap};
use super::text_sink::Symbols;
use super::transducer::Transducer;
use super::{Normalized, Normalizer, ascii_chunk};
use crate::cancel::{Cancel, CancelMeter};
use crate::text::TextRef;
use crate::{Error, MAX_CHARS};

/// A normalised text to be searched.
#[derive(Debug)]
pub(crate) enum Prepared {
    /// In characters.
    Characters(Normalized),
    /// One byte each: ASCII as it is, then the dashes U+2012 to U+2015.
    Symbols {
        /// The text.
        symbols: Vec<u8>,
        /// Maps its spans to the original.
        origins: OffsetMap,
    },
}

impl Prepared {
    /// The code points of [`Symbols`](Self::Symbols), in their order.
    pub(crate) fn codes() -> impl Iterator<Item = u32> {
        (0..0x84).map(ascii_chunk::code_of_form)
    }
}

impl Normalizer {
    /// The normalised text and the map back, in symbols where that is narrower and costs nothing.
    pub(crate) fn prepare(&self, text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Prepared, Error> {
        match text {
            TextRef::Ucs2(input) if input.len() <= MAX_CHARS => {
                match self.symbol_pass(input, &mut CancelMeter::new(cancel))? {
                    Some(prepared) => Ok(prepared),
                    None => self.normalize_mapped(text, cancel).map(Prepared::Characters),
                }
            }
            _ => self.normalize_mapped(text, cancel).map(Prepared::Characters),
        }
    }

    /// One attempt that writes symbols, and goes on in characters from the first that has none;
    /// `None` if all has to be done again.
    fn symbol_pass(&self, input: &[u16], meter: &mut CancelMeter<'_>) -> Result<Option<Prepared>, Error> {
        let len = input.len();
        let mut stream = Transducer::<_, Builder>::new(&self.minding, Symbols(Vec::with_capacity(len)));
        let mut cursor = Cursor::new(input);
        let stop = self.go_on(&mut stream, &mut cursor, meter)?;
        let is_ascii = stream.out.is_ascii();
        let characters = match stop {
            None if is_ascii => Some(self.finish(stream.mapped(|symbols| symbols.0), meter)?),
            None => {
                let (Symbols(mut symbols), origins) = stream.finish(&self.table, meter)?;
                symbols.shrink_to_fit();
                return Ok(Some(Prepared::Symbols { symbols, origins }));
            }
            Some(Stop::Foreign) if is_ascii => self.widening_pass(stream.mapped(|symbols| symbols.0), cursor, meter)?,
            Some(Stop::Foreign) => self.pass_from(stream.widened::<u16>(len), cursor, meter)?,
            Some(Stop::TooNarrow) => None,
        };
        Ok(characters.map(Prepared::Characters))
    }
}
