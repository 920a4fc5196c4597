//! The differences between a quote and a passage.

use groundwire_engine::Text;
use groundwire_language::Language;
use groundwire_language::compare::{DifferenceKind, differences, word_occurs};
use proptest::prelude::*;

use crate::{adversarial_text, config, lexicon, read};

fn kinds(quote: &str, passage: &str, language: Language) -> Vec<DifferenceKind> {
    let (quote, passage) = (read(quote, language), read(passage, language));
    let lexicon = lexicon(language);
    let terms = 0..passage.terms.len();
    differences(&quote, &passage, terms, lexicon, &|_| false).into_iter().map(|each| each.kind).collect()
}

fn is_same(quote: &str, passage: &str) -> bool {
    let harmless = [
        DifferenceKind::Filler,
        DifferenceKind::Spelling,
        DifferenceKind::WordAdded,
        DifferenceKind::WordDropped,
        DifferenceKind::WordReplaced,
    ];
    kinds(quote, passage, Language::English).iter().all(|kind| harmless.contains(kind))
}

#[test]
fn equivalent_wording_does_not_differ() {
    for (quote, passage) in [
        ("The bakery sold 1,450 loaves.", "The bakery sold 1450 loaves."),
        ("She ran twelve kilometres.", "She ran 12 km."),
        ("It weighs 2.5 kilograms.", "It weighs 2.5 kg."),
        ("The fine was $250.", "The fine was 250 dollars."),
        ("Sales grew by 7 percent.", "Sales grew by 7%."),
        ("They met on March 3, 1994.", "They met on 3 March 1994."),
        ("The gate shuts at 6:15 p.m.", "The gate shuts at 18:15."),
        ("He can't swim and won't learn.", "He cannot swim and will not learn."),
        ("Doctor Lee called.", "Dr. Lee called."),
        ("Pius the Ninth signed it.", "Pius IX signed it."),
        ("A quarter of a million people marched.", "250,000 people marched."),
        ("The grey harbour was quiet.", "The gray harbor was quiet."),
        ("We left early.", "We, um, we left early."),
        ("The libary was closed.", "The library was closed."),
        ("It takes 3–4 weeks.", "It takes three to four weeks."),
        ("the third edition", "the 3rd edition"),
        ("Room number 7 is damp.", "Room no. 7 is damp."),
        ("The mill was not any bigger.", "The mill wasn't any bigger."),
        ("She calls it “a long nap”.", "She calls it ‘a long nap’."),
        ("The drill reached 90 decibels.", "The drill reached 90 dB."),
        ("They ate at ten past nine.", "They ate at 9:10."),
    ] {
        assert!(is_same(quote, passage), "{quote} / {passage}: {:?}", kinds(quote, passage, Language::English));
    }
}

#[test]
fn each_difference_in_meaning_has_its_kind() {
    use DifferenceKind::{Condition, Date, Modal, Name, Negation, Number, Quantifier, Time, Unit, Wording};
    for (quote, passage, kind) in [
        ("The bakery sold 1,540 loaves.", "The bakery sold 1,450 loaves.", Number),
        ("She ran 12 miles.", "She ran 12 km.", Unit),
        ("The fine was €250.", "The fine was $250.", Unit),
        ("They met in May 1994.", "They met in March 1994.", Date),
        ("We moved last year.", "We moved this year.", Date),
        ("The gate shuts at 7:15 p.m.", "The gate shuts at 18:15.", Time),
        ("He can swim.", "He can't swim.", Negation),
        ("Prices fell sharply.", "Prices rose sharply.", Negation),
        ("The bridge is unsafe.", "The bridge is safe.", Negation),
        ("You may leave.", "You must leave.", Modal),
        ("It usually works.", "It always works.", Modal),
        ("Most guests left.", "All guests left.", Quantifier),
        ("It opens on Sundays.", "It opens only on Sundays.", Quantifier),
        ("We go if it rains.", "We go although it rains.", Condition),
        ("Judge Lee called.", "Dr. Lee called.", Name),
        ("Anna Berger wrote it.", "Anna Bergman wrote it.", Name),
        ("The painting was stolen.", "The painting was sold.", Wording),
        ("The old painting was sold.", "The painting was sold.", Wording),
        ("Kim hired Lou.", "Lou hired Kim.", Name),
        ("Dario Ferrat wrote it.", "Daria Ferrat wrote it.", Name),
        ("It costs from £3 to €8.", "It costs from £3 to £8.", Number),
        ("The wall is unplastered.", "The wall is plastered.", Negation),
        ("All but one of the goats came.", "Every one of the goats came.", Quantifier),
    ] {
        assert!(
            kinds(quote, passage, Language::English).contains(&kind),
            "{quote} / {passage}: {:?}",
            kinds(quote, passage, Language::English)
        );
    }
}

#[test]
fn other_languages_have_the_same_kinds() {
    use DifferenceKind::{Negation, Number};
    for (quote, passage, language, kind) in [
        ("Er kommt heute.", "Er kommt heute nicht.", Language::German, Some(Negation)),
        ("Sie zahlte 25 Euro.", "Sie zahlte fünfundzwanzig Euro.", Language::German, None),
        ("Elle mange du poisson.", "Elle ne mange pas de poisson.", Language::French, Some(Negation)),
        ("Tiene tres hijos.", "Tiene 3 hijos.", Language::Spanish, None),
        ("Tiene cuatro hijos.", "Tiene tres hijos.", Language::Spanish, Some(Number)),
        ("Он продал 7 книг.", "Он продал 9 книг.", Language::Russian, Some(Number)),
        ("他买了三本书。", "他买了3本书。", Language::Chinese, None),
        ("他买了五本书。", "他买了3本书。", Language::Chinese, Some(Number)),
        ("他不喜欢茶。", "他喜欢茶。", Language::Chinese, Some(Negation)),
    ] {
        let found = kinds(quote, passage, language);
        match kind {
            Some(kind) => assert!(found.contains(&kind), "{quote} / {passage}: {found:?}"),
            None => assert!(
                found.iter().all(|each| *each <= DifferenceKind::WordReplaced),
                "{quote} / {passage}: {found:?}"
            ),
        }
    }
}

#[test]
fn other_forms_of_a_value_do_not_differ() {
    use Language::{Chinese, English, French, German};
    for (quote, passage, language, is_same) in [
        ("The channel has 80k members.", "The channel has 80,000 members.", English, true),
        ("The coil was cooled to 80 K.", "The coil was cooled to 80 kelvin.", English, true),
        ("He moved in his 40's.", "He moved in his forties.", English, true),
        ("Trams ran in the '60s.", "Trams ran in the sixties.", English, true),
        ("The kiln was built in '21.", "The kiln was built in 2021.", English, true),
        ("The kiln was built in '74.", "The kiln was built in 1974.", English, true),
        ("The kiln was built in '21.", "The kiln was built in 2020.", English, false),
        ("The WHO sent a team.", "The World Health Organization sent a team.", English, true),
        ("The bill passed by 8 to 5.", "The bill passed by 8 to 4.", English, false),
        ("Le pont date du XIVe siècle.", "Le pont date du 14e siècle.", French, true),
        ("Die Messe beginnt am 14.7. in Köln.", "Die Messe beginnt am 14. Juli in Köln.", German, true),
        ("Die Messe beginnt am 14.7. in Köln.", "Die Messe beginnt am 14. Juni in Köln.", German, false),
        ("他们俩走了。", "他们两个走了。", Chinese, true),
        ("火车十六时四十分到。", "火车16:40到。", Chinese, true),
        ("火车十六时四十分到。", "火车16:14到。", Chinese, false),
        ("他等了半小时。", "他等了0.5小时。", Chinese, true),
        ("他等了半个小时。", "他等了半小时。", Chinese, true),
        ("他等了半小时。", "他等了一小时。", Chinese, false),
    ] {
        let found = kinds(quote, passage, language);
        let differs = found.iter().any(|kind| *kind > DifferenceKind::WordReplaced);
        assert_eq!(differs, !is_same, "{quote} / {passage}: {found:?}");
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn differences_are_inside_both_texts(quote in adversarial_text(), passage in adversarial_text()) {
        let lexicon = lexicon(Language::English);
        let (lengths, readings) = (
            (quote.chars().count() as u32, passage.chars().count() as u32),
            (read(&quote, Language::English), read(&passage, Language::English)),
        );
        let terms = 0..readings.1.terms.len();
        for each in differences(&readings.0, &readings.1, terms, lexicon, &|_| false) {
            prop_assert!(each.quote.0 <= each.quote.1 && each.quote.1 <= lengths.0);
            prop_assert!(each.passage.0 <= each.passage.1 && each.passage.1 <= lengths.1);
        }
    }
    #[test]
    fn a_word_occurs_where_the_lower_case_text_has_it_whole(
        // U+212A is the Kelvin sign, whose lower case is an ASCII letter.
        word in "[a-ceké]{1,3}",
        text in "([a-cekéA-CEKÉ]{0,3}[ ,.'1\u{212A}]?){0,12}",
        padding in 0..300_usize,
        tail in prop_oneof![Just(""), Just("“"), Just("𝒳")],
    ) {
        let text = format!("{}{text} {tail}", " ".repeat(padding));
        let lower = text.to_lowercase();
        let expected = lower.split(|character: char| !character.is_alphanumeric()).any(|each| each == word);
        prop_assert_eq!(word_occurs(Text::from(text.as_str()).units(), &word), expected);
    }
}
