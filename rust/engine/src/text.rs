//! Characters as the caller stores them: 1, 2 or 4 bytes each, never UTF-8.

pub mod utf8;

use bytemuck::Pod;

/// One stored character. Lone surrogates are characters like any other.
pub trait Unit: Pod + Ord + Send + Sync + std::hash::Hash + std::fmt::Debug {
    /// Largest code point that fits.
    const MAX: u32;

    /// The code point.
    fn code(self) -> u32;

    /// The unit of a code point, or `None` where it does not fit.
    fn from_code(code: u32) -> Option<Self>;

    /// The units of a text of this very width.
    fn slice_of(units: Units<'_>) -> Option<&[Self]>;
}

macro_rules! unit {
    ($type:ty, $width:ident) => {
        impl Unit for $type {
            const MAX: u32 = <$type>::MAX as u32;

            #[inline(always)]
            fn code(self) -> u32 {
                u32::from(self)
            }

            #[inline(always)]
            fn from_code(code: u32) -> Option<Self> {
                <$type>::try_from(code).ok()
            }

            #[inline(always)]
            fn slice_of(units: Units<'_>) -> Option<&[Self]> {
                if let Units::$width(units) = units { Some(units) } else { None }
            }
        }
    };
}

unit!(u8, U8);
unit!(u16, U16);
unit!(u32, U32);

/// A borrowed text of any width.
#[derive(Clone, Copy, Debug)]
pub enum Units<'a> {
    /// Code points up to U+00FF.
    U8(&'a [u8]),
    /// Code points up to U+FFFF.
    U16(&'a [u16]),
    /// Any code point.
    U32(&'a [u32]),
}

/// Runs `$body` with `$slice` bound to the slice inside, whatever its width.
#[macro_export]
macro_rules! with_units {
    ($units:expr, $slice:ident => $body:expr) => {
        match $units {
            $crate::text::Units::U8($slice) => $body,
            $crate::text::Units::U16($slice) => $body,
            $crate::text::Units::U32($slice) => $body,
        }
    };
}
pub use with_units;

impl Units<'_> {
    /// Number of characters.
    #[must_use]
    pub fn len(&self) -> usize {
        with_units!(*self, units => units.len())
    }

    /// Whether there is no character.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The characters in `range`.
    #[must_use]
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        match *self {
            Units::U8(units) => Units::U8(&units[range]),
            Units::U16(units) => Units::U16(&units[range]),
            Units::U32(units) => Units::U32(&units[range]),
        }
    }

    /// Whether both are the same characters.
    #[must_use]
    pub fn reads(&self, other: Units<'_>) -> bool {
        with_units!(*self, units => with_units!(other, others => reads(units, others)))
    }

    /// The same characters in memory of their own.
    #[must_use]
    pub fn to_text(&self) -> Text {
        with_units!(*self, units => units.to_vec().into())
    }

    /// The code points.
    #[must_use]
    pub fn to_codes(&self) -> Vec<u32> {
        with_units!(*self, units => units.iter().map(|unit| unit.code()).collect())
    }
}

fn reads<A: Unit, B: Unit>(units: &[A], others: &[B]) -> bool {
    units.len() == others.len() && units.iter().zip(others).all(|(unit, other)| unit.code() == other.code())
}

/// An owned text in the width that its largest character needs when it was made.
#[derive(Clone, Debug)]
pub enum Text {
    /// Code points up to U+00FF.
    U8(Vec<u8>),
    /// Code points up to U+FFFF.
    U16(Vec<u16>),
    /// Any code point.
    U32(Vec<u32>),
}

impl Text {
    /// The characters, borrowed.
    #[must_use]
    pub fn units(&self) -> Units<'_> {
        match self {
            Self::U8(units) => Units::U8(units),
            Self::U16(units) => Units::U16(units),
            Self::U32(units) => Units::U32(units),
        }
    }
}

impl From<Vec<u8>> for Text {
    fn from(units: Vec<u8>) -> Self {
        Self::U8(units)
    }
}

impl From<Vec<u16>> for Text {
    fn from(units: Vec<u16>) -> Self {
        Self::U16(units)
    }
}

impl From<Vec<u32>> for Text {
    fn from(units: Vec<u32>) -> Self {
        Self::U32(units)
    }
}
