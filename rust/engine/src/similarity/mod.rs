//! Which of many texts have nearly the same words.
//!
//! A text is the set of its tokens ([`TokenRule`] says which), and two are as similar as Jaccard says:
//! the tokens that both have, divided by those that either has. [`JaccardIndex`] finds exactly
//! those above a threshold, whatever is inserted and removed meanwhile. [`MinHashIndex`] finds nearly
//! all of them in the same memory for texts of any length. [`VectorIndex`] is for meanings: it finds
//! the vectors in nearly the same direction, exactly.

mod dictionary;
mod jaccard;
mod minhash;
mod pieces;
mod posting_lists;
mod prefix_filter;
mod ranks;
mod set_store;
mod signature;
mod threshold;
mod token_set;
mod tokens;
mod vectors;

pub use jaccard::{JaccardIndex, Neighbor};
pub use minhash::MinHashIndex;
pub use threshold::Threshold;
pub use tokens::{TokenRule, Tokens};
pub use vectors::VectorIndex;
