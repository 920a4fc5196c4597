//! The reading of a text, term by term.

use groundwire_engine::{Never, TextRef};
use groundwire_language::claim::{PreparedReading, Status, assess};
use groundwire_language::compare::differences;
use groundwire_language::{Language, Reading, Term, TermKind};
use proptest::prelude::*;
use unicode_normalization::char::is_combining_mark;

use crate::oracle::tokens::tokens;
use crate::{READER, codes, config, hostile, languages, lexicon, read};

#[test]
fn names_are_told_from_the_first_word_of_a_sentence() {
    let reading = read("Yesterday Tom Reed met Dr. Hana Sato. Nobody spoke.", Language::English);
    let names: Vec<&str> =
        reading.terms.iter().filter(|term| term.kind == TermKind::Name).map(|term| reading.form(term)).collect();
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
        assert_eq!(READER.detect(TextRef::Ucs4(&codes(text))).expect("it can be detected"), language, "{text}");
    }
}

/// Formats each term of a reading with its fields.
fn shown(reading: &Reading) -> Vec<String> {
    let show = |term: &Term| {
        let Term { kind, start, end, sentence, clause, key, value, .. } = term;
        format!("{kind:?} {start}..{end} {sentence} {clause} {key} {value:?} {}", reading.form(term))
    };
    reading.terms.iter().map(show).collect()
}

/// Plain sentences with numbers, dates, names and negations.
pub(crate) fn sentence() -> impl Strategy<Value = String> {
    let subject =
        prop::sample::select(vec!["The old mill", "Rosa Lind", "Our baker", "The council", "Dr. Adler", "She"]);
    let verb = prop::sample::select(vec!["bought", "did not sell", "repaired", "never saw", "painted", "wanted"]);
    let object = prop::sample::select(vec![
        "two hundred and five boats",
        "1,240 kg of flour",
        "the third house",
        "a red door",
        "80k euros",
        "nothing",
        "half a million bricks",
        "her father's clock",
    ]);
    let when = prop::sample::select(vec![
        "",
        " on 3 March 1994",
        " at 6:15 p.m.",
        " in the 40's",
        " in '21",
        " after the storm",
        " because it rained",
    ]);
    (subject, verb, object, when).prop_map(|(subject, verb, object, when)| format!("{subject} {verb} {object}{when}."))
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
        let (one, two) = (PreparedReading::new(one, lexicon), PreparedReading::new(two, lexicon));
        let found = assess(&one, &two, lexicon, READER.lexicons());
        prop_assert_ne!(found.status, Status::Contradicted);
    }


    #[test]
    fn a_term_is_in_the_sentence_that_holds_it_and_has_the_form_of_its_tokens(
        text in prop_oneof![hostile(), any::<String>(), sentence()],
        language in languages(),
    ) {
        let reading = read(&text, language);
        let characters: Vec<char> = text.chars().collect();
        let sentences = &reading.sentences;
        for (place, character) in characters.iter().enumerate().map(|(place, &character)| (place as u32, character)) {
            let holding = sentences.iter().filter(|span| span.0 <= place && place < span.1).count();
            prop_assert!(holding == 1 || (holding == 0 && (!character.is_alphanumeric() || is_combining_mark(character))), "{place} in {sentences:?}");
        }
        let tokens = tokens(&characters);
        for term in &reading.terms {
            // A sentence does not begin inside a token, although a mark after a full stop begins one.
            let token = tokens.iter().rfind(|token| token.start <= term.start as usize);
            let begin = token.map_or(0, |token| token.start as u32);
            let begun = sentences.iter().filter(|span| span.0 <= begin).count();
            prop_assert_eq!(term.sentence as usize, begun.saturating_sub(1));
            let (start, end) = (term.start as usize, term.end as usize);
            // A contraction is one token and several terms.
            if tokens.iter().any(|token| token.start == start) && tokens.iter().any(|token| token.end == end) {
                let forms: Vec<&str> =
                    tokens.iter().filter(|token| start <= token.start && token.end <= end).map(|token| token.form.as_str()).collect();
                let is_contraction = forms.len() == 1 && forms[0] != reading.form(term);
                prop_assert!(is_contraction || forms.join(" ") == reading.form(term), "{:?} {}", forms, reading.form(term));
            }
        }
    }

    #[test]
    fn a_text_reads_the_same_twice_and_in_every_width(text in prop_oneof![hostile(), sentence()], language in languages()) {
        let wide = codes(&text);
        let expected = shown(&read(&text, language));
        let again = READER.read(TextRef::Ucs4(&wide), language, &Never).expect("nobody stops it");
        prop_assert_eq!(shown(&again), expected.clone());
        let pairs: Vec<u16> = wide.iter().filter_map(|&code| u16::try_from(code).ok()).collect();
        if pairs.len() == wide.len() {
            let read = READER.read(TextRef::Ucs2(&pairs), language, &Never).expect("nobody stops it");
            prop_assert_eq!(shown(&read), expected);
        }
    }

    #[test]
    fn a_sentence_reads_the_same_whatever_follows(sentences in prop::collection::vec(sentence(), 2..5)) {
        let first = shown(&read(&sentences[0], Language::English));
        let all = shown(&read(&sentences.join(" "), Language::English));
        prop_assert_eq!(&all[..first.len()], &first[..]);
    }

    #[test]
    fn an_invisible_character_changes_nothing(
        text in prop_oneof![hostile(), sentence()],
        places in prop::collection::vec(any::<prop::sample::Index>(), 1..6),
        language in languages(),
    ) {
        let mut characters: Vec<char> = text.chars().filter(|&character| character != '\u{200B}').collect();
        prop_assume!(!characters.is_empty());
        let plain: String = characters.iter().collect();
        for place in places {
            characters.insert(place.index(characters.len()), '\u{2060}');
        }
        let hidden: String = characters.iter().collect();
        let says = |reading: &Reading| -> Vec<_> {
            reading.terms.iter().map(|term| (term.kind, term.key, reading.form(term).to_owned())).collect()
        };
        let (hidden, plain) = (read(&hidden, language), read(&plain, language));
        // The sentence splitter may differ: at another sentence start, a name begins differently.
        if hidden.sentences.len() == plain.sentences.len() {
            prop_assert_eq!(says(&hidden), says(&plain));
        }
    }
}
