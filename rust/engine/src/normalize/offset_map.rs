//! Where each normalised character came from: breakpoints instead of one number per character.
//!
//! Most characters stay where they are relative to their neighbours, so only the places are kept
//! where that changes. A run is *plain* (its characters stand one to one for original ones) or
//! *opaque* (its characters stand together for one original piece, such as `½` that became
//! `1⁄2`, or a letter and its accent that became one). Any part of an opaque run maps to the
//! whole piece.

use crate::span::Span;

const OPAQUE: u32 = 1 << 31;

/// First normalised character of a run (the top bit says opaque) and the original position of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Breakpoint {
    normalized: u32,
    original: u32,
}

impl Breakpoint {
    fn position(self) -> u32 {
        self.normalized & !OPAQUE
    }

    fn is_opaque(self) -> bool {
        self.normalized & OPAQUE != 0
    }
}

/// Maps spans of a normalised text to the original one. Eight bytes a breakpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetMap {
    breakpoints: Vec<Breakpoint>,
}

impl OffsetMap {
    /// The shortest span of the original that holds all of `span`'s characters, in `O(log b)` for
    /// `b` breakpoints. An empty span maps to the empty span before the same character.
    #[must_use]
    pub fn to_original(&self, span: Span) -> Span {
        let start = self.start_of(span.start);
        Span::new(start, if span.is_empty() { start } else { self.end_of(span.end - 1) })
    }

    /// Looks up positions one after the other, from `position` on.
    pub(crate) fn walk(&self, position: usize) -> Walk<'_> {
        let next = self.breakpoints.partition_point(|run| run.position() as usize <= position);
        Walk { breakpoints: &self.breakpoints, next }
    }

    /// Positions in `span` between two characters that stand together for one piece of the
    /// original.
    pub(crate) fn inside_pieces(&self, span: Span) -> impl Iterator<Item = usize> {
        let first = self.run_of(span.start).unwrap_or(0);
        let runs = self.breakpoints[first.min(self.breakpoints.len())..].windows(2);
        let runs = runs.take_while(move |runs| (runs[0].position() as usize) < span.end);
        let pieces = runs.filter(|runs| runs[0].is_opaque());
        let inside = |runs: &[Breakpoint]| runs[0].position() as usize + 1..runs[1].position() as usize;
        pieces.flat_map(inside).filter(move |position| (span.start..span.end).contains(position))
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.breakpoints.capacity() * size_of::<Breakpoint>()
    }

    /// Index of the run that holds `position`; `None` before the first breakpoint, where nothing
    /// has moved yet.
    fn run_of(&self, position: usize) -> Option<usize> {
        self.breakpoints.partition_point(|run| run.position() as usize <= position).checked_sub(1)
    }

    fn start_of(&self, position: usize) -> usize {
        let Some(index) = self.run_of(position) else { return position };
        let run = self.breakpoints[index];
        if run.is_opaque() {
            return run.original as usize;
        }
        run.original as usize + (position - run.position() as usize)
    }

    fn end_of(&self, position: usize) -> usize {
        match self.run_of(position) {
            // An opaque run is always followed by a breakpoint, and that one's original position
            // is where the piece ends.
            Some(index) if self.breakpoints[index].is_opaque() => self.breakpoints[index + 1].original as usize,
            _ => self.start_of(position) + 1,
        }
    }
}

/// Looks up ascending positions: [`OffsetMap::to_original`] without a search for each.
#[derive(Clone, Debug)]
pub(crate) struct Walk<'a> {
    breakpoints: &'a [Breakpoint],
    /// The first run after the last position.
    next: usize,
}

impl Walk<'_> {
    /// Where the piece begins that the character at `position` came from. No position may be before
    /// an earlier one.
    pub(crate) fn start_of(&mut self, position: usize) -> usize {
        while self.breakpoints.get(self.next).is_some_and(|run| run.position() as usize <= position) {
            self.next += 1;
        }
        let Some(last) = self.next.checked_sub(1) else { return position };
        let run = self.breakpoints[last];
        let offset = if run.is_opaque() { 0 } else { position - run.position() as usize };
        run.original as usize + offset
    }
}

/// What a builder has to undo to get back to an earlier state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checkpoint {
    breakpoints: usize,
    run: Run,
}

/// The run that is being written.
#[derive(Clone, Copy, Debug)]
struct Run {
    normalized: usize,
    original: usize,
    /// End of the original piece, for an opaque run.
    piece_end: Option<usize>,
}

/// Takes note of where characters come from while they are written.
pub(super) trait Recorder: Default {
    /// Whether it takes note of anything.
    const RECORDS: bool;

    /// The next normalised character, number `normalized`, and those after it stand one to one
    /// for the original ones from `original` on.
    fn plain(&mut self, normalized: usize, original: usize);

    /// The normalised character number `normalized` stands for (part of) the piece `original`.
    fn opaque(&mut self, normalized: usize, original: Span);

    /// The state now.
    fn checkpoint(&self) -> Checkpoint;

    /// Forgets all that came after `checkpoint`.
    fn restore(&mut self, checkpoint: Checkpoint);

    /// The finished map of a text with `normalized` characters.
    fn finish(self, normalized: usize) -> OffsetMap;
}

/// Builds [`OffsetMap`].
#[derive(Debug)]
pub(super) struct Builder {
    breakpoints: Vec<Breakpoint>,
    run: Run,
}

impl Default for Builder {
    fn default() -> Self {
        Self { breakpoints: Vec::new(), run: Run { normalized: 0, original: 0, piece_end: None } }
    }
}

impl Builder {
    fn push(&mut self, normalized: usize, original: usize, flag: u32) {
        // Both fit: the normaliser refuses texts above MAX_CHARS.
        self.breakpoints.push(Breakpoint { normalized: normalized as u32 | flag, original: original as u32 });
    }

    /// Closes an opaque run, unless the next breakpoint at `original` does so by itself.
    fn close(&mut self, normalized: usize, original: Option<usize>) {
        if let Some(end) = self.run.piece_end
            && original != Some(end)
        {
            self.push(normalized, end, 0);
        }
    }
}

impl Recorder for Builder {
    const RECORDS: bool = true;

    #[inline]
    fn plain(&mut self, normalized: usize, original: usize) {
        let run = self.run;
        if run.piece_end.is_none() && original - run.original == normalized - run.normalized {
            return;
        }
        self.close(normalized, Some(original));
        self.push(normalized, original, 0);
        self.run = Run { normalized, original, piece_end: None };
    }

    fn opaque(&mut self, normalized: usize, original: Span) {
        if self.run.piece_end == Some(original.end) && self.run.original == original.start {
            return;
        }
        self.close(normalized, Some(original.start));
        self.push(normalized, original.start, OPAQUE);
        self.run = Run { normalized, original: original.start, piece_end: Some(original.end) };
    }

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint { breakpoints: self.breakpoints.len(), run: self.run }
    }

    fn restore(&mut self, checkpoint: Checkpoint) {
        self.breakpoints.truncate(checkpoint.breakpoints);
        self.run = checkpoint.run;
    }

    fn finish(mut self, normalized: usize) -> OffsetMap {
        self.close(normalized, None);
        self.breakpoints.shrink_to_fit();
        OffsetMap { breakpoints: self.breakpoints }
    }
}

/// Records nothing: for callers that want the normalised text alone.
#[derive(Debug, Default)]
pub(super) struct Forget;

impl Recorder for Forget {
    const RECORDS: bool = false;

    #[inline(always)]
    fn plain(&mut self, _: usize, _: usize) {}

    #[inline(always)]
    fn opaque(&mut self, _: usize, _: Span) {}

    fn checkpoint(&self) -> Checkpoint {
        Checkpoint { breakpoints: 0, run: Run { normalized: 0, original: 0, piece_end: None } }
    }

    fn restore(&mut self, _: Checkpoint) {}

    fn finish(self, _: usize) -> OffsetMap {
        OffsetMap::default()
    }
}
