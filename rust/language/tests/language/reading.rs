//! What a text says, term by term.

use groundwire_engine::text::Units;
use groundwire_language::claim::{Prepared, Status, assess};
use groundwire_language::compare::differences;
use groundwire_language::{Kind, Language};
use proptest::prelude::*;

use crate::{READER, codes, config, hostile, languages, lexicon, read};

#[test]
fn names_are_told_from_the_first_word_of_a_sentence() {
    let reading = read("Yesterday Tom Reed met Dr. Hana Sato. Nobody spoke.", Language::English);
    let names: Vec<&str> =
        reading.terms.iter().filter(|term| term.kind == Kind::Name).map(|term| reading.form(term)).collect();
    assert_eq!(names, ["tom", "reed", "hana", "sato"]);
}

#[test]
fn the_language_is_that_of_the_script_and_the_frequent_words() {
    for (text, language) in [
        ("The cat sat on the mat and slept.", Language::English),
        ("Die Katze liegt auf der Matte und schläft.", Language::German),
        ("Le chat est sur le tapis et il dort.", Language::French),
        ("El gato está en la alfombra y duerme.", Language::Spanish),
        ("Кошка спит на ковре.", Language::Russian),
        ("القطة تنام على السجادة", Language::Arabic),
        ("猫在垫子上睡觉。", Language::Chinese),
        ("猫はマットの上で寝ている。", Language::Japanese),
        ("", Language::English),
    ] {
        assert_eq!(READER.detect(Units::U32(&codes(text))).expect("it can be detected"), language, "{text}");
    }
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn any_text_is_read_in_order_within_its_bounds(text in prop_oneof![hostile(), any::<String>()], language in languages()) {
        let reading = read(&text, language);
        let length = text.chars().count() as u32;
        for pair in reading.terms.windows(2) {
            prop_assert!(pair[0].start <= pair[1].start);
            prop_assert!(pair[0].sentence <= pair[1].sentence);
        }
        for term in &reading.terms {
            prop_assert!(term.start < term.end && term.end <= length);
        }
    }

    #[test]
    fn a_text_does_not_differ_from_itself_and_supports_itself(text in hostile(), language in languages()) {
        let lexicon = lexicon(language);
        let (one, two) = (read(&text, language), read(&text, language));
        let terms = 0..two.terms.len();
        prop_assert_eq!(differences(&one, &two, terms, lexicon, &|_| false), vec![]);
        let (one, two) = (Prepared::new(one, lexicon), Prepared::new(two, lexicon));
        let found = assess(&one, &two, lexicon, READER.lexicons());
        prop_assert_ne!(found.status, Status::Contradicted);
    }

}
