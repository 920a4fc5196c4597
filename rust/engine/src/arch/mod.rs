//! Kernels for the vector instructions of the processor. All unsafe code of the engine is here.
//!
//! Most kernels are plain loops over fixed-size arrays, compiled once for every processor of the target and once more
//! for each wider instruction set. The others have intrinsics, and a scalar form that tests compare them with. This
//! is the lowest floor of the crate: it uses [`text`](crate::text) and nothing else.

pub(crate) mod ascii_chunk;
pub(crate) mod bigram_marks;
pub(crate) mod bit_counter;
pub(crate) mod combing;
pub mod cpu;
#[cfg(feature = "similarity")]
pub(crate) mod dot_product;
pub(crate) mod gram_filter;
#[cfg(feature = "similarity")]
pub(crate) mod minhash;
pub(crate) mod packed_pair;
#[cfg(feature = "similarity")]
pub(crate) mod set_signatures;
pub(crate) mod uninit_buffer;

pub(crate) use cpu::{Isa, isa};
