//! The action for each code point, looked up in a table with blocks of 256 that are built on first use.

use std::sync::OnceLock;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::direct_map::{DirectMap, DirectMapping};
use super::profile::{self, Profile};
use super::unicode_age;

/// A Unicode version, as (major, minor).
pub type UnicodeVersion = (u8, u8);

/// The Unicode version of the engine's tables: the older one of its two sources, which are the normaliser and the
/// standard library (for lower case).
pub const UNICODE_VERSION: UnicodeVersion = {
    let normalizer = (unicode_normalization::UNICODE_VERSION.0, unicode_normalization::UNICODE_VERSION.1);
    let letters = (char::UNICODE_VERSION.0, char::UNICODE_VERSION.1);
    if normalizer.0 < letters.0 || (normalizer.0 == letters.0 && normalizer.1 < letters.1) {
        normalizer
    } else {
        letters
    }
};

/// The kind of action that a code point requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum ActionKind {
    /// The code point is in NFKC and is replaced by the target.
    Plain,
    /// The code point is not in NFKC, but its NFKC form is one character that combines with no other. It is replaced by
    /// the target.
    Mapped,
    /// The code point is white space.
    Space,
    /// The code point is removed.
    Delete,
    /// The transducer decides: brackets of annotations, hyphens, line ends, capital sigma, dotted capital I.
    Special,
    /// The code point needs the Unicode normaliser.
    Normalize,
    /// The code point needs the Unicode normaliser together with the character before it.
    NormalizeCombining,
}

/// Kind, canonical combining class and target in 32 bits: `kind << 29 | class << 21 | target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Action(u32);

impl Action {
    const KINDS: [ActionKind; 8] = [
        ActionKind::Plain,
        ActionKind::Mapped,
        ActionKind::Space,
        ActionKind::Delete,
        ActionKind::Special,
        ActionKind::Normalize,
        ActionKind::NormalizeCombining,
        ActionKind::Plain,
    ];

    fn new(kind: ActionKind, class: u8, target: u32) -> Self {
        Self((kind as u32) << 29 | u32::from(class) << 21 | target)
    }

    #[inline(always)]
    pub(super) fn kind(self) -> ActionKind {
        Self::KINDS[(self.0 >> 29) as usize]
    }

    /// Returns the canonical combining class.
    #[inline(always)]
    pub(super) fn class(self) -> u8 {
        (self.0 >> 21) as u8
    }

    /// Returns the resulting code point, folded and in lower case; 0 if the character is removed. For
    /// [`ActionKind::Special`], it is the code point that the transducer decides about.
    #[inline(always)]
    pub(super) fn target(self) -> u32 {
        self.0 & 0x1F_FFFF
    }

    /// Returns whether the character is white space, including line ends.
    #[inline(always)]
    pub(super) fn is_space(self) -> bool {
        let is_newline = self.kind() == ActionKind::Special && self.target() == u32::from(b'\n');
        is_newline || self.kind() == ActionKind::Space
    }

    /// Returns the direct mapping of the character, which is empty if its result depends on its neighbours.
    fn direct_mapping(self) -> DirectMapping {
        match self.kind() {
            ActionKind::Plain | ActionKind::Mapped if self.class() == 0 => DirectMapping::new(self.target(), 0),
            ActionKind::Plain => DirectMapping::new(self.target(), DirectMapping::MARK),
            ActionKind::Space => DirectMapping::new(self.target(), DirectMapping::SPACE),
            _ => DirectMapping::default(),
        }
    }

    /// Returns whether the character needs the Unicode normaliser even if nothing combines with it.
    #[inline(always)]
    pub(super) fn needs_normalizer(self) -> bool {
        matches!(self.kind(), ActionKind::Normalize | ActionKind::NormalizeCombining)
    }

    /// Returns whether the character can change, or be changed by, the one before it.
    #[inline(always)]
    pub(super) fn combines(self) -> bool {
        (self.class() != 0) | (self.0 >> 29 == ActionKind::NormalizeCombining as u32)
    }
}

const PAGE_CHARS: usize = 256;
/// The number of code points that are built in advance and looked up in one load: Latin, Greek, Cyrillic, Hebrew and
/// Arabic.
const NEAR_CHARS: usize = 0x700;

const PAGES: usize = 0x11_0000 / PAGE_CHARS;

type Page = [Action; PAGE_CHARS];

/// The actions of all code points for one profile and one Unicode version.
///
/// A table takes 350 KB, and 1 KB more for each block of 256 code points that has been used. All threads share it.
#[derive(Debug)]
pub(super) struct Table {
    /// The first code points, which include most alphabets.
    near: Box<[Action; NEAR_CHARS]>,
    pages: Box<[OnceLock<Box<Page>>]>,
    /// The results of characters that do not depend on their neighbours.
    direct_map: DirectMap,
    profile: Profile,
    version: UnicodeVersion,
}

impl Table {
    /// Creates a table that leaves characters unchanged if `version` or the engine's own version does not assign them.
    pub(super) fn new(profile: Profile, version: UnicodeVersion) -> Self {
        let pages = (0..PAGES).map(|_| OnceLock::new()).collect();
        let near = Box::new([Action::new(ActionKind::Plain, 0, 0); NEAR_CHARS]);
        let direct_map = DirectMap::default();
        let mut table = Self { near, pages, direct_map, profile, version: version.min(UNICODE_VERSION) };
        for code in 0..NEAR_CHARS {
            table.near[code] = table.classify(code as u32);
            table.direct_map.set(code as u32, &table.near[code].direct_mapping());
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
        let Some(page) = self.pages.get(code as usize / PAGE_CHARS) else {
            return Action::new(ActionKind::Plain, 0, 0xFFFD);
        };
        page.get_or_init(|| self.build(code))[code as usize % PAGE_CHARS]
    }

    /// Returns the results of characters that do not depend on their neighbours.
    #[inline(always)]
    pub(super) fn direct_map(&self) -> &DirectMap {
        &self.direct_map
    }

    /// Returns the Unicode version of this table.
    pub(super) fn version(&self) -> UnicodeVersion {
        self.version
    }

    /// Returns whether `character` is assigned in the Unicode version of this table.
    pub(super) fn is_assigned(&self, character: char) -> bool {
        !assigned_after(character as u32, self.version)
    }

    /// Returns the character that is passed to the Unicode normaliser for `character`.
    pub(super) fn map_segment(&self, character: char) -> char {
        self.profile.map_segment(character).unwrap_or(character)
    }

    #[cold]
    fn build(&self, code: u32) -> Box<Page> {
        let first = code & !(PAGE_CHARS as u32 - 1);
        let mut page = Box::new([Action::new(ActionKind::Plain, 0, 0); PAGE_CHARS]);
        for (action, code) in page.iter_mut().zip(first..) {
            *action = self.classify(code);
            self.direct_map.set(code, &action.direct_mapping());
        }
        page
    }

    fn classify(&self, code: u32) -> Action {
        let Some(character) = char::from_u32(code).filter(|&character| self.is_assigned(character)) else {
            return Action::new(ActionKind::Plain, 0, code);
        };
        if let Some(whole) = self.profile.map_segment(character) {
            return Action::new(ActionKind::Mapped, 0, whole as u32);
        }
        let class = canonical_combining_class(character);
        match is_nfkc_quick(std::iter::once(character)) {
            IsNormalized::Yes => self.fold(character, class, ActionKind::Plain),
            IsNormalized::Maybe => Action::new(ActionKind::NormalizeCombining, class, profile::lower(character)),
            IsNormalized::No => self.classify_changed(character, class),
        }
    }

    fn classify_changed(&self, character: char, class: u8) -> Action {
        let mut form = std::iter::once(character).nfkc();
        let first = form.next().unwrap_or(character);
        let is_boundary =
            is_nfkc_quick(std::iter::once(first)) == IsNormalized::Yes && canonical_combining_class(first) == 0;
        if class != 0 || !is_boundary {
            Action::new(ActionKind::NormalizeCombining, class, profile::lower(character))
        } else if form.next().is_none() {
            self.fold(first, 0, ActionKind::Mapped)
        } else {
            Action::new(ActionKind::Normalize, 0, profile::lower(character))
        }
    }

    /// Returns the action of a character in NFKC; `otherwise` is its kind if no other one applies.
    fn fold(&self, character: char, class: u8, otherwise: ActionKind) -> Action {
        let is_hyphen = self.profile.is_hyphen(character);
        let character = self.profile.map(character);
        let kind = if is_hyphen {
            ActionKind::Special
        } else if profile::is_space(character) {
            if self.profile.handles_newlines() && character == '\n' { ActionKind::Special } else { ActionKind::Space }
        } else if self.profile.deletes(character) {
            ActionKind::Delete
        } else if self.profile.is_bracket(character) || profile::is_special_letter(character) {
            ActionKind::Special
        } else {
            otherwise
        };
        let target = match kind {
            ActionKind::Special => character as u32,
            ActionKind::Space => u32::from(b' '),
            ActionKind::Delete => 0,
            _ => profile::lower(character),
        };
        Action::new(kind, class, target)
    }
}

/// Returns whether `code` was added after Unicode `version` (14.0 or later).
fn assigned_after(code: u32, version: UnicodeVersion) -> bool {
    let index = unicode_age::ADDED.partition_point(|&(first, ..)| first <= code);
    index.checked_sub(1).is_some_and(|index| {
        let (_, last, major, minor) = unicode_age::ADDED[index];
        code <= last && (major, minor) > version
    })
}
