//! The tokeniser: words, digits, signs and marks, with their places.

use std::ops::Range;

use groundwire_engine::text::{Unit, Units};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Letters, with apostrophes inside; abbreviations with points inside (`p.m.`).
    Word,
    /// Digits with their separators (`1,240`, `18:30`), or one written fraction (`¾`).
    Digits,
    /// Digits written high: an exponent behind a number or a unit, else a footnote.
    Superscript,
    /// One character of a script without spaces between words.
    Unspaced,
    /// One other character that is no white space.
    Sign,
    /// Something in brackets that nobody said: `[crosstalk]`, `<laughter>`, `[12]` (ruling A19).
    Annotation,
}

/// A token and how it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// First code point.
    pub start: u32,
    /// One behind the last.
    pub end: u32,
    /// What it is.
    pub class: Class,
    /// Whether its first letter is a capital.
    pub is_capital: bool,
    /// Whether it is of two capitals at least, and no small letter.
    pub is_caps: bool,
    /// Whether nothing is between it and the token before.
    pub is_glued: bool,
    /// Whether a full stop follows directly.
    pub has_stop: bool,
    /// Where its folded form is in [`Tokens::folded`].
    form: (u32, u32),
}

/// The tokens of a text, in order.
#[derive(Debug, Default)]
pub struct Tokens {
    all: Vec<Token>,
    folded: String,
}

/// A bracket that is no part of what is said holds at most this many characters.
const ANNOTATION_MAX_CHARS: usize = 40;

/// Runs `$body` with `$slice` bound to the slice inside, whatever its width.
macro_rules! with_units {
    ($units:expr, $slice:ident => $body:expr) => {
        match $units {
            Units::U8($slice) => $body,
            Units::U16($slice) => $body,
            Units::U32($slice) => $body,
        }
    };
}

impl Tokens {
    /// Reads the characters of a text. Linear in its length.
    #[must_use]
    pub fn of(text: Units<'_>) -> Self {
        // The form of a token of an ASCII text lies in the text in small letters.
        if let Units::U8(units) = text
            && units.is_ascii()
            && let Ok(folded) = String::from_utf8(units.to_ascii_lowercase())
        {
            let mut tokens = Self { all: Vec::with_capacity(units.len() / 5 + 1), folded };
            tokens.read(units, true);
            return tokens;
        }
        let mut tokens =
            Self { all: Vec::with_capacity(text.len() / 5 + 1), folded: String::with_capacity(text.len()) };
        with_units!(text, units => tokens.read(units, false));
        tokens
    }

    /// The tokens of a word or a phrase.
    pub(crate) fn of_str(text: &str) -> Self {
        if text.is_ascii() {
            return Self::of(Units::U8(text.as_bytes()));
        }
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        Self::of(Units::U32(&codes))
    }

    fn read<T: Unit>(&mut self, text: &[T], is_folded: bool) {
        let mut at = 0;
        while at < text.len() {
            let character = character(text[at]);
            if character.is_whitespace() || is_ignorable(character) {
                at += 1;
                continue;
            }
            let (end, class) = scan(text, at);
            self.push(text, at..end, class, is_folded);
            at = end;
        }
    }

    fn push<T: Unit>(&mut self, text: &[T], range: Range<usize>, class: Class, is_folded: bool) {
        let written = &text[range.clone()];
        let form = if is_folded {
            let has_point = class == Class::Word && written[written.len() - 1].code() == u32::from('.');
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
            is_capital: character(written[0]).is_uppercase(),
            is_caps: is_caps(written),
            is_glued: self.all.last().is_some_and(|before| before.end as usize == range.start),
            has_stop: get(text, range.end) == Some('.'),
            form,
        });
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The token at `index`.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&Token> {
        self.all.get(index)
    }

    /// The folded form of the token at `index`, "" beyond the last: small letters, straight apostrophes, no accents
    /// on Arabic letters, no final full stop.
    #[must_use]
    pub fn form(&self, index: usize) -> &str {
        self.all.get(index).map_or("", |token| &self.folded[token.form.0 as usize..token.form.1 as usize])
    }

    /// All, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Token> {
        self.all.iter()
    }

    /// Where the form of the token at `index` is in [`Tokens::into_forms`].
    pub(crate) fn form_range(&self, index: usize) -> (u32, u32) {
        self.all.get(index).map_or((0, 0), |token| token.form)
    }

    /// How many bytes the forms have.
    pub(crate) fn forms_len(&self) -> usize {
        self.folded.len()
    }

    /// The text that holds the forms.
    pub(crate) fn into_forms(self) -> String {
        self.folded
    }
}

/// The character of a unit; a lone surrogate is U+FFFD.
#[inline]
fn character<T: Unit>(unit: T) -> char {
    char::from_u32(unit.code()).unwrap_or(char::REPLACEMENT_CHARACTER)
}

#[inline]
fn get<T: Unit>(text: &[T], at: usize) -> Option<char> {
    text.get(at).map(|&unit| character(unit))
}

/// The character at `at`, `None` beyond the last.
pub(crate) fn character_at(text: Units<'_>, at: usize) -> Option<char> {
    with_units!(text, units => get(units, at))
}

/// The first `count` characters of a text.
pub(crate) fn first(text: Units<'_>, count: usize) -> Units<'_> {
    let count = count.min(text.len());
    match text {
        Units::U8(units) => Units::U8(&units[..count]),
        Units::U16(units) => Units::U16(&units[..count]),
        Units::U32(units) => Units::U32(&units[..count]),
    }
}

/// The characters of a text; a lone surrogate is U+FFFD.
pub(crate) fn characters(text: Units<'_>) -> Vec<char> {
    with_units!(text, units => units.iter().map(|&unit| character(unit)).collect())
}

/// Whether there are two letters at least, all of them capitals.
fn is_caps<T: Unit>(written: &[T]) -> bool {
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

/// Where the token ends that begins at `at`, and what it is.
fn scan<T: Unit>(text: &[T], at: usize) -> (usize, Class) {
    let character = character(text[at]);
    if character.is_ascii_alphabetic() {
        return (word_end(text, at), Class::Word);
    }
    if let Some(end) = annotation_end(text, at) {
        return (end, Class::Annotation);
    }
    if character.is_ascii_digit() || is_digit_beyond_ascii(character) {
        return (digits_end(text, at), Class::Digits);
    }
    if is_superscript(character) {
        return (run_end(text, at, is_superscript), Class::Superscript);
    }
    if is_fraction(character) {
        return (at + 1, Class::Digits);
    }
    if character == '.'
        && get(text, at + 1).is_some_and(|next| next.is_ascii_digit())
        && !before(text, at).is_some_and(char::is_alphanumeric)
    {
        return (digits_end(text, at + 1), Class::Digits);
    }
    if is_unspaced(character) {
        return (at + 1, Class::Unspaced);
    }
    if is_letter(character) || character == '°' || (is_apostrophe(character) && starts_clitic(text, at)) {
        return (word_end(text, at), Class::Word);
    }
    (at + 1, Class::Sign)
}

fn before<T: Unit>(text: &[T], at: usize) -> Option<char> {
    at.checked_sub(1).and_then(|index| get(text, index))
}

#[inline]
fn run_end<T: Unit>(text: &[T], at: usize, holds: impl Fn(char) -> bool) -> usize {
    at + text[at..].iter().take_while(|&&unit| holds(character(unit))).count()
}

/// Behind the closing bracket of what nobody said: short, on one line, and not inside a word.
fn annotation_end<T: Unit>(text: &[T], at: usize) -> Option<usize> {
    let close = match character(text[at]) {
        '[' => ']',
        '<' => '>',
        _ => return None,
    };
    let inside = text[at + 1..].iter().take(ANNOTATION_MAX_CHARS).position(|&unit| character(unit) == close)?;
    let end = at + 1 + inside;
    let words = &text[at + 1..end];
    let has = |wanted: char| words.iter().any(|unit| unit.code() == u32::from(wanted));
    let is_tag = close == '>' && get(words, 0).is_some_and(|first| first.is_alphabetic() || first == '/');
    let is_note = close == ']' && !words.is_empty() && !has('[');
    // Letters in brackets inside a word are an author's: [un]happy.
    let is_alone = !get(text, end + 1).is_some_and(char::is_alphabetic);
    ((is_tag || is_note) && is_alone && !has('\n')).then_some(end + 1)
}

/// Digits with single separators inside, groups of three behind spaces, and clock times.
fn digits_end<T: Unit>(text: &[T], start: usize) -> usize {
    let is_digit =
        |character: char| character.is_ascii_digit() || is_digit_beyond_ascii(character) || is_ignorable(character);
    let mut at = run_end(text, start, is_digit);
    let is_grouped_by_spaces = at - start <= 3;
    let mut has_point = false;
    while let Some(mark) = get(text, at) {
        let next = run_end(text, (at + 1).min(text.len()), is_digit);
        let count = next.saturating_sub(at + 1);
        let goes_on = match mark {
            ',' | '.' | '\'' | '\u{2019}' | '\u{66B}' | '\u{66C}' => count > 0,
            ':' | '：' => count == 2,
            '，' => count == 3,
            ' ' | '\u{A0}' | '\u{202F}' | '\u{2009}' => {
                let is_word = get(text, next).is_some_and(|character| is_letter(character) && !is_unspaced(character));
                is_grouped_by_spaces && count == 3 && !is_word && !has_point
            }
            _ => false,
        };
        if !goes_on {
            break;
        }
        has_point |= matches!(mark, ',' | '.');
        at = next;
    }
    at
}

/// Letters and marks, with apostrophes between them or before a clitic, and points between single letters.
fn word_end<T: Unit>(text: &[T], start: usize) -> usize {
    let mut at = start + 1;
    loop {
        at = run_end(text, at, |character| is_letter(character) || is_ignorable(character));
        let Some(mark) = get(text, at) else { return at };
        let has_next = get(text, at + 1).is_some_and(is_letter);
        if is_apostrophe(mark) && has_next && character(text[at - 1]).is_alphabetic() {
            at += 2;
        } else if mark == '.' && is_single(text, start, at) {
            if has_next && !get(text, at + 2).is_some_and(is_letter) {
                at += 2;
            } else {
                // The point behind the last letter of p.m. is a part of it; that of a single letter is not.
                return if text[start..at].iter().any(|unit| unit.code() == u32::from('.')) { at + 1 } else { at };
            }
        } else {
            return at;
        }
    }
}

/// Whether the letter before `at` stands alone between points, or at the start of the word.
fn is_single<T: Unit>(text: &[T], start: usize, at: usize) -> bool {
    at == start + 1 || text[at - 2].code() == u32::from('.')
}

/// Whether an apostrophe begins a word: 'll, 's behind a space, as transcripts part them.
fn starts_clitic<T: Unit>(text: &[T], at: usize) -> bool {
    let letters = run_end(text, at + 1, is_letter) - at - 1;
    // A capital begins a quote: 'I know'.
    (1..=2).contains(&letters)
        && get(text, at + 1).is_some_and(char::is_lowercase)
        && before(text, at) == Some(' ')
        && !get(text, at + 1 + letters).is_some_and(is_apostrophe)
}

fn is_letter(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic() || character == '_';
    }
    (character.is_alphabetic() && !is_unspaced(character))
        || is_mark(character)
        || matches!(character, '\u{200C}' | '\u{200D}')
}

fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '\u{2019}' | '\u{2018}' | '\u{201B}' | '\u{2BC}' | '\u{2032}' | '`' | '´')
}

/// What has no width and no meaning: soft hyphens, zero-width characters.
fn is_ignorable(character: char) -> bool {
    matches!(character,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2060}'..='\u{2064}' | '\u{FEFF}'
        | '\u{FE00}'..='\u{FE0F}')
}

fn is_superscript(character: char) -> bool {
    matches!(character, '²' | '³' | '¹' | '\u{2070}' | '\u{2074}'..='\u{207B}')
}

fn is_fraction(character: char) -> bool {
    matches!(character, '¼'..='¾' | '\u{2150}'..='\u{215E}')
}

fn is_digit_beyond_ascii(character: char) -> bool {
    matches!(character, '\u{660}'..='\u{669}' | '\u{6F0}'..='\u{6F9}' | '\u{966}'..='\u{96F}' | '\u{FF10}'..='\u{FF19}' | '\u{2080}'..='\u{2089}')
}

/// Han, kana, Thai, Lao, Khmer and Myanmar.
pub(crate) fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x2E80..=0x2FDF | 0x3005..=0x3007 | 0x3021..=0x312F
        | 0x31A0..=0x31BF | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F
        | 0x20000..=0x3FFFF)
}

/// Appends the folded form of a token.
fn fold<T: Unit>(written: &[T], class: Class, folded: &mut String) {
    let first = folded.len();
    if written.iter().all(|unit| unit.code() < 0x80) {
        folded.extend(written.iter().map(|&unit| character(unit).to_ascii_lowercase()));
    } else {
        for &unit in written {
            let character = character(unit);
            if is_settled(character) {
                folded.push(character.to_ascii_lowercase());
            } else if is_apostrophe(character) {
                folded.push('\'');
            } else if !is_ignorable(character) {
                std::iter::once(character).nfkc().flat_map(char::to_lowercase).for_each(|each| spell(each, folded));
            }
        }
        // A letter and the mark behind it are one.
        if written.iter().any(|&unit| unit.code() >= FIRST_MARK && is_mark(character(unit))) {
            let composed: String = folded[first..].nfc().collect();
            folded.truncate(first);
            folded.push_str(&composed);
        }
    }
    if class == Class::Word && folded[first..].ends_with('.') {
        folded.pop();
    }
}

/// Appends a small character as it is spelt in a form.
fn spell(character: char, folded: &mut String) {
    match character {
        'ё' => folded.push('е'),
        'أ' | 'إ' | 'آ' | 'ٱ' => folded.push('ا'),
        'ى' => folded.push('ي'),
        '\u{640}' | '\u{64B}'..='\u{652}' | '\u{670}' => {}
        '\u{660}'..='\u{669}' => folded.push(digit(character, '\u{660}')),
        '\u{6F0}'..='\u{6F9}' => folded.push(digit(character, '\u{6F0}')),
        '\u{966}'..='\u{96F}' => folded.push(digit(character, '\u{966}')),
        '\u{66B}' => folded.push('.'),
        '\u{66C}' => folded.push(','),
        '\u{A0}' | '\u{202F}' | '\u{2009}' => folded.push(' '),
        'μ' => folded.push('µ'),
        _ => folded.push(character),
    }
}

/// No combining mark is before this code point.
const FIRST_MARK: u32 = 0x300;

/// Whether a character is its own form but for the case of ASCII letters: most letters of the languages that are read.
fn is_settled(character: char) -> bool {
    matches!(character,
        '\0'..='\x7F' if character != '`')
        || matches!(character,
        'à'..='ö' | 'ø'..='ÿ' | 'а'..='я' | 'ا'..='غ' | 'ف'..='و' | 'ي' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}'
        | '\u{4E00}'..='\u{9FFF}')
}

/// Whether a word is one token that is its own form, as far as that is seen without reading it: small letters only.
pub(crate) fn is_plain_word(word: &str) -> bool {
    let is_small =
        |letter: char| matches!(letter, 'a'..='z' | 'à'..='ö' | 'ø'..='ÿ' | 'а'..='я' | 'ا'..='غ' | 'ف'..='و' | 'ي');
    !word.is_empty() && word.chars().all(is_small)
}

/// Whether a character is a combining mark; most letters are told without the table.
fn is_mark(character: char) -> bool {
    match u32::from(character) {
        0..FIRST_MARK | 0x400..0x483 | 0x4E00..0xA000 => false,
        _ => is_combining_mark(character),
    }
}

fn digit(character: char, zero: char) -> char {
    char::from_digit(u32::from(character) - u32::from(zero), 10).unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Vec<String> {
        let tokens = Tokens::of_str(text);
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
    fn a_settled_character_is_its_own_form() {
        for letter in (char::MIN..=char::MAX).filter(|&letter| is_settled(letter)) {
            let mut spelt = String::new();
            std::iter::once(letter).nfkc().flat_map(char::to_lowercase).for_each(|each| spell(each, &mut spelt));
            assert_eq!(spelt, letter.to_ascii_lowercase().to_string());
            assert!(!is_ignorable(letter) && (letter == '\'' || !is_apostrophe(letter)), "{letter}");
        }
    }

    #[test]
    fn a_mark_is_told_without_the_table() {
        for letter in char::MIN..=char::MAX {
            assert_eq!(is_mark(letter), is_combining_mark(letter), "{letter}");
        }
    }

    #[test]
    fn a_plain_word_is_one_token() {
        for word in ["bread", "müde", "élan", "хлеб", "كتاب"] {
            assert!(is_plain_word(word), "{word}");
            assert_eq!(forms(word), [word]);
        }
        for word in ["", "Bread", "don't", "ещё", "أب", "面包"] {
            assert!(!is_plain_word(word), "{word}");
        }
    }

    #[test]
    fn every_width_has_the_same_tokens() {
        for text in ["Don't pay 1,240 kg at 5 p.m., Dr. Smith [un]happy `x` U.S.", "caf\u{e9} ½ \u{AD}º"] {
            let codes: Vec<u32> = text.chars().map(u32::from).collect();
            let narrow: Vec<u8> = codes.iter().map(|&code| u8::try_from(code).expect("Latin-1")).collect();
            let middle: Vec<u16> = codes.iter().map(|&code| u16::try_from(code).expect("Latin-1")).collect();
            let show = |tokens: Tokens| -> Vec<String> {
                let form = |at| format!("{} {:?}", tokens.form(at), tokens.get(at).map(|token| token.start..token.end));
                (0..tokens.len()).map(form).collect()
            };
            let wide = show(Tokens::of(Units::U32(&codes)));
            assert_eq!(show(Tokens::of(Units::U8(&narrow))), wide);
            assert_eq!(show(Tokens::of(Units::U16(&middle))), wide);
        }
    }

    #[test]
    fn what_nobody_said_is_an_annotation() {
        let tokens = Tokens::of_str("that [unintelligible 00:19] <laughter> was [un]happy x < y");
        let annotations = tokens.iter().filter(|token| token.class == Class::Annotation).count();
        assert_eq!(annotations, 2);
    }
}
