//! Oracles that define "correct" in the simplest form: slow and short.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "tests and fuzz targets use some of the oracles each")]

pub mod numbers;
pub mod slips;
pub mod support;
pub mod times;
pub mod tokens;
