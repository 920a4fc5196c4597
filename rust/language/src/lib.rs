//! What a text says: tokens, typed terms with offsets, and the comparison of two readings.
//!
//! A text is read once ([`Reader::read`]). The reading holds positions in code points of the text and
//! values, and no slice of the text. [`compare::differences`] tells what differs between a quote and
//! the passage it is from; [`claim::assess`] tells which words of a claim have a counterpart in a
//! passage. All words are in lexicons, which are data ([`lexicon::Lexicon`]).

#![forbid(unsafe_code)]

pub mod claim;
pub mod compare;
pub mod context;
pub mod index;
pub mod lexicon;
pub mod number;
pub mod reading;
pub mod slips;
pub mod support;
pub mod tables;
pub mod token;
pub mod words;

mod names;
mod prepared;

pub use lexicon::{Language, Lexicon, LexiconError, LexiconSet};
pub use reading::{Kind, Reader, Reading, Term};
