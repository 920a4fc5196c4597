//! The Python module `groundwire._engine`. It only converts types: all rules are in the engine and the language crate.

mod alignment;
mod answers;
mod arguments;
mod arrays;
mod build;
mod bulk;
mod characters;
mod language;
mod matches;
mod normalizers;
mod patterns;
mod pool;
mod provenance;
mod quotes;
mod ratio;
mod sets;
mod signals;
mod source;
mod tuples;

use pyo3::prelude::*;

/// The native module of groundwire.
#[pymodule(gil_used = false)]
mod _engine {
    #[pymodule_export]
    use super::alignment::{Alignment, rebuild_alignment};
    #[pymodule_export]
    use super::answers::{Answer, Claim, Marker, markdown_blocks, read_answer, sentences};
    #[pymodule_export]
    use super::build::build_info;
    #[pymodule_export]
    use super::bulk::{ArrowBatch, ArrowStream, Deduplicator, Grounder, SourceTable, read_answers, read_claims};
    #[pymodule_export]
    use super::language::{ClaimIndex, LanguageReader, ReadPassages};
    #[pymodule_export]
    use super::matches::{Match, rebuild_match};
    #[pymodule_export]
    use super::normalizers::normalize;
    #[pymodule_export]
    use super::patterns::{Patterns, rebuild_patterns};
    #[pymodule_export]
    use super::provenance::find_citations;
    #[pymodule_export]
    use super::quotes::{QuoteAlignment, rebuild_quote_alignment};
    #[pymodule_export]
    use super::ratio::{partial_ratio, partial_ratio_alignment, partial_ratio_many};
    #[pymodule_export]
    use super::sets::{JaccardIndex, MinHashIndex, VectorIndex};
    #[pymodule_export]
    use super::source::{Source, rebuild_source};
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        build::limit_isa();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("MAX_PATTERN_CHARS_SEAWEED", groundwire_engine::MAX_PATTERN_CHARS_SEAWEED)?;
        module.add("UNICODE_VERSION", build::unicode_version())
    }
}
