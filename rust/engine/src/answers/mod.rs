//! An answer read once: its citations, its sentences, and what it claims.
//!
//! `prose` says which of its Markdown is there to be read, `brackets` which brackets are citations,
//! [`sentences`](crate::words::sentences) where sentences end, `claims` which citations belong to
//! which of them. All of it takes time in the length of the answer, whatever stands in it.
//!
//! Source: the specification of citation risk, with rulings B1, B2 and B8.

mod blocks;
mod brackets;
mod claims;
mod figures;
mod forms;
mod html;
mod ids;
mod markdown;
mod printed;
mod prose;

pub use blocks::{Block, BlockKind, blocks};
pub use brackets::Marker;
pub use claims::Claim;
pub use figures::Figures;
pub use forms::{Form, Item};
pub use ids::{Ids, Standing};
pub use printed::{Printed, printed};

use claims::Claims;

use crate::interrupt::Meter;
use crate::text::{Unit, Units, with_units};
use crate::words::sentences::Reading;
use crate::{Error, Interrupt, Span, check_chars};

/// What is read out of an answer. Positions are code points of the answer, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Brackets that are citations or could be taken for some.
    pub markers: Vec<Marker>,
    /// Everything that is prose, headings too, with the citations behind it.
    pub sentences: Vec<Span>,
    /// Sentences that are long enough to claim something, headings aside.
    pub claims: Vec<Claim>,
}

/// Reads `answer`, Markdown or plain, which can cite `ids`.
///
/// A sentence ends with its block (paragraph, list item, cell of a table) at the latest. Citations
/// behind its full stop are its own; those that stand alone in the next block, or in a cell of
/// the same row, belong to the claims before them.
///
/// # Errors
///
/// [`Error::Interrupted`], and [`Error::TextTooLong`] beyond [`crate::MAX_CHARS`].
pub fn read(answer: Units<'_>, ids: &Ids, interrupt: &dyn Interrupt) -> Result<Answer, Error> {
    check_chars(answer.len())?;
    with_units!(answer, text => read_units(text, ids, &mut Meter::new(interrupt)))
}

fn read_units<T: Unit>(text: &[T], ids: &Ids, meter: &mut Meter<'_>) -> Result<Answer, Error> {
    let mut prose = prose::read(text, ids, meter)?;
    let markers = brackets::markers(text, &mut prose, ids, meter)?;
    let reading = Reading { text, classes: &prose.classes };
    let mut sentences = Vec::new();
    let mut blocks = Vec::with_capacity(prose.blocks.len());
    for block in &prose.blocks {
        let first = sentences.len();
        reading.split(block.range(), block.label, meter, &mut sentences)?;
        blocks.push((*block, first..sentences.len()));
    }
    let claims = Claims::new(text, &prose, &markers).find(&sentences, &blocks, meter)?;
    Ok(Answer { markers, sentences, claims })
}
