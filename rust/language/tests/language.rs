//! Readings and comparisons of sentences, by the lexicons of the Python package.

use groundwire_engine::Never;
use groundwire_engine::text::Units;
use groundwire_language::claim::{Conflict, Prepared, Status, assess};
use groundwire_language::compare::{DifferenceKind, differences};
use groundwire_language::context::Context;
use groundwire_language::{Kind, Language, LexiconSet, Reader, Reading};
use proptest::prelude::*;

const LEXICONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/groundwire/language/lexicons");

fn reader() -> Reader {
    Reader::new(LexiconSet::new(LEXICONS).expect("the lexicons are there"))
}

fn read(reader: &Reader, text: &str, language: Language) -> Reading {
    let codes: Vec<u32> = text.chars().map(u32::from).collect();
    reader.read(Units::U32(&codes), language, &Never).expect("it can be read")
}

fn kinds(quote: &str, passage: &str, language: Language) -> Vec<DifferenceKind> {
    let reader = reader();
    let (quote, passage) = (read(&reader, quote, language), read(&reader, passage, language));
    let lexicon = reader.lexicons().get(language).expect("it is there");
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

fn status(claim: &str, passage: &str) -> (Status, Option<Conflict>) {
    let reader = reader();
    let lexicon = reader.lexicons().get(Language::English).expect("it is there");
    let claim = Prepared::new(read(&reader, claim, Language::English), lexicon);
    let passage = Prepared::new(read(&reader, passage, Language::English), lexicon);
    let found = assess(&claim, &passage, lexicon, reader.lexicons());
    (found.status, found.conflict.map(|conflict| conflict.0))
}

#[test]
fn the_same_in_another_form_does_not_differ() {
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
    ] {
        assert!(is_same(quote, passage), "{quote} / {passage}: {:?}", kinds(quote, passage, Language::English));
    }
}

#[test]
fn what_says_something_else_has_its_kind() {
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
fn a_claim_needs_every_word_in_its_role() {
    let passage = "The museum in Ghent bought the portrait in 2011 for 40,000 euros. It reopened last May. \
        Visitors may not take photographs unless a guide agrees. Rosa Lind sold the house to Marc Adler.";
    for (claim, expected) in [
        ("The museum in Ghent bought the portrait in 2011.", (Status::Supported, None)),
        ("The portrait was bought in 2011 by the museum in Ghent.", (Status::Supported, None)),
        ("In 2011 the museum in Ghent purchased the portrait.", (Status::Supported, None)),
        ("The museum in Ghent bought the portrait in 2012.", (Status::Contradicted, Some(Conflict::Date))),
        ("The museum in Bruges bought the portrait in 2011.", (Status::Unsupported, None)),
        ("The museum in Ghent stole the portrait in 2011.", (Status::Unsupported, None)),
        ("Visitors may not take photographs.", (Status::Unsupported, None)),
        ("Rosa Lind sold the house to Marc Adler.", (Status::Supported, None)),
        ("Marc Adler sold the house to Rosa Lind.", (Status::Unsupported, None)),
        ("The moon is far away.", (Status::Unsupported, None)),
    ] {
        assert_eq!(status(claim, passage), expected, "{claim}");
    }
}

#[test]
fn a_denial_of_the_same_contradicts_and_of_something_narrower_does_not() {
    assert_eq!(
        status("The pump needs oil.", "The pump does not need oil."),
        (Status::Contradicted, Some(Conflict::Negation))
    );
    assert_eq!(status("She drinks tea.", "She never drinks tea at work.").0, Status::Unsupported);
    assert_eq!(
        status("The noise increased.", "The noise decreased."),
        (Status::Contradicted, Some(Conflict::Opposite))
    );
}

#[test]
fn a_negation_with_that_in_front_of_a_quote_denies_it() {
    let reader = reader();
    let lexicon = reader.lexicons().get(Language::English).expect("it is there");
    for (before, is_denied) in [
        ("It is not true that ", true),
        ("There is no proof that ", true),
        ("We did not stop because ", false),
        ("It is true that ", false),
        ("No. ", false),
        ("", false),
    ] {
        let text = format!("{before}the pump was broken.");
        let reading = read(&reader, &text, Language::English);
        let context = Context::new(Units::U8(text.as_bytes()), reading, lexicon);
        assert_eq!(context.reversed(before.len()).is_some(), is_denied, "{before}");
    }
}

#[test]
fn claims_in_another_tense_voice_or_role_are_not_supported() {
    for (claim, passage, expected) in [
        ("We met every Monday.", "We meet every Monday.", Status::Unsupported),
        ("The bridge is still closed.", "The bridge was still closed.", Status::Unsupported),
        ("Ann said that she met them on Mondays.", "Ann: I meet them on Mondays.", Status::Supported),
        ("The crew was rescued from the island.", "The crew rescued two sailors from the island.", Status::Unsupported),
        ("She was beaten by him twice.", "She had beaten him twice.", Status::Unsupported),
        ("Her brother says he sold the mill.", "Her brother says she sold the mill.", Status::Unsupported),
        ("Ann paid for the boat; Ben built it.", "Ben paid for the boat; Ann built it.", Status::Unsupported),
        (
            "The wall was painted by Ann and not by Ben.",
            "The wall was painted by Ben and not by Ann.",
            Status::Unsupported,
        ),
        ("Ann and Ben built the boat.", "Ben and Ann built the boat.", Status::Supported),
        ("Ben reports to Ann.", "Ann reports to Ben.", Status::Unsupported),
        ("The union spoke for the plan.", "The union spoke against the plan.", Status::Unsupported),
        ("She plays the oboe.", "She used to play the oboe.", Status::Unsupported),
        ("He sleeps well.", "He sleeps badly.", Status::Unsupported),
        ("On Friday the crew repaired the pump.", "The crew repaired the pump on Friday.", Status::Supported),
    ] {
        assert_eq!(status(claim, passage).0, expected, "{claim} / {passage}");
    }
}

#[test]
fn ages_halves_and_short_ways_of_writing_are_the_same() {
    for (claim, passage) in [
        ("The skipper, who is 41 years old, was not hurt.", "The skipper, aged 41, was not hurt."),
        ("The climb took 30 minutes.", "The climb took half an hour."),
        ("Three-fifths of the wells are dry.", "Three fifths of the wells are dry."),
        ("She had waited since noon.", "She'd waited since noon."),
        ("The vote ended just before midnight.", "The vote ended shortly before midnight."),
    ] {
        assert_eq!(status(claim, passage).0, Status::Supported, "{claim} / {passage}");
    }
}

#[test]
fn names_that_have_exchanged_their_places_are_told_in_scripts_without_spaces() {
    let of = |claim: &str, passage: &str| {
        let reader = reader();
        let lexicons = reader.lexicons();
        let lexicon = lexicons.get(Language::Chinese).expect("it is there");
        let prepare = |text: &str| {
            let codes: Vec<u32> = text.chars().map(u32::from).collect();
            Prepared::new(reader.read(Units::U32(&codes), Language::Chinese, &Never).expect("nobody stops it"), lexicon)
        };
        assess(&prepare(claim), &prepare(passage), lexicon, lexicons).status
    };
    assert_ne!(of("王小明击败了李建国。", "李建国击败了王小明。"), Status::Supported);
    assert_eq!(of("昨天下午王小明离开了南京。", "王小明昨天下午离开了南京。"), Status::Supported);
}

#[test]
fn names_are_told_from_the_first_word_of_a_sentence() {
    let reader = reader();
    let reading = read(&reader, "Yesterday Tom Reed met Dr. Hana Sato. Nobody spoke.", Language::English);
    let names: Vec<&str> =
        reading.terms.iter().filter(|term| term.kind == Kind::Name).map(|term| reading.form(term)).collect();
    assert_eq!(names, ["tom", "reed", "hana", "sato"]);
}

#[test]
fn the_language_is_that_of_the_script_and_the_frequent_words() {
    let reader = reader();
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
        let codes: Vec<u32> = text.chars().map(u32::from).collect();
        assert_eq!(reader.detect(Units::U32(&codes)).expect("it can be detected"), language, "{text}");
    }
}

/// Words that are read closely, signs, digits and foreign letters, in any order.
fn hostile() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("not "),
        Just("two "),
        Just("and a half "),
        Just("million "),
        Just("5"),
        Just("."),
        Just(","),
        Just("-"),
        Just("May "),
        Just("1/2"),
        Just("p.m. "),
        Just("Dr. "),
        Just("II "),
        Just("I'd "),
        Just("[x] "),
        Just("<b>"),
        Just("$"),
        Just("per "),
        Just("square "),
        Just("百分之"),
        Just("三"),
        Just("第"),
        Just("年"),
        Just("\u{200b}"),
        Just("\u{301}"),
        Just("ⅷ"),
        Just("¼"),
        Just("⁵"),
        Just("between "),
        Just("that "),
        Just("\n\n"),
        Just("'"),
    ];
    prop::collection::vec(part, 0..60).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn any_text_is_read_in_order_within_its_bounds(text in prop_oneof![hostile(), any::<String>()], language in 0..8_usize) {
        let reader = reader();
        let language = Language::ALL[language];
        let reading = read(&reader, &text, language);
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
    fn a_text_does_not_differ_from_itself_and_supports_itself(text in hostile(), language in 0..8_usize) {
        let reader = reader();
        let language = Language::ALL[language];
        let lexicon = reader.lexicons().get(language).expect("it is there");
        let (one, two) = (read(&reader, &text, language), read(&reader, &text, language));
        let terms = 0..two.terms.len();
        prop_assert_eq!(differences(&one, &two, terms, lexicon, &|_| false), vec![]);
        let (one, two) = (Prepared::new(one, lexicon), Prepared::new(two, lexicon));
        let found = assess(&one, &two, lexicon, reader.lexicons());
        prop_assert_ne!(found.status, Status::Contradicted);
    }

    #[test]
    fn differences_lie_within_both_texts(quote in hostile(), passage in hostile()) {
        let reader = reader();
        let lexicon = reader.lexicons().get(Language::English).expect("it is there");
        let (lengths, readings) = (
            (quote.chars().count() as u32, passage.chars().count() as u32),
            (read(&reader, &quote, Language::English), read(&reader, &passage, Language::English)),
        );
        let terms = 0..readings.1.terms.len();
        for each in differences(&readings.0, &readings.1, terms, lexicon, &|_| false) {
            prop_assert!(each.quote.0 <= each.quote.1 && each.quote.1 <= lengths.0);
            prop_assert!(each.passage.0 <= each.passage.1 && each.passage.1 <= lengths.1);
        }
    }
}
