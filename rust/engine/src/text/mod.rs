//! Texts with 1, 2 or 4 bytes per character, as the caller stores them.

pub(crate) mod buckets;
pub(crate) mod gram;
pub(crate) mod sink;
mod span;
mod utf8;
pub(crate) mod word_break;

use bytemuck::Pod;
pub use span::Span;
pub use utf8::{Text, ascii};
pub(crate) use utf8::{begins_character, push_code};

/// The maximum length of a text in characters: positions have 31 bits.
pub const MAX_CHARS: usize = (1 << 31) - 1;

mod private {
    pub trait Sealed {}
}

/// A code unit, which stores one code point: `u8`, `u16` or `u32`. Lone surrogates count like any other code point.
///
/// # Examples
///
/// ```
/// use groundwire_engine::CodeUnit;
///
/// assert_eq!(u16::from_code(0x20AC), Some(0x20AC));
/// assert_eq!(u8::from_code(0x20AC), None);
/// ```
pub trait CodeUnit: private::Sealed + Pod + From<u8> + Ord + Send + Sync + std::hash::Hash + std::fmt::Debug {
    /// The largest code point that fits.
    const MAX: u32;

    /// The next wider code unit; `u32` for `u32` itself.
    type Wider: CodeUnit;

    /// Returns the code point.
    fn code_point(self) -> u32;

    /// Returns the code unit of a code point, or `None` if it does not fit.
    fn from_code(code: u32) -> Option<Self>;

    /// Returns the lowest bits of a code point: the whole code point if it fits.
    fn truncated(code: u32) -> Self;

    /// Returns the code units of a text if it has this width.
    fn downcast(units: TextRef<'_>) -> Option<&[Self]>;

    /// Creates a text from code units.
    fn into_text(units: Vec<Self>) -> TextBuf;
}

macro_rules! unit {
    ($type:ty, $width:ident, $wider:ty) => {
        impl private::Sealed for $type {}

        impl CodeUnit for $type {
            const MAX: u32 = <$type>::MAX as u32;

            type Wider = $wider;

            #[inline(always)]
            fn code_point(self) -> u32 {
                u32::from(self)
            }

            #[inline(always)]
            fn from_code(code: u32) -> Option<Self> {
                <$type>::try_from(code).ok()
            }

            #[inline(always)]
            fn truncated(code: u32) -> Self {
                code as Self
            }

            #[inline(always)]
            fn downcast(units: TextRef<'_>) -> Option<&[Self]> {
                if let TextRef::$width(units) = units { Some(units) } else { None }
            }

            fn into_text(units: Vec<Self>) -> TextBuf {
                TextBuf::$width(units)
            }
        }
    };
}

unit!(u8, Ucs1, u16);
unit!(u16, Ucs2, u32);
unit!(u32, Ucs4, u32);

/// A borrowed text of any width.
///
/// # Examples
///
/// ```
/// use groundwire_engine::TextRef;
///
/// let text = TextRef::Ucs2(&[0x20AC, 0x35]);
/// assert_eq!(text.len(), 2);
/// assert!(text.slice(1..2).eq_code_points(TextRef::Ucs1(b"5")));
/// ```
#[derive(Clone, Copy, Debug)]
pub enum TextRef<'a> {
    /// Code points up to U+00FF, one byte each.
    Ucs1(&'a [u8]),
    /// Code points up to U+FFFF, two bytes each.
    Ucs2(&'a [u16]),
    /// Any code points, four bytes each.
    Ucs4(&'a [u32]),
}

/// Evaluates `$body` with `$slice` bound to the slice inside a [`TextRef`] of any width.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{CodeUnit, TextRef, dispatch};
///
/// let text = TextRef::Ucs1(b"ab");
/// let sum: u32 = dispatch!(text, units => units.iter().map(|unit| unit.code_point()).sum());
/// assert_eq!(sum, 0x61 + 0x62);
/// ```
#[macro_export]
macro_rules! dispatch {
    ($units:expr, $slice:ident => $body:expr) => {
        match $units {
            $crate::TextRef::Ucs1($slice) => $body,
            $crate::TextRef::Ucs2($slice) => $body,
            $crate::TextRef::Ucs4($slice) => $body,
        }
    };
}
pub(crate) use dispatch;

impl TextRef<'_> {
    /// Returns the number of characters.
    #[must_use]
    pub fn len(&self) -> usize {
        dispatch!(*self, units => units.len())
    }

    /// Returns whether the text is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the characters in `range`.
    ///
    /// # Panics
    ///
    /// Panics if `range` is out of bounds.
    #[must_use]
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        match *self {
            TextRef::Ucs1(units) => TextRef::Ucs1(&units[range]),
            TextRef::Ucs2(units) => TextRef::Ucs2(&units[range]),
            TextRef::Ucs4(units) => TextRef::Ucs4(&units[range]),
        }
    }

    /// Returns whether both texts have the same characters, regardless of their widths.
    #[must_use]
    pub fn eq_code_points(&self, other: TextRef<'_>) -> bool {
        dispatch!(*self, units => dispatch!(other, others => eq_code_points(units, others)))
    }

    /// Copies the text, at the same width.
    #[must_use]
    pub fn to_text(&self) -> TextBuf {
        dispatch!(*self, units => units.to_vec().into())
    }

    /// Returns the code points.
    #[must_use]
    pub fn to_code_points(&self) -> Vec<u32> {
        dispatch!(*self, units => units.iter().map(|unit| unit.code_point()).collect())
    }
}

pub(crate) fn eq_code_points<A: CodeUnit, B: CodeUnit>(units: &[A], others: &[B]) -> bool {
    units.len() == others.len() && units.iter().zip(others).all(|(unit, other)| unit.code_point() == other.code_point())
}

/// An owned text of any width.
#[derive(Clone, Debug)]
pub enum TextBuf {
    /// Code points up to U+00FF, one byte each.
    Ucs1(Vec<u8>),
    /// Code points up to U+FFFF, two bytes each.
    Ucs2(Vec<u16>),
    /// Any code points, four bytes each.
    Ucs4(Vec<u32>),
}

impl TextBuf {
    /// Borrows the text.
    #[must_use]
    pub fn units(&self) -> TextRef<'_> {
        match self {
            Self::Ucs1(units) => TextRef::Ucs1(units),
            Self::Ucs2(units) => TextRef::Ucs2(units),
            Self::Ucs4(units) => TextRef::Ucs4(units),
        }
    }
}

impl<U: CodeUnit> From<Vec<U>> for TextBuf {
    fn from(units: Vec<U>) -> Self {
        U::into_text(units)
    }
}
