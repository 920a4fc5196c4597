//! The tokeniser: each token is the longest slice of text that has the shape of one.

use groundwire_language::token::TokenClass;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A token with the flags that the reader uses.
#[derive(Debug, PartialEq, Eq)]
pub struct Token {
    pub start: usize,
    pub end: usize,
    pub class: TokenClass,
    pub form: String,
    pub is_capitalised: bool,
    pub is_all_caps: bool,
    pub is_adjacent: bool,
    pub has_full_stop: bool,
}

/// Returns the tokens of a text. Characters without width and meaning are ignored.
pub fn tokens(text: &[char]) -> Vec<Token> {
    let visible: Vec<(usize, char)> =
        text.iter().copied().enumerate().filter(|&(_, character)| !is_invisible(character)).collect();
    let characters: Vec<char> = visible.iter().map(|&(_, character)| character).collect();
    let mut tokens: Vec<Token> = Vec::new();
    let (mut at, mut last_end) = (0, None);
    while at < characters.len() {
        if characters[at].is_whitespace() {
            at += 1;
            continue;
        }
        let (end, class) = longest(&characters, at);
        let written = &characters[at..end];
        let capitals = written.iter().filter(|character| character.is_uppercase()).count();
        tokens.push(Token {
            start: visible[at].0,
            end: visible[end - 1].0 + 1,
            class,
            form: form(written, class),
            is_capitalised: written[0].is_uppercase(),
            is_all_caps: capitals > 1 && written.iter().all(|letter| letter.is_uppercase() || !letter.is_alphabetic()),
            is_adjacent: last_end == Some(at),
            has_full_stop: characters.get(end) == Some(&'.'),
        });
        (at, last_end) = (end, Some(end));
    }
    tokens
}

/// Returns the end and the class of the token that begins at `at`.
fn longest(text: &[char], at: usize) -> (usize, TokenClass) {
    let (before, rest) = (&text[..at], &text[at..]);
    let lengths = || (1..=rest.len()).rev();
    for (class, has_shape) in [
        (TokenClass::Annotation, is_annotation as fn(&[char], &[char], &[char]) -> bool),
        (TokenClass::Digits, is_number),
        (TokenClass::Superscript, |_, token, _| token.iter().all(|&character| is_superscript(character))),
        (TokenClass::Unspaced, |_, token, _| token.len() == 1 && is_unspaced(token[0])),
        (TokenClass::Word, is_word),
    ] {
        if let Some(length) = lengths().find(|&length| has_shape(before, &rest[..length], &rest[length..])) {
            return (at + length, class);
        }
    }
    (at + 1, TokenClass::Symbol)
}

/// Returns whether a token is `[…]` or `<tag>`: at most 40 characters inside, on one line, and not before a letter.
fn is_annotation(_: &[char], token: &[char], after: &[char]) -> bool {
    let inside = match token {
        ['[', inside @ .., ']'] if !inside.is_empty() && !inside.contains(&'[') && !inside.contains(&']') => inside,
        ['<', inside @ .., '>'] if !inside.contains(&'>') => {
            if !inside.first().is_some_and(|&first| first.is_alphabetic() || first == '/') {
                return false;
            }
            inside
        }
        _ => return false,
    };
    inside.len() < 40 && !inside.contains(&'\n') && !after.first().is_some_and(|next| next.is_alphabetic())
}

/// Returns whether a token is one fraction character, or runs of digits with single separators between, optionally
/// after a point.
fn is_number(before: &[char], token: &[char], after: &[char]) -> bool {
    if let [fraction] = token
        && matches!(fraction, '¼' | '½' | '¾' | '\u{2150}'..='\u{215E}')
    {
        return true;
    }
    let token = match token {
        ['.', rest @ ..] if !before.last().is_some_and(|letter| letter.is_alphanumeric()) => {
            if !rest.first().is_some_and(char::is_ascii_digit) {
                return false;
            }
            rest
        }
        _ => token,
    };
    // A longer run of digits is the token, not its prefix.
    if after.first().is_some_and(|&next| is_digit(next)) {
        return false;
    }
    let mut runs: Vec<(Option<char>, usize)> = vec![(None, 0)];
    for &character in token {
        match runs.last_mut() {
            Some((_, count)) if is_digit(character) => *count += 1,
            Some((_, count)) if *count > 0 => runs.push((Some(character), 0)),
            _ => return false,
        }
    }
    let mut has_point = false;
    runs.iter().enumerate().all(|(index, &(separator, count))| {
        let is_followed_by_word =
            index + 1 == runs.len() && after.first().is_some_and(|&next| is_letter(next) && !is_unspaced(next));
        let fits = match separator {
            None => count > 0,
            Some(',' | '.' | '\'' | '\u{2019}' | '\u{66B}' | '\u{66C}') => count > 0,
            Some(':' | '：') => count == 2,
            Some('，') => count == 3,
            // Thousands after spaces.
            Some(' ' | '\u{A0}' | '\u{202F}' | '\u{2009}') => {
                count == 3 && runs[0].1 <= 3 && !has_point && !is_followed_by_word
            }
            Some(_) => false,
        };
        has_point |= matches!(separator, Some(',' | '.'));
        fits
    })
}

/// Returns whether a token is letters with apostrophes between; single letters with points between; or letters after
/// an apostrophe at the start of a word.
fn is_word(before: &[char], token: &[char], after: &[char]) -> bool {
    let is_next_letter = after.first().is_some_and(|&next| is_letter(next));
    let is_clitic = token.len() > 1
        && is_apostrophe(token[0])
        && !"‘‛".contains(token[0])
        && before.last() == Some(&' ')
        && token[1].is_lowercase()
        && token[1..].iter().take_while(|&&letter| is_letter(letter)).count() <= 2
        && {
            let letters = token[1..].iter().take_while(|&&letter| is_letter(letter)).count();
            let next = token.get(1 + letters).or_else(|| after.first().filter(|_| token.len() == 1 + letters));
            let is_vowel = letters == 1 && "aeiou".contains(token[1]);
            !is_vowel && !next.is_some_and(|&next| is_apostrophe(next) || is_letter(next))
        };
    if !(is_letter(token[0]) || token[0] == '°' || is_clitic) {
        return false;
    }
    is_abbreviation(token, after) || (!is_next_letter && has_letters_and_apostrophes(token))
}

/// Returns whether each apostrophe is between two letters: `don't`.
fn has_letters_and_apostrophes(token: &[char]) -> bool {
    (1..token.len()).all(|index| {
        is_letter(token[index])
            || (is_apostrophe(token[index])
                && token[index - 1].is_alphabetic()
                && token.get(index + 1).is_some_and(|&next| is_letter(next)))
    })
}

/// Returns whether a token is single letters with points between, and a point after the last one unless something
/// else follows it: `p.m.`, `U.S`, `U.S.'s`.
fn is_abbreviation(token: &[char], after: &[char]) -> bool {
    let mut singles = 0;
    let mut rest = token;
    while let [letter, '.', behind @ ..] = rest
        && (is_letter(*letter) || (singles == 0 && *letter == '°'))
        && behind.first().is_some_and(|&next| is_letter(next))
        && !behind.get(1).or_else(|| after.first().filter(|_| behind.len() == 1)).is_some_and(|&next| is_letter(next))
    {
        singles += 1;
        rest = behind;
    }
    match rest {
        _ if singles == 0 => false,
        [letter, '.'] => is_letter(*letter),
        [_, ..] => !after.first().is_some_and(|&next| is_letter(next)) && has_letters_and_apostrophes(rest),
        [] => false,
    }
}

fn is_letter(character: char) -> bool {
    character == '_' || (character.is_alphabetic() && !is_unspaced(character)) || is_combining_mark(character)
}

fn is_apostrophe(character: char) -> bool {
    "'’‘‛ʼ′`´".contains(character)
}

fn is_invisible(character: char) -> bool {
    "\u{AD}\u{34F}\u{61C}\u{180E}\u{200B}\u{200C}\u{200D}\u{200E}\u{200F}\u{FEFF}".contains(character)
        || ('\u{2060}'..='\u{2064}').contains(&character)
        || ('\u{FE00}'..='\u{FE0F}').contains(&character)
}

fn is_superscript(character: char) -> bool {
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻".contains(character)
}

/// Returns whether a character is an ASCII, Arabic, Persian, Devanagari or full-width digit, or a subscript.
fn is_digit(character: char) -> bool {
    ['0', '٠', '۰', '०', '０', '₀']
        .iter()
        .any(|&zero| (0..10).any(|digit| char::from_u32(zero as u32 + digit) == Some(character)))
}

/// Returns whether a character is Han, kana, Bopomofo, Thai, Lao, Khmer or Myanmar.
fn is_unspaced(character: char) -> bool {
    let blocks = [
        '\u{0E00}'..='\u{0EFF}',
        '\u{1000}'..='\u{109F}',
        '\u{1780}'..='\u{17FF}',
        '\u{2E80}'..='\u{2FDF}',
        '\u{3005}'..='\u{3007}',
        '\u{3021}'..='\u{312F}',
        '\u{31A0}'..='\u{31BF}',
        '\u{31F0}'..='\u{31FF}',
        '\u{3400}'..='\u{4DBF}',
        '\u{4E00}'..='\u{9FFF}',
        '\u{F900}'..='\u{FAFF}',
        '\u{FF66}'..='\u{FF9F}',
        '\u{20000}'..='\u{3FFFF}',
    ];
    blocks.iter().any(|block| block.contains(&character))
}

/// Returns the folded form: lower-case NFKC, straight apostrophes, Arabic letters without diacritics and variants, no
/// point after a word.
fn form(written: &[char], class: TokenClass) -> String {
    let straight = written.iter().map(|&character| if is_apostrophe(character) { '\'' } else { character });
    let mut form = String::new();
    for character in straight.flat_map(|character| std::iter::once(character).nfkc()).flat_map(char::to_lowercase) {
        match character {
            'ё' => form.push('е'),
            'أ' | 'إ' | 'آ' | 'ٱ' => form.push('ا'),
            'ى' => form.push('ي'),
            '\u{640}' | '\u{64B}'..='\u{652}' | '\u{670}' => {}
            '٫' => form.push('.'),
            '٬' => form.push(','),
            'μ' => form.push('µ'),
            _ if is_digit(character) && !character.is_ascii() => {
                let zero = ['٠', '۰', '०'].into_iter().rfind(|&zero| zero <= character).expect("NFKC has the others");
                form.extend(char::from_digit(u32::from(character) - u32::from(zero), 10));
            }
            _ => form.push(character),
        }
    }
    let mut form: String = form.nfc().collect();
    if class == TokenClass::Word && form.ends_with('.') {
        form.pop();
    }
    form
}

#[test]
fn the_tokens_are_known() {
    for (text, expected) in [
        ("Don’t pay 1,240 kg.", "don't|pay|1,240|kg|."),
        ("at 5 p.m. in the U.S.Army", "at|5|p.m|in|the|u.s|army"),
        ("J. R. 's x.5 .5", "j|.|r|.|'s|x|.|5|.5"),
        ("1 240 000, 2019 100 a 1 240kg", "1 240 000|,|2019|100|a|1|240|kg"),
        ("[laughs] <b>x</b> [un]happy x < y", "[laughs]|<|b|>|x|</b>|[|un|]|happy|x|<|y"),
        ("10⁶ m² ½ 8.5°C", "10|6|m|2|1⁄2|8.5|°c"),
        ("他有5只 ١٢ كِتاب", "他|有|5|只|12|كتاب"),
        ("do\u{200B}n't", "don't"),
    ] {
        let text: Vec<char> = text.chars().collect();
        let forms: Vec<String> = tokens(&text).into_iter().map(|token| token.form).collect();
        assert_eq!(expected, forms.join("|"));
    }
}
