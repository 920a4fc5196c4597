//! Texts by the stems of their words: where words and clauses begin, what a sentence shares with a
//! claim, and which of many sentences share the most.
//!
//! What a word is compared by, and what it does in a sentence, is known to the caller: here it is a
//! number and its [`Roles`].

mod nearest;
mod postings;
mod restating;
mod shared;
mod words;
mod written;

pub use nearest::{Near, Weighted};
pub use postings::{Postings, Word};
pub use restating::{Least, Told};
pub use shared::{Roles, Shared};
pub use words::{Found, words};
pub use written::Written;
