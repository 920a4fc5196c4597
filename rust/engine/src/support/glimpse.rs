//! What can be told of a sentence word by word.

use super::telling::{Role, Telling};
use super::vocabulary::Key;
use super::words::{MIN_CHARS, lower};
use crate::support::surroundings::is_space;
use crate::text::Unit;

/// A denial denies a word that is so many terms away, at most.
const REACH: usize = 3;

/// So many things around a number, date or denial must be the same.
const NEIGHBOURS: usize = 2;

/// The words of some sentences. All lists of keys are sorted.
#[derive(Debug, Default)]
pub(super) struct Glimpse {
    /// Of the words that can be content.
    keys: Vec<u128>,
    /// Of those that are content for sure.
    sure: Vec<u128>,
    /// Of the words that can be content, and what units and dates are compared by.
    anchors: Vec<u128>,
    /// How many numbers there are, at most.
    numbers: usize,
    /// How many terms there are, at most, of which it does not show what they are compared by.
    unclear: usize,
    /// How many numbers, units and the like there are beside what is content for sure, at most.
    others: usize,
    /// Whether there may be a number or a date.
    has_amount: bool,
    /// Of the words that may be denied.
    denied: Vec<u128>,
    /// The numbers of words that have opposites.
    opposed: Vec<u32>,
}

impl Glimpse {
    /// Looks at `text`; `None` if it has letters that are not told apart here: other alphabets, scripts
    /// without spaces, and what normalisation changes.
    pub(super) fn of<T: Unit>(text: &[T], telling: &Telling) -> Option<Self> {
        let mut scan = Scan { telling, glimpse: Self::default(), row: Vec::new(), word: Vec::new() };
        let mut at = 0;
        let sign = |place: usize| text.get(place).map_or(Sign::Apart, |unit| Sign::of(unit.code()));
        while at < text.len() {
            match sign(at) {
                Sign::Letter(_) => at = scan.read_word(at, sign),
                Sign::Digit => {
                    scan.amount();
                    at += (at..text.len()).take_while(|&place| sign(place) == Sign::Digit).count();
                }
                Sign::Symbol => {
                    scan.glimpse.others += 1;
                    scan.glimpse.unclear += 1;
                    at += 1;
                }
                Sign::Apart | Sign::Apostrophe => at += 1,
                Sign::Stop => {
                    // `a.m.` is one word.
                    let before = at.checked_sub(1).map_or(Sign::Apart, sign);
                    if matches!(before, Sign::Letter(0x61 | 0x70)) && sign(at + 1) == Sign::Letter(u32::from('m')) {
                        scan.amount();
                        scan.glimpse.unclear += 1;
                    }
                    at += 1;
                }
                Sign::Unclear => return None,
            }
        }
        Some(scan.finish())
    }

    /// Whether there may be a denied word that the other one has, two numbers or dates, or two opposites.
    pub(super) fn may_differ(&self, other: &Self, telling: &Telling) -> bool {
        let has_opposite =
            |&number: &u32| telling.opposites(number).iter().any(|word| other.opposed.binary_search(word).is_ok());
        self.has_amount && other.has_amount
            || are_some_in(&self.denied, &other.keys)
            || are_some_in(&other.denied, &self.keys)
            || self.opposed.iter().any(has_opposite)
    }

    /// Whether three fifths of what this claim can be compared by may be in `passage`, and two things
    /// around a third one: less has no neighbours in common.
    pub(super) fn may_share(&self, passage: &Self, telling: &Telling) -> bool {
        let is_there = |key: &&u128| passage.anchors.binary_search(key).is_ok();
        let shared = self.sure.iter().filter(|key| is_there(key) || telling.is_value(**key)).count();
        let unsure = self.anchors.iter().filter(|key| self.sure.binary_search(key).is_err() && is_there(key)).count();
        let unclear = self.unclear + passage.unclear.min(self.anchors.len() + self.numbers);
        let rest = unsure + self.numbers.min(passage.numbers) + unclear;
        let most = self.anchors.len() + self.numbers + self.unclear;
        // A number of several words is one term, so there may be fewer others than are counted.
        let others = self.others.min(rest);
        most > NEIGHBOURS && shared + rest >= NEIGHBOURS && 5 * (shared + others) >= 3 * (self.sure.len() + others)
    }
}

fn are_some_in(keys: &[u128], others: &[u128]) -> bool {
    keys.iter().any(|key| others.binary_search(key).is_ok())
}

/// A glimpse in the making.
struct Scan<'a> {
    telling: &'a Telling,
    glimpse: Glimpse,
    /// The words that are no part of a number, by how far a denial reaches: whether they deny, and
    /// their keys if they can be content.
    row: Vec<(bool, Option<u128>)>,
    word: Vec<u32>,
}

impl Scan<'_> {
    fn amount(&mut self) {
        self.glimpse.has_amount = true;
        self.glimpse.others += 1;
        self.glimpse.numbers += 1;
    }

    /// Reads the word at `start`, apostrophes between its letters too, and returns where it ends.
    fn read_word(&mut self, start: usize, sign: impl Fn(usize) -> Sign) -> usize {
        self.word.clear();
        let mut at = start;
        loop {
            match sign(at) {
                Sign::Letter(small) => self.word.push(small),
                Sign::Apostrophe if matches!(sign(at + 1), Sign::Letter(_)) => self.word.push(u32::from('\'')),
                _ => break,
            }
            at += 1;
        }
        self.add_word();
        at
    }

    fn add_word(&mut self) {
        let entry = self.telling.get(&self.word);
        let is = |role| entry.is_some_and(|entry| entry.is(role));
        let is_denial = is(Role::Denial) || self.word.ends_with(&NOT);
        let is_content = self.word.len() >= MIN_CHARS && !is(Role::Common);
        let mut prefix = Key::prefix();
        self.word.iter().for_each(|&code| prefix.push(code));
        let key = is_content.then(|| prefix.packed());
        self.glimpse.keys.extend(key);
        self.glimpse.opposed.extend(entry.filter(|entry| entry.has_opposites).map(|entry| entry.number()));
        self.glimpse.anchors.extend(entry.iter().flat_map(|entry| &entry.values));
        let has_apostrophe = self.word.contains(&u32::from('\''));
        self.glimpse.unclear += usize::from(has_apostrophe);
        if is(Role::Amount) {
            self.amount();
        } else if is(Role::Date) || is(Role::Known) || has_apostrophe {
            self.glimpse.has_amount |= is(Role::Date);
            self.glimpse.others += 1;
        } else if !is_denial && !is(Role::Joiner) {
            self.glimpse.sure.extend(key);
        }
        // A number of several words is one term, so its words do not count.
        if !is(Role::Amount) && !is(Role::Date) && !is(Role::Joiner) {
            self.row.push((is_denial, key));
        }
    }

    fn finish(self) -> Glimpse {
        let Self { mut glimpse, row, .. } = self;
        for (place, _) in row.iter().enumerate().filter(|(_, (is_denial, _))| *is_denial) {
            let near = &row[place.saturating_sub(REACH)..row.len().min(place + REACH + 1)];
            glimpse.denied.extend(near.iter().filter_map(|(_, key)| *key));
        }
        glimpse.anchors.extend(&glimpse.keys);
        for keys in [&mut glimpse.keys, &mut glimpse.sure, &mut glimpse.denied, &mut glimpse.anchors] {
            keys.sort_unstable();
            keys.dedup();
        }
        glimpse.opposed.sort_unstable();
        glimpse
    }
}

/// What `don't` ends with.
const NOT: [u32; 3] = ['n' as u32, '\'' as u32, 't' as u32];

/// What a character is here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// A letter that every way of writing leaves as it is, in its small form.
    Letter(u32),
    Digit,
    Apostrophe,
    Stop,
    /// It can be a unit, or bound a number.
    Symbol,
    /// It parts words.
    Apart,
    Unclear,
}

impl Sign {
    fn of(code: u32) -> Self {
        match char::from_u32(code) {
            Some('a'..='z' | 'A'..='Z') => Self::Letter(code | 0x20),
            Some(' ') => Self::Apart,
            Some('0'..='9') => Self::Digit,
            Some('.') => Self::Stop,
            Some('\'' | '\u{B4}' | '‘' | '’' | '\u{FF07}') => Self::Apostrophe,
            // What may open a mark of a transcript, or is an apostrophe that stays as it is.
            Some('<' | '`') | None => Self::Unclear,
            Some(sign) if is_symbol(sign) => Self::Symbol,
            Some(sign) if is_letter(sign) => Self::Letter(lower(code)),
            Some(sign) if is_apart(sign) => Self::Apart,
            Some(_) => Self::Unclear,
        }
    }
}

fn is_symbol(sign: char) -> bool {
    matches!(
        sign,
        '>' | '='
            | '+'
            | '%'
            | '$'
            | '£'
            | '€'
            | '¥'
            | '¢'
            | '°'
            | '±'
            | '×'
            | '÷'
            | '≤'
            | '≥'
            | '≠'
            | '‰'
            | '₽'
            | '₹'
    )
}

/// Latin letters that normalisation leaves alone.
fn is_letter(sign: char) -> bool {
    matches!(sign,
        '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}' | '\u{F8}'..='\u{12F}' | '\u{131}' | '\u{134}'..='\u{13E}'
        | '\u{141}'..='\u{148}' | '\u{14A}'..='\u{17E}')
}

/// Punctuation and white space.
fn is_apart(sign: char) -> bool {
    sign.is_ascii_punctuation()
        || is_space(sign)
        || matches!(sign,
            '\u{A1}'..='\u{A9}' | '\u{AB}' | '\u{AC}' | '\u{AE}' | '\u{AF}' | '\u{B6}'..='\u{B8}' | '\u{BB}' | '\u{BF}'
            | '\u{2010}'..='\u{2029}' | '\u{2030}'..='\u{205E}' | '\u{20A0}'..='\u{20BF}' | '\u{2190}'..='\u{21FF}')
}
