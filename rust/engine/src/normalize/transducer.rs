//! The steps after NFKC, all in one pass: characters come in one by one, text goes out.
//!
//! The order of the specification's steps (ruling A4) is kept by construction: each character has
//! been through NFKC and folding when it gets here, a deleted one never gets here, marks are seen
//! before white space collapses, and letters are in lower case already, which no later step minds.
//!
//! An opening bracket is written like any other character and remembered. If its closing one
//! turns up, all that came since is taken back and a space put in its place; if not, nothing has
//! to be done. So no text makes the pass look at a character twice.
//!
//! Here is what is written and how it is taken back; `ordinary` is the fast path, and `special` what
//! brackets, hyphens, line ends and some letters ask for.

use super::ascii_chunk::AsciiUnit;
use super::code_point::Table;
use super::offset_map::{Checkpoint, Recorder};
use super::special_ascii::SpecialCharacters;
use super::text_sink::Output;
use crate::Error;
use crate::cancel::CancelMeter;
use crate::span::Span;

/// The output is too narrow for a character; the caller starts again with a wider one.
#[derive(Debug)]
pub(super) struct TooNarrow;

/// Everything needed to take back what was written after a certain moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) len: usize,
    origins: Checkpoint,
    sigmas: usize,
}

/// An opening bracket that has not been closed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opened {
    pub(super) before: Mark,
    pub(super) bracket: char,
    pub(super) original_start: usize,
    /// White space since, beyond what was written.
    pub(super) collapsed: usize,
}

/// Receives folded characters, writes normalised text.
#[derive(Debug)]
pub(super) struct Transducer<'a, W, R> {
    pub(super) out: W,
    pub(super) origins: R,
    pub(super) minding: &'a SpecialCharacters,
    pub(super) opened: Option<Opened>,
    /// State before the last hyphen, if it followed a letter, and the output's length after it.
    pub(super) hyphen: Option<(Mark, usize)>,
    /// State before a hyphen that ended a line, while nothing but white space has followed.
    pub(super) line_hyphen: Option<Mark>,
    /// Places of `σ` that was `Σ`.
    pub(super) sigmas: Vec<usize>,
}

impl<'a, W: Output, R: Recorder> Transducer<'a, W, R> {
    /// Writes into `out`, which is empty.
    pub(super) fn new(minding: &'a SpecialCharacters, out: W) -> Self {
        Self { out, origins: R::default(), minding, opened: None, hyphen: None, line_hyphen: None, sigmas: Vec::new() }
    }

    /// The same in an output that is wider or can grow, with room for `capacity` characters.
    pub(super) fn widened<O: AsciiUnit>(self, capacity: usize) -> Transducer<'a, Vec<O>, R> {
        let out = Vec::with_capacity(capacity.max(self.out.len()));
        self.moved(out)
    }

    /// The same in `out`, which is empty and has room for what is written.
    pub(super) fn moved<V: Output>(self, mut out: V) -> Transducer<'a, V, R> {
        self.mapped(|narrow| {
            narrow.iter().for_each(|&unit| out.push(V::unit(W::code(unit))));
            out
        })
    }

    /// The same with an output that `wrap` makes of this one.
    pub(super) fn mapped<V>(self, wrap: impl FnOnce(W) -> V) -> Transducer<'a, V, R> {
        let Self { out, origins, minding, opened, hyphen, line_hyphen, sigmas } = self;
        Transducer { out: wrap(out), origins, minding, opened, hyphen, line_hyphen, sigmas }
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
        if !W::holds(target) {
            return Err(TooNarrow);
        }
        self.out.push(W::unit(target));
        Ok(())
    }

    pub(super) fn last(&self) -> Option<char> {
        self.out.last().and_then(|&unit| char::from_u32(W::code(unit)))
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { len: self.out.len(), origins: self.origins.checkpoint(), sigmas: self.sigmas.len() }
    }

    pub(super) fn restore(&mut self, mark: Mark) {
        self.out.truncate(mark.len);
        self.origins.restore(mark.origins);
        self.sigmas.truncate(mark.sigmas);
    }

    /// White space: one space for a run of it, none at the start.
    pub(super) fn space(&mut self, original: Span) {
        if self.out.last().is_none_or(|&last| last == W::Unit::ascii(b' ')) {
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
        self.out.push(W::Unit::ascii(b' '));
    }

    /// The text without a space at its end, and where it came from.
    pub(super) fn finish(mut self, table: &Table, meter: &mut CancelMeter<'_>) -> Result<(W, super::OffsetMap), Error> {
        if self.out.last() == Some(&W::Unit::ascii(b' ')) {
            self.out.truncate(self.out.len() - 1);
        }
        self.sigmas.retain(|&place| place < self.out.len());
        super::final_sigma::finish_words(&mut self.out, &self.sigmas, table, meter)?;
        let origins = self.origins.finish(self.out.len());
        Ok((self.out, origins))
    }
}
