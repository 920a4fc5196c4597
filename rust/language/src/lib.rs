//! What a text says: tokens, typed terms with offsets, and the comparison of two readings.
//!
//! A text is read once ([`Reader::read`]). The reading holds positions in code points of the text and
//! values, and no slice of the text. [`compare::differences`] tells what differs between a quote and
//! the passage it is from; [`claim::assess`] tells which words of a claim have a counterpart in a
//! passage. An answer is read for its citations and claims ([`answer`]), a claim for what it cites
//! ([`provenance`]), and columns of both row by row ([`batch`]). All words are in lexicons, which are data ([`lexicon::Lexicon`]).

#![forbid(unsafe_code)]

pub mod answer;
pub mod batch;
pub mod claim;
pub mod compare;
pub mod context;
pub mod index;
pub mod lexicon;
pub mod number;
pub mod provenance;
pub mod reading;
pub mod sentence;
pub mod slips;
pub mod support;
pub mod tables;
pub mod term;
pub mod token;
pub mod words;

mod names;
mod prepared;

pub use lexicon::{Language, Lexicon, LexiconError, LexiconSet};
pub use reading::{Reader, Reading};
pub use term::{Kind, Term};
