//! The modules of the crate import only lower layers, and no files import each other in a cycle.

use std::path::Path;

use crate::module_graph::{Modules, assert_layers, cycles, graph, imports};

/// The modules from the lowest layer up, each with the modules that it imports.
const GRAPH: [(&str, &[&str]); 14] = [
    ("text", &[]),
    ("error", &["text"]),
    ("arch", &["text"]),
    ("cancel", &["error"]),
    ("code_point_map", &["text"]),
    ("memory_budget", &[]),
    ("alphabet", &["code_point_map", "text"]),
    ("executor", &["cancel", "error"]),
    ("normalize", &["arch", "cancel", "error", "text"]),
    ("exact", &["arch", "cancel", "error", "memory_budget", "text"]),
    ("align", &["cancel", "error", "normalize", "text"]),
    (
        "partial_ratio",
        &["alphabet", "arch", "cancel", "code_point_map", "error", "exact", "executor", "memory_budget", "text"],
    ),
    ("similarity", &["arch", "cancel", "error", "normalize", "text"]),
    (
        "source",
        &[
            "align",
            "alphabet",
            "cancel",
            "error",
            "exact",
            "executor",
            "memory_budget",
            "normalize",
            "partial_ratio",
            "text",
        ],
    ),
];

/// The highest layer, which nothing imports.
const BATCH: &str = "batch";

/// The modules that the crate's re-exported names come from.
const REEXPORTS: [(&str, &str); 9] = [
    ("Cancel", "cancel"),
    ("Error", "error"),
    ("Executor", "executor"),
    ("MAX_CHARS", "text"),
    ("Never", "cancel"),
    ("Sequential", "executor"),
    ("Span", "text"),
    ("check_chars", "error"),
    ("dispatch", "text"),
];

fn own_imports() -> Modules {
    imports(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &REEXPORTS)
}

#[test]
fn modules_import_only_lower_layers() {
    let mut graph = graph(&own_imports());
    assert!(graph.remove(BATCH).is_some_and(|used| !used.is_empty()));
    graph.remove("internals");
    assert_layers(&graph, &GRAPH);
}

#[test]
fn no_import_cycle_between_files() {
    assert_eq!(Modules::new(), cycles(&own_imports()));
}
