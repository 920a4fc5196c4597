//! Spelling variants, stems and senses of words.

use super::{Language, Lexicon};
use crate::term::{Tense, hash};

/// Rules that convert a word to its canonical spelling, applied in order.
#[derive(Debug, Default)]
pub(super) struct Spellings {
    rules: Vec<Spelling>,
    /// The first byte pairs of the rules' letters; every pair if a rule has a single byte.
    inside: BytePairSet,
    /// The last byte pairs of the rules for word endings.
    at_end: BytePairSet,
}

#[derive(Debug)]
struct Spelling {
    from: Box<str>,
    to: Box<str>,
    is_at_end: bool,
}

impl Spellings {
    pub(super) fn push(&mut self, from: &str, to: &str, is_at_end: bool) {
        let bytes = from.as_bytes();
        if is_at_end {
            self.at_end.add(bytes.len().checked_sub(2).map(|start| &bytes[start..]));
        } else {
            self.inside.add(bytes.get(..2));
        }
        self.rules.push(Spelling { from: from.into(), to: to.into(), is_at_end });
    }

    fn apply(&self, word: &str) -> Option<String> {
        let bytes = word.as_bytes();
        let may_end = bytes.len() > 2 && self.at_end.contains(&bytes[bytes.len() - 2..]);
        if !may_end && !bytes.windows(2).any(|pair| self.inside.contains(pair)) {
            return None;
        }
        let mut spelt = None::<String>;
        for Spelling { from, to, is_at_end } in &self.rules {
            let current = spelt.as_deref().unwrap_or(word);
            if *is_at_end {
                if current.len() > from.len() + 2 && current.ends_with(&**from) {
                    spelt = Some(format!("{}{to}", &current[..current.len() - from.len()]));
                }
            } else if let Some(at) = find(current, from).filter(|&at| at > 0 && current.len() > from.len() + 2) {
                spelt = Some(format!("{}{to}{}", &current[..at], &current[at + from.len()..]));
            }
        }
        spelt
    }
}

/// Returns the first position of `letters` in a word. Both are short, so that a naive search is fast enough.
fn find(word: &str, letters: &str) -> Option<usize> {
    word.as_bytes().windows(letters.len().max(1)).position(|window| window == letters.as_bytes())
}

/// A set of byte pairs, which may also contain other pairs with the same hash.
#[derive(Debug, Default)]
struct BytePairSet {
    bits: [u64; 16],
}

impl BytePairSet {
    fn add(&mut self, pair: Option<&[u8]>) {
        match pair {
            Some(pair) => self.bits[Self::bit(pair) / 64] |= 1 << (Self::bit(pair) % 64),
            None => self.bits = [u64::MAX; 16],
        }
    }

    fn contains(&self, pair: &[u8]) -> bool {
        self.bits[Self::bit(pair) / 64] >> (Self::bit(pair) % 64) & 1 == 1
    }

    fn bit(pair: &[u8]) -> usize {
        pair.iter().fold(0, |bit, &byte| (bit << 5) ^ usize::from(byte & 31)) & 1023
    }
}

impl Lexicon {
    /// Returns the canonical spelling of a word: "harbor" for "harbour".
    pub(crate) fn spelling(&self, word: &str) -> Option<String> {
        self.spellings.apply(word)
    }

    /// Returns the base of an irregular form: "go" for "went".
    pub(crate) fn base<'a>(&'a self, word: &'a str) -> &'a str {
        self.tables.forms.get(word).filter(|base| !base.is_empty()).unwrap_or(word)
    }

    /// Returns the stem that all inflections of a word share.
    pub(crate) fn stem(&self, word: &str) -> String {
        let base = self.base(word);
        let mut word = base;
        if !self.definite_article.is_empty() {
            word = self.without_article(word);
        }
        let mut stem = self.stemmer.as_ref().map_or_else(|| word.to_owned(), |stemmer| stemmer.stem(word).into_owned());
        let ending =
            self.stem_endings.iter().find(|ending| stem.len() > ending.len() + 3 && stem.ends_with(&***ending));
        if let Some(ending) = ending {
            stem.truncate(stem.len() - ending.len());
        }
        stem
    }

    /// Returns an Arabic word without its article and proclitics.
    fn without_article<'a>(&self, word: &'a str) -> &'a str {
        let mut bare = word;
        if bare.chars().count() > 3 && bare.starts_with(|first| self.proclitics.contains(&first)) {
            let rest = &bare[bare.chars().next().map_or(0, char::len_utf8)..];
            if rest.starts_with(&*self.definite_article) {
                bare = rest;
            }
        }
        bare.strip_prefix(&*self.definite_article).filter(|rest| rest.chars().count() > 1).unwrap_or(bare)
    }

    /// Returns the rarity of a word, from 0 (in every text) to 100 (in no counted text). In a language without a rarity
    /// table, it is 100 for every word.
    #[must_use]
    pub fn rarity(&self, word: &str) -> u32 {
        self.tables.rarity.get(word).and_then(|rarity| rarity.parse().ok()).unwrap_or(MAX_RARITY)
    }

    /// Returns whether two words are antonyms, in any of their inflections.
    pub(crate) fn are_antonyms(&self, left: &str, right: &str) -> bool {
        left != right && self.are_antonymous_senses(&self.senses(left), &self.senses(right))
    }

    /// Returns whether two words differ by a negating prefix or suffix: "unsafe", "harmless".
    pub(crate) fn differ_by_affix(&self, left: &str, right: &str) -> bool {
        left.len() != right.len() && self.differ_by_affix_of((left, &self.stem(left)), (right, &self.stem(right)))
    }

    /// Does the same for two words and their stems.
    fn differ_by_affix_of(&self, left: (&str, &str), right: (&str, &str)) -> bool {
        let ((shorter, shorter_stem), (longer, longer_stem)) =
            if left.0.len() < right.0.len() { (left, right) } else { (right, left) };
        let may_differ =
            longer.ends_with(shorter) || longer.starts_with(shorter) || longer_stem.ends_with(shorter_stem);
        if !may_differ || shorter.len() == longer.len() || shorter.chars().count() < 4 {
            return false;
        }
        self.negating_prefixes.iter().any(|prefix| {
            longer.strip_prefix(&**prefix).is_some_and(|rest| rest == shorter)
                || longer_stem.strip_prefix(&**prefix).is_some_and(|rest| rest == shorter_stem && rest.len() > 3)
        }) || self
            .negating_suffixes
            .iter()
            .any(|suffix| longer.strip_suffix(&**suffix).is_some_and(|rest| rest == shorter))
    }

    /// Looks up the senses of a word, so that it can be compared with many others by number.
    pub(crate) fn senses(&self, word: &str) -> Senses {
        let stem = self.stem(word);
        let base = self.base(word);
        let mut synonyms = Vec::new();
        let groups = self.synonyms.get(stem.as_str()).or_else(|| self.synonyms.get(word));
        synonyms.extend(groups.into_iter().flatten().map(|group| hash(&(1_u8, *group))));
        let mut bases = self.plain_forms(word);
        for form in &bases {
            synonyms.extend(
                self.tables
                    .synonyms
                    .get(form)
                    .into_iter()
                    .flat_map(|senses| senses.split(' '))
                    .map(|sense| hash(&(2_u8, sense))),
            );
        }
        let hypernyms: Vec<u64> = bases
            .iter()
            .filter_map(|form| self.tables.broader.get(form))
            .flat_map(|words| words.split(' '))
            .map(|word| hash(&(3_u8, word)))
            .collect();
        let derived: Vec<String> =
            bases.iter().filter_map(|form| self.tables.derivations.get(form).map(str::to_owned)).collect();
        bases.extend(derived);
        synonyms.extend(bases.iter().map(|base| hash(&(3_u8, base.as_str()))));
        let marked = format!("{stem}{STEM_MARK}");
        let forms = [word, stem.as_str(), marked.as_str(), base];
        let mut antonyms = Vec::new();
        for form in forms {
            antonyms.extend(self.antonyms.get(form).into_iter().flatten().map(|antonym| hash(&&**antonym)));
            let listed = self.tables.antonyms.get(form).unwrap_or_default();
            antonyms.extend(listed.split(' ').filter(|word| !word.is_empty()).map(|antonym| hash(&antonym)));
        }
        let forms = forms.map(|form| hash(&form));
        Senses {
            word: word.into(),
            stem: stem.into(),
            synonyms: synonyms.into(),
            hypernyms: hypernyms.into(),
            forms,
            antonyms: antonyms.into(),
            is_word: self.is_word(word),
        }
    }

    /// Returns whether two words are antonyms, in any of their inflections.
    pub(crate) fn are_antonymous_senses(&self, left: &Senses, right: &Senses) -> bool {
        let is_listed =
            |left: &Senses, right: &Senses| left.antonyms.iter().any(|antonym| right.forms.contains(antonym));
        left.word != right.word
            && (is_listed(left, right)
                || is_listed(right, left)
                || self.differ_by_affix_of((&left.word, &left.stem), (&right.word, &right.stem)))
    }

    /// Returns the tense of an English verb form: past, or possibly present; `None` for other words.
    pub(crate) fn tense_of_form(&self, word: &str) -> Option<Tense> {
        let is_known = self.language == Language::English && word.bytes().all(|byte| byte.is_ascii_lowercase());
        if !is_known || word.ends_with("ing") {
            return None;
        }
        let is_irregular = self.base(word) != word && !word.ends_with('s');
        let is_regular = word.ends_with("ed") && self.plain_forms(word).iter().skip(1).any(|form| self.is_word(form));
        Some(if is_irregular || is_regular { Tense::Past } else { Tense::Present })
    }

    /// Returns a word, its irregular base, and its possible bases without a regular ending.
    fn plain_forms(&self, word: &str) -> Vec<String> {
        let mut forms = vec![word.to_owned()];
        let base = self.base(word);
        if base != word {
            forms.push(base.to_owned());
        }
        for (ending, replacement) in &self.regular_endings {
            let Some(start) = word.strip_suffix(&**ending).filter(|start| start.len() > 2) else { continue };
            forms.push(format!("{start}{replacement}"));
            // A doubled consonant may belong to the ending: "planned".
            let letters = start.as_bytes();
            let is_doubled = letters.len() > 3 && letters[letters.len() - 1] == letters[letters.len() - 2];
            if replacement.is_empty() && is_doubled {
                forms.push(start[..start.len() - 1].to_owned());
            }
        }
        forms
    }
}

/// The lexicon data of a word, as numbers.
pub(crate) struct Senses {
    word: Box<str>,
    stem: Box<str>,
    /// Synonym groups, senses and bases. Words that share one of them are synonyms.
    synonyms: Box<[u64]>,
    /// The bases of the word's hypernyms.
    hypernyms: Box<[u64]>,
    forms: [u64; 4],
    antonyms: Box<[u64]>,
    /// Whether the word exists.
    pub(crate) is_word: bool,
}

impl Senses {
    /// Returns whether the words are synonyms, or one is derived from the other.
    pub(crate) fn are_synonyms(&self, right: &Self) -> bool {
        self.synonyms.iter().any(|sense| right.synonyms.contains(sense))
    }

    /// Returns whether the other word is a hypernym: "eat", "consume".
    pub(crate) fn has_hypernym(&self, right: &Self) -> bool {
        self.hypernyms.iter().any(|base| right.synonyms.contains(base))
    }
}

/// The rarity of a word in no counted text.
pub(crate) const MAX_RARITY: u32 = 100;

/// Marks the stem of an entry, which all inflections share.
pub(super) const STEM_MARK: char = '\u{1}';
