//! Decides which terminators end a sentence, beyond the rules of the standard.

use super::lexicon::{self, Abbreviation, LONGEST};
use super::{BLANKS, Block, Break, Class, Classes, Ending, LETTERS};
use groundwire_engine::CodeUnit;

const BESIDE_WORDS: Classes = Classes::of([Class::Close, Class::Open, Class::Hidden]);
const NO_WORD: Classes = Classes::of([
    Class::Space,
    Class::Line,
    Class::Close,
    Class::Open,
    Class::Hidden,
    Class::Cited,
    Class::Bullet,
    Class::End,
    Class::Wide,
    Class::Ellipsis,
]);
/// Number of full stops that form an ellipsis.
const ELLIPSIS_STOPS: usize = 3;
/// Minimum number of words before a time of day that ends a sentence.
const MIN_WORDS_BEFORE_TIME: usize = 3;
const MAX_INTRODUCTION_CHARS: usize = 40;

impl<T: CodeUnit> Block<'_, T> {
    /// Returns whether a sentence ends at `ending`, which is not at the end of the block.
    pub(super) fn ends_sentence(&mut self, ending: &Ending) -> bool {
        if self.is_enclosed(ending) || self.is_omission(ending) || self.is_label(self.start..ending.first) {
            return false;
        }
        match self.reading.classes[ending.last] {
            Class::Wide => !self.is_quoted_clause(ending),
            _ if self.is_ellipsis(ending) => self.ellipsis_ends(ending),
            Class::Stop if ending.is_weak && ending.count == 1 => self.stop_ends(ending),
            Class::Stop => self.ends_by_standard(ending),
            _ => self.exclamation_ends(ending),
        }
    }

    /// Returns whether an aside or quotation inside the sentence is still open.
    fn is_enclosed(&mut self, ending: &Ending) -> bool {
        while let Some(enclosure) = self.enclosures.get(self.enclosed).filter(|enclosure| enclosure.open < ending.first)
        {
            if enclosure.open > self.start || enclosure.open == self.start && enclosure.is_title {
                self.inside = self.inside.max(enclosure.close);
            }
            self.enclosed += 1;
        }
        ending.closed <= self.inside
    }

    /// Returns whether the ending is an omission: `[...]`.
    fn is_omission(&self, ending: &Ending) -> bool {
        let text = self.reading.text;
        let before = ending.first.checked_sub(1).map(|place| text[place].code());
        let after = text.get(ending.last + 1).map(|unit| unit.code());
        matches!(
            (before.and_then(char::from_u32), after.and_then(char::from_u32)),
            (Some('['), Some(']')) | (Some('('), Some(')')) | (Some('［'), Some('］')) | (Some('（'), Some('）'))
        )
    }

    /// Returns whether a Japanese particle continues the sentence after a quotation: `「行こう。」と言った`.
    fn is_quoted_clause(&self, ending: &Ending) -> bool {
        let is_quoted = ending.closed > ending.last + 1 && ending.closed == ending.next;
        let next = char::from_u32(self.reading.text[ending.next].code());
        is_quoted && matches!(next, Some('と' | 'っ' | 'な' | 'の' | 'は' | 'が' | 'を' | 'に' | 'も'))
    }

    fn is_ellipsis(&self, ending: &Ending) -> bool {
        ending.is_weak && (ending.count >= ELLIPSIS_STOPS || self.reading.classes[ending.last] == Class::Ellipsis)
    }

    /// Returns whether an ellipsis ends a sentence. It does only before a capital; otherwise, and with three spaced
    /// stops, it is a pause.
    fn ellipsis_ends(&self, ending: &Ending) -> bool {
        let is_pause = ending.is_spaced && ending.count == ELLIPSIS_STOPS;
        !is_pause && self.is_apart(ending) && self.reading.classes[self.next_letter(ending)] == Class::Upper
    }

    /// Splits `done. . . . The next`: the first stop ends a sentence, and the others are an omission at the start of
    /// the next one.
    pub(super) fn elided(&mut self, ending: &Ending) -> Option<Break> {
        let classes = self.reading.classes;
        let is_elided = ending.is_weak && ending.is_spaced && ending.count == ELLIPSIS_STOPS + 1;
        let follows_word = !BLANKS.holds(ending.first.checked_sub(1).map_or(Class::Hidden, |place| classes[place]));
        let has_next = is_elided && follows_word && ending.next < self.end;
        if !has_next || self.is_enclosed(ending) || classes[self.next_letter(ending)] != Class::Upper {
            return None;
        }
        let next = self.reading.skip(ending.first + 1, self.end, BLANKS);
        (next > ending.first + 1).then_some(Break { end: ending.first + 1, next })
    }

    /// Returns the next offset that is not an opening sign; it is within the block if the block is not empty.
    fn next_letter(&self, ending: &Ending) -> usize {
        let place = self.reading.skip(ending.next, self.end, BESIDE_WORDS).min(self.end - 1);
        let is_inverted = matches!(char::from_u32(self.reading.text[place].code()), Some('¿' | '¡'));
        if is_inverted { (place + 1).min(self.end - 1) } else { place }
    }

    /// Returns whether `!` or `?` ends a sentence: it does not within a web address, before a lower-case letter
    /// (`"Why?" she asked`), or in a name.
    fn exclamation_ends(&self, ending: &Ending) -> bool {
        let classes = self.reading.classes;
        let is_ascii = self.reading.text[ending.last].code() < 0x80;
        if is_ascii && ending.next == ending.last + 1 && classes[ending.next] != Class::Letter {
            return false;
        }
        if classes[ending.next] == Class::Lower || !self.ends_by_standard(ending) {
            return false;
        }
        let is_name = || lexicon::is_exclaimed(&self.word_before(ending.first));
        ending.count > 1 || !is_ascii || !is_name() || self.is_starter(ending)
    }

    /// Returns whether a single full stop ends a sentence.
    fn stop_ends(&self, ending: &Ending) -> bool {
        let next = self.reading.classes[ending.next];
        if ending.next == ending.last + 1 && next != Class::Letter {
            return false; // `example.com`, `3.14`, `v2.Final`
        }
        let word = self.word_before(ending.first);
        match self.abbreviation(&word, ending.first) {
            Some(Abbreviation::Inside | Abbreviation::Title) => return false,
            Some(Abbreviation::Number) => return !self.is_number(ending) && self.ends_by_standard(ending),
            Some(Abbreviation::Name) => return self.is_starter(ending),
            Some(Abbreviation::Last) => return self.begins_upper(ending),
            Some(Abbreviation::Time) => return self.begins_upper(ending) && !self.is_introduction(ending),
            None => {}
        }
        if is_initial(&word) && !self.is_possessive(&word, ending.first) {
            return self.is_starter(ending);
        }
        let is_ordinal = matches!(word.len(), 1 | 2) && word.bytes().all(|byte| byte.is_ascii_digit());
        if is_ordinal && lexicon::follows_ordinal(&self.word_from(self.next_letter(ending))) {
            return false;
        }
        next == Class::Digit || self.ends_by_standard(ending) || self.precedes_aside(ending)
    }

    /// Returns whether an aside in brackets follows, with a capital after it: `every night. [pause] But they`.
    fn precedes_aside(&self, ending: &Ending) -> bool {
        let code = self.reading.text[ending.next].code();
        let is_bracket = matches!(char::from_u32(code), Some('[' | '('));
        let Ok(place) = self.enclosures.binary_search_by_key(&ending.next, |enclosure| enclosure.open) else {
            return false;
        };
        let after = self.reading.skip(self.enclosures[place].close + 1, self.end, BLANKS);
        is_bracket && ending.next > ending.last + 1 && after < self.end && self.reading.classes[after] == Class::Upper
    }

    /// Returns the kind of abbreviation that the word before `stop` is.
    fn abbreviation(&self, word: &str, stop: usize) -> Option<Abbreviation> {
        let kind = lexicon::abbreviation(word)?;
        let first = stop - word.chars().count();
        let is_capital = self.reading.classes[first] == Class::Upper;
        (kind != Abbreviation::Title || is_capital).then_some(kind)
    }

    /// Returns whether the letter before `stop` is an ending after an apostrophe instead of an initial: `the 40's`.
    fn is_possessive(&self, word: &str, stop: usize) -> bool {
        let first = stop - word.chars().count();
        let before = first.checked_sub(1).and_then(|place| char::from_u32(self.reading.text[place].code()));
        self.reading.classes[first] == Class::Lower && matches!(before, Some('\'' | '’'))
    }

    /// Returns whether a number follows, in digits or as a Roman numeral.
    fn is_number(&self, ending: &Ending) -> bool {
        let place = self.next_letter(ending);
        let is_roman = |word: &str| !word.is_empty() && word.bytes().all(|byte| b"ivxlcdm".contains(&byte));
        match self.reading.classes[place] {
            Class::Digit | Class::Cited => true,
            Class::Upper => {
                let word = self.word_from(place);
                word != "i" && is_roman(&word)
            }
            _ => false,
        }
    }

    fn begins_upper(&self, ending: &Ending) -> bool {
        matches!(self.reading.classes[self.next_letter(ending)], Class::Upper | Class::Letter)
            && self.ends_by_standard(ending)
    }

    /// Returns whether only a few words of the sentence precede the word at `ending`.
    fn is_introduction(&self, ending: &Ending) -> bool {
        let classes = &self.reading.classes[self.start..ending.first];
        classes.len() <= MAX_INTRODUCTION_CHARS
            && classes.iter().filter(|&&class| class == Class::Space).count() < MIN_WORDS_BEFORE_TIME
    }

    /// Returns whether the next word often begins sentences: it is capitalised and not an initial.
    fn is_starter(&self, ending: &Ending) -> bool {
        let place = self.next_letter(ending);
        if self.reading.classes[place] != Class::Upper {
            return false;
        }
        let word = self.word_from(place);
        let after = place + word.chars().count();
        let is_initial = word.chars().count() == 1 && after < self.end && self.reading.classes[after] == Class::Stop;
        !is_initial && lexicon::is_starter(&word)
    }

    /// Returns the word that ends before `end`, in lower case; empty if it is too long for any table.
    fn word_before(&self, end: usize) -> String {
        let Self { reading, start, .. } = *self;
        let places = (start..end).rev().take_while(|&place| !NO_WORD.holds(reading.classes[place]));
        let length = places.take(LONGEST + 1).count();
        self.lower(end - length..end)
    }

    /// Returns the word that begins at `start`, in lower case; empty if it is too long for any table.
    fn word_from(&self, start: usize) -> String {
        let places = (start..self.end).take_while(|&place| LETTERS.holds(self.reading.classes[place]));
        let length = places.take(LONGEST + 1).count();
        self.lower(start..start + length)
    }

    fn lower(&self, word: std::ops::Range<usize>) -> String {
        if word.len() > LONGEST {
            return String::new();
        }
        let codes = word.map(|place| self.reading.text[place].code());
        codes.flat_map(|code| char::from_u32(code).unwrap_or('\u{FFFD}').to_lowercase()).collect()
    }
}

/// Returns whether a word consists of single letters: `J`, `U.S`, `J.-P`.
fn is_initial(word: &str) -> bool {
    let mut letters = word.split(['.', '-']).filter(|part| !part.is_empty()).peekable();
    letters.peek().is_some() && letters.all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic))
}
