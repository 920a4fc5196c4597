//! Shared parts of the fuzz targets: a generator that turns the fuzzer's bytes into texts, and the oracles of the
//! engine's own tests.

#[path = "../../engine/tests/oracle/mod.rs"]
pub mod oracle;
mod text_generator;
pub mod unicode;
#[path = "../../engine/src/normalize/unicode_age.rs"]
mod unicode_age;

pub use text_generator::TextGenerator;
