//! Where sentences begin and end.
//!
//! What may end one is found by the rules of the standard (`standard`); `rules` then knows
//! abbreviations, initials, numbers, ellipses, quotations and lists. Linear in the text: the
//! characters behind a terminator are looked at up to the next one.
//!
//! Source: Unicode Standard Annex #29, "Sentence Boundaries"; the cases are those that the golden
//! rules of Pragmatic Segmenter name.

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

/// Returns the sentences of a plain text, from the first character to the last that is no white
/// space.
///
/// A blank line ends a sentence, a single line end does not, unless the next line begins as a list
/// item does. Every character that is no white space is in exactly one sentence.
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

/// A text, and what its characters are.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a, T> {
    pub(crate) text: &'a [T],
    pub(crate) classes: &'a [Class],
}

/// What the main loop stops at.
const POINTS: Classes =
    Classes::of([Class::Stop, Class::End, Class::Wide, Class::Ellipsis, Class::Line, Class::Bullet]);
const SIGNS: Classes = Classes::of([Class::Close, Class::Open]);

impl<T: CodeUnit> Reading<'_, T> {
    /// Appends the sentences in `range` to `found`. If it is a list item, its label begins at
    /// `label`, which is before `range` or its beginning.
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

    /// Where the paragraph ends that `range` begins with, and where the next one begins.
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

    /// The first place from `at` on whose class is none of `classes`, or `end`.
    #[inline]
    fn skip(&self, mut at: usize, end: usize, classes: Classes) -> usize {
        while at < end && classes.holds(self.classes[at]) {
            at += 1;
        }
        at
    }

    /// Whether the white space in `range` holds an empty line.
    fn is_blank_line(&self, range: Range<usize>) -> bool {
        let codes = range.clone().map(|place| self.text[place].code());
        let ends = range.clone().zip(codes).filter(|&(place, code)| {
            let is_second_half = code == 0x0A && place > 0 && self.text[place - 1].code() == 0x0D;
            self.classes[place] == Class::Line && !is_second_half
        });
        ends.count() > 1
    }
}

/// What no sentence begins or ends with.
const BLANKS: Classes = Classes::of([Class::Space, Class::Line, Class::Hidden]);

/// A part of a text whose sentences are looked for.
struct Block<'a, T> {
    reading: Reading<'a, T>,
    end: usize,
    /// Where the sentence at hand begins.
    start: usize,
    enclosures: Vec<Enclosure>,
    /// How many of them have been passed.
    enclosed: usize,
    /// No sentence ends before this place.
    inside: usize,
    /// Where the items of a list within the line begin, and how many of them have been passed.
    labels: Vec<usize>,
    label: usize,
}

/// A place where one sentence ends and the next one begins.
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

    /// The next place that may divide sentences.
    fn next_point(&mut self, at: usize) -> usize {
        while self.labels.get(self.label).is_some_and(|&label| label < at.max(self.start + 1)) {
            self.label += 1;
        }
        let end = self.labels.get(self.label).map_or(self.end, |&label| label);
        let classes = &self.reading.classes[at..end];
        classes.iter().position(|&class| POINTS.holds(class)).map_or(end, |skipped| at + skipped)
    }

    /// What the place `at` divides, and where to look on.
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

    /// A sentence begins at `next`, whatever stands before it.
    fn forced(&mut self, next: usize) -> Option<Break> {
        self.inside = 0;
        (!self.is_bullet(self.start..next)).then_some(Break { end: next, next })
    }

    /// A line end divides before a list item.
    fn divide_lines(&mut self, at: usize) -> (Option<Break>, usize) {
        let next = self.reading.skip(at, self.end, BLANKS);
        let divides = next < self.end && self.begins_item(next);
        (if divides { self.forced(next) } else { None }, next.max(at + 1))
    }
}
