//! Word lists for the rules: abbreviations, names that end in `!`, words that often begin sentences.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// What may follow the full stop of an abbreviation inside a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Abbreviation {
    /// Anything: no sentence ends here (`Dr.`, `e.g.`).
    Inside,
    /// Anything, if it is capitalised (`Gen.`; a *gen.* may end a sentence).
    Title,
    /// A number (`No.`, `p.`).
    Number,
    /// Anything but a word that often begins sentences (`Inc.`).
    Name,
    /// Anything but a capital (`etc.`).
    Last,
    /// Anything but a capital; anything if it is nearly the first word of the sentence (`At 5 a.m. Mr. Chen`).
    Time,
}

/// Returns the kind of abbreviation of `word`, given in lower case and without its last full stop.
pub(super) fn abbreviation(word: &str) -> Option<Abbreviation> {
    static KINDS: LazyLock<HashMap<&str, Abbreviation>> = LazyLock::new(|| {
        let of = |&(words, kind): &(&'static str, _)| words.split(' ').map(move |word| (word, kind));
        ABBREVIATIONS.iter().flat_map(of).collect()
    });
    KINDS.get(word).copied()
}

/// Returns whether `word`, in lower case, often begins sentences and is rarely a name.
pub(super) fn is_sentence_starter(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| STARTERS.split(' ').collect());
    WORDS.contains(word)
}

/// Returns whether `word`, in lower case, is a name that ends in `!`.
pub(super) fn ends_in_exclamation(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| EXCLAIMED.split(' ').collect());
    WORDS.contains(word)
}

/// Returns whether `word`, in lower case, follows an ordinal number in German dates and centuries.
pub(super) fn follows_ordinal(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| ORDINALS.split(' ').collect());
    WORDS.contains(word)
}

/// Length of the longest word of any table, in characters.
pub(super) const LONGEST: usize = 12;

const ABBREVIATIONS: [(&str, Abbreviation); 6] = [
    (INSIDE, Abbreviation::Inside),
    (TITLES, Abbreviation::Title),
    (NUMBERS, Abbreviation::Number),
    (NAMES, Abbreviation::Name),
    (LAST, Abbreviation::Last),
    (TIMES, Abbreviation::Time),
];

const INSIDE: &str = "\
    approx aprox bspw bzw c.-à-d cf d.h e.g eg esp evtl excl ggf i.e ie incl inkl insb mio mrd p.ej p.ex resp \
    sog tsd u.a v.a vgl viz vs z.b zzgl";
const TITLES: &str = "\
    adm brig capt cmdr col cpl cpt det dr dra fr frl gen gov hon hr insp lt maj messrs mgr mlle mlles mm \
    mme mr mrs ms mt pfc pres prof pvt rep reps rev sen sens sgt sra srta supt";
const NUMBERS: &str = "\
    abb abs apr art aug bd ca cap ch chap dec eq eqn eqs feb fig figs jan jul jun kap lib mar no nos nov \
    nr num n° nº núm oct op p par para pg pgs pp pt pág págs ref refs sec sect sep sept tab ver vol vols \
    ziff §";
const NAMES: &str = "\
    assn ave b.a b.sc blvd bros co corp d.c d.phil dept est ft govt inc jr llc llp ltd m.a m.d m.sc ph.d \
    plc rd sr st univ";
const LAST: &str = "al etc ext usf usw";
const TIMES: &str = "a.m p.m";
const EXCLAIMED: &str = "jeopardy joomla yahoo";
const ORDINALS: &str = "\
    april august dezember februar jahrhundert jahrhunderts januar juli juni jänner mai märz november \
    oktober september";
const STARTERS: &str = "\
    a about according after all also although an and another any are as at because before being both but \
    by can could despite did do does during each either even every few finally first for from \
    furthermore had has have he hence her here his how however i if in indeed instead is it its just \
    later many may meanwhile moreover most much my neither next nobody none nor not nothing now of on \
    once one only or other others our over perhaps second several she since so some someone such than \
    that the their then there therefore these they this those though thus to today two under unlike \
    until was we were what when where whereas whether which while who whose why will with within without \
    would yes yet you your";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stands_in_one_table_and_is_not_too_long() {
        let abbreviations = ABBREVIATIONS.map(|(words, _)| words).join(" ");
        for words in [&abbreviations, EXCLAIMED, ORDINALS, STARTERS] {
            let words: Vec<&str> = words.split(' ').collect();
            let distinct: HashSet<&str> = words.iter().copied().collect();
            assert_eq!(distinct.len(), words.len(), "a word stands there twice");
            assert!(words.iter().all(|word| (1..=LONGEST).contains(&word.chars().count())));
            assert!(words.iter().all(|word| word.to_lowercase() == **word));
        }
    }
}
