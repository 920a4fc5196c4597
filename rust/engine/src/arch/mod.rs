//! Kernels for the vector instructions of the processor. This module contains all unsafe code of the engine.
//!
//! Most kernels are plain loops over fixed-size arrays, which [`for_each_isa`] compiles for every instruction set. The
//! others use intrinsics and have a scalar form; tests run them with and without wide vectors. This is the lowest layer
//! of the crate: it uses only [`text`](crate::text).

/// Defines a function whose body is compiled for each instruction set up to the one named first; a call runs the widest
/// copy.
///
/// Generic parameters are in square brackets, followed by their names in square brackets.
macro_rules! for_each_isa {
    (
        $widest:ident
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident $([$($parameters:tt)*][$($names:tt)*])?
        ($($argument:ident: $type:ty),* $(,)?) $(-> $output:ty)? $body:block
    ) => {
        $(#[$attribute])*
        #[inline]
        $visibility fn $name$(<$($parameters)*>)?($($argument: $type),*) $(-> $output)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512vbmi2,avx512bitalg")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx512$(<$($parameters)*>)?($($argument: $type),*) $(-> $output)? {
                baseline$(::<$($names)*>)?($($argument),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn avx2$(<$($parameters)*>)?($($argument: $type),*) $(-> $output)? {
                baseline$(::<$($names)*>)?($($argument),*)
            }

            #[inline(always)]
            fn baseline$(<$($parameters)*>)?($($argument: $type),*) $(-> $output)? $body

            #[cfg(target_arch = "x86_64")]
            match $crate::arch::isa().min($crate::arch::Isa::$widest) {
                // SAFETY: the processor has these instructions.
                $crate::arch::Isa::Avx512 => return unsafe { avx512$(::<$($names)*>)?($($argument),*) },
                // SAFETY: the processor has these instructions.
                $crate::arch::Isa::Avx2 => return unsafe { avx2$(::<$($names)*>)?($($argument),*) },
                $crate::arch::Isa::Baseline => {}
            }
            baseline$(::<$($names)*>)?($($argument),*)
        }
    };
}

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
