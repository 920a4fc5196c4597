//! Shared parts of the fuzz targets: recipes that turn the fuzzer's bytes into texts, and the oracles of the engine's
//! own tests.

#[path = "../../engine/src/normalize/unicode_age.rs"]
mod ages;
#[path = "../../engine/tests/oracle/mod.rs"]
pub mod oracle;
mod recipe;
pub mod unicode;

pub use recipe::Recipe;
