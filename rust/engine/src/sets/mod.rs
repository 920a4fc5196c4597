//! Which of many texts have nearly the same words.
//!
//! A text is the set of its tokens ([`Rule`] says which), and two are as similar as Jaccard says:
//! the tokens that both have, divided by those that either has. [`JaccardIndex`] finds exactly
//! those above a threshold, whatever is inserted and removed meanwhile.

mod collected;
mod dictionary;
mod index;
mod pieces;
mod pool;
mod ranks;
mod records;
mod side;
mod signature;
mod threshold;
mod tokens;

pub use index::{Hit, JaccardIndex};
pub use threshold::Threshold;
pub use tokens::{Rule, Tokens};
