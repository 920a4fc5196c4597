//! The offset map: the original position of each normalised character, stored as breakpoints rather than one number per
//! character.
//!
//! Most characters keep their distance from their neighbours, so only the positions where the distance changes are
//! stored. A run is either *copied* (each character comes from one original character) or *replaced* (all its
//! characters come from one original segment, such as `½` that became `1⁄2`, or a letter and its accent that became one
//! character). Any part of a replaced run maps to the whole segment.

use crate::text::Span;

const REPLACED: u32 = 1 << 31;

/// The position of a run's first character in the normalised text (the top bit marks a replaced run) and in the
/// original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Breakpoint {
    normalized: u32,
    original: u32,
}

impl Breakpoint {
    fn position(self) -> u32 {
        self.normalized & !REPLACED
    }

    fn is_replaced(self) -> bool {
        self.normalized & REPLACED != 0
    }

    /// Returns the original position of the character at `position` in this run, or the start of its segment.
    fn original_of(self, position: usize) -> usize {
        self.original as usize + if self.is_replaced() { 0 } else { position - self.position() as usize }
    }
}

/// A map from spans of a normalised text to spans of the original. Takes eight bytes per breakpoint.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, Normalizer, Span, UNICODE_VERSION};
///
/// let normalized = Normalizer::spec(UNICODE_VERSION).normalize_mapped("a \t b", &Never)?;
/// assert_eq!(normalized.offsets.to_original(Span::new(2, 3)), Span::new(4, 5));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OffsetMap {
    breakpoints: Vec<Breakpoint>,
}

impl OffsetMap {
    /// Returns the shortest span of the original that contains all characters of `span`, in `O(log b)` for `b`
    /// breakpoints. An empty span maps to the empty span before the same character.
    #[must_use]
    pub fn to_original(&self, span: Span) -> Span {
        let start = self.start_of(span.start);
        Span::new(start, if span.is_empty() { start } else { self.end_of(span.end - 1) })
    }

    /// Returns a cursor for ascending positions, starting at `position`.
    pub(crate) fn cursor(&self, position: usize) -> OffsetCursor<'_> {
        OffsetCursor { breakpoints: &self.breakpoints, next: self.runs_until(position) }
    }

    /// Returns the positions in `span` between two characters that come from the same segment of the original.
    pub(crate) fn positions_in_replaced(&self, span: Span) -> impl Iterator<Item = usize> {
        let first = self.run_of(span.start).unwrap_or(0);
        let runs = self.breakpoints[first.min(self.breakpoints.len())..].windows(2);
        let runs = runs.take_while(move |runs| (runs[0].position() as usize) < span.end);
        let segments = runs.filter(|runs| runs[0].is_replaced());
        let inside = |runs: &[Breakpoint]| runs[0].position() as usize + 1..runs[1].position() as usize;
        segments.flat_map(inside).filter(move |position| (span.start..span.end).contains(position))
    }

    /// Returns the number of bytes on the heap.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.breakpoints.capacity() * size_of::<Breakpoint>()
    }

    /// Returns the number of runs that start at `position` or before.
    fn runs_until(&self, position: usize) -> usize {
        self.breakpoints.partition_point(|run| run.position() as usize <= position)
    }

    /// Returns the index of the run that contains `position`; `None` before the first breakpoint.
    fn run_of(&self, position: usize) -> Option<usize> {
        self.runs_until(position).checked_sub(1)
    }

    fn start_of(&self, position: usize) -> usize {
        self.run_of(position).map_or(position, |index| self.breakpoints[index].original_of(position))
    }

    fn end_of(&self, position: usize) -> usize {
        match self.run_of(position) {
            // A replaced run always has a breakpoint after it, whose original position is the end of the segment.
            Some(index) if self.breakpoints[index].is_replaced() => self.breakpoints[index + 1].original as usize,
            _ => self.start_of(position) + 1,
        }
    }
}

/// A cursor that looks up ascending positions without a binary search for each.
#[derive(Clone, Debug)]
pub(crate) struct OffsetCursor<'a> {
    breakpoints: &'a [Breakpoint],
    /// The index of the first run after the last position looked up.
    next: usize,
}

impl OffsetCursor<'_> {
    /// Returns the original position of the character at `position`, or the start of its segment. Positions must not
    /// descend.
    pub(crate) fn start_of(&mut self, position: usize) -> usize {
        while self.breakpoints.get(self.next).is_some_and(|run| run.position() as usize <= position) {
            self.next += 1;
        }
        self.next.checked_sub(1).map_or(position, |last| self.breakpoints[last].original_of(position))
    }
}

/// A state that a recorder can return to.
#[derive(Clone, Copy, Debug)]
pub(super) struct OffsetCheckpoint {
    breakpoints: usize,
    run: Run,
}

/// The current run.
#[derive(Clone, Copy, Debug)]
struct Run {
    normalized: usize,
    original: usize,
    /// The end of the original segment of a replaced run.
    segment_end: Option<usize>,
}

/// Records where normalised characters come from, while they are written. Without `RECORDS`, it records nothing, for
/// callers that need only the text.
#[derive(Debug)]
pub(super) struct OffsetRecorder<const RECORDS: bool> {
    breakpoints: Vec<Breakpoint>,
    run: Run,
}

impl<const RECORDS: bool> Default for OffsetRecorder<RECORDS> {
    fn default() -> Self {
        Self { breakpoints: Vec::new(), run: Run { normalized: 0, original: 0, segment_end: None } }
    }
}

impl<const RECORDS: bool> OffsetRecorder<RECORDS> {
    fn push(&mut self, normalized: usize, original: usize, flag: u32) {
        // Both fit, because the normaliser rejects texts longer than MAX_CHARS.
        self.breakpoints.push(Breakpoint { normalized: normalized as u32 | flag, original: original as u32 });
    }

    /// Closes a replaced run with a breakpoint, unless the next run starts at the end of its segment and so closes it.
    fn close(&mut self, normalized: usize, original: Option<usize>) {
        if let Some(end) = self.run.segment_end
            && original != Some(end)
        {
            self.push(normalized, end, 0);
        }
    }

    /// Records that the normalised characters from `normalized` are copies of the original characters from `original`.
    #[inline]
    pub(super) fn copied(&mut self, normalized: usize, original: usize) {
        let run = self.run;
        if !RECORDS || (run.segment_end.is_none() && original - run.original == normalized - run.normalized) {
            return;
        }
        self.close(normalized, Some(original));
        self.push(normalized, original, 0);
        self.run = Run { normalized, original, segment_end: None };
    }

    /// Records that the normalised character at `normalized` comes from the segment `original`, possibly together with
    /// others.
    pub(super) fn replaced(&mut self, normalized: usize, original: Span) {
        // Segments are disjoint, so those with the same end are the same.
        if !RECORDS || self.run.segment_end == Some(original.end) {
            return;
        }
        self.close(normalized, Some(original.start));
        self.push(normalized, original.start, REPLACED);
        self.run = Run { normalized, original: original.start, segment_end: Some(original.end) };
    }

    /// Returns the current state.
    pub(super) fn checkpoint(&self) -> OffsetCheckpoint {
        OffsetCheckpoint { breakpoints: self.breakpoints.len(), run: self.run }
    }

    /// Returns to the state `checkpoint`.
    pub(super) fn restore(&mut self, checkpoint: OffsetCheckpoint) {
        self.breakpoints.truncate(checkpoint.breakpoints);
        self.run = checkpoint.run;
    }

    /// Returns the offset map of a text with `normalized` characters.
    pub(super) fn finish(mut self, normalized: usize) -> OffsetMap {
        self.close(normalized, None);
        self.breakpoints.shrink_to_fit();
        OffsetMap { breakpoints: self.breakpoints }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/offset_map.rs"]
mod tests;
