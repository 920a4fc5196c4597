//! The engine of groundwire: is this quote in that text, where, and how nearly?
//!
//! Texts are sequences of code points in 1, 2 or 4 bytes each ([`text`]). A [`source::Source`] is
//! a text prepared once: normalised ([`normalize`]), with a map back to the original, searched
//! exactly ([`exact`]) and by partial ratio ([`partial_ratio`]), and compared word by word ([`align`]).
//! [`similarity`] are many texts, of which those with nearly the same words are found; [`batch`] are many
//! quotes of many sources.

pub mod align;
mod alphabet;
mod arch;
pub mod batch;
pub mod cancel;
mod code_point_map;
pub mod error;
pub mod exact;
pub mod executor;
mod memory_budget;
pub mod normalize;
pub mod partial_ratio;
pub mod similarity;
pub mod source;
pub mod text;

pub use arch::cpu;
pub use cancel::{Cancel, Never};
pub use error::{Error, check_chars};
pub use executor::{Executor, Sequential};
pub use text::{MAX_CHARS, Span};
