//! Verdicts on claims.

use groundwire_engine::TextRef;
use groundwire_language::Language;
use groundwire_language::claim::{ContradictionKind, PreparedReading, Status, assess};
use groundwire_language::context::QuoteContext;
use proptest::prelude::*;

use crate::reading::sentence;
use crate::{READER, adversarial_text, config, languages, lexicon, read};

fn status(claim: &str, passage: &str) -> (Status, Option<ContradictionKind>) {
    let lexicon = lexicon(Language::English);
    let claim = PreparedReading::new(read(claim, Language::English), lexicon);
    let passage = PreparedReading::new(read(passage, Language::English), lexicon);
    let found = assess(&claim, &passage, lexicon, READER.lexicons());
    (found.status, found.contradiction.map(|contradiction| contradiction.kind))
}

#[test]
fn a_claim_needs_every_word_in_its_role() {
    let passage = "The museum in Ghent bought the portrait in 2011 for 40,000 euros. It reopened last May. \
        Visitors may not take photographs unless a guide agrees. Rosa Lind sold the house to Marc Adler.";
    for (claim, expected) in [
        ("The museum in Ghent bought the portrait in 2011.", (Status::Supported, None)),
        ("The portrait was bought in 2011 by the museum in Ghent.", (Status::Supported, None)),
        ("In 2011 the museum in Ghent purchased the portrait.", (Status::Supported, None)),
        ("The museum in Ghent bought the portrait in 2012.", (Status::Contradicted, Some(ContradictionKind::Date))),
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
fn a_negation_of_the_same_statement_contradicts_but_a_narrower_one_does_not() {
    assert_eq!(
        status("The pump needs oil.", "The pump does not need oil."),
        (Status::Contradicted, Some(ContradictionKind::Negation))
    );
    assert_eq!(status("She drinks tea.", "She never drinks tea at work.").0, Status::Unsupported);
    assert_eq!(
        status("The noise increased.", "The noise decreased."),
        (Status::Contradicted, Some(ContradictionKind::Antonym))
    );
}

#[test]
fn a_negation_with_that_before_a_quote_negates_it() {
    let lexicon = lexicon(Language::English);
    for (before, is_denied) in [
        ("It is not true that ", true),
        ("There is no proof that ", true),
        ("We did not stop because ", false),
        ("It is true that ", false),
        ("No. ", false),
        ("", false),
    ] {
        let text = format!("{before}the pump was broken.");
        let reading = read(&text, Language::English);
        let context = QuoteContext::new(TextRef::Ucs1(text.as_bytes()), reading, lexicon);
        assert_eq!(context.negation_of_quote(before.len()).is_some(), is_denied, "{before}");
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
fn negated_compared_and_exchanged_words_keep_their_roles() {
    for (claim, passage, expected) in [
        // The phrase that a negation governs.
        ("The talk is in the barn, not in the church.", "The talk is in the church, not in the barn.", false),
        ("The talk is in the church, not in the barn.", "The talk is in the church, not in the barn, at six.", true),
        // "Rarely" is not "never", and "hardly ever" is "almost never".
        ("Her bus never comes before nine.", "Her bus rarely comes before nine.", false),
        ("He almost never reads the minutes.", "He hardly ever reads the minutes.", true),
        // The two sides of a comparison.
        ("His uncle is more patient than the twins.", "The twins are more patient than his uncle.", false),
        ("I paddled faster than he did.", "He paddled faster than I did.", false),
        ("Green paint dries faster than red paint.", "Red paint dries faster than green paint.", false),
        ("At noon red paint dries faster than green paint.", "Red paint dries faster than green paint at noon.", true),
        ("I paddled faster than he did.", "I paddled faster than he did, for once.", true),
        // Subject and object of a reporting verb.
        ("Clara told him six per cent.", "He told Clara six per cent.", false),
        // "From" and "to".
        ("The fair moved from Tuesday to Friday.", "The fair moved from Friday to Tuesday.", false),
        ("The fair moved to Tuesday from Friday.", "The fair moved from Friday to Tuesday.", true),
        // The numeral of one name is not that of another.
        ("Karl IV wrote to Otto IV.", "Karl IV wrote to Otto III.", false),
        // Agents after a number or before the verb.
        ("The nurse was found by a 30-year-old sailor.", "A 30-year-old sailor was found by the nurse.", false),
        ("The entire village praised the second song.", "The second song was praised by the entire village.", true),
        // The speaker may come before or after the quotation.
        ("Ada Voss said the well was dry.", "The well was dry, said Ada Voss.", true),
        ("Dorset's and Kent's farms are small.", "Kent's and Dorset's farms are small.", true),
    ] {
        let found = status(claim, passage).0;
        assert_eq!(found == Status::Supported, expected, "{claim} < {passage}: {found:?}");
    }
}

#[test]
fn words_of_place_manner_and_number_need_a_counterpart() {
    for (claim, passage, expected) in [
        ("Hang the lamp with the hook down.", "Hang the lamp with the hook up.", Status::Unsupported),
        ("They sang it well.", "They sang it badly.", Status::Unsupported),
        ("The scar is on the right knee.", "The scar is on the left knee.", Status::Contradicted),
        ("The pump stalled once on the hill.", "The pump stalled twice on the hill.", Status::Contradicted),
        ("He is selling his half of the farm.", "He sold his half of the farm.", Status::Unsupported),
        // A question asserts nothing.
        ("The ferry hit the pier.", "Did the ferry hit the pier? Nobody saw it.", Status::Unsupported),
        ("Rents rose by 10 per cent.", "Rents rose by a tenth because of the war.", Status::Supported),
        ("The walk takes an hour and a half.", "The walk takes 90 minutes.", Status::Supported),
        ("The walk takes 2 hours and 30 minutes.", "The walk takes two and a half hours.", Status::Supported),
        ("She is a potter aged 61.", "She is a 61-year-old potter.", Status::Supported),
        ("He died at the age of 83.", "He died aged 83.", Status::Supported),
        ("Add three pounds of plums.", "Add 1.36 kg of plums.", Status::Supported),
        ("Tickets cost from £5 to €9.", "Tickets cost from £5 to £9.", Status::Unsupported),
        ("The kiosk takes nothing but coins.", "The kiosk takes coins only.", Status::Supported),
        ("If the dam should break, leave.", "Should the dam break, leave.", Status::Unsupported),
        ("If it rains, we stay inside.", "Should it rain, we stay inside.", Status::Supported),
        ("The second night was no better.", "The second night was not any better.", Status::Supported),
        ("Page number 12 is torn.", "Page no. 12 is torn.", Status::Supported),
    ] {
        assert_eq!(status(claim, passage).0, expected, "{claim} < {passage}");
    }
}

#[test]
fn ages_halves_and_abbreviations_are_equivalent() {
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

fn status_in(language: Language, claim: &str, passage: &str) -> Status {
    let prepare = |text: &str| PreparedReading::new(read(text, language), lexicon(language));
    assess(&prepare(claim), &prepare(passage), lexicon(language), READER.lexicons()).status
}

#[test]
fn nouns_of_other_languages_keep_their_roles() {
    for (language, claim, passage, is_supported) in [
        (Language::German, "Jonas vertritt Marta.", "Marta vertritt Jonas.", false),
        (Language::German, "Im Mai vertritt Marta den Wirt.", "Marta vertritt den Wirt im Mai.", true),
        (Language::German, "Der Zug aus Linz hielt.", "Der Zug nach Linz hielt.", false),
        (Language::German, "Die Miete stieg auf 9 Prozent.", "Die Miete stieg um 9 Prozent.", false),
        (Language::French, "La ville a payé la digue.", "La ville a promis de payer la digue.", false),
        (Language::French, "Le cidre coûte plus que le vin.", "Le vin coûte plus que le cidre.", false),
        (Language::Spanish, "El tren desde Cádiz paró.", "El tren a Cádiz paró.", false),
    ] {
        let found = status_in(language, claim, passage);
        assert_eq!(found == Status::Supported, is_supported, "{claim} < {passage}: {found:?}");
    }
}

#[test]
fn exchanged_names_are_found_in_scripts_without_spaces() {
    let of = |claim: &str, passage: &str| status_in(Language::Chinese, claim, passage);
    assert_ne!(of("王小明击败了李建国。", "李建国击败了王小明。"), Status::Supported);
    assert_eq!(of("昨天下午王小明离开了南京。", "王小明昨天下午离开了南京。"), Status::Supported);
}

const UNRELATED: [&str; 4] = [
    "The river rises in winter.",
    "Nobody knows why the bridge is narrow.",
    "Sven Olsen studies birds in Oslo.",
    "About 12% of the wells are dry.",
];

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn a_sentence_of_the_passage_is_supported(
        claim in sentence(),
        before in prop::sample::subsequence(UNRELATED.to_vec(), 0..3),
        behind in prop::sample::subsequence(UNRELATED.to_vec(), 0..3),
    ) {
        let passage = [before.as_slice(), &[claim.as_str()], behind.as_slice()].concat().join(" ");
        prop_assert_eq!(status(&claim, &passage).0, Status::Supported, "{}", passage);
    }

    #[test]
    fn any_two_texts_can_be_compared(claim in adversarial_text(), passage in adversarial_text(), language in languages()) {
        let lexicon = lexicon(language);
        let (claim, passage) = (PreparedReading::new(read(&claim, language), lexicon), PreparedReading::new(read(&passage, language), lexicon));
        let found = assess(&claim, &passage, lexicon, READER.lexicons());
        prop_assert!(found.matched <= found.required && found.evidence.0 <= found.evidence.1);
    }
}

/// Asserts for each pair whether the passage supports the claim.
fn assert_supported(cases: &[(&str, &str, bool)]) {
    for &(claim, passage, is_supported) in cases {
        assert_eq!(status(claim, passage).0 == Status::Supported, is_supported, "{claim} | {passage}");
    }
}

#[test]
fn a_pronoun_of_the_first_person_is_the_speaker() {
    let talk = "Moderator: When did you first sail?\nTove Lind: At nine. I have crossed the strait four times.";
    assert_supported(&[
        ("Tove Lind has crossed the strait four times.", talk, true),
        ("Lind has crossed the strait four times.", talk, true),
        ("The moderator has crossed the strait four times.", talk, false),
    ]);
}

#[test]
fn a_first_name_may_be_elsewhere_in_the_passage() {
    let passage = "Aksel Brenner joined the crew in May. Nobody knew him then. Mr Brenner repaired the winch alone.";
    assert_supported(&[
        ("Aksel Brenner repaired the winch alone.", passage, true),
        ("Jonas Brenner repaired the winch alone.", passage, false),
    ]);
}

#[test]
fn a_name_does_not_match_part_of_another_name() {
    let passage = "Curator Ines Falk, who had opposed the loan, resigned on Friday. Her deputy, Pavel Orlov, stays on.";
    assert_supported(&[
        ("Curator Ines Falk, who had opposed the loan, resigned on Friday.", passage, true),
        ("Curator Pavel Orlov, who had opposed the loan, resigned on Friday.", passage, false),
    ]);
}

#[test]
fn a_noun_after_an_article_is_not_a_reporting_verb() {
    let passage = "The Orchard Growers' Union sued the state in March.";
    assert_supported(&[
        ("In March the Orchard Growers' Union sued the state.", passage, true),
        ("The state sued the Orchard Growers' Union in March.", passage, false),
    ]);
}

#[test]
fn rather_than_separates_two_sides() {
    let passage = "The survey suggests that rent, rather than noise, drives people away.";
    assert_supported(&[
        ("Rent, rather than noise, drives people away.", passage, true),
        ("Noise, rather than rent, drives people away.", passage, false),
    ]);
}

#[test]
fn a_negation_extends_to_the_next_verb() {
    let passage = "She doesn't drink and has had no fever since Monday.";
    assert_supported(&[
        ("She has had no fever since Monday.", passage, true),
        ("She has had fever since Monday.", passage, false),
        ("She does not drink.", passage, true),
        (
            "Under no circumstances must the valve be opened.",
            "The valve must not be opened under any circumstances.",
            true,
        ),
        ("Under no circumstances must the valve be opened.", "The valve must be opened.", false),
    ]);
}

#[test]
fn an_adjective_may_look_like_a_preposition() {
    let passage = "The heron nested on the far shore.";
    assert_supported(&[
        ("The heron nested on the far shore.", passage, true),
        ("The heron nested on the near shore.", passage, false),
    ]);
}

#[test]
fn a_more_general_word_is_supported_but_a_narrower_one_is_not() {
    let passage = "The puppy swallowed a button after we postponed the walk. A haddock lay on the table.";
    assert_supported(&[
        ("A fish lay on the table.", passage, true),
        ("A haddock lay on the table.", "A fish lay on the table.", false),
        ("They delayed the vote.", "They postponed the vote.", true),
        ("They postponed the vote.", "They adjusted the vote.", false),
        // A negation reverses the direction.
        ("No fish lay on the table.", "No haddock lay on the table.", false),
        ("He never consumed the berries.", "He never ate the berries.", false),
    ]);
}

#[test]
fn reported_actions_do_not_support_actions() {
    let passage = "The duke is said to have slept in the barn.";
    assert_supported(&[
        ("The duke reportedly slept in the barn.", passage, true),
        ("The duke slept in the barn.", passage, false),
    ]);
}

#[test]
fn being_able_to_see_means_seeing() {
    assert_supported(&[
        ("From the tower you see the coast.", "From the tower you can see the coast.", true),
        ("The tenant cannot recall the date.", "The tenant does not recall the date.", true),
        ("From the tower you paint the coast.", "From the tower you can paint the coast.", false),
    ]);
}

#[test]
fn a_bound_may_follow_its_number() {
    let passage = "The hall holds at least 300 people. Entry takes at most 20 minutes.";
    assert_supported(&[
        ("The hall holds 300 people or more.", passage, true),
        ("The hall holds 300 people at least.", passage, true),
        ("The hall holds 300 people at most.", passage, false),
        ("Entry takes 20 minutes or less.", passage, true),
        ("Entry takes 20 minutes.", passage, false),
    ]);
}

#[test]
fn a_possessor_is_not_a_patient_and_an_age_may_move_within_its_phrase() {
    assert_supported(&[
        (
            "Halden's books were checked by its auditors, Crane & Moss.",
            "Halden's auditors, Crane & Moss, checked the books.",
            true,
        ),
        ("Lotte, a six-year-old brown mare, won the race.", "Lotte, a brown mare aged 6, won the race.", true),
        ("Lotte, a seven-year-old brown mare, won the race.", "Lotte, a brown mare aged 6, won the race.", false),
    ]);
}

#[test]
fn each_part_of_a_contraction_has_the_span_of_its_letters() {
    let parts = |text: &str| -> Vec<String> {
        let terms = read(text, Language::English).terms;
        terms.iter().map(|term| text[term.start as usize..term.end as usize].to_owned()).collect()
    };
    assert_eq!(parts("Brenner's dog"), ["Brenner", "'s", "dog"]);
    assert_eq!(parts("didn't"), ["did", "n't"]);
    assert_eq!(parts("they've"), ["they", "'ve"]);
    assert_eq!(parts("cannot"), ["can", "not"]);
}

#[test]
fn opposite_prepositions_change_the_role() {
    assert_supported(&[
        ("The barge to Delft sank on Monday.", "The barge from Delft sank on Monday.", false),
        ("Rents rose to 12 per cent.", "Rents rose by 12 per cent.", false),
        ("The club voted against selling the field.", "The club voted to sell the field.", false),
        ("The cart is behind the barn.", "The cart is in front of the barn.", false),
        ("They sang with the choir behind them.", "They sang with the choir in front of them.", false),
        ("They sang with the choir behind them.", "They sang with the choir behind them, as ever.", true),
        ("Mila lent the spade to Bo.", "Mila lent the spade to Bo, her cousin.", true),
    ]);
    // Two opposites that do not cancel each other: who has the spade?
    assert_ne!(status("Mila borrowed the spade from Bo.", "Mila lent the spade to Bo.").0, Status::Supported);
    assert_eq!(
        status("Like the curate, the vicar never drank.", "Unlike the curate, the vicar never drank."),
        (Status::Contradicted, Some(ContradictionKind::Negation))
    );
    assert_supported(&[
        ("The vicar never drank.", "Unlike the curate, the vicar never drank.", true),
        ("The curate never drank.", "Unlike the curate, the vicar never drank.", false),
    ]);
}

#[test]
fn what_somebody_intends_is_not_done() {
    assert_supported(&[
        ("The union has paid the fine.", "The union has agreed to pay the fine.", false),
        ("The union has agreed to pay the fine.", "The union has agreed to pay the fine, at last.", true),
        ("The mill plans to hire forty people.", "The mill intends to hire forty people.", true),
        ("The mill hired forty people.", "The mill hired forty people to run the looms.", true),
    ]);
}

#[test]
fn a_statement_about_some_is_none_about_all() {
    assert_supported(&[
        ("Most nurses were tired.", "Most nurses who worked at night were tired.", false),
        ("Most nurses who worked at night were tired.", "Most nurses who worked at night were tired, too.", true),
        ("Members vote in May.", "Members who paid their dues vote in May.", false),
        ("The clerk resigned.", "The clerk who kept the books resigned.", true),
        ("The ferry takes no lorries.", "The ferry takes no lorries over nine tons.", false),
        ("Lorries over nine tons wait.", "Lorries over nine tons wait at the gate.", true),
        ("They live only on rice.", "They live mainly on rice; fish is only a treat.", false),
    ]);
}

#[test]
fn each_verb_has_its_own_subject() {
    assert_supported(&[
        ("Hanne Roth praised the design.", "Hanne Roth mocked the design; Luis Vega praised it.", false),
        ("Luis Vega praised it.", "Hanne Roth mocked the design; Luis Vega praised it.", true),
        ("Hanne Roth praised it.", "Hanne Roth, Luis Vega and Ada Kern praised it.", true),
        ("The sailors sank the sloop.", "The sailors swam ashore after the sloop had been sunk.", false),
        ("The gale sank the sloop.", "The sloop was sunk by the gale.", true),
        ("My sister opened a bakery.", "My sister moved to Leeds, and I opened a bakery.", false),
        ("Ole Berg left in June.", "The farm belongs to Nils and Ole Berg. Nils Berg left in June.", false),
    ]);
}

#[test]
fn neither_and_nor_are_one_negation() {
    let passage = "Neither the abbot nor the prior signed the deed.";
    assert_supported(&[
        ("The prior did not sign the deed.", passage, true),
        ("The abbot did not sign the deed.", passage, true),
        ("The prior signed the deed.", passage, false),
        ("Mix it with milk.", "Mix it with milk and do not stir it.", true),
        ("Do not mix it with milk.", "Mix it with milk and do not stir it.", false),
    ]);
}

#[test]
fn dates_have_bounds_and_an_article_may_be_one() {
    assert_supported(&[
        ("The permit holds until at most 2033.", "The permit holds until at least 2033.", false),
        ("The permit holds until at least 2033.", "The permit holds until at least 2033, they say.", true),
        ("They waited one hour.", "They waited an hour.", true),
        ("They waited an hour.", "They waited one hour.", true),
    ]);
    let found = status("The tape runs one minute longer.", "The tape runs 50 minutes, a minute longer than the disc.");
    assert_ne!(found.0, Status::Contradicted);
}

#[test]
fn parallel_values_keep_their_labels() {
    let shares = "The share was 31% in Turku, 27% in Vaasa and 44% in Oulu.";
    let prices = "Members pay 8 euros and guests 11.";
    let years = "Exports were 3 million tons in 1998 and 5 million in 2003.";
    let groups = "The control group had 9 fevers and the treated group 22.";
    let goals = "Lund scored 4 goals, Berg scored 3 and Moe scored 1.";
    assert_supported(&[
        ("The share was 27% in Vaasa.", shares, true),
        ("The share was 44% in Oulu.", shares, true),
        ("The share was 27% in Turku.", shares, false),
        ("The share was 31% in Oulu.", shares, false),
        ("Guests pay 11 euros.", prices, true),
        ("Guests pay 8 euros.", prices, false),
        ("Members pay 11 euros.", prices, false),
        ("Exports were 5 million tons in 2003.", years, true),
        ("Exports were 3 million tons in 2003.", years, false),
        ("The treated group had 22 fevers.", groups, true),
        ("The treated group had 9 fevers.", groups, false),
        ("Berg scored 3 goals.", goals, true),
        ("Berg scored 4 goals.", goals, false),
        // Both claims at once.
        ("Members pay 8 euros and guests 11.", "Members pay 8 euros and guests 11, since May.", true),
        ("Members pay 11 euros and guests 8.", prices, false),
        // What is not parallel may be apart.
        ("The yard has 3 cranes.", "The yard has 60 welders and 3 cranes.", true),
        ("Ida won 2 medals.", "Per won 2 medals and Ida won 2 medals.", true),
        // The ends of a range.
        ("Rents rose to 12 euros.", "Rents rose from 9 euros to 12 euros.", true),
        ("Rents rose from 9 euros.", "Rents rose from 9 euros to 12 euros.", true),
        ("Rents rose to 9 euros.", "Rents rose from 9 euros to 12 euros.", false),
        ("Rents rose by 12 euros.", "Rents rose from 9 euros to 12 euros.", false),
    ]);
    assert_eq!(status("Seats cost 7 euros.", "Seats cost from 5 to 9 euros.").0, Status::Unsupported);
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn any_values_are_compared(words in prop::collection::vec(prop::sample::select(VALUES.to_vec()), 1..14)) {
        let text = words.join(" ");
        prop_assert_ne!(status(&text, &text).0, Status::Contradicted);
        for from in 0..words.len() {
            let _ = status(&words[from..].join(" "), &text);
        }
    }
}

const VALUES: [&str; 16] = [
    "one",
    "first",
    "3",
    "7 euros",
    "2%",
    "1999",
    "2 May",
    "at 5 p.m.",
    "and",
    "or",
    ",",
    ";",
    ".",
    "Kai",
    "the mill",
    "pays",
];
