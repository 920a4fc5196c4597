//! Labels of lists: `1.`, `2)`, `b.`, `3.)`.

use std::ops::Range;

use super::{BreakSet, ClassifiedText, LETTERS, SPACES, SentenceBreak, Splitter};
use groundwire_engine::CodeUnit;

/// Maximum number of digits of a label; a longer number is a year.
const MAX_DIGITS: usize = 3;
/// Maximum length of a label with its bullet, punctuation and white space, in characters.
const MAX_LABEL_CHARS: usize = 8;

const BULLETS: BreakSet =
    BreakSet::of([SentenceBreak::Space, SentenceBreak::Line, SentenceBreak::Ignored, SentenceBreak::Bullet]);
const AROUND_LABEL: BreakSet = BreakSet::of([
    SentenceBreak::Space,
    SentenceBreak::Line,
    SentenceBreak::Ignored,
    SentenceBreak::Bullet,
    SentenceBreak::Masked,
]);

/// A label: its number and notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ListLabel {
    number: u32,
    is_letter: bool,
    punctuation: LabelPunctuation,
}

/// The punctuation after the number of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LabelPunctuation {
    Stop,
    Parenthesis,
    Both,
}

impl<T: CodeUnit> ClassifiedText<'_, T> {
    /// Returns the starts of all list items but the first within a line, if `range` begins with a label. Each label is
    /// one higher than the previous one.
    pub(super) fn labels(&self, range: Range<usize>) -> Vec<usize> {
        let start = self.skip(range.start, range.end, BULLETS);
        let Some(first) = self.label(start, range.end) else { return Vec::new() };
        let mut found = Vec::new();
        let mut wanted = ListLabel { number: first.number + 1, ..first };
        for place in start + 1..range.end {
            if SPACES.contains(self.classes[place - 1]) && self.label(place, range.end) == Some(wanted) {
                found.push(place);
                wanted.number += 1;
            }
        }
        found
    }

    /// Returns the label at `at`, if white space follows it.
    fn label(&self, at: usize, end: usize) -> Option<ListLabel> {
        let digits = (at..end).take(MAX_DIGITS + 1).take_while(|&place| self.digit(place).is_some());
        let digits = digits.count();
        let number = (at..at + digits).try_fold(0, |number, place| Some(number * 10 + self.digit(place)?))?;
        let is_letter =
            digits == 0 && at < end && matches!(self.classes[at], SentenceBreak::Lower | SentenceBreak::Upper);
        if digits > MAX_DIGITS || digits == 0 && !is_letter {
            return None;
        }
        let number = if is_letter { self.text[at].code_point() } else { number };
        let (after, punctuation) = self.punctuation(at + digits.max(1), end)?;
        let is_label = after < end && SPACES.contains(self.classes[after]);
        is_label.then_some(ListLabel { number, is_letter, punctuation })
    }

    fn digit(&self, place: usize) -> Option<u32> {
        char::from_u32(self.text[place].code_point()).and_then(|character| character.to_digit(10))
    }

    /// Returns the punctuation at `at`, and the offset after it.
    fn punctuation(&self, at: usize, end: usize) -> Option<(usize, LabelPunctuation)> {
        let is = |place: usize, mark: char| place < end && self.text[place].code_point() == mark as u32;
        match (is(at, '.'), is(at, ')'), is(at + 1, ')')) {
            (true, _, true) => Some((at + 2, LabelPunctuation::Both)),
            (true, ..) => Some((at + 1, LabelPunctuation::Stop)),
            (_, true, _) => Some((at + 1, LabelPunctuation::Parenthesis)),
            _ => None,
        }
    }
}

impl<T: CodeUnit> Splitter<'_, T> {
    /// Returns whether a list item begins at `at`, the start of a line.
    pub(super) fn begins_list_item(&self, at: usize) -> bool {
        let source = self.source;
        let is_dash = matches!(char::from_u32(source.text[at].code_point()), Some('-' | '*' | '+'));
        let precedes_space = at + 1 < self.end && SPACES.contains(source.classes[at + 1]);
        let is_label = || source.label(at, self.end).is_some_and(|label| !label.is_letter);
        source.classes[at] == SentenceBreak::Bullet || is_dash && precedes_space || is_label()
    }

    /// Returns whether `range`, from the start of a sentence to a full stop, contains only a label; `1[2].` is a label
    /// with a citation.
    pub(super) fn is_label(&self, range: Range<usize>) -> bool {
        if range.len() > MAX_LABEL_CHARS {
            return false;
        }
        let classes = self.source.classes;
        let places = range.filter(|&place| !AROUND_LABEL.contains(classes[place]));
        let mut digits = 0;
        let mut letters = 0;
        for place in places.take(MAX_DIGITS + 1) {
            match classes[place] {
                SentenceBreak::Digit => digits += 1,
                class if LETTERS.contains(class) => letters += 1,
                _ => return false,
            }
        }
        matches!((digits, letters), (1..=MAX_DIGITS, 0) | (0, 1))
    }

    /// Returns whether `range` contains only bullets and white space.
    pub(super) fn is_bullet(&self, range: Range<usize>) -> bool {
        range.len() <= MAX_LABEL_CHARS && self.source.skip(range.start, range.end, BULLETS) == range.end
    }
}
