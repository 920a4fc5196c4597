//! The stream's decisions: brackets, hyphens, line ends, and the letters whose lower case is not one
//! for one.

use unicode_normalization::char::is_combining_mark;

use super::ascii_chunk::AsciiUnit;
use super::offset_map::Recorder;
use super::profile::{CAPITAL_SIGMA, DOTTED_CAPITAL_I, HYPHEN, SOFT_HYPHEN};
use super::text_sink::Output;
use super::transducer::{Opened, TooNarrow, Transducer};
use crate::span::Span;

impl<W: Output, R: Recorder> Transducer<'_, W, R> {
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
            _ if self.minding.marks().opens(character) => self.open(character, original, whole)?,
            _ if self.minding.marks().closes(character) => self.close(character, original, whole)?,
            _ => self.letter(character, original, whole)?,
        }
        Ok(())
    }

    fn letter(&mut self, character: char, original: Span, whole: bool) -> Result<(), TooNarrow> {
        if whole { self.plain(character as u32, original.start) } else { self.opaque(character as u32, original) }
    }

    fn open(&mut self, bracket: char, original: Span, whole: bool) -> Result<(), TooNarrow> {
        if self.opened.is_none() || self.minding.marks().restarts() {
            let before = self.mark();
            self.opened = Some(Opened { before, bracket, original_start: original.start, collapsed: 0 });
        }
        self.letter(bracket, original, whole)
    }

    fn close(&mut self, bracket: char, original: Span, whole: bool) -> Result<(), TooNarrow> {
        let Some(opened) = self.opened.filter(|opened| self.minding.marks().pairs(opened.bracket, bracket)) else {
            return self.letter(bracket, original, whole);
        };
        self.opened = None;
        let inside = &self.out[opened.before.len + 1..];
        if !self.minding.marks().is_mark(inside, opened.collapsed) {
            return self.letter(bracket, original, whole);
        }
        self.hyphen = None;
        self.restore(opened.before);
        self.space(Span::new(opened.original_start, original.end));
        Ok(())
    }

    /// A hyphen, in a profile that minds line ends. A soft one leaves no other trace.
    fn hyphen(&mut self, character: char, original: Span, whole: bool) -> Result<(), TooNarrow> {
        let last = self.last();
        let follows_letter = last.is_some_and(|last| last.is_alphabetic() || is_combining_mark(last));
        let before = self.mark();
        if character == HYPHEN {
            self.letter(character, original, whole)?;
        }
        if follows_letter || character == HYPHEN {
            self.hyphen = follows_letter.then_some((before, self.out.len()));
        } else if last == Some(' ') {
            // The line's end that may follow belongs to this one, and no word goes on after a space.
            self.hyphen = None;
        }
        Ok(())
    }

    /// A line's end, in a profile that minds it: no mark goes over it, and a hyphen before it may
    /// be one that only the line break asked for.
    fn newline(&mut self, original: Span) {
        self.opened = None;
        // Other dashes read like hyphens by now, and are none.
        if self.is_after_hyphen()
            && let Some((before, _)) = self.hyphen
        {
            self.line_hyphen = Some(before);
        }
        self.hyphen = None;
        self.space(original);
    }

    /// Whether nothing but white space has been written since the last hyphen.
    #[inline]
    pub(super) fn is_after_hyphen(&self) -> bool {
        let since = self.hyphen.and_then(|(_, end)| self.out.get(end..));
        since.is_some_and(|since| since.is_empty() || since == [W::Unit::ascii(b' ')])
    }

    /// After a hyphen and a line break: a letter goes on with the word.
    #[cold]
    pub(super) fn join_hyphenated(&mut self, target: u32) {
        if let Some(before) = self.line_hyphen.take()
            && char::from_u32(target).is_some_and(char::is_alphabetic)
        {
            self.restore(before);
        }
    }
}
