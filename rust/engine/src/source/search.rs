//! Finds all occurrences of a needle, and its occurrences as whole words.

use super::Source;
use crate::cancel::{Cancel, CancelMeter};
use crate::exact;
use crate::text::word_break::is_token_boundary;
use crate::text::{CodeUnit, Text, TextRef, dispatch};
use crate::{Error, Span};

/// The cost of checking both ends of an occurrence for word boundaries, in characters for the meter.
const WORD_EDGES_CHARS: usize = 32;

impl Source {
    /// Returns every occurrence of `needle`, a normalised text, including overlapping ones, from left to right.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn find_all<'t>(&self, needle: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<Vec<Span>, Error> {
        let (mut spans, mut meter) = (Vec::new(), CancelMeter::new(cancel));
        self.each_occurrence(needle.into().units(), 0, |span| {
            spans.push(span);
            meter.charge(1)
        })?;
        Ok(spans)
    }

    /// Calls `found` with every occurrence of `needle` at or after `from`, until it returns an error.
    fn each_occurrence<E>(
        &self,
        needle: TextRef<'_>,
        from: usize,
        mut found: impl FnMut(Span) -> Result<(), E>,
    ) -> Result<(), E> {
        dispatch!(self.symbols.units(), text => match self.alphabet.encode(needle) {
            None => Ok(()),
            Some(symbols) => exact::find_all_in(&text[from..], &symbols, |start| {
                found(Span::new(from + start, from + start + symbols.len()))
            }),
        })
    }

    /// Returns the occurrences of [`find_all`](Self::find_all) that start and end at word boundaries (ruling A10).
    /// `can't` and `1,000` are one word each; scripts without spaces between words, such as Han, kana and Thai, have a
    /// boundary at every character.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn find_all_words<'t>(&self, needle: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<Vec<Span>, Error> {
        let (mut spans, mut meter) = (Vec::new(), CancelMeter::new(cancel));
        self.each_occurrence(needle.into().units(), 0, |span| {
            spans.extend(Some(span).filter(|&span| self.is_words(span)));
            meter.charge(WORD_EDGES_CHARS)
        })?;
        Ok(spans)
    }

    /// Returns the first of the occurrences that [`find_all_words`](Self::find_all_words) returns.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn find_words<'t>(&self, needle: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<Option<Span>, Error> {
        let needle = needle.into();
        let needle = needle.units();
        let first = match self.find(needle) {
            Some(first) if !self.is_words(first) => first,
            found => return Ok(found),
        };
        let mut meter = CancelMeter::new(cancel);
        // The search stops with the occurrence, or with the error of the meter.
        let stopped = self.each_occurrence(needle, first.start, |span| match self.is_words(span) {
            true => Err(Ok(span)),
            false => meter.charge(WORD_EDGES_CHARS).map_err(Err),
        });
        stopped.err().transpose()
    }

    fn is_words(&self, span: Span) -> bool {
        let code = |unit: u32| self.alphabet.code(unit);
        dispatch!(self.symbols.units(), text => {
            [span.start, span.end].into_iter().all(|position| {
                is_token_boundary(text.len(), position, |index| code(text[index].code_point()))
            })
        })
    }
}
