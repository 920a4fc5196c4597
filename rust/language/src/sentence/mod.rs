//! Splits text into sentences.
//!
//! The rules of the standard (`uax29`) find possible boundaries; `rules` then handles abbreviations, initials,
//! numbers, ellipses, quotations and lists. Linear in the text: the characters after a terminator are examined only
//! up to the next one.
//!
//! Source: Unicode Standard Annex #29, "Sentence Boundaries"; the cases are those of the golden rules of Pragmatic
//! Segmenter.

mod brackets;
mod ending;
mod lexicon;
mod list_labels;
mod property;
mod rules;
mod uax29;

use std::ops::Range;

use brackets::{Enclosure, enclosures};
use ending::Ending;
use property::TERMINATORS;
pub(crate) use property::{Class, Classes, LETTERS, SPACES, classify};

use groundwire_engine::{Cancel, CancelMeter, CodeUnit, Error, Span, TextRef, check_chars, dispatch};

/// Returns the sentences of a plain text, each from its first character to its last that is not white space.
///
/// A blank line ends a sentence; a single line end does not, unless the next line begins with a list label or bullet.
/// Every character that is not white space is in exactly one sentence.
///
/// # Errors
///
/// [`Error::Cancelled`] only.
pub fn sentences(text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Vec<Span>, Error> {
    check_chars(text.len())?;
    dispatch!(text, text => {
        let mut classes = vec![Class::Hidden; text.len()];
        classify(text, &mut classes);
        let mut found = Vec::new();
        let reading = Reading { text, classes: &classes };
        reading.split(0..text.len(), 0, &mut CancelMeter::new(cancel), &mut found)?;
        Ok(found)
    })
}

/// A text and the classes of its characters.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a, T> {
    pub(crate) text: &'a [T],
    pub(crate) classes: &'a [Class],
}

/// Classes that stop the main loop.
const POINTS: Classes =
    Classes::of([Class::Stop, Class::End, Class::Wide, Class::Ellipsis, Class::Line, Class::Bullet]);
const SIGNS: Classes = Classes::of([Class::Close, Class::Open]);

impl<T: CodeUnit> Reading<'_, T> {
    /// Appends the sentences in `range` to `found`. If it is a list item, its label begins at `label`, which is at or
    /// before the start of `range`.
    pub(crate) fn split(
        &self,
        range: Range<usize>,
        label: usize,
        meter: &mut CancelMeter<'_>,
        found: &mut Vec<Span>,
    ) -> Result<(), Error> {
        let mut start = range.start;
        let mut label = label.min(start);
        while start < range.end {
            let (end, next) = self.paragraph(start..range.end);
            meter.add(next - start)?;
            self.block(start..end, label).split(meter, found)?;
            (start, label) = (next, next);
        }
        Ok(())
    }

    /// Returns the end of the first paragraph in `range`, and the start of the next one.
    fn paragraph(&self, range: Range<usize>) -> (usize, usize) {
        let mut at = range.start;
        while let Some(line) = self.classes[at..range.end].iter().position(|&class| class == Class::Line) {
            let next = self.skip(at + line, range.end, BLANKS);
            if self.is_blank_line(at + line..next) {
                return (at + line, next);
            }
            at = next;
        }
        (range.end, range.end)
    }

    fn block(&self, range: Range<usize>, label: usize) -> Block<'_, T> {
        let start = self.skip(range.start, range.end, BLANKS);
        let classes = self.classes[range.clone()].iter().enumerate();
        let signs = classes.filter(|&(_, &class)| SIGNS.holds(class)).map(|(place, _)| range.start + place);
        let enclosures = enclosures(self.text, signs);
        let labels = self.labels(label..range.end);
        Block { reading: *self, end: range.end, start, enclosures, enclosed: 0, inside: 0, labels, label: 0 }
    }

    /// Returns the first offset from `at` on whose class is not in `classes`, or `end`.
    #[inline]
    fn skip(&self, mut at: usize, end: usize, classes: Classes) -> usize {
        while at < end && classes.holds(self.classes[at]) {
            at += 1;
        }
        at
    }

    /// Returns whether the white space in `range` contains an empty line.
    fn is_blank_line(&self, range: Range<usize>) -> bool {
        let codes = range.clone().map(|place| self.text[place].code());
        let ends = range.clone().zip(codes).filter(|&(place, code)| {
            let is_second_half = code == 0x0A && place > 0 && self.text[place - 1].code() == 0x0D;
            self.classes[place] == Class::Line && !is_second_half
        });
        ends.count() > 1
    }
}

/// Classes that neither begin nor end a sentence.
const BLANKS: Classes = Classes::of([Class::Space, Class::Line, Class::Hidden]);

/// A part of a text that is being split into sentences.
struct Block<'a, T> {
    reading: Reading<'a, T>,
    end: usize,
    /// Start of the current sentence.
    start: usize,
    enclosures: Vec<Enclosure>,
    /// Number of enclosures that have been passed.
    enclosed: usize,
    /// Offset before which no sentence ends.
    inside: usize,
    /// Starts of the list items within the line; `label` counts those that have been passed.
    labels: Vec<usize>,
    label: usize,
}

/// A boundary between two sentences.
struct Break {
    end: usize,
    next: usize,
}

impl<T: CodeUnit> Block<'_, T> {
    fn split(mut self, meter: &mut CancelMeter<'_>, found: &mut Vec<Span>) -> Result<(), Error> {
        let mut at = self.start;
        while at < self.end {
            at = self.next_point(at);
            if at == self.end {
                break;
            }
            let (divided, resume) = self.divide(at);
            if let Some(Break { end, next }) = divided {
                self.push(end, found);
                self.start = next;
            }
            meter.add(resume - at)?;
            at = resume;
        }
        self.push(self.end, found);
        Ok(())
    }

    fn push(&self, mut end: usize, found: &mut Vec<Span>) {
        while end > self.start && BLANKS.holds(self.reading.classes[end - 1]) {
            end -= 1;
        }
        if end > self.start {
            found.push(Span::new(self.start, end));
        }
    }

    /// Returns the next offset that may separate sentences.
    fn next_point(&mut self, at: usize) -> usize {
        while self.labels.get(self.label).is_some_and(|&label| label < at.max(self.start + 1)) {
            self.label += 1;
        }
        let end = self.labels.get(self.label).map_or(self.end, |&label| label);
        let classes = &self.reading.classes[at..end];
        classes.iter().position(|&class| POINTS.holds(class)).map_or(end, |skipped| at + skipped)
    }

    /// Returns the boundary at `at`, if there is one, and the offset to continue from.
    fn divide(&mut self, at: usize) -> (Option<Break>, usize) {
        if self.labels.get(self.label) == Some(&at) {
            return (self.forced(at), at + 1);
        }
        match self.reading.classes[at] {
            Class::Line => self.divide_lines(at),
            Class::Bullet => {
                let follows_space = at > 0 && SPACES.holds(self.reading.classes[at - 1]);
                (if follows_space { self.forced(at) } else { None }, at + 1)
            }
            _ => {
                let ending = self.ending(at);
                if let Some(elided) = self.elided(&ending) {
                    return (Some(elided), ending.next);
                }
                let is_end = ending.next < self.end && self.ends_sentence(&ending);
                (is_end.then_some(Break { end: ending.cited, next: ending.next }), ending.next.max(at + 1))
            }
        }
    }

    /// Begins a sentence at `next`, regardless of the text before it.
    fn forced(&mut self, next: usize) -> Option<Break> {
        self.inside = 0;
        (!self.is_bullet(self.start..next)).then_some(Break { end: next, next })
    }

    /// Splits at a line end before a list item.
    fn divide_lines(&mut self, at: usize) -> (Option<Break>, usize) {
        let next = self.reading.skip(at, self.end, BLANKS);
        let divides = next < self.end && self.begins_item(next);
        (if divides { self.forced(next) } else { None }, next.max(at + 1))
    }
}
