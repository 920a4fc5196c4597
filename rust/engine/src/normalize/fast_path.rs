//! The stream's fast path: ordinary characters by chunks and blocks, short marks, white space.

use super::annotation::Marks;
use super::ascii_chunk::{self, AsciiUnit, CHUNK, Rules};
use super::code_point::Table;
use super::driver::is_ordinary_run;
use super::offset_map::Recorder;
use super::text_sink::Output;
use super::transducer::{TooNarrow, Transducer};
use crate::arch;
use crate::span::Span;

impl<W: Output, R: Recorder> Transducer<'_, W, R> {
    /// Takes as many characters from `position` on as become one each whatever stands around them,
    /// and the collapsing ASCII white space and angle brackets between them; returns where they
    /// end.
    #[inline]
    pub(super) fn take_ordinary<I: AsciiUnit>(
        &mut self,
        table: &Table,
        input: &[I],
        mut position: usize,
    ) -> Result<usize, TooNarrow> {
        while self.line_hyphen.is_none() {
            position = self.copy(table, input, position);
            let stop = position;
            // A bracket that something may attach to is not for here.
            if let [bracket, next, ..] = input[position..]
                && bracket.code() | 2 == 0x3E
                && next.code() < 0x80
            {
                position += self.take_bracket(&input[position..], position)?;
            }
            position += self.collapse(&input[position..]);
            if position == stop {
                break;
            }
        }
        Ok(position)
    }

    /// Copies ASCII by chunks and the rest by the table's forms; returns where they end.
    #[inline]
    fn copy<I: AsciiUnit>(&mut self, table: &Table, input: &[I], mut position: usize) -> usize {
        loop {
            if is_ordinary_run(&input[position..]) {
                position = self.copy_ordinary(input, position);
                if input.len() - position >= CHUNK && input[position].code() < 0x80 {
                    // What stopped it stops everyone.
                    return position;
                }
            }
            let before = self.out.len();
            let (taken, goes_on) = table.forms().copy_simple(&input[position..], &mut self.out);
            if taken > 0 {
                self.origins.plain(before, position);
            }
            position += taken;
            if !goes_on {
                return position;
            }
        }
    }

    #[inline]
    fn copy_ordinary<I: AsciiUnit>(&mut self, input: &[I], start: usize) -> usize {
        let minded = self.minding.minded(self.opened.is_some() || self.is_after_hyphen());
        let rules = Rules { minded, tells: R::RECORDS || self.opened.is_some() };
        let Self { out, origins, opened, .. } = self;
        // Of a run that turns out empty no character will ever be asked for.
        origins.plain(out.len(), start);
        let taken = arch::copy_ordinary(&input[start..], out, rules, |dropped| {
            origins.plain(dropped.output, start + dropped.input);
            if let Some(opened) = opened {
                opened.collapsed += dropped.count;
            }
        });
        start + taken
    }

    /// An angle bracket at the start of `input`, and all of a short mark; returns its length.
    #[inline]
    fn take_bracket<I: AsciiUnit>(&mut self, input: &[I], original: usize) -> Result<usize, TooNarrow> {
        if self.minding.marks() == Marks::Literal
            && self.opened.is_none()
            && let Some(len) = short_mark(input)
        {
            self.space(Span::new(original, original + len));
            return Ok(len);
        }
        self.special(input[0].code(), Span::new(original, original + 1), true)?;
        Ok(1)
    }

    /// Drops ASCII white space after a space; returns how much.
    #[inline]
    fn collapse<I: AsciiUnit>(&mut self, input: &[I]) -> usize {
        if self.out.last().is_some_and(|&last| last != W::Unit::ascii(b' ')) {
            return 0;
        }
        let handles_newlines = self.minding.marks().handles_newlines();
        let is_dropped = |unit: &&I| is_ascii_space(**unit) && !(handles_newlines && **unit == I::ascii(b'\n'));
        let dropped = input.iter().take_while(is_dropped).count();
        if let Some(opened) = &mut self.opened {
            opened.collapsed += dropped;
        }
        dropped
    }

    /// Gives back the last of the `taken` ordinary characters before `position`, because something
    /// attaches to it, and returns its place. A lone mark goes with the character before it. White
    /// space stays where it is: nothing combines with a space.
    pub(super) fn give_back<I: AsciiUnit>(
        &mut self,
        table: &Table,
        input: &[I],
        mut position: usize,
        taken: usize,
    ) -> usize {
        for _ in 0..taken {
            if self.out.last().is_none_or(|&last| last == W::Unit::ascii(b' ')) {
                break;
            }
            self.out.truncate(self.out.len() - 1);
            position -= 1;
            if !table.get(input[position].code()).attaches() {
                break;
            }
        }
        position
    }
}

fn is_ascii_space<I: AsciiUnit>(unit: I) -> bool {
    u8::try_from(unit.code()).is_ok_and(|byte| byte < 0x80 && ascii_chunk::is_space(byte))
}

/// Length of the mark that `input` starts with, if it is one by the literal rule, of ASCII, nothing
/// can attach to it, and it is short enough to be seen at once.
#[inline]
fn short_mark<I: AsciiUnit>(input: &[I]) -> Option<usize> {
    let units = input.first_chunk::<CHUNK>().filter(|units| units[0] == I::ascii(b'<'))?;
    let end = arch::mark_ends(units).trailing_zeros() as usize;
    let is_mark = end > 1 && units.get(end) == Some(&I::ascii(b'>')) && input.get(end + 1)?.code() < 0x80;
    is_mark.then_some(end + 1)
}
