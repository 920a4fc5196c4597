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

use super::clean::Lane;
use super::fold::{CAPITAL_SIGMA, DOTTED_CAPITAL_I, HYPHEN, SOFT_HYPHEN};
use super::is_ordinary_run;
use super::marks::Marks;
use super::origins::{Checkpoint, Recorder};
use super::table::{Action, Table};
use crate::arch;
use crate::span::Span;

/// Characters written together.
const BLOCK_CHARS: usize = 64;

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
    /// State before the last hyphen, if it followed a letter.
    hyphen: Option<Mark>,
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

    /// Takes as many ordinary characters from the start of `input` (which begins at `original`)
    /// as there are, and the collapsing ASCII white space and angle brackets between them; returns
    /// how many.
    #[inline]
    pub(super) fn take_ordinary<I: Lane>(&mut self, input: &[I], original: usize) -> Result<usize, TooNarrow> {
        let mut position = 0;
        loop {
            if self.line_hyphen.is_some() {
                return Ok(position);
            }
            let before = self.out.len();
            let taken = arch::copy_ordinary(&input[position..], &mut self.out, self.marks.minds_newlines());
            if taken > 0 {
                self.origins.plain(before, original + position);
                position += taken;
            }
            match input[position..] {
                // A bracket that something may attach to is not for here.
                [bracket, next, ..] if bracket.is_angle_bracket() && next.code() < 0x80 => {
                    let place = original + position;
                    self.special(bracket.code(), Span::new(place, place + 1), true)?;
                    position += 1;
                }
                _ => match self.collapse(&input[position..]) {
                    0 => return Ok(position),
                    collapsed => position += collapsed,
                },
            }
        }
    }

    /// Drops ASCII white space after a space; returns how much.
    #[inline]
    fn collapse<I: Lane>(&mut self, input: &[I]) -> usize {
        if self.out.last().is_some_and(|&last| last != O::ascii(b' ')) {
            return 0;
        }
        let minds_newlines = self.marks.minds_newlines();
        let is_dropped = |unit: &&I| unit.is_ascii_space() && !(minds_newlines && **unit == I::ascii(b'\n'));
        let dropped = input.iter().take_while(is_dropped).count();
        if let Some(opened) = &mut self.opened {
            opened.collapsed += dropped;
        }
        dropped
    }

    /// Takes characters from `position` on (the first one has `action`) as long as each becomes
    /// one character whatever stands around it; returns the position and action of the first
    /// that does not.
    #[inline(never)] // Its loop wants all registers for itself.
    pub(super) fn take_simple<I: Lane>(
        &mut self,
        table: &Table,
        input: &[I],
        mut position: usize,
        mut action: Action,
    ) -> Result<(usize, Action), TooNarrow> {
        if self.line_hyphen.is_some() {
            return Ok((position, action));
        }
        let (before, first) = (self.out.len(), position);
        let mut follows_space = self.out.last().is_none_or(|&last| last == O::ascii(b' '));
        // Written in blocks: a length that changes in a register costs nothing.
        let mut block = [O::ascii(0); BLOCK_CHARS];
        let mut filled = 0;
        while let Some(next) = input.get(position + 1) {
            let next = table.get(next.code());
            // One branch for all: where words end is what no predictor knows.
            if !(action.is_simple() | (action.is_space() & !follows_space)) | next.attaches() {
                break;
            }
            if filled == BLOCK_CHARS {
                self.out.extend_from_slice(&block);
                filled = 0;
            }
            block[filled] = O::from_code(action.target()).ok_or(TooNarrow)?;
            filled += 1;
            follows_space = action.is_space();
            position += 1;
            action = next;
            if is_ordinary_run(&input[position..]) {
                break;
            }
        }
        self.out.extend_from_slice(&block[..filled]);
        if position > first {
            self.origins.plain(before, first);
        }
        Ok((position, action))
    }

    /// Gives the last ordinary character back. (One that collapsed stays where it is: nothing
    /// combines with a space.)
    pub(super) fn untake(&mut self) -> bool {
        let is_space = self.out.last().is_none_or(|&last| last == O::ascii(b' '));
        if !is_space {
            self.out.pop();
        }
        !is_space
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
        if follows_letter || character == HYPHEN {
            self.hyphen = follows_letter.then(|| self.mark());
        }
        if character == SOFT_HYPHEN { Ok(()) } else { self.letter(character, original, whole) }
    }

    /// A line's end, in a profile that minds it: no mark goes over it, and a hyphen before it may
    /// be one that only the line break asked for.
    fn newline(&mut self, original: Span) {
        self.opened = None;
        if let Some(before) = self.hyphen.take()
            && let Some(since) = self.out.get(before.len..)
            && since.len() <= 2
            && since.iter().all(|&unit| unit == O::ascii(b'-') || unit == O::ascii(b' '))
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
