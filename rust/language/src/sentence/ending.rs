//! The context of a sentence terminator.

use super::{BLANKS, Block, Class, Classes, SPACES, TERMINATORS};
use groundwire_engine::CodeUnit;

/// A run of terminators, and the text after it up to the next word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    /// Offset of the first terminator.
    pub(super) first: usize,
    /// Offset of the last terminator.
    pub(super) last: usize,
    /// Number of terminators.
    pub(super) count: usize,
    /// Whether white space separates them.
    pub(super) is_spaced: bool,
    /// Whether all of them are full stops or ellipses.
    pub(super) is_weak: bool,
    /// Offset after the closing signs and the citations without a space before them.
    pub(super) closed: usize,
    /// Offset after the citations that belong to the sentence.
    pub(super) cited: usize,
    /// Offset of the next character that is not white space, or the end.
    pub(super) next: usize,
}

/// Classes that may come between a terminator and the white space.
const CLOSING: Classes = Classes::of([Class::Close, Class::Hidden, Class::Cited]);
const CITED: Classes = Classes::of([Class::Cited, Class::Hidden]);
const BETWEEN_CITED: Classes = Classes::of([Class::Space, Class::Hidden, Class::Continue]);

impl<T: CodeUnit> Block<'_, T> {
    /// Returns the ending whose first terminator is `first`.
    pub(super) fn ending(&self, first: usize) -> Ending {
        let classes = self.reading.classes;
        let mut ending =
            Ending { first, last: first, count: 0, is_spaced: false, is_weak: true, closed: 0, cited: 0, next: 0 };
        let mut at = first;
        loop {
            ending.is_weak &= matches!(classes[at], Class::Stop | Class::Ellipsis);
            ending.last = at;
            ending.count += 1;
            ending.closed = self.reading.skip(at + 1, self.end, CLOSING);
            at = self.reading.skip(ending.closed, self.end, BLANKS);
            let is_terminator = at < self.end && TERMINATORS.holds(classes[at]);
            if !is_terminator {
                break;
            }
            ending.is_spaced |= ending.closed < at;
        }
        (ending.cited, ending.next) = self.trailing_citations(ending.closed);
        ending
    }

    /// Returns the offset after the citations that follow `closed`, and the start of the next word.
    ///
    /// Citations at the start of a line with more words after them belong to the next sentence. So does a citation
    /// that a lower-case letter or a comma follows.
    fn trailing_citations(&self, closed: usize) -> (usize, usize) {
        let reading = self.reading;
        let next = reading.skip(closed, self.end, BLANKS);
        if next == self.end || reading.classes[next] != Class::Cited {
            return (closed, next);
        }
        let cited = self.end_of_citations(next);
        let after = reading.skip(cited, self.end, BLANKS);
        let begins_line = (closed..next).any(|place| reading.classes[place] == Class::Line);
        let ends_line = after == self.end || (cited..after).any(|place| reading.classes[place] == Class::Line);
        let is_word = after < self.end && matches!(reading.classes[after], Class::Lower | Class::Continue);
        if begins_line && !ends_line || is_word { (closed, next) } else { (cited, after) }
    }

    /// Returns the offset after the citations at `at`, which white space and commas may separate.
    fn end_of_citations(&self, mut at: usize) -> usize {
        loop {
            let cited = self.reading.skip(at, self.end, CITED);
            let next = self.reading.skip(cited, self.end, BETWEEN_CITED);
            if next == self.end || self.reading.classes[next] != Class::Cited {
                // A parenthesis or a quotation may contain the citation.
                return self.reading.skip(cited, self.end, CLOSING);
            }
            at = next;
        }
    }

    /// Returns whether white space or a citation separates the ending from the following text.
    pub(super) fn is_apart(&self, ending: &Ending) -> bool {
        let gap = ending.last + 1..ending.next;
        gap.into_iter()
            .any(|place| self.reading.classes[place] == Class::Cited || SPACES.holds(self.reading.classes[place]))
    }
}
