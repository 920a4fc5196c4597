//! Which ASCII characters the fast path leaves to the stream.

use super::annotation::Marks;
use super::ascii_chunk::{Dashes, is_space};
use super::text_sink::Output;

/// ASCII characters that the stream has to see: the brackets of marks and, in a profile that minds
/// line ends, hyphens before white space, and line ends where something hangs on them.
#[derive(Debug)]
pub(crate) struct Minded {
    characters: Vec<u8>,
    forms: [u8; 128],
    minds_hyphens: bool,
}

impl Minded {
    /// What `marks` minds; `newlines` says whether line ends are part of it.
    pub(crate) fn new(marks: Marks, newlines: bool) -> Self {
        let minds_hyphens = marks.handles_newlines();
        let is_minded = |byte: u8| {
            let character = char::from(byte);
            let is_bracket = marks.opens(character) || marks.closes(character);
            is_bracket || (minds_hyphens && (byte == b'-' || (newlines && byte == b'\n')))
        };
        let characters: Vec<u8> = (0..0x80).filter(|&byte| is_minded(byte)).collect();
        let mut forms = [0; 128];
        for (form, byte) in forms.iter_mut().zip(0..) {
            let flag = if characters.contains(&byte) { Self::STOP } else { 0 };
            *form = flag | if is_space(byte) { b' ' } else { byte.to_ascii_lowercase() };
        }
        Self { characters, forms, minds_hyphens }
    }

    /// In a form: not ordinary.
    const STOP: u8 = 0x80;

    /// The characters that are minded.
    #[inline(always)]
    pub(crate) fn characters(&self) -> &[u8] {
        &self.characters
    }

    /// What each ASCII character becomes; the top bit is set for those that are minded.
    #[inline(always)]
    pub(crate) fn forms(&self) -> &[u8; 128] {
        &self.forms
    }

    /// What becomes of dashes that are written into a `W`.
    #[inline(always)]
    pub(crate) fn dashes<W: Output>(&self) -> Dashes {
        match self.minds_hyphens {
            true => Dashes::Folded,
            false if W::HOLDS_DASHES => Dashes::Kept,
            false => Dashes::Stop,
        }
    }

    /// Whether hyphens are minded, unless a character follows that is neither white space nor
    /// minded itself.
    #[inline(always)]
    pub(crate) fn minds_hyphens(&self) -> bool {
        self.minds_hyphens
    }
}

/// The marks of a profile, and what they mind.
#[derive(Debug)]
pub(super) struct SpecialCharacters {
    marks: Marks,
    minded: [Minded; 2],
}

impl SpecialCharacters {
    pub(super) fn new(marks: Marks) -> Self {
        Self { marks, minded: [false, true].map(|newlines| Minded::new(marks, newlines)) }
    }

    pub(super) fn marks(&self) -> Marks {
        self.marks
    }

    /// What is minded; `newlines` says whether line ends mean something now.
    #[inline]
    pub(super) fn minded(&self, newlines: bool) -> &Minded {
        &self.minded[usize::from(newlines)]
    }
}
