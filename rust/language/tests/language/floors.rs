//! The modules of the crate import only lower floors, and its files have no circular imports.

use std::path::Path;

use crate::module_graph::{Modules, assert_layers, cycles, graph, imports};

/// The modules from the lowest floor upwards, each with its imports.
const GRAPH: [(&str, &[&str]); 19] = [
    ("tables", &[]),
    ("number", &[]),
    ("names", &[]),
    ("slips", &[]),
    ("provenance", &[]),
    ("sentence", &[]),
    ("token", &[]),
    ("words", &["token"]),
    ("term", &["number"]),
    ("lexicon", &["number", "tables", "term", "token"]),
    ("reading", &["lexicon", "number", "sentence", "term", "token"]),
    ("answer", &["sentence"]),
    ("batch", &["answer", "provenance"]),
    ("prepared", &["lexicon", "reading", "term"]),
    ("context", &["lexicon", "reading", "term", "token"]),
    ("compare", &["lexicon", "names", "reading", "slips", "term"]),
    ("claim", &["lexicon", "names", "number", "prepared", "reading", "term"]),
    ("support", &["claim", "lexicon", "names", "prepared", "term"]),
    ("index", &["claim", "lexicon", "prepared", "reading", "support", "term"]),
];

/// The modules that the crate root re-exports names from.
const REEXPORTS: [(&str, &str); 8] = [
    ("Kind", "term"),
    ("Language", "lexicon"),
    ("Lexicon", "lexicon"),
    ("LexiconError", "lexicon"),
    ("LexiconSet", "lexicon"),
    ("Reader", "reading"),
    ("Reading", "reading"),
    ("Term", "term"),
];

fn own_imports() -> Modules {
    imports(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &REEXPORTS)
}

#[test]
fn modules_import_lower_floors() {
    assert_layers(&graph(&own_imports()), &GRAPH);
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    assert_eq!(Modules::new(), cycles(&own_imports()));
}
