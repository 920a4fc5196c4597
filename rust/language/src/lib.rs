//! Reads natural-language text into tokens and typed terms with offsets, and compares two readings.
//!
//! [`Reader::read`] reads a text once. The [`Reading`] contains values and offsets, in code points of the text, but no
//! slice of the text. [`compare::differences`] finds the differences between a quote and its source passage,
//! [`claim::assess`] decides whether a passage supports a claim, and [`overlap`] measures how much of the claim it
//! contains. [`answer`] extracts the citations and claims of an answer, [`provenance`] the citations of a claim, and
//! [`batch`] processes columns of both row by row. All words are data, in lexicons ([`Lexicon`]) and in the tables of
//! `sentence` and `provenance`.
//!
//! Comparisons name the two texts by what they are: a claim or a quote, and a passage. In them, `index` counts the terms
//! of the claim or quote, and `place` those of the passage. Functions that treat two values alike call them `left` and
//! `right`.
//!
//! # Examples
//!
//! ```
//! use groundwire_engine::{Never, TextRef};
//! use groundwire_language::{Language, LexiconSet, Reader, TermKind};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/groundwire/language/lexicons");
//! let reader = Reader::new(LexiconSet::new(folder)?);
//! let reading = reader.read(TextRef::Ucs1(b"The mill did not sell 40 kg."), Language::English, &Never)?;
//! let kinds: Vec<TermKind> = reading.terms.iter().map(|term| term.kind).collect();
//! assert!(kinds.contains(&TermKind::Negation) && kinds.contains(&TermKind::Number));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod answer;
pub mod batch;
pub mod claim;
pub mod compare;
pub mod context;
pub mod index;
pub mod lexicon;
pub mod number;
pub mod overlap;
pub mod provenance;
pub mod reading;
pub mod sentence;
pub mod spelling;
pub mod term;
pub mod token;

mod prepared;

pub use lexicon::{Language, Lexicon, LexiconError, LexiconSet};
pub use reading::{Reader, Reading};
pub use term::{Term, TermKind};
