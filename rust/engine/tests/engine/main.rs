//! Tests of the engine, all in one program: its generic code is compiled for each program anew.
//!
//! Properties are tested with a quarter of their usual cases, with five times as many if
//! `GROUNDWIRE_LONG` is set, or with as many as `PROPTEST_CASES` says.

#[path = "../module_graph/mod.rs"]
mod module_graph;
#[path = "../oracle/mod.rs"]
mod oracle;

mod align;
mod bulk;
mod ends;
mod equal;
mod floors;
mod hostile;
mod interleavings;
mod kept;
mod normalize;
mod patterns;
mod plans;
mod search;
mod sets;

use proptest::prelude::ProptestConfig;

/// The configuration of a property with `cases` cases as a rule.
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
