//! Fuzzes changing collections of token sets: every query returns what a comparison with each text returns, in every
//! width, and MinHash sketches find all copies.

#![no_main]

use std::collections::{BTreeMap, BTreeSet};

use groundwire_engine::similarity::{JaccardIndex, MinHashIndex, Neighbor, Threshold, TokenRule, Tokens};
use groundwire_engine::{Never, TextRef};
use groundwire_fuzz::TextGenerator;
use groundwire_fuzz::oracle::{codes, sets::similar};
use libfuzzer_sys::fuzz_target;

/// Thresholds as decimals and as fractions.
const THRESHOLDS: [(f64, [usize; 2]); 6] =
    [(0.1, [1, 10]), (0.3, [3, 10]), (0.5, [1, 2]), (0.75, [3, 4]), (0.92, [23, 25]), (1.0, [1, 1])];
/// The threshold of searches without stop tokens.
const WITHOUT_STOP_WORDS: (f64, [usize; 2]) = THRESHOLDS[2];

/// The number of distinct tokens; each is a number below this, encoded as letters.
const WORDS: usize = 90;
/// The numbers of the stop words.
const STOP_WORDS: [usize; 3] = [1, 4, 30];

const MAX_STEPS: usize = 120;

fuzz_target!(|bytes: &[u8]| {
    let mut generator = TextGenerator::new(bytes);
    if generator.below(4) == 0 { check_any_text(&mut generator) } else { check_words(&mut generator) }
});

/// Indexes of the same texts, and the texts.
struct Case {
    floor: usize,
    index: JaccardIndex,
    /// An index that is queried with every insertion.
    queried: JaccardIndex,
    sketches: MinHashIndex,
    left: BTreeMap<u32, String>,
}

impl Case {
    fn new(generator: &mut TextGenerator<'_>) -> Self {
        let floor = generator.below(THRESHOLDS.len());
        let rule = generator.pick(&[TokenRule::Spec, TokenRule::Unicode]);
        let index = JaccardIndex::new(tokens(rule), threshold(floor), Threshold::new(WITHOUT_STOP_WORDS.0));
        Self {
            floor,
            queried: index.empty(),
            index,
            sketches: MinHashIndex::new(tokens(rule), THRESHOLDS[floor].0),
            left: BTreeMap::new(),
        }
    }

    fn insert(&mut self, text: String) {
        let expected = self.index.query(units(&text), threshold(self.floor), 1, &Never).unwrap();
        let hit = self.queried.insert_and_query(units(&text), threshold(self.floor), &Never).unwrap();
        assert_eq!(found(expected), found(hit.into_iter().collect()));
        let number = self.index.insert(units(&text), &Never).unwrap();
        assert_eq!(number, self.sketches.insert(units(&text), &Never).unwrap());
        assert!(self.left.insert(number, text).is_none());
    }

    fn remove(&mut self, number: u32) {
        let is_there = self.left.remove(&number).is_some();
        assert_eq!(is_there, self.index.remove(number).unwrap());
        assert_eq!(is_there, self.queried.remove(number).unwrap());
        assert_eq!(is_there, self.sketches.remove(number));
    }

    fn check(&self, text: &str) {
        for (place, &(_, fraction)) in THRESHOLDS.iter().enumerate().skip(self.floor) {
            let hits = self.index.query(units(text), threshold(place), usize::MAX, &Never).unwrap();
            assert_eq!(similar(&self.left, text, &BTreeSet::new(), fraction), found(hits));
        }
        self.check_sketches(text);
        assert_eq!([self.left.len(); 3], [self.index.len(), self.queried.len(), self.sketches.len()]);
    }

    fn check_sketches(&self, text: &str) {
        let near = self.sketches.query(units(text), &Never).unwrap();
        assert!(near.windows(2).all(|two| two[0].1 > two[1].1 || (two[0].1 == two[1].1 && two[0].0 < two[1].0)));
        assert!(near.iter().all(|(number, share)| self.left.contains_key(number) && (0.0..=1.0).contains(share)));
        for (number, ..) in similar(&self.left, text, &BTreeSet::new(), [1, 1]) {
            assert!(near.contains(&(number, 1.0)), "the copy {number} is not found");
        }
    }

    /// Checks searches without stop tokens.
    fn check_without_stop_words(&self, text: &str, limit: usize) {
        let stop_words: Vec<String> = STOP_WORDS.map(word).to_vec();
        let all = similar(&self.left, text, &stop_words.iter().map(String::as_str).collect(), WITHOUT_STOP_WORDS.1);
        for limit in [limit, usize::MAX] {
            let hits = self.index.query_without_stop_tokens(units(text), limit, &Never).unwrap();
            assert_eq!(all[..limit.min(all.len())], found(hits));
        }
    }
}

fn check_words(generator: &mut TextGenerator<'_>) {
    let mut case = Case::new(generator);
    let has_stop_words = generator.below(2) == 0;
    if has_stop_words {
        case.index =
            JaccardIndex::new(tokens(TokenRule::Unicode), threshold(case.floor), Threshold::new(WITHOUT_STOP_WORDS.0));
    }
    for _ in 0..MAX_STEPS {
        match generator.below(8) {
            _ if generator.is_done() => break,
            0 => case.remove(generator.below(64) as u32),
            1 => case.check(&text(generator)),
            2 if has_stop_words => case.check_without_stop_words(&text(generator), generator.below(5)),
            _ => case.insert(text(generator)),
        }
    }
    case.check(&text(generator));
    for text in case.left.values() {
        case.check(text);
    }
}

/// Checks texts of any characters, in any width: each finds itself.
fn check_any_text(generator: &mut TextGenerator<'_>) {
    let mut case = Case::new(generator);
    for _ in 0..generator.below(20) {
        let alphabet = any_alphabet(generator);
        let text = generator.text(&alphabet, 400);
        let stored = generator.stored(&text);
        let number = case.index.insert(stored.units(), &Never).unwrap();
        let ask = |units| case.index.query(units, threshold(case.floor), usize::MAX, &Never).unwrap();
        let hits = ask(stored.units());
        assert_eq!(found(hits.clone()), found(ask(TextRef::Ucs4(&text))));
        let own = hits.iter().find(|hit| hit.number == number);
        assert!(own.map_or(hits.is_empty(), |own| own.shared == own.either && own.shared > 0));
    }
}

fn any_alphabet(generator: &mut TextGenerator<'_>) -> Vec<u32> {
    let mut alphabet = generator.alphabet();
    alphabet.extend(codes(generator.pick(&[" ", " .,'-", "\u{3000}\u{200D}", "\u{1F} 1A", "\n漢字か"])));
    alphabet
}

/// Returns up to 40 words, consecutive or random.
fn text(generator: &mut TextGenerator<'_>) -> String {
    let (first, count) = (generator.below(WORDS), generator.below(40));
    let is_run = generator.below(4) != 0;
    let words = (0..count).map(|place| if is_run { (first + place) % WORDS } else { generator.below(WORDS) });
    words.map(|number| word(number) + " ").collect()
}

fn word(number: usize) -> String {
    let letter = |digit: usize| char::from(b'a' + digit as u8);
    [letter(number / 10), letter(10 + number % 10)].iter().collect()
}

fn tokens(rule: TokenRule) -> Tokens {
    let stop_words = STOP_WORDS.map(word);
    let stop_words: Vec<TextRef<'_>> =
        if rule == TokenRule::Spec { Vec::new() } else { stop_words.iter().map(|word| units(word)).collect() };
    Tokens::new(rule, &stop_words)
}

fn threshold(place: usize) -> Threshold {
    Threshold::new(THRESHOLDS[place].0).expect("it is in the range")
}

fn units(text: &str) -> TextRef<'_> {
    TextRef::Ucs1(text.as_bytes())
}

fn found(hits: Vec<Neighbor>) -> Vec<(u32, usize, usize)> {
    hits.into_iter().map(|hit| (hit.number, hit.shared, hit.either)).collect()
}
