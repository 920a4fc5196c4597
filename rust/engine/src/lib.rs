//! The engine of groundwire: is this quote in that text, where, and how nearly?
//!
//! Texts are sequences of code points in 1, 2 or 4 bytes each ([`text`]). A [`source::Source`] is
//! a text prepared once: normalised ([`normalize`]), with a map back to the original, searched
//! exactly ([`exact`]) and by partial ratio ([`fuzzy`]), and compared word by word ([`align`]).
//! [`sets`] are many texts, of which those with nearly the same words are found; [`bulk`] are many
//! quotes of many sources.

pub mod align;
mod allowance;
mod alphabet;
pub mod arch;
pub mod bulk;
pub mod error;
pub mod exact;
pub mod folding;
pub mod fuzzy;
pub mod interrupt;
pub mod normalize;
mod paged;
pub mod sets;
pub mod source;
pub mod span;
pub mod text;
mod word_break;
pub mod workers;

pub use arch::cpu_features;
pub use error::{Error, check_chars};
pub use interrupt::{Interrupt, Never};
pub use span::Span;
pub use workers::{Alone, Workers};

/// Longest supported text, in characters: positions take 31 bits.
pub const MAX_CHARS: usize = (1 << 31) - 1;
