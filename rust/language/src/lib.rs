//! Reads natural-language text into tokens and typed terms with offsets, and compares two readings.
//!
//! Each text is read once ([`Reader::read`]). A reading holds values and offsets in code points of the text, and no
//! slice of the text. [`compare::differences`] finds the differences between a quote and its source passage;
//! [`claim::assess`] finds the words of a claim that have a counterpart in a passage. [`answer`] extracts the
//! citations and claims of an answer, [`provenance`] the citations of a claim, and [`batch`] processes columns of
//! both row by row. All words are data in lexicons ([`lexicon::Lexicon`]).

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
pub use term::{Term, TermKind};
