//! Labels of lists: `1.`, `2)`, `b.`, `3.)`.

use std::ops::Range;

use super::{Block, Class, Classes, LETTERS, Reading, SPACES};
use groundwire_engine::CodeUnit;

/// Maximum number of digits of a label; a longer number is a year.
const MAX_DIGITS: usize = 3;
/// Maximum length of a label with its bullet, sign and white space, in characters.
const MAX_LABEL_CHARS: usize = 8;

const BULLETS: Classes = Classes::of([Class::Space, Class::Line, Class::Hidden, Class::Bullet]);
const BESIDE_LABELS: Classes = Classes::of([Class::Space, Class::Line, Class::Hidden, Class::Bullet, Class::Cited]);

/// The number of a label, and its notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Label {
    number: u32,
    is_letter: bool,
    signs: Signs,
}

/// The signs after the number of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Signs {
    Stop,
    Parenthesis,
    Both,
}

impl<T: CodeUnit> Reading<'_, T> {
    /// Returns the start of the second and each later item of a list within a line, if `range` begins with a label:
    /// the labels count upwards by one.
    pub(super) fn labels(&self, range: Range<usize>) -> Vec<usize> {
        let start = self.skip(range.start, range.end, BULLETS);
        let Some(first) = self.label(start, range.end) else { return Vec::new() };
        let mut found = Vec::new();
        let mut wanted = Label { number: first.number + 1, ..first };
        for place in start + 1..range.end {
            if SPACES.holds(self.classes[place - 1]) && self.label(place, range.end) == Some(wanted) {
                found.push(place);
                wanted.number += 1;
            }
        }
        found
    }

    /// Returns the label at `at`; a space must follow it.
    fn label(&self, at: usize, end: usize) -> Option<Label> {
        let digits = (at..end).take(MAX_DIGITS + 1).take_while(|&place| self.digit(place).is_some());
        let digits = digits.count();
        let number = (at..at + digits).try_fold(0, |number, place| Some(number * 10 + self.digit(place)?))?;
        let is_letter = digits == 0 && at < end && matches!(self.classes[at], Class::Lower | Class::Upper);
        if digits > MAX_DIGITS || digits == 0 && !is_letter {
            return None;
        }
        let number = if is_letter { self.text[at].code() } else { number };
        let (after, signs) = self.signs(at + digits.max(1), end)?;
        let is_label = after < end && SPACES.holds(self.classes[after]);
        is_label.then_some(Label { number, is_letter, signs })
    }

    fn digit(&self, place: usize) -> Option<u32> {
        char::from_u32(self.text[place].code()).and_then(|character| character.to_digit(10))
    }

    /// Returns the signs at `at`, and their end.
    fn signs(&self, at: usize, end: usize) -> Option<(usize, Signs)> {
        let is = |place: usize, sign: char| place < end && self.text[place].code() == sign as u32;
        match (is(at, '.'), is(at, ')'), is(at + 1, ')')) {
            (true, _, true) => Some((at + 2, Signs::Both)),
            (true, ..) => Some((at + 1, Signs::Stop)),
            (_, true, _) => Some((at + 1, Signs::Parenthesis)),
            _ => None,
        }
    }
}

impl<T: CodeUnit> Block<'_, T> {
    /// Returns whether a list item begins at `at`, the start of a line.
    pub(super) fn begins_item(&self, at: usize) -> bool {
        let reading = self.reading;
        let is_dash = matches!(char::from_u32(reading.text[at].code()), Some('-' | '*' | '+'));
        let is_apart = at + 1 < self.end && SPACES.holds(reading.classes[at + 1]);
        let is_label = || reading.label(at, self.end).is_some_and(|label| !label.is_letter);
        reading.classes[at] == Class::Bullet || is_dash && is_apart || is_label()
    }

    /// Returns whether `range`, from the start of a sentence to a full stop, is only a label; `1[2].` is a label with
    /// a citation inside.
    pub(super) fn is_label(&self, range: Range<usize>) -> bool {
        if range.len() > MAX_LABEL_CHARS {
            return false;
        }
        let classes = self.reading.classes;
        let places = range.filter(|&place| !BESIDE_LABELS.holds(classes[place]));
        let mut digits = 0;
        let mut letters = 0;
        for place in places.take(MAX_DIGITS + 1) {
            match classes[place] {
                Class::Digit => digits += 1,
                class if LETTERS.holds(class) => letters += 1,
                _ => return false,
            }
        }
        matches!((digits, letters), (1..=MAX_DIGITS, 0) | (0, 1))
    }

    /// Returns whether `range` contains only bullets and white space.
    pub(super) fn is_bullet(&self, range: Range<usize>) -> bool {
        range.len() <= MAX_LABEL_CHARS && self.reading.skip(range.start, range.end, BULLETS) == range.end
    }
}
