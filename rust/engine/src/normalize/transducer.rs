//! The transducer: performs all steps after NFKC in one pass, character by character.
//!
//! The construction preserves the order of the specification's steps (ruling A4). Characters arrive in NFKC and folded,
//! without the removed ones. Annotations are recognised before white space collapses. Letters arrive in lower case,
//! which no later step depends on.
//!
//! An opening bracket is written like any other character, together with a checkpoint. At its closing bracket, the
//! output returns to the checkpoint, and a space replaces the annotation. So no character is read twice.

use unicode_normalization::char::is_combining_mark;

use super::code_point::{Action, ActionKind, Table};
use super::final_sigma;
use super::offset_map::{OffsetCheckpoint, OffsetMap, OffsetRecorder};
use super::profile::{CAPITAL_SIGMA, DOTTED_CAPITAL_I, HYPHEN, SOFT_HYPHEN, SpecialCharacters};
use crate::Error;
use crate::cancel::CancelMeter;
use crate::text::sink::TextSink;
use crate::text::{CodeUnit, Span};

/// A state that the output can return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoint {
    len: usize,
    offsets: OffsetCheckpoint,
    sigmas: usize,
}

/// An opening bracket that has not been closed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenAnnotation {
    before: Checkpoint,
    bracket: char,
    original_start: usize,
    /// The number of white-space characters after the bracket that were dropped from the output.
    pub(super) collapsed: usize,
}

/// A transducer from folded characters to normalised text. The sink must be able to encode every character that it
/// receives.
#[derive(Debug)]
pub(super) struct Transducer<'a, S, const RECORDS: bool> {
    pub(super) out: S,
    pub(super) offsets: OffsetRecorder<RECORDS>,
    pub(super) special: &'a SpecialCharacters,
    pub(super) open: Option<OpenAnnotation>,
    /// The state before the last hyphen, if it followed a letter, and the length of the output after it.
    hyphen: Option<(Checkpoint, usize)>,
    /// The state before a hyphen at the end of a line, while only white space has followed.
    pub(super) line_hyphen: Option<Checkpoint>,
    /// The positions where `Σ` was written as `σ`.
    sigmas: Vec<usize>,
}

impl<'a, S: TextSink, const RECORDS: bool> Transducer<'a, S, RECORDS> {
    /// Creates a transducer that writes to `out`, which must be empty.
    pub(super) fn new(special: &'a SpecialCharacters, out: S) -> Self {
        Self {
            out,
            offsets: OffsetRecorder::default(),
            special,
            open: None,
            hyphen: None,
            line_hyphen: None,
            sigmas: Vec::new(),
        }
    }

    /// Moves the output to a vector with a capacity of at least `capacity` characters.
    pub(super) fn widen<O: CodeUnit>(self, capacity: usize) -> Transducer<'a, Vec<O>, RECORDS> {
        let out = Vec::with_capacity(capacity.max(self.out.len()));
        self.move_to(out)
    }

    /// Moves the output to `out`, which must be empty and have the capacity for it.
    pub(super) fn move_to<W: TextSink>(self, mut out: W) -> Transducer<'a, W, RECORDS> {
        self.map_sink(|narrow| {
            narrow.iter().for_each(|&unit| out.push(W::encode(S::decode(unit))));
            out
        })
    }

    /// Replaces the output by the result of `convert`.
    pub(super) fn map_sink<W>(self, convert: impl FnOnce(S) -> W) -> Transducer<'a, W, RECORDS> {
        let Self { out, offsets, special, open, hyphen, line_hyphen, sigmas } = self;
        Transducer { out: convert(out), offsets, special, open, hyphen, line_hyphen, sigmas }
    }

    /// Processes one character with its action. `original` is the span that it comes from; `is_whole` says that no
    /// other character comes from there.
    #[inline]
    pub(super) fn push(&mut self, action: Action, original: Span, is_whole: bool) {
        match action.kind() {
            ActionKind::Space => self.space(original),
            ActionKind::Delete => {}
            ActionKind::Special => self.special(action.target(), original, is_whole),
            // The Unicode normaliser returned this character, or nothing combines with it, so it is written even if its
            // kind is `Normalize` or `NormalizeCombining`.
            _ => self.character(action.target(), original, is_whole),
        }
    }

    /// Writes one character.
    #[inline]
    fn character(&mut self, target: u32, original: Span, is_whole: bool) {
        if self.line_hyphen.is_some() {
            self.join_hyphenated(target);
        }
        if is_whole {
            self.offsets.copied(self.out.len(), original.start);
        } else {
            self.offsets.replaced(self.out.len(), original);
        }
        self.out.push(S::encode(target));
    }

    /// Writes white space: one space for each run, and none at the start of the text.
    pub(super) fn space(&mut self, original: Span) {
        if self.out.last().is_none_or(|&last| last == S::Unit::from(b' ')) {
            if let Some(open) = &mut self.open {
                open.collapsed += 1;
            }
            return;
        }
        if original.len() == 1 {
            self.offsets.copied(self.out.len(), original.start);
        } else {
            self.offsets.replaced(self.out.len(), original);
        }
        self.out.push(S::Unit::from(b' '));
    }

    /// Processes a bracket, a hyphen, a line end, or a letter with a special lower case.
    pub(super) fn special(&mut self, code: u32, original: Span, is_whole: bool) {
        let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
        let rules = self.special.annotations();
        match character {
            '\n' => self.newline(original),
            HYPHEN | SOFT_HYPHEN => self.hyphen(character, original, is_whole),
            CAPITAL_SIGMA => {
                self.character('σ' as u32, original, is_whole);
                self.sigmas.push(self.out.len() - 1);
            }
            DOTTED_CAPITAL_I => {
                self.character('i' as u32, original, false);
                self.character('\u{307}' as u32, original, false);
            }
            _ if rules.opens(character) => self.open(character, original, is_whole),
            _ if rules.closes(character) => self.close(character, original, is_whole),
            _ => self.character(code, original, is_whole),
        }
    }

    fn open(&mut self, bracket: char, original: Span, is_whole: bool) {
        if self.open.is_none() || self.special.annotations().is_typographic() {
            let before = self.checkpoint();
            self.open = Some(OpenAnnotation { before, bracket, original_start: original.start, collapsed: 0 });
        }
        self.character(bracket as u32, original, is_whole);
    }

    fn close(&mut self, bracket: char, original: Span, is_whole: bool) {
        let rules = self.special.annotations();
        let Some(open) = self.open.filter(|open| rules.pairs(open.bracket, bracket)) else {
            return self.character(bracket as u32, original, is_whole);
        };
        self.open = None;
        if !rules.is_annotation(&self.out[open.before.len + 1..], open.collapsed) {
            return self.character(bracket as u32, original, is_whole);
        }
        self.hyphen = None;
        self.restore(open.before);
        self.space(Span::new(open.original_start, original.end));
    }

    /// Processes a hyphen in a profile that handles line ends. A soft hyphen is not written.
    fn hyphen(&mut self, character: char, original: Span, is_whole: bool) {
        let last = self.last();
        let follows_letter = last.is_some_and(|last| last.is_alphabetic() || is_combining_mark(last));
        let before = self.checkpoint();
        if character == HYPHEN {
            self.character(character as u32, original, is_whole);
        }
        if follows_letter || character == HYPHEN {
            self.hyphen = follows_letter.then_some((before, self.out.len()));
        } else if last == Some(' ') {
            // No word continues after a space, so a line end that follows belongs to this hyphen and not to an earlier
            // one.
            self.hyphen = None;
        }
    }

    /// Processes a line end in a profile that handles it: it ends any open annotation, and a hyphen before it may only
    /// be there because of the line break.
    fn newline(&mut self, original: Span) {
        self.open = None;
        // Dashes have been folded to hyphens in the output, so only the state identifies a real hyphen.
        if self.is_after_hyphen()
            && let Some((before, _)) = self.hyphen
        {
            self.line_hyphen = Some(before);
        }
        self.hyphen = None;
        self.space(original);
    }

    /// Returns whether only white space has been written since the last hyphen.
    #[inline]
    pub(super) fn is_after_hyphen(&self) -> bool {
        let since = self.hyphen.and_then(|(_, end)| self.out.get(end..));
        since.is_some_and(|since| since.is_empty() || since == [S::Unit::from(b' ')])
    }

    /// Joins the halves of a word that a hyphen and a line break divide, if a letter follows.
    #[cold]
    fn join_hyphenated(&mut self, target: u32) {
        if let Some(before) = self.line_hyphen.take()
            && char::from_u32(target).is_some_and(char::is_alphabetic)
        {
            self.restore(before);
        }
    }

    fn last(&self) -> Option<char> {
        self.out.last().and_then(|&unit| char::from_u32(S::decode(unit)))
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint { len: self.out.len(), offsets: self.offsets.checkpoint(), sigmas: self.sigmas.len() }
    }

    fn restore(&mut self, checkpoint: Checkpoint) {
        self.out.truncate(checkpoint.len);
        self.offsets.restore(checkpoint.offsets);
        self.sigmas.truncate(checkpoint.sigmas);
    }

    /// Returns the text without a trailing space, and its offset map.
    pub(super) fn finish(mut self, table: &Table, meter: &mut CancelMeter<'_>) -> Result<(S, OffsetMap), Error> {
        if self.out.last() == Some(&S::Unit::from(b' ')) {
            self.out.truncate(self.out.len() - 1);
        }
        self.sigmas.retain(|&place| place < self.out.len());
        final_sigma::finish_words(&mut self.out, &self.sigmas, table, meter)?;
        let offsets = self.offsets.finish(self.out.len());
        Ok((self.out, offsets))
    }
}
