//! Folds tokens to the form in which they are compared.

use groundwire_engine::CodeUnit;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::characters::{FIRST_MARK, is_apostrophe};
use super::{TokenClass, character};

/// Appends the folded form of a token.
pub(super) fn fold<T: CodeUnit>(token: &[T], class: TokenClass, folded: &mut String) {
    let first = folded.len();
    for &unit in token {
        let character = character(unit);
        if is_folded_but_for_case(character) {
            folded.push(character.to_ascii_lowercase());
        } else if is_apostrophe(character) {
            folded.push('\'');
        } else {
            std::iter::once(character).nfkc().flat_map(char::to_lowercase).for_each(|each| fold_char(each, folded));
        }
    }
    // Compose letters with their combining marks, and Korean syllables.
    if token.iter().any(|unit| unit.code_point() >= FIRST_MARK)
        && is_nfc_quick(folded[first..].chars()) != IsNormalized::Yes
    {
        let composed: String = folded[first..].nfc().collect();
        folded.truncate(first);
        folded.push_str(&composed);
    }
    if class == TokenClass::Word && folded[first..].ends_with('.') {
        folded.pop();
    }
}

/// Appends the folded form of a lower-case character.
fn fold_char(character: char, folded: &mut String) {
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
        'μ' => folded.push('µ'),
        _ => folded.push(character),
    }
}

/// Returns whether folding changes at most the ASCII case of a character. Most letters of the supported languages
/// qualify.
fn is_folded_but_for_case(character: char) -> bool {
    matches!(character,
        '\0'..='\x7F' if character != '`')
        || matches!(character,
        'à'..='ö' | 'ø'..='ÿ' | 'а'..='я' | 'ا'..='غ' | 'ف'..='و' | 'ي' | '\u{3041}'..='\u{3096}' | '\u{30A1}'..='\u{30FA}'
        | '\u{4E00}'..='\u{9FFF}')
}

/// Returns whether a word consists of lower-case letters only, so that it is one token and its own folded form.
pub(crate) fn is_plain_word(word: &str) -> bool {
    let is_lower_case_letter =
        |letter: char| matches!(letter, 'a'..='z' | 'à'..='ö' | 'ø'..='ÿ' | 'а'..='я' | 'ا'..='غ' | 'ف'..='و' | 'ي');
    !word.is_empty() && word.chars().all(is_lower_case_letter)
}

fn digit(character: char, zero: char) -> char {
    char::from_digit(u32::from(character) - u32::from(zero), 10).unwrap_or(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Tokens;

    #[test]
    fn folding_changes_only_the_case_of_most_letters() {
        for letter in (char::MIN..=char::MAX).filter(|&letter| is_folded_but_for_case(letter)) {
            let mut folded = String::new();
            std::iter::once(letter).nfkc().flat_map(char::to_lowercase).for_each(|each| fold_char(each, &mut folded));
            assert_eq!(folded, letter.to_ascii_lowercase().to_string());
            assert!((letter == '\'' || !is_apostrophe(letter)), "{letter}");
        }
    }

    #[test]
    fn a_plain_word_is_one_token() {
        for word in ["bread", "müde", "élan", "хлеб", "كتاب"] {
            assert!(is_plain_word(word), "{word}");
            let tokens = Tokens::from_string(word);
            assert_eq!((tokens.len(), tokens.form(0)), (1, word));
        }
        for word in ["", "Bread", "don't", "ещё", "أب", "面包"] {
            assert!(!is_plain_word(word), "{word}");
        }
    }
}
