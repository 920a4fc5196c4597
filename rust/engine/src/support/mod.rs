//! What a passage has of a claim: its words, its phrases, its numbers and names, and what else the
//! passage is about.
//!
//! Only words of content count ([`words`]). Of a long passage the window with the most of them is
//! compared: what stands far apart in a book supports nothing together.

mod claim;
mod vocabulary;
mod window;
mod words;

pub use vocabulary::Common;

use std::ops::Range;
use std::sync::Arc;

use claim::{Claim, Slots};
use vocabulary::Vocabulary;
use window::{Counter, Hit};
use words::Words;

use crate::interrupt::Meter;
use crate::text::{Units, with_units};
use crate::{Error, Interrupt, Span, check_chars};

/// Passages, prepared once for any number of claims.
#[derive(Debug)]
pub struct Passages {
    common: Arc<Common>,
    vocabulary: Vocabulary,
    passages: Vec<Passage>,
    words: usize,
}

/// One passage: its words as numbers, and where they stand.
#[derive(Debug)]
struct Passage {
    words: Vec<u32>,
    spans: Vec<(u32, u32)>,
    /// Those that come most often, if all of it is one window.
    main: Vec<u32>,
}

/// What one passage has of a claim, counted.
///
/// Words are words of content; all but `details_found` and `main` are counted in one window of the
/// passage, the first of those with the most different words of the claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// Different words of the claim.
    pub words: usize,
    /// How many of them the window has.
    pub words_found: usize,
    /// Places of the claim where two different words follow each other.
    pub pairs: usize,
    /// How many of these pairs stand at most three words apart in the window.
    pub pairs_found: usize,
    /// Different numbers and names of the claim.
    pub details: usize,
    /// How many of them stand anywhere in the passage.
    pub details_found: usize,
    /// Words that come most often in the window, five at most; of equals the first.
    pub main: usize,
    /// How many of them the claim has.
    pub main_found: usize,
    /// Where the claim's words stand closest together, from the first of them to the last: most
    /// different ones, then fewest words, then leftmost. Empty if there is none.
    pub stretch: Span,
}

/// What a claim and a passage without words take, in characters that are looked at.
const PAIR_CHARS: usize = 64;

impl Passages {
    /// Prepares `texts`, without the `common` words.
    ///
    /// # Errors
    ///
    /// A text is longer than [`MAX_CHARS`](crate::MAX_CHARS), or the interrupt asked to stop.
    pub fn new(texts: &[Units<'_>], common: Arc<Common>, interrupt: &dyn Interrupt) -> Result<Self, Error> {
        let mut meter = Meter::new(interrupt);
        let (mut vocabulary, mut counter) = (Vocabulary::new(), Counter::default());
        let read = |text: &Units<'_>| Passage::read(*text, &common, &mut vocabulary, &mut counter, &mut meter);
        let passages = texts.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let words = passages.iter().map(|passage| passage.words.len()).sum();
        Ok(Self { common, vocabulary, passages, words })
    }

    /// Number of passages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.passages.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.passages.is_empty()
    }

    /// Number of words of content in all passages, repeated ones too.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// What each passage has of each of `claims`, by claim and then by passage.
    ///
    /// # Errors
    ///
    /// A claim is longer than [`MAX_CHARS`](crate::MAX_CHARS), or the interrupt asked to stop.
    ///
    /// # Complexity
    ///
    /// `O(c + w)` for a claim of `c` characters and passages of `w` words, times the logarithm of
    /// the window for each pair of words.
    pub fn support(&self, claims: &[Units<'_>], interrupt: &dyn Interrupt) -> Result<Vec<Vec<Agreement>>, Error> {
        let mut meter = Meter::new(interrupt);
        let (mut slots, mut counter) = (Slots::new(self.vocabulary.len()), Counter::default());
        let mut supports = Vec::with_capacity(claims.len());
        for &text in claims {
            check_chars(text.len())?;
            let claim = slots.read(text, &self.vocabulary, &self.common, &mut meter)?;
            let mut agreements = Vec::with_capacity(self.passages.len());
            for passage in &self.passages {
                meter.add(passage.words.len() + claim.sequence.len() + PAIR_CHARS)?;
                agreements.push(passage.agreement(&claim, &slots, &mut counter));
            }
            supports.push(agreements);
        }
        Ok(supports)
    }
}

impl Passage {
    fn read(
        text: Units<'_>,
        common: &Common,
        vocabulary: &mut Vocabulary,
        counter: &mut Counter,
        meter: &mut Meter<'_>,
    ) -> Result<Self, Error> {
        check_chars(text.len())?;
        let (mut words, mut spans) = (Vec::new(), Vec::new());
        with_units!(text, units => Words::new(units, common).each(meter, |word| {
            spans.push((word.start as u32, word.end as u32));
            words.push(vocabulary.intern(word.key));
        }))?;
        let main = if words.len() <= window::WORDS { counter.main_words(&words) } else { Vec::new() };
        Ok(Self { words, spans, main })
    }

    fn agreement(&self, claim: &Claim, slots: &Slots, counter: &mut Counter) -> Agreement {
        let places = self.words.iter().zip(0_u32..);
        let hits: Vec<Hit> = places.filter_map(|(&word, place)| Some(Hit { place, slot: slots.of(word)? })).collect();
        let mut seen = Seen::new(claim.len());
        hits.iter().for_each(|hit| seen.add(hit.slot));
        let details_found = seen.count(&claim.is_detail);
        let window = window::best(&hits, self.words.len(), claim.len());
        let hits = window.cut(&hits);
        let mut agreement = Agreement {
            words: claim.len(),
            pairs: claim.pairs().count(),
            details: claim.is_detail.iter().filter(|&&is_detail| is_detail).count(),
            details_found,
            words_found: window.found,
            pairs_found: window::pairs_found(hits, claim),
            main: 0,
            main_found: 0,
            stretch: Span::new(0, 0),
        };
        agreement.count_main(self, window.places(), slots, counter);
        if !hits.is_empty() {
            let (first, last) = window::stretch(hits, claim.len());
            agreement.stretch = Span::new(self.spans[first as usize].0 as usize, self.spans[last as usize].1 as usize);
        }
        agreement
    }
}

impl Agreement {
    fn count_main(&mut self, passage: &Passage, window: Range<usize>, slots: &Slots, counter: &mut Counter) {
        let of_window;
        let main = if passage.words.len() <= window::WORDS {
            &passage.main
        } else {
            of_window = counter.main_words(&passage.words[window]);
            &of_window
        };
        self.main = main.len();
        self.main_found = main.iter().filter(|&&word| slots.of(word).is_some()).count();
    }
}

/// Which slots have turned up.
struct Seen(Vec<bool>);

impl Seen {
    fn new(slots: usize) -> Self {
        Self(vec![false; slots])
    }

    #[inline]
    fn add(&mut self, slot: u32) {
        self.0[slot as usize] = true;
    }

    /// How many of those that `are_wanted` have.
    fn count(&self, are_wanted: &[bool]) -> usize {
        self.0.iter().zip(are_wanted).filter(|&(&seen, &wanted)| seen && wanted).count()
    }
}
