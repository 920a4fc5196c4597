//! The fast path for other scripts: characters that become one whatever stands around them.

use std::sync::atomic::{AtomicU32, Ordering};

use super::ascii_chunk::AsciiUnit;
use super::code_point::{Action, Kind};
use super::driver::is_ordinary_run;
use super::text_sink::Output;

/// What a character becomes if it is the same whatever stands around it, in one word: the target
/// (16 bits) and flags. 0 for all others, and for those that were never looked up.
#[derive(Debug, Default)]
struct Form(AtomicU32);

impl Form {
    /// There is a target.
    const TAKEN: u32 = 1 << 31;
    /// White space: not after white space.
    const SPACE: u32 = 1 << 16;
    /// A mark that combines with nothing: not after another one, for their order may change.
    const MARK: u32 = 1 << 17;

    fn new(action: Action) -> Self {
        let flag = match action.kind() {
            Kind::Plain | Kind::Mapped if action.class() == 0 => 0,
            Kind::Plain => Self::MARK,
            Kind::Space => Self::SPACE,
            _ => return Self::default(),
        };
        let is_small = action.target() <= 0xFFFF;
        Self(AtomicU32::new(if is_small { Self::TAKEN | flag | action.target() } else { 0 }))
    }

    #[inline(always)]
    fn get(&self) -> u32 {
        // Whoever reads an old 0 asks for the action.
        self.0.load(Ordering::Relaxed)
    }

    /// Not 0 if a character with `form` after one with `before` needs more than its target.
    #[inline(always)]
    fn stops<W: Output>(form: u32, before: u32) -> u32 {
        let flags = (form ^ Self::TAKEN) & (before | Self::TAKEN) & (Self::TAKEN | Self::SPACE | Self::MARK);
        flags | (form & 0xFFFF & !W::MAX)
    }
}

/// Has no form and stands for all that are outside the basic plane.
const OUTSIDE: u32 = 0xFFFF;

/// Characters that take their forms together.
const BLOCK: usize = 16;

/// Forms of the basic plane: of all its characters that some text has touched.
#[derive(Debug)]
pub(super) struct Forms(Box<[Form]>);

impl Default for Forms {
    fn default() -> Self {
        Self((0..=OUTSIDE).map(|_| Form::default()).collect())
    }
}

impl Forms {
    /// Remembers the form that goes with an action.
    pub(super) fn set(&self, code: u32, action: Action) {
        if code < OUTSIDE {
            self.0[code as usize].0.store(Form::new(action).get(), Ordering::Relaxed);
        }
    }

    #[inline(always)]
    fn get(&self, unit: impl AsciiUnit) -> u32 {
        self.0[unit.code().min(OUTSIDE) as usize].get()
    }

    /// Appends the targets of the longest beginning of `input` in which each character becomes one
    /// whatever stands around it, and returns its length; ends early where ASCII goes on, and says
    /// so. What attaches to the last character, or to the two last ones, is the caller's to see.
    #[inline(never)] // Its loop wants all registers for itself.
    pub(super) fn copy_simple<I: AsciiUnit, W: Output>(&self, input: &[I], out: &mut W) -> (usize, bool) {
        let mut before = if out.last().is_none_or(|&last| last == W::Unit::ascii(b' ')) { Form::SPACE } else { 0 };
        if input.first().is_none_or(|&first| Form::stops::<W>(self.get(first), before) != 0) {
            return (0, false);
        }
        let (blocks, rest) = input.as_chunks::<BLOCK>();
        let mut done = 0;
        for units in blocks {
            let mut forms = [before; BLOCK + 1];
            for (form, &unit) in forms[1..].iter_mut().zip(units) {
                *form = self.get(unit);
            }
            let (taken, last) = take_block(&forms, out);
            done += taken;
            if taken < BLOCK {
                return (done, false);
            }
            if is_ordinary_run(&input[done..]) {
                return (done, true);
            }
            before = last;
        }
        for &unit in rest {
            let form = self.get(unit);
            if Form::stops::<W>(form, before) != 0 {
                break;
            }
            out.push(W::unit(form & 0xFFFF));
            before = form;
            done += 1;
        }
        (done, false)
    }
}

/// Appends the targets of all forms but the first, which stands before them, up to the first that
/// needs more; returns how many these are, and the last form.
#[inline(always)]
fn take_block<W: Output>(forms: &[u32; BLOCK + 1], out: &mut W) -> (usize, u32) {
    let (mut targets, mut stops) = ([W::Unit::ascii(0); BLOCK], [0; BLOCK]);
    for place in 0..BLOCK {
        stops[place] = Form::stops::<W>(forms[place + 1], forms[place]);
        targets[place] = W::unit(forms[place + 1] & 0xFFFF);
    }
    if stops.iter().fold(0, |any, stop| any | stop) == 0 {
        out.append(&targets, BLOCK);
        return (BLOCK, forms[BLOCK]);
    }
    let taken = stops.iter().take_while(|&&stop| stop == 0).count();
    out.append(&targets, taken);
    (taken, forms[taken])
}
