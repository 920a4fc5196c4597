#![doc = include_str!("../README.md")]
#![deny(missing_docs, rustdoc::broken_intra_doc_links)]

mod align;
mod alphabet;
mod arch;
#[cfg(feature = "batch")]
pub mod batch;
mod cancel;
mod code_point_map;
mod error;
mod exact;
mod executor;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod memory_budget;
mod normalize;
mod partial_ratio;
#[cfg(feature = "similarity")]
pub mod similarity;
mod source;
mod text;

pub use align::Edit;
pub use arch::cpu;
pub use cancel::{Cancel, CancelMeter, Never};
pub use error::{Error, check_chars};
pub use exact::multi::{PatternMatch, PatternMatches, PatternSet};
pub use exact::{find, find_all};
pub use executor::{Executor, Sequential, balanced_ranges};
pub use normalize::{
    Bracket, Normalized, NormalizedInto, Normalizer, OffsetMap, UNICODE_VERSION, UnicodeVersion, is_space,
};
pub use partial_ratio::{
    Cutoff, MAX_PATTERN_CHARS_SEAWEED, Ratio, ScoreAlignment, partial_ratio, partial_ratio_alignment,
    partial_ratio_many,
};
pub use source::{FuzzyMatch, Match, MatchKind, QuoteAlignment, SearchMode, Source};
pub use text::{CodeUnit, MAX_CHARS, Span, Text, TextBuf, TextRef, ascii};
