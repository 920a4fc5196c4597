//! The fast path for plain text: copies ASCII by chunks and other characters by blocks, and handles short annotations
//! and white space.

use super::annotation::AnnotationRules;
use super::code_point::Table;
use super::transducer::Transducer;
use crate::arch::ascii_chunk::{self, CHUNK, CopyRules, copy_ascii, starts_ascii_run};
use crate::text::sink::TextSink;
use crate::text::{CodeUnit, Span};

impl<S: TextSink, const RECORDS: bool> Transducer<'_, S, RECORDS> {
    /// Copies the characters from `position` that do not depend on their neighbours, with ASCII white space and angle
    /// brackets between them, and collapses the white space. Returns the position after them.
    #[inline]
    pub(super) fn copy_plain<I: CodeUnit>(&mut self, table: &Table, input: &[I], mut position: usize) -> usize {
        while self.line_hyphen.is_none() {
            position = self.copy_runs(table, input, position);
            let stop = position;
            // Only if the next character is ASCII, because another one may combine with the bracket.
            if let [bracket, next, ..] = input[position..]
                && bracket.code_point() | 2 == 0x3E
                && next.code_point() < 0x80
            {
                position += self.take_bracket(&input[position..], position);
            }
            position += self.collapse(&input[position..]);
            if position == stop {
                break;
            }
        }
        position
    }

    /// Copies ASCII by chunks and other characters by the direct map; returns the position after them.
    #[inline]
    fn copy_runs<I: CodeUnit>(&mut self, table: &Table, input: &[I], mut position: usize) -> usize {
        loop {
            if starts_ascii_run(&input[position..]) {
                position = self.copy_ascii(input, position);
                if input.len() - position >= CHUNK && input[position].code_point() < 0x80 {
                    // Stopped at a special character.
                    return position;
                }
            }
            let before = self.out.len();
            let (taken, is_ascii_next) = table.direct_map().copy(&input[position..], &mut self.out);
            if taken > 0 {
                self.offsets.copied(before, position);
            }
            position += taken;
            if !is_ascii_next {
                return position;
            }
        }
    }

    #[inline]
    fn copy_ascii<I: CodeUnit>(&mut self, input: &[I], start: usize) -> usize {
        let table = self.special.table(self.open.is_some() || self.is_after_hyphen());
        let rules = CopyRules { table, reports_dropped: RECORDS || self.open.is_some() };
        let Self { out, offsets, open, .. } = self;
        // If the run is empty, its origin is never looked up.
        offsets.copied(out.len(), start);
        let taken = copy_ascii(&input[start..], out, rules, |dropped| {
            offsets.copied(dropped.output, start + dropped.input);
            if let Some(open) = open {
                open.collapsed += dropped.count;
            }
        });
        start + taken
    }

    /// Processes the angle bracket at the start of `input`, or a whole short annotation; returns its length.
    #[inline]
    fn take_bracket<I: CodeUnit>(&mut self, input: &[I], original: usize) -> usize {
        if self.special.annotations() == AnnotationRules::Literal
            && self.open.is_none()
            && let Some(len) = short_annotation(input)
        {
            self.space(Span::new(original, original + len));
            return len;
        }
        self.special(input[0].code_point(), Span::new(original, original + 1), true);
        1
    }

    /// Drops ASCII white space after a space; returns the number of characters.
    #[inline]
    fn collapse<I: CodeUnit>(&mut self, input: &[I]) -> usize {
        if self.out.last().is_some_and(|&last| last != S::Unit::from(b' ')) {
            return 0;
        }
        let handles_newlines = self.special.annotations().is_typographic();
        let is_dropped = |unit: &&I| is_ascii_space(**unit) && !(handles_newlines && **unit == I::from(b'\n'));
        let dropped = input.iter().take_while(is_dropped).count();
        if let Some(open) = &mut self.open {
            open.collapsed += dropped;
        }
        dropped
    }

    /// Retracts the last of the `taken` plain characters before `position`, because the next character combines with
    /// it, and returns its position. Also retracts the characters before it while the retracted one itself combines.
    /// Stops at a space, because nothing combines with it.
    pub(super) fn retract<I: CodeUnit>(
        &mut self,
        table: &Table,
        input: &[I],
        mut position: usize,
        taken: usize,
    ) -> usize {
        for _ in 0..taken {
            if self.out.last().is_none_or(|&last| last == S::Unit::from(b' ')) {
                break;
            }
            self.out.truncate(self.out.len() - 1);
            position -= 1;
            if !table.get(input[position].code_point()).combines() {
                break;
            }
        }
        position
    }
}

fn is_ascii_space<I: CodeUnit>(unit: I) -> bool {
    u8::try_from(unit.code_point()).is_ok_and(|byte| byte < 0x80 && ascii_chunk::is_space(byte))
}

/// Returns the length of the annotation at the start of `input` by the literal rule, if it is ASCII, fits in a chunk,
/// and nothing can combine with its end.
#[inline]
fn short_annotation<I: CodeUnit>(input: &[I]) -> Option<usize> {
    let units = input.first_chunk::<CHUNK>().filter(|units| units[0] == I::from(b'<'))?;
    let end = ascii_chunk::annotation_ends(units).trailing_zeros() as usize;
    let is_annotation = end > 1 && units.get(end) == Some(&I::from(b'>')) && input.get(end + 1)?.code_point() < 0x80;
    is_annotation.then_some(end + 1)
}
