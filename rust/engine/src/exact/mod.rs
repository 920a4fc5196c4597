//! Exact search for one pattern: everywhere, leftmost, all occurrences.
//!
//! `find` scans with memchr's substring search where a character is a byte, and for two rare
//! characters at once (`packed_pair`) where it is more. `sampled_index` looks a pattern up in an index of the
//! text; `adaptive` does so when that pays, and scans until then. [`multi`] searches for many patterns at once.

pub(crate) mod adaptive;
pub mod multi;
mod packed_pair;
pub(crate) mod sampled_index;
mod single;

pub(crate) use single::{find, find_all};
