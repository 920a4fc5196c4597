//! Kernels for the vector instructions of the processor. This module contains all unsafe code of the engine.
//!
//! Most kernels are plain loops over fixed-size arrays, compiled once for the baseline of the target and once more for
//! each wider instruction set. The others use intrinsics and have a scalar form that tests compare them with. This is
//! the lowest layer of the crate: it uses only [`text`](crate::text).

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
