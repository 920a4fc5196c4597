//! Exact search for one pattern: everywhere, leftmost, all occurrences.
//!
//! [`find`] scans with memchr's substring search where a character is a byte, and for two rare
//! characters at once (`pair.rs`) where it is more. [`grid`] looks a pattern up in an index of the
//! text; [`indexed`] does so when that pays, and scans until then. [`overlapping`] goes on where
//! occurrences overlap, in linear time. [`patterns`] searches for many patterns at once.

mod anchors;
mod automaton;
mod edges;
pub(crate) mod filter;
mod finder;
pub(crate) mod grams;
pub(crate) mod grid;
mod index;
pub(crate) mod indexed;
mod keys;
mod needles;
mod order;
mod overlapping;
pub(crate) mod pair;
pub mod patterns;
mod plan;
mod rarity;
mod sets;
mod work;

pub(crate) use finder::find;
pub(crate) use overlapping::find_all;
