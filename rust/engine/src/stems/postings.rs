//! Which of many sentences have which stems.

use std::collections::HashMap;

use crate::folding::Folding;
use crate::interrupt::Meter;
use crate::stems::shared::Roles;
use crate::text::Units;
use crate::{Error, Interrupt, Span, check_chars};

/// A word of a sentence that is to be filed.
#[derive(Clone, Copy, Debug)]
pub struct Word<'a> {
    /// What it is compared by.
    pub stem: &'a [u32],
    /// Where it stands.
    pub span: Span,
    /// The number of its clause.
    pub clause: u32,
    /// What it does.
    pub roles: Roles,
}

/// A word of a filed sentence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) stem: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Its clause, and what it does in the lowest byte.
    packed: u32,
}

impl Token {
    #[inline]
    pub(super) fn clause(&self) -> u32 {
        self.packed >> ROLE_BITS
    }

    #[inline]
    pub(super) fn roles(&self) -> Roles {
        Roles(self.packed as u8)
    }
}

const ROLE_BITS: u32 = u8::BITS;

/// Sentences by their stems.
#[derive(Debug, Default)]
pub struct Postings {
    numbers: HashMap<Box<[u32]>, u32, Folding>,
    /// For each stem the sentences that are filed under it, in order.
    places: Vec<Vec<u32>>,
    /// The words of all sentences, one after the other.
    tokens: Vec<Token>,
    /// For each sentence where its words end.
    ends: Vec<u32>,
    /// The stems beside sentences, each row once: many sentences have the same name beside them.
    rows: Vec<Box<[u32]>>,
    /// Needed while sentences are filed.
    numbers_of_rows: HashMap<Box<[u32]>, u32, Folding>,
    /// For each sentence the number of its row.
    beside: Vec<u32>,
}

impl Postings {
    /// Number of sentences.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no sentence.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Bytes in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let places: usize = self.places.iter().map(|places| places.capacity() * size_of::<u32>()).sum();
        let stems: usize = self.numbers.keys().map(|stem| size_of_val::<[u32]>(stem) + 24).sum();
        let words = self.tokens.capacity() * size_of::<Token>();
        let sentences = (self.ends.capacity() + self.beside.capacity()) * size_of::<u32>();
        let rows: usize = self.rows.iter().map(|row| size_of_val::<[u32]>(row) + 16).sum();
        places + stems + words + sentences + rows + self.places.capacity() * size_of::<Vec<u32>>()
    }

    /// Files the next sentence, which has the words `own` and counts those `beside` it as its own.
    ///
    /// # Errors
    ///
    /// [`Error::IndexFull`]: there are 2³² − 1 sentences or words, or 2²⁴ − 1 clauses in one.
    /// [`Error::TextTooLong`]: a word ends beyond [`MAX_CHARS`](crate::MAX_CHARS).
    pub fn file<'a>(
        &mut self,
        own: impl Iterator<Item = Word<'a>>,
        beside: impl Iterator<Item = Word<'a>>,
    ) -> Result<(), Error> {
        let number = u32::try_from(self.len()).ok().filter(|&number| number < u32::MAX).ok_or(Error::IndexFull)?;
        for word in own {
            let Word { stem, span, clause, roles } = word;
            let stem = self.post(number, stem, roles);
            check_chars(span.end)?;
            let clause = Some(clause).filter(|&clause| clause < u32::MAX >> ROLE_BITS).ok_or(Error::IndexFull)?;
            let packed = clause << ROLE_BITS | u32::from(roles.0);
            self.tokens.push(Token { stem, start: span.start as u32, end: span.end as u32, packed });
        }
        let end = u32::try_from(self.tokens.len()).map_err(|_| Error::IndexFull)?;
        let mut row: Vec<u32> = beside.map(|word| self.post(number, word.stem, word.roles)).collect();
        row.sort_unstable();
        row.dedup();
        let row = self.row(row);
        self.beside.push(row);
        self.ends.push(end);
        Ok(())
    }

    /// The number of a row of stems.
    fn row(&mut self, row: Vec<u32>) -> u32 {
        let row = row.into_boxed_slice();
        if let Some(&known) = self.numbers_of_rows.get(&row) {
            return known;
        }
        let number = self.rows.len() as u32;
        self.rows.push(row.clone());
        self.numbers_of_rows.insert(row, number);
        number
    }

    /// The number of `stem`, under which a sentence is filed if its `roles` say so.
    fn post(&mut self, number: u32, stem: &[u32], roles: Roles) -> u32 {
        let known = self.numbers.get(stem).copied().unwrap_or_else(|| {
            self.numbers.insert(stem.into(), self.places.len() as u32);
            self.places.push(Vec::new());
            self.places.len() as u32 - 1
        });
        let places = &mut self.places[known as usize];
        if roles.has(Roles::IS_FILED) && places.last() != Some(&number) {
            places.push(number);
        }
        known
    }

    /// Gives back the memory that no further sentence needs.
    pub fn finish(&mut self) {
        self.places.iter_mut().for_each(Vec::shrink_to_fit);
        self.places.shrink_to_fit();
        self.tokens.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.beside.shrink_to_fit();
        self.numbers_of_rows = HashMap::default();
    }

    /// The number of a stem, if a sentence has it.
    #[must_use]
    pub fn stem(&self, stem: Units<'_>) -> Option<u32> {
        self.numbers.get(stem.to_codes().as_slice()).copied()
    }

    /// The sentences that have `stem`, in order.
    #[must_use]
    pub fn places(&self, stem: Option<u32>) -> &[u32] {
        stem.and_then(|stem| self.places.get(stem as usize)).map_or(&[], Vec::as_slice)
    }

    /// The words of a sentence.
    pub(super) fn tokens_of(&self, number: u32) -> &[Token] {
        let number = number as usize;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.tokens[start as usize..self.ends[number] as usize]
    }

    /// The stems beside a sentence, sorted.
    pub(super) fn beside(&self, number: u32) -> &[u32] {
        &self.rows[self.beside[number as usize] as usize]
    }

    /// The sentences that have one of `stems`, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn with_any(&self, stems: &[Option<u32>], interrupt: &dyn Interrupt) -> Result<Vec<u32>, Error> {
        let mut meter = Meter::new(interrupt);
        let mut found = Vec::new();
        for &stem in stems {
            let places = self.places(stem);
            meter.add(places.len())?;
            found.extend_from_slice(places);
        }
        if stems.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
        Ok(found)
    }

    /// The sentences that have one of `stems` and one of `others`, in order.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn with_both(
        &self,
        stems: &[Option<u32>],
        others: &[Option<u32>],
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<u32>, Error> {
        let mut meter = Meter::new(interrupt);
        let mut has_other = vec![false; self.len()];
        for &stem in others {
            let places = self.places(stem);
            meter.add(places.len())?;
            places.iter().for_each(|&place| has_other[place as usize] = true);
        }
        let mut found = Vec::new();
        for &stem in stems {
            let places = self.places(stem);
            meter.add(places.len())?;
            // Taken out again, so that none comes twice.
            found.extend(places.iter().filter(|&&place| std::mem::take(&mut has_other[place as usize])));
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Those of the first `limit` of [`with_both`](Self::with_both) in which one of `stems` stands in a
    /// clause behind one of `others`.
    ///
    /// # Errors
    ///
    /// [`Error::Interrupted`].
    pub fn with_behind(
        &self,
        stems: &[Option<u32>],
        others: &[Option<u32>],
        limit: usize,
        interrupt: &dyn Interrupt,
    ) -> Result<Vec<u32>, Error> {
        let mut found = self.with_both(stems, others, interrupt)?;
        found.truncate(limit);
        let (stems, others) = (known(stems), known(others));
        let mut meter = Meter::new(interrupt);
        let mut kept = Vec::with_capacity(found.len());
        for number in found {
            let tokens = self.tokens_of(number);
            meter.add(tokens.len())?;
            if is_behind(tokens, &stems, &others) {
                kept.push(number);
            }
        }
        Ok(kept)
    }
}

/// Those that a sentence has, sorted.
pub(super) fn known(stems: &[Option<u32>]) -> Vec<u32> {
    let mut known: Vec<u32> = stems.iter().flatten().copied().collect();
    known.sort_unstable();
    known
}

/// Whether one of `stems` stands in a clause behind one of `others`. Both are sorted.
fn is_behind(tokens: &[Token], stems: &[u32], others: &[u32]) -> bool {
    let mut open = None;
    tokens.iter().any(|token| {
        let is_found = open == Some(token.clause()) && stems.binary_search(&token.stem).is_ok();
        if others.binary_search(&token.stem).is_ok() {
            open = Some(token.clause());
        }
        is_found
    })
}
