//! The tokeniser, against a second one that tries every length of every token.

use groundwire_engine::TextRef;
use groundwire_language::token::Tokens;
use proptest::prelude::*;

use crate::codes;
use crate::config;
use crate::oracle::tokens::{Token, tokens};

/// Letters, digits, punctuation, scripts without spaces, Arabic, combining marks, emoji, invisible characters and
/// spaces of all kinds.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select("abyzINSTéßÉ_ÅДёıİ°".chars().collect::<Vec<_>>()).prop_map(String::from),
        4 => prop::sample::select("0123456789".chars().collect::<Vec<_>>()).prop_map(String::from),
        4 => prop::sample::select(".,'’:-/()[]<>`´′…!?$%&*；，：。「」".chars().collect::<Vec<_>>()).prop_map(String::from),
        3 => prop::sample::select(" \t\n\u{A0}\u{2009}\u{202F}\u{3000}".chars().collect::<Vec<_>>()).prop_map(String::from),
        2 => prop::sample::select("中三ガ々ﾊ가ทಕ١۲३４₅²⁶⁻½⅔μﬁⅧ٫٬أىـَ\u{301}\u{308}\u{1100}\u{1161}".chars().collect::<Vec<_>>()).prop_map(String::from),
        1 => prop::sample::select("\u{AD}\u{200B}\u{200D}\u{FE0F}😀👩".chars().collect::<Vec<_>>()).prop_map(String::from),
        1 => prop::sample::select(vec!["p.m.", "U.S.", "don't", " 's", "l’", "1,240", " 000", "18:30", "[x]", "<b>"]).prop_map(String::from),
    ];
    prop_oneof![4 => prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat()), 1 => any::<String>()]
}

fn read(text: TextRef<'_>) -> Vec<Token> {
    let tokens = Tokens::new(text);
    let token = |(index, token): (usize, &groundwire_language::token::Token)| Token {
        start: token.start as usize,
        end: token.end as usize,
        class: token.class,
        form: tokens.form(index).to_owned(),
        is_capitalised: token.is_capitalised,
        is_all_caps: token.is_all_caps,
        is_adjacent: token.is_adjacent,
        has_full_stop: token.has_full_stop,
    };
    tokens.iter().enumerate().map(token).collect()
}

proptest! {
    #![proptest_config(config(8_000))]

    #[test]
    fn tokens_are_the_longest_pieces_with_the_shape_of_one(text in texts()) {
        let characters: Vec<char> = text.chars().collect();
        let codes = codes(&text);
        let expected = tokens(&characters);
        prop_assert_eq!(&read(TextRef::Ucs4(&codes)), &expected);
        if let Ok(units) = codes.iter().map(|&code| u16::try_from(code)).collect::<Result<Vec<_>, _>>() {
            prop_assert_eq!(&read(TextRef::Ucs2(&units)), &expected);
        }
        if let Ok(units) = codes.iter().map(|&code| u8::try_from(code)).collect::<Result<Vec<_>, _>>() {
            prop_assert_eq!(&read(TextRef::Ucs1(&units)), &expected);
        }
    }
}
