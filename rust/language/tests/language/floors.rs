//! The modules of the crate import only lower floors, and its files have no circular imports.

use std::path::Path;

use crate::module_graph::{Modules, assert_layers, cycles, graph, imports};

/// The modules from the lowest floor upwards, each with its imports.
const GRAPH: [(&str, &[&str]); 16] = [
    ("number", &[]),
    ("spelling", &[]),
    ("provenance", &[]),
    ("sentence", &[]),
    ("token", &[]),
    ("term", &["number"]),
    ("lexicon", &["number", "term", "token"]),
    ("reading", &["lexicon", "number", "sentence", "term", "token"]),
    ("answer", &["sentence"]),
    ("batch", &["answer", "provenance"]),
    ("prepared", &["lexicon", "reading", "term"]),
    ("context", &["lexicon", "reading", "term", "token"]),
    ("compare", &["lexicon", "reading", "spelling", "term"]),
    ("claim", &["lexicon", "number", "prepared", "reading", "spelling", "term"]),
    ("overlap", &["claim", "lexicon", "prepared", "spelling", "term"]),
    ("index", &["claim", "lexicon", "overlap", "prepared", "reading", "term"]),
];

/// The modules that the crate root re-exports names from.
const REEXPORTS: [(&str, &str); 8] = [
    ("Language", "lexicon"),
    ("Lexicon", "lexicon"),
    ("LexiconError", "lexicon"),
    ("LexiconSet", "lexicon"),
    ("Reader", "reading"),
    ("Reading", "reading"),
    ("Term", "term"),
    ("TermKind", "term"),
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
