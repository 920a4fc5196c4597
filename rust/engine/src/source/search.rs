//! Finds all occurrences of a needle, and its occurrences as whole words.

use super::Source;
use crate::cancel::{Cancel, CancelMeter};
use crate::exact;
use crate::text::word_break::is_token_boundary;
use crate::text::{CodeUnit, Text, dispatch};
use crate::{Error, Span};

/// The cost of checking both ends of an occurrence for word boundaries, in characters for the meter.
const WORD_EDGES_CHARS: usize = 32;

/// The reason why a search stops before the end of the text.
enum Stop {
    Match(Span),
    Failed(Error),
}

impl Source {
    /// Returns every occurrence of `needle`, a normalised text, including overlapping ones, from left to right.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn find_all<'t>(&self, needle: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<Vec<Span>, Error> {
        let needle = needle.into();
        let needle = needle.units();
        let mut spans = Vec::new();
        let mut meter = CancelMeter::new(cancel);
        dispatch!(self.symbols.units(), text => {
            let Some(symbols) = self.alphabet.encode(needle) else { return Ok(spans) };
            exact::find_all_in(text, &symbols, |start| {
                spans.push(Span::new(start, start + symbols.len()));
                meter.add(1)
            })?;
        });
        Ok(spans)
    }

    /// Returns the occurrences of [`find_all`](Self::find_all) that start and end at word boundaries (ruling A10).
    /// `can't` and `1,000` are one word each; scripts without spaces between words, such as Han, kana and Thai, have a
    /// boundary at every character.
    ///
    /// # Errors
    ///
    /// [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn find_all_words<'t>(&self, needle: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<Vec<Span>, Error> {
        let needle = needle.into();
        let needle = needle.units();
        let mut meter = CancelMeter::new(cancel);
        let mut spans = Vec::new();
        for span in self.find_all(needle, cancel)? {
            meter.add(WORD_EDGES_CHARS)?;
            if self.is_words(span) {
                spans.push(span);
            }
        }
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
        let stopped = dispatch!(self.symbols.units(), text => {
            let Some(symbols) = self.alphabet.encode(needle) else { return Ok(None) };
            exact::find_all_in(&text[first.start..], &symbols, |start| {
                let span = Span::new(first.start + start, first.start + start + symbols.len());
                if self.is_words(span) {
                    return Err(Stop::Match(span));
                }
                meter.add(1).map_err(Stop::Failed)
            })
        });
        match stopped {
            Ok(()) => Ok(None),
            Err(Stop::Match(span)) => Ok(Some(span)),
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    fn is_words(&self, span: Span) -> bool {
        let code = |unit: u32| self.alphabet.code(unit);
        dispatch!(self.symbols.units(), text => {
            [span.start, span.end].into_iter().all(|position| {
                is_token_boundary(text.len(), position, |index| code(text[index].code()))
            })
        })
    }
}
