//! Normalisation by the specification, in one pass, with a map to the original.
//!
//! The steps are NFKC, quotation marks, zero-width characters, annotations, white space, strip and lower case, in this
//! order (`evidence-grounding`, `normalize_for_quote_match`; ruling A4). ASCII is copied by chunks (`fast_path`), and
//! other characters that do not depend on their neighbours by blocks (`direct_map`). Every other character is looked up
//! once (`code_point`), and only segments in which characters may combine go to the Unicode normaliser (`nfkc`). One
//! pass performs the remaining steps (`transducer`). `driver` contains the loop.

mod annotation;
mod code_point;
mod direct_map;
mod driver;
mod fast_path;
mod final_sigma;
pub(crate) mod nfkc;
mod offset_map;
mod profile;
mod transducer;
mod unicode_age;

use annotation::AnnotationRules;
pub use annotation::Bracket;
use code_point::Table;
pub use code_point::{UNICODE_VERSION, UnicodeVersion};
pub use driver::NormalizedInto;
pub(crate) use driver::Searchable;
pub(crate) use offset_map::OffsetCursor;
pub use offset_map::OffsetMap;
pub use profile::is_space;
use profile::{Profile, SpecialCharacters};

use crate::Error;
use crate::cancel::Cancel;
use crate::text::{Text, TextBuf};

/// A normalised text with the map to its original.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, Normalizer, Span, UNICODE_VERSION};
///
/// let original = "½ of it";
/// let normalized = Normalizer::spec(UNICODE_VERSION).normalize_mapped(original, &Never)?;
/// assert_eq!(normalized.text.units().len(), 9);
/// assert_eq!(normalized.offsets.to_original(Span::new(0, 3)).of(original), "½");
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Normalized {
    /// The normalised text.
    pub text: TextBuf,
    /// The map of its spans to the original.
    pub offsets: OffsetMap,
}

/// A normaliser: the rules of a profile with their tables.
///
/// # Examples
///
/// ```
/// use groundwire_engine::{Never, Normalizer, Text, UNICODE_VERSION};
///
/// let text = Normalizer::spec(UNICODE_VERSION).normalize("  It’s\n<laughter> FINE ", &Never)?;
/// assert!(text.units().eq_code_points(Text::from("it's fine").units()));
/// # Ok::<(), groundwire_engine::Error>(())
/// ```
#[derive(Debug)]
pub struct Normalizer {
    table: Table,
    special: SpecialCharacters,
}

impl Normalizer {
    /// Creates a normaliser with the literal profile of the specification, equal to Python with a `unicodedata` of
    /// `version`. A version newer than [`UNICODE_VERSION`] counts as that one.
    #[must_use]
    pub fn spec(version: UnicodeVersion) -> Self {
        Self::new(Profile::Spec, version, AnnotationRules::Literal)
    }

    /// Creates a normaliser with the typographic profile (rulings A2 and A3), which removes annotations in `brackets`.
    /// `version` is as for [`spec`](Self::spec).
    #[must_use]
    pub fn typographic(version: UnicodeVersion, brackets: &[Bracket]) -> Self {
        Self::new(Profile::Typographic, version, AnnotationRules::typographic(brackets))
    }

    fn new(profile: Profile, version: UnicodeVersion, annotations: AnnotationRules) -> Self {
        Self { table: Table::new(profile, version), special: SpecialCharacters::new(annotations) }
    }

    /// Estimates the cost of normalising `chars` characters, in cycles.
    #[must_use]
    pub fn cycles(chars: usize) -> f32 {
        200.0 + 4.0 * chars as f32
    }

    /// Normalises a text.
    ///
    /// # Errors
    ///
    /// [`Error::TextTooLong`] if the text has more than [`MAX_CHARS`](crate::MAX_CHARS) characters before or after
    /// normalisation, [`Error::Cancelled`] if `cancel` requests cancellation.
    pub fn normalize<'t>(&self, text: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<TextBuf, Error> {
        self.normalize_recorded::<false>(text.into().units(), cancel).map(|normalized| normalized.text)
    }

    /// Normalises a text and maps the result to the original.
    ///
    /// # Errors
    ///
    /// Those of [`normalize`](Self::normalize).
    pub fn normalize_mapped<'t>(&self, text: impl Into<Text<'t>>, cancel: &dyn Cancel) -> Result<Normalized, Error> {
        self.normalize_recorded::<true>(text.into().units(), cancel)
    }
}
