//! Decides which terminators end a sentence: the rules that go beyond the standard.

use super::words::{Abbreviation, MAX_WORD_CHARS, words};
use super::{BLANKS, BreakSet, LETTERS, SentenceBoundary, SentenceBreak, Splitter, TerminatorContext};
use groundwire_engine::CodeUnit;

const AROUND_WORD: BreakSet = BreakSet::of([SentenceBreak::Close, SentenceBreak::Open, SentenceBreak::Ignored]);
const NOT_IN_WORD: BreakSet = BreakSet::of([
    SentenceBreak::Space,
    SentenceBreak::Line,
    SentenceBreak::Close,
    SentenceBreak::Open,
    SentenceBreak::Ignored,
    SentenceBreak::Masked,
    SentenceBreak::Bullet,
    SentenceBreak::STerm,
    SentenceBreak::WideTerm,
    SentenceBreak::Ellipsis,
]);
/// Number of full stops that form an ellipsis.
const ELLIPSIS_STOPS: usize = 3;
/// Minimum number of words before a time of day that ends a sentence.
const MIN_WORDS_BEFORE_TIME: usize = 3;
/// Maximum length of the text before a time of day that begins a sentence, in characters.
const MAX_INTRODUCTION_CHARS: usize = 40;

impl<T: CodeUnit> Splitter<'_, T> {
    /// Returns whether a sentence ends at a terminator, which is not the last of the text.
    pub(super) fn ends_sentence(&mut self, context: &TerminatorContext) -> bool {
        if self.is_inside_quotation(context) || self.is_omission(context) || self.is_label(self.start..context.first) {
            return false;
        }
        match self.source.classes[context.last] {
            SentenceBreak::WideTerm => !self.continues_after_quotation(context),
            _ if self.is_ellipsis(context) => self.ellipsis_ends(context),
            SentenceBreak::ATerm if context.is_weak && context.count == 1 => self.stop_ends(context),
            SentenceBreak::ATerm => self.ends_by_standard(context),
            _ => self.exclamation_ends(context),
        }
    }

    /// Returns whether a parenthesis or quotation inside the sentence is still open.
    fn is_inside_quotation(&mut self, context: &TerminatorContext) -> bool {
        while let Some(quoted) = self.quoted_spans.get(self.passed).filter(|quoted| quoted.open < context.first) {
            if quoted.open > self.start || quoted.open == self.start && quoted.is_title {
                self.no_break_before = self.no_break_before.max(quoted.close);
            }
            self.passed += 1;
        }
        context.closed <= self.no_break_before
    }

    /// Returns whether the terminators mark an omission: `[...]`.
    fn is_omission(&self, context: &TerminatorContext) -> bool {
        let text = self.source.text;
        let before = context.first.checked_sub(1).map(|place| text[place].code_point());
        let after = text.get(context.last + 1).map(|unit| unit.code_point());
        matches!(
            (before.and_then(char::from_u32), after.and_then(char::from_u32)),
            (Some('['), Some(']')) | (Some('('), Some(')')) | (Some('［'), Some('］')) | (Some('（'), Some('）'))
        )
    }

    /// Returns whether a Japanese particle continues the sentence after a quotation: `「行こう。」と言った`.
    fn continues_after_quotation(&self, context: &TerminatorContext) -> bool {
        let is_quoted = context.closed > context.last + 1 && context.closed == context.next;
        let next = char::from_u32(self.source.text[context.next].code_point());
        is_quoted && next.is_some_and(|next| words().follows_quotation(next))
    }

    fn is_ellipsis(&self, context: &TerminatorContext) -> bool {
        context.is_weak
            && (context.count >= ELLIPSIS_STOPS || self.source.classes[context.last] == SentenceBreak::Ellipsis)
    }

    /// Returns whether an ellipsis ends a sentence. It does so only before a capital. Three spaced stops are a pause.
    fn ellipsis_ends(&self, context: &TerminatorContext) -> bool {
        let is_pause = context.is_spaced && context.count == ELLIPSIS_STOPS;
        !is_pause
            && self.is_separated(context)
            && self.source.classes[self.next_letter(context)] == SentenceBreak::Upper
    }

    /// Returns the boundary in `done. . . . The next`, where the first stop ends a sentence and the others are an
    /// omission at the start of the next one.
    pub(super) fn split_elision(&mut self, context: &TerminatorContext) -> Option<SentenceBoundary> {
        let classes = self.source.classes;
        let is_elided = context.is_weak && context.is_spaced && context.count == ELLIPSIS_STOPS + 1;
        let follows_word =
            !BLANKS.contains(context.first.checked_sub(1).map_or(SentenceBreak::Ignored, |place| classes[place]));
        let has_next = is_elided && follows_word && context.next < self.end;
        if !has_next || self.is_inside_quotation(context) || classes[self.next_letter(context)] != SentenceBreak::Upper
        {
            return None;
        }
        let next = self.source.skip(context.first + 1, self.end, BLANKS);
        (next > context.first + 1).then_some(SentenceBoundary { end: context.first + 1, next })
    }

    /// Returns the offset of the next character that is not an opening quotation mark or bracket, or of the last
    /// character of the text.
    fn next_letter(&self, context: &TerminatorContext) -> usize {
        let place = self.source.skip(context.next, self.end, AROUND_WORD).min(self.end - 1);
        let is_inverted = matches!(char::from_u32(self.source.text[place].code_point()), Some('¿' | '¡'));
        if is_inverted { (place + 1).min(self.end - 1) } else { place }
    }

    /// Returns whether `!` or `?` ends a sentence. It does not inside a web address, before a lower-case letter
    /// (`"Why?" she asked`) or in a name.
    fn exclamation_ends(&self, context: &TerminatorContext) -> bool {
        let classes = self.source.classes;
        let is_ascii = self.source.text[context.last].code_point() < 0x80;
        if is_ascii && context.next == context.last + 1 && classes[context.next] != SentenceBreak::Letter {
            return false;
        }
        if classes[context.next] == SentenceBreak::Lower || !self.ends_by_standard(context) {
            return false;
        }
        let is_name = || words().ends_in_exclamation(&self.word_before(context.first));
        context.count > 1 || !is_ascii || !is_name() || self.is_sentence_starter(context)
    }

    /// Returns whether a single full stop ends a sentence.
    fn stop_ends(&self, context: &TerminatorContext) -> bool {
        let next = self.source.classes[context.next];
        if context.next == context.last + 1 && next != SentenceBreak::Letter {
            return false; // `example.com`, `3.14`, `v2.Final`
        }
        let word = self.word_before(context.first);
        match self.abbreviation(&word, context.first) {
            Some(Abbreviation::Inside | Abbreviation::Title) => return false,
            Some(Abbreviation::Number) => return !self.is_number(context) && self.ends_by_standard(context),
            Some(Abbreviation::Name) => return self.is_sentence_starter(context),
            Some(Abbreviation::Last) => return self.begins_upper(context),
            Some(Abbreviation::Time) => return self.begins_upper(context) && !self.is_introduction(context),
            None => {}
        }
        if is_initial(&word) && !self.is_possessive(&word, context.first) {
            return self.is_sentence_starter(context);
        }
        let is_ordinal = matches!(word.len(), 1 | 2) && word.bytes().all(|byte| byte.is_ascii_digit());
        if is_ordinal && words().follows_ordinal(&self.word_from(self.next_letter(context))) {
            return false;
        }
        next == SentenceBreak::Digit || self.ends_by_standard(context) || self.precedes_brackets(context)
    }

    /// Returns whether brackets follow, with a capital after them: `every night. [pause] But they`.
    fn precedes_brackets(&self, context: &TerminatorContext) -> bool {
        let code = self.source.text[context.next].code_point();
        let is_bracket = matches!(char::from_u32(code), Some('[' | '('));
        let Ok(place) = self.quoted_spans.binary_search_by_key(&context.next, |quoted| quoted.open) else {
            return false;
        };
        let after = self.source.skip(self.quoted_spans[place].close + 1, self.end, BLANKS);
        is_bracket
            && context.next > context.last + 1
            && after < self.end
            && self.source.classes[after] == SentenceBreak::Upper
    }

    /// Returns the kind of the abbreviation before `stop`, if the word is one.
    fn abbreviation(&self, word: &str, stop: usize) -> Option<Abbreviation> {
        let kind = words().abbreviation(word)?;
        let first = stop - word.chars().count();
        let is_capital = self.source.classes[first] == SentenceBreak::Upper;
        (kind != Abbreviation::Title || is_capital).then_some(kind)
    }

    /// Returns whether the letter before `stop` is an ending after an apostrophe instead of an initial: `the 40's`.
    fn is_possessive(&self, word: &str, stop: usize) -> bool {
        let first = stop - word.chars().count();
        let before = first.checked_sub(1).and_then(|place| char::from_u32(self.source.text[place].code_point()));
        self.source.classes[first] == SentenceBreak::Lower && matches!(before, Some('\'' | '’'))
    }

    /// Returns whether a number follows, in digits or as a Roman numeral.
    fn is_number(&self, context: &TerminatorContext) -> bool {
        let place = self.next_letter(context);
        let is_roman = |word: &str| !word.is_empty() && word.bytes().all(|byte| b"ivxlcdm".contains(&byte));
        match self.source.classes[place] {
            SentenceBreak::Digit | SentenceBreak::Masked => true,
            SentenceBreak::Upper => {
                let word = self.word_from(place);
                word != "i" && is_roman(&word)
            }
            _ => false,
        }
    }

    fn begins_upper(&self, context: &TerminatorContext) -> bool {
        matches!(self.source.classes[self.next_letter(context)], SentenceBreak::Upper | SentenceBreak::Letter)
            && self.ends_by_standard(context)
    }

    /// Returns whether only a few words of the sentence precede the terminator.
    fn is_introduction(&self, context: &TerminatorContext) -> bool {
        let classes = &self.source.classes[self.start..context.first];
        classes.len() <= MAX_INTRODUCTION_CHARS
            && classes.iter().filter(|&&class| class == SentenceBreak::Space).count() < MIN_WORDS_BEFORE_TIME
    }

    /// Returns whether the next word often begins sentences and is not an initial.
    fn is_sentence_starter(&self, context: &TerminatorContext) -> bool {
        let place = self.next_letter(context);
        if self.source.classes[place] != SentenceBreak::Upper {
            return false;
        }
        let word = self.word_from(place);
        let after = place + word.chars().count();
        let is_initial =
            word.chars().count() == 1 && after < self.end && self.source.classes[after] == SentenceBreak::ATerm;
        !is_initial && words().is_sentence_starter(&word)
    }

    /// Returns the word that ends before `end`, in lower case, or "" if it is too long to be listed.
    fn word_before(&self, end: usize) -> String {
        let Self { source, start, .. } = *self;
        let places = (start..end).rev().take_while(|&place| !NOT_IN_WORD.contains(source.classes[place]));
        let length = places.take(MAX_WORD_CHARS + 1).count();
        self.lower(end - length..end)
    }

    /// Returns the word that begins at `start`, in lower case, or "" if it is too long to be listed.
    fn word_from(&self, start: usize) -> String {
        let places = (start..self.end).take_while(|&place| LETTERS.contains(self.source.classes[place]));
        let length = places.take(MAX_WORD_CHARS + 1).count();
        self.lower(start..start + length)
    }

    fn lower(&self, word: std::ops::Range<usize>) -> String {
        if word.len() > MAX_WORD_CHARS {
            return String::new();
        }
        let codes = word.map(|place| self.source.text[place].code_point());
        codes.flat_map(|code| char::from_u32(code).unwrap_or('\u{FFFD}').to_lowercase()).collect()
    }
}

/// Returns whether a word consists of single letters: `J`, `U.S`, `J.-P`.
fn is_initial(word: &str) -> bool {
    let mut letters = word.split(['.', '-']).filter(|part| !part.is_empty()).peekable();
    letters.peek().is_some() && letters.all(|part| part.chars().count() == 1 && part.chars().all(char::is_alphabetic))
}
