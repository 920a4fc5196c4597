//! Similarity search: finds texts with nearly the same words, and vectors with nearly the same direction.
//!
//! A text is treated as the set of its tokens ([`TokenRule`]). The Jaccard similarity of two texts is the number of
//! tokens in both, divided by the number of tokens in either. [`JaccardIndex`] finds all texts above a threshold
//! exactly, in a changing collection. [`MinHashIndex`] finds nearly all of them, with the same memory for texts of any
//! length. [`VectorIndex`] is for embeddings: it finds the vectors with the largest cosines, exactly.

mod dictionary;
mod jaccard;
mod minhash;
mod pieces;
mod posting_lists;
mod prefix_filter;
mod set_store;
mod threshold;
mod token_set;
mod tokens;
mod vectors;

pub use jaccard::{JaccardIndex, Neighbor};
pub use minhash::MinHashIndex;
pub use threshold::Threshold;
pub use tokens::{TokenRule, Tokens};
pub use vectors::VectorIndex;
