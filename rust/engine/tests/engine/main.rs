//! Tests of the engine, all in one program, because each program would compile the generic code again.
//!
//! Properties run a quarter of their usual number of cases, five times that number if `GROUNDWIRE_LONG` is set, or the
//! number in `PROPTEST_CASES`.

#[path = "../module_graph/mod.rs"]
mod module_graph;
#[path = "../oracle/mod.rs"]
mod oracle;

mod adversarial;
mod affixes;
mod align;
mod batch;
mod equal_length;
mod exact;
mod executor;
mod interleavings;
mod layers;
mod normalize;
mod partial_ratio;
mod pattern_set;
mod similarity;
mod strategies;
mod text_index;

use proptest::prelude::ProptestConfig;

/// Returns the configuration of a property that usually runs `cases` cases.
fn config(cases: u32) -> ProptestConfig {
    let is_set = |name| std::env::var_os(name).is_some();
    let default = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    let cases = match (is_set("PROPTEST_CASES"), is_set("GROUNDWIRE_LONG")) {
        (true, _) => default.cases,
        (false, true) => 5 * cases,
        (false, false) => cases.div_ceil(4),
    };
    ProptestConfig { cases, ..default }
}
