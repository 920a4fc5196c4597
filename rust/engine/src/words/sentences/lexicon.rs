//! Words that rules ask for: abbreviations, names that end in `!`, words that sentences begin with.

/// What may follow the full stop of an abbreviation within a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abbreviation {
    /// Anything: no sentence ends here (`Dr.`, `e.g.`).
    Inside,
    /// The same, if it is written with a capital (`Gen.`; a *gen.* may end a sentence).
    Title,
    /// A number (`No.`, `p.`).
    Number,
    /// All but a word that sentences begin with (`Inc.`).
    Name,
    /// All but a capital (`etc.`).
    Last,
    /// The same, unless nothing else stands before it (`At 5 a.m. Mr. Chen`).
    Time,
}

/// What `word`, in lower case and without its last full stop, abbreviates.
pub(super) fn abbreviation(word: &str) -> Option<Abbreviation> {
    let find = |words: &[&str]| words.binary_search(&word).is_ok();
    TABLES.iter().find(|(words, _)| find(words)).map(|&(_, kind)| kind)
}

/// Whether sentences often begin with `word`, in lower case, and names seldom.
pub(super) fn is_starter(word: &str) -> bool {
    STARTERS.binary_search(&word).is_ok()
}

/// Whether `word`, in lower case, is a name that ends in `!`.
pub(super) fn is_exclaimed(word: &str) -> bool {
    EXCLAIMED.binary_search(&word).is_ok()
}

/// Whether German dates and centuries have `word`, in lower case, after an ordinal number.
pub(super) fn follows_ordinal(word: &str) -> bool {
    ORDINALS.binary_search(&word).is_ok()
}

/// The longest word of any table, in characters.
pub(super) const LONGEST: usize = 12;

const TABLES: [(&[&str], Abbreviation); 6] = [
    (INSIDE, Abbreviation::Inside),
    (TITLES, Abbreviation::Title),
    (NUMBERS, Abbreviation::Number),
    (NAMES, Abbreviation::Name),
    (LAST, Abbreviation::Last),
    (TIMES, Abbreviation::Time),
];

// All sorted, for they are searched by halves.
const INSIDE: &[&str] = &[
    "approx", "aprox", "b.v", "bspw", "bzw", "c.-à-d", "c.f", "cf", "cft", "d.h", "dr", "e.g", "eg", "esp", "evtl",
    "excl", "ggf", "hr", "i.e", "i.v.m", "ie", "incl", "inkl", "insb", "messrs", "mme", "mr", "mrs", "ms", "mt",
    "p.ej", "p.ex", "prof", "resp", "sog", "sra", "srta", "u.a", "v.a", "vgl", "viz", "vs", "z.b", "zzgl",
];
const TITLES: &[&str] = &[
    "adm", "brig", "capt", "cmdr", "col", "cpl", "cpt", "det", "don", "dra", "fr", "frl", "gen", "gov", "hon", "insp",
    "lt", "maj", "mgr", "mlle", "mlles", "mm", "pfc", "pres", "pvt", "rep", "reps", "rev", "sen", "sens", "sgt",
    "supt",
];
const NUMBERS: &[&str] = &[
    "abb", "abs", "apr", "april", "art", "aug", "bd", "ca", "cap", "ch", "chap", "circa", "dec", "eq", "eqn", "eqs",
    "feb", "fig", "figs", "jan", "jul", "jun", "kap", "lib", "mar", "no", "nos", "nov", "nr", "num", "n°", "nº", "núm",
    "oct", "op", "p", "par", "para", "pg", "pgs", "pp", "pt", "pág", "págs", "ref", "refs", "sec", "sect", "sep",
    "sept", "tab", "ver", "vol", "vols", "ziff", "§",
];
const NAMES: &[&str] = &[
    "assn", "ave", "b.a", "b.sc", "blvd", "bros", "co", "corp", "d.c", "d.phil", "dept", "est", "ft", "govt", "inc",
    "jr", "llc", "llp", "ltd", "m.a", "m.d", "m.sc", "ph.d", "plc", "rd", "sr", "st", "univ",
];
const LAST: &[&str] = &["al", "etc", "ext", "usf", "usw"];
const TIMES: &[&str] = &["a.m", "am", "p.m", "pm"];
const EXCLAIMED: &[&str] = &["jeopardy", "joomla", "yahoo"];
const ORDINALS: &[&str] = &[
    "april",
    "august",
    "dezember",
    "februar",
    "jahrhundert",
    "jahrhunderts",
    "januar",
    "juli",
    "juni",
    "jänner",
    "mai",
    "märz",
    "november",
    "oktober",
    "september",
];
const STARTERS: &[&str] = &[
    "a",
    "about",
    "according",
    "after",
    "all",
    "also",
    "although",
    "an",
    "and",
    "another",
    "any",
    "are",
    "as",
    "at",
    "because",
    "before",
    "being",
    "both",
    "but",
    "by",
    "can",
    "could",
    "despite",
    "did",
    "do",
    "does",
    "during",
    "each",
    "either",
    "even",
    "every",
    "few",
    "finally",
    "first",
    "for",
    "from",
    "furthermore",
    "had",
    "has",
    "have",
    "he",
    "hence",
    "her",
    "here",
    "his",
    "how",
    "however",
    "i",
    "if",
    "in",
    "indeed",
    "instead",
    "is",
    "it",
    "its",
    "just",
    "later",
    "many",
    "may",
    "meanwhile",
    "moreover",
    "most",
    "much",
    "my",
    "neither",
    "next",
    "nobody",
    "none",
    "nor",
    "not",
    "nothing",
    "now",
    "of",
    "on",
    "once",
    "one",
    "only",
    "or",
    "other",
    "others",
    "our",
    "over",
    "perhaps",
    "second",
    "several",
    "she",
    "since",
    "so",
    "some",
    "someone",
    "such",
    "than",
    "that",
    "the",
    "their",
    "then",
    "there",
    "therefore",
    "these",
    "they",
    "this",
    "those",
    "though",
    "thus",
    "to",
    "today",
    "two",
    "under",
    "unlike",
    "until",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "whereas",
    "whether",
    "which",
    "while",
    "who",
    "whose",
    "why",
    "will",
    "with",
    "within",
    "without",
    "would",
    "yes",
    "yet",
    "you",
    "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_in_order_and_not_too_long() {
        let tables = TABLES.iter().map(|&(words, _)| words).chain([EXCLAIMED, ORDINALS, STARTERS]);
        for words in tables {
            assert!(words.is_sorted_by(|a, b| a < b), "{words:?}");
            assert!(words.iter().all(|word| word.chars().count() <= LONGEST), "{words:?}");
        }
    }
}
