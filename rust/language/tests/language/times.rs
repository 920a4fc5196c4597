//! Times of day in words and digits.

use groundwire_language::claim::{PreparedReading, Status, assess};
use groundwire_language::term::{Meridiem, TimeOfDay, Value};
use groundwire_language::{Language, TermKind};
use proptest::prelude::*;

use crate::oracle::numbers::Choice;
use crate::oracle::times::{half_of_day, speak};
use crate::{READER, config, lexicon, read};

/// Returns the only time of a text.
fn time(text: &str, language: Language) -> Option<TimeOfDay> {
    let terms = read(text, language).terms;
    let mut times = terms.iter().filter_map(|term| match term.value {
        Some(Value::Time(clock)) => Some(clock),
        _ => None,
    });
    times.next().filter(|_| times.next().is_none())
}

/// Returns the minutes since midnight, and how the half of the day is known.
fn minutes_and_meridiem(text: &str, language: Language) -> Option<(u16, Meridiem)> {
    time(text, language).map(|clock| (clock.minutes, clock.meridiem))
}

fn spoken_languages() -> impl Strategy<Value = Language> {
    prop::sample::select(vec![Language::English, Language::German, Language::French, Language::Spanish])
}

proptest! {
    #![proptest_config(config(4_000))]

    #[test]
    fn a_spoken_time_has_its_hour_and_minute(
        hour in 3..=10_u16,
        minute in 0..60_u16,
        half in prop::option::of(any::<bool>()),
        language in spoken_languages(),
        choice in any::<u32>(),
    ) {
        // The words for one are also articles.
        prop_assume!(minute % 58 != 1);
        let spoken = speak(language, u64::from(hour), u64::from(minute), &mut Choice(choice));
        let (text, offset, expected) = match half {
            None => (spoken, 0, Meridiem::Unknown),
            Some(half) => (format!("{spoken} {}", half_of_day(language, half)), u16::from(half) * 12, Meridiem::Stated),
        };
        prop_assert_eq!(minutes_and_meridiem(&text, language), Some(((hour + offset) * 60 + minute, expected)), "{}", text);
    }
}

#[test]
fn times_of_other_shapes() {
    for (text, language, expected) in [
        ("at 07:05", Language::English, Some((425, Meridiem::Implied))),
        ("at 7:05", Language::English, Some((425, Meridiem::Unknown))),
        ("at ten minutes to noon", Language::English, Some((710, Meridiem::Implied))),
        ("quarter past midnight", Language::English, Some((15, Meridiem::Implied))),
        ("nine at night", Language::English, Some((1260, Meridiem::Stated))),
        ("a las 12 de la noche", Language::Spanish, Some((0, Meridiem::Implied))),
        ("à 14 h 20", Language::French, Some((860, Meridiem::Implied))),
        ("в половине девятого", Language::Russian, Some((510, Meridiem::Unknown))),
        ("в четверть шестого", Language::Russian, Some((315, Meridiem::Unknown))),
        ("без четверти девять", Language::Russian, Some((525, Meridiem::Unknown))),
        ("в три часа дня", Language::Russian, Some((900, Meridiem::Stated))),
        ("午後九時半", Language::Japanese, Some((1290, Meridiem::Stated))),
        ("下午9:05", Language::Chinese, Some((1265, Meridiem::Stated))),
        ("晚上八点二十分", Language::Chinese, Some((1220, Meridiem::Stated))),
        // Not times: a score, a range, a duration, a distance.
        ("by a vote of ten to six", Language::English, None),
        ("from 10 minutes to 2 hours", Language::English, None),
        ("ten people in the morning", Language::English, None),
        ("dix heures et demie de travail", Language::French, None),
        ("à dix heures de route", Language::French, None),
        ("через три часа", Language::Russian, None),
        ("las tres casas", Language::Spanish, None),
    ] {
        assert_eq!(minutes_and_meridiem(text, language), expected, "{text}");
    }
}

#[test]
fn a_time_without_its_half_of_the_day_is_a_part_of_one_with_it() {
    let status = |claim: &str, passage: &str| {
        let lexicon = lexicon(Language::English);
        let (claim, passage) = (read(claim, Language::English), read(passage, Language::English));
        let (claim, passage) = (PreparedReading::new(claim, lexicon), PreparedReading::new(passage, lexicon));
        assess(&claim, &passage, lexicon, READER.lexicons()).status
    };
    let passage = "The choir meets at half past seven in the evening.";
    for (claim, expected) in [
        ("The choir meets at 7:30.", Status::Supported),
        ("The choir meets at 19:30.", Status::Supported),
        ("The choir meets at 7:30 a.m.", Status::Contradicted),
        ("The choir meets at half past eight.", Status::Contradicted),
    ] {
        assert_eq!(status(claim, passage), expected, "{claim}");
    }
    let passage = "The choir meets at half past seven.";
    assert_eq!(status("The choir meets at 7:30 in the evening.", passage), Status::Unsupported);
}

#[test]
fn years_proportions_and_halves_in_words() {
    let shown = |text: &str, language| {
        let reading = read(text, language);
        let value = reading.terms.iter().find(|term| matches!(term.kind, TermKind::Number | TermKind::Date))?;
        Some(match value.value.as_ref()? {
            Value::Quantity(quantity) => (quantity.low.to_f64(), quantity.unit.to_string()),
            Value::Date(date) => (f64::from(date.year?), "year".to_owned()),
            Value::Time(_) => return None,
        })
    };
    for (text, language, value, unit) in [
        ("nineteen eighty-four", Language::English, 1984.0, "year"),
        ("nineteen oh five", Language::English, 1905.0, "year"),
        ("twenty twelve", Language::English, 2012.0, "year"),
        ("twenty thirty-minute talks", Language::English, 20.0, ""),
        ("one in four adults", Language::English, 0.25, ""),
        ("one pupil in eight is late", Language::English, 0.125, ""),
        ("one pupil in eight schools is late", Language::English, 1.0, ""),
        ("3 out of 8 pupils", Language::English, 0.375, ""),
        ("two in three days", Language::English, 2.0, ""),
        ("5 in stock", Language::English, 5.0, ""),
        ("a 5 in. bolt", Language::English, 5.0, "in"),
        ("drei von vier Kindern", Language::German, 0.75, ""),
        ("anderthalb Liter", Language::German, 1.5, "l"),
        ("полтора литра", Language::Russian, 1.5, "l"),
        ("el vigésimo primero", Language::Spanish, 21.0, ""),
    ] {
        assert_eq!(shown(text, language), Some((value, unit.to_owned())), "{text}");
    }
}

#[test]
fn a_number_above_every_hour_is_no_time() {
    for (text, language) in [
        ("It began at 2024 p.m. and ended at 1240 o'clock.", Language::English),
        ("Es begann um 1240 Uhr und endete um 60000 Uhr.", Language::German),
        ("Cela a commencé à 1240 h et a fini à 60000 heures.", Language::French),
        ("会议1240点开始，60000点30分结束。", Language::Chinese),
    ] {
        let reading = read(text, language);
        assert!(reading.terms.iter().all(|term| !matches!(term.value, Some(Value::Time(_)))), "{text}");
    }
}
