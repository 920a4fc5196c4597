//! What happens to each code point, looked up in one load: pages of 256, built when first touched.

use std::sync::OnceLock;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::direct_map::Forms;
use super::profile::{self, Fold};
use super::unicode_age;

/// A Unicode version: major, minor.
pub type UnicodeVersion = (u8, u8);

/// The version of the tables that this engine carries: the older one of its two sources, the
/// normaliser's and the standard library's (for lower case).
pub const UNICODE_VERSION: UnicodeVersion = {
    let normalizer = (unicode_normalization::UNICODE_VERSION.0, unicode_normalization::UNICODE_VERSION.1);
    let letters = (char::UNICODE_VERSION.0, char::UNICODE_VERSION.1);
    if normalizer.0 < letters.0 || (normalizer.0 == letters.0 && normalizer.1 < letters.1) {
        normalizer
    } else {
        letters
    }
};

/// The kinds of code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// In NFKC already; becomes the target.
    Plain,
    /// Not in NFKC, but its form is one character that no other can touch; becomes the target.
    Mapped,
    /// White space.
    Space,
    /// Disappears.
    Delete,
    /// The stream decides: brackets of marks, a line's end, capital sigma, dotted capital I.
    Special,
    /// Needs the normaliser.
    Normalize,
    /// Needs the normaliser together with what stands before it.
    NormalizeAttached,
}

/// Kind, target and combining class in 32 bits: `kind << 29 | class << 21 | target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Action(u32);

impl Action {
    const KINDS: [Kind; 8] = [
        Kind::Plain,
        Kind::Mapped,
        Kind::Space,
        Kind::Delete,
        Kind::Special,
        Kind::Normalize,
        Kind::NormalizeAttached,
        Kind::Plain,
    ];

    fn new(kind: Kind, class: u8, target: u32) -> Self {
        Self((kind as u32) << 29 | u32::from(class) << 21 | target)
    }

    #[inline(always)]
    pub(super) fn kind(self) -> Kind {
        Self::KINDS[(self.0 >> 29) as usize]
    }

    /// Canonical combining class.
    #[inline(always)]
    pub(super) fn class(self) -> u8 {
        (self.0 >> 21) as u8
    }

    /// The code point that comes out: folded and in lower case. For [`Kind::Special`] the one
    /// that the stream has to decide about.
    #[inline(always)]
    pub(super) fn target(self) -> u32 {
        self.0 & 0x1F_FFFF
    }

    /// Whether the character can change, or be changed by, what stands before it.
    #[inline(always)]
    pub(super) fn attaches(self) -> bool {
        (self.class() != 0) | (self.0 >> 29 == Kind::NormalizeAttached as u32)
    }
}

const PAGE_CHARS: usize = 256;
/// Latin, Greek, Cyrillic, Hebrew and Arabic: looked up in one load, and built at once.
const NEAR_CHARS: usize = 0x700;

const PAGES: usize = 0x11_0000 / PAGE_CHARS;

type Page = [Action; PAGE_CHARS];

/// Actions of all code points for one folding and one Unicode version.
///
/// A table costs 350 KB and one KB more for each page of 256 code points that any text has
/// touched. It is shared by all threads.
#[derive(Debug)]
pub(super) struct Table {
    /// The first code points, where alphabets are.
    near: Box<[Action; NEAR_CHARS]>,
    pages: Box<[OnceLock<Box<Page>>]>,
    /// What pages say of characters that depend on nothing around them.
    forms: Forms,
    fold: Fold,
    version: UnicodeVersion,
}

impl Table {
    /// A table that leaves alone whatever `version` or the engine's own version does not know.
    pub(super) fn new(fold: Fold, version: UnicodeVersion) -> Self {
        let pages = (0..PAGES).map(|_| OnceLock::new()).collect();
        let near = Box::new([Action::new(Kind::Plain, 0, 0); NEAR_CHARS]);
        let forms = Forms::default();
        let mut table = Self { near, pages, forms, fold, version: version.min(UNICODE_VERSION) };
        for code in 0..NEAR_CHARS {
            table.near[code] = table.classify(code as u32);
            table.forms.set(code as u32, table.near[code]);
        }
        table
    }

    #[inline(always)]
    pub(super) fn get(&self, code: u32) -> Action {
        match self.near.get(code as usize) {
            Some(&action) => action,
            None => self.get_far(code),
        }
    }

    #[inline]
    fn get_far(&self, code: u32) -> Action {
        let Some(page) = self.pages.get(code as usize / PAGE_CHARS) else { return Action::new(Kind::Plain, 0, 0xFFFD) };
        page.get_or_init(|| self.build(code))[code as usize % PAGE_CHARS]
    }

    /// Characters that depend on nothing around them.
    #[inline(always)]
    pub(super) fn forms(&self) -> &Forms {
        &self.forms
    }

    /// The Unicode version that this table follows.
    pub(super) fn version(&self) -> UnicodeVersion {
        self.version
    }

    /// Whether `character` is assigned in the version that this table follows.
    pub(super) fn knows(&self, character: char) -> bool {
        !added_after(character as u32, self.version)
    }

    /// What the normaliser gets to see of `character`.
    pub(super) fn whole(&self, character: char) -> char {
        self.fold.whole(character).unwrap_or(character)
    }

    #[cold]
    fn build(&self, code: u32) -> Box<Page> {
        let first = code & !(PAGE_CHARS as u32 - 1);
        let mut page = Box::new([Action::new(Kind::Plain, 0, 0); PAGE_CHARS]);
        for (action, code) in page.iter_mut().zip(first..) {
            *action = self.classify(code);
            self.forms.set(code, *action);
        }
        page
    }

    fn classify(&self, code: u32) -> Action {
        let Some(character) = char::from_u32(code).filter(|&character| self.knows(character)) else {
            return Action::new(Kind::Plain, 0, code);
        };
        if let Some(whole) = self.fold.whole(character) {
            return Action::new(Kind::Mapped, 0, whole as u32);
        }
        let class = canonical_combining_class(character);
        match is_nfkc_quick(std::iter::once(character)) {
            IsNormalized::Yes => self.fold(character, class, Kind::Plain),
            IsNormalized::Maybe => Action::new(Kind::NormalizeAttached, class, profile::lower(character)),
            IsNormalized::No => self.classify_changed(character, class),
        }
    }

    fn classify_changed(&self, character: char, class: u8) -> Action {
        let mut form = std::iter::once(character).nfkc();
        let first = form.next().unwrap_or(character);
        let is_boundary =
            is_nfkc_quick(std::iter::once(first)) == IsNormalized::Yes && canonical_combining_class(first) == 0;
        if class != 0 || !is_boundary {
            Action::new(Kind::NormalizeAttached, class, profile::lower(character))
        } else if form.next().is_none() {
            self.fold(first, 0, Kind::Mapped)
        } else {
            Action::new(Kind::Normalize, 0, profile::lower(character))
        }
    }

    /// The action of a character that is in NFKC; `otherwise` is its kind if nothing else applies.
    fn fold(&self, character: char, class: u8, otherwise: Kind) -> Action {
        let is_hyphen = self.fold.is_hyphen(character);
        let character = self.fold.map(character);
        let kind = if is_hyphen {
            Kind::Special
        } else if profile::is_space(character) {
            if self.fold.handles_newlines() && character == '\n' { Kind::Special } else { Kind::Space }
        } else if self.fold.deletes(character) {
            Kind::Delete
        } else if self.fold.is_bracket(character) || profile::is_special_letter(character) {
            Kind::Special
        } else {
            otherwise
        };
        let target = match kind {
            Kind::Special => character as u32,
            Kind::Space => u32::from(b' '),
            _ => profile::lower(character),
        };
        Action::new(kind, class, target)
    }
}

/// Whether Unicode `version` did not know `code` yet (versions from 14.0 on).
fn added_after(code: u32, version: UnicodeVersion) -> bool {
    let index = unicode_age::ADDED.partition_point(|&(first, ..)| first <= code);
    index.checked_sub(1).is_some_and(|index| {
        let (_, last, major, minor) = unicode_age::ADDED[index];
        code <= last && (major, minor) > version
    })
}
