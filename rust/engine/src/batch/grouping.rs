//! Groups the rows of a batch by source.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use super::RowError;
use super::cache;
use crate::Error;
use crate::executor::Executor;
use crate::source::SearchMode;

/// The maximum number of rows that are searched together. Sources with more rows are shared between threads.
const MAX_CHUNK_ROWS: usize = 1 << 10;

/// The estimated costs of reading and finding a quote, in cycles, and of preparing a source, in cycles per byte. A
/// source is prepared once for many quotes.
const FIND_CYCLES: f32 = 3000.0;
const PREPARE_CYCLES_PER_BYTE: f32 = 1.0;

/// The estimated cost of a fuzzy search for a quote, in cycles per byte of the source.
const FUZZY_CYCLES_PER_BYTE: f32 = 0.3;

/// The estimated cost of hashing, in cycles per byte.
const HASH_CYCLES_PER_BYTE: f32 = 0.3;

/// The rows of a batch; fewer than 2³².
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The quote of each row, in UTF-8; `None` is null.
    pub quotes: &'a [Option<&'a [u8]>],
    /// The index of each row's source in `texts`, or the reason why it has none.
    pub sources: &'a [Result<u32, RowError>],
    /// The sources, in UTF-8. A text may occur more than once; `None` is null.
    pub texts: &'a [Option<&'a [u8]>],
}

/// Some or all rows with the same source.
#[derive(Debug)]
pub(super) struct Chunk {
    /// The index in `texts`.
    text: u32,
    /// The range in `order`.
    rows: Range<usize>,
}

/// The rows of a batch, grouped by source.
pub(super) struct Groups<'a> {
    rows: Rows<'a>,
    /// The hash of each text that a row refers to.
    hashes: Vec<u64>,
    /// The valid rows, with the rows of the same source adjacent.
    pub(super) order: Vec<u32>,
    pub(super) chunks: Vec<Chunk>,
}

impl<'a> Groups<'a> {
    pub(super) fn new(rows: &Rows<'a>, executor: &impl Executor) -> Result<Self, Error> {
        let mut counts = vec![0; rows.texts.len()];
        rows.sources.iter().flatten().for_each(|&text| counts[text as usize] += 1);
        let hashes = hashes(rows, &counts, executor)?;
        let firsts = first_of_equals(rows, &hashes, &mut counts);
        let (order, chunks) = sort(rows, &firsts, &counts);
        Ok(Self { rows: *rows, hashes, order, chunks })
    }

    pub(super) fn hash(&self, chunk: &Chunk) -> u64 {
        self.hashes[chunk.text as usize]
    }

    pub(super) fn text(&self, chunk: &Chunk) -> Option<&'a [u8]> {
        self.rows.texts[chunk.text as usize]
    }

    pub(super) fn quotes(&self, chunk: &Chunk) -> impl Iterator<Item = Option<&'a [u8]>> {
        self.order[chunk.rows.clone()].iter().map(|&row| self.rows.quotes[row as usize])
    }

    /// Estimates the cost of the rows of `chunk`, in cycles.
    pub(super) fn cycles(&self, chunk: &Chunk, mode: SearchMode) -> f32 {
        let bytes = self.text(chunk).map_or(0, <[u8]>::len) as f32;
        let one = match mode {
            SearchMode::Substring => FIND_CYCLES,
            SearchMode::Fuzzy => FIND_CYCLES + FUZZY_CYCLES_PER_BYTE * bytes,
        };
        chunk.rows.len() as f32 * one + PREPARE_CYCLES_PER_BYTE * bytes
    }
}

/// Returns the hash of each text. Texts that no row refers to are not read.
fn hashes(rows: &Rows<'_>, counts: &[u32], executor: &impl Executor) -> Result<Vec<u64>, Error> {
    let asked = |index: usize| rows.texts[index].filter(|_| counts[index] > 0).unwrap_or_default();
    let cycles = |index: usize| HASH_CYCLES_PER_BYTE * asked(index).len() as f32;
    executor.map(rows.texts.len(), cycles, |index, _| Ok(cache::hash(asked(index))))
}

/// Returns for each text the first equal one, and moves the row counts there.
fn first_of_equals(rows: &Rows<'_>, hashes: &[u64], counts: &mut [u32]) -> Vec<u32> {
    let mut seen: HashMap<u64, u32> = HashMap::new();
    let mut firsts: Vec<u32> = (0..hashes.len() as u32).collect();
    for index in 0..hashes.len() {
        if counts[index] == 0 {
            continue;
        }
        match seen.entry(hashes[index]) {
            Entry::Occupied(first) if rows.texts[*first.get() as usize] == rows.texts[index] => {
                firsts[index] = *first.get();
                counts[*first.get() as usize] += std::mem::take(&mut counts[index]);
            }
            // A different text with the same hash is not merged.
            Entry::Occupied(_) => {}
            Entry::Vacant(place) => drop(place.insert(index as u32)),
        }
    }
    firsts
}

/// Sorts the rows by text and divides them into chunks.
fn sort(rows: &Rows<'_>, firsts: &[u32], counts: &[u32]) -> (Vec<u32>, Vec<Chunk>) {
    let (mut ends, mut chunks, mut total) = (Vec::with_capacity(counts.len()), Vec::new(), 0);
    for (text, &count) in counts.iter().enumerate() {
        ends.push(total);
        let all = total..total + count as usize;
        for start in all.clone().step_by(MAX_CHUNK_ROWS) {
            chunks.push(Chunk { text: text as u32, rows: start..all.end.min(start + MAX_CHUNK_ROWS) });
        }
        total = all.end;
    }
    let mut order = vec![0; total];
    for (row, source) in rows.sources.iter().enumerate() {
        if let Ok(text) = source {
            let end = &mut ends[firsts[*text as usize] as usize];
            order[*end] = row as u32;
            *end += 1;
        }
    }
    (order, chunks)
}
