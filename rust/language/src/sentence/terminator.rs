//! Finds the context of a sentence terminator.

use super::{BLANKS, BreakSet, SPACES, SentenceBreak, Splitter, TERMINATORS};
use groundwire_engine::CodeUnit;

/// Consecutive terminators, and the text after them up to the next word.
#[derive(Clone, Copy, Debug)]
pub(super) struct TerminatorContext {
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
    /// Offset after the closing marks, and the citations without a space before them.
    pub(super) closed: usize,
    /// Offset after the citations that belong to the sentence.
    pub(super) cited: usize,
    /// Offset of the next character that is not white space, or the end.
    pub(super) next: usize,
}

/// Classes that may come between a terminator and white space.
const CLOSING: BreakSet = BreakSet::of([SentenceBreak::Close, SentenceBreak::Ignored, SentenceBreak::Masked]);
const CITED: BreakSet = BreakSet::of([SentenceBreak::Masked, SentenceBreak::Ignored]);
const BETWEEN_CITED: BreakSet = BreakSet::of([SentenceBreak::Space, SentenceBreak::Ignored, SentenceBreak::Continue]);

impl<T: CodeUnit> Splitter<'_, T> {
    /// Returns the context of the terminators from `first` on.
    pub(super) fn context(&self, first: usize) -> TerminatorContext {
        let classes = self.source.classes;
        let mut context = TerminatorContext {
            first,
            last: first,
            count: 0,
            is_spaced: false,
            is_weak: true,
            closed: 0,
            cited: 0,
            next: 0,
        };
        let mut at = first;
        loop {
            context.is_weak &= matches!(classes[at], SentenceBreak::ATerm | SentenceBreak::Ellipsis);
            context.last = at;
            context.count += 1;
            context.closed = self.source.skip(at + 1, self.end, CLOSING);
            at = self.source.skip(context.closed, self.end, BLANKS);
            let is_terminator = at < self.end && TERMINATORS.contains(classes[at]);
            if !is_terminator {
                break;
            }
            context.is_spaced |= context.closed < at;
        }
        (context.cited, context.next) = self.trailing_citations(context.closed);
        context
    }

    /// Returns the offset after the citations that follow `closed`, and the start of the next word.
    ///
    /// Citations belong to the next sentence if they begin a line that continues with words, or if a lower-case letter
    /// or a comma follows them.
    fn trailing_citations(&self, closed: usize) -> (usize, usize) {
        let source = self.source;
        let next = source.skip(closed, self.end, BLANKS);
        if next == self.end || source.classes[next] != SentenceBreak::Masked {
            return (closed, next);
        }
        let cited = self.end_of_citations(next);
        let after = source.skip(cited, self.end, BLANKS);
        let begins_line = (closed..next).any(|place| source.classes[place] == SentenceBreak::Line);
        let ends_line = after == self.end || (cited..after).any(|place| source.classes[place] == SentenceBreak::Line);
        let is_word =
            after < self.end && matches!(source.classes[after], SentenceBreak::Lower | SentenceBreak::Continue);
        if begins_line && !ends_line || is_word { (closed, next) } else { (cited, after) }
    }

    /// Returns the offset after the citations at `at`, which white space and commas may separate.
    fn end_of_citations(&self, mut at: usize) -> usize {
        loop {
            let cited = self.source.skip(at, self.end, CITED);
            let next = self.source.skip(cited, self.end, BETWEEN_CITED);
            if next == self.end || self.source.classes[next] != SentenceBreak::Masked {
                // The citation may be inside a parenthesis or quotation.
                return self.source.skip(cited, self.end, CLOSING);
            }
            at = next;
        }
    }

    /// Returns whether white space or a citation comes between the terminators and the following text.
    pub(super) fn is_separated(&self, context: &TerminatorContext) -> bool {
        let gap = context.last + 1..context.next;
        gap.into_iter().any(|place| {
            self.source.classes[place] == SentenceBreak::Masked || SPACES.contains(self.source.classes[place])
        })
    }
}
