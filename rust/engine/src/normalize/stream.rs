//! The steps after NFKC, all in one pass: characters come in one by one, text goes out.
//!
//! The order of the specification's steps (ruling A4) is kept by construction: each character has
//! been through NFKC and folding when it gets here, a deleted one never gets here, marks are seen
//! before white space collapses, and letters are in lower case already, which no later step minds.
//!
//! An opening bracket is written like any other character and remembered. If its closing one
//! turns up, all that came since is taken back and a space put in its place; if not, nothing has
//! to be done. So no text makes the pass look at a character twice.

use unicode_normalization::char::is_combining_mark;

use super::clean::{self, CHUNK, Lane};
use super::fold::{CAPITAL_SIGMA, DOTTED_CAPITAL_I, HYPHEN, SOFT_HYPHEN};
use super::is_ordinary_run;
use super::marks::Marks;
use super::origins::{Checkpoint, Recorder};
use super::table::Table;
use crate::arch;
use crate::span::Span;

/// The output is too narrow for a character; the caller starts again with a wider one.
#[derive(Debug)]
pub(super) struct TooNarrow;

/// Everything needed to take back what was written after a certain moment.
#[derive(Clone, Copy, Debug)]
struct Mark {
    len: usize,
    origins: Checkpoint,
    sigmas: usize,
}

/// An opening bracket that has not been closed yet.
#[derive(Clone, Copy, Debug)]
struct Opened {
    before: Mark,
    bracket: char,
    original_start: usize,
    /// White space since, beyond what was written.
    collapsed: usize,
}

/// Receives folded characters, writes normalised text.
#[derive(Debug)]
pub(super) struct Stream<O, R> {
    out: Vec<O>,
    origins: R,
    marks: Marks,
    opened: Option<Opened>,
    /// State before the last hyphen, if it followed a letter, and the output's length after it.
    hyphen: Option<(Mark, usize)>,
    /// State before a hyphen that ended a line, while nothing but white space has followed.
    line_hyphen: Option<Mark>,
    /// Places of `σ` that was `Σ`.
    sigmas: Vec<usize>,
}

impl<O: Lane, R: Recorder> Stream<O, R> {
    pub(super) fn new(marks: Marks, capacity: usize) -> Self {
        Self {
            out: Vec::with_capacity(capacity),
            origins: R::default(),
            marks,
            opened: None,
            hyphen: None,
            line_hyphen: None,
            sigmas: Vec::new(),
        }
    }

    /// The same in a wider output, with room for `capacity` characters.
    pub(super) fn widened<W: Lane>(self, capacity: usize) -> Stream<W, R> {
        let Self { out: narrow, origins, marks, opened, hyphen, line_hyphen, sigmas } = self;
        let mut out = Vec::with_capacity(capacity.max(narrow.len()));
        out.extend(narrow.iter().map(|unit| W::low(unit.code())));
        Stream { out, origins, marks, opened, hyphen, line_hyphen, sigmas }
    }

    /// Takes as many characters from `position` on as become one each whatever stands around them,
    /// and the collapsing ASCII white space and angle brackets between them; returns where they
    /// end.
    #[inline]
    pub(super) fn take_ordinary<I: Lane>(
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
    fn copy<I: Lane>(&mut self, table: &Table, input: &[I], mut position: usize) -> usize {
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
    fn copy_ordinary<I: Lane>(&mut self, input: &[I], start: usize) -> usize {
        let Self { out, origins, marks, opened, .. } = self;
        // Of a run that turns out empty no character will ever be asked for.
        origins.plain(out.len(), start);
        let taken = arch::copy_ordinary(&input[start..], out, marks.minds_newlines(), |dropped| {
            origins.plain(dropped.output, start + dropped.input);
            if let Some(opened) = opened {
                opened.collapsed += dropped.count;
            }
        });
        start + taken
    }

    /// An angle bracket at the start of `input`, and all of a short mark; returns its length.
    #[inline]
    fn take_bracket<I: Lane>(&mut self, input: &[I], original: usize) -> Result<usize, TooNarrow> {
        if self.marks == Marks::Literal
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
    fn collapse<I: Lane>(&mut self, input: &[I]) -> usize {
        if self.out.last().is_some_and(|&last| last != O::ascii(b' ')) {
            return 0;
        }
        let minds_newlines = self.marks.minds_newlines();
        let is_dropped = |unit: &&I| is_ascii_space(**unit) && !(minds_newlines && **unit == I::ascii(b'\n'));
        let dropped = input.iter().take_while(is_dropped).count();
        if let Some(opened) = &mut self.opened {
            opened.collapsed += dropped;
        }
        dropped
    }

    /// Gives back the last of the `taken` ordinary characters before `position`, because something
    /// attaches to it, and returns its place. A lone mark goes with the character before it. White
    /// space stays where it is: nothing combines with a space.
    pub(super) fn give_back<I: Lane>(
        &mut self,
        table: &Table,
        input: &[I],
        mut position: usize,
        taken: usize,
    ) -> usize {
        for _ in 0..taken {
            if self.out.last().is_none_or(|&last| last == O::ascii(b' ')) {
                break;
            }
            self.out.pop();
            position -= 1;
            if !table.get(input[position].code()).attaches() {
                break;
            }
        }
        position
    }

    /// One character that stands for the original one at `original`.
    #[inline(always)]
    pub(super) fn plain(&mut self, target: u32, original: usize) -> Result<(), TooNarrow> {
        if self.line_hyphen.is_some() {
            self.join_hyphenated(target);
        }
        self.origins.plain(self.out.len(), original);
        self.push(target)
    }

    /// One character that is (part of) what the original piece became.
    pub(super) fn opaque(&mut self, target: u32, original: Span) -> Result<(), TooNarrow> {
        if self.line_hyphen.is_some() {
            self.join_hyphenated(target);
        }
        self.origins.opaque(self.out.len(), original);
        self.push(target)
    }

    #[inline(always)]
    fn push(&mut self, target: u32) -> Result<(), TooNarrow> {
        self.out.push(O::from_code(target).ok_or(TooNarrow)?);
        Ok(())
    }

    fn last(&self) -> Option<char> {
        self.out.last().and_then(|unit| char::from_u32(unit.code()))
    }

    fn mark(&self) -> Mark {
        Mark { len: self.out.len(), origins: self.origins.checkpoint(), sigmas: self.sigmas.len() }
    }

    fn restore(&mut self, mark: Mark) {
        self.out.truncate(mark.len);
        self.origins.restore(mark.origins);
        self.sigmas.truncate(mark.sigmas);
    }

    /// White space: one space for a run of it, none at the start.
    pub(super) fn space(&mut self, original: Span) {
        if self.out.last().is_none_or(|&last| last == O::ascii(b' ')) {
            if let Some(opened) = &mut self.opened {
                opened.collapsed += 1;
            }
            return;
        }
        if original.len() == 1 {
            self.origins.plain(self.out.len(), original.start);
        } else {
            self.origins.opaque(self.out.len(), original);
        }
        self.out.push(O::ascii(b' '));
    }

    /// A character that needs a decision. `original` is what it stands for, `whole` whether it
    /// stands for all of that.
    pub(super) fn special(&mut self, code: u32, original: Span, whole: bool) -> Result<(), TooNarrow> {
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        match character {
            '\n' => self.newline(original),
            HYPHEN | SOFT_HYPHEN => self.hyphen(character, original, whole)?,
            CAPITAL_SIGMA => {
                self.letter('σ', original, whole)?;
                self.sigmas.push(self.out.len() - 1);
            }
            DOTTED_CAPITAL_I => {
                self.opaque('i' as u32, original)?;
                self.opaque('\u{307}' as u32, original)?;
            }
            _ if self.marks.opens(character) => self.open(character, original, whole)?,
            _ if self.marks.closes(character) => self.close(character, original, whole)?,
            _ => self.letter(character, original, whole)?,
        }
        Ok(())
    }

    fn letter(&mut self, character: char, original: Span, whole: bool) -> Result<(), TooNarrow> {
        if whole { self.plain(character as u32, original.start) } else { self.opaque(character as u32, original) }
    }

    fn open(&mut self, bracket: char, original: Span, whole: bool) -> Result<(), TooNarrow> {
        if self.opened.is_none() || self.marks.restarts() {
            let before = self.mark();
            self.opened = Some(Opened { before, bracket, original_start: original.start, collapsed: 0 });
        }
        self.letter(bracket, original, whole)
    }

    fn close(&mut self, bracket: char, original: Span, whole: bool) -> Result<(), TooNarrow> {
        let Some(opened) = self.opened.filter(|opened| self.marks.pairs(opened.bracket, bracket)) else {
            return self.letter(bracket, original, whole);
        };
        self.opened = None;
        let inside = &self.out[opened.before.len + 1..];
        if !self.marks.is_mark(inside, opened.collapsed) {
            return self.letter(bracket, original, whole);
        }
        self.hyphen = None;
        self.restore(opened.before);
        self.space(Span::new(opened.original_start, original.end));
        Ok(())
    }

    /// A hyphen, in a profile that minds line ends. A soft one leaves no other trace.
    fn hyphen(&mut self, character: char, original: Span, whole: bool) -> Result<(), TooNarrow> {
        let follows_letter = self.last().is_some_and(|last| last.is_alphabetic() || is_combining_mark(last));
        let before = self.mark();
        if character == HYPHEN {
            self.letter(character, original, whole)?;
        }
        if follows_letter || character == HYPHEN {
            self.hyphen = follows_letter.then_some((before, self.out.len()));
        }
        Ok(())
    }

    /// A line's end, in a profile that minds it: no mark goes over it, and a hyphen before it may
    /// be one that only the line break asked for.
    fn newline(&mut self, original: Span) {
        self.opened = None;
        // Other dashes read like hyphens by now, and are none.
        if let Some((before, end)) = self.hyphen.take()
            && self.out.get(end..).is_some_and(|since| since.is_empty() || since == [O::ascii(b' ')])
        {
            self.line_hyphen = Some(before);
        }
        self.space(original);
    }

    /// After a hyphen and a line break: a letter goes on with the word.
    #[cold]
    fn join_hyphenated(&mut self, target: u32) {
        if let Some(before) = self.line_hyphen.take()
            && char::from_u32(target).is_some_and(char::is_alphabetic)
        {
            self.restore(before);
        }
    }

    /// The text without a space at its end, and where it came from.
    pub(super) fn finish(mut self, table: &Table) -> (Vec<O>, super::Origins) {
        if self.out.last() == Some(&O::ascii(b' ')) {
            self.out.pop();
        }
        self.sigmas.retain(|&place| place < self.out.len());
        super::sigma::finish_words(&mut self.out, &self.sigmas, table);
        let origins = self.origins.finish(self.out.len());
        (self.out, origins)
    }
}

fn is_ascii_space<I: Lane>(unit: I) -> bool {
    u8::try_from(unit.code()).is_ok_and(|byte| byte < 0x80 && clean::is_space(byte))
}

/// Length of the mark that `input` starts with, if it is one by the literal rule, of ASCII, nothing
/// can attach to it, and it is short enough to be seen at once.
#[inline]
fn short_mark<I: Lane>(input: &[I]) -> Option<usize> {
    let units = input.first_chunk::<CHUNK>().filter(|units| units[0] == I::ascii(b'<'))?;
    let end = arch::mark_ends(units).trailing_zeros() as usize;
    let is_mark = end > 1 && units.get(end) == Some(&I::ascii(b'>')) && input.get(end + 1)?.code() < 0x80;
    is_mark.then_some(end + 1)
}
