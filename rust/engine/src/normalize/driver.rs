//! From one character, or run, or piece of a text to the next.

use super::Normalizer;
use super::ascii_chunk::AsciiUnit;
use super::code_point::{Kind, Table};
use super::nfkc;
use super::offset_map::Recorder;
use super::profile::DOTTED_CAPITAL_I;
use super::text_sink::Output;
use super::transducer::{TooNarrow, Transducer};
use crate::Error;
use crate::cancel::CancelMeter;
use crate::span::Span;

impl Normalizer {
    /// Takes all characters that are left, or those before the one that stops it.
    pub(super) fn go_on<I: AsciiUnit, W: Output, R: Recorder>(
        &self,
        stream: &mut Transducer<'_, W, R>,
        cursor: &mut Cursor<'_, I>,
        meter: &mut CancelMeter<'_>,
    ) -> Result<Option<Stop>, Error> {
        let Cursor { input, position } = cursor;
        while *position < input.len() {
            let limit = input.len().min(*position + STEP_CHARS);
            let before = *position;
            match self.steps(stream, input, position, limit, meter) {
                Ok(()) => {}
                Err(Halt::Stop(stop)) => return Ok(Some(stop)),
                Err(Halt::Failed(error)) => return Err(error),
            }
            meter.add((*position - before) * BOOKED_CHARS)?;
        }
        Ok(None)
    }

    /// Takes the characters from `position` to `limit`, and what attaches to the last of them.
    fn steps<I: AsciiUnit, W: Output, R: Recorder>(
        &self,
        stream: &mut Transducer<'_, W, R>,
        input: &[I],
        position: &mut usize,
        limit: usize,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(), Halt> {
        while *position < limit {
            self.step(stream, input, position, limit, meter)?;
        }
        Ok(())
    }

    /// Takes a run of ordinary characters and then the one, or the piece, that is none.
    fn step<I: AsciiUnit, W: Output, R: Recorder>(
        &self,
        stream: &mut Transducer<'_, W, R>,
        input: &[I],
        position: &mut usize,
        limit: usize,
        meter: &mut CancelMeter<'_>,
    ) -> Result<(), Halt> {
        let start = *position;
        *position = stream.take_ordinary(&self.table, &input[..limit], start)?;
        let Some(&unit) = input.get(*position) else { return Ok(()) };
        let mut action = self.table.get(unit.code());
        if *position > start && action.attaches() {
            *position = stream.give_back(&self.table, input, *position, *position - start);
            action = self.table.get(input[*position].code());
        }
        let place = *position;
        // Nothing combines with white space, and the fast path would not see it there.
        let is_newline = action.kind() == Kind::Special && action.target() == u32::from(b'\n');
        let is_space = is_newline || action.kind() == Kind::Space;
        let is_alone = is_space || input.get(place + 1).is_none_or(|next| !self.table.get(next.code()).attaches());
        let is_piece = !is_alone || matches!(action.kind(), Kind::Normalize | Kind::NormalizeAttached);
        if I::MAX > W::MAX && (is_piece || !W::holds(action.target())) {
            // Nothing of it is written yet.
            return Err(Stop::Foreign.into());
        }
        if !has_room(stream, &input[place..], is_piece || action.target() == DOTTED_CAPITAL_I as u32, &self.table) {
            return Err(Stop::Foreign.into());
        }
        *position = if is_piece {
            nfkc::take_piece(stream, &self.table, input, place, meter)?
        } else {
            nfkc::emit(stream, action, Span::new(place, place + 1), true)?;
            place + 1
        };
        Ok(())
    }
}

/// A text and how much of it has been taken.
#[derive(Debug)]
pub(super) struct Cursor<'a, I> {
    pub(super) input: &'a [I],
    position: usize,
}

impl<'a, I> Cursor<'a, I> {
    pub(super) fn new(input: &'a [I]) -> Self {
        Self { input, position: 0 }
    }

    /// The first character that has not been taken.
    pub(super) fn next(&self) -> Option<I>
    where
        I: Copy,
    {
        self.input.get(self.position).copied()
    }
}

/// Why an attempt to write a text ends.
#[derive(Debug)]
pub(super) enum Stop {
    /// In the middle of a character.
    TooNarrow,
    /// Before a character that may need a wider or a longer output; all before it is written.
    Foreign,
}

/// Why a step was not taken.
#[derive(Debug)]
pub(super) enum Halt {
    Stop(Stop),
    /// The work is to be given up.
    Failed(Error),
}

impl From<TooNarrow> for Halt {
    fn from(_: TooNarrow) -> Self {
        Self::Stop(Stop::TooNarrow)
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stop(stop)
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

/// Whether there is room for all of `rest` if the piece at its start becomes as long as any can
/// (`expands`), or else not longer.
#[inline(always)]
fn has_room<I: AsciiUnit, W: Output, R: Recorder>(
    stream: &Transducer<'_, W, R>,
    rest: &[I],
    expands: bool,
    table: &Table,
) -> bool {
    if !expands || stream.out.has_room(usize::MAX) {
        return true;
    }
    let attached = rest.iter().skip(1).take_while(|unit| table.get(unit.code()).attaches()).count();
    stream.out.has_room(rest.len() + MAX_EXPANSION * (1 + attached))
}

/// Most characters that NFKC makes of one (U+FDFA).
const MAX_EXPANSION: usize = 18;

/// Characters taken between two questions.
const STEP_CHARS: usize = 1 << 15;

/// What each of them is booked as: brackets, and characters that become many, take a thousand times as
/// long as what is copied, so that every step asks.
const BOOKED_CHARS: usize = 8;

/// Whether it pays to go back to copying chunks: four ASCII characters in a row. Asked for each
/// character, so without a branch for each of the four.
#[inline(always)]
pub(super) fn is_ordinary_run<I: AsciiUnit>(input: &[I]) -> bool {
    input.first_chunk::<4>().is_some_and(|&[a, b, c, d]| a.code() | b.code() | c.code() | d.code() < 0x80)
}
