//! Oracles that define "correct" in the simplest form: slow and short.

#![allow(dead_code, unreachable_pub, missing_docs, reason = "tests and fuzz targets use some of the oracles each")]

pub mod edit_distance;
pub mod numbers;
pub mod overlap;
pub mod times;
pub mod tokens;
