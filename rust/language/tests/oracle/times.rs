//! The words for times of day in each language, after the preposition that they need.

use groundwire_language::Language;

use super::numbers::{Choice, spell};

/// Returns the words for a time with an hour from 3 to 11 on the twelve-hour clock.
pub fn spell_time(language: Language, hour: u64, minute: u64, choice: &mut Choice) -> String {
    let mut number = |value: u64| spell(language, value, choice);
    let (past, left) = (minute <= 30, 60 - minute);
    match language {
        Language::German => match minute {
            0 => format!("um {} Uhr", number(hour)),
            15 => format!("um Viertel nach {}", number(hour)),
            30 => format!("um halb {}", number(hour + 1)),
            45 => format!("um Viertel vor {}", number(hour + 1)),
            _ if past => format!("um {} nach {}", number(minute), number(hour)),
            _ => format!("um {} vor {}", number(left), number(hour + 1)),
        },
        Language::French => match minute {
            0 => format!("à {} heures", number(hour)),
            15 => format!("à {} heures et quart", number(hour)),
            30 => format!("à {} heures et demie", number(hour)),
            45 => format!("à {} heures moins le quart", number(hour + 1)),
            _ if past => format!("à {} heures {}", number(hour), number(minute)),
            _ => format!("à {} heures moins {}", number(hour + 1), number(left)),
        },
        Language::Spanish => match minute {
            0 => format!("a las {}", number(hour)),
            15 => format!("a las {} y cuarto", number(hour)),
            30 => format!("a las {} y media", number(hour)),
            45 => format!("a las {} menos cuarto", number(hour + 1)),
            _ if past => format!("a las {} y {}", number(hour), number(minute)),
            _ => format!("a las {} menos {}", number(hour + 1), number(left)),
        },
        _ => match minute {
            0 => format!("at {} o'clock", number(hour)),
            15 => format!("at a quarter past {}", number(hour)),
            30 => format!("at half past {}", number(hour)),
            45 => format!("at a quarter to {}", number(hour + 1)),
            _ if past => format!("at {} past {}", number(minute), number(hour)),
            _ => format!("at {} to {}", number(left), number(hour + 1)),
        },
    }
}

/// Returns the words for a.m. or p.m. after a time.
pub fn meridiem_words(language: Language, is_afternoon: bool) -> &'static str {
    match (language, is_afternoon) {
        (Language::German, false) => "morgens",
        (Language::German, true) => "abends",
        (Language::French, false) => "du matin",
        (Language::French, true) => "du soir",
        (Language::Spanish, false) => "de la mañana",
        (Language::Spanish, true) => "de la tarde",
        (_, false) => "in the morning",
        (_, true) => "in the evening",
    }
}
