//! Numbers: their spelling in each language, the value of a sequence of number words by grammar, and digits and Roman
//! numerals.

use groundwire_language::Language;

/// Chooses between spellings: each choice consumes one bit.
pub struct Choice(pub u32);

impl Choice {
    fn is_taken(&mut self) -> bool {
        let is_taken = self.0 & 1 == 1;
        self.0 = self.0.rotate_right(1);
        is_taken
    }

    fn pick<'a>(&mut self, first: &'a str, second: &'a str) -> &'a str {
        if self.is_taken() { first } else { second }
    }
}

const ENGLISH: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const ENGLISH_TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const GERMAN: [&str; 20] = [
    "null",
    "eins",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
];
const GERMAN_TENS: [&str; 8] = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"];
const FRENCH: [&str; 20] = [
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
];
const FRENCH_TENS: [&str; 8] =
    ["vingt", "trente", "quarante", "cinquante", "soixante", "septante", "huitante", "nonante"];
const SPANISH: [&str; 30] = [
    "cero",
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiuno",
    "veintidós",
    "veintitrés",
    "veinticuatro",
    "veinticinco",
    "veintiséis",
    "veintisiete",
    "veintiocho",
    "veintinueve",
];
const SPANISH_TENS: [&str; 8] =
    ["veinte", "treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"];
const SPANISH_HUNDREDS: [&str; 9] = [
    "ciento",
    "doscientos",
    "trescientos",
    "cuatrocientos",
    "quinientos",
    "seiscientos",
    "setecientos",
    "ochocientos",
    "novecientos",
];

/// Spells a number below a billion in words.
pub fn spell(language: Language, number: u64, choice: &mut Choice) -> String {
    let number = number as usize;
    match language {
        Language::English => english(number, choice),
        Language::German => german(number, choice),
        Language::French => {
            let spelt = french(number, choice);
            // Since 1990, hyphens may join all the words of a number.
            match (choice.is_taken(), choice.is_taken()) {
                (true, true) => spelt.replace(' ', "-"),
                (true, false) => spelt.replace('-', " "),
                _ => spelt,
            }
        }
        Language::Spanish => spanish(number, choice),
        _ => unreachable!("no speller for this language"),
    }
}

/// Joins the non-empty parts of a number with spaces.
fn join(parts: &[String]) -> String {
    parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(" ")
}

fn unless_zero(number: usize, spell: impl FnOnce(usize) -> String) -> String {
    if number == 0 { String::new() } else { spell(number) }
}

fn english(number: usize, choice: &mut Choice) -> String {
    match number {
        0..20 => ENGLISH[number].into(),
        20..100 if number.is_multiple_of(10) => ENGLISH_TENS[number / 10 - 2].into(),
        20..100 => {
            let hyphen = choice.pick("-", " ");
            format!("{}{hyphen}{}", ENGLISH_TENS[number / 10 - 2], ENGLISH[number % 10])
        }
        100.. => {
            let (scale, name) = [(1_000_000, "million"), (1_000, "thousand"), (100, "hundred")]
                .into_iter()
                .find(|&(scale, _)| scale <= number)
                .expect("it is at least a hundred");
            let front =
                if number / scale == 1 && choice.is_taken() { "a".into() } else { english(number / scale, choice) };
            let rest = unless_zero(number % scale, |rest| {
                let and = if rest < 100 { choice.pick("and ", "") } else { "" };
                format!("{and}{}", one_for_a(&english(rest, choice)))
            });
            join(&[front, name.into(), rest])
        }
    }
}

/// Replaces an initial "a" with "one".
fn one_for_a(words: &str) -> String {
    words.strip_prefix("a ").map_or_else(|| words.into(), |behind| format!("one {behind}"))
}

fn german(number: usize, choice: &mut Choice) -> String {
    let one = |number: usize, choice: &mut Choice| if number == 1 { "ein".into() } else { german(number, choice) };
    match number {
        0..20 => GERMAN[number].into(),
        20..100 if number.is_multiple_of(10) => GERMAN_TENS[number / 10 - 2].into(),
        20..100 => format!("{}und{}", one(number % 10, choice), GERMAN_TENS[number / 10 - 2]),
        100..1_000_000 => {
            let (scale, name) = if number < 1_000 { (100, "hundert") } else { (1_000, "tausend") };
            let front =
                if number / scale == 1 && choice.is_taken() { String::new() } else { one(number / scale, choice) };
            let rest = unless_zero(number % scale, |rest| {
                let and = if rest < 20 { choice.pick("und", "") } else { "" };
                format!("{and}{}", german(rest, choice))
            });
            format!("{front}{name}{rest}")
        }
        1_000_000.. => {
            let millions = number / 1_000_000;
            let front =
                if millions == 1 { "eine Million".into() } else { format!("{} Millionen", german(millions, choice)) };
            join(&[front, unless_zero(number % 1_000_000, |rest| german(rest, choice))])
        }
    }
}

fn french(number: usize, choice: &mut Choice) -> String {
    match number {
        0..20 => FRENCH[number].into(),
        20..70 if number.is_multiple_of(10) => FRENCH_TENS[number / 10 - 2].into(),
        70 | 80 | 90 if choice.is_taken() => FRENCH_TENS[number / 10 - 2].into(),
        71 => "soixante et onze".into(),
        80 => "quatre-vingts".into(),
        70 | 72..80 => format!("soixante-{}", FRENCH[number - 60]),
        81..100 => format!("quatre-vingt-{}", FRENCH[number - 80]),
        20..70 if number % 10 == 1 => format!("{} et un", FRENCH_TENS[number / 10 - 2]),
        20..70 => format!("{}-{}", FRENCH_TENS[number / 10 - 2], FRENCH[number % 10]),
        100..1_000 => {
            let front = unless_zero(number / 100 - 1, |_| FRENCH[number / 100].into());
            let name = if number >= 200 && number.is_multiple_of(100) { "cents" } else { "cent" };
            join(&[front, name.into(), unless_zero(number % 100, |rest| french(rest, choice))])
        }
        1_000..1_000_000 => {
            let front = unless_zero(number / 1_000 - 1, |_| before_mille(&french(number / 1_000, choice)));
            join(&[front, "mille".into(), unless_zero(number % 1_000, |rest| french(rest, choice))])
        }
        1_000_000.. => {
            let millions = number / 1_000_000;
            let name = if millions == 1 { "million" } else { "millions" };
            let rest = unless_zero(number % 1_000_000, |rest| french(rest, choice));
            join(&[french(millions, choice), name.into(), rest])
        }
    }
}

/// "Vingt" and "cent" have no plural before "mille".
fn before_mille(words: &str) -> String {
    match words.strip_suffix('s') {
        Some(single) if single.ends_with("cent") || single.ends_with("quatre-vingt") => single.into(),
        _ => words.into(),
    }
}

fn spanish(number: usize, choice: &mut Choice) -> String {
    match number {
        0..30 => SPANISH[number].into(),
        30..100 if number.is_multiple_of(10) => SPANISH_TENS[number / 10 - 2].into(),
        30..100 => format!("{} y {}", SPANISH_TENS[number / 10 - 2], SPANISH[number % 10]),
        100 => "cien".into(),
        101..1_000 => {
            let hundreds = SPANISH_HUNDREDS[number / 100 - 1];
            let hundreds = if choice.is_taken() { hundreds.replace("ientos", "ientas") } else { hundreds.into() };
            join(&[hundreds, unless_zero(number % 100, |rest| spanish(rest, choice))])
        }
        1_000..1_000_000 => {
            let front = unless_zero(number / 1_000 - 1, |_| before_mil(&spanish(number / 1_000, choice)));
            join(&[front, "mil".into(), unless_zero(number % 1_000, |rest| spanish(rest, choice))])
        }
        1_000_000.. => {
            let millions = number / 1_000_000;
            let name = if millions == 1 { "millón" } else { "millones" };
            let rest = unless_zero(number % 1_000_000, |rest| spanish(rest, choice));
            join(&[before_mil(&spanish(millions, choice)), name.into(), rest])
        }
    }
}

/// "Uno" becomes "un" before a noun and before a scale.
fn before_mil(words: &str) -> String {
    match words.strip_suffix("uno") {
        Some("veinti") => "veintiún".into(),
        Some(front) => format!("{front}un"),
        None => words.into(),
    }
}

/// Spells an ordinal in words, below a thousand in English and French, below a million in German.
pub fn spell_ordinal(language: Language, number: u64, choice: &mut Choice) -> String {
    match language {
        Language::English => english_ordinal(&english(number as usize, choice)),
        Language::French => french_ordinal(&french(number as usize, choice)),
        Language::German => {
            let (front, last) = match number % 100 {
                last @ 1..20 => (number - last, last),
                _ => (number, 0),
            };
            let front = if front == 0 { String::new() } else { german(front as usize, choice) };
            let stem = match last {
                0 => "st",
                1 => "erst",
                3 => "dritt",
                7 => "siebt",
                8 => "acht",
                _ => &format!("{}t", GERMAN[last as usize]),
            };
            format!("{front}{stem}{}", ["e", "en", "er", "es"][choice.0 as usize % 4])
        }
        _ => unreachable!("no speller for this language"),
    }
}

fn french_ordinal(words: &str) -> String {
    // "Vingts" and "cents" lose their plural, and "trois" keeps its "s".
    let stem = match words.strip_suffix('s') {
        Some(stem) if stem.ends_with("vingt") || stem.ends_with("cent") => stem,
        _ => words.strip_suffix('e').unwrap_or(words),
    };
    match stem.strip_suffix("neuf") {
        Some(front) => format!("{front}neuvième"),
        None if stem == "un" => "premier".into(),
        None if stem.ends_with("cinq") => format!("{stem}uième"),
        None => format!("{stem}ième"),
    }
}

fn english_ordinal(words: &str) -> String {
    let start = words.rfind([' ', '-']).map_or(0, |place| place + 1);
    let (front, last) = words.split_at(start);
    let irregular = [
        ("one", "first"),
        ("two", "second"),
        ("three", "third"),
        ("five", "fifth"),
        ("eight", "eighth"),
        ("nine", "ninth"),
        ("twelve", "twelfth"),
    ];
    let ordinal = match irregular.iter().find(|pair| pair.0 == last) {
        Some(pair) => pair.1.into(),
        None => last.strip_suffix('y').map_or_else(|| format!("{last}th"), |stem| format!("{stem}ieth")),
    };
    format!("{front}{ordinal}")
}

/// Returns the value of a sequence of English number words as one number: each scale multiplies the words before it,
/// and the words after it are less than the scale.
pub fn english_value(words: &[&str]) -> Option<u64> {
    if let ["a"] = words {
        return Some(1);
    }
    for (name, scale, limit) in [("million", 1_000_000, 10_000_000), ("thousand", 1_000, 10_000), ("hundred", 100, 100)]
    {
        if let Some(place) = words.iter().position(|&word| word == name) {
            let front = english_value(&words[..place]).filter(|front| (1..limit).contains(front))?;
            let behind = match &words[place + 1..] {
                [] => 0,
                ["a", ..] | ["and", "a", ..] => return None,
                ["and", behind @ ..] | behind => english_value(behind).filter(|behind| (1..scale).contains(behind))?,
            };
            return Some(front * scale + behind);
        }
    }
    let small = |word: &str| ENGLISH.iter().position(|&each| each == word).map(|value| value as u64);
    let tens = |word: &str| ENGLISH_TENS.iter().position(|&each| each == word).map(|place| (place as u64 + 2) * 10);
    match words {
        [word] => small(word).or_else(|| tens(word)),
        [ten, one] => Some(tens(ten)? + small(one).filter(|one| (1..10).contains(one))?),
        _ => None,
    }
}

/// Returns the value of a Roman numeral below 400: the number with that spelling.
pub fn roman_value(written: &str) -> Option<i64> {
    let spell = |number: i64| {
        let digits = |digit: i64, [one, five, ten]: [&str; 3]| match digit {
            4 => format!("{one}{five}"),
            9 => format!("{one}{ten}"),
            5.. => format!("{five}{}", one.repeat(digit as usize - 5)),
            _ => one.repeat(digit as usize),
        };
        let (hundreds, tens, ones) = (number / 100, number / 10 % 10, number % 10);
        digits(hundreds, ["C", "D", "M"]) + &digits(tens, ["X", "L", "C"]) + &digits(ones, ["I", "V", "X"])
    };
    (1..400).find(|&number| spell(number) == written)
}

/// Returns the value of digits with separators as numerator and denominator. A mark that comes last and occurs once
/// is the decimal mark if the other mark precedes it, if the language uses it, or if it cannot separate
/// thousands.
pub fn digits_value(written: &str, decimal_mark: char) -> Option<(i128, i128)> {
    let written: String = written.chars().filter(|mark| !" '’".contains(*mark)).collect();
    if written.chars().filter(char::is_ascii_digit).count() > 24 || !written.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let last = written.chars().rfind(|&mark| mark == ',' || mark == '.');
    let Some(last) = last else { return Some((written.parse().ok()?, 1)) };
    let other = if last == ',' { '.' } else { ',' };
    let parts: Vec<&str> = written.split(last).collect();
    let are_thousands = !parts[0].starts_with('0')
        && (1..=3).contains(&parts[0].len())
        && parts[1..].iter().all(|part| part.len() == 3);
    let is_decimal = written.contains(other) || last == decimal_mark || !are_thousands;
    let (whole, decimals) = match parts.as_slice() {
        [whole, decimals] if is_decimal => (whole.replace(other, ""), (*decimals).to_owned()),
        _ if are_thousands && !written.contains(other) => (parts.concat(), String::new()),
        _ => return None,
    };
    let numerator = format!("0{whole}{decimals}").parse().ok()?;
    Some((numerator, 10_i128.pow(decimals.len() as u32)))
}

#[test]
fn known_numbers_have_known_spellings() {
    for (expected, language, number, choice) in [
        ("twenty-one", Language::English, 21, u32::MAX),
        ("a hundred and five", Language::English, 105, u32::MAX),
        ("two million three hundred thousand one", Language::English, 2_300_001, 0),
        ("einhunderteinundzwanzig", Language::German, 121, 0),
        ("tausendundeins", Language::German, 1_001, u32::MAX),
        ("eine Million zweitausenddreihundertvier", Language::German, 1_002_304, 0),
        ("deux cent un", Language::French, 201, 0),
        ("quatre-vingt mille deux cents", Language::French, 80_200, 0),
        ("soixante et onze", Language::French, 71, 0),
        ("treinta y un mil ciento uno", Language::Spanish, 31_101, 0),
        ("un millón veintiún mil", Language::Spanish, 1_021_000, 0),
    ] {
        assert_eq!(expected, spell(language, number, &mut Choice(choice)));
    }
    assert_eq!("two hundred and twenty-second", spell_ordinal(Language::English, 222, &mut Choice(3)));
    assert_eq!("deux cent vingt et unième", spell_ordinal(Language::French, 221, &mut Choice(0)));
    assert_eq!("zweihundertfünfter", spell_ordinal(Language::German, 205, &mut Choice(2)));
    assert_eq!("hundertste", spell_ordinal(Language::German, 100, &mut Choice(1)).replace("sten", "ste"));
}

#[test]
fn the_grammar_rejects_invalid_sequences() {
    for (expected, words) in [
        (Some(2_500_000_000), "two thousand five hundred million"),
        (Some(1_200), "twelve hundred"),
        (Some(100_005), "a hundred thousand and five"),
        (None, "two hundred three hundred"),
        (None, "two thousand and three thousand"),
        (None, "twenty ten"),
        (None, "hundred"),
    ] {
        assert_eq!(expected, english_value(&words.split(' ').collect::<Vec<_>>()), "{words}");
    }
    assert_eq!((Some(49), None), (roman_value("XLIX"), roman_value("IL")));
    assert_eq!(Some((12_405, 10)), digits_value("1,240.5", '.'));
    assert_eq!(None, digits_value("1.2.3", '.'));
}
