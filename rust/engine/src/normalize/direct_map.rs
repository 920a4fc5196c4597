//! The fast path for text other than ASCII: characters whose results do not depend on their neighbours.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::arch::ascii_chunk::starts_ascii_run;
use crate::text::CodeUnit;
use crate::text::sink::TextSink;

/// The result of a character that does not depend on its neighbours, packed in one word: the target (16 bits) and
/// flags. 0 for any other character, and for one that has not been looked up yet.
#[derive(Debug, Default)]
pub(super) struct DirectMapping(AtomicU32);

impl DirectMapping {
    /// Flag: the word contains a target.
    const MAPPED: u32 = 1 << 31;
    /// Flag: the target is white space, which is dropped after white space.
    pub(super) const SPACE: u32 = 1 << 16;
    /// Flag: the target is a combining mark that composes with nothing, but whose order may change after another mark.
    pub(super) const MARK: u32 = 1 << 17;

    /// Creates the mapping of a character to `target`; `flag` is [`SPACE`](Self::SPACE), [`MARK`](Self::MARK) or 0.
    pub(super) fn new(target: u32, flag: u32) -> Self {
        Self(AtomicU32::new(if target <= 0xFFFF { Self::MAPPED | flag | target } else { 0 }))
    }

    #[inline(always)]
    fn get(&self) -> u32 {
        // Relaxed, because a thread that reads an outdated 0 falls back to looking up the action.
        self.0.load(Ordering::Relaxed)
    }

    /// Returns a non-zero number if a character with the mapping `form` needs more than its target after one with the
    /// mapping `before`.
    #[inline(always)]
    fn stops<S: TextSink>(form: u32, before: u32) -> u32 {
        let flags = (form ^ Self::MAPPED) & (before | Self::MAPPED) & (Self::MAPPED | Self::SPACE | Self::MARK);
        flags | (form & 0xFFFF & !S::MAX)
    }
}

/// A code point without a mapping, which represents all characters outside the basic multilingual plane.
const OUTSIDE: u32 = 0xFFFF;

/// The number of characters that are mapped together.
const BLOCK: usize = 16;

/// The mappings of the characters of the basic multilingual plane that have been used.
#[derive(Debug)]
pub(super) struct DirectMap(Box<[DirectMapping]>);

impl Default for DirectMap {
    fn default() -> Self {
        Self((0..=OUTSIDE).map(|_| DirectMapping::default()).collect())
    }
}

impl DirectMap {
    pub(super) fn set(&self, code: u32, mapping: &DirectMapping) {
        if code < OUTSIDE {
            self.0[code as usize].0.store(mapping.get(), Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn get(&self, unit: impl CodeUnit) -> u32 {
        self.0[unit.code_point().min(OUTSIDE) as usize].get()
    }

    /// Appends the targets of the longest prefix of `input` whose characters do not depend on their neighbours. Returns
    /// its length, and whether it ends early because ASCII follows. The caller has to check whether the next character
    /// combines with the last one or two.
    #[inline(never)] // The loop needs all registers.
    pub(super) fn copy<I: CodeUnit, S: TextSink>(&self, input: &[I], out: &mut S) -> (usize, bool) {
        let mut before =
            if out.last().is_none_or(|&last| last == S::Unit::from(b' ')) { DirectMapping::SPACE } else { 0 };
        if input.first().is_none_or(|&first| DirectMapping::stops::<S>(self.get(first), before) != 0) {
            return (0, false);
        }
        let (blocks, rest) = input.as_chunks::<BLOCK>();
        let mut done = 0;
        for units in blocks {
            let mut forms = [before; BLOCK + 1];
            for (form, &unit) in forms[1..].iter_mut().zip(units) {
                *form = self.get(unit);
            }
            let (taken, last) = map_block(&forms, out);
            done += taken;
            if taken < BLOCK {
                return (done, false);
            }
            if starts_ascii_run(&input[done..]) {
                return (done, true);
            }
            before = last;
        }
        for &unit in rest {
            let form = self.get(unit);
            if DirectMapping::stops::<S>(form, before) != 0 {
                break;
            }
            out.push(S::encode(form & 0xFFFF));
            before = form;
            done += 1;
        }
        (done, false)
    }
}

/// Appends the targets of all mappings after the first, up to one that needs more. Returns their number and the last
/// mapping.
#[inline(always)]
fn map_block<S: TextSink>(forms: &[u32; BLOCK + 1], out: &mut S) -> (usize, u32) {
    let (mut targets, mut stops) = ([S::Unit::from(0); BLOCK], [0; BLOCK]);
    for place in 0..BLOCK {
        stops[place] = DirectMapping::stops::<S>(forms[place + 1], forms[place]);
        targets[place] = S::encode(forms[place + 1] & 0xFFFF);
    }
    if stops.iter().fold(0, |any, stop| any | stop) == 0 {
        out.append(&targets, BLOCK);
        return (BLOCK, forms[BLOCK]);
    }
    let taken = stops.iter().take_while(|&&stop| stop == 0).count();
    out.append(&targets, taken);
    (taken, forms[taken])
}
