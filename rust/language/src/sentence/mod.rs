//! Splits text into sentences.
//!
//! The rules of the standard (`uax29`) find possible boundaries, and `rules` decides about abbreviations, initials,
//! numbers, ellipses, quotations and lists. Splitting takes linear time, because the rules examine the text after a
//! terminator only up to the next one.
//!
//! Source: Unicode Standard Annex #29, "Sentence Boundaries", and the golden rules of Pragmatic Segmenter.

mod list_labels;
mod property;
mod quotations;
mod rules;
mod terminator;
mod uax29;
mod words;

use std::ops::Range;

use property::TERMINATORS;
pub(crate) use property::{BreakSet, LETTERS, SPACES, SentenceBreak, classify};
use quotations::{QuotedSpan, quoted_spans};
use terminator::TerminatorContext;

use groundwire_engine::{Cancel, CancelMeter, CodeUnit, Error, Span, TextRef, check_chars, dispatch};

/// Returns the spans of the sentences of a plain text, without surrounding white space.
///
/// A blank line ends a sentence. A single line end does so only if the next line begins with a list label or bullet.
/// Every visible character belongs to exactly one sentence.
///
/// # Errors
///
/// [`Error::Cancelled`], and [`Error::TextTooLong`] beyond [`MAX_CHARS`](groundwire_engine::MAX_CHARS).
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, TextRef};
/// use groundwire_language::sentence::sentences;
///
/// let spans = sentences(TextRef::Ucs1(b"Dr. Reed came. He left."), &Never)?;
/// assert_eq!((spans[0].start, spans[0].end), (0, 14));
/// assert_eq!((spans[1].start, spans[1].end), (15, 23));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
pub fn sentences(text: TextRef<'_>, cancel: &dyn Cancel) -> Result<Vec<Span>, Error> {
    check_chars(text.len())?;
    dispatch!(text, text => {
        let mut classes = vec![SentenceBreak::Ignored; text.len()];
        classify(text, &mut classes);
        let mut found = Vec::new();
        let source = ClassifiedText { text, classes: &classes };
        source.split(0..text.len(), 0, &mut CancelMeter::new(cancel), &mut found)?;
        Ok(found)
    })
}

/// A text and the classes of its characters.
#[derive(Clone, Copy)]
pub(crate) struct ClassifiedText<'a, T> {
    pub(crate) text: &'a [T],
    pub(crate) classes: &'a [SentenceBreak],
}

/// Classes at which a sentence may end or begin.
const BREAK_POINTS: BreakSet = BreakSet::of([
    SentenceBreak::ATerm,
    SentenceBreak::STerm,
    SentenceBreak::WideTerm,
    SentenceBreak::Ellipsis,
    SentenceBreak::Line,
    SentenceBreak::Bullet,
]);
const QUOTES_AND_BRACKETS: BreakSet = BreakSet::of([SentenceBreak::Close, SentenceBreak::Open]);

impl<T: CodeUnit> ClassifiedText<'_, T> {
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
            meter.charge(next - start)?;
            self.splitter(start..end, label).split(meter, found)?;
            (start, label) = (next, next);
        }
        Ok(())
    }

    /// Returns the end of the first paragraph in `range`, and the start of the next one.
    fn paragraph(&self, range: Range<usize>) -> (usize, usize) {
        let mut at = range.start;
        while let Some(line) = self.classes[at..range.end].iter().position(|&class| class == SentenceBreak::Line) {
            let next = self.skip(at + line, range.end, BLANKS);
            if self.is_blank_line(at + line..next) {
                return (at + line, next);
            }
            at = next;
        }
        (range.end, range.end)
    }

    fn splitter(&self, range: Range<usize>, label: usize) -> Splitter<'_, T> {
        let start = self.skip(range.start, range.end, BLANKS);
        let classes = self.classes[range.clone()].iter().enumerate();
        let signs =
            classes.filter(|&(_, &class)| QUOTES_AND_BRACKETS.contains(class)).map(|(place, _)| range.start + place);
        let quoted_spans = quoted_spans(self.text, signs);
        let labels = self.labels(label..range.end);
        Splitter { source: *self, end: range.end, start, quoted_spans, passed: 0, no_break_before: 0, labels, label: 0 }
    }

    /// Returns the first offset from `at` on whose class is not in `classes`, or `end`.
    #[inline]
    fn skip(&self, mut at: usize, end: usize, classes: BreakSet) -> usize {
        while at < end && classes.contains(self.classes[at]) {
            at += 1;
        }
        at
    }

    /// Returns whether the white space in `range` contains an empty line.
    fn is_blank_line(&self, range: Range<usize>) -> bool {
        let codes = range.clone().map(|place| self.text[place].code_point());
        let ends = range.clone().zip(codes).filter(|&(place, code)| {
            let is_second_half = code == 0x0A && place > 0 && self.text[place - 1].code_point() == 0x0D;
            self.classes[place] == SentenceBreak::Line && !is_second_half
        });
        ends.count() > 1
    }
}

/// Classes that neither begin nor end a sentence.
const BLANKS: BreakSet = BreakSet::of([SentenceBreak::Space, SentenceBreak::Line, SentenceBreak::Ignored]);

/// Splits a paragraph into sentences.
struct Splitter<'a, T> {
    source: ClassifiedText<'a, T>,
    end: usize,
    /// Start of the current sentence.
    start: usize,
    quoted_spans: Vec<QuotedSpan>,
    /// Number of quoted spans that have been passed.
    passed: usize,
    /// Offset before which no sentence ends.
    no_break_before: usize,
    /// Starts of the list items within the line; `label` counts those that have been passed.
    labels: Vec<usize>,
    label: usize,
}

/// A boundary between two sentences.
struct SentenceBoundary {
    end: usize,
    next: usize,
}

impl<T: CodeUnit> Splitter<'_, T> {
    fn split(mut self, meter: &mut CancelMeter<'_>, found: &mut Vec<Span>) -> Result<(), Error> {
        let mut at = self.start;
        while at < self.end {
            at = self.next_break_point(at);
            if at == self.end {
                break;
            }
            let (boundary, resume) = self.split_at(at);
            if let Some(SentenceBoundary { end, next }) = boundary {
                self.push(end, found);
                self.start = next;
            }
            meter.charge(resume - at)?;
            at = resume;
        }
        self.push(self.end, found);
        Ok(())
    }

    fn push(&self, mut end: usize, found: &mut Vec<Span>) {
        while end > self.start && BLANKS.contains(self.source.classes[end - 1]) {
            end -= 1;
        }
        if end > self.start {
            found.push(Span::new(self.start, end));
        }
    }

    /// Returns the next offset that may separate sentences.
    fn next_break_point(&mut self, at: usize) -> usize {
        while self.labels.get(self.label).is_some_and(|&label| label < at.max(self.start + 1)) {
            self.label += 1;
        }
        let end = self.labels.get(self.label).map_or(self.end, |&label| label);
        let classes = &self.source.classes[at..end];
        classes.iter().position(|&class| BREAK_POINTS.contains(class)).map_or(end, |skipped| at + skipped)
    }

    /// Returns the boundary at `at`, if there is one, and the offset to continue from.
    fn split_at(&mut self, at: usize) -> (Option<SentenceBoundary>, usize) {
        if self.labels.get(self.label) == Some(&at) {
            return (self.hard_break(at), at + 1);
        }
        match self.source.classes[at] {
            SentenceBreak::Line => self.split_at_line_end(at),
            SentenceBreak::Bullet => {
                let follows_space = at > 0 && SPACES.contains(self.source.classes[at - 1]);
                (if follows_space { self.hard_break(at) } else { None }, at + 1)
            }
            _ => {
                let context = self.context(at);
                if let Some(split_elision) = self.split_elision(&context) {
                    return (Some(split_elision), context.next);
                }
                let is_end = context.next < self.end && self.ends_sentence(&context);
                (
                    is_end.then_some(SentenceBoundary { end: context.cited, next: context.next }),
                    context.next.max(at + 1),
                )
            }
        }
    }

    /// Returns a boundary at `next` that no rule can prevent, unless only a bullet precedes it.
    fn hard_break(&mut self, next: usize) -> Option<SentenceBoundary> {
        self.no_break_before = 0;
        (!self.is_bullet(self.start..next)).then_some(SentenceBoundary { end: next, next })
    }

    /// Returns the boundary at a line end before a list item.
    fn split_at_line_end(&mut self, at: usize) -> (Option<SentenceBoundary>, usize) {
        let next = self.source.skip(at, self.end, BLANKS);
        let is_item = next < self.end && self.begins_list_item(next);
        (if is_item { self.hard_break(next) } else { None }, next.max(at + 1))
    }
}
