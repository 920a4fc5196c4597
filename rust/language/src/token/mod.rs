//! Splits a text into tokens: words, digits, symbols and annotations, with their offsets.

mod characters;
mod fold;
mod scan;

use std::ops::Range;

use groundwire_engine::{CodeUnit, TextRef, dispatch};

pub(crate) use characters::is_ignorable;
use fold::fold;
pub(crate) use fold::is_plain_word;
use scan::scan;

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenClass {
    /// Letters with apostrophes between them, or an abbreviation with points (`p.m.`).
    Word,
    /// Digits with their separators (`1,240`, `18:30`), or one fraction character (`¾`).
    Digits,
    /// Superscript digits: an exponent after a number or unit, or a footnote mark.
    Superscript,
    /// One character of a script without spaces between words.
    Unspaced,
    /// One other character that is not white space.
    Symbol,
    /// A bracketed note that was not spoken: `[crosstalk]`, `<laughter>`, `[12]` (ruling A19).
    Annotation,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Offset of the first code point.
    pub start: u32,
    /// Offset after the last code point.
    pub end: u32,
    /// Its class.
    pub class: TokenClass,
    /// Whether its first letter is a capital.
    pub is_capitalised: bool,
    /// Whether it has at least two capitals and no lower-case letter.
    pub is_all_caps: bool,
    /// Whether nothing separates it from the previous token.
    pub is_adjacent: bool,
    /// Whether a full stop directly follows it.
    pub has_full_stop: bool,
    /// The range of its folded form in [`Tokens::folded`].
    form: (u32, u32),
}

/// The tokens of a text, in order.
#[derive(Debug, Default)]
pub struct Tokens {
    all: Vec<Token>,
    folded: String,
}

impl Tokens {
    /// Tokenises a text. Linear in its length.
    ///
    /// # Examples
    ///
    /// ```
    /// use groundwire_engine::TextRef;
    /// use groundwire_language::token::{TokenClass, Tokens};
    ///
    /// let tokens = Tokens::new(TextRef::Ucs1(b"1,240 mills"));
    /// assert_eq!(tokens.get(0).unwrap().class, TokenClass::Digits);
    /// assert_eq!(tokens.form(1), "mills");
    /// ```
    #[must_use]
    pub fn new(text: TextRef<'_>) -> Self {
        // The forms of an ASCII text are slices of its lower-case copy.
        if let TextRef::Ucs1(units) = text
            && units.is_ascii()
            && let Ok(folded) = String::from_utf8(units.iter().map(ascii_form).collect())
        {
            let mut tokens = Self { all: Vec::with_capacity(units.len() / 5 + 1), folded };
            tokens.read(units, true);
            return tokens;
        }
        if dispatch!(text, units => units.iter().any(|&unit| is_ignorable(character(unit)))) {
            return Self::without_ignorable(text);
        }
        let mut tokens =
            Self { all: Vec::with_capacity(text.len() / 5 + 1), folded: String::with_capacity(text.len()) };
        dispatch!(text, units => tokens.read(units, false));
        tokens
    }

    /// Tokenises a text without its ignorable characters.
    fn without_ignorable(text: TextRef<'_>) -> Self {
        let (offsets, codes): (Vec<u32>, Vec<u32>) = dispatch!(text, units => units
            .iter()
            .enumerate()
            .filter(|&(_, &unit)| !is_ignorable(character(unit)))
            .map(|(place, unit)| (place as u32, unit.code_point()))
            .unzip());
        let mut tokens = Self::new(TextRef::Ucs4(&codes));
        for token in &mut tokens.all {
            token.start = offsets[token.start as usize];
            token.end = offsets[token.end as usize - 1] + 1;
        }
        tokens
    }

    /// Tokenises a word or phrase.
    pub(crate) fn from_string(text: &str) -> Self {
        if text.is_ascii() {
            return Self::new(TextRef::Ucs1(text.as_bytes()));
        }
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        Self::new(TextRef::Ucs4(&codes))
    }

    fn read<T: CodeUnit>(&mut self, text: &[T], is_folded: bool) {
        let mut at = 0;
        while at < text.len() {
            let character = character(text[at]);
            if character.is_whitespace() {
                at += 1;
                continue;
            }
            let (end, class) = scan(text, at);
            self.push(text, at..end, class, is_folded);
            at = end;
        }
    }

    fn push<T: CodeUnit>(&mut self, text: &[T], range: Range<usize>, class: TokenClass, is_folded: bool) {
        let written = &text[range.clone()];
        let form = if is_folded {
            let has_point = class == TokenClass::Word && written[written.len() - 1].code_point() == u32::from('.');
            (range.start as u32, range.end as u32 - u32::from(has_point))
        } else {
            let first = self.folded.len();
            fold(written, class, &mut self.folded);
            (first as u32, self.folded.len() as u32)
        };
        self.all.push(Token {
            start: range.start as u32,
            end: range.end as u32,
            class,
            is_capitalised: character(written[0]).is_uppercase(),
            is_all_caps: is_all_caps(written),
            is_adjacent: self.all.last().is_some_and(|before| before.end as usize == range.start),
            has_full_stop: get(text, range.end) == Some('.'),
            form,
        });
    }

    /// Returns the number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns whether there are no tokens.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns the token at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Token> {
        self.all.get(index)
    }

    /// Returns the folded form of the token at `index`, or "" past the end. It is in lower case, with straight
    /// apostrophes, and without diacritics on Arabic letters and a final full stop.
    #[must_use]
    pub fn form(&self, index: usize) -> &str {
        self.all.get(index).map_or("", |token| &self.folded[token.form.0 as usize..token.form.1 as usize])
    }

    /// Returns the tokens in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Token> {
        self.all.iter()
    }

    /// Returns the range of the form of the token at `index` in [`Tokens::into_forms`].
    pub(crate) fn form_range(&self, index: usize) -> (u32, u32) {
        self.all.get(index).map_or((0, 0), |token| token.form)
    }

    /// Returns the length of the forms in bytes.
    pub(crate) fn forms_len(&self) -> usize {
        self.folded.len()
    }

    /// Returns the text that contains all forms.
    pub(crate) fn into_forms(self) -> String {
        self.folded
    }
}

/// Returns the number of words and numbers in a text. In a script without spaces between words, each character counts
/// as one.
///
/// # Examples
///
/// ```
/// use groundwire_engine::TextRef;
/// use groundwire_language::token::count_words;
///
/// assert_eq!(count_words(TextRef::Ucs1(b"at 9:30, [laughs] he")), 3);
/// ```
#[must_use]
pub fn count_words(text: TextRef<'_>) -> usize {
    let is_word = |class: TokenClass| matches!(class, TokenClass::Word | TokenClass::Digits | TokenClass::Unspaced);
    Tokens::new(text).iter().filter(|token| is_word(token.class)).count()
}

/// Returns the character of a code unit; a lone surrogate becomes U+FFFD.
#[inline]
fn character<T: CodeUnit>(unit: T) -> char {
    char::from_u32(unit.code_point()).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[inline]
fn get<T: CodeUnit>(text: &[T], at: usize) -> Option<char> {
    text.get(at).map(|&unit| character(unit))
}

/// Returns the character at `at`, or `None` past the end.
pub(crate) fn character_at(text: TextRef<'_>, at: usize) -> Option<char> {
    dispatch!(text, units => get(units, at))
}

/// Returns the characters of a text; a lone surrogate becomes U+FFFD.
pub(crate) fn characters(text: TextRef<'_>) -> Vec<char> {
    dispatch!(text, units => units.iter().map(|&unit| character(unit)).collect())
}

/// Returns the folded form of an ASCII character.
fn ascii_form(&unit: &u8) -> u8 {
    if unit == b'`' { b'\'' } else { unit.to_ascii_lowercase() }
}

/// Returns whether there are at least two letters, all of them capitals.
fn is_all_caps<T: CodeUnit>(written: &[T]) -> bool {
    let mut count = 0;
    for &unit in written {
        let character = character(unit);
        if character.is_uppercase() {
            count += 1;
        } else if character.is_alphabetic() {
            return false;
        }
    }
    count > 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Vec<String> {
        let tokens = Tokens::from_string(text);
        (0..tokens.len()).map(|index| tokens.form(index).to_owned()).collect()
    }

    #[test]
    fn a_text_becomes_folded_tokens() {
        for (text, expected) in [
            ("Don’t pay 1,240 kg.", vec!["don't", "pay", "1,240", "kg", "."]),
            ("at 5 p.m. sharp", vec!["at", "5", "p.m", "sharp"]),
            ("Dr. J. R. Smith", vec!["dr", ".", "j", ".", "r", ".", "smith"]),
            ("the U.S. army", vec!["the", "u.s", "army"]),
            ("it 's 18:30", vec!["it", "'s", "18:30"]),
            ("300 000 homes, 12", vec!["300 000", "homes", ",", "12"]),
            ("10⁶ m³", vec!["10", "6", "m", "3"]),
            ("8.5°C", vec!["8.5", "°c"]),
            ("他有5只", vec!["他", "有", "5", "只"]),
            ("١٢ كتاب", vec!["12", "كتاب"]),
        ] {
            assert_eq!(forms(text), expected, "{text}");
        }
    }

    #[test]
    fn tokens_are_the_same_in_every_width() {
        for text in ["Don't pay 1,240 kg at 5 p.m., Dr. Smith [un]happy `x` U.S.", "caf\u{e9} ½ \u{AD}º"] {
            let codes: Vec<u32> = text.chars().map(u32::from).collect();
            let narrow: Vec<u8> = codes.iter().map(|&code| u8::try_from(code).expect("Latin-1")).collect();
            let middle: Vec<u16> = codes.iter().map(|&code| u16::try_from(code).expect("Latin-1")).collect();
            let show = |tokens: Tokens| -> Vec<String> {
                let form = |at| format!("{} {:?}", tokens.form(at), tokens.get(at).map(|token| token.start..token.end));
                (0..tokens.len()).map(form).collect()
            };
            let wide = show(Tokens::new(TextRef::Ucs4(&codes)));
            assert_eq!(show(Tokens::new(TextRef::Ucs1(&narrow))), wide);
            assert_eq!(show(Tokens::new(TextRef::Ucs2(&middle))), wide);
        }
    }

    #[test]
    fn bracketed_notes_are_annotations() {
        let tokens = Tokens::from_string("that [unintelligible 00:19] <laughter> was [un]happy x < y");
        let annotations = tokens.iter().filter(|token| token.class == TokenClass::Annotation).count();
        assert_eq!(annotations, 2);
    }

    #[test]
    fn words_are_counted_and_symbols_are_not() {
        for (text, expected) in [("", 0), (" , - ", 0), ("I don't.", 2), ("at 9:30, [laughs] he", 3)] {
            assert_eq!(count_words(TextRef::Ucs1(text.as_bytes())), expected, "{text}");
        }
        let chinese: Vec<u32> = "去北京。".chars().map(u32::from).collect();
        assert_eq!(count_words(TextRef::Ucs4(&chinese)), 3);
    }
}
