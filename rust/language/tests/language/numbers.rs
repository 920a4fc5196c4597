//! Numbers in words and digits, against the spellers and grammars of four languages.

use groundwire_language::number::{Number, parse_digits, parse_roman};
use groundwire_language::term::{Quantity, Value};
use groundwire_language::{Language, Term};
use proptest::prelude::*;

use crate::oracle::numbers::{Choice, digits_value, english_value, roman_value, spell, spell_ordinal};
use crate::{config, read};

/// Returns the only number of a text, if it spans the whole text.
fn number(text: &str, language: Language) -> Option<Quantity> {
    match numbers(text, language).as_slice() {
        [(quantity, 0, end)] if *end == text.chars().count() => Some(quantity.clone()),
        _ => None,
    }
}

/// Returns the numbers of a text with their start and end.
fn numbers(text: &str, language: Language) -> Vec<(Quantity, usize, usize)> {
    let terms = read(text, language).terms;
    let quantity =
        |value: Option<Value>| if let Some(Value::Quantity(quantity)) = value { Some(*quantity) } else { None };
    let number = |term: Term| Some((quantity(term.value)?, term.start as usize, term.end as usize));
    terms.into_iter().filter_map(number).collect()
}

fn whole(value: u64) -> Quantity {
    let value = Number::new(i128::from(value), 1).expect("one is not zero");
    Quantity { low: value, high: value, unit: "".into(), is_ordinal: false }
}

/// Numbers of all sizes below a billion, including round ones.
fn values() -> impl Strategy<Value = u64> {
    let groups = prop_oneof![
        Just(0),
        Just(1),
        2..100_u64,
        1..10_u64,
        (1..10_u64).prop_map(|hundreds| hundreds * 100),
        0..1_000_u64
    ];
    (groups.clone(), groups.clone(), groups)
        .prop_map(|(millions, thousands, ones)| millions * 1_000_000 + thousands * 1_000 + ones)
}

fn spelt_languages() -> impl Strategy<Value = Language> {
    prop::sample::select(vec![Language::English, Language::German, Language::French, Language::Spanish])
}

proptest! {
    #![proptest_config(config(8_000))]

    #[test]
    fn a_number_in_words_has_its_value(value in values(), language in spelt_languages(), choice in any::<u32>()) {
        let spelt = spell(language, value, &mut Choice(choice));
        // The word for one alone is also an article.
        prop_assume!(value != 1);
        prop_assert_eq!(number(&spelt, language), Some(whole(value)), "{}", spelt);
    }

    #[test]
    fn an_ordinal_in_words_has_its_value(
        value in 1..1_000_u64,
        language in prop::sample::select(vec![Language::English, Language::German, Language::French]),
        choice in any::<u32>(),
    ) {
        let spelt = spell_ordinal(language, value, &mut Choice(choice));
        // "A hundredth" and "deux centième" are fractions.
        prop_assume!(spelt != "a hundredth" && !spelt.ends_with("centième"));
        prop_assert_eq!(number(&spelt, language), Some(Quantity { is_ordinal: true, ..whole(value) }), "{}", spelt);
    }

    #[test]
    fn number_words_in_any_order_are_one_number_if_the_grammar_says_so(
        words in prop::collection::vec(
            prop::sample::select(vec!["one", "two", "seven", "twelve", "twenty", "ninety", "hundred", "thousand", "million", "and"]),
            1..8,
        ),
        has_article in any::<bool>(),
    ) {
        let words: Vec<&str> = has_article.then_some("a").into_iter().chain(words).collect();
        let scale = |word: &str| ["hundred", "thousand", "million"].iter().position(|&scale| scale == word);
        // "A million million" is a number, but not a single group.
        let is_repeated = |two: &[&str]| scale(two[1]).is_some_and(|second| scale(two[0]).is_some_and(|first| first >= second));
        if words.windows(2).any(is_repeated) {
            return Ok(());
        }
        let text = words.join(" ");
        prop_assert_eq!(number(&text, Language::English), english_value(&words).map(whole), "{}", text);
    }

    #[test]
    fn a_fraction_is_a_part_of_its_whole(count in 1..20_usize, part in prop::sample::select(vec![3, 4, 5, 6, 7, 8, 9, 10])) {
        let names = ["third", "quarter", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
        let plural = if count == 1 { "" } else { "s" };
        let count_in_words = spell(Language::English, count as u64, &mut Choice(0));
        let expected = Number::new(count as i128, part as i128);
        for text in [format!("{count_in_words} {}{plural}", names[part - 3]), format!("{count}/{part}")] {
            let read = number(&text, Language::English).map(|number| number.low);
            prop_assert_eq!(read, expected, "{}", text);
        }
    }

    #[test]
    fn a_range_has_both_its_ends(low in 2..900_u64, more in 1..900_u64, choice in any::<u32>()) {
        let high = low + more;
        let [low_in_words, high_in_words] = [low, high].map(|end| spell(Language::English, end, &mut Choice(choice & !1)));
        let expected = Quantity { high: whole(high).high, ..whole(low) };
        for text in [
            format!("{low}–{high}"),
            format!("{low} to {high}"),
            format!("between {low} and {high}"),
            format!("from {low_in_words} to {high_in_words}"),
        ] {
            prop_assert_eq!(number(&text, Language::English), Some(expected.clone()), "{}", text);
        }
    }

    #[test]
    fn a_decade_has_ten_years(century in 10..21_u64, decade in 2..10_u64) {
        let years = |first: u64| vec![(whole(first).low, whole(first + 9).low)];
        let (long, short) = (century * 100 + decade * 10, decade * 10);
        for (text, first) in [
            (format!("the {long}s"), long),
            (format!("the {long}'s"), long),
            (format!("the {short}s"), short),
            (format!("the '{short}s"), short),
            (format!("her {short}'s"), short),
        ] {
            let read: Vec<_> = numbers(&text, Language::English).into_iter().map(|(number, ..)| (number.low, number.high)).collect();
            prop_assert_eq!(read, years(first), "{}", text);
        }
    }

    #[test]
    fn digits_with_separators_have_their_value(written in "[0-9]{0,4}([ ,.'][0-9]{1,3}){0,3}", is_comma in any::<bool>()) {
        let mark = if is_comma { ',' } else { '.' };
        let expected = digits_value(&written, mark).and_then(|(numerator, denominator)| Number::new(numerator, denominator));
        prop_assert_eq!(parse_digits(&written, mark), expected, "{}", written);
    }

    #[test]
    fn a_roman_numeral_is_the_one_that_is_spelt_so(written in "[IVXLC]{0,9}") {
        prop_assert_eq!(parse_roman(&written), roman_value(&written));
    }
}

#[test]
fn every_roman_numeral_below_400_is_read() {
    let all = (1..400).filter(|&value| {
        let spelt: String =
            [("C", 100), ("XC", 90), ("L", 50), ("XL", 40), ("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1)]
                .iter()
                .scan(value, |rest, &(letters, worth)| {
                    let count = *rest / worth;
                    *rest %= worth;
                    Some(letters.repeat(count as usize))
                })
                .collect();
        parse_roman(&spelt) == Some(value) && roman_value(&spelt) == Some(value)
    });
    assert_eq!(all.count(), 399);
}

#[test]
fn numbers_in_words_are_read_in_sentences() {
    use Language::{English, French, German, Russian, Spanish};
    for (text, language, expected) in [
        ("The dam holds two thousand five hundred million litres.", English, vec![2_500_000_000]),
        ("She counted two hundred three hundred times ago.", English, vec![200, 300]),
        ("Prices lie between two thousand and three thousand.", English, vec![2_000]),
        ("A hundred and one goats crossed the pass.", English, vec![101]),
        ("Two hundred a month is enough.", English, vec![200]),
        ("The clip has 80k views.", English, vec![80_000]),
        ("Le chœur compte deux cent un membres du XIVe siècle.", French, vec![201, 14]),
        ("Il reste quatre vingt chaises et mille deux cents tables.", French, vec![80, 1_200]),
        ("Cent vingt et un mille abonnés sont restés.", French, vec![121_000]),
        ("El tren lleva treinta y cinco vagones.", Spanish, vec![35]),
        ("Llegaron doscientos un mil peregrinos.", Spanish, vec![201_000]),
        ("Die Stiftung gab eine Milliarde eine Million aus.", German, vec![1_001_000_000]),
        ("Der zweihundertfünfte Gast war ein hundertster Zeuge.", German, vec![205, 100]),
        ("Im Archiv liegen dreitausendvierhundertsieben Briefe.", German, vec![3_407]),
        ("В зале было тысяча двести мест.", Russian, vec![1_200]),
    ] {
        let values = numbers(text, language);
        let lows: Vec<Number> = values.iter().map(|number| number.0.low).collect();
        let expected: Vec<Number> = expected.into_iter().map(Number::from_integer).collect();
        assert_eq!(lows, expected, "{text}: {values:?}");
    }
}

#[test]
fn a_range_without_a_word_in_front_goes_up() {
    for (text, language, expected) in [
        ("8 to 5", Language::English, vec![(8, 8), (5, 5)]),
        ("5 to 8", Language::English, vec![(5, 8)]),
        ("from 8 to 5", Language::English, vec![(8, 5)]),
        ("XIVe siècle au 14e siècle", Language::French, vec![(14, 14), (14, 14)]),
        ("du XIVe au XVIe siècle", Language::French, vec![(14, 16)]),
    ] {
        let read: Vec<_> = numbers(text, language).into_iter().map(|(number, ..)| (number.low, number.high)).collect();
        let expected: Vec<_> =
            expected.into_iter().map(|(low, high)| (Number::from_integer(low), Number::from_integer(high))).collect();
        assert_eq!(read, expected, "{text}");
    }
}
