//! A source and all the quotes that a batch asks it for.

use std::mem::MaybeUninit;

use super::places::Places;
use super::utf8::Characters;
use super::{How, Outcome, Problem};
use crate::Error;
use crate::fuzzy::Cutoff;
use crate::interrupt::{Interrupt, Meter};
use crate::normalize::Normalizer;
use crate::source::{Mode, Source};
use crate::text::{Text, Units};
use crate::workers::Alone;

/// Room on the stack for a normalised quote, in characters; a longer one goes the ordinary way.
const ROOM_CHARS: usize = 512;

/// What finding one quote costs beside reading it, in characters.
const LOOK_UP_CHARS: usize = 1 << 9;

/// A text in UTF-8, ready to be searched for quotes in UTF-8. The text itself is somebody else's.
#[derive(Debug)]
pub(super) struct Prepared {
    source: Source,
    places: Places,
}

impl Prepared {
    pub(super) fn new(text: &str, normalizer: &Normalizer, interrupt: &dyn Interrupt) -> Result<Self, Error> {
        let source = Source::new(Characters::new(text).units(), normalizer, interrupt)?;
        Ok(Self { source, places: Places::new(text) })
    }

    /// Bytes on the heap, with what searches have indexed so far.
    pub(super) fn heap_bytes(&self) -> usize {
        let (base, index) = self.source.heap_bytes();
        base + index + self.places.heap_bytes()
    }

    /// The outcome of each quote in `text`, which is the one this was made of.
    pub(super) fn ground(
        &self,
        text: &str,
        quotes: &[Option<&[u8]>],
        how: How,
        normalizer: &Normalizer,
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<Outcome>, Error> {
        let quotes: Vec<_> = quotes.iter().map(|quote| read(*quote)).collect();
        match how.mode {
            Mode::Substring => self.find(text, &quotes, normalizer, interrupt),
            Mode::Fuzzy => self.find_fuzzy(text, &quotes, normalizer, how.threshold, interrupt),
        }
    }

    /// One quote after the other: each asks the index that they share.
    fn find(
        &self,
        text: &str,
        quotes: &[Result<&str, Problem>],
        normalizer: &Normalizer,
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<Outcome>, Error> {
        self.source.expect(quotes.len());
        let mut meter = Meter::new(interrupt);
        let mut outcomes = Vec::with_capacity(quotes.len());
        for quote in quotes {
            let outcome = quote.and_then(|quote| self.find_one(text, quote, normalizer, interrupt));
            if let Err(Problem::Engine(Error::Interrupted)) = outcome {
                return Err(Error::Interrupted);
            }
            outcomes.push(outcome);
            meter.add(LOOK_UP_CHARS)?;
        }
        Ok(outcomes)
    }

    fn find_one(&self, text: &str, quote: &str, normalizer: &Normalizer, interrupt: &dyn Interrupt) -> Outcome {
        let mut room = [MaybeUninit::uninit(); ROOM_CHARS];
        let characters = Characters::new(quote);
        let needle = normalizer.normalize_into(characters.units(), &mut room, |_| None, interrupt);
        let span = self.source.find(needle.map_err(Problem::Engine)?.units());
        Ok(span.map(|span| self.source.occurrence(span, |span| self.places.reads(text, span, quote))))
    }

    /// All quotes together: they share the rows of the text's index.
    fn find_fuzzy(
        &self,
        text: &str,
        quotes: &[Result<&str, Problem>],
        normalizer: &Normalizer,
        threshold: Cutoff,
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<Outcome>, Error> {
        let normalize = |quote: &Result<&str, Problem>| match quote {
            Ok(quote) => match normalizer.normalize(Characters::new(quote).units(), interrupt) {
                Err(Error::Interrupted) => Err(Error::Interrupted),
                normalized => Ok(normalized.map_err(Problem::Engine)),
            },
            Err(problem) => Ok(Err(*problem)),
        };
        let normalized: Vec<Result<Text, Problem>> = quotes.iter().map(normalize).collect::<Result<_, Error>>()?;
        let (numbers, needles): (Vec<usize>, Vec<Units<'_>>) = normalized
            .iter()
            .enumerate()
            .filter_map(|(number, text)| Some((number, text.as_ref().ok()?.units())))
            .unzip();
        let reads = |index: usize, span| quotes[numbers[index]].is_ok_and(|quote| self.places.reads(text, span, quote));
        let found = self.source.ground(&needles, Mode::Fuzzy, threshold, reads, &Alone(interrupt))?;
        let mut outcomes: Vec<Outcome> =
            normalized.iter().map(|text| text.as_ref().map(|_| None).map_err(|problem| *problem)).collect();
        for (number, found) in numbers.into_iter().zip(found) {
            outcomes[number] = Ok(found);
        }
        Ok(outcomes)
    }
}

fn read(quote: Option<&[u8]>) -> Result<&str, Problem> {
    std::str::from_utf8(quote.ok_or(Problem::NullQuote)?).map_err(|_| Problem::QuoteNotUtf8)
}
